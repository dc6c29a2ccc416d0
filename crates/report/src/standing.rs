//! Why a step stands where it stands.

use crate::execution::EventName;
use norn_action::Mode;
use norn_models::Delay;
use serde::{Deserialize, Serialize};

/// Why a step stands where it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Standing {
    /// The steps that had to stand above it.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub after: Vec<After>,
    /// The writes that stand above it although they came later: no interleaving does that.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub despite: Vec<Despite>,
    /// Why it comes next, rather than the next step of another thread that could have come.
    pub choice: Choice,
}

/// A step that had to stand above another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct After {
    /// Its number.
    pub step: usize,
    /// Why it had to.
    pub because: Because,
}

/// A write that stands above a step although it should stand below.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Despite {
    /// The write.
    pub event: EventName,
    /// The number of its step, if it is shown.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub step: Option<usize>,
    /// Why it should.
    pub because: Because,
    /// Why the memory model allows that.
    pub allowed: Allowed,
}

/// Why one step comes before another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Because {
    /// Both are of the same thread.
    ProgramOrder,
    /// The first starts the thread of the second.
    Spawn,
    /// The second waits for the thread of the first to end.
    Join,
    /// The second leaves a barrier that the first arrives at.
    Barrier,
    /// The second reads what the first writes.
    ReadsFrom,
    /// The second overwrites what the first writes.
    Coherence,
    /// The second overwrites what the first reads.
    FromRead,
}

impl Because {
    /// Whether every order of the steps respects it. The others no order can respect if the execution is
    /// no interleaving.
    pub fn is_causal(self) -> bool {
        !matches!(self, Because::Coherence | Because::FromRead)
    }
}

/// Why a step was chosen among those that could come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    /// No other thread could go on.
    OnlyOne,
    /// The others would have stood above more that should stand above them.
    FewestOvertaken,
    /// The others are part of what is wrong, and come as late as possible.
    FailingLater,
    /// Its thread goes first wherever it can: that makes the order that is easiest to read.
    PreferredThread,
    /// Its thread took the step above.
    SameThread,
    /// Any would do; its thread has the lowest number.
    LowestThread,
    /// It is what is wrong rather than an event of the execution, and comes last.
    Outcome,
}

/// Why a memory model lets a write stand above a step that does not see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Allowed {
    /// It does not: the order could not be made better.
    NoSingleOrder,
    /// The store may wait in the store buffer of its thread.
    StoreBuffer,
    /// The store may wait in the store buffer of its thread for that variable.
    StoreBuffers,
    /// Nothing orders the two.
    Unordered,
    /// A plain store may be delayed.
    PlainStore,
    /// A relaxed store may be delayed.
    RelaxedStore,
    /// A relaxed load may return an older value.
    RelaxedLoad,
    /// Both are sequentially consistent, but others in between are not.
    OtherAccesses,
    /// Release and acquire do not order a store before a later load.
    ReleaseAcquire,
    /// The model was read from a file, and allows it.
    Model,
}

impl Allowed {
    /// Why a model with this `delay` lets a store with the mode `store` stand above an access with the mode `access` that
    /// should stand above it.
    pub(crate) fn under(delay: Delay, store: Mode, access: Mode) -> Allowed {
        match delay {
            Delay::Never => Allowed::NoSingleOrder,
            Delay::StoreBuffer => Allowed::StoreBuffer,
            Delay::StoreBuffers => Allowed::StoreBuffers,
            Delay::Unordered => Allowed::Unordered,
            Delay::Model => Allowed::Model,
            Delay::Modes => match (store, access) {
                (Mode::Plain, _) => Allowed::PlainStore,
                (Mode::Relaxed, _) => Allowed::RelaxedStore,
                (_, Mode::Relaxed | Mode::Plain) => Allowed::RelaxedLoad,
                (Mode::SeqCst, Mode::SeqCst) => Allowed::OtherAccesses,
                _ => Allowed::ReleaseAcquire,
            },
        }
    }
}
