//! A search on its way, as plain data that can be written to a file.
//!
//! Thread states are not saved: a graph is saved as the decisions behind it, and rebuilt by running
//! each thread with them ([`PortableGraph`]). Everything else a task says is a number.

use super::summary::{Figures, Summary, Violation};
use crate::execution::{AnyExecution, Mismatch, PortableGraph, Waiting};
use norn_action::{Fault, Place, ThreadId, Unsupported};
use norn_graph::{EventId, Graph};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Everything that is needed to go on with a search.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Frontier<S> {
    /// The parents of all threads but the main one, and which of their children they are. Tasks have such
    /// a list of their own, each, so that they can go elsewhere; what was found names addresses too, which
    /// are the same only where the threads have the same ids.
    pub(crate) threads: Vec<(u32, u32)>,
    pub(crate) tasks: Vec<S>,
    pub(crate) summary: SavedSummary,
}

impl<S> Frontier<S> {
    /// Complete executions so far.
    pub fn executions(&self) -> u64 {
        self.summary.executions
    }

    /// The bound on preemptions, if there is one.
    pub fn bound(&self) -> Option<u32> {
        self.summary.figures.bound.map(|figures| figures.preemptions)
    }
}

/// The numbers of a [`Summary`], and what it found.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedSummary {
    executions: u64,
    blocked: u64,
    events: u64,
    largest_graph: usize,
    cut: Option<Place>,
    figures: Figures,
    unsupported: Vec<Unsupported>,
    violations: Vec<SavedViolation>,
}

/// A [`Violation`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SavedViolation {
    fault: Fault,
    thread: ThreadId,
    event: Option<EventId>,
    other: Option<EventId>,
    waiting: Vec<Waiting>,
    graph: PortableGraph,
    after: u64,
    beyond_bound: bool,
}

impl SavedViolation {
    pub(super) fn of(violation: &Violation) -> SavedViolation {
        SavedViolation {
            fault: violation.fault.clone(),
            thread: violation.thread,
            event: violation.event,
            other: violation.other,
            waiting: violation.waiting.clone(),
            graph: PortableGraph::of(&violation.graph),
            after: violation.after,
            beyond_bound: violation.beyond_bound,
        }
    }

    /// The violation again; its graph is built by running the program.
    pub(super) fn rebuild(&self, execution: &mut dyn AnyExecution) -> Result<Violation, Mismatch> {
        let (graph, locations) = execution.rebuilt(&self.graph)?;
        self.check(&graph)?;
        Ok(Violation {
            fault: self.fault.clone(),
            thread: self.thread,
            event: self.event,
            other: self.other,
            waiting: self.waiting.clone(),
            graph,
            locations: Arc::new(locations),
            after: self.after,
            beyond_bound: self.beyond_bound,
        })
    }

    /// Whether what it names is in its graph, which was built again: it may come from a damaged file.
    fn check(&self, graph: &Graph) -> Result<(), Mismatch> {
        let known = |thread: ThreadId| thread.index() < graph.thread_count();
        let there = |id: EventId| {
            !id.is_real() || known(id.thread()) && graph.thread_len(id.thread()) > id.position()
        };
        let fits = known(self.thread)
            && self.event.is_none_or(|event| event.is_real() && there(event))
            && self.other.is_none_or(there)
            && self.waiting.iter().all(|waiting| known(waiting.thread));
        if fits {
            return Ok(());
        }
        Err(Mismatch { message: "a violation of another graph".to_owned() })
    }
}

impl SavedSummary {
    pub(crate) fn of(summary: &Summary) -> SavedSummary {
        SavedSummary {
            executions: summary.executions,
            blocked: summary.blocked,
            events: summary.events,
            largest_graph: summary.largest_graph,
            cut: summary.cut,
            figures: summary.figures,
            unsupported: summary.unsupported.clone(),
            violations: summary.violations.iter().map(SavedViolation::of).collect(),
        }
    }

    /// The summary again. The graphs of what was found are built by running the program.
    pub(crate) fn rebuild(&self, execution: &mut dyn AnyExecution) -> Result<Summary, Mismatch> {
        let mut rebuild = |violation: &SavedViolation| violation.rebuild(execution);
        let violations = self.violations.iter().map(&mut rebuild).collect::<Result<_, _>>()?;
        Ok(Summary {
            executions: self.executions,
            blocked: self.blocked,
            events: self.events,
            largest_graph: self.largest_graph,
            cut: self.cut,
            figures: self.figures,
            unsupported: self.unsupported.clone(),
            violations,
            lessons: Vec::new(),
            stopped: None,
        })
    }
}
