//! One event.

use crate::{EventId, LocationId};
use norn_action::{Address, Barrier, Mode, Place, Role, ThreadId, Value};

/// What an event does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum EventKind {
    /// Reads a location.
    Read,
    /// Writes a location.
    Write,
    /// A fence.
    Fence,
    /// Starts a thread.
    Spawn,
    /// Ends when a thread has ended.
    Join,
    /// Makes objects visible.
    Publish,
    /// Ends the life of an object.
    Free,
    /// Asks for the size of an object.
    Measure,
    /// A non-deterministic choice.
    Choose,
    /// Arrives at a barrier.
    Arrive,
    /// Leaves a barrier.
    Leave,
    /// The thread ends here with a fault.
    Fault,
}

/// What an event does, with all that belongs to it. Events are stored as [`Event`], which has room for the
/// largest of these once; this is how to look at one whose kind is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Reads a location: the write that it reads from, and the value.
    Read(EventId, Value),
    /// Writes a value to a location.
    Write(Value),
    /// A fence.
    Fence,
    /// Starts a thread.
    Spawn(ThreadId),
    /// Ends when this thread has ended.
    Join(ThreadId),
    /// Makes objects visible.
    Publish,
    /// Ends the life of the object at an address.
    Free {
        /// Where it starts.
        object: Address,
        /// Whether its scope ends; otherwise it is freed by a call.
        scope: bool,
    },
    /// Asks for the size of the object at an address.
    Measure {
        /// Where it starts.
        object: Address,
        /// Whether it is freed, to be handed out again.
        keeps: bool,
    },
    /// A non-deterministic choice.
    Choose {
        /// The answer.
        answer: u64,
        /// Whether the program asked for it; otherwise it is the runtime's own.
        asked: bool,
    },
    /// Arrives at the barrier at an address.
    Arrive {
        /// Where the barrier is.
        barrier: Address,
        /// How often it was passed before.
        round: u32,
    },
    /// Leaves the barrier at an address.
    Leave {
        /// Where the barrier is.
        barrier: Address,
        /// How often it was passed before.
        round: u32,
    },
    /// The thread ends here with a fault.
    Fault,
}

/// Properties of an event, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Flags(pub u8);

impl Flags {
    /// Nothing special.
    pub const NONE: Flags = Flags(0);
    /// Half of a read-modify-write.
    pub const EXCLUSIVE: Flags = Flags(1);
    /// A read whose value does not let the thread go on: it waits.
    pub const BLOCKED: Flags = Flags(2);
    /// A read that lets its thread go on only if its value passes a test.
    pub const WAITS: Flags = Flags(4);
    /// The bits of the role, of which the upper four say what the object is.
    const ROLE: u8 = 0xf8;
    const OBJECT: u8 = 0xf0;

    /// What the role of an access says.
    #[inline]
    pub fn of(role: Role) -> Flags {
        Flags(role as u8)
    }

    /// The role of the access.
    pub fn role(self) -> Role {
        let is = |role: &Role| *role as u8 == self.0 & Flags::ROLE;
        Role::ALL.into_iter().find(is).expect("events have the bits of a role")
    }

    /// Whether the access is of the same object as one with this role would be: a lock and an unlock both
    /// are of a mutex.
    #[inline]
    pub fn is_like(self, role: Role) -> bool {
        self.0 & Flags::OBJECT == role as u8 & Flags::OBJECT
    }

    /// Whether the access takes or gives back a mutex, or what is like one.
    #[inline]
    pub fn is_mutex(self) -> bool {
        self.0 & Role::Lock as u8 != 0
    }

    /// Whether all bits of `other` are set.
    #[inline]
    pub fn has(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }

    /// Both.
    #[inline]
    pub fn with(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }

    /// Without `other`.
    #[inline]
    pub fn without(self, other: Flags) -> Flags {
        Flags(self.0 & !other.0)
    }
}

