//! Names of events and locations.

use norn_action::ThreadId;
use serde::{Deserialize, Serialize};
use std::fmt;

const POSITION_BITS: u32 = 21;

/// The thread whose bits are all set is left for the names that are no events.
const _: () = assert!(ThreadId::MOST < 1 << (32 - POSITION_BITS));

/// An event: its thread and its position in that thread's program order, packed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u32")]
pub struct EventId(u32);

/// Numbers come from files, and not each is the name of something.
impl TryFrom<u32> for EventId {
    type Error = String;

    fn try_from(number: u32) -> Result<EventId, String> {
        let id = EventId(number);
        if !id.is_real() || EventId::exists(id.thread(), id.position()) {
            Ok(id)
        } else {
            Err(format!("{number} names no event"))
        }
    }
}

impl EventId {
    /// The write that gives every location its initial value.
    pub const INIT: EventId = EventId(u32::MAX);
    /// No event.
    pub const NONE: EventId = EventId(u32::MAX - 1);
    /// Largest position in a thread.
    pub const MAX_POSITION: u32 = (1 << POSITION_BITS) - 1;

    /// The event at `position` of `thread`, which must be one that [`EventId::exists`].
    #[inline]
    pub fn new(thread: ThreadId, position: u32) -> EventId {
        debug_assert!(EventId::exists(thread, position));
        EventId(thread.0 << POSITION_BITS | position)
    }

    /// Whether there is a name for the event at `position` of `thread`.
    #[inline]
    pub fn exists(thread: ThreadId, position: u32) -> bool {
        thread.index() < ThreadId::MOST && position <= EventId::MAX_POSITION
    }

    /// Its thread. Not for [`EventId::INIT`] and [`EventId::NONE`].
    #[inline]
    pub fn thread(self) -> ThreadId {
        ThreadId(self.0 >> POSITION_BITS)
    }

    /// Its position in program order.
    #[inline]
    pub fn position(self) -> u32 {
        self.0 & EventId::MAX_POSITION
    }

    /// Whether it is an event of a thread.
    #[inline]
    pub fn is_real(self) -> bool {
        self.0 < u32::MAX - 1
    }
}

impl fmt::Debug for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            EventId::INIT => f.write_str("init"),
            EventId::NONE => f.write_str("none"),
            id => write!(f, "T{}.{}", id.thread().0, id.position()),
        }
    }
}

impl fmt::Display for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// A location: an address and a width that is accessed as one unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocationId(pub u32);

impl LocationId {
    /// No location.
    pub const NONE: LocationId = LocationId(u32::MAX);

    /// The id as an index.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
