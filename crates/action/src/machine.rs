//! The program side, as an explorer sees it.

use crate::{Action, Address, ThreadId, Value};

/// Runs threads from one visible action to the next.
///
/// Going back to an earlier point means keeping a clone of the thread from then. A machine whose
/// threads cannot be copied keeps the list of answers instead and runs them again on resume; to
/// an explorer that looks the same.
pub trait Machine: Sync {
    /// One thread, paused at the action it takes next. Cloning must be cheap.
    type Thread: Clone + Send + Sync;

    /// The main thread, run up to its first visible action.
    fn start(&self) -> (Self::Thread, Action);

    /// The thread that `parent`, paused at [`Action::Spawn`], starts; run up to its first visible
    /// action.
    fn spawn(&self, parent: &Self::Thread, child: ThreadId) -> (Self::Thread, Action);

    /// Gives `thread` the answer to the action it is paused at and runs it up to its next one.
    /// Actions without an answer are given [`Value::ZERO`].
    fn resume(&self, thread: &mut Self::Thread, answer: Value) -> Action;

    /// Likewise, where some bytes of the value were never written (bit `i` for byte `i`).
    fn resume_partly(&self, thread: &mut Self::Thread, answer: Value, undefined: u16) -> Action {
        let _ = undefined;
        self.resume(thread, answer)
    }

    /// Whether `thread` has an object at `address` that it takes to be known to nobody else.
    fn keeps_private(&self, thread: &Self::Thread, address: Address) -> bool {
        let _ = (thread, address);
        false
    }

    /// Makes `threads`, clones that another worker made, share nothing with what they were cloned from:
    /// what two workers count or change side by side slows both down. A matter of speed alone.
    fn separate<'t>(&self, threads: impl Iterator<Item = &'t mut Self::Thread>)
    where
        Self::Thread: 't,
    {
        let _ = threads;
    }
}
