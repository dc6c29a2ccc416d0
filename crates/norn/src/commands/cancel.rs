//! `norn cancel`: see [`Cancel`].

use super::terminal::print;
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;

/// Ends the search in a directory and removes what norn wrote there. A check that coordinates it reports what was found
/// so far; workers leave.
#[derive(Debug, Args)]
pub(crate) struct Cancel {
    /// The directory that `norn check --board` was given.
    #[arg(value_name = "DIR")]
    directory: PathBuf,
}

impl Cancel {
    pub(crate) fn run(self) -> ExitCode {
        match norn::cancel(&self.directory) {
            Ok(true) => ExitCode::SUCCESS,
            Ok(false) => {
                print(&format!("there is no search in {}\n", self.directory.display()));
                ExitCode::SUCCESS
            }
            Err(error) => super::bad_input(&error),
        }
    }
}
