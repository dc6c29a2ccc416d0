//! Saved thread states. A state is immutable once it is saved; going on from it makes a copy in a
//! slot that is used again and again, so that the hot path does not allocate.

use crate::preemptions::Waits;
use crate::reads::{Becomes, PendingRead};
use norn_action::{Action, Machine, ThreadId, Value};
use norn_graph::{Event, LocationId, Locations};

/// Names a saved state.
pub(crate) type SavedId = u32;

/// No state.
pub(crate) const NO_STATE: SavedId = u32::MAX;

/// A thread, the action it is paused at, and the location of that action if it is an access.
#[derive(Clone)]
pub(crate) struct Saved<T> {
    pub thread: T,
    pub action: Action,
    pub location: LocationId,
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
        let location = location_of(&action, locations);
        self.insert_saved(Saved { thread, action, location })
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
        id
    }

    /// The state that follows `from` when it is given `answer`.
    #[inline]
    pub(crate) fn resume<M: Machine<Thread = T>>(
        &mut self,
        machine: &M,
        from: SavedId,
        answer: Value,
        undefined: u16,
        locations: &mut Locations,
    ) -> SavedId {
        let Some(id) = self.free.pop() else {
            let mut thread = self.get(from).thread.clone();
            let action = machine.resume_partly(&mut thread, answer, undefined);
            return self.insert((thread, action), locations);
        };
        let [into, from] = self
            .slots
            .get_disjoint_mut([id as usize, from as usize])
            .expect("a free slot is not a saved state");
        into.thread.clone_from(&from.thread);
        into.action = machine.resume_partly(&mut into.thread, answer, undefined);
        into.location = location_of(&into.action, locations);
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

impl<T> Waits for Pool<T> {
    fn goes_on(&self, read: &Event, value: Value) -> bool {
        let saved = &self.slots[read.saved as usize];
        PendingRead::of(&saved.action, saved.location).becomes(value) != Becomes::Blocked
    }
}

#[inline]
fn location_of(action: &Action, locations: &mut Locations) -> LocationId {
    match action {
        Action::Load(access, _) | Action::Store(access, _) => {
            locations.intern(access.address, access.size)
        }
        Action::Rmw(rmw) => locations.intern(rmw.access.address, rmw.access.size),
        _ => LocationId::NONE,
    }
}
