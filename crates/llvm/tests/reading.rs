//! What the reader makes of small pieces of text, area by area.

use norn_llvm::{
    Callee, CastOp, ConstantKind, FloatKind, Linkage, Module, Op, Operand, Ordering, ThreadLocal,
    Type, read,
};

fn module(text: &str) -> Module {
    read(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The operations of the only function with a body, in order.
fn body(text: &str) -> (Module, Vec<Op>) {
    let module = module(text);
    let function = module.functions.iter().find(|f| f.body.is_some()).unwrap();
    let body = function.body.as_ref().unwrap();
    let ops = body
        .order
        .iter()
        .flat_map(|&block| &body.block(block).instructions)
        .map(|instruction| instruction.op.clone())
        .collect();
    (module, ops)
}

fn refused(text: &str, what: &str) {
    let error = read(text).expect_err(text);
    assert!(error.message.contains(what), "{error} does not say {what}");
}

fn int(module: &Module, operand: Operand) -> u128 {
    let Operand::Const(id) = operand else { panic!("not a constant") };
    let ConstantKind::Int(value) = module.constant(id).kind else { panic!("not an integer") };
    value
}

#[test]
fn target_and_source() {
    let m = module(
        "; ModuleID = 'x'\nsource_filename = \"a\\5Cb.c\"\n\
         target datalayout = \"e-p:64:64-i64:64\"\ntarget triple = \"x86_64-pc-linux-gnu\"\n\
         module asm \"nop\"\n$c = comdat any\nattributes #0 = { nounwind \"k\"=\"v\" }\n^0 = module: (path: \"\")\n",
    );
    assert_eq!(m.source_name, "a\\b.c");
    assert_eq!(m.triple, "x86_64-pc-linux-gnu");
    assert_eq!(m.inline_asm, ["nop"]);
    assert!(m.layout.little_endian);
}

#[test]
fn globals_keep_what_matters() {
    let m = module(
        "@a = dso_local thread_local(initialexec) global i32 -1, section \"s\", align 8, !dbg !1\n\
         @b = internal unnamed_addr constant [2 x i8] c\"a\\00\"\n@c = external global ptr\n\
         @d = weak hidden global { i8, <2 x i16> } { i8 1, <2 x i16> <i16 2, i16 3> }, comdat($x)\n\
         @e = common global [9 x ptr] zeroinitializer\n@0 = private global float 1.5\n!1 = !{}\n",
    );
    let [a, b, c, d, e, f] = &m.globals[..] else { panic!("six globals") };
    assert_eq!((a.thread_local, a.align, a.constant), (ThreadLocal::Yes, Some(8), false));
    assert!(a.debug.is_some());
    assert_eq!(m.constant(a.initializer.unwrap()).kind, ConstantKind::Int(0xffff_ffff));
    assert_eq!((b.linkage, b.constant), (Linkage::Internal, true));
    assert_eq!(m.constant(b.initializer.unwrap()).kind, ConstantKind::Bytes([97, 0].into()));
    assert!(c.initializer.is_none());
    assert_eq!(d.linkage, Linkage::Weak);
    assert_eq!(e.linkage, Linkage::Common);
    assert!(m.symbol(f.symbol).numbered);
}

#[test]
fn typed_pointers_become_opaque() {
    let (m, ops) = body(
        "%s = type { i32, %s* }\ndefine %s* @f(%s* %0, i32 (i8*, ...)* %1, i8 addrspace(1)* %2) {\n\
         %4 = getelementptr inbounds %s, %s* %0, i64 0, i32 1\n\
         %5 = load %s*, %s** %4, align 8\n  ret %s* %5\n}\n",
    );
    let function = m.find_function("f").unwrap();
    assert_eq!(m.types.get(function.params[0].ty), &Type::Ptr(0));
    assert_eq!(m.types.get(function.params[1].ty), &Type::Ptr(0));
    assert_eq!(m.types.get(function.params[2].ty), &Type::Ptr(1));
    assert!(matches!(ops[0], Op::Gep { inbounds: true, .. }));
}

#[test]
fn numbering_is_shared_by_parameters_blocks_and_results() {
    let (_, ops) = body(
        "define i32 @f(i32, i32 %x) {\n  %2 = add i32 %0, %x\n  br label %3\n\n3:\n\
         %4 = phi i32 [ %2, %1 ], [ %5, %3 ]\n  %5 = add nuw nsw i32 %4, 1\n\
         %6 = icmp samesign ult i32 %5, 10\n  br i1 %6, label %3, label %out\nout:\n  ret i32 %4\n}\n",
    );
    let Op::Phi { incoming, .. } = &ops[2] else { panic!("{:?}", ops[2]) };
    assert_eq!(incoming.len(), 2);
    assert!(matches!(ops[3], Op::Binary { flags, .. } if flags.nuw && flags.nsw));
    refused(
        "define void @f() {\n  %1 = add i32 1, 1\n  %1 = add i32 1, 1\n  ret void\n}",
        "number",
    );
    refused("define void @f() {\n  br label %9\n}", "no such block");
    refused("define i32 @f() {\n  ret i32 %x\n}", "not defined");
    refused("define i32 @f(i64 %x) {\n  ret i32 %x\n}", "another type");
    refused("define void @f() {\nentry:\n}", "no terminator");
}

#[test]
fn atomics_keep_their_orderings() {
    let (m, ops) = body(
        "define void @f(ptr %p) {\n\
         %1 = load atomic volatile i32, ptr %p syncscope(\"singlethread\") acquire, align 4\n\
         store atomic i32 1, ptr %p release, align 4\n  fence seq_cst\n\
         %2 = cmpxchg weak ptr %p, i32 0, i32 1 acq_rel monotonic, align 4\n\
         %3 = atomicrmw volatile umax ptr %p, i32 5 monotonic, align 4, !tbaa !1\n  ret void\n}\n!1 = !{}\n",
    );
    let Op::Load { access, .. } = ops[0] else { panic!() };
    assert!(access.volatile && access.single_thread && access.align == 4);
    assert_eq!(access.ordering, Some(Ordering::Acquire));
    assert!(matches!(ops[2], Op::Fence(a) if a.ordering == Some(Ordering::SeqCst)));
    let Op::CmpXchg(cas) = &ops[3] else { panic!() };
    assert!(cas.weak && cas.failure == Ordering::Monotonic);
    let Op::AtomicRmw(rmw) = &ops[4] else { panic!() };
    assert_eq!((rmw.operation.name(), int(&m, rmw.value)), ("umax", 5));
}

#[test]
fn calls_with_attributes_of_any_spelling() {
    let (m, ops) = body(
        "declare i32 @g(ptr, ...) #1\ndefine void @f(ptr %p) personality ptr @g {\n\
         %1 = tail call fastcc noundef range(i32 0, 5) i32 (ptr, ...) @g(ptr noundef future(i32 1) byval({ i32, i32 }) align 8 %p, i32 newattr 5) #2 [ \"deopt\"(i32 1) ], !dbg !1\n\
         call void asm sideeffect inteldialect \"nop\", \"~{memory}\"()\n\
         %2 = invoke i32 %p(i1 true)\n  to label %a unwind label %b\na:\n  ret void\nb:\n\
         %3 = landingpad { ptr, i32 }\n  cleanup\n  catch ptr null\n  resume { ptr, i32 } %3\n}\n!1 = !{}\n",
    );
    let Op::Call(call) = &ops[0] else { panic!() };
    assert!(call.function_type.is_some());
    let (_, attributes) = call.args[0];
    assert_eq!(attributes.align, Some(8));
    assert_eq!(m.layout.of(attributes.byval.unwrap()).unwrap().size, 8);
    assert_eq!(int(&m, call.args[1].0), 5);
    let Op::Call(asm) = &ops[1] else { panic!() };
    assert!(matches!(&asm.callee, Callee::Asm(a) if a.template == "nop" && a.side_effect));
    assert!(matches!(&ops[2], Op::Invoke { .. }));
    assert!(matches!(&ops[4], Op::LandingPad { cleanup: true, clauses, .. } if clauses.len() == 1));
}

#[test]
fn constant_expressions() {
    let m = module(
        "@a = global [4 x i32] zeroinitializer\n@b = alias i8, getelementptr inbounds nuw inrange(-8, 8) (i8, ptr @a, i64 4)\n\
         @c = global i64 sub (i64 ptrtoint (ptr @a to i64), i64 5)\n\
         @d = global ptr getelementptr inbounds ([4 x i32], ptr @a, inrange i32 0, i64 1)\n\
         @e = global ptr blockaddress(@f, %x)\n@g = global <4 x i8> splat (i8 3)\n@h = ifunc i32 (), ptr @f\n\
         define i32 @f() {\n  br label %x\nx:\n  ret i32 0\n}\n",
    );
    assert_eq!((m.aliases.len(), m.ifuncs.len()), (1, 1));
    let kind = |name: &str| {
        let global = m.globals.iter().find(|g| m.symbol_name(g.symbol) == name).unwrap();
        m.constant(global.initializer.unwrap()).kind.clone()
    };
    assert!(matches!(kind("c"), ConstantKind::Binary { .. }));
    assert!(matches!(kind("d"), ConstantKind::Gep { indices, .. } if indices.len() == 2));
    let ConstantKind::Cast { op: CastOp::Bitcast, value } = kind("e") else { panic!() };
    assert!(matches!(m.constant(value).kind, ConstantKind::BlockAddress { block: Some(_), .. }));
    assert!(matches!(kind("g"), ConstantKind::Splat(_)));
    refused(
        "@e = global ptr blockaddress(@f, %y)\ndefine void @f() {\n  ret void\n}",
        "no such block",
    );
    refused("@p = global ptr ptrauth (ptr @p, i32 0)", "not supported");
    refused("@p = global [2 x i8] [i8 1]", "do not match");
    refused("@p = global i8 300", "fits its type");
}

#[test]
fn debug_variables_in_both_spellings() {
    for text in [
        "define void @f(ptr %p) {\n    #dbg_declare(ptr %p, !1, !DIExpression(DW_OP_deref), !2)\n    #dbg_value(i32 0, !1, !DIExpression(), !2)\n    #dbg_label(!1, !2)\n  ret void, !dbg !2\n}\n!1 = !{}\n!2 = !{}",
        "declare void @llvm.dbg.declare(metadata, metadata, metadata)\ndefine void @f(i8* %p) {\n  call void @llvm.dbg.declare(metadata i8* %p, metadata !1, metadata !DIExpression()), !dbg !2\n  ret void, !dbg !2\n}\n!1 = !{}\n!2 = !{}",
    ] {
        let m = module(text);
        let body = m.find_function("f").unwrap().body.as_ref().unwrap();
        let [variable] = body.debug_variables[..] else { panic!("one variable") };
        assert!(variable.is_address && variable.variable.0 == 1 && variable.local.0 == 0);
        assert_eq!(body.blocks[0].instructions.len(), 1);
        assert_eq!(body.blocks[0].instructions[0].debug.unwrap().0, 2);
    }
}

#[test]
fn vectors_and_aggregates() {
    let (m, ops) = body(
        "define float @f(<4 x float> %v, { i32, { i8, float } } %s) {\n\
         %1 = extractvalue { i32, { i8, float } } %s, 1, 1, !dbg !1\n\
         %2 = insertvalue { i32, { i8, float } } %s, i32 5, 0\n\
         %3 = insertelement <4 x float> %v, float %1, i64 2\n\
         %4 = shufflevector <4 x float> %3, <4 x float> poison, <2 x i32> <i32 0, i32 poison>\n\
         %5 = fcmp fast olt <4 x float> %3, splat (float 1.0)\n\
         %6 = extractelement <2 x float> %4, i32 0\n  %7 = fneg nnan float %6\n  ret float %7\n}\n!1 = !{}",
    );
    assert!(matches!(&ops[0], Op::ExtractValue { indices, .. } if **indices == [1, 1]));
    let Op::ShuffleVector { mask, .. } = ops[3] else { panic!() };
    assert!(matches!(m.constant(mask).kind, ConstantKind::Aggregate(_)));
    let body = m.find_function("f").unwrap().body.as_ref().unwrap();
    assert_eq!(m.types.get(body.locals.last().unwrap().ty), &Type::Float(FloatKind::Float));
    refused(
        "define void @f({ i8 } %s) {\n  %1 = extractvalue { i8 } %s, 1\n  ret void\n}",
        "no such member",
    );
}

#[test]
fn errors_say_where() {
    let error = read("@a = global i32 0\n\n  @b = globl i32 0\n").unwrap_err();
    assert_eq!(error.line, 3);
    let error = read("define void @f() {\n  frobnicate i32 1\n  ret void\n}\n").unwrap_err();
    assert_eq!((error.line, error.column, error.message.as_str()), (2, 3, "unknown instruction"));
    refused("@a = global ptr @missing", "@missing is used but not defined");
    refused("@a = global %t zeroinitializer", "type %t is used but not defined");
    refused("@a = global i32 0\n@a = global i32 0", "already defined");
    refused("define void @f() {\n  callbr void asm \"\", \"\"()\n  to label %1 []\n}", "callbr");
}

#[test]
fn static_members_take_no_room_in_an_object() {
    let text = r#"
!1 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!2 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "Q", size: 64, elements: !3)
!3 = !{!4, !5, !6, !7}
!4 = !DIDerivedType(tag: DW_TAG_inheritance, baseType: !8, flags: DIFlagPublic, extraData: i32 0)
!5 = !DIDerivedType(tag: DW_TAG_member, name: "count", baseType: !1, flags: DIFlagPublic | DIFlagStaticMember)
!6 = !DIDerivedType(tag: DW_TAG_member, name: "head", baseType: !1, size: 32, flags: DIFlagPublic)
!7 = !DIDerivedType(tag: DW_TAG_member, name: "rest", baseType: !1, offset: 32)
!8 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "Base", size: 8, elements: !9)
!9 = !{}
"#;
    let module = norn_llvm::read(text).unwrap();
    let shape = norn_llvm::debug::shape(&module, norn_llvm::MetadataId(2));
    let norn_llvm::debug::Shape::Record { members, .. } = shape else { panic!("{shape:?}") };
    let names: Vec<&str> = members.iter().map(|member| member.name.as_str()).collect();
    assert_eq!(names, ["", "head", "rest"]);
}
