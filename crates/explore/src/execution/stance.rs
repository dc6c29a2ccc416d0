//! Whether a paused thread can move. The one place where that is decided, for all explorers.

use super::Execution;
use super::pool::Paused;
use norn_action::{Action, Barrier, Machine, NO_STATE, Test, ThreadId, Wait};
use norn_graph::{EventKind, Graph, LocationId, Locations};
use norn_models::Model;
use serde::{Deserialize, Serialize};

/// What a thread's next action is to the order in which threads move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stance {
    /// It can be taken and is no read.
    Step,
    /// It is a read, and perhaps one that waits.
    Read(WaitsFor),
    /// It is no read, and whether it can be taken depends on the graph: a join, a barrier.
    Depends,
    /// It cannot be taken.
    Stands,
}

/// What a read waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum WaitsFor {
    /// Nothing: it takes what it gets.
    #[default]
    Nothing,
    /// Its turn: a read-modify-write of a lock or semaphore, which others that want it must give back. All
    /// writes to the object are ordered by `porf`: each is a read-modify-write, or a store by the
    /// thread that holds a lock.
    Turn,
    /// A value that somebody writes.
    Value,
}

impl WaitsFor {
    fn of(wait: Option<Wait>, is_rmw: bool) -> WaitsFor {
        match wait {
            None => WaitsFor::Nothing,
            Some(Wait::Mutex | Wait::RwLock | Wait::Semaphore) if is_rmw => WaitsFor::Turn,
            Some(_) => WaitsFor::Value,
        }
    }
}

impl Stance {
    #[inline]
    pub(super) fn of(action: &Action) -> Stance {
        match action {
            Action::Load(_, wait) => Stance::Read(WaitsFor::of(wait.map(|(_, wait)| wait), false)),
            Action::Rmw(rmw) => Stance::Read(WaitsFor::of(rmw.wait, true)),
            Action::Join { .. } | Action::BarrierLeave(_) | Action::Last { .. } => Stance::Depends,
            action if action.is_final() => Stance::Stands,
            _ => Stance::Step,
        }
    }
}

impl<M: Machine, Mo: Model> Execution<'_, M, Mo> {
    /// Whether `thread` can move; never [`Stance::Depends`].
    #[inline]
    pub(crate) fn stance(&self, thread: ThreadId) -> Stance {
        match self.state(thread) {
            NO_STATE => Stance::Stands,
            state => match self.pool.get(state).stance {
                Stance::Depends if self.is_due(thread) => Stance::Step,
                Stance::Depends => Stance::Stands,
                stance => stance,
            },
        }
    }

    /// Whether the join or barrier that `thread` is paused at can be taken.
    fn is_due(&self, thread: ThreadId) -> bool {
        match self.action(thread) {
            Action::Join { thread: target, .. } => match self.state(*target) {
                // A join of a thread that never was is a fault, found when it is taken.
                NO_STATE => true,
                state => self.pool.get(state).action.result().is_some(),
            },
            Action::BarrierLeave(barrier) => {
                arrived(&self.graph, barrier) >= barrier.count as usize
            }
            Action::Last { .. } => self.all_others_ended(thread),
            other => unreachable!("{other:?} does not depend on the graph"),
        }
    }

    /// Whether all threads but `thread` have ended.
    fn all_others_ended(&self, thread: ThreadId) -> bool {
        let mut others = self.started().filter(|&other| other != thread);
        others.all(|other| matches!(self.action(other), Action::Finish(_)))
    }

    /// Whether the thread's last event is a read that blocks.
    #[inline]
    pub(crate) fn is_blocked(&self, thread: ThreadId) -> bool {
        self.graph.threads_last(thread).is_some_and(|event| event.is_blocked())
    }

    /// Whether the coherence-last write to the location of the read that `thread` is paused at passes its
    /// test. A location in no object does, and so does one whose bytes are accessed in other units
    /// too: what is wrong is found when the access is taken.
    pub(crate) fn newest_passes(&self, thread: ThreadId) -> bool {
        let paused = self.pool.get(self.state(thread));
        match &paused.action {
            Action::Load(_, Some((test, _))) => self.newest_holds(paused, test),
            Action::Rmw(rmw) => rmw.test.is_none_or(|test| self.newest_holds(paused, &test)),
            _ => true,
        }
    }

    fn newest_holds(&self, paused: &Paused, test: &Test) -> bool {
        let access = match &paused.action {
            Action::Load(access, _) => access,
            Action::Rmw(rmw) => &rmw.access,
            _ => unreachable!("only accesses wait"),
        };
        let graph = &self.graph;
        let value = match graph.location_if_any(paused.location) {
            Some(state) => match state.co.last() {
                Some(&write) => graph.event(write).value,
                None => state.resolved.initial,
            },
            None if overlap(graph, &self.locations, paused.location).is_some() => return true,
            None => match graph.objects().resolve(access.address, access.size) {
                Some(resolved) => resolved.initial,
                None => return true,
            },
        };
        test.holds(value, access.size)
    }
}

/// A location that is accessed in the graph and shares bytes with `id`.
#[inline]
pub(super) fn overlap(graph: &Graph, locations: &Locations, id: LocationId) -> Option<LocationId> {
    let overlaps = &locations.info(id).overlaps;
    overlaps.iter().copied().find(|&other| graph.location_if_any(other).is_some())
}

/// How many threads have arrived in this round of the barrier.
pub(super) fn arrived(graph: &Graph, barrier: &Barrier) -> usize {
    (0..graph.thread_count())
        .filter(|&t| {
            graph.thread_events(ThreadId(t as u32)).iter().any(|event| {
                event.kind == EventKind::Arrive
                    && event.value.low() == barrier.address.0
                    && event.other == barrier.round
            })
        })
        .count()
}
