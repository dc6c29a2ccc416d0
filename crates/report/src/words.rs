//! Steps in words: the one place that makes text of them.

use crate::standing::Allowed;
use crate::step::{Awaited, Blocked, Changing, Origin, Reading, Step, Stuck, Wait, Writing};
use norn_action::Mode;
use std::fmt;

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Load(reading) => load(f, reading),
            Step::Store(Writing { variable, written, mode: Mode::Plain }) => {
                write!(f, "store {variable} = {written}")
            }
            Step::Store(Writing { variable, written, mode }) => {
                write!(f, "store {variable} = {written} ({mode})")
            }
            Step::Own => f.write_str("access memory of its own"),
            Step::Rmw(Changing { variable, read, written, mode, from }) => {
                write!(f, "{variable}: {read} -> {written}{}", origin(*mode, *from))
            }
            Step::Lock(Changing { variable, .. }) => write!(f, "lock {variable}"),
            Step::Unlock(Writing { variable, .. }) => write!(f, "unlock {variable}"),
            Step::Initialise(Writing { variable, .. }) => write!(f, "initialise {variable}"),
            Step::Destroy(Writing { variable, .. }) => write!(f, "destroy {variable}"),
            Step::Wait(Wait::Read(Blocked { reading, locked: true })) => {
                write!(f, "{} is locked ({})", reading.variable, reading.from)
            }
            Step::Wait(Wait::Read(Blocked { reading, locked: false })) => load(f, reading),
            Step::Wait(Wait::Stuck(stuck)) => stuck.fmt(f),
            Step::Fence { mode } => write!(f, "fence ({mode})"),
            Step::Spawn(target) => write!(f, "start {}", target.target_name),
            Step::Join(target) => write!(f, "join {}", target.target_name),
            Step::Free { object, reused: false } => write!(f, "free {object}"),
            Step::Free { object, reused: true } => {
                write!(f, "free {object}; its memory will be handed out again")
            }
            Step::Choose { value } => write!(f, "choose {value}"),
            Step::BarrierArrive { object } => write!(f, "arrive at {object}"),
            Step::BarrierLeave { object } => write!(f, "leave {object}"),
            Step::Fail { what } => f.write_str(what.as_deref().unwrap_or("fails here")),
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Initial => f.write_str("initial"),
            Origin::Step(number) => write!(f, "from {number}"),
            Origin::Elsewhere => f.write_str("from elsewhere"),
        }
    }
}

fn load(f: &mut fmt::Formatter<'_>, reading: &Reading) -> fmt::Result {
    let Reading { variable, read, mode, from } = reading;
    write!(f, "load {variable} = {read}{}", origin(*mode, *from))
}

/// The mode, nothing for plain accesses, and where the value is from, as far as there is a word for that.
fn origin(mode: Mode, from: Origin) -> String {
    match (mode, from) {
        (Mode::Plain, Origin::Elsewhere) => String::new(),
        (mode, Origin::Elsewhere) => format!(" ({mode})"),
        (Mode::Plain, from) => format!(" ({from})"),
        (mode, from) => format!(" ({mode}, {from})"),
    }
}

impl fmt::Display for Stuck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let holders: Vec<&str> = self.holders.iter().map(|one| one.target_name.as_str()).collect();
        let holders = holders.join(" and ");
        let what = match (self.awaits, &self.variable) {
            (Awaited::Thread, _) => {
                return write!(f, "waits for {holders} to end");
            }
            (Awaited::Barrier, _) => return f.write_str("waits at the barrier"),
            (Awaited::Value, None) => return f.write_str("waits for a value that never comes"),
            (Awaited::Mutex, _) => "the mutex",
            (Awaited::RwLock, _) => "the reader-writer lock",
            (Awaited::Semaphore, _) => "the semaphore",
            (Awaited::Operation, _) => "its turn at",
            (Awaited::Condition, _) => "a signal on the condition variable",
            (Awaited::Futex, _) => "a wake-up at",
            (Awaited::Once, _) => "the end of the call through",
            (Awaited::Value, _) => "another value of",
        };
        write!(f, "waits for {what}")?;
        if let Some(variable) = &self.variable {
            write!(f, " {variable}")?;
        }
        match self.awaits {
            _ if holders.is_empty() => Ok(()),
            Awaited::Mutex | Awaited::RwLock => write!(f, ", held by {holders}"),
            Awaited::Once => write!(f, ", run by {holders}"),
            _ => Ok(()),
        }?;
        match (&self.sees, &self.writers[..]) {
            (Some(value), []) => write!(f, " than {value}, which no other thread writes"),
            (Some(value), [last, ..]) => {
                write!(f, " than {value}, which {} wrote last", last.target_name)
            }
            (None, _) => Ok(()),
        }
    }
}

impl fmt::Display for Allowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Allowed::NoSingleOrder => "no single order explains all steps",
            Allowed::StoreBuffer => "the store may wait in its thread's store buffer",
            Allowed::StoreBuffers => {
                "the store may wait in its thread's store buffer for that variable"
            }
            Allowed::Model => "the model allows it",
            Allowed::Unordered => "nothing orders the two, so the store may arrive later here",
            Allowed::PlainStore => "the plain store may be delayed",
            Allowed::RelaxedStore => "the relaxed store may be delayed",
            Allowed::RelaxedLoad => "the relaxed load may return an older value",
            Allowed::OtherAccesses => "other accesses in between are not seq_cst",
            Allowed::ReleaseAcquire => {
                "release and acquire do not order a store before a later load"
            }
        })
    }
}

/// What is surprising about a step that could not stand where it does in an interleaving.
pub(crate) struct Surprise<'n> {
    /// Whose step it is.
    pub(crate) who: &'n str,
    /// What it reads, if it reads.
    pub(crate) read: Option<&'n str>,
    /// Of what.
    pub(crate) variable: &'n str,
    /// Who stored something newer above it.
    pub(crate) storer: &'n str,
    /// What.
    pub(crate) stored: &'n str,
    /// In which step, if that is shown.
    pub(crate) step: Option<usize>,
    /// Why that may be.
    pub(crate) allowed: Allowed,
}

impl fmt::Display for Surprise<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Surprise { who, read, variable, storer, stored, step, allowed } = self;
        let at = step.map_or(String::new(), |number| format!(" in step {number}"));
        match read {
            Some(old) => write!(
                f,
                "{who} reads {variable} = {old} although {storer} already stored {stored}{at}: \
                 {allowed}"
            ),
            None => write!(
                f,
                "{who} stores to {variable} after {storer} stored {stored}{at}, yet {stored} remains \
                 the newer value: {allowed}"
            ),
        }
    }
}