/// An event of a graph.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    /// The value read or written, or the answer of a choice. Of frees and barriers it is the address; see
    /// [`Event::what`].
    pub value: Value,
    /// What it does.
    pub kind: EventKind,
    /// Its annotation.
    pub mode: Mode,
    /// Its properties.
    pub flags: Flags,
    /// Which of the first eight bytes of the value were never written (bit `i` for byte `i`). An event is
    /// 48 bytes, which leaves no room for those of 16-byte values; they count as written.
    pub undefined: u8,
    /// The location read or written.
    pub location: LocationId,
    /// Reads: the write read from. Writes: the first of their readers.
    pub rf: EventId,
    /// Reads: the next reader of the same write. Writes: unused.
    pub next_reader: EventId,
    /// Writes: index in the location's coherence order. Of other kinds it is what the functions that make
    /// them are given.
    pub(crate) extra: u32,
    /// Place in insertion order.
    pub stamp: u32,
    /// Where in the source.
    pub place: Place,
    /// For the owner of the graph: the saved thread state that is paused at this event.
    pub saved: u32,
}

const _: () = assert!(size_of::<Event>() == 48);

impl Event {
    /// An event of `kind` with nothing else set.
    pub fn new(kind: EventKind, mode: Mode, place: Place) -> Event {
        Event {
            value: Value::ZERO,
            kind,
            mode,
            flags: Flags::NONE,
            undefined: 0,
            location: LocationId::NONE,
            rf: EventId::NONE,
            next_reader: EventId::NONE,
            extra: 0,
            stamp: 0,
            place,
            saved: u32::MAX,
        }
    }

    /// The end of a wait for a thread.
    pub fn join(target: ThreadId, place: Place) -> Event {
        Event { extra: target.0, ..Event::new(EventKind::Join, Mode::Plain, place) }
    }

    /// The end of the life of an object: of its scope, or by a call.
    pub fn free(object: Address, scope: bool, place: Place) -> Event {
        let (value, extra) = (object.0.into(), scope.into());
        Event { value, extra, ..Event::new(EventKind::Free, Mode::Plain, place) }
    }

    /// The question for the size of an object, which is to be handed out again if it `keeps` it.
    pub fn measure(object: Address, keeps: bool, place: Place) -> Event {
        let (value, extra) = (object.0.into(), keeps.into());
        Event { value, extra, ..Event::new(EventKind::Measure, Mode::Plain, place) }
    }

    /// A choice that the program asked for, or one of the runtime's own.
    pub fn choice(answer: u64, asked: bool, place: Place) -> Event {
        let (value, extra) = (answer.into(), asked.into());
        Event { value, extra, ..Event::new(EventKind::Choose, Mode::Plain, place) }
    }

    /// The arrival at a barrier.
    pub fn arrive(barrier: &Barrier) -> Event {
        let (value, extra) = (barrier.address.0.into(), barrier.round);
        Event { value, extra, ..Event::new(EventKind::Arrive, Mode::Plain, barrier.place) }
    }

    /// The leaving of a barrier.
    pub fn leave(barrier: &Barrier) -> Event {
        Event { kind: EventKind::Leave, ..Event::arrive(barrier) }
    }

    /// What it does, with all that belongs to it.
    pub fn what(&self) -> What {
        let (address, round) = (Address(self.value.low()), self.extra);
        match self.kind {
            EventKind::Read => What::Read(self.rf, self.value),
            EventKind::Write => What::Write(self.value),
            EventKind::Fence => What::Fence,
            EventKind::Spawn => What::Spawn(self.target()),
            EventKind::Join => What::Join(self.target()),
            EventKind::Publish => What::Publish,
            EventKind::Free => What::Free { object: address, scope: self.extra == 1 },
            EventKind::Measure => What::Measure { object: address, keeps: self.extra == 1 },
            EventKind::Choose => What::Choose { answer: address.0, asked: self.extra == 1 },
            EventKind::Arrive => What::Arrive { barrier: address, round },
            EventKind::Leave => What::Leave { barrier: address, round },
            EventKind::Fault => What::Fault,
        }
    }

