; Syntax that clang rarely or never writes for the programs of the corpus.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%0 = type { i32, %"a b" }
%"a b" = type <{ i8, ptr }>
%later = type { %0, [2 x %"\C3\A4"] }
%"\C3\A4" = type { half }
%hidden = type opaque

@0 = private unnamed_addr constant [4 x i8] c"a\00\22\\", align 1
@1 = internal global ptr @0
@"quoted name" = dso_local global i128 -170141183460469231731687303715884105728
@h = global half 0xH3C01
@r = global bfloat 0xR3F81
@f = global float 0x36A0000000000000
@f2 = global float 1.500000e+00
@f3 = global float 0x7FF4000000000000
@d = global double 1.000000e-03
@d2 = global double 0xFFF8000000000001
@d3 = global double -0.0
@d4 = global double 123456789.123456789
@d5 = global double 4.9406564584124654e-324
@k = global x86_fp80 0xK4000C90FDAA22168C235
@l = global fp128 0xL0000000000000001BFFF800000000000
@m = global ppc_fp128 0xM400C0000000300000000010000000000
@i1 = global i65 36893488147419103231
@i2 = global i65 -1
@i3 = global i256 -5
@i4 = global i200 123456789012345678901234567890123456789012345678901234567890
@i5 = global i32 u0xFFFFFFFF
@i6 = global i16 s0xFFFF
@i7 = global i1 true
@i8 = global i8 -128
@i9 = global i8 255
@v1 = global <4 x i8> <i8 1, i8 undef, i8 poison, i8 -1>
@v2 = global <2 x ptr> <ptr null, ptr @h>
@v3 = global <3 x i1> <i1 1, i1 0, i1 true>
@s1 = global { i8, [2 x { i16, ptr }] } { i8 7, [2 x { i16, ptr }] [{ i16, ptr } zeroinitializer, { i16, ptr } { i16 -2, ptr getelementptr inbounds ([4 x i8], ptr @0, i64 0, i64 2) }] }
@s2 = global <{ i8, i32 }> <{ i8 1, i32 2 }>
@s3 = global %later zeroinitializer
@s4 = global i64 sub (i64 ptrtoint (ptr @h to i64), i64 ptrtoint (ptr @r to i64))
@s5 = global i32 ptrtoint (ptr @h to i32)
@s6 = global ptr blockaddress(@jumps, %two)
@s7 = global ptr getelementptr nuw inrange(-8, 16) (i8, ptr @s1, i64 8)
@s8 = global ptr addrspacecast (ptr addrspace(3) @space to ptr)
@s9 = global ptr inttoptr (i64 4096 to ptr)
@space = addrspace(3) global i32 0, align 16
@tls = thread_local(initialexec) global i32 3, align 64
@weak = extern_weak global i32
@common = common protected global [3 x i32] zeroinitializer, align 16
@once = linkonce_odr hidden constant i32 1, comdat, section "x", align 8
@undefined = external externally_initialized global %hidden
$once = comdat any
@alias = weak alias i32, ptr @once
@inside = internal alias i8, getelementptr (i8, ptr @s1, i64 4)
@chosen = ifunc i32 (i32), ptr @resolver

define internal ptr @resolver() {
  ret ptr @"f\01g"
}

define linkonce_odr i32 @"f\01g"(i32 noundef signext %0) unnamed_addr #0 personality ptr @personality !dbg !4 {
  %2 = add nuw nsw i32 %0, 1
  br label %"a block"

"a block":
  %"a value" = phi i32 [ %2, %1 ], [ -1, %"a block" ], !dbg !6
  %4 = icmp sle i32 %"a value", 3
  br i1 %4, label %"a block", label %done

done:
  ret i32 %2
}

declare i32 @personality(...)

define void @jumps(ptr %where, <4 x i32> %v, <vscale x 2 x i64> %scalable) {
entry:
  indirectbr ptr %where, [label %one, label %two]
one:
  %shuffled = shufflevector <4 x i32> %v, <4 x i32> poison, <8 x i32> <i32 0, i32 undef, i32 2, i32 3, i32 poison, i32 7, i32 1, i32 1>
  %wide = shufflevector <4 x i32> %v, <4 x i32> %v, <2 x i32> zeroinitializer
  %e = extractelement <4 x i32> %v, i64 2
  %i = insertelement <4 x i32> %v, i32 %e, i8 1
  %pointers = getelementptr { i32, i32 }, ptr %where, <4 x i64> <i64 0, i64 1, i64 2, i64 3>, i32 1
  %plain = getelementptr nusw nuw i8, ptr %where, i32 -1
  br i1 undef, label %two, label %one
two:
  ret void
}

