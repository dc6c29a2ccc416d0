//! The steps that show a violation, as values: those events of the execution that a reader needs, in an
//! order that can be read from top to bottom.

use crate::describe::Describer;
use crate::execution::{Action, Event, EventName, Execution, Read, Role, Source};
use crate::messages::{causes_first, title};
use crate::names::Spot;
use crate::order::{Placed, linearise};
use crate::relevant::{Kept, is_about_everything};
use crate::standing::{After, Allowed, Because, Choice, Despite, Standing};
use crate::step::{Blocked, Changing, Origin, Reading, Step, Wait, Writing};
use crate::words::Surprise;
use norn_action::{Mode, Place, ThreadId};
use norn_explore::Violation;
use norn_graph::EventId;
use norn_models::Facts;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// One step of the execution that shows a violation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TraceStep {
    /// From 1, in the order in which the steps are best read.
    #[serde(rename = "step")]
    pub number: usize,
    /// The thread that takes it; 0 is the main thread.
    pub thread: u32,
    /// What that thread is called.
    pub thread_name: String,
    /// Where in the source.
    #[serde(flatten)]
    pub spot: Option<Spot>,
    /// What it does.
    #[serde(flatten)]
    pub action: Step,
    /// The operation of a library that it is part of, such as `mutex.lock`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub operation: Option<String>,
    /// The event of the execution; of a read-modify-write the read. None if it is what is wrong and no
    /// event.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub event: Option<EventName>,
    /// The write of a read-modify-write.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub write: Option<EventName>,
    /// The step in words.
    pub text: String,
    /// What is surprising about it, in words.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub note: Option<String>,
    /// In a replay: what its thread has printed before it, since the step before.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub printed: Option<String>,
    /// In a replay, at the last step of a thread: what it has printed after it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub printed_after: Option<String>,
    /// Why it stands where it stands.
    pub why: Standing,
    /// Whether it is part of what is wrong.
    pub failing: bool,
}

/// The steps that lead to `violation`, whose whole execution is `execution`.
pub(crate) fn steps(
    violation: &Violation,
    model: Facts,
    describer: &Describer<'_>,
    execution: &Execution,
) -> Vec<TraceStep> {
    let fails_outside = violation.event.is_none() && !is_about_everything(violation);
    let all = linearise(violation, &Kept::of(violation));
    let is_shown = |placed: &Placed| {
        let event = execution.event(placed.event.into()).expect("it is an event of the graph");
        let is_replaced = fails_outside && event.action == Action::Fault;
        let is_asked_for = [violation.event, violation.other].contains(&Some(placed.event));
        (tells_something(&event.action) || is_asked_for && is_mark(&event.action))
            && !is_replaced
            && !is_final_wait(violation, placed)
            && !describer.names().is_scaffolding(placed.event.thread())
    };
    let numbers = number(&all, is_shown);
    let teller = Teller { violation, model, describer, execution, numbers };
    let mut steps = teller.events(&all);
    if fails_outside {
        let what = Some(title(violation.fault.kind()).to_owned());
        let (thread, place) = (violation.thread, violation.fault.place);
        teller.conclude(&mut steps, thread, place, Step::Fail { what });
    }
    for waiting in causes_first(&violation.waiting) {
        let action = Step::Wait(Wait::Stuck(describer.stuck(waiting)));
        teller.conclude(&mut steps, waiting.thread, waiting.place, action);
    }
    steps
}

/// The number of each step that is shown.
fn number(all: &[Placed], is_shown: impl Fn(&Placed) -> bool) -> HashMap<EventId, usize> {
    let shown = all.iter().filter(|placed| is_shown(placed));
    shown.enumerate().map(|(index, placed)| (placed.last(), index + 1)).collect()
}

/// Whether an event tells the reader something: what no line of the source says does not.
fn tells_something(action: &Action) -> bool {
    match action {
        Action::Publish { .. } => false,
        Action::Free { scope_end, .. } => !scope_end,
        Action::Measure { reused, .. } => *reused,
        Action::Choose { runtime, .. } => !runtime,
        _ => true,
    }
}

/// Whether an event may stand for an access that is none: a choice that was never the program's.
fn is_mark(action: &Action) -> bool {
    matches!(action, Action::Choose { runtime: true, .. })
}

