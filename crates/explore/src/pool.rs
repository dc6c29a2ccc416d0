//! Saved thread states. A state is immutable once it is saved; going on from it makes a copy in a
//! slot that is used again and again, so that the hot path does not allocate.

use crate::preemptions::Waits;
use crate::reads::{Becomes, PendingRead};
use norn_action::{Action, Machine, Rmw, ThreadId, Value};
use norn_graph::{Event, LocationId, Locations};

/// Names a saved state.
pub(crate) type SavedId = u32;

/// No state.
pub(crate) const NO_STATE: SavedId = u32::MAX;

/// Whether a paused thread can move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stance {
    /// Whatever the graph is.
    Moves,
    /// Never again.
    Stands,
    /// That depends on the graph.
    Depends,
}

/// A thread, the action it is paused at, and what is needed of that again and again: the location if it
/// is an access, and whether it can be taken.
#[derive(Clone)]
pub(crate) struct Saved<T> {
    pub thread: T,
    pub action: Action,
    pub location: LocationId,
    pub stance: Stance,
}

/// All saved states of one worker.
pub(crate) struct Pool<T> {
    slots: Vec<Saved<T>>,
    free: Vec<SavedId>,
}

impl<T: Clone> Pool<T> {
    pub(crate) fn new() -> Pool<T> {
        Pool { slots: Vec::new(), free: Vec::new() }
    }

    #[inline]
    pub(crate) fn get(&self, id: SavedId) -> &Saved<T> {
        &self.slots[id as usize]
    }

    pub(crate) fn insert(
        &mut self,
        (thread, action): (T, Action),
        locations: &mut Locations,
    ) -> SavedId {
        let (location, stance) = look_at(&action, locations);
        self.insert_saved(Saved { thread, action, location, stance })
    }

    fn insert_saved(&mut self, saved: Saved<T>) -> SavedId {
        match self.free.pop() {
            Some(id) => {
                self.slots[id as usize] = saved;
                id
            }
            None => {
                self.slots.push(saved);
                self.slots.len() as SavedId - 1
            }
        }
    }

    /// Inserts a copy, into memory that is there if possible.
    pub(crate) fn insert_copy(&mut self, saved: &Saved<T>) -> SavedId {
        let Some(id) = self.free.pop() else { return self.insert_saved(saved.clone()) };
        let slot = &mut self.slots[id as usize];
        slot.thread.clone_from(&saved.thread);
        slot.action = saved.action.clone();
        slot.location = saved.location;
        slot.stance = saved.stance;
        id
    }

    /// The state that follows `from` when it is given `answer`.
    #[inline]
    pub(crate) fn resume<M: Machine<Thread = T>>(
        &mut self,
        machine: &M,
        from: SavedId,
        answer: Value,
        undefined: u8,
        locations: &mut Locations,
    ) -> SavedId {
        let Some(id) = self.free.pop() else {
            let mut thread = self.get(from).thread.clone();
            let action = resume(machine, &mut thread, answer, undefined, &self.get(from).action);
            return self.insert((thread, action), locations);
        };
        let [into, from] = self
            .slots
            .get_disjoint_mut([id as usize, from as usize])
            .expect("a free slot is not a saved state");
        into.thread.clone_from(&from.thread);
        into.action = resume(machine, &mut into.thread, answer, undefined, &from.action);
        (into.location, into.stance) = look_at(&into.action, locations);
        id
    }

    pub(crate) fn spawn<M: Machine<Thread = T>>(
        &mut self,
        machine: &M,
        parent: SavedId,
        child: ThreadId,
        locations: &mut Locations,
    ) -> SavedId {
        let started = machine.spawn(&self.get(parent).thread, child);
        self.insert(started, locations)
    }

    /// Releases everything.
    pub(crate) fn release_all(&mut self) {
        self.free.clear();
        self.free.extend(0..self.slots.len() as SavedId);
    }

    #[inline]
    pub(crate) fn release(&mut self, id: SavedId) {
        self.free.push(id);
    }
}

/// Gives a thread that is paused at `action` the answer to it.
#[inline]
fn resume<M: Machine>(
    machine: &M,
    thread: &mut M::Thread,
    answer: Value,
    undefined: u8,
    action: &Action,
) -> Action {
    match action {
        Action::Load(access, _) | Action::Rmw(Rmw { access, .. }) if undefined != 0 => {
            machine.resume_partly(thread, answer, undefined, access.address)
        }
        _ => machine.resume(thread, answer),
    }
}

impl<T> Waits for Pool<T> {
    fn goes_on(&self, read: &Event, value: Value) -> bool {
        let saved = &self.slots[read.saved as usize];
        PendingRead::of(&saved.action, saved.location).becomes(value) != Becomes::Blocked
    }
}

#[inline]
fn look_at(action: &Action, locations: &mut Locations) -> (LocationId, Stance) {
    let moves = |moves| if moves { Stance::Moves } else { Stance::Depends };
    match action {
        Action::Load(access, wait) => {
            (locations.intern(access.address, access.size), moves(wait.is_none()))
        }
        Action::Store(access, _) => (locations.intern(access.address, access.size), Stance::Moves),
        Action::Rmw(rmw) => {
            let access = &rmw.access;
            (locations.intern(access.address, access.size), moves(rmw.wait.is_none()))
        }
        Action::Join { .. } | Action::BarrierLeave(_) | Action::Last { .. } => {
            (LocationId::NONE, Stance::Depends)
        }
        action if action.is_final() => (LocationId::NONE, Stance::Stands),
        _ => (LocationId::NONE, Stance::Moves),
    }
}
