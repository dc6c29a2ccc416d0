//! `norn replay`: see [`Replay`].

use super::output::Output;
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;

/// Runs the program into the violation that `norn check --trace` has written, and shows it. Nothing is searched.
/// The program must be the same; a changed one, or a file of another version of norn, is refused.
#[derive(Debug, Args)]
#[command(after_help = "Exit codes: 1 the violation, 2 bad usage or input.")]
pub(crate) struct Replay {
    /// The file that `norn check --trace` has written.
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    output: Output,
}

impl Replay {
    pub(crate) fn run(self) -> ExitCode {
        self.output.of(std::slice::from_ref(&self.file), |control, progress| {
            norn::replay(&self.file, super::clang(), control, progress)
        })
    }
}
