//! A violation as a complete value that every rendering is made from.

use crate::describe::Describer;
use crate::execution::{self, EventName, Execution};
use crate::format::Format;
use crate::messages;
use crate::minimised::Minimised;
use crate::names::{Names, Spot};
use crate::trace::{TraceStep, steps};
use norn_action::{Place, ThreadId};
use norn_explore::Violation;
use norn_graph::EventId;
use norn_models::Facts;
use serde::{Deserialize, Serialize};

/// A source position that takes part in a violation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Involved {
    /// Where.
    #[serde(flatten)]
    pub spot: Spot,
    /// What happens there, in a few words.
    pub label: String,
    /// The event, if it is one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub event: Option<EventName>,
}

/// What is wrong, where, and how it comes about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ViolationReport {
    /// The version of this description, for whoever keeps it without its report.
    #[cfg_attr(test, schemars(schema_with = "crate::schema::format"))]
    pub format: Format,
    /// The kind, such as `data_race`.
    #[cfg_attr(test, schemars(schema_with = "crate::schema::fault"))]
    pub kind: String,
    /// One sentence that names variables and threads.
    pub message: String,
    /// The file of the failing access, if it is known.
    pub file: Option<String>,
    /// Its line, if it is known.
    pub line: Option<u32>,
    /// Its column, if it is known.
    pub column: Option<u32>,
    /// The thread that fails; 0 is the main thread.
    pub thread: u32,
    /// What that thread is called.
    pub thread_name: String,
    /// How many complete executions were found before this one.
    pub executions_before: u64,
    /// Whether the execution that shows it needs more preemptions than the bound allows.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub beyond_bound: bool,
    /// With `--minimise`: what it was made of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minimised: Option<Minimised>,
    /// The source positions that take part; the first is the failing one.
    pub involved: Vec<Involved>,
    /// What of the execution a reader needs, to be read from top to bottom.
    pub trace: Vec<TraceStep>,
    /// The whole execution that shows it.
    pub execution: Execution,
}

/// What is added to the message of a violation beyond the bound.
const BEYOND_BOUND: &str = " (with more preemptions than --bound allows)";

impl ViolationReport {
    /// Makes the report of a violation that was found under a model of which `model` is known.
    pub fn new(violation: &Violation, model: Facts, names: &dyn Names) -> ViolationReport {
        let describer = Describer::new(violation, names);
        let execution = execution::record(violation, model, &describer);
        let callers = Around::of(violation).callers(&execution);
        let spot = names
            .spot(violation.fault.place)
            .map(|at| describer.own_spot(&at, callers).clone())
            .filter(|spot| spot.line > 0);
        ViolationReport {
            format: Format,
            kind: violation.fault.kind().name().to_owned(),
            message: messages::message(violation, &describer)
                + if violation.beyond_bound { BEYOND_BOUND } else { "" },
            file: spot.as_ref().map(|spot| spot.file.clone()),
            line: spot.as_ref().map(|spot| spot.line),
            column: spot.as_ref().map(|spot| spot.column).filter(|&column| column > 0),
            thread: violation.thread.0,
            thread_name: describer.thread(violation.thread),
            executions_before: violation.after,
            beyond_bound: violation.beyond_bound,
            minimised: None,
            involved: involved(violation, &describer, &execution),
            trace: steps(violation, model, &describer, &execution),
            execution,
        }
    }
}

impl ViolationReport {
    /// Every place of the source that it speaks of, the most important ones first; many more than once.
    pub fn spots(&self) -> impl Iterator<Item = &Spot> {
        let involved = self.involved.iter().map(|involved| &involved.spot);
        let events = self.execution.threads.iter().flat_map(|thread| &thread.events);
        involved.chain(events.flat_map(|event| event.at.iter().chain(&event.callers)))
    }
}

/// Which calls a place is looked at in.
#[derive(Clone, Copy)]
enum Around {
    /// Those of an event.
    Event(EventId),
    /// Those that a thread is in when the execution ends.
    End(ThreadId),
}

impl Around {
    /// The calls around the fault.
    fn of(violation: &Violation) -> Around {
        violation.event.map_or(Around::End(violation.thread), Around::Event)
    }

    fn event(self) -> Option<EventName> {
        match self {
            Around::Event(id) => Some(id.into()),
            Around::End(_) => None,
        }
    }

    fn callers(self, execution: &Execution) -> &[Spot] {
        let callers = match self {
            Around::Event(id) => execution.event(id.into()).map(|event| &event.callers),
            Around::End(thread) => execution.threads.get(thread.index()).map(|t| &t.callers),
        };
        callers.map_or(&[], Vec::as_slice)
    }
}

fn involved(
    violation: &Violation,
    describer: &Describer<'_>,
    execution: &Execution,
) -> Vec<Involved> {
    let mut list = Vec::new();
    let mut add = |place: Place, around: Around, label: String| {
        let Some(at) = describer.names().spot(place) else { return };
        let (spot, called) = describer.own_call(&at, around.callers(execution));
        let label = match called {
            Some(function) => format!("{label}, in {function}"),
            None => label,
        };
        if spot.line > 0 {
            list.push(Involved { spot: spot.clone(), label, event: around.event() });
        }
    };
    let words = |id: EventId| {
        let access = messages::access_words(violation, id);
        format!("{access} by {}", describer.thread(id.thread()))
    };
    if violation.waiting.is_empty() {
        let label = match violation.event {
            Some(event) => words(event),
            None => format!("in {}", describer.thread(violation.thread)),
        };
        add(violation.fault.place, Around::of(violation), label);
    }
    if let Some(other) = violation.other.filter(|other| other.is_real()) {
        add(violation.graph.event(other).place, Around::Event(other), words(other));
    }
    for waiting in messages::causes_first(&violation.waiting) {
        let label = format!("{} waits here", describer.short_thread(waiting.thread));
        add(waiting.place, Around::End(waiting.thread), label);
    }
    list
}
