//! The sentences that say what is wrong and what cannot be run: faults become words here and nowhere else.
//!
//! A [`Wrong`] and a [`norn_action::Obstacle`] know addresses, threads and sizes; [`Names`] knows what they are
//! called. The matches on them are complete, so that nothing can be added to either without a sentence.

mod memory;
mod obstacle;
mod program;
mod sync;
#[cfg(test)]
mod tests;

pub use obstacle::obstacle_sentence;

use crate::describe::Describer;
use crate::names::Names;
use norn_action::{
    Address, Claim, Division, End, Ending, Fault, FaultKind, Inside, Mode, Near, ThreadId,
    Unwritten, Wrong,
};
use norn_explore::{Violation, Waiting};
use norn_graph::{EventId, EventKind, Graph};

/// What is wrong, in one sentence. `graph` knows the objects that threads share; an empty one will do where
/// there is none.
pub fn fault_sentence(fault: &Fault, names: &dyn Names, graph: &Graph) -> String {
    sentence(&fault.what, &Lookup { names, graph, inside: fault.inside.as_deref() })
}

/// Whom to ask what things are called.
pub(crate) struct Lookup<'a> {
    pub names: &'a dyn Names,
    pub graph: &'a Graph,
    /// What the fault is about, if only its thread knows that.
    pub inside: Option<&'a Inside>,
}

impl Lookup<'_> {
    /// What is at an address.
    fn object(&self, address: Address) -> String {
        match self.inside {
            Some(inside) if inside.address() == address => self.names.private(inside),
            _ => self.names.variable(self.graph, address, 1),
        }
    }

    /// Whether there is an object at an address that has a name.
    fn is_known(&self, address: Address) -> bool {
        self.inside.is_some_and(|inside| inside.address() == address)
            || self.graph.objects().find(address).is_some()
    }

    /// The whole object that an access misses.
    fn whole(&self, near: &Near) -> String {
        match self.graph.objects().find(near.start) {
            Some(_) => self.names.object(self.graph, near.start),
            None => {
                let Near { kind, place, start, .. } = *near;
                self.names.private_object(&Inside { kind, place, start, offset: 0 })
            }
        }
    }

    fn thread(&self, thread: ThreadId) -> String {
        self.names.short_thread(thread)
    }
}

fn sentence(what: &Wrong, lookup: &Lookup<'_>) -> String {
    match what {
        Wrong::Claim(claim) => program::claim(claim),
        Wrong::Access(access) => memory::access(access, lookup),
        Wrong::Outlived(end) => memory::outlived(*end).to_owned(),
        Wrong::Free(free) => memory::free(*free, lookup),
        Wrong::Unwritten(unwritten) => memory::unwritten(unwritten, lookup),
        Wrong::Constant(write) => memory::constant(*write, lookup),
        Wrong::Race => "two accesses are not ordered".to_owned(),
        Wrong::Sync(sync) => sync::sync(*sync, lookup),
        Wrong::Join(join) => sync::join(*join, lookup),
        Wrong::Stuck(stuck) => format!("a thread {}", sync::waits(*stuck, lookup)),
        Wrong::Division(division) => program::division(*division).to_owned(),
        Wrong::Call(call) => program::call(*call),
        Wrong::Ending(ending) => program::ending(ending),
        Wrong::Undefined(undefined) => program::undefined(*undefined, lookup),
    }
}

/// A kind of fault in a few words.
pub(crate) fn title(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::Assertion => "assertion failed",
        FaultKind::ReachError => "error reached",
        FaultKind::DataRace => "data race",
        FaultKind::Deadlock => "deadlock",
        FaultKind::Livelock => "waits for ever",
        FaultKind::UseAfterFree => "use after free",
        FaultKind::DoubleFree => "double free",
        FaultKind::InvalidFree => "invalid free",
        FaultKind::OutOfBounds => "access out of bounds",
        FaultKind::NullPointer => "null pointer",
        FaultKind::WildPointer => "wild pointer",
        FaultKind::ReadOnlyWrite => "write to read-only memory",
        FaultKind::UninitialisedRead => "uninitialised read",
        FaultKind::UseAfterReturn => "stack use after return",
        FaultKind::UnlockNotHeld => "unlock of a lock that is not held",
        FaultKind::InvalidSync => "use of an invalid synchronisation object",
        FaultKind::InvalidJoin => "invalid join",
        FaultKind::DivisionByZero => "division by zero",
        FaultKind::Abort => "abort",
        FaultKind::UncaughtException => "uncaught exception",
        FaultKind::UndefinedBehaviour => "undefined behaviour",
    }
}

