//! Adding a read: which write it reads from, and what the thread does then.

use crate::bound::Prune;
use crate::frame::{Choice, ChoiceKind, Floors};
use crate::pool::SavedId;
use crate::trust::Trust;
use norn_action::{Access, Action, Machine, Mode, Test, ThreadId, Value, Wait};
use norn_graph::{Event, EventId, EventKind, Flags, LocationId};
use norn_models::{Model, NewAccess};

/// A read that a thread is paused at: a load, or the first half of a read-modify-write.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PendingRead {
    pub access: Access,
    pub location: LocationId,
    test: Option<Test>,
    wait: Option<Wait>,
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

impl PendingRead {
    pub(crate) fn of(action: &Action, location: LocationId) -> PendingRead {
        match action {
            Action::Load(access, waits) => PendingRead {
                access: *access,
                location,
                test: waits.map(|(test, _)| test),
                wait: waits.map(|(_, wait)| wait),
                rmw: None,
            },
            Action::Rmw(rmw) => PendingRead {
                access: rmw.access,
                location,
                test: rmw.test,
                wait: rmw.wait,
                rmw: Some(rmw.failure_mode),
            },
            _ => unreachable!("only loads and read-modify-writes read"),
        }
    }

    /// Whether it is the first half of a read-modify-write.
    pub(crate) fn is_rmw(&self) -> bool {
        self.rmw.is_some()
    }

    pub(crate) fn becomes(&self, value: Value) -> Becomes {
        let passes = self.test.is_none_or(|test| test.holds(value, self.access.size));
        match (passes, self.wait, self.rmw) {
            (true, _, Some(_)) => Becomes::Exclusive,
            (true, _, None) => Becomes::Plain,
            (false, Some(_), _) => Becomes::Blocked,
            (false, None, _) => Becomes::Plain,
        }
    }

    /// Whether it waits for an object all of whose writes are ordered by `porf`: each is a
    /// read-modify-write, or a store by the thread that holds a lock.
    pub(crate) fn waits_for_chain(&self) -> bool {
        matches!(self.wait, Some(Wait::Mutex | Wait::RwLock | Wait::Semaphore))
            && self.rmw.is_some()
    }

    /// The event, when it gets a value that makes it `becomes`.
    pub(crate) fn event(&self, becomes: Becomes, saved: SavedId) -> Event {
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
        if self.wait.is_some() {
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
            mutex: Flags::of(self.access.role).has(Flags::MUTEX),
        }
    }
}

impl<M: Machine, Mo: Model, P: Prune> Trust<'_, M, Mo, P> {
    /// The read that `thread` is paused at.
    #[inline]
    pub(crate) fn pending_read(&self, thread: ThreadId) -> PendingRead {
        let saved = self.pool.get(self.top.state(thread));
        PendingRead::of(&saved.action, saved.location)
    }

    /// Adds the pending read of `thread`, reading from the newest write that fits.
    pub(crate) fn extend_read(&mut self, thread: ThreadId, desperate: bool) -> bool {
        let read = self.pending_read(thread);
        if !self.touch(read.location) {
            return self.fault_access(thread);
        }
        let newest = self.top.graph.location(read.location).co.len() as u32;
        let floors = self.read_floors(thread, &read, newest);
        self.read_from(thread, newest, floors, desperate)
    }

    pub(crate) fn read_floors(
        &mut self,
        thread: ThreadId,
        read: &PendingRead,
        newest: u32,
    ) -> Floors {
        if newest == 0 {
            return Floors { plain: 0, locked: 0 };
        }
        let graph = &self.top.graph;
        let plain = self.model.floor(graph, &read.new_access(thread, false));
        let locked = if Mo::LOCKED_MATTERS && read.rmw.is_some() {
            self.model.floor(graph, &read.new_access(thread, true))
        } else {
            plain
        };
        Floors { plain, locked }
    }

    /// Adds the pending read of `thread`, reading from coherence index `from` or the nearest below
    /// that fits. False if none does.
    pub(crate) fn read_from(
        &mut self,
        thread: ThreadId,
        from: u32,
        floors: Floors,
        desperate: bool,
    ) -> bool {
        let read = self.pending_read(thread);
        self.touch(read.location);
        let state = self.top.state(thread);
        let newest = self.top.graph.location(read.location).co.len() as u32;
        let oldest = self.top.oldest_source(thread);
        for index in (floors.plain..=from).rev() {
            let source = self.top.graph.co_at(read.location, index);
            let (value, undefined) = self.top.graph.content_of(source, read.location);
            let becomes = read.becomes(value);
            let allowed = match becomes {
                Becomes::Plain => true,
                Becomes::Exclusive => index >= floors.locked,
                Becomes::Blocked => desperate && index == newest,
            };
            if !allowed || (oldest > 0 && !self.is_from(source, oldest)) {
                continue;
            }
            let length = self.top.graph.len() as u32;
            let id = self.top.graph.add_read(thread, read.event(becomes, state), source);
            self.model.added(&mut self.top.graph, id);
            if !self.model.holds(&self.top.graph, id) {
                self.top.graph.pop();
                self.touch(read.location);
                continue;
            }
            self.count_event();
            if index > floors.plain {
                let next = index - 1;
                let kind = ChoiceKind::Read { thread, next, floors, desperate };
                self.top.choices.push(Choice { length, kind });
            }
            self.check_access(id);
            self.after_read(thread, state, becomes, (value, undefined));
            return true;
        }
        self.top.graph.untouch(read.location);
        false
    }

    /// Whether `write` was added at stamp `oldest - 1` or later.
    fn is_from(&self, write: EventId, oldest: u32) -> bool {
        write.is_real() && self.top.graph.event(write).stamp + 1 >= oldest
    }

    /// What the thread of a read does after it, given the value and which of its bytes were never written.
    pub(crate) fn after_read(
        &mut self,
        thread: ThreadId,
        state: SavedId,
        becomes: Becomes,
        (value, undefined): (Value, u8),
    ) {
        match becomes {
            Becomes::Plain => self.advance_partly(thread, state, value, undefined),
            Becomes::Exclusive => self.top.half = Some(thread),
            Becomes::Blocked => {}
        }
    }
}
