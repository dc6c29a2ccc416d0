//! States as copies of threads: nothing is ever run twice.
//!
//! A copy is immutable once it is made. Going on from it makes another one, in a slot that is used
//! again and again, so that the hot path does not allocate.

use super::{Answer, StateId, States, Step};
use crate::{Action, Address, Machine, ThreadId, Value};

/// A machine whose threads are plain values: cloning one and resuming both copies with the same answer
/// gives the same action twice.
pub trait Saving: Machine<Thread: Clone + Send + Sync> {
    /// The main thread, run up to its first visible action.
    fn start(&self) -> (Self::Thread, Action);

    /// The thread that `parent`, paused at [`Action::Spawn`], starts; run up to its first visible
    /// action.
    fn spawn(&self, parent: &Self::Thread, child: ThreadId) -> (Self::Thread, Action);

    /// Gives `thread` the answer to the action it is paused at and runs it up to its next one.
    fn resume(&self, thread: &mut Self::Thread, answer: Value) -> Action;

    /// Likewise after a read at `address`, where some bytes of the value were never written (bit `i` for
    /// byte `i`).
    fn resume_partly(
        &self,
        thread: &mut Self::Thread,
        answer: Value,
        undefined: u8,
        address: Address,
    ) -> Action {
        let _ = (undefined, address);
        self.resume(thread, answer)
    }

    /// Makes `threads`, clones that another worker made, share nothing with what they were cloned from:
    /// what two workers count or change side by side slows both down. A matter of speed alone.
    fn separate<'t>(&self, threads: impl Iterator<Item = &'t mut Self::Thread>)
    where
        Self::Thread: 't,
    {
        let _ = threads;
    }

    /// Gives `thread` an answer of either kind.
    #[inline]
    fn answer(&self, thread: &mut Self::Thread, answer: Answer) -> Action {
        match answer.undefined {
            0 => self.resume(thread, answer.value),
            undefined => self.resume_partly(thread, answer.value, undefined, answer.address),
        }
    }
}

/// The states of a [`Saving`] machine.
pub struct Saved<T> {
    threads: Vec<T>,
}

impl<T> Default for Saved<T> {
    fn default() -> Saved<T> {
        Saved { threads: Vec::new() }
    }
}

impl<T> Saved<T> {
    fn put(&mut self, into: StateId, thread: T) {
        match self.threads.get_mut(into as usize) {
            Some(slot) => *slot = thread,
            None => self.threads.push(thread),
        }
        debug_assert!((into as usize) < self.threads.len(), "names are given in order");
    }
}

impl<T: Clone> Saved<T> {
    /// A copy of `from` in the place of `into`.
    #[inline]
    fn copy(&mut self, from: StateId, into: StateId) -> &mut T {
        let (from, into) = (from as usize, into as usize);
        if into == self.threads.len() {
            let copy = self.threads[from].clone();
            self.threads.push(copy);
        } else if let Ok([slot, original]) = self.threads.get_disjoint_mut([into, from]) {
            slot.clone_from(original);
        } else {
            unreachable!("a name that is free is not a state");
        }
        &mut self.threads[into]
    }
}

impl<M> States<M> for Saved<M::Thread>
where
    M: Saving,
    M::Thread: Clone + Send + Sync,
{
    type Kept = M::Thread;

    fn start(&mut self, machine: &M, into: StateId) -> Action {
        let (thread, action) = machine.start();
        self.put(into, thread);
        action
    }

    fn spawn(&mut self, machine: &M, step: Step<'_>, child: ThreadId) -> Action {
        let (thread, action) = machine.spawn(&self.threads[step.from as usize], child);
        self.put(step.into, thread);
        action
    }

    #[inline]
    fn resume(&mut self, machine: &M, step: Step<'_>, answer: Answer) -> Action {
        machine.answer(self.copy(step.from, step.into), answer)
    }

    fn end(&mut self, step: Step<'_>) {
        self.copy(step.from, step.into);
    }

    #[inline]
    fn bring(&mut self, _: &M, _: &[StateId]) {}

    #[inline]
    fn thread<'s>(&'s self, _: &M, _: ThreadId, state: StateId) -> &'s M::Thread {
        &self.threads[state as usize]
    }

    fn export(&self, state: StateId, _: &dyn Fn(StateId) -> StateId) -> M::Thread {
        self.threads[state as usize].clone()
    }

    fn import(
        &mut self,
        machine: &M,
        mut kept: Vec<M::Thread>,
        names: &[StateId],
        _: &dyn Fn(StateId) -> StateId,
    ) {
        // Copied, so that no two workers write to memory that lies side by side.
        machine.separate(kept.iter_mut());
        for (thread, &into) in kept.iter().zip(names) {
            match self.threads.get_mut(into as usize) {
                Some(slot) => slot.clone_from(thread),
                None => self.threads.push(thread.clone()),
            }
        }
    }
}
