//! What the workers of one search tell each other without stopping: who waits for work, that
//! everybody is to leave, where the first violation is, how many executions there are.
//!
//! A worker looks at one number between two steps ([`Signals::call`]), and only if that is not zero at
//! anything else.

use super::Stop;
use super::position::Position;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::Instant;

/// Set in `attention` while everybody is to leave; the other bits count the tasks that are wanted.
const LEAVE: u32 = 1 << 31;

/// The signals. A search by one worker has its own.
#[derive(Debug, Default)]
pub(crate) struct Signals {
    attention: AtomicU32,
    /// Complete executions, counted here only when there is a limit.
    executions: AtomicU64,
    /// Whether some violation bounds what is still to be searched.
    bounded: AtomicBool,
    orders: Mutex<Orders>,
}

#[derive(Debug, Default)]
struct Orders {
    stopped: Option<Stop>,
    paused: bool,
    /// The first violation so far.
    first: Option<Position>,
    /// Since when there is one.
    violated: Option<Instant>,
}

/// Why a worker is to leave its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    /// For good.
    Stop(Stop),
    /// To come back later.
    Pause,
}

impl Signals {
    fn orders(&self) -> MutexGuard<'_, Orders> {
        self.orders.lock().expect("no worker panics while it holds the lock")
    }

    /// Whether there is anything to look at.
    #[inline]
    pub(crate) fn call(&self) -> bool {
        self.attention.load(Ordering::Relaxed) != 0
    }

    /// Whether everybody is to leave, and why.
    pub(crate) fn leave(&self) -> Option<Call> {
        if self.attention.load(Ordering::Relaxed) & LEAVE == 0 {
            return None;
        }
        let orders = self.orders();
        orders.stopped.map(Call::Stop).or(orders.paused.then_some(Call::Pause))
    }

    /// Whether a worker waits for a task.
    #[inline]
    pub(crate) fn is_asked(&self) -> bool {
        self.attention.load(Ordering::Relaxed) & !LEAVE != 0
    }

    /// That many tasks are wanted: so many workers wait, and there is nothing for them.
    pub(crate) fn set_asked(&self, count: usize) {
        let count = (count as u32).min(!LEAVE);
        let change = |n: u32| Some(n & LEAVE | count);
        let _ = self.attention.fetch_update(Ordering::Relaxed, Ordering::Relaxed, change);
    }

    /// Ends the search for everybody.
    pub(crate) fn stop(&self, why: Stop) {
        self.orders().stopped.get_or_insert(why);
        self.attention.fetch_or(LEAVE, Ordering::Relaxed);
    }

    /// Asks everybody to leave for a while.
    pub(crate) fn pause(&self) {
        self.orders().paused = true;
        self.attention.fetch_or(LEAVE, Ordering::Relaxed);
    }

    /// After a pause: true if the search goes on.
    pub(crate) fn go_on(&self) -> bool {
        let mut orders = self.orders();
        orders.paused = false;
        if orders.stopped.is_none() {
            self.attention.fetch_and(!LEAVE, Ordering::Relaxed);
        }
        orders.stopped.is_none()
    }

    /// Why the search has ended, if something ended it.
    pub(crate) fn stopped(&self) -> Option<Stop> {
        self.orders().stopped
    }

    /// Records a violation at `position`.
    pub(crate) fn violation(&self, position: &Position) {
        let mut orders = self.orders();
        orders.violated.get_or_insert_with(Instant::now);
        if orders.first.as_ref().is_none_or(|first| position < first) {
            orders.first = Some(position.clone());
        }
        self.bounded.store(true, Ordering::Relaxed);
    }

    /// Since when some violation is known.
    pub(crate) fn violated(&self) -> Option<Instant> {
        self.orders().violated
    }

    /// Whether what comes at `position` need not be searched any more.
    #[inline]
    pub(crate) fn is_over(&self, position: &Position) -> bool {
        self.bounded.load(Ordering::Relaxed)
            && self.orders().first.as_ref().is_some_and(|first| position > first)
    }

    /// Counts an execution: whether it is within the limit, and whether the limit is reached.
    pub(crate) fn count(&self, limit: u64) -> (bool, bool) {
        let before = self.executions.fetch_add(1, Ordering::Relaxed);
        (before < limit, before + 1 >= limit)
    }

    /// So many executions were counted by a search that this one goes on from.
    pub(crate) fn counted_before(&self, executions: u64) {
        self.executions.store(executions, Ordering::Relaxed);
    }
}
