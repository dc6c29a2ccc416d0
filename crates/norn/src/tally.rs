//! Progress of several workers, added up.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Called now and then with the numbers of complete and blocked executions.
pub type Progress<'p> = dyn FnMut(u64, u64) + Send + 'p;

/// The sum of what the workers report.
pub(crate) struct Tally<'p, 'f> {
    executions: AtomicU64,
    blocked: AtomicU64,
    listener: Mutex<&'p mut Progress<'f>>,
}

impl<'p, 'f> Tally<'p, 'f> {
    pub(crate) fn new(listener: &'p mut Progress<'f>) -> Self {
        let listener = Mutex::new(listener);
        Tally { executions: AtomicU64::new(0), blocked: AtomicU64::new(0), listener }
    }

    /// The share of one worker.
    pub(crate) fn share(&self) -> Share<'_, 'p, 'f> {
        Share { tally: self, last: (0, 0) }
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
        let add = |sum: &AtomicU64, more: u64| sum.fetch_add(more, Ordering::Relaxed) + more;
        let executions_now = add(&self.tally.executions, executions - self.last.0);
        let blocked_now = add(&self.tally.blocked, blocked - self.last.1);
        self.last = (executions, blocked);
        // Whoever finds the listener busy leaves it to the other worker: the numbers are the same.
        if let Ok(mut listener) = self.tally.listener.try_lock() {
            listener(executions_now, blocked_now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up() {
        let mut seen = Vec::new();
        let mut listener = |executions, blocked| seen.push((executions, blocked));
        let tally = Tally::new(&mut listener);
        let (mut one, mut two) = (tally.share(), tally.share());
        one.report(3, 1);
        two.report(4, 0);
        one.report(5, 2);
        assert_eq!(seen, [(3, 1), (7, 1), (9, 2)]);
    }
}
