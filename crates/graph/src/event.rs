//! One event.

use crate::{EventId, LocationId};
use norn_action::{Mode, Place, Role, Value};

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
    /// Starts the thread in `other`.
    Spawn,
    /// Ends when the thread in `other` has ended.
    Join,
    /// Makes objects visible; `other` is the index of the batch.
    Publish,
    /// Ends the life of the object in `value`.
    Free,
    /// Asks for the size of the object in `value`; `other` is 1 unless it is freed to be handed out again.
    Measure,
    /// A non-deterministic choice; `value` is the answer, `other` is 1 if it is the runtime's own.
    Choose,
    /// Arrives at the barrier at `value`, round `other`.
    Arrive,
    /// Leaves the barrier at `value`, round `other`.
    Leave,
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
    /// A read-modify-write or write of a mutex.
    pub const MUTEX: Flags = Flags(4);
    /// A read that lets its thread go on only if its value passes a test.
    pub const WAITS: Flags = Flags(8);
    /// Enters or leaves the section in which no other thread moves.
    pub const SECTION: Flags = Flags(16);
    /// The reader's side of a reader-writer lock.
    pub const SHARED: Flags = Flags(32);
    /// The writer's side of a reader-writer lock.
    pub const WRITER: Flags = Flags(64);
    /// Reads or changes the set of those who wait for a condition variable.
    pub const CONDITION: Flags = Flags(128);

    /// What the role of an access says.
    #[inline]
    pub fn of(role: Role) -> Flags {
        Flags(role as u8)
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
    /// The value read or written; for other kinds see [`EventKind`].
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
    /// Writes: index in the location's coherence order. Other kinds: see [`EventKind`].
    pub other: u32,
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
            other: 0,
            stamp: 0,
            place,
            saved: u32::MAX,
        }
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
                self.mode.is_atomic() && !self.mode.is_seq_cst() && !self.flags.has(Flags::MUTEX)
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
        assert_eq!(Flags::of(Role::Data), Flags::NONE);
        assert_eq!(Flags::of(Role::Mutex), Flags::MUTEX);
        assert_eq!(Flags::of(Role::Section), Flags::MUTEX.with(Flags::SECTION));
        assert_eq!(Flags::of(Role::Shared), Flags::SHARED);
        assert_eq!(Flags::of(Role::Exclusive), Flags::WRITER);
        assert_eq!(Flags::of(Role::Condition), Flags::CONDITION);
    }
}
