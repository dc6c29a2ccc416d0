//! The sentence that says what is wrong, with the program's own names in it.

use crate::describe::Describer;
use norn_action::{Address, FaultKind, Mode};
use norn_explore::{Violation, Waiting};
use norn_graph::{EventId, EventKind};

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
        FaultKind::UnlockNotHeld => "unlock of a mutex that is not held",
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
    let kind = violation.fault.kind;
    // What an assertion says is the program's text.
    let said = match kind {
        FaultKind::Assertion => violation.fault.message.clone(),
        _ => describer.message(&violation.fault.message),
    };
    match (kind, violation.event, violation.other) {
        (FaultKind::DataRace, Some(event), Some(other)) => race(violation, describer, event, other),
        (FaultKind::UseAfterFree | FaultKind::UseAfterReturn, Some(event), Some(free)) => {
            freed(violation, describer, event, free)
        }
        (FaultKind::Deadlock | FaultKind::Livelock, ..) if !violation.waiting.is_empty() => {
            stuck(violation, describer)
        }
        (_, Some(event), _) if is_access(violation, event) => {
            let variable = variable(violation, describer, event);
            format!("{} of `{variable}`: {said}", title(kind))
        }
        // A thread that blocks itself says so, without anybody to wait for.
        (FaultKind::Deadlock | FaultKind::Livelock, ..) => {
            format!("{}: {} {said}", title(kind), describer.thread(violation.thread))
        }
        _ => with_title(kind, &said),
    }
}

fn with_title(kind: FaultKind, message: &str) -> String {
    let title = title(kind);
    if message.is_empty() {
        title.to_owned()
    } else if message.starts_with(title) || kind == FaultKind::Assertion {
        // What an assertion says already names it.
        message.to_owned()
    } else {
        format!("{title}: {message}")
    }
}

fn is_access(violation: &Violation, event: EventId) -> bool {
    matches!(violation.graph.event(event).kind, EventKind::Read | EventKind::Write)
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

fn freed(
    violation: &Violation,
    describer: &Describer<'_>,
    event: EventId,
    free: EventId,
) -> String {
    let variable = variable(violation, describer, event);
    let (user, freer) = (describer.thread(event.thread()), describer.thread(free.thread()));
    let ended = if violation.fault.kind == FaultKind::UseAfterFree {
        format!("{freer} may have freed it")
    } else {
        format!("its function in {freer} may have returned")
    };
    format!("{} of `{variable}`: {user} accesses it when {ended}", title(violation.fault.kind))
}

fn stuck(violation: &Violation, describer: &Describer<'_>) -> String {
    let who: Vec<String> = causes_first(&violation.waiting)
        .map(|waiting| {
            format!("{} {}", describer.thread(waiting.thread), describer.wait_text(waiting))
        })
        .collect();
    let title = match violation.fault.kind {
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
