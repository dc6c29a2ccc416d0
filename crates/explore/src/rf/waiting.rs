//! Threads that wait for a value, and graphs that nobody can extend.
//!
//! A read that waits for a value is taken only when nobody else can move. Its node branches on the
//! writes that satisfy it. Those that come later and depend on another waiting thread might not be
//! found there: with the read in the graph, what leads to them can be inconsistent. So if others wait
//! too and could go on, one more branch leaves the read out: its thread is *skipped* and stands still
//! to the end. All that does not depend on the read happens there. The end of such a branch is an
//! execution only if the thread may really wait for ever, which is so if some coherence order has a
//! last write that does not satisfy it; otherwise it is stale.

use super::Rf;
use crate::Observer;
use crate::reads::Becomes;
use norn_action::{Action, Machine, Mode, Place, ThreadId, Wait};
use norn_graph::{Event, EventId, EventKind};
use norn_models::Arrange;

impl<M: Machine, Mo: Arrange> Rf<'_, M, Mo> {
    /// Whether a branch without the pending read of `thread` is needed.
    pub(super) fn needs_skip(&mut self, thread: ThreadId) -> bool {
        let others = (0..self.base.top.current.len() as u32).map(ThreadId);
        others.filter(|&other| other != thread).any(|other| self.may_go_on(other))
            || self.can_wait_for_ever(thread)
    }

    /// Whether some write may satisfy the read that `thread` waits with.
    fn may_go_on(&self, thread: ThreadId) -> bool {
        let state = self.base.top.state(thread);
        if state == crate::pool::NO_STATE || self.is_skipped(thread) {
            return false;
        }
        let saved = self.base.pool.get(state);
        let waits = match &saved.action {
            Action::Load(_, wait) => wait.is_some(),
            Action::Rmw(rmw) => rmw.wait.is_some(),
            _ => false,
        };
        // A location that nobody has accessed holds its initial value, which is as good as any.
        waits
            && self.base.top.graph.location_if_any(saved.location).is_none_or(|state| {
                let read = self.base.pending_read(thread);
                let graph = &self.base.top.graph;
                std::iter::once(EventId::INIT).chain(state.co.iter().copied()).any(|write| {
                    read.becomes(graph.value_of(write, read.location)) != Becomes::Blocked
                })
            })
    }

    /// Whether `thread` may look at its location again and again, after all else has happened, and
    /// never be satisfied: as if it had joined everybody and then read a write that does not do.
    fn can_wait_for_ever(&mut self, thread: ThreadId) -> bool {
        let length = self.base.top.graph.len();
        let read = self.base.pending_read(thread);
        self.join_everybody(thread);
        let state = self.base.top.state(thread);
        let base = &mut self.base;
        let mut found = false;
        if base.touch(&read.access, read.location) {
            let graph = &base.top.graph;
            let co = graph.location(read.location).co.iter().copied();
            let writes: Vec<EventId> = std::iter::once(EventId::INIT).chain(co).collect();
            found = writes.into_iter().any(|source| {
                base.touch(&read.access, read.location);
                let graph = &mut base.top.graph;
                let value = graph.value_of(source, read.location);
                if read.becomes(value) != Becomes::Blocked {
                    return false;
                }
                let event = read.event(Becomes::Blocked, state);
                let id = graph.add_read(thread, event, source);
                base.model.added(graph, id);
                let consistent = base.model.arrange(graph, id);
                graph.pop();
                consistent
            });
            if base.top.graph.location_if_any(read.location).is_some() {
                base.top.graph.untouch(read.location);
            }
        }
        while self.base.top.graph.len() > length {
            self.base.top.graph.pop();
        }
        found
    }

    fn join_everybody(&mut self, thread: ThreadId) {
        let base = &mut self.base;
        for t in 0..base.top.graph.thread_count() as u32 {
            let last = base.top.graph.last_of(ThreadId(t));
            if t == thread.0 || last == EventId::NONE {
                continue;
            }
            let mut event = Event::new(EventKind::Join, Mode::Plain, Place::NONE);
            event.other = t;
            let id = base.top.graph.add_other(thread, event);
            base.model.added(&mut base.top.graph, id);
            base.top.graph.synchronise(id, last);
        }
    }

    /// Nobody can move: the threads that wait for their turn might have come first elsewhere; then the
    /// graph is counted and reported.
    pub(super) fn leaf(&mut self, observer: &mut impl Observer<M>) {
        for t in 0..self.base.top.current.len() as u32 {
            let state = self.base.top.state(ThreadId(t));
            if state == crate::pool::NO_STATE {
                continue;
            }
            let waits = match &self.base.pool.get(state).action {
                Action::Rmw(rmw) => rmw.wait,
                _ => None,
            };
            if matches!(waits, Some(Wait::Mutex | Wait::RwLock | Wait::Semaphore)) {
                self.declare_takers(ThreadId(t));
            }
        }
        for index in 0..self.skipped.len() {
            let thread = self.nodes[self.skipped[index] as usize].thread;
            if !self.can_wait_for_ever(thread) {
                self.base.summary.stale += 1;
                return;
            }
        }
        self.base.end(observer);
    }
}
