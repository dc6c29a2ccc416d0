//! `norn merge`: see [`Merge`].

use super::terminal::print;
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;

/// Puts all parts of a checkpoint together: what was counted is added up, and of several violations the one is kept
/// that a search in one piece would have found first. `norn resume` then goes on with what is left, or says what was
/// found.
#[derive(Debug, Args)]
pub(crate) struct Merge {
    /// All parts that `norn split` has written, after `norn resume` went on with them or not; in any order.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The checkpoint to write.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

impl Merge {
    pub(crate) fn run(self) -> ExitCode {
        match norn::merge(&self.files, &self.output) {
            Ok((tasks, executions)) => {
                let file = self.output.display();
                let left = if tasks == 0 { "nothing".to_owned() } else { format!("{tasks} tasks") };
                print(&format!(
                    "{file}: {executions} executions, {left} left; `norn resume {file}` goes on\n"
                ));
                ExitCode::SUCCESS
            }
            Err(error) => super::bad_input(&error),
        }
    }
}
