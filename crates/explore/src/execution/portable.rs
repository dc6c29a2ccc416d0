//! A graph as a small value without thread states, and the way back.
//!
//! Threads are deterministic, so a graph is given by what was decided: in which order its events were
//! added, where its reads read from, the coherence orders, and the answers to choices. Everything else
//! (values, labels, clocks, objects, thread states) comes back when each thread is run with these
//! decisions, once. This is how a violation is shown to replay, and how a search is saved.

use super::names::{Rename, Renaming, ThreadNames};
use super::stance::Stance;
use super::{AnyExecution, Execution, FaultFound, Finding};
use crate::search::Options;
use norn_action::{Action, Machine, NO_STATE, ThreadId};
use norn_graph::{Event, EventId, EventKind, Graph, LocationId};
use norn_models::{Model, Named};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The decisions behind a graph.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PortableGraph {
    /// Thread and position of each event, in insertion order.
    pub order: Vec<(u32, u32)>,
    /// For each event of `order`: the source of a read (`None` for the initial write and for events that
    /// do not read).
    pub sources: Vec<Option<(u32, u32)>>,
    /// For each event of `order`: the answer to a choice, and 0 for all others.
    pub answers: Vec<u64>,
    /// The events, by their index in `order`, that took effect in this order: of two frees or joins of
    /// the same thing the second is a fault.
    pub ends: Vec<u32>,
    /// The writes of each location that has any, in coherence order. Which location that is they know
    /// themselves; its address may be another elsewhere.
    pub coherence: Vec<Vec<(u32, u32)>>,
}

impl Rename for PortableGraph {
    fn rename(&mut self, to: &Renaming) {
        let PortableGraph { order, sources, answers: _, ends: _, coherence } = self;
        order.rename(to);
        sources.rename(to);
        coherence.rename(to);
    }
}

/// Why a graph could not be built again: it is of another program, or the machine is not
/// deterministic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// What did not fit.
    pub message: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the graph does not fit the program: {}", self.message)
    }
}

impl std::error::Error for Mismatch {}

pub(crate) fn name(id: EventId) -> (u32, u32) {
    (id.thread().0, id.position())
}

pub(crate) fn id((thread, position): (u32, u32)) -> EventId {
    EventId::new(ThreadId(thread), position)
}

impl PortableGraph {
    /// The decisions behind `graph`.
    pub fn of(graph: &Graph) -> PortableGraph {
        let source = |id: &EventId| {
            let event = graph.event(*id);
            (event.is_read() && event.rf.is_real()).then(|| name(event.rf))
        };
        let answer = |id: &EventId| {
            let event = graph.event(*id);
            if event.kind == EventKind::Choose { event.value.low() } else { 0 }
        };
        let orders = graph.touched().iter().map(|&id| &graph.location(id).co);
        let coherence = orders.filter(|co| !co.is_empty()).map(|co| co.iter().copied().map(name));
        let ends = |id: &EventId| {
            matches!(graph.event(*id).kind, EventKind::Free | EventKind::Join | EventKind::Fault)
        };
        let indices = 0..graph.len() as u32;
        PortableGraph {
            ends: indices.filter(|&index| ends(&graph.order()[index as usize])).collect(),
            order: graph.order().iter().map(|&id| name(id)).collect(),
            sources: graph.order().iter().map(source).collect(),
            answers: graph.order().iter().map(answer).collect(),
            coherence: coherence.map(Iterator::collect).collect(),
        }
    }

    /// Checks what does not depend on the program, so that the graph can be built: it may come from a file.
    fn check(&self) -> Result<(), Mismatch> {
        let count = self.order.len();
        let wrong = |what: &str| Err(Mismatch { message: what.to_owned() });
        if self.sources.len() != count || self.answers.len() != count {
            return wrong("there is not one source and one answer for each event");
        }
        let is_listed = |&end: &u32| (end as usize) < count;
        if !self.ends.is_sorted_by(|a, b| a < b) || !self.ends.iter().all(is_listed) {
            return wrong("the list of what ends something is out of order");
        }
        let mut events = self.order.iter().chain(self.sources.iter().flatten());
        let mut writes = self.coherence.iter().flatten();
        let exists = |&(thread, position): &(u32, u32)| EventId::exists(ThreadId(thread), position);
        if !events.all(exists) || !writes.all(exists) {
            return wrong("an event that cannot be");
        }
        Ok(())
    }