define x86_fp80 @floats(x86_fp80 %x, float %y) {
  %1 = fneg fast float %y
  %2 = fadd reassoc nnan float %1, 0x3FB99999A0000000
  %3 = fcmp nnan uno float %2, 0.0
  %4 = fcmp true float %2, %1
  %5 = select i1 %3, x86_fp80 %x, x86_fp80 0xK3FFF8000000000000000
  %6 = frem x86_fp80 %5, %x
  %7 = fptosi x86_fp80 %6 to i77
  %8 = uitofp nneg i77 %7 to x86_fp80
  %9 = freeze x86_fp80 %8
  ret x86_fp80 %9
}

define void @atomics(ptr %p, ptr sret(%later) %out, ptr byval({ i64, i8 }) align 16 %copy) {
  %a = load atomic volatile i64, ptr %p syncscope("singlethread") unordered, align 8
  %b = load atomic ptr, ptr %p monotonic, align 16
  store atomic volatile float 1.0, ptr %p seq_cst, align 4
  %c = atomicrmw volatile nand ptr %p, i64 3 syncscope("agent") acq_rel
  %d = atomicrmw fmax ptr %p, double 2.0 monotonic, align 8
  %e = atomicrmw umin ptr %p, i8 -1 release, align 1
  %f = atomicrmw xchg ptr %p, ptr null seq_cst, align 8
  %g = cmpxchg weak volatile ptr %p, i64 %a, i64 %c syncscope("singlethread") release acquire, align 16
  %h = cmpxchg ptr %p, ptr null, ptr %b acq_rel seq_cst
  fence syncscope("singlethread") acquire
  fence acq_rel
  %i = insertvalue { i64, i1 } %g, i1 false, 1
  %j = insertvalue { { i8, i32 }, [2 x i16] } poison, i16 9, 1, 1
  %k = extractvalue { { i8, i32 }, [2 x i16] } %j, 0, 1
  ret void
}

define i32 @calls(ptr %f, i8 %n, ...) personality ptr @personality {
  %room = alloca [3 x i24], i8 %n, align 32
  %one = alloca inalloca i64
  %r = tail call fastcc i32 (ptr, ...) %f(ptr nonnull align 8 dereferenceable(8) %room, double 1.0, i32 4) #0 [ "bundle"(i32 1, ptr %f) ]
  call void asm sideeffect inteldialect "mov $0\0A", "r,~{memory}"(i32 %r) nounwind
  %q = call range(i32 0, 9) i32 asm "x\22y", "=r"()
  %t = invoke i32 @"f\01g"(i32 %r) to label %good unwind label %bad
good:
  switch i8 %n, label %end [ i8 -1, label %end
                             i8 127, label %good2 ]
good2:
  %u = musttail call i32 (ptr, i8, ...) @calls(ptr %f, i8 %n, ...)
  ret i32 %u
bad:
  %pad = landingpad { ptr, i32 } cleanup catch ptr null filter [1 x ptr] [ptr @h]
  resume { ptr, i32 } %pad
end:
  %w = va_arg ptr %f, i32
  unreachable
}

attributes #0 = { nounwind "key"="value" }
!llvm.dbg.cu = !{!1}
!llvm.module.flags = !{!3}
!1 = distinct !DICompileUnit(language: DW_LANG_C99, file: !2, emissionKind: FullDebug)
!2 = !DIFile(filename: "a.c", directory: "/d")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "f", file: !2, line: 3, type: !7, spFlags: DISPFlagDefinition, unit: !1)
!5 = distinct !DILexicalBlockFile(scope: !4, file: !8, discriminator: 0)
!6 = !DILocation(line: 12, column: 4, scope: !5, inlinedAt: !9)
!7 = !DISubroutineType(types: !10)
!8 = !DIFile(filename: "include/b.h", directory: "/d")
!9 = distinct !DILocation(line: 70000, scope: !4)
!10 = !{null}
