//! A whole execution as a value that can be written and read: every event with what it did and where, and
//! the relations between them.
//!
//! * `po` is the order of the events of a thread.
//! * `rf` is in each read: the write that it reads from.
//! * `co` is in each location: its writes, oldest first, without the initial one.
//! * `hb` is given in a reduced form, as the model that searched has it: each event names those of other
//!   threads that happen before it and not before the event above it in its own thread, without those that
//!   happen before another one that it names. `hb` is the transitive closure of these edges and `po`. Under
//!   sc, tso, pso, ra and models that were read from files, `po ∪ rf` is kept for it.

mod record;

pub(crate) use record::record;

use crate::names::Spot;
use norn_action::Mode;
use serde::{Deserialize, Serialize};
use std::fmt;

/// An execution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Execution {
    /// The threads by their numbers.
    pub threads: Vec<Thread>,
    /// The memory objects that more than one thread can reach, by address.
    pub objects: Vec<Object>,
    /// What was read or written as one unit, by address.
    pub locations: Vec<Location>,
}

impl Execution {
    /// The event of that name, if there is one.
    pub fn event(&self, name: EventName) -> Option<&Event> {
        self.threads.get(name.thread as usize)?.events.get(name.index as usize)
    }
}

/// A thread of an execution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Thread {
    /// Its number; 0 is the main thread.
    pub thread: u32,
    /// What it is called.
    pub name: String,
    /// The event that started it; none for the main thread.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub started_by: Option<EventName>,
    /// Whether it is not the author's but part of how the program is run.
    #[serde(skip_serializing_if = "is_false", default)]
    pub scaffolding: bool,
    /// Where the functions that it is in when the execution ends were called, or were inlined, innermost
    /// first.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub callers: Vec<Spot>,
    /// Its events in program order.
    pub events: Vec<Event>,
}

/// An event: its thread, and its index in that thread from 0. Written as `T1.3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(test, schemars(extend("pattern" = r"^T[0-9]+\.[0-9]+$")))]
pub struct EventName {
    /// The thread.
    pub thread: u32,
    /// The index in program order.
    pub index: u32,
}

impl fmt::Display for EventName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "T{}.{}", self.thread, self.index)
    }
}

impl From<EventName> for String {
    fn from(name: EventName) -> String {
        name.to_string()
    }
}

impl TryFrom<String> for EventName {
    type Error = String;

    fn try_from(text: String) -> Result<EventName, String> {
        let parts = text.strip_prefix('T').and_then(|rest| rest.split_once('.'));
        let numbers = parts.and_then(|(thread, index)| {
            Some(EventName { thread: thread.parse().ok()?, index: index.parse().ok()? })
        });
        numbers.ok_or_else(|| format!("`{text}` is no event; events are written like `T1.3`"))
    }
}

/// An event of an execution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Event {
    /// Its name.
    pub id: EventName,
    /// What it does.
    #[serde(flatten)]
    pub action: Action,
    /// Where in the source.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub at: Option<Spot>,
    /// Where the functions around it were called, or were inlined, innermost first.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub callers: Vec<Spot>,
    /// Events of other threads that happen before it, reduced: with program order, the closure of these
    /// edges is happens-before.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub hb: Vec<EventName>,
}

/// What an event does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Action {
    /// Reads a location.
    Read(Read),
    /// Writes a location.
    Write(Write),
    /// A fence.
    Fence {
        /// Its mode.
        #[cfg_attr(test, schemars(schema_with = "crate::schema::mode"))]
        mode: Mode,
    },
    /// Starts a thread.
    Spawn {
        /// Its number.
        target: u32,
    },
    /// Waits until a thread has ended.
    Join {
        /// Its number.
        target: u32,
    },
    /// Makes objects visible to other threads.
    Publish {
        /// Indices of these objects.
        objects: Vec<usize>,
    },
    /// Ends the life of an object.
    Free {
        /// What the object is called.
        object: String,
        /// Its address.
        address: String,
        /// Whether a scope ended, rather than that the program said so.
        scope_end: bool,
    },
    /// Asks the runtime for the size of an object.
    Measure {
        /// What the object is called.
        object: String,
        /// Its address.
        address: String,
        /// Whether it is freed in order to be handed out again.
        reused: bool,
    },
    /// A choice that nothing in the program decides.
    Choose {
        /// What was chosen, as a decimal number.
        value: String,
        /// Whether the runtime asked, rather than the program.
        runtime: bool,
    },
    /// Arrives at a barrier.
    BarrierArrive(Barrier),
    /// Leaves a barrier.
    BarrierLeave(Barrier),
    /// The thread ends here with a fault.
    Fault,
}

/// A read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Read {
    /// Index of the location.
    pub location: usize,
    /// Its mode.
    #[cfg_attr(test, schemars(schema_with = "crate::schema::mode"))]
    pub mode: Mode,
    /// What is read.
    pub value: Value,
    /// Who wrote it.
    pub from: Source,
    /// What the access is to a library object.
    #[serde(skip_serializing_if = "Role::is_data", default)]
    pub role: Role,
    /// Whether it is the first half of a read-modify-write; if that succeeds, the next event is its write.
    #[serde(skip_serializing_if = "is_false", default)]
    pub exclusive: bool,
    /// Whether its thread cannot go on with that value.
    #[serde(skip_serializing_if = "is_false", default)]
    pub blocked: bool,
    /// What else it could have read under the model, oldest first, if all was as it is that does not depend on it. Left
    /// out where that was not asked: under models that were read from files, and of large executions.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub instead: Option<Vec<Source>>,
}

