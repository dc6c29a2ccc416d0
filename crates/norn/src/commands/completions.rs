//! `norn completions`: see [`Completions`].

use super::Cli;
use super::terminal::print;
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use std::process::ExitCode;

/// Print a completion script for a shell.
#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(self) -> ExitCode {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "norn", &mut script);
        print(&String::from_utf8_lossy(&script));
        ExitCode::SUCCESS
    }
}
