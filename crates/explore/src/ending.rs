//! What a graph that nobody can extend is: an execution, a deadlock, or of no interest.

use crate::bound::Prune;
use crate::enabled::is_blocked;
use crate::pool::NO_STATE;
use crate::sections;
use crate::trust::Trust;
use crate::{Ended, Execution, Observer, Waiting};
use norn_action::{Action, Fault, FaultKind, Machine, Place, ThreadId, Wait};
use norn_graph::EventId;
use norn_models::Model;

impl<M: Machine, Mo: Model, P: Prune> Trust<'_, M, Mo, P> {
    /// Nobody can move: classifies the graph, counts it and reports it.
    pub(crate) fn end(&mut self, observer: &mut impl Observer<M>) {
        if self.machine.has_sections() && !sections::are_atomic(&self.top.graph, true) {
            return;
        }
        self.ended = true;
        self.conclude(observer);
        self.ended = false;
    }

    fn conclude(&mut self, observer: &mut impl Observer<M>) {
        let mut waiting = Vec::new();
        let beyond = self.prune.ended(&self.top.graph, &self.pool);
        match self.classify(&mut waiting) {
            Ended::Complete => {
                if self.count_execution() {
                    self.summary.beyond_bound += u64::from(beyond);
                    observer.execution(&self.execution(beyond));
                }
                self.confirm(beyond);
            }
            Ended::Stale => self.summary.stale += 1,
            ended => {
                self.summary.blocked += 1;
                observer.blocked(&self.execution(beyond));
                self.confirm(beyond);
                if ended == Ended::Stuck {
                    self.report_stuck(waiting);
                }
            }
        }
    }

    /// What was wrong with a graph that did not count, beyond the bound or while an atomic section was
    /// under way, may still be wrong now that the graph has ended and counts. It would not be found
    /// again: it is looked for when its events are added.
    fn confirm(&mut self, beyond: bool) {
        if !self.doubtful || beyond {
            return;
        }
        for t in 0..self.top.current.len() as u32 {
            if self.top.state(ThreadId(t)) != NO_STATE {
                self.arrived(ThreadId(t));
            }
        }
        for index in 0..self.top.graph.len() {
            self.check_event(self.top.graph.order()[index]);
        }
    }

    pub(crate) fn execution(&self, beyond_bound: bool) -> Execution<'_, M> {
        Execution {
            graph: &self.top.graph,
            locations: &self.locations,
            beyond_bound,
            current: &self.top.current,
            pool: &self.pool,
        }
    }

    fn classify(&mut self, waiting: &mut Vec<Waiting>) -> Ended {
        let (mut cut, mut blocked, mut failed, mut exited) = (None, false, false, false);
        for t in 0..self.top.current.len() {
            let thread = ThreadId(t as u32);
            let state = self.top.state(thread);
            if state == NO_STATE {
                continue;
            }
            match &self.pool.get(state).action {
                // One that would end the process when all others have ended waits for nobody's good.
                Action::Finish(_) | Action::Last { .. } => {}
                Action::Exit(_) => exited = true,
                Action::Fail(_) => failed = true,
                Action::Unsupported(_) | Action::Abandon(_) | Action::Interrupted => {
                    blocked = true;
                }
                Action::Cut(place) => cut = Some(*place),
                Action::Spin { reads, place } => {
                    if self.spins_for_ever(thread, *reads) {
                        waiting.push(self.waiting(thread, Some(Wait::Value), *place));
                    } else {
                        blocked = true;
                    }
                }
                Action::Join { thread: target, place } => {
                    let holder = Some(*target);
                    waiting.push(Waiting { thread, wait: None, holder, place: *place });
                }
                Action::BarrierLeave(barrier) => {
                    let place = barrier.place;
                    waiting.push(Waiting { thread, wait: None, holder: None, place });
                }
                Action::Load(_, Some((_, Wait::TimedCondition))) => blocked = true,
                Action::Load(access, wait) => {
                    let wait = wait.map(|(_, wait)| wait);
                    waiting.push(self.waiting(thread, wait, access.place));
                }
                Action::Rmw(rmw) => {
                    waiting.push(self.waiting(thread, rmw.wait, rmw.access.place));
                }
                other => unreachable!("{other:?} can be taken"),
            }
            if is_blocked(&self.top.graph, thread) && self.is_stale(thread) {
                return Ended::Stale;
            }
        }
        if let Some(place) = cut {
            self.summary.cut = Some(place);
            return Ended::Cut;
        }
        // When the process has ended, it does not matter who still waits.
        match (failed, blocked, waiting.is_empty() || exited) {
            (true, ..) => Ended::Complete,
            (false, true, _) => Ended::Blocked,
            (false, false, true) => Ended::Complete,
            (false, false, false) => Ended::Stuck,
        }
    }

    /// Whether the blocked read of `thread` does not read the newest write. Either that one passes
    /// its test, or another graph differs in this read only.
    fn is_stale(&self, thread: ThreadId) -> bool {
        let graph = &self.top.graph;
        let read = graph.event(graph.last_of(thread));
        read.rf != graph.location(read.location).co.last().copied().unwrap_or(EventId::INIT)
    }

    /// Whether all that a spinning thread looks at is as new as it will ever be: each of the last
    /// `reads` reads, which are those of its last iteration, saw the newest write. If one of them
    /// saw an older write, the next iteration may go another way. (Read-modify-writes there are of
    /// objects that the runtime keeps; what the thread does does not depend on them.)
    fn spins_for_ever(&self, thread: ThreadId, reads: u32) -> bool {
        let graph = &self.top.graph;
        let iteration = graph.thread_events(thread).iter().rev().filter(|event| event.is_read());
        iteration.take(reads as usize).all(|event| {
            let newest = graph.location(event.location).co.last().copied();
            event.is_exclusive() || event.rf == newest.unwrap_or(EventId::INIT)
        })
    }

    fn waiting(&self, thread: ThreadId, wait: Option<Wait>, place: Place) -> Waiting {
        let saved = self.pool.get(self.top.state(thread));
        let graph = &self.top.graph;
        let holder = match (wait, graph.location_if_any(saved.location)) {
            (Some(Wait::Mutex | Wait::RwLock), Some(state)) => {
                state.co.last().map(|write| write.thread())
            }
            _ => None,
        };
        Waiting { thread, wait, holder, place }
    }

    fn report_stuck(&mut self, waiting: Vec<Waiting>) {
        let spins = |one: &Waiting| one.wait == Some(Wait::Value);
        let joins = |one: &Waiting| one.wait.is_none() && one.holder.is_some();
        let only_spin =
            waiting.iter().any(spins) && waiting.iter().all(|one| spins(one) || joins(one));
        let kind = if only_spin { FaultKind::Livelock } else { FaultKind::Deadlock };
        let first = waiting.iter().find(|one| one.wait.is_some()).unwrap_or(&waiting[0]);
        let message = match kind {
            FaultKind::Livelock => format!("{} waits for a value that never comes", first.thread),
            _ => format!("{} of the threads wait for ever", waiting.len()),
        };
        let (thread, place) = (first.thread, first.place);
        self.violate(Fault::new(kind, message, place), thread, None, None, waiting);
    }
}
