//! The paused threads of one worker, and what is always known of each: the action, its location if it is
//! an access, and whether it can be taken. The threads themselves are the machine's affair
//! ([`norn_action::States`]).

use super::stance::Stance;
use norn_action::{Action, Answer, Machine, StateId, States, Step, ThreadId};
use norn_graph::{LocationId, Locations};

/// What is known of a paused thread.
#[derive(Clone, Debug)]
pub(crate) struct Paused {
    pub action: Action,
    pub location: LocationId,
    pub stance: Stance,
}

impl Paused {
    /// Sets what follows from the action.
    #[inline]
    fn look_at_action(&mut self, locations: &mut Locations) {
        let access = match &self.action {
            Action::Load(access, _) | Action::Store(access, _) => Some(access),
            Action::Rmw(rmw) => Some(&rmw.access),
            _ => None,
        };
        self.location =
            access.map_or(LocationId::NONE, |access| locations.intern(access.address, access.size));
        self.stance = Stance::of(&self.action);
    }
}

/// All paused threads of one worker.
pub(crate) struct Pool<M: Machine> {
    paused: Vec<Paused>,
    free: Vec<StateId>,
    threads: M::States,
}

impl<M: Machine> Default for Pool<M> {
    fn default() -> Self {
        Pool { paused: Vec::new(), free: Vec::new(), threads: M::States::default() }
    }
}

/// A paused thread on its way to another worker.
pub(crate) struct KeptState<M: Machine> {
    paused: Paused,
    thread: <M::States as States<M>>::Kept,
}

impl<M: Machine> Pool<M> {
    #[inline]
    pub(crate) fn get(&self, id: StateId) -> &Paused {
        &self.paused[id as usize]
    }

    /// A name for a new state.
    #[inline]
    fn name(&mut self) -> StateId {
        self.free.pop().unwrap_or(self.paused.len() as StateId)
    }

    /// The state `into` is paused at `action`. In place: an action is large.
    #[inline]
    fn put(&mut self, into: StateId, action: Action, locations: &mut Locations) -> StateId {
        let slot = match self.paused.get_mut(into as usize) {
            Some(slot) => {
                slot.action = action;
                slot
            }
            None => {
                let (location, stance) = (LocationId::NONE, Stance::Stands);
                self.paused.push(Paused { action, location, stance });
                &mut self.paused[into as usize]
            }
        };
        slot.look_at_action(locations);
        into
    }

    /// The main thread.
    pub(crate) fn start(&mut self, machine: &M, locations: &mut Locations) -> StateId {
        let into = self.name();
        let action = self.threads.start(machine, into);
        self.put(into, action, locations)
    }

    /// The thread `child` that `thread`, paused at `from`, starts.
    pub(crate) fn spawn(
        &mut self,
        machine: &M,
        (thread, from): (ThreadId, StateId),
        current: &[StateId],
        child: ThreadId,
        locations: &mut Locations,
    ) -> StateId {
        let into = self.name();
        let action = self.threads.spawn(machine, Step { thread, from, into, current }, child);
        self.put(into, action, locations)
    }

    /// The state that follows `from` when `thread` is given `answer`.
    #[inline]
    pub(crate) fn resume(
        &mut self,
        machine: &M,
        thread: ThreadId,
        from: StateId,
        current: &[StateId],
        answer: Answer,
        locations: &mut Locations,
    ) -> StateId {
        let into = self.name();
        let action = self.threads.resume(machine, Step { thread, from, into, current }, answer);
        self.put(into, action, locations)
    }

    /// The state in which `thread` stays where it is for ever, because of `action`.
    pub(crate) fn end(
        &mut self,
        thread: ThreadId,
        from: StateId,
        current: &[StateId],
        action: Action,
        locations: &mut Locations,
    ) -> StateId {
        let into = self.name();
        self.threads.end(Step { thread, from, into, current });
        self.put(into, action, locations)
    }

    /// Makes the threads of an execution fit to be looked at.
    pub(crate) fn bring(&mut self, machine: &M, current: &[StateId]) {
        self.threads.bring(machine, current);
    }

    /// A thread of the execution that was brought last.
    pub(crate) fn thread(&self, machine: &M, thread: ThreadId, state: StateId) -> &M::Thread {
        self.threads.thread(machine, thread, state)
    }

    /// Releases everything.
    pub(crate) fn release_all(&mut self) {
        self.free.clear();
        self.free.extend(0..self.paused.len() as StateId);
    }

    #[inline]
    pub(crate) fn release(&mut self, id: StateId) {
        self.free.push(id);
    }

    /// A copy of a state for another worker; `rename` gives its name for a state.
    pub(crate) fn export(&self, id: StateId, rename: &dyn Fn(StateId) -> StateId) -> KeptState<M> {
        KeptState { paused: self.get(id).clone(), thread: self.threads.export(id, rename) }
    }

    /// Takes states from another worker, whose names for them were their indices; their names here.
    pub(crate) fn import(&mut self, machine: &M, kept: Vec<KeptState<M>>) -> Vec<StateId> {
        let mut names = Vec::with_capacity(kept.len());
        let mut threads = Vec::with_capacity(kept.len());
        for KeptState { paused, thread } in kept {
            let id = self.name();
            match self.paused.get_mut(id as usize) {
                Some(slot) => *slot = paused,
                None => self.paused.push(paused),
            }
            names.push(id);
            threads.push(thread);
        }
        let rename = |state: StateId| names[state as usize];
        self.threads.import(machine, threads, &names, &rename);
        names
    }
}