    /// Of a write: its index in the location's coherence order, not counting the initial write.
    #[inline]
    pub fn co_index(&self) -> u32 {
        debug_assert_eq!(self.kind, EventKind::Write);
        self.extra
    }

    /// Of a spawn or a join: the other thread.
    #[inline]
    pub fn target(&self) -> ThreadId {
        debug_assert!(matches!(self.kind, EventKind::Spawn | EventKind::Join));
        ThreadId(self.extra)
    }

    /// Of a spawn: notes that the new thread is like `twin`, which was started before it.
    pub fn set_twin(&mut self, twin: ThreadId) {
        debug_assert_eq!(self.kind, EventKind::Spawn);
        self.value = Value::from(u64::from(twin.0) + 1);
    }

    /// Of a spawn: the thread that the new one is like, if that was noted.
    #[inline]
    pub fn twin(&self) -> Option<ThreadId> {
        debug_assert_eq!(self.kind, EventKind::Spawn);
        self.value.low().checked_sub(1).map(|twin| ThreadId(twin as u32))
    }

    /// Whether it is a join of `thread`.
    #[inline]
    pub fn joins(&self, thread: ThreadId) -> bool {
        self.kind == EventKind::Join && self.extra == thread.0
    }

    /// Of a free or a question for a size: where the object starts.
    #[inline]
    pub fn object(&self) -> Address {
        debug_assert!(matches!(self.kind, EventKind::Free | EventKind::Measure));
        Address(self.value.low())
    }

    /// Whether it is the arrival at a barrier that this one leaves, or that of the same round.
    #[inline]
    pub fn arrives_at(&self, barrier: Address, round: u32) -> bool {
        self.kind == EventKind::Arrive && self.value.low() == barrier.0 && self.extra == round
    }

    /// Whether it reads memory.
    #[inline]
    pub fn is_read(&self) -> bool {
        self.kind == EventKind::Read
    }

    /// Whether it writes memory.
    #[inline]
    pub fn is_write(&self) -> bool {
        self.kind == EventKind::Write
    }

    /// Whether it is half of a read-modify-write.
    #[inline]
    pub fn is_exclusive(&self) -> bool {
        self.flags.has(Flags::EXCLUSIVE)
    }

    /// Whether it is a read that had to wait for a value, or still does.
    #[inline]
    pub fn waits(&self) -> bool {
        self.flags.has(Flags::WAITS)
    }

    /// Whether it is an atomic access that is neither sequentially consistent nor of a mutex, or a
    /// fence: in a graph without any, and without races, C11 is sequentially consistent.
    #[inline]
    pub fn is_weak(&self) -> bool {
        match self.kind {
            EventKind::Read | EventKind::Write => {
                self.mode.is_atomic() && !self.mode.is_seq_cst() && !self.flags.is_mutex()
            }
            EventKind::Fence => true,
            _ => false,
        }
    }

    /// Whether it is a read that waits for another value.
    #[inline]
    pub fn is_blocked(&self) -> bool {
        self.flags.has(Flags::BLOCKED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_are_flags() {
        let all = Flags::EXCLUSIVE.with(Flags::BLOCKED).with(Flags::WAITS);
        for role in Role::ALL {
            let flags = Flags::of(role);
            assert_eq!(flags.with(all).role(), role);
            assert_eq!(flags.with(all).without(all), flags);
        }
        let mutex = Role::ALL.into_iter().filter(|&role| Flags::of(role).is_mutex());
        let all = [Role::Lock, Role::Unlock, Role::EnterSection, Role::LeaveSection];
        assert_eq!(mutex.collect::<Vec<_>>(), all);
        assert!(Flags::of(Role::ReadUnlock).is_like(Role::ReadLock));
        assert!(!Flags::of(Role::EnterSection).is_like(Role::ReadLock));
        assert!(!Flags::of(Role::Unlock).is_like(Role::EnterSection));
    }
}
