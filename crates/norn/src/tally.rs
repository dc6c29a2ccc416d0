//! Progress of several workers, added up, and how much there may be in all.

use norn_explore::Estimate;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// How far a search is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Progress {
    /// Complete executions so far.
    pub executions: u64,
    /// Those that could not end.
    pub blocked: u64,
    /// How many executions there are in all, about.
    pub estimate: Option<Estimate>,
}

impl Progress {
    /// The fraction that is done, at most 1: the least and the greatest that are likely. None as long
    /// as nothing useful can be said.
    pub fn fraction(&self) -> Option<(f64, f64)> {
        let Estimate { executions, error, .. } = self.estimate.filter(|all| !all.at_most)?;
        let done = self.executions as f64;
        let least = (executions - error).max(done);
        (executions > 0.0).then(|| ((done / (executions + error)).min(1.0), done / least.max(1.0)))
    }
}

/// Called now and then.
pub type Listener<'p> = dyn FnMut(&Progress) + Send + 'p;

/// The sum of what the workers report.
pub(crate) struct Tally<'p, 'f> {
    executions: AtomicU64,
    blocked: AtomicU64,
    estimate: Mutex<Option<Estimate>>,
    listener: Mutex<&'p mut Listener<'f>>,
}

impl<'p, 'f> Tally<'p, 'f> {
    pub(crate) fn new(listener: &'p mut Listener<'f>) -> Self {
        Tally {
            executions: AtomicU64::new(0),
            blocked: AtomicU64::new(0),
            estimate: Mutex::default(),
            listener: Mutex::new(listener),
        }
    }

    /// The share of one worker.
    pub(crate) fn share(&self) -> Share<'_, 'p, 'f> {
        Share { tally: self, last: (0, 0) }
    }

    /// So many executions were counted by a search that this one goes on from.
    pub(crate) fn start_from(&self, executions: u64) {
        self.executions.store(executions, Ordering::Relaxed);
    }

    /// Nothing of what was counted so far counts.
    pub(crate) fn start_over(&self) {
        self.start_from(0);
        self.blocked.store(0, Ordering::Relaxed);
        self.estimate(None);
    }

    /// There is a new estimate.
    pub(crate) fn estimate(&self, estimate: Option<Estimate>) {
        *self.estimate.lock().expect("nobody panics with the lock") = estimate;
    }

    /// How far the search is.
    pub(crate) fn now(&self) -> Progress {
        Progress {
            executions: self.executions.load(Ordering::Relaxed),
            blocked: self.blocked.load(Ordering::Relaxed),
            estimate: *self.estimate.lock().expect("nobody panics with the lock"),
        }
    }
}

/// What one worker has reported.
pub(crate) struct Share<'t, 'p, 'f> {
    tally: &'t Tally<'p, 'f>,
    last: (u64, u64),
}

impl Share<'_, '_, '_> {
    /// Takes the worker's own numbers so far.
    pub(crate) fn report(&mut self, executions: u64, blocked: u64) {
        self.tally.executions.fetch_add(executions - self.last.0, Ordering::Relaxed);
        self.tally.blocked.fetch_add(blocked - self.last.1, Ordering::Relaxed);
        self.last = (executions, blocked);
        // Whoever finds the listener busy leaves it to the other worker: the numbers are the same.
        if let Ok(mut listener) = self.tally.listener.try_lock() {
            listener(&self.tally.now());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up() {
        let mut seen = Vec::new();
        let mut listener = |now: &Progress| seen.push((now.executions, now.blocked));
        let tally = Tally::new(&mut listener);
        let (mut one, mut two) = (tally.share(), tally.share());
        one.report(3, 1);
        two.report(4, 0);
        one.report(5, 2);
        assert_eq!(seen, [(3, 1), (7, 1), (9, 2)]);
    }

    #[test]
    fn a_fraction_has_two_ends_and_is_never_more_than_all() {
        let all = Estimate { executions: 100.0, error: 20.0, at_most: false };
        let at = |executions| {
            Progress { executions, estimate: Some(all), ..Progress::default() }.fraction()
        };
        assert_eq!(at(40), Some((40.0 / 120.0, 0.5)));
        assert_eq!(at(90), Some((0.75, 1.0)));
        assert_eq!(at(150), Some((1.0, 1.0)));
        let estimate = Some(Estimate { at_most: true, ..all });
        let at_most = Progress { executions: 5, estimate, ..Progress::default() };
        assert_eq!(at_most.fraction(), None);
    }
}
