//! Reads the same IR with our reader and with LLVM's library and shows where they differ.
//!
//! Usage: `llvm-compare FILE...`. A `.ll` file is read as it is; a `.c` or `.cpp` file is compiled
//! at three levels by `$CLANG` (`clang-19` by default; its version must be that of the library).
//! Exits with 1 if anything differs or cannot be read.

mod facts;
mod llvm;
mod ours;

use std::ffi::CString;
use std::path::Path;
use std::process::{Command, ExitCode};

/// What was compared.
#[derive(Default)]
struct Total {
    modules: usize,
    functions: usize,
    instructions: usize,
    facts: usize,
    differences: usize,
}

fn main() -> ExitCode {
    let mut total = Total::default();
    for file in std::env::args().skip(1) {
        let path = Path::new(&file);
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
        if extension == "ll" {
            let text = std::fs::read(path).map_err(|error| error.to_string());
            compare(&file, text, &mut total);
            continue;
        }
        for level in ["-O0", "-O1", "-O2"] {
            compare(&format!("{file} {level}"), compile(path, extension, level), &mut total);
        }
    }
    println!(
        "{} modules, {} functions, {} instructions, {} facts: {} differences",
        total.modules, total.functions, total.instructions, total.facts, total.differences
    );
    ExitCode::from(u8::from(total.differences > 0 || total.modules == 0))
}

fn compile(path: &Path, extension: &str, level: &str) -> Result<Vec<u8>, String> {
    let compiler = std::env::var("CLANG").unwrap_or_else(|_| "clang-19".into());
    let mut command = Command::new(&compiler);
    command.args(["-g", "-w", "-S", "-emit-llvm", "-o", "-", level]);
    if extension == "cpp" {
        command.arg("-std=c++17");
    }
    let output = command.arg(path).output().map_err(|error| format!("{compiler}: {error}"))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    Err(String::from_utf8_lossy(&output.stderr).into_owned())
}

fn compare(name: &str, text: Result<Vec<u8>, String>, total: &mut Total) {
    let found = match text.and_then(|text| both(name, &text)) {
        Ok((ours, llvm)) => {
            total.modules += 1;
            total.functions += llvm.functions.len();
            total.instructions += llvm.instructions();
            total.facts += llvm.facts();
            facts::differences(&ours, &llvm)
        }
        Err(message) => vec![message],
    };
    for difference in &found {
        println!("{name}: {difference}");
    }
    total.differences += found.len();
}

fn both(name: &str, text: &[u8]) -> Result<(facts::Module, facts::Module), String> {
    let c_name = CString::new(name).map_err(|error| error.to_string())?;
    let llvm = llvm::describe(text, &c_name).map_err(|error| format!("LLVM: {error}"))?;
    let module = norn_llvm::read(text).map_err(|error| error.to_string())?;
    Ok((ours::describe(&module), llvm))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
%pair = type { i8, i32 }
@g = internal global [2 x i16] [i16 1, i16 2], align 4
define i32 @f(ptr %p, i32 %x) !dbg !4 {
  %old = atomicrmw add ptr %p, i32 -7 acq_rel, align 4, !dbg !5
  %cas = cmpxchg ptr %p, i32 0, i32 1 seq_cst monotonic, align 4
  %y = load atomic i32, ptr %p acquire, align 4
  store atomic i32 %y, ptr %p release, align 4
  fence syncscope("singlethread") seq_cst
  %d = alloca %pair, align 8
  store double 1.5, ptr %d, align 8
  switch i32 %x, label %one [
    i32 5, label %two
  ]
one:
  %s = sub nsw i32 %old, %y
  ret i32 %s
two:
  ret i32 0
}
!llvm.dbg.cu = !{!1}
!llvm.module.flags = !{!3}
!1 = distinct !DICompileUnit(language: DW_LANG_C99, file: !2, emissionKind: FullDebug)
!2 = !DIFile(filename: "a.c", directory: "/d")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "f", file: !2, line: 3, type: !6, spFlags: DISPFlagDefinition, unit: !1)
!5 = !DILocation(line: 12, column: 4, scope: !4)
!6 = !DISubroutineType(types: !7)
!7 = !{null}
"#;

    /// What differs if LLVM reads `TEXT` and our reader reads it with one word replaced.
    fn differences(from: &str, to: &str) -> Vec<String> {
        assert!(from.is_empty() || TEXT.contains(from), "{from}");
        let changed = if from.is_empty() { TEXT.to_owned() } else { TEXT.replacen(from, to, 1) };
        let llvm = llvm::describe(TEXT.as_bytes(), c"test").expect("LLVM reads it");
        let module = norn_llvm::read(changed).expect("our reader reads it");
        facts::differences(&ours::describe(&module), &llvm)
    }

    #[test]
    fn the_same_text_has_no_differences() {
        assert_eq!(differences("", ""), Vec::<String>::new());
    }

    #[test]
    fn each_change_is_seen() {
        let changes = [
            ("acq_rel", "acquire"),
            ("seq_cst monotonic", "acquire monotonic"),
            ("seq_cst monotonic", "seq_cst acquire"),
            ("ptr %p acquire", "ptr %p seq_cst"),
            ("ptr %p release", "ptr %p monotonic"),
            ("fence syncscope(\"singlethread\") seq_cst", "fence seq_cst"),
            ("\"singlethread\") seq_cst", "\"singlethread\") acq_rel"),
            ("atomicrmw add", "atomicrmw sub"),
            ("i32 -7", "i32 -8"),
            ("double 1.5", "double 1.25"),
            ("i32 5,", "i32 6,"),
            ("%two\n  ]", "%one\n  ]"),
            ("{ i8, i32 }", "{ i8, i64 }"),
            ("internal", "weak"),
            ("i16 2]", "i16 3]"),
            ("sub nsw", "sub"),
            ("%old, %y", "%y, %old"),
            ("line: 12", "line: 13"),
            ("line: 3", "line: 4"),
        ];
        for (from, to) in changes {
            assert!(!differences(from, to).is_empty(), "{from} -> {to}");
        }
    }
}