    /// How many events `thread` has.
    fn thread_len(&self, thread: u32) -> u32 {
        self.order.iter().filter(|(t, _)| *t == thread).count() as u32
    }
}

impl<M: Machine, Mo: Model> Execution<'_, M, Mo> {
    /// Forgets the execution and builds `graph` again, threads and all.
    pub(crate) fn rebuild(&mut self, graph: &PortableGraph) -> Result<(), Mismatch> {
        self.rebuild_watched(graph, &mut |_, _| {})
    }

    /// The same; `watch` sees the execution right before each event is added.
    pub(crate) fn rebuild_watched(
        &mut self,
        graph: &PortableGraph,
        watch: &mut dyn FnMut(&mut Self, EventId),
    ) -> Result<(), Mismatch> {
        graph.check()?;
        self.clear();
        self.begin();
        let mut left: Vec<usize> = (0..graph.order.len()).collect();
        while !left.is_empty() {
            let before = left.len();
            let mut waiting = Vec::with_capacity(left.len());
            for index in left {
                if !self.is_ready(graph, index) {
                    waiting.push(index);
                    continue;
                }
                watch(self, id(graph.order[index]));
                if !self.redo(graph, index)? {
                    waiting.push(index);
                }
            }
            left = waiting;
            if left.len() == before {
                return Err(Mismatch { message: "events depend on each other".to_owned() });
            }
        }
        self.check_threads()?;
        self.impose(graph)
    }

    /// Whether all threads of an execution that was built again have come to where they were. Whoever went on
    /// with one that was stopped before would take it for a thread that goes no further.
    pub(crate) fn check_threads(&self) -> Result<(), Mismatch> {
        let is_interrupted = |thread| matches!(self.action(thread), Action::Interrupted);
        if self.started().any(is_interrupted) {
            let message = "it was stopped before all was built again".to_owned();
            return Err(Mismatch { message });
        }
        Ok(())
    }

    /// Whether what the event needs is there: its predecessor in program order, its source, and what must
    /// have ended before.
    fn is_ready(&self, graph: &PortableGraph, index: usize) -> bool {
        let event = id(graph.order[index]);
        let there = |other: EventId| self.graph.thread_len(other.thread()) > other.position();
        self.graph.thread_len(event.thread()) == event.position()
            && self.state(event.thread()) != NO_STATE
            && graph.sources[index].is_none_or(|source| there(id(source)))
            && match graph.ends.binary_search(&(index as u32)) {
                Ok(at) => graph.ends[..at].iter().all(|&end| there(id(graph.order[end as usize]))),
                Err(_) => true,
            }
    }

    /// Adds one event again. False if something else must come first.
    fn redo(&mut self, graph: &PortableGraph, index: usize) -> Result<bool, Mismatch> {
        let event = id(graph.order[index]);
        let thread = event.thread();
        let half = |last: &Event| last.is_read() && last.is_exclusive();
        let is_half = self.graph.threads_last(thread).is_some_and(half);
        match self.action(thread) {
            Action::Rmw(_) if is_half => self.redo_write(thread),
            Action::Store(..) => self.redo_write(thread),
            Action::Load(..) | Action::Rmw(_) => {
                let source = graph.sources[index].map_or(EventId::INIT, id);
                self.redo_read(thread, source)?;
            }
            Action::Choose { count, .. } => {
                let answer = graph.answers[index];
                if answer >= *count {
                    let message = format!("a choice of {thread} has no answer {answer}");
                    return Err(Mismatch { message });
                }
                self.answer(thread, answer);
            }
            action if action.is_final() => {
                let message = format!("{thread} ends before its event {}", event.position());
                return Err(Mismatch { message });
            }
            action if !self.has_all_before(graph, thread, action) => return Ok(false),
            _ => {
                self.take_other(thread);
            }
        }
        Ok(true)
    }

    /// Whether all is there that a join or a barrier waits for.
    fn has_all_before(&self, graph: &PortableGraph, thread: ThreadId, action: &Action) -> bool {
        let is_there =
            |&(other, position): &(u32, u32)| self.graph.thread_len(ThreadId(other)) > position;
        let complete = match action {
            Action::Join { thread: target, .. } => {
                self.graph.thread_len(*target) == graph.thread_len(target.0)
                    && self.state(*target) != NO_STATE
            }
            Action::Last { .. } => {
                graph.order.iter().filter(|(other, _)| *other != thread.0).all(is_there)
            }
            // Who noticed a round may come later.
            Action::Round { .. } => return true,
            _ => true,
        };
        complete && self.stance(thread) == Stance::Step
    }

    fn redo_read(&mut self, thread: ThreadId, source: EventId) -> Result<(), Mismatch> {
        let read = self.pending_read(thread);
        if !self.touch(read.location) {
            self.fault_access(thread);
            return Ok(());
        }
        if source.is_real() {
            let event = self.graph.event(source);
            if !event.is_write() || event.location != read.location {
                let message = format!("a read of {thread} reads another location");
                return Err(Mismatch { message });
            }
        }
        let content = self.graph.content_of(source, read.location);
        let becomes = read.becomes(content);
        let state = self.state(thread);
        let id = self.graph.add_read(thread, read.event(becomes, state), source);
        self.added(id);
        self.after_read(thread, state, becomes, content);
        self.half = None;
        Ok(())
    }

    fn redo_write(&mut self, thread: ThreadId) {
        let write = self.pending_write(thread);
        if !self.touch(write.location) {
            self.fault_access(thread);
            return;
        }
        let state = self.state(thread);
        let id = self.add_last_write(thread);
        self.added(id);
        self.half = None;
        self.advance_partly(thread, state, write.answer, write.undefined_answer);
    }

    /// Gives the events their order of insertion and the writes their coherence.
    fn impose(&mut self, graph: &PortableGraph) -> Result<(), Mismatch> {
        self.graph.impose_order(graph.order.iter().map(|&event| id(event)));
        for writes in &graph.coherence {
            let location = self.location_written(writes)?;
            self.graph.impose_coherence(location, writes.iter().map(|&write| id(write)));
        }
        if let Err(broken) = self.graph.verify() {
            return Err(Mismatch { message: broken });
        }
        Ok(())
    }
}

