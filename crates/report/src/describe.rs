//! What threads, variables, values and waits of a violation are called.

use crate::messages::Lookup;
use crate::names::{Names, Spot};
use crate::step::{Awaited, Stuck, Target};
use norn_action::{
    Address, Fault, Place, RmwOp, Role, SyncObject, SyncState, ThreadId, Value, Wait,
};
use norn_explore::{Violation, Waiting};
use norn_graph::{Event, EventId, Graph, LocationId, Locations, What};
use std::collections::HashMap;

/// Gives names.
pub(crate) struct Describer<'a> {
    graph: &'a Graph,
    locations: &'a Locations,
    names: &'a dyn Names,
    /// The cells of locks, semaphores and barriers.
    cells: HashMap<LocationId, SyncObject>,
}

impl<'a> Describer<'a> {
    pub(crate) fn new(violation: &'a Violation, names: &'a dyn Names) -> Describer<'a> {
        let (graph, locations) = (&violation.graph, &*violation.locations);
        Describer { graph, locations, names, cells: cells(graph, locations, names) }
    }

    /// What the program's author calls things.
    pub(crate) fn names(&self) -> &'a dyn Names {
        self.names
    }

    /// Where in the program an event comes from.
    pub(crate) fn place(&self, event: EventId) -> Place {
        self.graph.event(event).place
    }

    /// The operation of a library that is called at a place.
    pub(crate) fn operation(&self, place: Place) -> Option<String> {
        self.names.operation(place)
    }

    pub(crate) fn thread(&self, thread: ThreadId) -> String {
        self.names.thread(self.graph, thread)
    }

    pub(crate) fn lookup<'v>(&'v self, fault: &'v Fault) -> Lookup<'v> {
        Lookup { names: self.names, graph: self.graph, inside: fault.inside.as_deref() }
    }

    /// The name of a thread without what it runs: `thread 2` for `thread 2 (worker)`.
    pub(crate) fn short_thread(&self, thread: ThreadId) -> String {
        self.names.short_thread(thread)
    }

    /// A thread that another one starts or waits for.
    pub(crate) fn target(&self, thread: ThreadId) -> Target {
        Target { target: thread.0, target_name: self.short_thread(thread) }
    }

    /// Where the author's part of what happens at `at` is: there, unless that is in a library. Then it is
    /// the innermost of the calls around it that is not, if there is one.
    pub(crate) fn own_spot<'s>(&self, at: &'s Spot, callers: &'s [Spot]) -> &'s Spot {
        self.own_call(at, callers).0
    }

    /// Likewise, with the function of the library that is called there.
    pub(crate) fn own_call<'s>(
        &self,
        at: &'s Spot,
        callers: &'s [Spot],
    ) -> (&'s Spot, Option<&'s str>) {
        let mut called = None;
        for spot in std::iter::once(at).chain(callers) {
            if spot.line > 0 && !self.names.is_library(&spot.file) {
                return (spot, called);
            }
            called = spot.function.as_deref();
        }
        (at, None)
    }

    /// The name of a location.
    pub(crate) fn variable(&self, location: LocationId) -> String {
        let info = self.locations.info(location);
        if let Some(word) = self.futex(location) {
            return format!("the waiters at {}", self.object(word));
        }
        self.names.variable(self.graph, info.address, info.size)
    }

    /// The word of a futex, if a location is the cell of its queue.
    fn futex(&self, location: LocationId) -> Option<Address> {
        let info = self.locations.info(location);
        if info.size != 16 || self.cells.get(&location) != Some(&SyncObject::Condition) {
            return None;
        }
        let last = self.graph.location(location).co.last()?;
        let (value, _) = self.graph.content_of(*last, location);
        Some(Address((value.0 >> 64) as u64))
    }

    /// The name of the object at an address.
    pub(crate) fn object(&self, address: Address) -> String {
        self.names.variable(self.graph, address, 1)
    }

    /// The name of what starts at an address: a barrier, or what is freed.
    pub(crate) fn start(&self, address: Address) -> String {
        self.names.variable(self.graph, address, 0)
    }

    /// A value of a location, of which some bytes (bit `i` for byte `i`) may never have been written.
    pub(crate) fn value(&self, location: LocationId, value: Value, undefined: u16) -> String {
        let info = self.locations.info(location);
        if let Some(&object) = self.cells.get(&location) {
            if object == SyncObject::Condition {
                return self.waiters(value);
            }
            if let Some(state) = self.names.sync_state(object, value) {
                return self.state(state);
            }
        }
        let all = u16::MAX >> (16 - u16::from(info.size.clamp(1, 16)));
        let text = || self.names.value(self.graph, info.address, info.size, value);
        match undefined & all {
            0 => text(),
            undefined if undefined == all => "uninitialised".to_owned(),
            _ => format!("{} (partly uninitialised)", text()),
        }
    }

    /// Whether a value of a location says that a lock, semaphore or barrier was destroyed.
    pub(crate) fn is_destroyed(&self, event: &Event) -> bool {
        let object = self.cells.get(&event.location);
        let state = object.and_then(|&object| self.names.sync_state(object, event.value));
        state == Some(SyncState::Destroyed)
    }

    fn state(&self, state: SyncState) -> String {
        match state {
            SyncState::Destroyed => "destroyed".to_owned(),
            SyncState::NeverInitialised => "never initialised".to_owned(),
            SyncState::Free => "free".to_owned(),
            SyncState::Held(thread) => format!("held by {}", self.short_thread(thread)),
            SyncState::Writer => "a writer".to_owned(),
            SyncState::Readers(1) => "1 reader".to_owned(),
            SyncState::Readers(count) => format!("{count} readers"),
            SyncState::Count(count) => count.to_string(),
            SyncState::Meets(count) => format!("{count} threads"),
        }
    }

    /// Who waits for a condition variable.
    fn waiters(&self, value: Value) -> String {
        let set = value.low() & ((1 << RmwOp::MEMBERS) - 1);
        let members = (0..RmwOp::MEMBERS).filter(|t| set >> t & 1 == 1);
        let names: Vec<String> = members.map(|t| self.short_thread(ThreadId(t))).collect();
        match names.len() {
            0 => "nobody waits".to_owned(),
            1 => format!("{} waits", names[0]),
            _ => format!("{} wait", names.join(", ")),
        }
    }

    /// What a thread waits for, for ever.
    pub(crate) fn stuck(&self, waiting: &Waiting) -> Stuck {
        Stuck {
            variable: self.waited_for(waiting),
            sees: self.keeps_seeing(waiting),
            writers: self.writers(waiting),
            awaits: match (waiting.wait, waiting.holders.first()) {
                (Some(Wait::Mutex), _) => Awaited::Mutex,
                (Some(Wait::RwLock), _) => Awaited::RwLock,
                (Some(Wait::Semaphore), _) => Awaited::Semaphore,
                (Some(Wait::Operation), _) => Awaited::Operation,
                (Some(Wait::Condition | Wait::TimedCondition), _) => Awaited::Condition,
                (Some(Wait::Futex), _) => Awaited::Futex,
                (Some(Wait::Once), _) => Awaited::Once,
                (Some(Wait::Value | Wait::Attempt | Wait::Loop { .. }), _) => Awaited::Value,
                (None, Some(_)) => Awaited::Thread,
                (None, None) => Awaited::Barrier,
            },
            holders: waiting.holders.iter().map(|&holder| self.target(holder)).collect(),
        }
    }

    /// What a thread that waits for a value keeps seeing: the last write.
    fn keeps_seeing(&self, waiting: &Waiting) -> Option<String> {
        let location = self.watched(waiting)?;
        let last = self.graph.location(location).co.last().copied().unwrap_or(EventId::INIT);
        let (value, undefined) = self.graph.content_of(last, location);
        Some(self.value(location, value, undefined.into()))
    }

    /// Who else has written what a thread waits for another value of: the last one first.
    fn writers(&self, waiting: &Waiting) -> Vec<Target> {
        let Some(location) = self.watched(waiting) else { return Vec::new() };
        let mut threads: Vec<ThreadId> = Vec::new();
        for write in self.graph.location(location).co.iter().rev() {
            if write.thread() != waiting.thread && !threads.contains(&write.thread()) {
                threads.push(write.thread());
            }
        }
        threads.into_iter().map(|thread| self.target(thread)).collect()
    }

    /// The location that a thread waits for another value of.
    fn watched(&self, waiting: &Waiting) -> Option<LocationId> {
        let (Some(Wait::Value), Some(address)) = (waiting.wait, waiting.address) else {
            return None;
        };
        let is_there = |location: &&LocationId| self.locations.info(**location).address == address;
        self.graph.touched().iter().find(is_there).copied()
    }

    /// What a thread waits for: what it is about to access, or what its last event, a read of a loop that
    /// spins, has read.
    fn waited_for(&self, waiting: &Waiting) -> Option<String> {
        waiting.wait?;
        if let Some(address) = waiting.address {
            let is_there = |&&id: &&LocationId| self.locations.info(id).address == address;
            let location = self.graph.touched().iter().find(is_there);
            let word = location
                .and_then(|&id| self.futex(id))
                .filter(|_| waiting.wait == Some(Wait::Futex));
            return Some(self.object(word.unwrap_or(address)));
        }
        let last = self.graph.threads_last(waiting.thread)?;
        last.is_read().then(|| self.variable(last.location))
    }
}

