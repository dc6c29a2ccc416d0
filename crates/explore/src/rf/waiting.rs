//! Threads that wait for a value, and graphs that nobody can extend.
//!
//! A read that waits for a value is taken only when nobody else can move. Its node branches on the
//! writes that satisfy it, as any node does. But not every write does, so the argument in [`super`]
//! that there is always a branch in which a later write is found fails, and so does a thread that
//! waits for ever have no branch. One more branch mends both: it leaves the read out, and its thread is
//! *skipped* and stands still to the end. All that does not depend on the read happens there. The end
//! of that branch is an execution only if all skipped threads may really wait for ever, which is so if
//! some coherence order has last writes that do not satisfy them; otherwise it is stale.
//!
//! The branch is visited only if there is reason to: a write that does not satisfy the read is last, or
//! comes later; or with the read in the graph, a source was refused to another read that does not depend
//! on it. If none was, then whatever can happen without the read happened with it, step by step.

use super::Rf;
use crate::execution::Becomes;
use crate::search::Observer;
use norn_action::{Action, Machine, Mode, Place, ThreadId};
use norn_graph::{Event, EventId, EventKind, Graph, LocationId};
use norn_models::{Arrange, Model};

/// A read of a loop that goes round without effect.
struct Look {
    thread: ThreadId,
    location: LocationId,
    /// The writes after which the loop goes round once more.
    writes: Vec<EventId>,
}

