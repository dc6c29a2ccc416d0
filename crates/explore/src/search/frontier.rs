//! A search on its way, as plain data that can be written to a file.
//!
//! Thread states are not saved: a graph is saved as the decisions behind it, and rebuilt by running
//! each thread with them ([`PortableGraph`]). Everything else a task says is a number.

use super::position::Position;
use super::summary::{
    BoundFigures, Figures, Summary, Violation, ViolationKey, least, sort_unsupported,
};
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

    /// What was counted and found so far.
    pub fn summary(&self) -> &SavedSummary {
        &self.summary
    }

    /// The same tasks, with nothing counted and nothing found.
    pub fn without_summary(self) -> Frontier<S> {
        Frontier { summary: self.summary.nothing(), ..self }
    }

    /// How many tasks are left.
    pub fn tasks(&self) -> usize {
        self.tasks.len()
    }

    /// A search of which nothing is left.
    pub fn over(threads: Vec<(u32, u32)>, summary: SavedSummary) -> Frontier<S> {
        Frontier { threads, tasks: Vec::new(), summary }
    }

    /// Deals the tasks out to so many frontiers, each with some of every size: what comes late in the
    /// order of one worker alone tends to be larger. What was counted and found stays with the first.
    pub fn deal(self, parts: usize) -> Vec<Frontier<S>> {
        let Frontier { threads, tasks, summary } = self;
        let count = parts.max(1);
        let nothing = summary.nothing();
        let part = |summary| Frontier { threads: threads.clone(), tasks: Vec::new(), summary };
        let mut dealt: Vec<Frontier<S>> = (1..count).map(|_| part(nothing.clone())).collect();
        dealt.insert(0, part(summary));
        for (index, task) in tasks.into_iter().enumerate() {
            dealt[index % count].tasks.push(task);
        }
        dealt
    }

    /// Puts what [`Frontier::deal`] dealt out together again, after somebody went on with the parts or not. The
    /// order does not matter. Fails if two parts met threads that the other did not know: each took them in an
    /// order of its own then, and visited some executions that are the other's.
    pub fn merge(parts: Vec<Frontier<S>>, keep_going: bool) -> Result<Frontier<S>, Mismatch> {
        let threads = parts.iter().map(|part| &part.threads).max_by_key(|threads| threads.len());
        let threads = threads.cloned().unwrap_or_default();
        if !parts.iter().all(|part| threads.starts_with(&part.threads)) {
            return Err(Mismatch { message: "its threads have another order".to_owned() });
        }
        let (mut tasks, mut summary) = (Vec::new(), None::<SavedSummary>);
        for part in parts {
            tasks.extend(part.tasks);
            summary.get_or_insert_with(|| part.summary.nothing()).add(part.summary, keep_going);
        }
        Ok(Frontier { threads, tasks, summary: summary.unwrap_or_default() })
    }

    /// The bound on preemptions, if there is one.
    pub fn bound(&self) -> Option<u32> {
        self.summary.figures.bound.map(|figures| figures.preemptions)
    }
}

/// The numbers of a [`Summary`], and what it found.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SavedSummary {
    executions: u64,
    blocked: u64,
    events: u64,
    largest_graph: usize,
    cut: Option<Place>,
    figures: Figures,
    unsupported: Vec<Unsupported>,
    violations: Vec<Found>,
}

/// A violation of a search.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Found {
    /// Where it was found, in the order of one worker alone.
    at: Position,
    /// What makes it the same as another.
    key: ViolationKey,
    violation: SavedViolation,
}

impl Found {
    fn of(violation: &Violation) -> Found {
        let (at, key) = (violation.at.clone(), violation.key());
        Found { at, key, violation: SavedViolation::of(violation) }
    }

    fn rebuild(&self, execution: &mut dyn AnyExecution) -> Result<Violation, Mismatch> {
        let violation = Violation { at: self.at.clone(), ..self.violation.rebuild(execution)? };
        if violation.key() == self.key {
            return Ok(violation);
        }
        Err(Mismatch { message: "a violation of another kind".to_owned() })
    }

    /// Which of several of one key counts: see [`Summary::add_violation`].
    fn rank(&self) -> (bool, &Position) {
        (self.violation.beyond_bound, &self.at)
    }
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
            at: Position::default(),
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
    /// Nothing yet, of the same search.
    fn nothing(&self) -> SavedSummary {
        let bound = self.figures.bound.map(|figures| BoundFigures {
            preemptions: figures.preemptions,
            ..BoundFigures::default()
        });
        SavedSummary { figures: Figures { bound, ..Figures::default() }, ..SavedSummary::default() }
    }

    /// Complete executions, and those that could not end.
    pub fn counts(&self) -> (u64, u64) {
        (self.executions, self.blocked)
    }

    /// Where the first violation was found, if there is one.
    pub fn first(&self) -> Option<&Position> {
        self.violations.iter().map(|found| &found.at).min()
    }

    /// Adds what another part of the same search found: as [`Summary::add`] does, without the program. Without
    /// `keep_going`, the first violation alone is kept.
    pub fn add(&mut self, other: SavedSummary, keep_going: bool) {
        self.executions += other.executions;
        self.blocked += other.blocked;
        self.events += other.events;
        self.largest_graph = self.largest_graph.max(other.largest_graph);
        self.cut = least(self.cut, other.cut);
        self.figures.add(other.figures);
        for what in other.unsupported {
            if !self.unsupported.contains(&what) {
                self.unsupported.push(what);
            }
        }
        sort_unsupported(&mut self.unsupported);
        for found in other.violations {
            match self.violations.iter_mut().find(|known| known.key == found.key) {
                None => self.violations.push(found),
                Some(known) if found.rank() < known.rank() => *known = found,
                Some(_) => {}
            }
        }
        self.violations.sort_by_key(|found| found.key);
        if !keep_going {
            let first = self.first().cloned();
            self.violations.retain(|found| Some(&found.at) == first.as_ref());
        }
    }

    pub(crate) fn of(summary: &Summary) -> SavedSummary {
        SavedSummary {
            executions: summary.executions,
            blocked: summary.blocked,
            events: summary.events,
            largest_graph: summary.largest_graph,
            cut: summary.cut,
            figures: summary.figures,
            unsupported: summary.unsupported.clone(),
            violations: summary.violations.iter().map(Found::of).collect(),
        }
    }

    /// The summary again. The graphs of what was found are built by running the program.
    pub(crate) fn rebuild(&self, execution: &mut dyn AnyExecution) -> Result<Summary, Mismatch> {
        let mut rebuild = |found: &Found| found.rebuild(execution);
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
