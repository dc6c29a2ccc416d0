//! What a graph that nobody can extend is: an execution, a deadlock, or of no interest.

use crate::enabled::is_blocked;
use crate::pool::NO_STATE;
use crate::trust::Trust;
use crate::{Ended, Execution, Observer, Waiting};
use norn_action::{Action, Fault, FaultKind, Machine, Place, ThreadId, Wait};
use norn_graph::EventId;
use norn_models::Model;

impl<M: Machine, Mo: Model> Trust<'_, M, Mo> {
    /// Nobody can move: classifies the graph, counts it and reports it.
    pub(crate) fn end(&mut self, observer: &mut impl Observer<M>) {
        let mut waiting = Vec::new();
        match self.classify(&mut waiting) {
            Ended::Complete => {
                if self.count_execution() {
                    observer.execution(&self.execution());
                }
            }
            Ended::Blocked | Ended::Cut => {
                self.summary.blocked += 1;
                observer.blocked(&self.execution());
            }
            Ended::Stale => self.summary.stale += 1,
            Ended::Stuck => {
                self.summary.blocked += 1;
                observer.blocked(&self.execution());
                self.report_stuck(waiting);
            }
        }
    }

    pub(crate) fn execution(&self) -> Execution<'_, M> {
        Execution {
            graph: &self.top.graph,
            locations: &self.locations,
            current: &self.top.current,
            pool: &self.pool,
        }
    }

    fn classify(&mut self, waiting: &mut Vec<Waiting>) -> Ended {
        let (mut cut, mut blocked, mut failed) = (None, false, false);
        for t in 0..self.top.current.len() {
            let thread = ThreadId(t as u32);
            let state = self.top.state(thread);
            if state == NO_STATE {
                continue;
            }
            match &self.pool.get(state).action {
                Action::Finish(_) => {}
                Action::Fail(_) => failed = true,
                Action::Unsupported(_) | Action::Abandon(_) => blocked = true,
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
        match (failed, blocked, waiting.is_empty()) {
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
    /// saw an older write, the next iteration may go another way.
    fn spins_for_ever(&self, thread: ThreadId, reads: u32) -> bool {
        let graph = &self.top.graph;
        let iteration = graph.thread_events(thread).iter().rev().filter(|event| event.is_read());
        iteration.take(reads as usize).all(|event| {
            let newest = graph.location(event.location).co.last().copied();
            event.rf == newest.unwrap_or(EventId::INIT)
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
        let only_values = waiting.iter().all(|one| {
            matches!(one.wait, Some(Wait::Value)) || (one.wait.is_none() && waiting.len() > 1)
        });
        let kind = if only_values { FaultKind::Livelock } else { FaultKind::Deadlock };
        let first = waiting.iter().find(|one| one.wait.is_some()).unwrap_or(&waiting[0]);
        let message = match kind {
            FaultKind::Livelock => format!("{} waits for a value that never comes", first.thread),
            _ => format!("{} of the threads wait for ever", waiting.len()),
        };
        let (thread, place) = (first.thread, first.place);
        self.violate(Fault { kind, message, place }, thread, None, None, waiting);
    }
}
