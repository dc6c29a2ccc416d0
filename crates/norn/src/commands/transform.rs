//! `norn transform`: see [`Transform`].

use super::output::Format;
use super::terminal::{ColorChoice, print};
use clap::Args;
use norn::CheckOptions;
use std::path::PathBuf;
use std::process::ExitCode;

/// Show what is recognised of the loops of a program, without checking it: when an iteration repeats without
/// effect, whether a thread then waits (await) or its execution ends (assume), or why neither; and whether threads that
/// are started alike count once.
#[derive(Debug, Args)]
#[command(
    after_help = "How to read it: docs/loops.md. Exit codes: 0, or 2 for bad usage or input."
)]
pub(crate) struct Transform {
    /// C, C++ or LLVM IR files that make one program.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The function to start with; what it does not reach is dropped.
    #[arg(long, value_name = "FUNCTION")]
    entry: Option<String>,

    /// The form of the output; `json` is described by docs/transform.schema.json.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Text)]
    format: Format,

    /// When to use colour.
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = ColorChoice::Auto)]
    color: ColorChoice,

    /// Flags for the compiler, after `--`.
    #[arg(last = true, value_name = "CFLAGS")]
    cflags: Vec<String>,
}

impl Transform {
    pub(crate) fn run(self) -> ExitCode {
        let options = CheckOptions {
            files: self.files,
            cflags: self.cflags,
            entry: self.entry,
            clang: super::clang(),
            ..CheckOptions::default()
        };
        let (transformed, remarks) = match norn::transform(&options) {
            Ok(found) => found,
            Err(error) => return super::bad_input(&error),
        };
        for remark in remarks {
            eprintln!("warning: {remark}");
        }
        match self.format {
            Format::Json => print(&format!("{}\n", transformed.to_json())),
            Format::Text => {
                let (width, color) = (super::terminal::width(), self.color.for_stdout());
                print(&transformed.render(width, color));
            }
        }
        ExitCode::SUCCESS
    }
}
