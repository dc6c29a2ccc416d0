//! `norn split`: see [`Split`].

use super::terminal::print;
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;

/// Splits a checkpoint into parts, which are checkpoints themselves: `norn resume` goes on with each, on any machine
/// that has the program, and `norn merge` puts all of them together. Parts are never equally large; give each a
/// `--timeout`, merge, and split again.
#[derive(Debug, Args)]
pub(crate) struct Split {
    /// The file that `norn check --checkpoint` has written.
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The number of parts: they are FILE.1, FILE.2 and so on.
    #[arg(short, long = "parts", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    number: u32,

    /// Where to put the parts; beside the file unless it is given.
    #[arg(long, value_name = "DIR")]
    directory: Option<PathBuf>,
}

impl Split {
    pub(crate) fn run(self) -> ExitCode {
        match norn::split(&self.file, self.number, self.directory.as_deref()) {
            Ok(files) => {
                let names = files.iter().map(|file| format!("{}\n", file.display()));
                print(&names.collect::<String>());
                ExitCode::SUCCESS
            }
            Err(error) => super::bad_input(&error),
        }
    }
}
