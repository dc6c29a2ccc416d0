//! The program side, as an explorer sees it.

use crate::{Address, Cut, End, Lesson, Place, States};

/// Runs threads from one visible action to the next.
///
/// An explorer goes back and forth between points of many executions. How the threads of such a point are
/// had again is the machine's own affair: [`crate::Saved`] keeps copies of them, [`crate::Rerun`] runs the
/// program again. A machine chooses by [`Machine::States`], and offers what that needs:
/// [`crate::Saving`] or [`crate::Running`].
pub trait Machine: Sync + Sized {
    /// One thread, paused at the action it takes next.
    type Thread;

    /// Its paused threads.
    type States: States<Self>;

    /// Whether threads may enter sections in which no other thread moves ([`crate::Role::Section`]).
    fn has_sections(&self) -> bool {
        false
    }

    /// Whether accesses are made in parts at `cut`, as far as they can be. A machine that says no can be made
    /// anew so that they are.
    fn is_cut(&self, cut: Cut) -> bool {
        let _ = cut;
        true
    }

    /// Whether threads may make accesses in several parts that are one step ([`crate::Role::FirstPart`]).
    fn has_groups(&self) -> bool {
        false
    }

    /// What searches have found out before that this machine was made with.
    fn knows(&self, lesson: Lesson) -> bool {
        let _ = lesson;
        false
    }

    /// Whether threads may wait for tries to succeed that they would take back ([`crate::Wait::Attempt`]).
    fn makes_attempts(&self) -> bool {
        false
    }

    /// Whether threads may leave out taking a lock, where nobody is thought to be able to tell. An access that stands
    /// for taking one, or for giving it back, is then a [`crate::Role::Lock`] that only reads.
    fn leaves_out_locks(&self) -> bool {
        false
    }

    /// What is to be learned if the critical section that `thread` is in matters after all: that the section does, whose lock
    /// was left out, or the lock, which others may leave out.
    fn section(&self, thread: &Self::Thread) -> Option<Lesson> {
        let _ = thread;
        None
    }

    /// Whether `thread` has an object at `address` that it takes to be known to nobody else.
    fn keeps_private(&self, thread: &Self::Thread, address: Address) -> bool {
        let _ = (thread, address);
        false
    }

    /// How an object ended that `thread` had at `address` and that nobody else knew. Only reports ask.
    fn ended(&self, thread: &Self::Thread, address: Address) -> Option<End> {
        let _ = (thread, address);
        None
    }

    /// Whether `thread` holds the lock at `address`, in whatever way. Only reports ask.
    fn holds(&self, thread: &Self::Thread, address: Address) -> bool {
        let _ = (thread, address);
        false
    }

    /// Where the functions that `thread` is in were called, innermost first; of very many, the innermost. Only
    /// reports ask.
    fn callers(&self, thread: &Self::Thread) -> Vec<Place> {
        let _ = thread;
        Vec::new()
    }
}
