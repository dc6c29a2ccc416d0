//! Ends: what becomes of a set of events to which nobody adds, over all its traces.
//!
//! Four questions are answered by VerifySC with more steps or edges than the events have:
//!
//! * *Who waits for ever?* Threads that are paused at reads that wait, if some trace has last writes that
//!   satisfy none of them: as if each looked again at the end and saw a write that does not do.
//! * *Who spins for ever?* A thread that spins, or that waits in a loop, does so if what it read in its last round
//!   is the last value of each location: then the round can come last. For a plain read, all writes to its location come before it; the good writes say
//!   that the value stays. For a read-modify-write, which wrote the value that it read, the last value is
//!   asked for, as if somebody read it at the end.
//! * *What is used after its end?* An access may come after a free if some trace has it so. It is enough to
//!   ask for the last access of each thread: if that cannot, those before it cannot.
//! * *What may memory hold in the end?* Each choice of last values that some trace has, for those who
//!   ask ([`Observer::wants_ends`]).

use super::Rvf;
use super::container::Container;
use crate::execution::{Becomes, Execution, Stance};
use crate::search::{Observer, Session};
use norn_action::{Action, Machine, Obstacle, Place, ThreadId, Unsupported, Value};
use norn_graph::{EventId, EventKind, LocationId};
use norn_models::Interleaving;
use norn_models::vsc::{Good, Op, Step};

/// Writes that are to be last at a location.
type Last = (LocationId, Good);