impl<M: Machine, Mo: Model> Execution<'_, M, Mo> {
    /// The location whose writes these are.
    fn location_written(&self, writes: &[(u32, u32)]) -> Result<LocationId, Mismatch> {
        let graph = &self.graph;
        let there = |event: EventId| {
            let known = event.thread().index() < graph.thread_count();
            known && graph.thread_len(event.thread()) > event.position()
        };
        let mut locations = writes.iter().map(|&write| {
            let write = id(write);
            let event = there(write).then(|| graph.event(write)).filter(|event| event.is_write());
            event.map(|event| event.location)
        });
        let first = locations.next().flatten();
        match first.filter(|_| locations.all(|location| location == first)) {
            Some(location) if graph.location(location).co.len() == writes.len() => Ok(location),
            _ => Err(Mismatch { message: "the writes of a location".to_owned() }),
        }
    }
}

/// Whether running the program with the decisions behind `graph` leads to a fault again for which `same`
/// holds: when it is built, at `event`, or, if it has `ended`, because nobody can move.
pub(crate) fn leads_to<M: Machine, Mo: Named>(
    machine: &M,
    graph: &Graph,
    event: Option<EventId>,
    ended: bool,
    same: impl Fn(&Graph, &FaultFound) -> bool,
) -> Result<bool, Mismatch> {
    let mut execution = Execution::<M, Mo>::new(machine, &Options::default());
    execution.names = ThreadNames::of(graph);
    execution.rebuild(&PortableGraph::of(graph))?;
    if let Some(event) = event
        && matches!(execution.graph.event(event).kind, EventKind::Read | EventKind::Write)
    {
        execution.check_access(event);
    }
    if ended {
        execution.conclude(false);
    } else if event.is_none() {
        execution.check_waiting();
    }
    let found = std::mem::take(&mut execution.found);
    Ok(found.iter().any(|finding| match finding {
        Finding::Fault(fault) => same(&execution.graph, fault),
        _ => false,
    }))
}