/// Which locations are cells of locks, semaphores and the like: what threads do to them tells. Those of libraries have
/// numbers of their own.
fn cells(
    graph: &Graph,
    locations: &Locations,
    names: &dyn Names,
) -> HashMap<LocationId, SyncObject> {
    let mut cells = HashMap::new();
    let mut barriers = Vec::new();
    for &id in graph.order() {
        let event = graph.event(id);
        let object = match event.what() {
            What::Arrive { barrier, .. } => {
                barriers.push(barrier);
                continue;
            }
            What::Read(..) | What::Write(_) if names.operation(event.place).is_some() => {
                continue;
            }
            What::Read(..) | What::Write(_) => match event.flags.role() {
                // The cell of a spin lock is an int.
                Role::Lock | Role::Unlock | Role::TryLock
                    if locations.info(event.location).size == 4 =>
                {
                    SyncObject::SpinLock
                }
                Role::Lock
                | Role::Unlock
                | Role::TryLock
                | Role::EnterSection
                | Role::LeaveSection => SyncObject::Mutex,
                Role::ReadLock | Role::ReadUnlock | Role::WriteLock | Role::WriteUnlock => {
                    SyncObject::RwLock
                }
                Role::Condition => SyncObject::Condition,
                Role::SemaphoreWait | Role::SemaphorePost => SyncObject::Semaphore,
                Role::Data | Role::Initialise | Role::Destroy | Role::Part | Role::FirstPart => {
                    continue;
                }
            },
            _ => continue,
        };
        cells.insert(event.location, object);
    }
    for &location in graph.touched() {
        if barriers.contains(&locations.info(location).address) {
            cells.insert(location, SyncObject::Barrier);
        }
    }
    cells
}
