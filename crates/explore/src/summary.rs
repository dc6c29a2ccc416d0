//! What a search found.

use crate::Stop;
use crate::pool::{NO_STATE, Pool, SavedId};
use norn_action::{Action, Fault, FaultKind, Machine, Place, ThreadId, Unsupported, Wait};
use norn_graph::{EventId, Graph, Locations};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A graph that the search has reached the end of, with the threads in their last states.
pub struct Execution<'s, M: Machine> {
    /// The graph.
    pub graph: &'s Graph,
    /// The locations that its events name.
    pub locations: &'s Locations,
    /// Whether it needs more preemptions than the search was bounded to.
    pub beyond_bound: bool,
    pub(crate) current: &'s [SavedId],
    pub(crate) pool: &'s Pool<M::Thread>,
}

impl<'s, M: Machine> Execution<'s, M> {
    /// A thread's last state and the action it is paused at; none if it was never started.
    pub fn thread(&self, thread: ThreadId) -> Option<(&'s M::Thread, &'s Action)> {
        let state = *self.current.get(thread.index())?;
        (state != NO_STATE).then(|| {
            let saved = self.pool.get(state);
            (&saved.thread, &saved.action)
        })
    }

    /// All threads that were started, with their last states.
    pub fn threads(&self) -> impl Iterator<Item = (ThreadId, &'s M::Thread, &'s Action)> + '_ {
        (0..self.current.len() as u32).map(ThreadId).filter_map(|id| {
            let (thread, action) = self.thread(id)?;
            Some((id, thread, action))
        })
    }
}

/// How an execution ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// All threads finished.
    Complete,
    /// A failed assumption or a wait that another execution continues: of no interest.
    Blocked,
    /// A loop reached the unrolling bound.
    Cut,
    /// Threads wait for each other or for something that cannot happen.
    Stuck,
    /// A read waits although a newer write is there: another execution continues this.
    Stale,
}

/// A thread that waits for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    /// Who.
    pub thread: ThreadId,
    /// For what; none for a join or a barrier.
    pub wait: Option<Wait>,
    /// The thread it waits for, when it is known.
    pub holder: Option<ThreadId>,
    /// Where.
    pub place: Place,
}

/// Something wrong with the checked program, and the graph that shows it.
#[derive(Clone, Debug)]
pub struct Violation {
    /// What is wrong.
    pub fault: Fault,
    /// In which thread.
    pub thread: ThreadId,
    /// The event that completes it, if it is an event.
    pub event: Option<EventId>,
    /// The other event of a pair (a race, an access and a free).
    pub other: Option<EventId>,
    /// The threads that wait, for a deadlock.
    pub waiting: Vec<Waiting>,
    /// The graph.
    pub graph: Graph,
    /// The locations that its events name.
    pub locations: Arc<Locations>,
    /// How many complete executions were found before it.
    pub after: u64,
    /// Whether the graph needs more preemptions than the search was bounded to.
    pub beyond_bound: bool,
}

impl Violation {
    /// What makes two violations the same one.
    pub(crate) fn key(&self) -> ViolationKey {
        violation_key(&self.graph, &self.fault, self.other)
    }
}

/// What makes two violations the same one: the kind and the two places.
pub(crate) type ViolationKey = (FaultKind, Place, Place);

pub(crate) fn violation_key(graph: &Graph, fault: &Fault, other: Option<EventId>) -> ViolationKey {
    let other = other.map_or(Place::NONE, |id| graph.event(id).place);
    (fault.kind, fault.place.min(other), fault.place.max(other))
}

/// The numbers of a search, and what it found.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Complete executions.
    pub executions: u64,
    /// The bound on preemptions, if there was one.
    pub bound: Option<u32>,
    /// Complete executions among these that need more preemptions than the search was bounded to.
    pub beyond_bound: u64,
    /// Graphs within the bound that no execution visited came from: all that could follow was
    /// discarded.
    pub bound_blocked: u64,
    /// Graphs that were discarded because of the bound. If there is none, the search was complete.
    pub discarded: u64,
    /// Whether something was wrong in a graph beyond the bound, and was ignored as asked.
    pub ignored: bool,
    /// Executions that could not end: failed assumptions, unrolling bounds.
    pub blocked: u64,
    /// Explorations that ended in a read that another execution continues; they are no executions.
    pub stale: u64,
    /// Schedules of `rf` that turned out to be inconsistent when they were replayed.
    pub dead: u64,
    /// Events added in all.
    pub events: u64,
    /// The largest number of events in a graph.
    pub largest_graph: usize,
    /// Whether a loop reached the unrolling bound.
    pub cut: Option<Place>,
    /// What was reached and cannot be run, each once.
    pub unsupported: Vec<Unsupported>,
    /// What is wrong, each kind and place once.
    pub violations: Vec<Violation>,
    /// Why the search ended early.
    pub stopped: Option<Stop>,
}

impl Summary {
    /// Whether the bound on preemptions left something out, so that nothing is said beyond it.
    pub fn is_bounded(&self) -> bool {
        self.discarded > 0 || self.ignored
    }

    /// Adds what another part of the same search found.
    pub(crate) fn add(&mut self, other: Summary) {
        self.executions += other.executions;
        self.bound = self.bound.or(other.bound);
        self.beyond_bound += other.beyond_bound;
        self.bound_blocked += other.bound_blocked;
        self.discarded += other.discarded;
        self.ignored |= other.ignored;
        self.blocked += other.blocked;
        self.stale += other.stale;
        self.dead += other.dead;
        self.events += other.events;
        self.largest_graph = self.largest_graph.max(other.largest_graph);
        self.cut = self.cut.or(other.cut);
        for what in other.unsupported {
            if !self.unsupported.contains(&what) {
                self.unsupported.push(what);
            }
        }
        for violation in other.violations {
            let key = violation.key();
            if self.violations.iter().all(|known| known.key() != key) {
                self.violations.push(violation);
            }
        }
        self.violations.sort_by_key(Violation::key);
        self.stopped = self.stopped.or(other.stopped);
    }
}
