//! The accesses that threads are paused at, and the events that they become.

use super::Execution;
use super::pool::Paused;
use super::stance::{Stance, WaitsFor};
use norn_action::{Access, Action, Machine, Mode, StateId, Test, ThreadId, Value};
use norn_graph::{Event, EventId, EventKind, Flags, Graph, LocationId};
use norn_models::{Model, NewAccess};
use serde::{Deserialize, Serialize};

/// A read that a thread is paused at: a load, or the first half of a read-modify-write.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PendingRead {
    pub access: Access,
    pub location: LocationId,
    test: Option<Test>,
    pub waits: WaitsFor,
    /// Set for a read-modify-write: the mode of the read if it fails.
    rmw: Option<Mode>,
}

/// What becomes of a pending read that gets a certain value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Becomes {
    /// A read; the thread goes on.
    Plain,
    /// The read of a read-modify-write that succeeds.
    Exclusive,
    /// A read that the thread cannot go on from.
    Blocked,
}

/// The least coherence indices that a read may read from: as a plain read, and as the first half of a
/// read-modify-write that succeeds.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Floors {
    pub plain: u32,
    pub locked: u32,
}

impl PendingRead {
    #[inline]
    pub(crate) fn of(paused: &Paused) -> PendingRead {
        let Stance::Read(waits) = paused.stance else {
            unreachable!("only loads and read-modify-writes read")
        };
        let (access, test, rmw) = match &paused.action {
            Action::Load(access, wait) => (*access, wait.map(|(test, _)| test), None),
            Action::Rmw(rmw) => (rmw.access, rmw.test, Some(rmw.failure_mode)),
            _ => unreachable!("only loads and read-modify-writes read"),
        };
        PendingRead { access, location: paused.location, test, waits, rmw }
    }

    /// Whether it is the first half of a read-modify-write.
    pub(crate) fn is_rmw(&self) -> bool {
        self.rmw.is_some()
    }

    /// Given the value and which of its bytes were never written. One who waits for a value goes on with
    /// such a value: what is wrong is that it is looked at.
    pub(crate) fn becomes(&self, (value, undefined): (Value, u8)) -> Becomes {
        let passes = self.test.is_none_or(|test| {
            test.holds(value, self.access.size) || undefined != 0 && self.waits == WaitsFor::Value
        });
        match (passes, self.waits, self.rmw) {
            (true, _, Some(_)) => Becomes::Exclusive,
            (true, _, None) | (false, WaitsFor::Nothing, _) => Becomes::Plain,
            (false, ..) => Becomes::Blocked,
        }
    }

    /// The event, when it gets a value that makes it `becomes`.
    pub(crate) fn event(&self, becomes: Becomes, saved: StateId) -> Event {
        let mode = match (becomes, self.rmw) {
            (Becomes::Exclusive, _) | (_, None) => self.access.mode.of_read(),
            (_, Some(failure)) => failure,
        };
        let mut event = Event::new(EventKind::Read, mode, self.access.place);
        event.location = self.location;
        event.saved = saved;
        event.flags = Flags::of(self.access.role).with(match becomes {
            Becomes::Plain => Flags::NONE,
            Becomes::Exclusive => Flags::EXCLUSIVE,
            Becomes::Blocked => Flags::BLOCKED,
        });
        if self.waits != WaitsFor::Nothing {
            event.flags = event.flags.with(Flags::WAITS);
        }
        event
    }

    pub(crate) fn new_access(&self, thread: ThreadId, locked: bool) -> NewAccess {
        NewAccess {
            thread,
            location: self.location,
            write: false,
            locked,
            mode: self.access.mode,
            mutex: Flags::of(self.access.role).is_mutex(),
        }
    }
}

/// A write that a thread is paused at: a store, or the second half of a read-modify-write.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PendingWrite {
    pub access: Access,
    pub location: LocationId,
    value: Value,
    /// The source of the exclusive read, for the second half of a read-modify-write.
    pub source: Option<EventId>,
    /// What the thread is told when the write is done, and which bytes of that were never written.
    pub answer: Value,
    pub undefined_answer: u8,
}

impl PendingWrite {
    /// The event.
    pub(crate) fn event(&self, saved: StateId) -> Event {
        let mut event = Event::new(EventKind::Write, self.access.mode, self.access.place);
        event.flags = Flags::of(self.access.role);
        if self.source.is_some() {
            event.mode = self.access.mode.of_write();
            event.flags = event.flags.with(Flags::EXCLUSIVE);
        }
        event.location = self.location;
        event.value = self.value;
        event.undefined = self.access.undefined;
        event.saved = saved;
        event
    }
}

