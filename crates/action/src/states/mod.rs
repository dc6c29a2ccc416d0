//! The paused threads of a search: each is named by a [`StateId`], and can be resumed from there at any
//! time, as often as wanted.
//!
//! An explorer names a state when it makes one, and gives names of states that it needs no more to new
//! ones. Invariant: as long as a state has its name, the state that it was reached from has its own.

mod forgetful;
mod rerun;
mod saved;

pub use forgetful::Forgetful;
pub use rerun::{Rerun, Running};
pub use saved::{Saved, Saving};

use crate::{Action, Address, Machine, ThreadId, Value};

/// Names a paused thread.
pub type StateId = u32;

/// No state.
pub const NO_STATE: StateId = u32::MAX;

/// What a thread is told so that it goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The answer to its action; [`Value::ZERO`] where none is asked for.
    pub value: Value,
    /// After a read: which bytes of the value were never written (bit `i` for byte `i`), and where it read.
    pub undefined: u8,
    /// Where it read.
    pub address: Address,
}

impl From<Value> for Answer {
    fn from(value: Value) -> Answer {
        Answer { value, undefined: 0, address: Address(0) }
    }
}

/// A step of a thread from one state to the next.
#[derive(Clone, Copy, Debug)]
pub struct Step<'c> {
    /// Who takes it.
    pub thread: ThreadId,
    /// Where it is paused.
    pub from: StateId,
    /// The name of the state that it comes to.
    pub into: StateId,
    /// Where all threads of the execution are paused.
    pub current: &'c [StateId],
}

/// The paused threads of one worker.
pub trait States<M: Machine>: Default + Send {
    /// A paused thread on its way to another worker.
    type Kept: Send + Sync;

    /// The main thread, run up to its first visible action.
    fn start(&mut self, machine: &M, into: StateId) -> Action;

    /// The thread that `step.thread`, paused at [`Action::Spawn`], starts; run up to its first visible
    /// action. Who starts it stays where it is.
    fn spawn(&mut self, machine: &M, step: Step<'_>, child: ThreadId) -> Action;

    /// Gives a thread the answer to the action it is paused at and runs it up to its next one.
    fn resume(&mut self, machine: &M, step: Step<'_>, answer: Answer) -> Action;

    /// The thread goes no further: it is not told how its action ended.
    fn end(&mut self, step: Step<'_>);

    /// Makes sure that [`States::thread`] has the threads of an execution.
    fn bring(&mut self, machine: &M, current: &[StateId]);

    /// A thread of the execution that was brought last.
    fn thread<'s>(&'s self, machine: &M, thread: ThreadId, state: StateId) -> &'s M::Thread;

    /// A state for another worker, which knows the one that it was reached from by another name.
    fn export(&self, state: StateId, rename: &dyn Fn(StateId) -> StateId) -> Self::Kept;

    /// States from another worker get the names `names`, which `rename` maps theirs to.
    fn import(
        &mut self,
        machine: &M,
        kept: Vec<Self::Kept>,
        names: &[StateId],
        rename: &dyn Fn(StateId) -> StateId,
    );
}
