//! What of that which a thread does is an effect, so that an iteration that did it may not be left out (see [`crate::spin`]).

use crate::thread::{LoopState, NO_LOOP, Thread};

impl Thread {
    /// A private write changed a value that was there. Objects that are younger than the iteration under way do not
    /// count: the next one has others, and cannot tell. (That one on the heap was allocated counts, until it is freed.)
    #[inline]
    pub(crate) fn count_write(&mut self, on_stack: bool, object: u64) {
        if !self.is_young(on_stack, object) {
            self.effects += 1;
        }
    }

    /// A heap object that nobody else knows is freed. If it was allocated by the same iteration, that it ever was is no
    /// effect any more.
    pub(crate) fn count_free(&mut self, object: u64) {
        match self.is_young(false, object) {
            true => self.effects -= 1,
            false => self.effects += 1,
        }
    }

    /// The youngest heap object is as if it had been there before all iterations under way.
    pub(crate) fn outlives_iterations(&mut self) {
        let now = self.memory.marks();
        self.loops.iter_mut().for_each(|state| state.marks.heap = now.heap);
    }

    /// Whether an object is younger than the iteration under way.
    #[inline]
    fn is_young(&self, on_stack: bool, object: u64) -> bool {
        self.loops.last().is_some_and(|LoopState { marks, .. }| {
            object >= if on_stack { marks.stack } else { marks.heap }
        })
    }

    /// A visible read is about to happen.
    pub(crate) fn count_read(&mut self) {
        self.reads += 1;
        self.quiet = NO_LOOP;
    }

    /// A wait with a mutex ended without a signal: all that it did is as if nothing had happened since there
    /// were `effects`, and the mutex (its address, and its effects when it was taken) had never been given
    /// up.
    pub(crate) fn woke_up(&mut self, effects: u64, mutex: (u64, (u64, u64)), for_no_reason: bool) {
        self.effects = effects;
        if let Some(held) = self.held.iter_mut().find(|held| held.address == mutex.0) {
            held.effects = mutex.1;
        }
        if for_no_reason {
            for state in &mut self.loops {
                state.woken = true;
                state.wakeups += 1;
            }
        }
    }

    /// An attempt fails for no reason, which it need not.
    pub(crate) fn failed(&mut self) {
        self.effects += 1;
        self.loops.iter_mut().for_each(|state| state.failures += 1);
    }
}
