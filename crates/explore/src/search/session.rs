//! One worker's part of a search: what it is told, what it has counted and found, and when it stops.

use super::options::{Observer, Options, Stop};
use super::position::Position;
use super::signals::{Call, Signals};
use super::summary::{Summary, Violation, ViolationKey, violation_key};
use crate::execution::{AnyExecution, Ended, Execution, FaultFound, Finding, Steps};
use norn_action::{Machine, Obstacle, Unsupported};
use norn_models::Model;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::time::Instant;

/// How many steps pass between two looks at the clock.
const STEPS_BETWEEN_CHECKS: u64 = 1 << 12;

/// Which executions a search is for.
pub(crate) trait Scope<M: Machine, Mo: Model> {
    /// Whether the execution is of the kind that the search is not for.
    fn is_beyond(&mut self, execution: &Execution<'_, M, Mo>) -> bool;

    /// Whether what is wrong with such an execution is ignored.
    fn is_strict(&self) -> bool;
}

/// For all of them.
impl<M: Machine, Mo: Model> Scope<M, Mo> for () {
    fn is_beyond(&mut self, _: &Execution<'_, M, Mo>) -> bool {
        false
    }

    fn is_strict(&self) -> bool {
        false
    }
}

/// One worker's part of a search.
#[derive(Default)]
pub(crate) struct Session {
    pub options: Options,
    pub summary: Summary,
    pub signals: Arc<Signals>,
    /// Where the task at hand stands among all.
    pub position: Position,
    /// The position at which the first violation was found.
    pub violation_at: Option<Position>,
    /// Whether something was found in an execution that does not count (beyond the bound, or while an atomic
    /// section was under way), and may also be wrong with one that does.
    pub unconfirmed: bool,
    /// Whether the work is to be left for a while.
    leaving: bool,
    /// Whether the execution at hand was not counted because there were enough.
    surplus: bool,
    /// What was reported, whether that was in a graph beyond the bound, and where it was found.
    seen: FxHashMap<(ViolationKey, bool), Position>,
    /// Violations that the observer has not been told of.
    pending: Vec<Violation>,
    steps: u64,
    /// How many steps had been taken when the task at hand was taken up.
    began: u64,
}

impl Session {
    pub(crate) fn new(options: Options) -> Session {
        Session { options, ..Session::default() }
    }

    // ---- when to stop ------------------------------------------------------------------------

    /// A task is taken up.
    pub(crate) fn starts(&mut self) {
        self.began = self.steps;
    }

    /// The work was forgotten: nothing stops the next task yet.
    pub(crate) fn reset(&mut self) {
        self.summary.stopped = None;
        self.leaving = false;
    }

    /// Whether to go no further, between two steps. True in the second place if a task is asked for.
    #[inline]
    pub(crate) fn should_stop<M: Machine>(
        &mut self,
        observer: &mut impl Observer<M>,
        may_pause: bool,
    ) -> (bool, bool) {
        if !self.pending.is_empty() {
            self.report_pending(observer);
        }
        self.steps += 1;
        if self.steps.is_multiple_of(STEPS_BETWEEN_CHECKS) {
            self.look_around(observer);
        }
        let asked = self.signals.call() && self.attend(may_pause);
        (self.summary.stopped.is_some() || self.leaving, asked)
    }

    #[cold]
    fn look_around<M: Machine>(&mut self, observer: &mut impl Observer<M>) {
        observer.progress(self.summary.executions, self.summary.blocked);
        if self.options.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.signals.stop(Stop::Deadline);
        }
        if self.options.is_interrupted() {
            self.signals.stop(Stop::Interrupt);
        }
        if self.signals.is_over(&self.position) {
            self.summary.stopped = Some(Stop::Violation);
        }
    }

    /// Somebody wants something: that this worker leaves, or, if the answer is true, a task.
    #[cold]
    fn attend(&mut self, may_pause: bool) -> bool {
        match self.signals.leave() {
            Some(_) if !may_pause => {}
            Some(Call::Stop(why)) => self.summary.stopped = Some(why),
            // Whoever is called all the time must come forward too.
            Some(Call::Pause) => self.leaving = self.steps > self.began + 1,
            None => return true,
        }
        false
    }

    /// Ends the search, for all workers.
    fn stop(&mut self, why: Stop) {
        self.summary.stopped = Some(why);
        self.signals.stop(why);
    }

    /// Whether this worker has come to a stop.
    pub(crate) fn is_stopped(&self) -> bool {
        self.summary.stopped.is_some()
    }

    /// Something was not finished because the search is halted: leaves it.
    #[cold]
    pub(crate) fn stop_as_halted(&mut self) {
        self.stop(self.signals.stopped().unwrap_or(Stop::Interrupt));
    }

    /// Whether the execution that was just reached came after the last one that was wanted: it has not
    /// been visited.
    pub(crate) fn is_surplus(&mut self) -> bool {
        std::mem::take(&mut self.surplus)
    }

    // ---- what is found -----------------------------------------------------------------------

