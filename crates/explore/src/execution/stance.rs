//! Whether a paused thread can move. The one place where that is decided, for all explorers.

use super::Execution;
use super::pending::Becomes;
use norn_action::{Action, Barrier, Machine, NO_STATE, StateId, ThreadId, Wait};
use norn_graph::{EventId, Graph, LocationId, Locations};
use norn_models::Model;
use serde::{Deserialize, Serialize};

/// What a thread's next action is to the order in which threads move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stance {
    /// It can be taken and is no read.
    Step,
    /// It is a read, and perhaps one that waits.
    Read(WaitsFor),
    /// It is a join, which can be taken when this thread has ended.
    Joins(ThreadId),
    /// It is no read, and whether it can be taken depends on the graph: a barrier, the end of the process, the end of
    /// a round.
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
            Action::Join { thread, .. } => Stance::Joins(*thread),
            Action::BarrierLeave(_) | Action::Last { .. } | Action::Round { .. } => Stance::Depends,
            action if action.is_final() => Stance::Stands,
            _ => Stance::Step,
        }
    }
}

impl<M: Machine, Mo: Model> Execution<'_, M, Mo> {
    /// Whether `thread` can move: a [`Stance::Step`], a read, or [`Stance::Stands`].
    #[inline]
    pub(crate) fn stance(&self, thread: ThreadId) -> Stance {
        self.stance_in(thread, self.state(thread))
    }

    /// Likewise for a thread that is in `state`. Asked for every thread at every step, most often of one that
    /// has ended.
    #[inline(always)]
    pub(crate) fn stance_in(&self, thread: ThreadId, state: StateId) -> Stance {
        if state == NO_STATE {
            return Stance::Stands;
        }
        let is_due = match self.pool.get(state).stance {
            Stance::Joins(target) => self.has_ended(target),
            Stance::Depends => self.is_due(thread),
            stance => return stance,
        };
        if is_due { Stance::Step } else { Stance::Stands }
    }

    /// Whether a thread has ended. One that never was has, too: a join of it is a fault, found when it is
    /// taken.
    #[inline]
    fn has_ended(&self, thread: ThreadId) -> bool {
        match self.state(thread) {
            NO_STATE => true,
            state => {
                let paused = self.pool.get(state);
                let may = matches!(paused.stance, Stance::Stands | Stance::Depends);
                may && paused.action.result().is_some()
            }
        }
    }

    /// Whether what `thread` is paused at, and depends on the graph, can be taken.
    #[cold]
    fn is_due(&self, thread: ThreadId) -> bool {
        match self.action(thread) {
            Action::BarrierLeave(barrier) => {
                arrived(&self.graph, barrier) >= barrier.count as usize
            }
            Action::Last { .. } => self.all_others_ended(thread),
            Action::Round { stores, .. } => {
                !(self.goes_on_for_ever(thread) || !stores && self.has_gone_round(thread))
            }
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

    /// Whether the thread goes on with the coherence-last write to the location of the read that it is paused
    /// at. It does if the location is in no object, or if its bytes are accessed in other units too: what is
    /// wrong is found when the access is taken.
    pub(crate) fn newest_passes(&self, thread: ThreadId) -> bool {
        let read = self.pending_read(thread);
        let (graph, location) = (&self.graph, read.location);
        let content = match graph.location_if_any(location) {
            Some(state) => {
                graph.content_of(state.co.last().copied().unwrap_or(EventId::INIT), location)
            }
            None if overlap(graph, &self.locations, location).is_some() => return true,
            None => match graph.objects().resolve(read.access.address, read.access.size) {
                Some(resolved) => (resolved.initial, resolved.undefined as u8),
                None => return true,
            },
        };
        read.becomes(content) != Becomes::Blocked
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
            let mut events = graph.thread_events(ThreadId(t as u32)).iter();
            events.any(|event| event.arrives_at(barrier.address, barrier.round))
        })
        .count()
}
