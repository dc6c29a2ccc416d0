//! What a step of a trace does, as a value. Its words are made in [`crate::words`].

use norn_action::Mode;
use serde::{Deserialize, Serialize};

/// Where the value that a step reads came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// It was there from the start.
    Initial,
    /// A step with this number wrote it.
    Step(usize),
    /// A step wrote it that has no number here.
    Elsewhere,
}

/// What one step of the execution that shows a violation does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "action", rename_all = "snake_case")]
pub enum Step {
    /// Reads a variable.
    Load(Reading),
    /// Writes a variable.
    Store(Writing),
    /// Accesses memory that no other thread can change or reach, which is shown only to who asks for it.
    Own,
    /// Reads a variable and writes it in one go.
    Rmw(Changing),
    /// Takes a mutex.
    Lock(Changing),
    /// Gives a mutex back.
    Unlock(Writing),
    /// A lock, semaphore or the like is made.
    Initialise(Writing),
    /// One is ended.
    Destroy(Writing),
    /// Cannot go on.
    Wait(Wait),
    /// A fence.
    Fence {
        /// The C11 mode.
        #[cfg_attr(test, schemars(schema_with = "crate::schema::mode"))]
        mode: Mode,
    },
    /// Starts a thread.
    Spawn(Target),
    /// Goes on after a thread has ended.
    Join(Target),
    /// Ends the life of an object.
    Free {
        /// What it is called.
        object: String,
        /// Whether its memory will be handed out again.
        #[serde(default)]
        reused: bool,
    },
    /// Chooses what nothing in the program decides.
    Choose {
        /// What was chosen, as a decimal number.
        value: String,
    },
    /// Arrives at a barrier.
    BarrierArrive {
        /// What the barrier is called.
        object: String,
    },
    /// Leaves a barrier.
    BarrierLeave {
        /// What the barrier is called.
        object: String,
    },
    /// Fails.
    Fail {
        /// What is wrong, in a few words.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        what: Option<String>,
    },
}

impl Step {
    /// The same, for who does not see the step that wrote what this one reads.
    pub(crate) fn alone(mut self) -> Step {
        match &mut self {
            Step::Load(Reading { from, .. })
            | Step::Rmw(Changing { from, .. })
            | Step::Lock(Changing { from, .. })
            | Step::Wait(Wait::Read(Blocked { reading: Reading { from, .. }, .. }))
                if *from != Origin::Initial =>
            {
                *from = Origin::Elsewhere;
            }
            _ => {}
        }
        self
    }
}

/// A variable that is read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Reading {
    /// The variable.
    pub variable: String,
    /// The value that is read.
    pub read: String,
    /// The C11 access mode.
    #[cfg_attr(test, schemars(schema_with = "crate::schema::mode"))]
    pub mode: Mode,
    /// Where the value came from.
    pub from: Origin,
}

/// A variable that is written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Writing {
    /// The variable.
    pub variable: String,
    /// The value that is written.
    pub written: String,
    /// The C11 access mode.
    #[cfg_attr(test, schemars(schema_with = "crate::schema::mode"))]
    pub mode: Mode,
}

/// A variable that is read and written in one go.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Changing {
    /// The variable.
    pub variable: String,
    /// The value that is read.
    pub read: String,
    /// The value that is written.
    pub written: String,
    /// The C11 access mode.
    #[cfg_attr(test, schemars(schema_with = "crate::schema::mode"))]
    pub mode: Mode,
    /// Where the value that is read came from.
    pub from: Origin,
}

/// A thread that is started or waited for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Target {
    /// Its number.
    pub target: u32,
    /// What it is called.
    pub target_name: String,
}

/// A thread that cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Wait {
    /// It read a value that does not let it go on, or found a mutex locked.
    Read(Blocked),
    /// It waits for ever.
    Stuck(Stuck),
}

/// A read whose value does not let its thread go on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Blocked {
    /// What is read.
    #[serde(flatten)]
    pub reading: Reading,
    /// Whether that is a mutex.
    pub locked: bool,
}

/// A thread that waits for ever.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Stuck {
    /// The variable that it waits for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub variable: Option<String>,
    /// The value that it keeps seeing there, if it waits for another one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub sees: Option<String>,
    /// The other threads that have written there, the last one first, if it waits for another value.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub writers: Vec<Target>,
    /// What would let it go on.
    pub awaits: Awaited,
    /// The threads that it waits for, as far as they are known: the holder of a mutex, all that are in a
    /// reader-writer lock, who runs the call, or who is joined.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub holders: Vec<Target>,
}

/// What would let a waiting thread go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Awaited {
    /// That a mutex is given back.
    Mutex,
    /// That a reader-writer lock is given back.
    RwLock,
    /// That a semaphore is posted.
    Semaphore,
    /// What an operation of a library waits for.
    Operation,
    /// A signal on a condition variable.
    Condition,
    /// A wake-up at a futex.
    Futex,
    /// The end of a call that is made once for all.
    Once,
    /// Another value.
    Value,
    /// The end of a thread.
    Thread,
    /// That everybody arrives at a barrier.
    Barrier,
}