impl<M: Machine, Mo: Interleaving> Rvf<'_, M, Mo> {
    /// All threads wait, or have ended: if that can be so for ever, it is an end. False if there were enough
    /// executions, or the search is stopped.
    pub(super) fn stand_still(&mut self, index: usize, observer: &mut impl Observer<M>) -> bool {
        let waits = |&thread: &ThreadId| matches!(self.execution.stance(thread), Stance::Read(_));
        let waiting: Vec<ThreadId> = self.execution.started().filter(waits).collect();
        // Cheaper than all of them at once.
        if waiting.iter().any(|&thread| self.may_wait_for_ever(&[thread]) == Some(false)) {
            return true;
        }
        let line = self.line_of_end(&waiting, true).or_else(|| self.line_of_end(&waiting, false));
        let Some(line) = line else { return !self.is_halted() };
        self.nodes[index].reach();
        self.visit(&line, observer)
    }

    /// Nobody can move. False if there were enough executions, or the search is stopped.
    pub(super) fn leaf(&mut self, observer: &mut impl Observer<M>) -> bool {
        let spins = |thread| matches!(self.execution.action(thread), Action::Spin { .. });
        if self.execution.started().any(spins) {
            if let Some(line) = self.line_of_end(&[], true) {
                return self.visit(&line, observer);
            }
            if self.is_halted() {
                return false;
            }
        }
        let line = std::mem::take(&mut self.trace);
        let counted = self.count(&line, observer);
        self.trace = line;
        self.look_further(counted, observer)
    }

    /// Whether some trace at hand leaves all of `threads` waiting; none if that was not found out.
    pub(super) fn may_wait_for_ever(&mut self, threads: &[ThreadId]) -> Option<bool> {
        let is_found = self.line_of_end(threads, false).is_some();
        (is_found || !self.verifier.gave_up()).then_some(is_found)
    }

    /// Whether the last question was given up, because the search is stopped.
    fn is_halted(&mut self) -> bool {
        if self.verifier.gave_up() {
            self.session.stop_as_halted();
        }
        self.verifier.gave_up()
    }

    /// A trace at whose end all of `waiting` wait and, if asked for, all who spin do so for ever.
    fn line_of_end(&mut self, waiting: &[ThreadId], spin: bool) -> Option<Vec<Op>> {
        let mut last = Vec::new();
        for &thread in waiting {
            last.push(self.unsatisfying(thread)?);
        }
        let mut edges = Vec::new();
        if spin {
            self.add_spins(&mut last, &mut edges);
        }
        self.line_with(&last, &edges)
    }

    /// The writes that may be last and leave the pending read of `thread` waiting; none if there are none.
    fn unsatisfying(&mut self, thread: ThreadId) -> Option<Last> {
        let read = self.execution.pending_read(thread);
        let waits = |content| read.becomes(content) == Becomes::Blocked;
        let good = self.last_writes(read.location, waits);
        (good.initial || !good.writes.is_empty()).then_some((read.location, good))
    }

    /// The writes to a location that may be last, with values, and bytes of them that were never written, for
    /// which `holds`.
    fn last_writes(&mut self, location: LocationId, holds: impl Fn((Value, u8)) -> bool) -> Good {
        self.execution.touch(location);
        let graph = &self.execution.graph;
        let mut good = self.steps.instance.visible(location.0, &self.steps.ends());
        let fits = |source: EventId| holds(graph.content_of(source, location));
        good.initial &= fits(EventId::INIT);
        good.writes.retain(|&write| fits(self.steps.write(write)));
        self.execution.graph.untouch(location);
        good
    }

    /// What must hold for those who spin, or wait in a loop, to do so for ever.
    fn add_spins(&mut self, last: &mut Vec<Last>, edges: &mut Vec<(Op, Op)>) {
        for thread in self.execution.started().collect::<Vec<_>>() {
            for id in self.execution.looks(thread).collect::<Vec<_>>() {
                let event = *self.execution.graph.event(id);
                if event.is_exclusive() {
                    let same = self.last_writes(event.location, |content| content.0 == event.value);
                    last.push((event.location, same));
                } else {
                    let read = self.steps.of(id);
                    let writes = self.steps.instance.writes_to(event.location.0).iter();
                    edges.extend(writes.map(|&write| (write, read)));
                }
            }
        }
    }

    /// A trace that has one of the writes of each of `last` as the last at its location, and the first
    /// of each pair of `edges` before the second.
    fn line_with(&mut self, last: &[Last], edges: &[(Op, Op)]) -> Option<Vec<Op>> {
        let Rvf { steps, verifier, trace, execution, .. } = self;
        let (ends, thread) = (steps.ends(), execution.current.len() as u32);
        for (location, good) in last {
            let step = Step { thread, location: location.0, reads: true, writes: false };
            steps.instance.push(step, &ends, good);
        }
        let line = verifier.witness(&steps.instance, edges, trace).map(<[Op]>::to_vec);
        last.iter().for_each(|_| steps.instance.pop());
        line
    }

    /// Visits the execution of a trace to which nobody adds. False if there were enough executions.
    fn visit(&mut self, line: &[Op], observer: &mut impl Observer<M>) -> bool {
        let counted = self.count(line, observer);
        self.look_further(counted, observer)
    }

    /// Counts and reports the execution of a trace: whether it is complete; none if there were enough.
    fn count(&mut self, line: &[Op], observer: &mut impl Observer<M>) -> Option<bool> {
        if !observer.wants_order() && self.all_have_ended() {
            return conclude(&mut self.execution, &mut self.session, observer);
        }
        self.look_at(line, |execution, session| conclude(execution, session, observer))
    }

    /// Whether every thread has come to its end, and nothing that could be wrong depends on the order.
    fn all_have_ended(&self) -> bool {
        let execution = &self.execution;
        let has_ended = |thread| {
            let action = execution.action(thread);
            matches!(action, Action::Finish(_) | Action::Exit(_)) && !execution.is_blocked(thread)
        };
        execution.started().all(has_ended)
            && execution.found.is_empty()
            && !execution.graph.objects().any_freed()
    }

    /// Looks at other traces of an execution that was counted, which may be complete. False if it was not.
    fn look_further(&mut self, counted: Option<bool>, observer: &mut impl Observer<M>) -> bool {
        let Some(complete) = counted else { return false };
        if self.execution.graph.objects().any_freed() {
            self.check_frees();
        }
        if complete && observer.wants_ends() {
            self.show_other_ends(observer);
        }
        true
    }

    /// Looks for accesses that come after the end of the object's life in some trace.
    #[cold]
    fn check_frees(&mut self) {
        let graph = &self.execution.graph;
        let frees = graph.order().iter().copied();
        let frees = frees.filter(|&id| graph.event(id).kind == EventKind::Free);
        for free in frees.collect::<Vec<_>>() {
            for thread in 0..self.execution.graph.thread_count() as u32 {
                self.check_free(free, ThreadId(thread));
            }
        }
    }

    fn check_free(&mut self, free: EventId, thread: ThreadId) {
        let graph = &self.execution.graph;
        let object = graph.event(free).object();
        let events = graph.thread_events(thread).iter().enumerate().rev();
        let accesses = events.filter(|(_, event)| {
            (event.is_read() || event.is_write())
                && graph.location(event.location).resolved.start == object
        });
        let accesses = accesses.map(|(position, _)| EventId::new(thread, position as u32));
        for access in accesses.collect::<Vec<_>>() {
            let (first, second) = (self.steps.of(free), self.steps.of(access));
            if self.steps.instance.is_before(second, first) {
                return;
            }
            let Some(line) = self.line_with(&[], &[(first, second)]) else {
                return self.note_gap();
            };
            self.look_at(&line, |execution, session| {
                execution.check_event(access);
                session.judge(execution, &mut (), true);
            });
        }
    }

    /// If the last question was given up, the execution at hand, which was counted, is not looked at to its
    /// end, and whoever goes on from here will not know.
    fn note_gap(&mut self) {
        if self.is_halted() {
            let gap = Unsupported::new(Obstacle::StoppedInExecution, Place::NONE);
            self.session.summary.add_unsupported(gap);
        }
    }

    /// Shows the complete execution at hand, which was shown by its trace, with each other choice of last values.
    fn show_other_ends(&mut self, observer: &mut impl Observer<M>) {
        let graph = &self.execution.graph;
        let several = |location: &LocationId| graph.location(*location).co.len() > 1;
        let locations: Vec<LocationId> = graph.touched().iter().copied().filter(several).collect();
        let known = self.last_values(&locations, &self.trace);
        let mut found = Vec::new();
        self.collect_ends(&locations, &mut Vec::new(), &mut found);
        for line in found {
            if self.last_values(&locations, &line) != known {
                self.look_at(&line, |execution, _| observer.other_end(&execution.visit(false)));
            }
        }
    }

    /// A trace for each choice of last values that some trace has.
    fn collect_ends(
        &mut self,
        locations: &[LocationId],
        chosen: &mut Vec<Last>,
        found: &mut Vec<Vec<Op>>,
    ) {
        let Some(line) = self.line_with(chosen, &[]) else { return self.note_gap() };
        let Some((&location, rest)) = locations.split_first() else {
            return found.push(line);
        };
        let mut values = Vec::new();
        for write in self.last_writes(location, |_| true).writes {
            let value = self.execution.graph.event(self.steps.write(write)).value;
            if values.contains(&value) {
                continue;
            }
            values.push(value);
            chosen.push((location, self.last_writes(location, |other| other.0 == value)));
            self.collect_ends(rest, chosen, found);
            chosen.pop();
        }
    }

    /// The values that some locations, which are written, have in the end.
    fn last_values(&self, locations: &[LocationId], line: &[Op]) -> Vec<Value> {
        let last = |location: &LocationId| {
            let mut writes = line.iter().rev().filter(|&&op| op < self.steps.len());
            let last = writes.find(|&&op| {
                let step = self.steps.instance.step(op);
                step.writes && step.location == location.0
            });
            let write = self.steps.write(*last.expect("a location that is written"));
            self.execution.graph.event(write).value
        };
        locations.iter().map(last).collect()
    }
}

/// Counts and reports the execution at hand: whether it is complete; none if there were enough.
fn conclude<M: Machine, Mo: Interleaving>(
    execution: &mut Execution<'_, M, Container<Mo>>,
    session: &mut Session,
    observer: &mut impl Observer<M>,
) -> Option<bool> {
    let ended = execution.conclude(false);
    let counted = session.count(ended, false, execution, observer);
    session.judge(execution, &mut (), true);
    (!session.is_surplus()).then_some(counted)
}
