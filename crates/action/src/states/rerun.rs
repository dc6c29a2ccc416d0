//! States of threads that cannot be copied: the execution is run again.
//!
//! There is one live run. While an execution grows, the run grows with it. When the explorer has gone
//! back, the run is further than it should be, or elsewhere; then a new one is made, from the start,
//! with the answers that led to the states of the execution. So there is one run per backtrack.
//!
//! A state remembers how it was reached. States have serial numbers in the order in which they were made.
//! An event's next state is made when the event is added with the source that it has, and after the
//! next state of that source's thread was; so the order of the numbers extends program order, reads-from,
//! spawns and joins, and is one in which a run can be made.

use super::{Answer, NO_STATE, StateId, States, Step};
use crate::{Action, Machine, ThreadId};

/// A machine that can only run a program from its start.
pub trait Running: Machine {
    /// A run: threads that are paused, by their names.
    type Run: Send;

    /// A new run, with the main thread run up to its first visible action.
    fn start(&self) -> (Self::Run, Action);

    /// Starts the thread `child` that `parent`, paused at [`Action::Spawn`], asks for, up to its first
    /// visible action.
    fn spawn(&self, run: &mut Self::Run, parent: ThreadId, child: ThreadId) -> Action;

    /// Gives a thread the answer to the action it is paused at and runs it up to its next one.
    fn resume(&self, run: &mut Self::Run, thread: ThreadId, answer: Answer) -> Action;

    /// A thread of a run.
    fn thread<'r>(&self, run: &'r Self::Run, thread: ThreadId) -> &'r Self::Thread;
}

/// How a state was reached.
#[derive(Clone, Copy, Debug)]
enum Origin {
    Start,
    /// By a thread that was paused in this state.
    Spawn(StateId, ThreadId),
    Resume(StateId, Answer),
    /// The thread is where it was, and goes no further.
    End(StateId),
}

/// A state, as it is kept.
#[derive(Clone, Copy, Debug)]
pub struct Reached {
    thread: ThreadId,
    origin: Origin,
    serial: u64,
}

/// The states of a [`Running`] machine.
pub struct Rerun<M: Running> {
    states: Vec<Reached>,
    made: u64,
    live: Option<M::Run>,
    /// The state that each thread of the live run is in.
    at: Vec<StateId>,
}

impl<M: Running> Default for Rerun<M> {
    fn default() -> Self {
        Rerun { states: Vec::new(), made: 0, live: None, at: Vec::new() }
    }
}

impl<M: Running> Rerun<M> {
    fn put(&mut self, into: StateId, thread: ThreadId, origin: Origin) {
        let state = Reached { thread, origin, serial: self.made };
        self.made += 1;
        match self.states.get_mut(into as usize) {
            Some(slot) => *slot = state,
            None => self.states.push(state),
        }
        if self.at.len() <= thread.index() {
            self.at.resize(thread.index() + 1, NO_STATE);
        }
        self.at[thread.index()] = into;
    }

    /// Whether the live run is in the states of an execution.
    fn is_at(&self, current: &[StateId]) -> bool {
        let state = |states: &[StateId], t: usize| states.get(t).copied().unwrap_or(NO_STATE);
        self.live.is_some()
            && (0..current.len().max(self.at.len()))
                .all(|t| state(&self.at, t) == state(current, t))
    }

    /// All states on the way to those of an execution, in the order in which they were made.
    fn way_to(&self, current: &[StateId]) -> Vec<StateId> {
        let mut way: Vec<StateId> = Vec::new();
        let mut open: Vec<StateId> = current.iter().copied().filter(|&s| s != NO_STATE).collect();
        let mut seen = vec![false; self.states.len()];
        while let Some(state) = open.pop() {
            if std::mem::replace(&mut seen[state as usize], true) {
                continue;
            }
            way.push(state);
            match self.states[state as usize].origin {
                Origin::Start => {}
                Origin::Spawn(from, _) | Origin::Resume(from, _) | Origin::End(from) => {
                    open.push(from);
                }
            }
        }
        way.sort_by_key(|&state| self.states[state as usize].serial);
        way
    }
}

impl<M: Running> States<M> for Rerun<M> {
    type Kept = Reached;

    fn start(&mut self, machine: &M, into: StateId) -> Action {
        let (run, action) = machine.start();
        self.live = Some(run);
        self.at.clear();
        self.put(into, ThreadId::MAIN, Origin::Start);
        action
    }

    fn spawn(&mut self, machine: &M, step: Step<'_>, child: ThreadId) -> Action {
        self.bring(machine, step.current);
        let run = self.live.as_mut().expect("a run was brought");
        let action = machine.spawn(run, step.thread, child);
        self.put(step.into, child, Origin::Spawn(step.from, step.thread));
        action
    }

    fn resume(&mut self, machine: &M, step: Step<'_>, answer: Answer) -> Action {
        self.bring(machine, step.current);
        let run = self.live.as_mut().expect("a run was brought");
        let action = machine.resume(run, step.thread, answer);
        self.put(step.into, step.thread, Origin::Resume(step.from, answer));
        action
    }

    fn end(&mut self, step: Step<'_>) {
        let was_there = self.at.get(step.thread.index()) == Some(&step.from);
        self.put(step.into, step.thread, Origin::End(step.from));
        if !was_there {
            self.live = None;
        }
    }

    fn bring(&mut self, machine: &M, current: &[StateId]) {
        if self.is_at(current) {
            return;
        }
        self.at.clear();
        self.at.resize(current.len(), NO_STATE);
        let mut live = None;
        for state in self.way_to(current) {
            let Reached { thread, origin, .. } = self.states[state as usize];
            match origin {
                Origin::Start => live = Some(machine.start().0),
                Origin::Spawn(_, parent) => {
                    machine.spawn(live.as_mut().expect("main comes first"), parent, thread);
                }
                Origin::Resume(_, answer) => {
                    machine.resume(live.as_mut().expect("main comes first"), thread, answer);
                }
                Origin::End(_) => {}
            }
            self.at[thread.index()] = state;
        }
        self.live = live;
    }

    fn thread<'s>(&'s self, machine: &M, thread: ThreadId, _: StateId) -> &'s M::Thread {
        machine.thread(self.live.as_ref().expect("a run was brought"), thread)
    }

    fn export(&self, state: StateId, rename: &dyn Fn(StateId) -> StateId) -> Reached {
        self.states[state as usize].renamed(rename)
    }

    fn import(
        &mut self,
        _: &M,
        kept: Vec<Reached>,
        names: &[StateId],
        rename: &dyn Fn(StateId) -> StateId,
    ) {
        for (state, &into) in kept.iter().zip(names) {
            let state = state.renamed(rename);
            self.made = self.made.max(state.serial + 1);
            match self.states.get_mut(into as usize) {
                Some(slot) => *slot = state,
                None => self.states.push(state),
            }
        }
        self.live = None;
    }
}

impl Reached {
    fn renamed(&self, rename: &dyn Fn(StateId) -> StateId) -> Reached {
        let origin = match self.origin {
            Origin::Start => Origin::Start,
            Origin::Spawn(from, thread) => Origin::Spawn(rename(from), thread),
            Origin::Resume(from, answer) => Origin::Resume(rename(from), answer),
            Origin::End(from) => Origin::End(rename(from)),
        };
        Reached { origin, ..*self }
    }
}
