//! The numbers of one run, as `norn-bench count --json` prints them and records keep them.

use crate::Counted;
use serde::{Deserialize, Serialize};
use std::fmt;

/// One run of one program, in a process of its own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Measurement {
    /// Complete executions.
    pub executions: u64,
    /// Those among them that are beyond the bound.
    pub beyond_bound: u64,
    /// Executions that could not end.
    pub blocked: u64,
    /// Explorations that another execution continues.
    pub stale: u64,
    /// Events added in all.
    pub events: u64,
    /// Events of the largest graph.
    pub largest_graph: u64,
    /// Seconds until there was a program to run.
    pub load_seconds: f64,
    /// Seconds of the search.
    pub seconds: f64,
    /// Seconds that the workers of the search spent on a processor, together.
    pub cpu_seconds: f64,
    /// The largest resident set of the process.
    pub peak_kib: u64,
    /// Whether the search came to its end.
    pub complete: bool,
    /// What is wrong with the program or could not be run.
    pub complaints: Vec<String>,
}

/// Below this much processor time a rate says more about the clock than about the search.
const SHORTEST: f64 = 0.005;

impl Measurement {
    /// The numbers of a search in this process.
    pub fn of(counted: Counted) -> Measurement {
        let summary = counted.summary;
        Measurement {
            executions: summary.executions,
            beyond_bound: summary.figures.bound.unwrap_or_default().beyond,
            blocked: summary.blocked,
            stale: summary.figures.stale,
            events: summary.events,
            largest_graph: summary.largest_graph as u64,
            load_seconds: counted.load_seconds,
            seconds: counted.seconds,
            cpu_seconds: counted.cpu_seconds,
            peak_kib: peak_kib().unwrap_or(0),
            complete: summary.stopped.is_none(),
            complaints: counted.complaints,
        }
    }

    /// Executions per second on a processor, if the run was long enough to tell.
    pub fn rate(&self) -> Option<f64> {
        (self.cpu_seconds >= SHORTEST).then(|| self.executions as f64 / self.cpu_seconds)
    }

    /// Nanoseconds on a processor for each execution, if the run was long enough to tell.
    pub fn nanoseconds_each(&self) -> Option<f64> {
        self.rate().filter(|rate| *rate > 0.0).map(|rate| 1e9 / rate)
    }
}

impl fmt::Display for Measurement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} executions, {} blocked, {} stale, {} events, largest graph {}, {:.3} s, {} KiB",
            self.executions,
            self.blocked,
            self.stale,
            self.events,
            self.largest_graph,
            self.seconds,
            self.peak_kib
        )
    }
}

/// The largest resident set of this process so far.
fn peak_kib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_needs_some_time() {
        let long = Measurement { executions: 1000, cpu_seconds: 0.5, ..Measurement::default() };
        assert_eq!(long.rate(), Some(2000.0));
        assert_eq!(long.nanoseconds_each(), Some(500_000.0));
        let short = Measurement { cpu_seconds: 0.001, ..long };
        assert_eq!(short.rate(), None);
        assert_eq!(short.nanoseconds_each(), None);
    }
}