    /// Counts an execution that has ended, and shows it. True if it was complete and within the limit.
    pub(crate) fn count<M: Machine, Mo: Model>(
        &mut self,
        ended: Ended,
        beyond: bool,
        execution: &mut Execution<'_, M, Mo>,
        observer: &mut impl Observer<M>,
    ) -> bool {
        match ended {
            Ended::Stale => self.summary.figures.stale += 1,
            Ended::Complete => {
                if !self.count_execution() {
                    return false;
                }
                if beyond {
                    self.summary.figures.bound.get_or_insert_default().beyond += 1;
                }
                observer.execution(&execution.visit(beyond));
                return true;
            }
            Ended::Blocked | Ended::Cut(_) | Ended::Stuck => {
                if let Ended::Cut(place) = ended {
                    self.summary.add_cut(place);
                }
                self.summary.blocked += 1;
                observer.blocked(&execution.visit(beyond));
            }
        }
        false
    }

    /// Counts a complete execution. False if there were enough already.
    fn count_execution(&mut self) -> bool {
        let Some(limit) = self.options.max_executions else {
            self.summary.executions += 1;
            return true;
        };
        let (counts, reached) = self.signals.count(limit);
        self.surplus = !counts;
        if reached {
            self.stop(Stop::MaxExecutions);
        }
        self.summary.executions += u64::from(counts);
        counts
    }

    /// Looks at what was found since the last time, in the execution as it is now; `ended` says that nobody
    /// can extend it.
    #[inline]
    pub(crate) fn judge<M: Machine, Mo: Model>(
        &mut self,
        execution: &mut Execution<'_, M, Mo>,
        scope: &mut impl Scope<M, Mo>,
        ended: bool,
    ) {
        if !execution.found.is_empty() {
            self.judge_findings(execution, scope, ended);
        }
    }

    #[cold]
    fn judge_findings<M: Machine, Mo: Model>(
        &mut self,
        execution: &mut Execution<'_, M, Mo>,
        scope: &mut impl Scope<M, Mo>,
        ended: bool,
    ) {
        let mut found = std::mem::take(&mut execution.found);
        // What is wrong with an execution that teaches something may not be so once that is known.
        let teaches = found.iter().any(|finding| matches!(finding, Finding::Lessons(_)));
        for finding in found.drain(..) {
            match finding {
                Finding::Fault(_) if teaches => {}
                Finding::Fault(fault) => self.judge_fault(fault, execution, scope, ended),
                Finding::Unsupported(what) => self.summary.add_unsupported(what),
                Finding::Lessons(lessons) => {
                    self.summary.lessons.extend(lessons);
                    self.stop(Stop::Lesson);
                }
                Finding::Interrupted => self.stop(Stop::Interrupt),
            }
        }
        execution.found = found;
    }

    /// Records a violation, once for each kind and pair of places.
    fn judge_fault<M: Machine, Mo: Model>(
        &mut self,
        found: FaultFound,
        execution: &mut Execution<'_, M, Mo>,
        scope: &mut impl Scope<M, Mo>,
        ended: bool,
    ) {
        let FaultFound { fault, thread, event, other, waiting } = found;
        let key = violation_key(&execution.graph, &fault, other);
        let once = self.options.keep_going && !self.options.every;
        if once && self.is_seen(&(key, false)) {
            return;
        }
        match execution.steps(ended) {
            Steps::Whole => {}
            Steps::Torn => {
                self.unconfirmed = true;
                return;
            }
            Steps::Unclear => {
                let what = Unsupported::new(Obstacle::TornAccess, fault.place);
                return self.summary.add_unsupported(what);
            }
        }
        let graph = &execution.graph;
        let beyond_bound = scope.is_beyond(execution);
        self.unconfirmed |= beyond_bound;
        let known = if self.options.every {
            false
        } else if once {
            let known = self.is_seen(&(key, beyond_bound));
            if !known {
                self.seen.insert((key, beyond_bound), self.position.clone());
            }
            known
        } else {
            self.violation_at.as_ref().is_some_and(|at| *at <= self.position)
        };
        let ignored = beyond_bound && scope.is_strict();
        if ignored {
            self.summary.figures.bound.get_or_insert_default().ignored = true;
        }
        if known || ignored {
            return;
        }
        self.pending.push(Violation {
            fault,
            thread,
            event,
            other,
            waiting,
            graph: graph.clone(),
            locations: Arc::new(execution.locations.clone()),
            after: self.summary.executions,
            beyond_bound,
            at: self.position.clone(),
        });
        if !self.options.keep_going {
            self.stop_at_violation();
        }
    }

    /// Whether it was reported, and one worker alone would not have found it later than the one at hand: tasks are
    /// not taken in that order.
    fn is_seen(&self, what: &(ViolationKey, bool)) -> bool {
        self.seen.get(what).is_some_and(|at| *at <= self.position)
    }

    /// A violation was found and is wanted: nothing after it matters any more.
    fn stop_at_violation(&mut self) {
        self.summary.violations.clear();
        self.violation_at = Some(self.position.clone());
        if self.options.any {
            self.stop(Stop::Violation);
        } else {
            self.summary.stopped = Some(Stop::Violation);
            self.signals.violation(&self.position);
        }
    }

    pub(crate) fn report_pending<M: Machine>(&mut self, observer: &mut impl Observer<M>) {
        for violation in self.pending.drain(..) {
            observer.violation(&violation);
            if !self.options.every {
                self.summary.add_violation(violation);
            }
        }
    }

    /// The work is done, or left for a while.
    pub(crate) fn finish<M: Machine>(
        &mut self,
        execution: &dyn AnyExecution,
        observer: &mut impl Observer<M>,
    ) {
        self.report_pending(observer);
        (self.summary.events, self.summary.largest_graph) = execution.size();
    }
}
