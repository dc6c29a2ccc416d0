//! Probes the search tree beside the search, for little of its time.

use crate::tally::Tally;
use norn_explore::Probe;
use std::time::{Duration, Instant};

/// A search that takes less than this is not worth an estimate.
const PATIENCE: Duration = Duration::from_millis(100);
/// The first estimate may take that long,
const FIRST: Duration = Duration::from_millis(20);
/// and then as much of each interval is used to make it better.
const SHARE: Duration = Duration::from_millis(1);
const INTERVAL: Duration = Duration::from_millis(50);

/// Makes an estimate, and makes it better.
pub(crate) struct Estimator<'e, 't, 'p, 'f> {
    probe: Probe<'e>,
    tally: &'t Tally<'p, 'f>,
    next: Instant,
    time: Duration,
}

impl<'e, 't, 'p, 'f> Estimator<'e, 't, 'p, 'f> {
    pub(crate) fn new(probe: Probe<'e>, tally: &'t Tally<'p, 'f>) -> Self {
        Estimator { probe, tally, next: Instant::now() + PATIENCE, time: FIRST }
    }

    /// Called while the search runs.
    pub(crate) fn tick(&mut self) {
        let start = Instant::now();
        if start < self.next {
            return;
        }
        while start.elapsed() < self.time && self.probe.is_useful() {
            self.probe.probe();
        }
        self.tally.estimate(self.probe.estimate());
        self.time = SHARE;
        self.next = Instant::now() + INTERVAL;
    }
}
