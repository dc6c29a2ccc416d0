//! A search on its way, as plain data that can be written to a file.
//!
//! Thread states are not saved: a graph is saved as the decisions behind it, and rebuilt by running
//! each thread with them ([`crate::portable`]). Everything else a task says is a number.

use crate::bound::Prune;
use crate::frame::{Choice, Ghost, Revisit};
use crate::pool::NO_STATE;
use crate::portable::{Mismatch, PortableGraph, id, name};
use crate::queue::{Placed, Queue};
use crate::task::{Position, Task, TaskOf, Work, detach};
use crate::trust::Trust;
use crate::workers::{Explorer, Link};
use crate::{Observer, Summary, Violation, Waiting};
use norn_action::{Fault, Machine, Place, ThreadId, Unsupported};
use norn_graph::{EventId, Locations};
use norn_models::Model;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Everything that is needed to go on with a search.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Frontier<S> {
    /// The parents of all threads but the main one, and which of their children they are.
    pub(crate) threads: Vec<(u32, u32)>,
    pub(crate) tasks: S,
    pub(crate) summary: SavedSummary,
}

impl<S> Frontier<S> {
    /// Complete executions so far.
    pub fn executions(&self) -> u64 {
        self.summary.executions
    }

    /// The bound on preemptions, if there is one.
    pub fn bound(&self) -> Option<u32> {
        self.summary.bound
    }
}

/// The numbers of a [`Summary`], and what it found.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedSummary {
    executions: u64,
    bound: Option<u32>,
    beyond_bound: u64,
    bound_blocked: u64,
    discarded: u64,
    ignored: bool,
    blocked: u64,
    stale: u64,
    dead: u64,
    events: u64,
    largest_graph: usize,
    cut: Option<Place>,
    unsupported: Vec<Unsupported>,
    violations: Vec<SavedViolation>,
}

/// A [`Violation`].
#[derive(Clone, Debug, Serialize, Deserialize)]
struct SavedViolation {
    fault: Fault,
    thread: ThreadId,
    event: Option<EventId>,
    other: Option<EventId>,
    waiting: Vec<Waiting>,
    graph: PortableGraph,
    after: u64,
    beyond_bound: bool,
}

impl SavedSummary {
    pub(crate) fn of(summary: &Summary) -> SavedSummary {
        let violation = |violation: &Violation| SavedViolation {
            fault: violation.fault.clone(),
            thread: violation.thread,
            event: violation.event,
            other: violation.other,
            waiting: violation.waiting.clone(),
            graph: PortableGraph::of(&violation.graph, &violation.locations),
            after: violation.after,
            beyond_bound: violation.beyond_bound,
        };
        SavedSummary {
            executions: summary.executions,
            bound: summary.bound,
            beyond_bound: summary.beyond_bound,
            bound_blocked: summary.bound_blocked,
            discarded: summary.discarded,
            ignored: summary.ignored,
            blocked: summary.blocked,
            stale: summary.stale,
            dead: summary.dead,
            events: summary.events,
            largest_graph: summary.largest_graph,
            cut: summary.cut,
            unsupported: summary.unsupported.clone(),
            violations: summary.violations.iter().map(violation).collect(),
        }
    }

    fn summary(&self, violations: Vec<Violation>) -> Summary {
        Summary {
            executions: self.executions,
            bound: self.bound,
            beyond_bound: self.beyond_bound,
            bound_blocked: self.bound_blocked,
            discarded: self.discarded,
            ignored: self.ignored,
            blocked: self.blocked,
            stale: self.stale,
            dead: self.dead,
            events: self.events,
            largest_graph: self.largest_graph,
            cut: self.cut,
            unsupported: self.unsupported.clone(),
            violations,
            stopped: None,
        }
    }
}

/// A [`Task`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedTask<R> {
    position: Position,
    graph: PortableGraph,
    half: Option<ThreadId>,
    work: SavedWork,
    candidates: Vec<EventId>,
    ghosts: Vec<Ghost>,
    part: R,
    doubtful: bool,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
enum SavedWork {
    Continue,
    Choice(Choice),
    Revisit { writer: ThreadId, read: (u32, u32), stamp: u32, next: u32, floor: u32 },
}

