//! One event in words.

use crate::messages::Lookup;
use crate::names::Names;
use crate::order::Placed;
use crate::trace::{Origin, Step};
use norn_action::{Address, Mode, Place, RmwOp, Role, ThreadId, Wait};
use norn_explore::{Violation, Waiting};
use norn_graph::{Event, EventId, EventKind, Graph, LocationId, Locations, What};
use norn_models::{Delay, ModelName};
use std::collections::HashMap;

/// Turns events into steps.
pub(crate) struct Describer<'a> {
    graph: &'a Graph,
    locations: &'a Locations,
    names: &'a dyn Names,
    model: ModelName,
    involved: [Option<EventId>; 2],
    /// The number of the step that each shown write belongs to.
    numbers: HashMap<EventId, usize>,
}

impl<'a> Describer<'a> {
    pub(crate) fn new(
        violation: &'a Violation,
        model: ModelName,
        names: &'a dyn Names,
        shown: &[Placed],
    ) -> Describer<'a> {
        let graph = &violation.graph;
        Describer {
            graph,
            locations: &violation.locations,
            names,
            model,
            involved: [violation.event, violation.other],
            numbers: shown
                .iter()
                .enumerate()
                .map(|(index, placed)| (placed.write.unwrap_or(placed.event), index + 1))
                .collect(),
        }
    }

    /// Whether an event tells the reader something: what no line of the source says does not.
    pub(crate) fn is_shown(graph: &Graph, id: EventId) -> bool {
        !matches!(
            graph.event(id).what(),
            What::Publish
                | What::Free { scope: true, .. }
                | What::Measure { keeps: false, .. }
                | What::Choose { asked: false, .. }
        )
    }

    /// The step for one placed event.
    pub(crate) fn step(&self, number: usize, placed: &Placed) -> Step {
        let event = self.graph.event(placed.event);
        let mut step = self.blank(number, placed.event.thread(), event.place);
        step.failing = self.involved.contains(&Some(placed.event))
            || (placed.write.is_some() && self.involved.contains(&placed.write));
        match event.kind {
            EventKind::Read => self.read(&mut step, event, placed),
            EventKind::Write => self.write(&mut step, event),
            _ => self.other(&mut step, event),
        }
        step.note = self.note(placed);
        step
    }

    fn blank(&self, number: usize, thread: ThreadId, place: Place) -> Step {
        Step {
            step: number,
            thread: thread.0,
            thread_name: self.thread(thread),
            action: String::new(),
            spot: self.names.spot(place),
            variable: None,
            read: None,
            written: None,
            mode: None,
            from: None,
            text: String::new(),
            note: None,
            failing: false,
        }
    }

    pub(crate) fn thread(&self, thread: ThreadId) -> String {
        self.names.thread(self.graph, thread)
    }

    /// Whom to ask what things are called.
    pub(crate) fn lookup(&self) -> Lookup<'_> {
        Lookup { names: self.names, graph: self.graph }
    }

    /// The name of a thread without what it runs: `thread 2` for `thread 2 (worker)`.
    pub(crate) fn short_thread(&self, thread: ThreadId) -> String {
        self.names.short_thread(thread)
    }

    /// The name of a location.
    pub(crate) fn variable(&self, location: LocationId) -> String {
        let info = self.locations.info(location);
        self.names.variable(self.graph, info.address, info.size)
    }

    /// The name of the object at an address.
    pub(crate) fn object(&self, address: Address) -> String {
        self.names.variable(self.graph, address, 1)
    }

    fn value(&self, event: &Event) -> String {
        if event.flags.is_like(Role::Condition) {
            return self.waiters(event);
        }
        let info = self.locations.info(event.location);
        self.names.value(self.graph, info.address, info.size, event.value)
    }

    /// Who waits for a condition variable.
    fn waiters(&self, event: &Event) -> String {
        let set = event.value.low() & ((1 << RmwOp::MEMBERS) - 1);
        let members = (0..RmwOp::MEMBERS).filter(|t| set >> t & 1 == 1);
        let names: Vec<String> = members.map(|t| self.short_thread(ThreadId(t))).collect();
        match names.len() {
            0 => "nobody waits".to_owned(),
            1 => format!("{} waits", names[0]),
            _ => format!("{} wait", names.join(", ")),
        }
    }

    fn origin(&self, source: EventId) -> Origin {
        self.numbers.get(&source).map_or(Origin::Initial, |&number| Origin::Step(number))
    }

    fn read(&self, step: &mut Step, event: &Event, placed: &Placed) {
        let variable = self.variable(event.location);
        let (value, origin) = (self.value(event), self.origin(event.rf));
        let source = match origin {
            Origin::Initial => "initial".to_owned(),
            Origin::Step(number) => format!("from {number}"),
        };
        let is_mutex = takes_mutex(event.flags.role());
        let written = placed.write.map(|write| self.graph.event(write));
        let mode = match written {
            Some(write) => joint_mode(event.mode, write.mode),
            None => event.mode,
        };
        (step.action, step.text) = match (is_mutex, written) {
            (true, Some(_)) => ("lock", format!("lock {variable}")),
            (true, None) => ("wait", format!("{variable} is locked ({source})")),
            (false, Some(write)) => {
                let new = self.value(write);
                ("rmw", format!("{variable}: {value} -> {new} ({}{source})", shown_mode(mode)))
            }
            (false, None) => {
                ("load", format!("load {variable} = {value} ({}{source})", shown_mode(mode)))
            }
        }
        .named();
        if event.is_blocked() && !is_mutex {
            "wait".clone_into(&mut step.action);
        }
        step.mode = Some(mode.to_string());
        step.written = written.map(|write| self.value(write));
        step.read = Some(value);
        step.from = Some(origin);
        step.variable = Some(variable);
    }

    fn write(&self, step: &mut Step, event: &Event) {
        let (variable, value) = (self.variable(event.location), self.value(event));
        (step.action, step.text) = match event.flags.role() {
            Role::Unlock | Role::LeaveSection => ("unlock", format!("unlock {variable}")),
            Role::Initialise => ("store", format!("initialise {variable}")),
            Role::Destroy => ("store", format!("destroy {variable}")),
            _ => {
                let mode = shown_mode(event.mode);
                let mode = mode.trim_end_matches(", ");
                let mode = if mode.is_empty() { String::new() } else { format!(" ({mode})") };
                ("store", format!("store {variable} = {value}{mode}"))
            }
        }
        .named();
        step.mode = Some(event.mode.to_string());
        step.variable = Some(variable);
        step.written = Some(value);
    }

    fn other(&self, step: &mut Step, event: &Event) {
        let name = |address: Address| self.names.variable(self.graph, address, 0);
        (step.action, step.text) = match event.what() {
            What::Fence => ("fence", format!("fence ({})", event.mode)),
            What::Spawn(thread) => ("spawn", format!("start {}", self.short_thread(thread))),
            What::Join(thread) => ("join", format!("join {}", self.short_thread(thread))),
            What::Free { object, .. } => ("free", format!("free {}", name(object))),
            What::Measure { object, .. } => {
                ("free", format!("free {}; its memory will be handed out again", name(object)))
            }
            What::Choose { answer, .. } => ("choose", format!("choose {answer}")),
            What::Arrive { barrier, .. } => {
                ("barrier_arrive", format!("arrive at {}", name(barrier)))
            }
            What::Leave { barrier, .. } => ("barrier_leave", format!("leave {}", name(barrier))),
            What::Publish => ("publish", "initialise".to_owned()),
            What::Fault => ("fail", "fails here".to_owned()),
            What::Read(..) | What::Write(_) => unreachable!("accesses are described elsewhere"),
        }
        .named();
        if event.kind == EventKind::Fence {
            step.mode = Some(event.mode.to_string());
        }
    }

    /// A sentence on a step that could not stand here in an interleaving.
    fn note(&self, placed: &Placed) -> Option<String> {
        let &newer = placed.overtaken_by.last()?;
        let (event, store) = (self.graph.event(placed.event), self.graph.event(newer));
        let who = self.short_thread(placed.event.thread());
        let (variable, new) = (self.variable(store.location), self.value(store));
        let storer = self.short_thread(newer.thread());
        let at = match self.origin(newer) {
            Origin::Step(number) => format!(" in step {number}"),
            Origin::Initial => String::new(),
        };
        let why = self.why(event, store);
        Some(if event.is_read() {
            let old = self.value(event);
            format!(
                "{who} reads {variable} = {old} although {storer} already stored {new}{at}: {why}"
            )
        } else {
            format!(
                "{who} stores to {variable} after {storer} stored {new}{at}, yet {new} remains the \
                 newer value: {why}"
            )
        })
    }

    fn why(&self, event: &Event, store: &Event) -> &'static str {
        match self.model.about().delay {
            Delay::Never => "no single order explains all steps",
            Delay::StoreBuffer => "the store may wait in its thread's store buffer",
            Delay::StoreBuffers => {
                "the store may wait in its thread's store buffer for that variable"
            }
            Delay::Unordered => "nothing orders the two, so the store may arrive later here",
            Delay::Modes => match (store.mode, event.mode) {
                (Mode::Plain, _) => "the plain store may be delayed",
                (Mode::Relaxed, _) => "the relaxed store may be delayed",
                (_, Mode::Relaxed | Mode::Plain) => "the relaxed load may return an older value",
                (Mode::SeqCst, Mode::SeqCst) => "other accesses in between are not seq_cst",
                _ => "release and acquire do not order a store before a later load",
            },
        }
    }

    /// The step for a fault that is no event.
    pub(crate) fn failure(&self, number: usize, violation: &Violation) -> Step {
        let mut step = self.blank(number, violation.thread, violation.fault.place);
        "fail".clone_into(&mut step.action);
        step.text = crate::messages::title(violation.fault.kind()).to_owned();
        step.failing = true;
        step
    }

    /// The step for a thread that waits for ever.
    pub(crate) fn waiting(&self, number: usize, waiting: &Waiting) -> Step {
        let mut step = self.blank(number, waiting.thread, waiting.place);
        "wait".clone_into(&mut step.action);
        step.variable = self.waited_for(waiting);
        step.text = self.wait_text(waiting);
        step.failing = true;
        step
    }

    /// The variable that a thread waits for: that of its last event, a read that blocks or spins.
    fn waited_for(&self, waiting: &Waiting) -> Option<String> {
        waiting.wait?;
        let last = self.graph.threads_last(waiting.thread)?;
        last.is_read().then(|| self.variable(last.location))
    }

    /// What a thread waits for, in words.
    pub(crate) fn wait_text(&self, waiting: &Waiting) -> String {
        let variable = self.waited_for(waiting);
        let holder = waiting.holder.map(|holder| self.short_thread(holder));
        let what = match (waiting.wait, &holder) {
            (Some(Wait::Mutex), _) => "the mutex",
            (Some(Wait::RwLock), _) => "the read-write lock",
            (Some(Wait::Semaphore), _) => "the semaphore",
            (Some(Wait::Condition | Wait::TimedCondition), _) => {
                "a signal on the condition variable"
            }
            (Some(Wait::Once), _) => "the end of the call through",
            (Some(Wait::Value), _) => "another value of",
            (None, Some(holder)) => return format!("waits for {holder} to end"),
            (None, None) => return "waits at the barrier".to_owned(),
        };
        let mut text = format!("waits for {what}");
        match (variable, waiting.wait) {
            (Some(variable), _) => {
                text.push(' ');
                text.push_str(&variable);
            }
            (None, Some(Wait::Value)) => "waits for a value that never comes".clone_into(&mut text),
            (None, _) => {}
        }
        match (holder, waiting.wait) {
            (Some(holder), Some(Wait::Mutex | Wait::RwLock)) => {
                text.push_str(&format!(", held by {holder}"));
            }
            (Some(holder), Some(Wait::Once)) => text.push_str(&format!(", run by {holder}")),
            _ => {}
        }
        text
    }
}

/// Owned action names without a `to_owned` in every arm.
trait Named {
    fn named(self) -> (String, String);
}

impl Named for (&str, String) {
    fn named(self) -> (String, String) {
        (self.0.to_owned(), self.1)
    }
}

/// Whether an access takes a mutex, or would if it were free.
fn takes_mutex(role: Role) -> bool {
    matches!(role, Role::Lock | Role::TryLock | Role::EnterSection)
}

/// The mode of a read-modify-write from those of its halves.
fn joint_mode(read: Mode, write: Mode) -> Mode {
    match (read, write) {
        (Mode::Acquire, Mode::Release) => Mode::AcqRel,
        (Mode::Relaxed, write) => write,
        (read, _) => read,
    }
}

/// The mode in front of other words, nothing for plain accesses.
fn shown_mode(mode: Mode) -> String {
    if mode == Mode::Plain { String::new() } else { format!("{mode}, ") }
}
