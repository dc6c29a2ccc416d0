//! Probes the search tree beside the search, for little of its time.

use crate::tally::Tally;
use norn_action::Machine;
use norn_explore::{Probe, Prune, Trust};
use norn_models::Model;
use std::time::{Duration, Instant};

/// A search that takes less than this is not worth an estimate.
const PATIENCE: Duration = Duration::from_millis(100);
/// The first estimate may take that long,
const FIRST: Duration = Duration::from_millis(20);
/// and then as much of each interval is used to make it better.
const SHARE: Duration = Duration::from_millis(1);
const INTERVAL: Duration = Duration::from_millis(50);

/// Makes an estimate, and makes it better.
pub(crate) struct Estimator<'m, 't, 'p, 'f, M: Machine, Mo: Model, P: Prune> {
    probe: Probe<'m, M, Mo, P>,
    tally: &'t Tally<'p, 'f>,
    /// Whether the search visits less than the tree that is probed.
    at_most: bool,
    next: Instant,
    time: Duration,
}

impl<'m, 't, 'p, 'f, M: Machine, Mo: Model, P: Prune> Estimator<'m, 't, 'p, 'f, M, Mo, P> {
    pub(crate) fn new(
        search: Trust<'m, M, Mo, P>,
        tally: &'t Tally<'p, 'f>,
        at_most: bool,
    ) -> Self {
        let next = Instant::now() + PATIENCE;
        Estimator { probe: Probe::new(search, 1), tally, at_most, next, time: FIRST }
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
        self.tally.estimate(self.probe.estimate(), self.at_most);
        self.time = SHARE;
        self.next = Instant::now() + INTERVAL;
    }
}