impl<M: Machine, Mo: Arrange> Rf<'_, M, Mo> {
    /// A source was refused to the pending read of `thread`, because it is inconsistent or because
    /// `taker` has taken it. It might not be without the waiting reads that `thread` does not depend on.
    pub(super) fn refused(&mut self, thread: ThreadId, taker: Option<EventId>) {
        let graph = &self.execution.graph;
        for &index in &self.waiting {
            let node = &mut self.nodes[index as usize];
            let there = graph.thread_len(node.thread) > node.event.position();
            if there
                && taker.is_none_or(|taker| taker == node.event)
                && !Graph::within(graph.clock_before_next(0, thread), node.event)
            {
                node.need_skip();
            }
        }
    }

    /// Whether `threads` may all look at their locations again and again, after all else has happened,
    /// and never be satisfied: as if each had joined everybody and then read a write that does not do.
    pub(super) fn can_wait_for_ever(&mut self, threads: &[ThreadId]) -> bool {
        self.can_go_on_for_ever(threads, &[])
    }

    /// The same for `threads` and for others that spin, as if these looked again and saw the same.
    fn can_go_on_for_ever(&mut self, threads: &[ThreadId], looks: &[Look]) -> bool {
        let length = self.execution.graph.len();
        let ends = self.thread_ends();
        for &thread in threads {
            self.join_everybody(thread, &ends);
        }
        for (index, look) in looks.iter().enumerate() {
            let joined = threads.contains(&look.thread)
                || looks[..index].iter().any(|other| other.thread == look.thread);
            if !joined {
                self.join_everybody(look.thread, &ends);
            }
        }
        let found = self.may_spin_on(looks, threads);
        while self.execution.graph.len() > length {
            self.execution.graph.pop();
        }
        found
    }

    /// Tries to let each of `looks` see the same again, and `threads` stay unsatisfied.
    fn may_spin_on(&mut self, looks: &[Look], threads: &[ThreadId]) -> bool {
        let Some((look, rest)) = looks.split_first() else {
            return self.may_stay_unsatisfied(threads);
        };
        look.writes.iter().any(|&write| {
            let found = self.look_again(look.thread, look.location, write)
                && self.may_spin_on(rest, threads);
            self.execution.graph.pop();
            found
        })
    }

    /// Tries to let each of `threads` read a write that does not satisfy it.
    fn may_stay_unsatisfied(&mut self, threads: &[ThreadId]) -> bool {
        let Some((&thread, rest)) = threads.split_first() else { return true };
        let read = self.execution.pending_read(thread);
        let state = self.execution.state(thread);
        if !self.execution.touch(read.location) {
            return false;
        }
        let graph = &self.execution.graph;
        let co = graph.location(read.location).co.iter().copied();
        let unsatisfying = |write: &EventId| {
            read.becomes(graph.content_of(*write, read.location)) == Becomes::Blocked
        };
        let writes: Vec<EventId> =
            std::iter::once(EventId::INIT).chain(co).filter(unsatisfying).collect();
        self.execution.graph.untouch(read.location);
        writes.into_iter().any(|source| {
            let execution = &mut self.execution;
            execution.touch(read.location);
            let graph = &mut execution.graph;
            let id = graph.add_read(thread, read.event(Becomes::Blocked, state), source);
            execution.model.added(graph, id);
            let found = execution.model.arrange(graph, id) && {
                self.arrangements += 1;
                self.may_stay_unsatisfied(rest)
            };
            self.execution.graph.pop();
            found
        })
    }

    /// Adds a read of `source` to a thread that has joined everybody: whether some coherence order has
    /// that as the last write. The read stays. A write that was taken is not the last; one that is the last
    /// already raises no question.
    pub(super) fn look_again(
        &mut self,
        thread: ThreadId,
        location: LocationId,
        source: EventId,
    ) -> bool {
        let execution = &mut self.execution;
        let graph = &execution.graph;
        let is_taken = graph.taken_by(source, location) != EventId::NONE;
        let is_last = graph.co_index(source) as usize == graph.location(location).co.len();
        let mut event = Event::new(EventKind::Read, Mode::Plain, Place::NONE);
        event.location = location;
        let id = execution.graph.add_read(thread, event, source);
        execution.model.added(&mut execution.graph, id);
        if is_last || is_taken || execution.model.has_no_choice(&execution.graph) {
            return is_last;
        }
        self.arrangements += 1;
        execution.model.arrange(&mut execution.graph, id)
    }

    /// What all threads that spin, or wait in a loop, look at.
    fn spinning_looks(&self) -> Vec<Look> {
        let execution = &self.execution;
        let mut found = Vec::new();
        for thread in execution.started() {
            found.extend(execution.looks(thread).map(|id| {
                let read = execution.graph.event(id);
                let location = read.location;
                let co = execution.graph.location(location).co.iter().copied();
                let writes = std::iter::once(EventId::INIT).chain(co);
                let same = writes.filter(|&write| execution.sees_the_same(read, write));
                Look { thread, location, writes: same.collect() }
            }));
        }
        found
    }

    /// The last events of all threads.
    pub(super) fn thread_ends(&self) -> Vec<EventId> {
        let graph = &self.execution.graph;
        let threads = (0..graph.thread_count() as u32).map(ThreadId);
        threads.map(|thread| graph.last_of(thread)).filter(|last| last.is_real()).collect()
    }

    pub(super) fn join_everybody(&mut self, thread: ThreadId, ends: &[EventId]) {
        let execution = &mut self.execution;
        for &last in ends.iter().filter(|last| last.thread() != thread) {
            let event = Event::join(last.thread(), Place::NONE);
            let id = execution.graph.add_other(thread, event);
            execution.model.added(&mut execution.graph, id);
            execution.graph.synchronise(id, last);
        }
    }

    /// Nobody can move: read-modify-writes that wait might have come first elsewhere; then the
    /// graph is counted and reported.
    pub(super) fn leaf(&mut self, observer: &mut impl Observer<M>) {
        let is_rmw = |thread: &ThreadId| matches!(self.execution.action(*thread), Action::Rmw(_));
        let paused: Vec<ThreadId> = self.execution.started().filter(is_rmw).collect();
        for thread in paused {
            if !self.is_skipped(thread) {
                self.declare_takers(thread);
            }
        }
        let skipped: Vec<ThreadId> =
            self.skipped.iter().map(|&index| self.nodes[index as usize].thread).collect();
        let looks = self.spinning_looks();
        // If all can go on for ever, the witness says so now, and the graph is classified by that.
        let stuck = !looks.is_empty() && self.can_go_on_for_ever(&skipped, &looks);
        if !stuck && !skipped.is_empty() && !self.can_wait_for_ever(&skipped) {
            self.session.summary.figures.stale += 1;
            return;
        }
        let ended = self.execution.conclude(self.session.unconfirmed);
        let counted = self.session.count(ended, false, &mut self.execution, observer);
        self.judge(true);
        if counted && observer.wants_ends() {
            self.show_other_ends(observer);
        }
    }
}
