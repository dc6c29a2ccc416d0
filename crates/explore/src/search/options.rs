//! What an explorer is told, and who it reports to.

use super::summary::Violation;
use crate::execution::Visit;
use norn_action::Machine;
use norn_graph::{Event, Graph};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What limits a search.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Go on after a violation, and find all of them.
    pub keep_going: bool,
    /// With `keep_going`: show the observer every violation there is, in whatever execution, and keep none.
    pub every: bool,
    /// Look once more for all that is wrong with an execution when it has ended, of which some may have been found on
    /// the way to another; it is shown after the execution. Only `trust` does.
    pub again: bool,
    /// Any violation will do: with several workers, the one that is found first rather than the one
    /// that a single worker would find.
    pub any: bool,
    /// Of executions that differ only by which of several threads that are alike does what, visit one. Only `trust`
    /// does, without a bound.
    pub symmetry: bool,
    /// Do not report data races.
    pub ignore_races: bool,
    /// Do not report that threads wait for values that never come.
    pub ignore_livelocks: bool,
    /// Stop after that many complete executions.
    pub max_executions: Option<u64>,
    /// Stop at that time.
    pub deadline: Option<Instant>,
    /// Stop when this becomes true.
    pub interrupt: Option<Arc<AtomicBool>>,
    /// Made true when the search is stopped, so that a machine need not finish what it computes.
    pub halt: Option<Arc<AtomicBool>>,
}

impl Options {
    /// The same, with at most so much time from now on.
    pub(crate) fn with_deadline(&self, time: Duration) -> Options {
        let ends = Instant::now().checked_add(time);
        let deadline = self.deadline.into_iter().chain(ends).min();
        Options { deadline, ..self.clone() }
    }

    /// Whether somebody asked to stop.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// Whether the machine was told to stop computing.
    pub(crate) fn is_halted(&self) -> bool {
        self.halt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// Tells the machine whether to stop computing.
    pub(crate) fn set_halt(&self, halts: bool) {
        if let Some(halt) = &self.halt {
            halt.store(halts, Ordering::Relaxed);
        }
    }
}

/// Why a search ended before it was complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// A violation was found and the search was not told to go on.
    Violation,
    /// The number of executions that was asked for is reached.
    MaxExecutions,
    /// The time is over.
    Deadline,
    /// Somebody asked for it.
    Interrupt,
    /// The machine has to know something from the start; it is to be made anew ([`super::Summary::lessons`]).
    Lesson,
}

/// Sees what a search finds while it runs.
pub trait Observer<M: Machine> {
    /// A complete execution.
    fn execution(&mut self, execution: &Visit<'_, M>) {
        let _ = execution;
    }

    /// Whether it matters where reads come from and how writes are ordered. If not, complete executions may be
    /// shown by a graph that has their events only.
    fn wants_order(&self) -> bool {
        true
    }

    /// Whether the last write to each location matters. Explorers that do not choose coherence then
    /// show each execution with all last writes that are possible.
    fn wants_ends(&self) -> bool {
        false
    }

    /// The execution that was shown last, with other last writes.
    fn other_end(&mut self, execution: &Visit<'_, M>) {
        let _ = execution;
    }

    /// An execution in which some thread cannot end and nothing is wrong with that.
    fn blocked(&mut self, execution: &Visit<'_, M>) {
        let _ = execution;
    }

    /// A violation; the same one may be seen in many executions.
    fn violation(&mut self, violation: &Violation) {
        let _ = violation;
    }

    /// Called now and then with the numbers so far.
    fn progress(&mut self, executions: u64, blocked: u64) {
        let _ = (executions, blocked);
    }

    /// Whether to be told of branches.
    fn wants_branches(&self) -> bool {
        false
    }

    /// The search went back and took another branch, which begins with this event.
    fn branch(&mut self, event: &Event) {
        let _ = event;
    }

    /// A worker takes up a task.
    fn task_begins(&mut self) {}

    /// It has done that, or leaves it.
    fn task_ends(&mut self) {}
}

/// Tells of the branch that was just taken: its first event is the last of the graph.
#[inline]
pub(crate) fn tell_branch<M: Machine>(graph: &Graph, observer: &mut impl Observer<M>) {
    if observer.wants_branches()
        && let Some(&last) = graph.order().last()
    {
        observer.branch(graph.event(last));
    }
}

impl<M: Machine> Observer<M> for () {
    fn wants_order(&self) -> bool {
        false
    }
}
