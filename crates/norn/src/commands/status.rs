//! `norn status`: see [`Status`].

use super::terminal::print;
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;

/// Shows how far the search in a directory is, and who works on it.
#[derive(Debug, Args)]
pub(crate) struct Status {
    /// The directory that `norn check --board` was given.
    #[arg(value_name = "DIR")]
    directory: PathBuf,
}

impl Status {
    pub(crate) fn run(self) -> ExitCode {
        match norn::status(&self.directory) {
            Ok(Some(text)) => {
                print(&text);
                ExitCode::SUCCESS
            }
            Ok(None) => {
                print(&format!("there is no search in {}\n", self.directory.display()));
                ExitCode::SUCCESS
            }
            Err(error) => super::bad_input(&error),
        }
    }
}