/// Whether the event is the read of a thread that waits for ever: its waiting is a step of its own.
fn is_final_wait(violation: &Violation, placed: &Placed) -> bool {
    let waits = violation.waiting.iter().any(|one| one.thread == placed.event.thread());
    waits && violation.graph.event(placed.event).is_blocked()
}

/// Turns events into steps.
struct Teller<'t> {
    violation: &'t Violation,
    model: Facts,
    describer: &'t Describer<'t>,
    execution: &'t Execution,
    /// The numbers of the steps that are shown, by their last events.
    numbers: HashMap<EventId, usize>,
}

impl Teller<'_> {
    /// The steps for the events that are shown.
    fn events(&self, all: &[Placed]) -> Vec<TraceStep> {
        let mut steps = Vec::new();
        // What had to stand above a step that is not shown had to stand above the next of its thread.
        let mut hidden: HashMap<EventId, Vec<After>> = HashMap::new();
        for placed in all {
            let after = self.after(placed, &hidden);
            match self.numbers.get(&placed.last()) {
                Some(&number) => steps.push(self.event(number, placed, after)),
                None => {
                    hidden.insert(placed.last(), after);
                }
            }
        }
        steps
    }

    fn after(&self, placed: &Placed, hidden: &HashMap<EventId, Vec<After>>) -> Vec<After> {
        let mut list: Vec<After> = Vec::new();
        for &(event, because) in &placed.after {
            match self.numbers.get(&event) {
                Some(&step) => list.push(After { step, because }),
                None if because == Because::ProgramOrder => {
                    list.extend(hidden.get(&event).into_iter().flatten());
                }
                None => {}
            }
        }
        list.sort_by_key(|after| after.step);
        list.dedup();
        list
    }

    fn event(&self, number: usize, placed: &Placed, after: Vec<After>) -> TraceStep {
        let event = self.recorded(placed.event);
        let action = self.action(event, placed.write.map(|write| self.recorded(write)));
        let involved = [self.violation.event, self.violation.other];
        let despite = placed.overtaken_by.iter().map(|&(by, because)| Despite {
            event: by.into(),
            step: self.numbers.get(&by).copied(),
            because,
            allowed: self.allowed(placed, by),
        });
        let operation = self.describer.operation(self.describer.place(placed.event));
        TraceStep {
            number,
            thread: event.id.thread,
            thread_name: self.describer.thread(placed.event.thread()),
            spot: event.at.as_ref().map(|at| self.describer.own_spot(at, &event.callers).clone()),
            text: words(operation.as_deref(), &action),
            action,
            operation,
            event: Some(event.id),
            write: placed.write.map(EventName::from),
            note: self.note(placed),
            printed: None,
            printed_after: None,
            why: Standing { after, despite: despite.collect(), choice: placed.choice },
            failing: involved.contains(&Some(placed.event))
                || (placed.write.is_some() && involved.contains(&placed.write)),
        }
    }

    /// Adds what is wrong and no event as the last step.
    fn conclude(&self, steps: &mut Vec<TraceStep>, thread: ThreadId, place: Place, action: Step) {
        let spot = self.describer.names().spot(place);
        let callers = &self.execution.threads[thread.index()].callers;
        let above = steps.iter().rev().find(|step| step.thread == thread.0);
        let after = above.map(|step| After { step: step.number, because: Because::ProgramOrder });
        let operation = self.describer.operation(place);
        steps.push(TraceStep {
            number: steps.len() + 1,
            thread: thread.0,
            thread_name: self.describer.thread(thread),
            spot: spot.map(|at| self.describer.own_spot(&at, callers).clone()),
            text: words(operation.as_deref(), &action),
            action,
            operation,
            event: None,
            write: None,
            note: None,
            printed: None,
            printed_after: None,
            why: Standing {
                after: after.into_iter().collect(),
                despite: Vec::new(),
                choice: Choice::Outcome,
            },
            failing: true,
        });
    }

    fn recorded(&self, id: EventId) -> &Event {
        self.execution.event(id.into()).expect("every event of the graph is recorded")
    }

    /// What an event does; `write` is the other half if it is a read-modify-write.
    fn action(&self, event: &Event, write: Option<&Event>) -> Step {
        match &event.action {
            Action::Read(read) => self.read(read, write, self.finds_destroyed(event.id)),
            Action::Write(write) => {
                let variable = self.variable(write.location);
                let written = write.value.text.clone();
                let writing = Writing { variable, written, mode: write.mode };
                match write.role {
                    Role::Unlock | Role::LeaveSection => Step::Unlock(writing),
                    Role::Initialise => Step::Initialise(writing),
                    Role::Destroy => Step::Destroy(writing),
                    _ => Step::Store(writing),
                }
            }
            Action::Fence { mode } => Step::Fence { mode: *mode },
            Action::Spawn { target } => Step::Spawn(self.describer.target(ThreadId(*target))),
            Action::Join { target } => Step::Join(self.describer.target(ThreadId(*target))),
            Action::Free { object, .. } => Step::Free { object: object.clone(), reused: false },
            Action::Measure { object, .. } => Step::Free { object: object.clone(), reused: true },
            mark if is_mark(mark) => Step::Own,
            Action::Choose { value, .. } => Step::Choose { value: value.clone() },
            Action::BarrierArrive(barrier) => {
                Step::BarrierArrive { object: barrier.object.clone() }
            }
            Action::BarrierLeave(barrier) => Step::BarrierLeave { object: barrier.object.clone() },
            Action::Fault => Step::Fail { what: None },
            Action::Publish { .. } => unreachable!("it tells the reader nothing"),
        }
    }

    fn read(&self, read: &Read, write: Option<&Event>, destroyed: bool) -> Step {
        let reading = Reading {
            variable: self.variable(read.location),
            read: read.value.text.clone(),
            mode: read.mode,
            from: self.origin(read.from),
        };
        // Who asks for a mutex that was destroyed only finds that out.
        if destroyed {
            return Step::Load(reading);
        }
        let is_mutex = read.role.takes_mutex();
        if let Some(Action::Write(write)) = write.map(|write| &write.action) {
            let Reading { variable, read, mode, from } = reading;
            let written = write.value.text.clone();
            let mode = joint_mode(mode, write.mode);
            let changing = Changing { variable, read, written, mode, from };
            return if is_mutex { Step::Lock(changing) } else { Step::Rmw(changing) };
        }
        if is_mutex || read.blocked {
            return Step::Wait(Wait::Read(Blocked { reading, locked: is_mutex }));
        }
        Step::Load(reading)
    }

    fn finds_destroyed(&self, EventName { thread, index }: EventName) -> bool {
        let event = EventId::new(ThreadId(thread), index);
        self.describer.is_destroyed(self.violation.graph.event(event))
    }

    fn variable(&self, location: usize) -> String {
        self.execution.locations[location].name.clone()
    }

    fn origin(&self, source: Source) -> Origin {
        let Source::Event(EventName { thread, index }) = source else { return Origin::Initial };
        let number = self.numbers.get(&EventId::new(ThreadId(thread), index));
        number.map_or(Origin::Initial, |&number| Origin::Step(number))
    }

    fn allowed(&self, placed: &Placed, newer: EventId) -> Allowed {
        let mode = |id: EventId| self.violation.graph.event(id).mode;
        Allowed::under(self.model.delay, mode(newer), mode(placed.event))
    }

    /// A sentence on a step that could not stand here in an interleaving.
    fn note(&self, placed: &Placed) -> Option<String> {
        let &(newer, _) = placed.overtaken_by.last()?;
        let Action::Write(store) = &self.recorded(newer).action else { return None };
        let read = match &self.recorded(placed.event).action {
            Action::Read(read) => Some(read.value.text.as_str()),
            _ => None,
        };
        let surprise = Surprise {
            who: &self.describer.short_thread(placed.event.thread()),
            read,
            variable: &self.variable(store.location),
            storer: &self.describer.short_thread(newer.thread()),
            stored: &store.value.text,
            step: self.numbers.get(&newer).copied(),
            allowed: self.allowed(placed, newer),
        };
        Some(surprise.to_string())
    }
}

/// A step in words, with the operation that it is part of.
fn words(operation: Option<&str>, action: &Step) -> String {
    match operation {
        Some(name) => format!("{name}: {action}"),
        None => action.to_string(),
    }
}

/// The mode of a read-modify-write from those of its halves.
fn joint_mode(read: Mode, write: Mode) -> Mode {
    match (read, write) {
        (Mode::Acquire, Mode::Release) => Mode::AcqRel,
        (Mode::Relaxed, write) => write,
        (read, _) => read,
    }
}