impl<M: Machine, Mo: Model> Execution<'_, M, Mo> {
    /// The read that `thread` is paused at.
    #[inline]
    pub(crate) fn pending_read(&self, thread: ThreadId) -> PendingRead {
        PendingRead::of(self.pool.get(self.state(thread)))
    }

    /// From where on the read of `thread` may read, where `newest` writes are there.
    pub(crate) fn read_floors(
        &mut self,
        thread: ThreadId,
        read: &PendingRead,
        newest: u32,
    ) -> Floors {
        if newest == 0 {
            return Floors::default();
        }
        let graph = &self.graph;
        let plain = self.model.floor(graph, &read.new_access(thread, false));
        let locked = if Mo::LOCKED_MATTERS && read.rmw.is_some() {
            self.model.floor(graph, &read.new_access(thread, true))
        } else {
            plain
        };
        Floors { plain, locked }
    }

    /// What the thread of a read does after it, given the value and which of its bytes were never written.
    pub(crate) fn after_read(
        &mut self,
        thread: ThreadId,
        state: StateId,
        becomes: Becomes,
        (value, undefined): (Value, u8),
    ) {
        match becomes {
            Becomes::Plain => self.advance_partly(thread, state, value, undefined),
            Becomes::Exclusive => self.half = Some(thread),
            Becomes::Blocked => {}
        }
    }

    /// The write that `thread` is paused at.
    pub(crate) fn pending_write(&self, thread: ThreadId) -> PendingWrite {
        let saved = self.pool.get(self.state(thread));
        match &saved.action {
            Action::Store(access, value) => PendingWrite {
                access: *access,
                location: saved.location,
                value: value.truncate(access.size),
                source: None,
                answer: Value::ZERO,
                undefined_answer: 0,
            },
            Action::Rmw(rmw) => {
                let graph = &self.graph;
                let read = graph.event(graph.last_of(thread));
                PendingWrite {
                    access: rmw.access,
                    location: saved.location,
                    value: rmw.op.apply(read.value, rmw.operand, rmw.access.size),
                    source: Some(read.rf),
                    answer: read.value,
                    undefined_answer: read.undefined,
                }
            }
            _ => unreachable!("only stores and read-modify-writes write"),
        }
    }

    /// Adds the write that `thread` is paused at to the end of the coherence order.
    pub(crate) fn add_last_write(&mut self, thread: ThreadId) -> EventId {
        let write = self.pending_write(thread);
        let end = self.graph.location(write.location).co.len() as u32 + 1;
        self.graph.add_write(thread, write.event(self.state(thread)), end)
    }

    /// The least coherence index that the write may stand right after.
    pub(crate) fn write_floor(&mut self, thread: ThreadId, write: &PendingWrite) -> u32 {
        if write.source.is_some() || self.graph.location(write.location).co.is_empty() {
            return 0;
        }
        let PendingWrite { access: Access { mode, role, .. }, location, .. } = *write;
        let mutex = Flags::of(role).is_mutex();
        let access = NewAccess { thread, location, write: true, locked: false, mode, mutex };
        self.model.floor(&self.graph, &access)
    }

    /// Adds the write to the graph at the first place that is consistent; returns the coherence
    /// index it stands after.
    pub(crate) fn add_write_below(
        &mut self,
        thread: ThreadId,
        write: &PendingWrite,
        from: u32,
        floor: u32,
    ) -> Option<(u32, EventId)> {
        let (from, floor) = match write.source {
            Some(source) => {
                let index = self.graph.co_index(source);
                if index > from || self.graph.taken_by(source, write.location) != EventId::NONE {
                    return None;
                }
                (index, index)
            }
            None => (from, floor),
        };
        let state = self.state(thread);
        for after in (floor..=from).rev() {
            if write.source.is_none() && splits_exclusive_pair(&self.graph, write.location, after) {
                continue;
            }
            let id = self.graph.add_write(thread, write.event(state), after + 1);
            self.added(id);
            if self.model.holds(&self.graph, id) {
                return Some((after, id));
            }
            self.graph.pop();
            self.touch(write.location);
        }
        None
    }
}

/// Whether a write right after coherence index `after` would come between the two halves of a
/// read-modify-write.
fn splits_exclusive_pair(graph: &Graph, location: LocationId, after: u32) -> bool {
    let co = &graph.location(location).co;
    co.get(after as usize).is_some_and(|&next| graph.event(next).is_exclusive())
}
