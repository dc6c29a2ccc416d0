//! `norn disasm`: see [`Disasm`].

use super::terminal::print;
use clap::Args;
use norn::CheckOptions;
use std::path::PathBuf;
use std::process::ExitCode;

/// Print the bytecode of a program.
#[derive(Debug, Args)]
pub(crate) struct Disasm {
    /// C, C++ or LLVM IR files that make one program.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Flags for the compiler, after `--`.
    #[arg(last = true, value_name = "CFLAGS")]
    cflags: Vec<String>,
}

impl Disasm {
    pub(crate) fn run(self) -> ExitCode {
        let options = CheckOptions {
            files: self.files,
            cflags: self.cflags,
            clang: super::clang(),
            ..CheckOptions::default()
        };
        match norn::load(&options) {
            Ok((program, remarks)) => {
                for remark in remarks {
                    eprintln!("warning: {}", remark.message);
                }
                print(&program.to_string());
                ExitCode::SUCCESS
            }
            Err(error) => super::bad_input(&error),
        }
    }
}