/// The message of a violation.
pub(crate) fn message(violation: &Violation, describer: &Describer<'_>) -> String {
    let what = &violation.fault.what;
    let lookup = describer.lookup(&violation.fault);
    let (title, said) = (title(what.kind()), sentence(what, &lookup));
    match (what, violation.event, violation.other) {
        (Wrong::Race, Some(event), Some(other)) => race(violation, describer, event, other),
        (Wrong::Outlived(end), Some(event), Some(free)) => {
            let (user, freer) = (describer.thread(event.thread()), describer.thread(free.thread()));
            let ended = match end {
                // One thread is in no doubt about the order of what it does.
                End::Free if event.thread() == free.thread() => "after it has freed it".to_owned(),
                End::Free => format!("when {freer} may have freed it"),
                End::Return => format!("when its function in {freer} may have returned"),
            };
            let variable = variable(violation, describer, event);
            format!("{title} of `{variable}`: {user} accesses it {ended}")
        }
        (Wrong::Unwritten(Unwritten::Shared(address)), ..) => {
            let variable = describer.object(*address);
            format!("{title} of `{variable}`: read before anything was written to it")
        }
        (Wrong::Stuck(_), ..) if !violation.waiting.is_empty() => stuck(violation, describer),
        // A thread that blocks itself has nobody to wait for.
        (Wrong::Stuck(stuck), ..) => {
            let thread = describer.thread(violation.thread);
            format!("{title}: {thread} {}", sync::waits(*stuck, &lookup))
        }
        _ if names_its_kind(what) => said,
        _ => format!("{title}: {said}"),
    }
}

/// Whether a sentence says by itself what kind of fault it is about.
fn names_its_kind(what: &Wrong) -> bool {
    match what {
        Wrong::Claim(claim) => *claim != Claim::NoError,
        Wrong::Division(division) => *division == Division::ByZero,
        Wrong::Ending(ending) => *ending == Ending::Abort,
        _ => false,
    }
}

fn variable(violation: &Violation, describer: &Describer<'_>, event: EventId) -> String {
    let event = violation.graph.event(event);
    match event.kind {
        EventKind::Free => describer.object(Address(event.value.low())),
        _ => describer.variable(event.location),
    }
}

/// What an event does to memory, in words.
pub(crate) fn access_words(violation: &Violation, id: EventId) -> String {
    let event = violation.graph.event(id);
    let mode = match event.mode {
        Mode::Plain => "plain".to_owned(),
        other => format!("atomic ({other})"),
    };
    match event.kind {
        EventKind::Read => format!("{mode} load"),
        EventKind::Write => format!("{mode} store"),
        EventKind::Publish => "initialisation".to_owned(),
        EventKind::Free => "free".to_owned(),
        _ => "access".to_owned(),
    }
}

fn race(
    violation: &Violation,
    describer: &Describer<'_>,
    event: EventId,
    other: EventId,
) -> String {
    let variable = variable(violation, describer, event);
    let side = |id: EventId| {
        format!("{} by {}", access_words(violation, id), describer.thread(id.thread()))
    };
    format!("data race on `{variable}`: {} and {} are not ordered", side(other), side(event))
}

fn stuck(violation: &Violation, describer: &Describer<'_>) -> String {
    let who: Vec<String> = causes_first(&violation.waiting)
        .map(|waiting| format!("{} {}", describer.thread(waiting.thread), describer.stuck(waiting)))
        .collect();
    let title = match violation.fault.kind() {
        FaultKind::Livelock => "livelock",
        _ => "deadlock",
    };
    format!("{title}: {}", who.join("; "))
}

/// The threads that wait for ever; those that only wait for others to end come last.
pub(crate) fn causes_first(waiting: &[Waiting]) -> impl Iterator<Item = &Waiting> {
    let causes = waiting.iter().filter(|one| one.wait.is_some());
    causes.chain(waiting.iter().filter(|one| one.wait.is_none()))
}