impl SavedWork {
    fn of(work: &Work) -> SavedWork {
        match *work {
            Work::Continue => SavedWork::Continue,
            Work::Choice(choice) => SavedWork::Choice(choice),
            Work::Revisit(Revisit { writer, id, stamp, next, floor, .. }) => {
                SavedWork::Revisit { writer, read: name(id), stamp, next, floor }
            }
        }
    }

    fn work(self) -> Work {
        match self {
            SavedWork::Continue => Work::Continue,
            SavedWork::Choice(choice) => Work::Choice(choice),
            SavedWork::Revisit { writer, read, stamp, next, floor } => Work::Revisit(Revisit {
                writer,
                id: id(read),
                stamp,
                saved: NO_STATE,
                next,
                floor,
                displaced: false,
            }),
        }
    }
}

impl<M: Machine, Mo: Model, P: Prune> Trust<'_, M, Mo, P> {
    /// Becomes one of several workers, but for handing work over.
    pub(crate) fn join_in<K>(&mut self, link: &Link<K>) {
        self.signals = Arc::clone(&link.queue.signals);
        self.names = link.names.clone();
        self.locations = link.locations.clone();
    }

    fn save_task(&self, position: &Position, task: &TaskOf<M, P>) -> SavedTask<P::Part> {
        SavedTask {
            position: position.clone(),
            graph: PortableGraph::of(&task.start.graph, &self.locations),
            half: task.half,
            work: SavedWork::of(&task.work),
            candidates: task.candidates.clone(),
            ghosts: task.ghosts.clone(),
            part: task.part.clone(),
            doubtful: task.doubtful,
        }
    }

    fn load_task(&mut self, saved: &SavedTask<P::Part>) -> Result<Placed<TaskOf<M, P>>, Mismatch> {
        self.rebuild(&saved.graph)?;
        let length = self.top.graph.len() as u32;
        let task = Task {
            start: detach(&self.top, length, Mo::LANES, &self.pool),
            half: saved.half,
            work: saved.work.work(),
            candidates: saved.candidates.clone(),
            ghosts: saved.ghosts.clone(),
            part: saved.part.clone(),
            doubtful: saved.doubtful,
        };
        Ok((saved.position.clone(), task))
    }

    /// Builds what was found, graphs and all.
    pub(crate) fn rebuild_summary(&mut self, saved: &SavedSummary) -> Result<Summary, Mismatch> {
        let mut violations = Vec::new();
        for violation in &saved.violations {
            self.rebuild(&violation.graph)?;
            violations.push(Violation {
                fault: violation.fault.clone(),
                thread: violation.thread,
                event: violation.event,
                other: violation.other,
                waiting: violation.waiting.clone(),
                graph: self.top.graph.clone(),
                locations: Arc::new(Locations::clone(&self.locations)),
                after: violation.after,
                beyond_bound: violation.beyond_bound,
            });
        }
        Ok(saved.summary(violations))
    }
}

impl<M: Machine, Mo: Model, P: Prune> Explorer<M> for Trust<'_, M, Mo, P> {
    type Task = TaskOf<M, P>;
    type Saved = Vec<SavedTask<P::Part>>;
    const ORDERED: bool = true;

    fn connect(&mut self, link: Link<Self::Task>) {
        self.join_in(&link);
        self.queue = Some(link.queue);
    }

    fn begin(&mut self) {
        Trust::begin(self);
    }

    fn take_over(&mut self, task: Placed<Self::Task>) -> bool {
        Trust::take_over(self, task)
    }

    fn visit_all(&mut self, observer: &mut impl Observer<M>) {
        Trust::visit_all(self, observer);
    }

    fn unload(&mut self) -> Vec<Placed<Self::Task>> {
        Trust::unload(self)
    }

    fn found(&mut self) -> (&mut Summary, &mut Option<Position>) {
        (&mut self.summary, &mut self.violation_at)
    }

    fn save(&mut self, queue: &Queue<Self::Task>) -> Self::Saved {
        self.locations.catch_up();
        queue.tasks(|position, task| self.save_task(position, task))
    }

    fn load(&mut self, saved: &Self::Saved) -> Result<Vec<Placed<Self::Task>>, Mismatch> {
        saved.iter().map(|task| self.load_task(task)).collect()
    }

    fn load_summary(&mut self, saved: &SavedSummary) -> Result<Summary, Mismatch> {
        self.rebuild_summary(saved)
    }
}
