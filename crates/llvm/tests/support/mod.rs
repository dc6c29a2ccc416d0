//! Compiling the corpus and checking what was read.

use norn_llvm::{Module, Op, Operand, SymbolKind};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The corpus of C and C++ files.
pub fn corpus() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/reader");
    let entries = std::fs::read_dir(&directory).expect("the corpus exists");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("readable").path()).collect();
    files.sort();
    assert!(files.len() >= 25, "the corpus is complete");
    files
}

/// The versions of clang that are installed, of those the reader is written for.
pub fn compilers() -> Vec<String> {
    let versions = ["clang-14", "clang-16", "clang-19", "clang-22"];
    let installed = |name: &&&str| {
        Command::new(name).arg("--version").output().is_ok_and(|out| out.status.success())
    };
    let found: Vec<_> = versions.iter().filter(installed).map(|s| s.to_string()).collect();
    assert!(!found.is_empty(), "none of {versions:?} is installed");
    found
}

/// Compiles a file to IR text.
pub fn compile(compiler: &str, level: &str, file: &Path) -> Vec<u8> {
    let mut command = Command::new(compiler);
    command.args(["-g", "-w", "-S", "-emit-llvm", "-o", "-", level]);
    if file.extension().is_some_and(|e| e == "cpp") {
        command.arg("-std=c++17");
    }
    let output = command.arg(file).output().expect("clang runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{compiler} {level} {}: {errors}", file.display());
    output.stdout
}

/// The invariants that the reader promises of every module.
pub fn check(module: &Module) {
    for symbol in &module.symbols {
        let (index, len) = match symbol.kind {
            SymbolKind::Global(i) => (i, module.globals.len()),
            SymbolKind::Function(i) => (i, module.functions.len()),
            SymbolKind::Alias(i) => (i, module.aliases.len()),
            SymbolKind::Ifunc(i) => (i, module.ifuncs.len()),
        };
        assert!((index as usize) < len);
    }
    for function in &module.functions {
        let Some(body) = &function.body else { continue };
        assert_eq!(body.order.len(), body.blocks.len());
        let mut defined = vec![0; body.locals.len()];
        defined[..function.params.len()].fill(1);
        for block in &body.blocks {
            let (last, rest) = block.instructions.split_last().expect("no block is empty");
            assert!(last.op.is_terminator());
            assert!(rest.iter().all(|i| !i.op.is_terminator()));
            for instruction in &block.instructions {
                if let Some(result) = instruction.result {
                    defined[result.0 as usize] += 1;
                }
                if let Op::Phi { ty, incoming } = &instruction.op {
                    for &(value, block) in incoming.iter() {
                        assert_eq!(module.operand_type(body, value), *ty);
                        assert!((block.0 as usize) < body.blocks.len());
                    }
                }
                if let Op::Store { value: Operand::Const(id), .. } = instruction.op {
                    assert!(module.layout.of(module.constant(id).ty).is_some());
                }
            }
        }
        assert!(defined.iter().all(|&count| count == 1), "each local is defined once");
    }
}
