//! `norn worker`: see [`Worker`].

use clap::Args;
use norn::{Control, WorkOptions, parse_duration, parse_size};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Joins the search that `norn check --board DIR` coordinates, and leaves when it is over. It may be started before the
/// check, killed, and started again. It needs neither the source files nor a compiler, but the same version of norn.
#[derive(Debug, Args)]
pub(crate) struct Worker {
    /// The directory, as this machine sees it.
    #[arg(value_name = "DIR")]
    directory: PathBuf,

    /// Number of threads; as many as there are cores unless it is given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,

    /// Leave if no search is there for so long, such as 90s or 10m; otherwise it waits for one.
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    wait: Option<Duration>,

    /// Leave when this much memory is used, such as 512M or 2G; three quarters of what the machine or the container
    /// has unless it is given.
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    max_memory: Option<u64>,

    /// Say nothing at the end.
    #[arg(long, short)]
    quiet: bool,
}

impl Worker {
    pub(crate) fn run(self) -> ExitCode {
        let control = Control::default();
        super::terminal::stop_on_signals(&control);
        let jobs = self.jobs.map_or(0, usize::from);
        let options = WorkOptions { jobs, wait: self.wait, max_memory: self.max_memory };
        match norn::work(&self.directory, &options, &control) {
            Ok(worked) => {
                if !self.quiet {
                    eprintln!("{} bundles, {} executions", worked.bundles, worked.executions);
                }
                ExitCode::SUCCESS
            }
            Err(error) => super::bad_input(&error),
        }
    }
}
