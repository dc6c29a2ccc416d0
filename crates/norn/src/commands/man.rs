//! `norn man`: see [`Man`].

use super::Cli;
use super::terminal::print;
use clap::{Args, CommandFactory};
use std::process::ExitCode;

/// Print the manual page of the command, or of one of its subcommands.
#[derive(Debug, Args)]
pub(crate) struct Man {
    /// The subcommand; the whole command if it is left out.
    subcommand: Option<String>,
}

impl Man {
    pub(crate) fn run(self) -> ExitCode {
        let mut command = Cli::command();
        command.build();
        let page = match &self.subcommand {
            None => Some(command),
            Some(name) => command.find_subcommand(name).cloned(),
        };
        let Some(page) = page else {
            eprintln!("error: there is no such subcommand; see norn --help");
            return ExitCode::from(super::BAD_INPUT);
        };
        let mut text = Vec::new();
        if let Err(error) = clap_mangen::Man::new(page).render(&mut text) {
            eprintln!("error: {error}");
            return ExitCode::from(super::BAD_INPUT);
        }
        print(&String::from_utf8_lossy(&text));
        ExitCode::SUCCESS
    }
}
