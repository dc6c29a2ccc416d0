//! The tasks that wait for a worker.
//!
//! Invariants: a task is in the queue or with one worker; `busy` workers have one. The search is over
//! when nobody is busy and the queue is empty. As many tasks are asked for as workers wait and find
//! nothing in the queue; a task may be gone again when the one who waited for it wakes. The task that comes first in the order of one worker
//! alone is taken first.

use super::Stop;
use super::position::Position;
use super::signals::{Call, Signals};
use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

/// What a search is split into, and where each part comes in the order of one worker alone.
pub(crate) type Placed<K> = (Position, K);

/// The queue.
pub struct Queue<K> {
    pub(crate) signals: Arc<Signals>,
    /// Whether what is left is wanted when everybody leaves.
    pub(crate) keeps: bool,
    state: Mutex<State<K>>,
    wake: Condvar,
    /// Told when nobody is busy.
    idle: Condvar,
}

struct State<K> {
    /// The number keeps tasks at the same position apart.
    tasks: BTreeMap<(Position, u64), K>,
    given: u64,
    busy: usize,
    waiting: usize,
    /// Whether somebody has taken a task since the last pause.
    begun: bool,
}

impl<K> Queue<K> {
    pub(crate) fn new(signals: Arc<Signals>, keeps: bool) -> Queue<K> {
        let state = State { tasks: BTreeMap::new(), given: 0, busy: 0, waiting: 0, begun: false };
        let state = Mutex::new(state);
        Queue { signals, keeps, state, wake: Condvar::new(), idle: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State<K>> {
        self.state.lock().expect("no worker panics while it holds the lock")
    }

    /// Takes a task for a worker that waits.
    pub(crate) fn give(&self, (position, task): Placed<K>) {
        let mut state = self.lock();
        let number = state.given;
        state.given += 1;
        state.tasks.insert((position, number), task);
        self.ask(&state);
        drop(state);
        self.wake.notify_one();
    }

    /// Asks the workers for tasks, if there are too few.
    fn ask(&self, state: &State<K>) {
        self.signals.set_asked(state.waiting.saturating_sub(state.tasks.len()));
    }

    /// A worker starts without having taken a task.
    pub(crate) fn begin(&self) -> Busy<'_, K> {
        let mut state = self.lock();
        state.busy += 1;
        state.begun = true;
        Busy(self)
    }

    /// After a pause: workers come back.
    pub(crate) fn starts(&self) {
        self.lock().begun = false;
    }

    /// The next task, when there is one; none when everybody is to leave or the search is over. A pause that comes before
    /// anybody has begun waits for one task to be taken up, so that a search that is called all the time comes forward.
    pub(crate) fn next(&self) -> Option<(Placed<K>, Busy<'_, K>)> {
        let mut state = self.lock();
        loop {
            match self.signals.leave() {
                None => {}
                Some(Call::Pause) if !state.begun => {}
                Some(_) => return None,
            }
            if let Some(((position, _), task)) = state.tasks.pop_first() {
                if self.signals.is_over(&position) {
                    continue;
                }
                state.busy += 1;
                state.begun = true;
                self.ask(&state);
                return Some(((position, task), Busy(self)));
            }
            if state.busy == 0 {
                self.wake.notify_all();
                return None;
            }
            state.waiting += 1;
            self.ask(&state);
            state = self.wake.wait(state).expect("no worker panics while it holds the lock");
            state.waiting -= 1;
            self.ask(&state);
        }
    }

    /// A worker has done its task, or has put what is left of it back.
    fn done(&self) {
        let mut state = self.lock();
        state.busy -= 1;
        if state.busy == 0 {
            self.wake.notify_all();
            self.idle.notify_all();
        }
    }

    /// Wakes those that wait, so that they see the signals.
    pub(crate) fn wake_all(&self) {
        drop(self.lock());
        self.wake.notify_all();
    }

    /// Waits until the search is over or everybody has left, but not longer than `time`; whether it is.
    pub(crate) fn wait_idle(&self, time: Duration) -> bool {
        let state = self.lock();
        let leaves = || self.signals.leave().is_some();
        let goes_on =
            |state: &mut State<K>| state.busy > 0 || !(state.tasks.is_empty() || leaves());
        let waited = self.idle.wait_timeout_while(state, time, goes_on);
        !waited.expect("no worker panics while it holds the lock").1.timed_out()
    }

    /// Whether no task waits.
    pub(crate) fn is_empty(&self) -> bool {
        self.lock().tasks.is_empty()
    }

    /// All tasks, in order.
    pub(crate) fn tasks<T>(&self, mut look: impl FnMut(&Position, &K) -> T) -> Vec<T> {
        self.lock().tasks.iter().map(|((position, _), task)| look(position, task)).collect()
    }
}

/// A worker that has a task, until it is dropped.
pub(crate) struct Busy<'q, K>(&'q Queue<K>);

impl<K> Drop for Busy<'_, K> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            // The others must not wait for what will never come; the panic goes on elsewhere.
            self.0.signals.stop(Stop::Interrupt);
        }
        self.0.done();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    /// Waits until so many tasks are asked for.
    fn until(queue: &Queue<u32>, asks: bool) {
        let end = Instant::now() + Duration::from_secs(20);
        while queue.signals.is_asked() != asks {
            assert!(Instant::now() < end, "asks: {}", !asks);
            std::thread::yield_now();
        }
    }

    #[test]
    fn a_pause_waits_for_one_task() {
        let queue = Queue::new(Arc::new(Signals::default()), true);
        for stage in 0..3 {
            (0..2).for_each(|task| queue.give((Position::default(), task)));
            queue.starts();
            queue.signals.pause();
            assert!(queue.next().is_some(), "stage {stage}: nobody comes forward");
            assert!(queue.next().is_none(), "stage {stage}: everybody is to leave");
            assert!(queue.signals.go_on());
        }
        queue.starts();
        queue.signals.stop(Stop::Interrupt);
        assert!(queue.next().is_none(), "a stop does not wait");
    }

    #[test]
    fn who_finds_the_task_gone_asks_again() {
        let queue = Queue::new(Arc::new(Signals::default()), false);
        let giver = queue.begin();
        std::thread::scope(|scope| {
            let waits = scope.spawn(|| queue.next().map(|((_, task), _)| task));
            for task in 0..200 {
                until(&queue, true);
                queue.give((Position::default(), task));
                // The one who gave it may be faster than the one who waits for it.
                let back = queue.lock().tasks.pop_first();
                if back.is_none() {
                    assert_eq!(waits.join().expect("no panic"), Some(task));
                    break;
                }
            }
            drop(giver);
        });
        until(&queue, false);
    }
}
