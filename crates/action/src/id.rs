//! Dense, typed names.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A thread. `ThreadId(0)` is the main thread; the others are numbered by the explorer from
/// (parent, index of the spawn in the parent), so that a thread keeps its name whatever the
/// schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ThreadId(pub u32);

impl ThreadId {
    /// The thread that runs `main`.
    pub const MAIN: ThreadId = ThreadId(0);
    /// How many threads there can be, that of `main` among them: ids are smaller than this. Address maps
    /// and the names of events have room for no more.
    pub const MOST: usize = 2047;

    /// The id as an index into dense per-thread tables.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for ThreadId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ThreadId::MAIN => f.write_str("main"),
            ThreadId(number) => write!(f, "thread {number}"),
        }
    }
}

/// A byte address of the checked program. Addresses do not depend on the schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Address(pub u64);

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

/// Where in the program an action stands: an index that only the machine that made it can
/// translate into a file, line and column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Place(pub u32);

impl Place {
    /// No place is known.
    pub const NONE: Place = Place(u32::MAX);
}