/// A write.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Write {
    /// Index of the location.
    pub location: usize,
    /// Its mode.
    #[cfg_attr(test, schemars(schema_with = "crate::schema::mode"))]
    pub mode: Mode,
    /// What is written.
    pub value: Value,
    /// What the access is to a library object.
    #[serde(skip_serializing_if = "Role::is_data", default)]
    pub role: Role,
    /// Whether it is the second half of a read-modify-write.
    #[serde(skip_serializing_if = "is_false", default)]
    pub exclusive: bool,
}

/// A barrier that is arrived at or left.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Barrier {
    /// What it is called.
    pub object: String,
    /// Its address.
    pub address: String,
    /// How often everybody met there before.
    pub round: u32,
}

/// Where the value of a read came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// It was there when the object became visible.
    Initial,
    /// This event wrote it.
    Event(EventName),
}

/// What an access is to an object of the library.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Data of the program.
    #[default]
    Data,
    /// Waits for a mutex and takes it.
    Lock,
    /// Takes a mutex if it is free.
    TryLock,
    /// Gives a mutex back.
    Unlock,
    /// Enters the section in which no other thread moves.
    EnterSection,
    /// Leaves it.
    LeaveSection,
    /// Enters a reader-writer lock as a reader.
    ReadLock,
    /// Leaves it as a reader.
    ReadUnlock,
    /// Enters a reader-writer lock as a writer.
    WriteLock,
    /// Leaves it as a writer.
    WriteUnlock,
    /// Reads or changes the set of those who wait for a condition variable.
    Condition,
    /// Takes one from a semaphore.
    SemaphoreWait,
    /// Adds one to a semaphore.
    SemaphorePost,
    /// Makes a lock, semaphore or the like.
    Initialise,
    /// Ends one.
    Destroy,
    /// A part of an access that is made in several parts, after the first one.
    Part,
    /// The first of them.
    FirstPart,
}

impl From<norn_action::Role> for Role {
    fn from(role: norn_action::Role) -> Role {
        match role {
            norn_action::Role::Data => Role::Data,
            norn_action::Role::Lock => Role::Lock,
            norn_action::Role::TryLock => Role::TryLock,
            norn_action::Role::Unlock => Role::Unlock,
            norn_action::Role::EnterSection => Role::EnterSection,
            norn_action::Role::LeaveSection => Role::LeaveSection,
            norn_action::Role::ReadLock => Role::ReadLock,
            norn_action::Role::ReadUnlock => Role::ReadUnlock,
            norn_action::Role::WriteLock => Role::WriteLock,
            norn_action::Role::WriteUnlock => Role::WriteUnlock,
            norn_action::Role::Condition => Role::Condition,
            norn_action::Role::SemaphoreWait => Role::SemaphoreWait,
            norn_action::Role::SemaphorePost => Role::SemaphorePost,
            norn_action::Role::Initialise => Role::Initialise,
            norn_action::Role::Destroy => Role::Destroy,
            norn_action::Role::Part => Role::Part,
            norn_action::Role::FirstPart => Role::FirstPart,
        }
    }
}

impl Role {
    fn is_data(&self) -> bool {
        *self == Role::Data
    }

    /// Whether it takes a mutex, or would if it were free.
    pub fn takes_mutex(self) -> bool {
        matches!(self, Role::Lock | Role::TryLock | Role::EnterSection)
    }
}

/// A value in memory. Its type is that of the location.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Value {
    /// As a person would write it: `-1`, `&nodes[1]`, `heap:20`.
    pub text: String,
    /// All its bits, as a hexadecimal number.
    pub bits: String,
    /// Which of its first eight bytes were never written: bit `i` for byte `i`.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub undefined: u8,
}

/// A location: bytes that are accessed as one unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Location {
    /// What it is called.
    pub name: String,
    /// The type of its values, if debug information tells.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none", default)]
    pub type_name: Option<String>,
    /// Its first byte.
    pub address: String,
    /// How many bytes.
    pub size: u8,
    /// Index of the object that it is part of.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub object: Option<usize>,
    /// Where in that object it starts.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub offset: Option<u64>,
    /// Its value when the object became visible.
    pub initial: Value,
    /// Its writes in coherence order, without the initial one.
    pub co: Vec<EventName>,
}

/// A memory object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Object {
    /// What it is called.
    pub name: String,
    /// What kind of storage it has.
    pub storage: Storage,
    /// Its first byte.
    pub address: String,
    /// How many bytes.
    pub size: u64,
    /// Whether it may not be written.
    #[serde(skip_serializing_if = "is_false", default)]
    pub read_only: bool,
    /// Where it was declared or allocated.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub at: Option<Spot>,
    /// The event that made it visible to other threads.
    pub published_by: EventName,
    /// The event that ended its life.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub freed_by: Option<EventName>,
}

/// What kind of storage an object has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Storage {
    /// A global or static variable.
    Global,
    /// A thread-local variable.
    ThreadLocal,
    /// A local variable.
    Stack,
    /// Memory from the allocator of C.
    Heap,
    /// Memory from `new`.
    New,
    /// Memory from `new[]`.
    NewArray,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

fn is_zero(bits: &u8) -> bool {
    *bits == 0
}

#[cfg(test)]
mod tests;
