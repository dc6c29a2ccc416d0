//! When to give up: see [`Limits`].

use clap::Args;
use norn::{parse_duration, parse_size};
use std::time::Duration;

/// When to give up, in the same words for every search.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Limits {
    /// Give up after this time from now on, such as 90s, 10m or 1h30m.
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    pub(crate) timeout: Option<Duration>,

    /// Give up after this many complete executions in all.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_executions: Option<u64>,

    /// Give up when this much memory is used, such as 512M or 2G; three quarters of what the machine or
    /// the container has unless it is given.
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) max_memory: Option<u64>,
}
