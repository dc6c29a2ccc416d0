//! `norn resume`: see [`Resume`].

use super::output::Output;
use clap::Args;
use norn::{ResumeOptions, parse_duration, parse_size};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Goes on where the check was when it was saved, with the same model, algorithm and flags. The
/// program must be the same; a changed one, or a file of another version of norn, is refused. The search
/// is saved in the same file again.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 verified, 1 violation, 2 bad usage or input, 3 inconclusive."
)]
pub(crate) struct Resume {
    /// The file that `norn check --checkpoint` has written.
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Number of workers; as many as there are cores unless it is given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,

    /// Save the search in this file from now on.
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,

    /// How often to save it, such as 10s or 5m; as before unless it is given.
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    checkpoint_interval: Option<Duration>,

    /// Give up after this time from now on, such as 90s, 10m or 1h30m.
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    timeout: Option<Duration>,

    /// Give up after this many complete executions in all.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_executions: Option<u64>,

    /// Give up when this much memory is used, such as 512M or 2G; three quarters of what the machine or
    /// the container has unless it is given.
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    max_memory: Option<u64>,

    #[command(flatten)]
    output: Output,
}

impl Resume {
    pub(crate) fn run(self) -> ExitCode {
        let options = ResumeOptions {
            jobs: self.jobs.map_or(0, usize::from),
            checkpoint: self.checkpoint,
            checkpoint_interval: self.checkpoint_interval,
            timeout: self.timeout,
            max_executions: self.max_executions,
            max_memory: self.max_memory,
        };
        self.output.of(|control, progress| norn::resume(&self.file, &options, control, progress))
    }
}
