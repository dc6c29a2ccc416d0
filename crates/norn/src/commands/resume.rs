//! `norn resume`: see [`Resume`].

use super::limits::Limits;
use super::output::Output;
use clap::Args;
use norn::{ResumeOptions, parse_duration};
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

    #[command(flatten)]
    limits: Limits,

    #[command(flatten)]
    output: Output,
}

impl Resume {
    pub(crate) fn run(self) -> ExitCode {
        let options = ResumeOptions {
            jobs: self.jobs.map_or(0, usize::from),
            checkpoint: self.checkpoint.clone(),
            checkpoint_interval: self.checkpoint_interval,
            timeout: self.limits.timeout,
            max_executions: self.limits.max_executions,
            max_memory: self.limits.max_memory,
        };
        self.output.of(
            std::slice::from_ref(&self.file),
            self.checkpoint.iter(),
            |control, progress| norn::resume(&self.file, &options, control, progress),
        )
    }
}
