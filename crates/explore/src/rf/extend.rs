//! Adding events: who moves next, which writes a read is tried with, and the steps themselves.
//!
//! Whoever can take a step that is not a read does, so that reads find as many writes as possible; then
//! whoever can read; then whoever waits for a value. A waiting thread for which no write fits stays
//! where it is.

use super::Rf;
use crate::execution::{Becomes, Floors, Stance, WaitsFor};
use crate::search::{Moved, Observer};
use norn_action::{Action, Machine, ThreadId};
use norn_graph::EventId;
use norn_models::{Arrange, Model};

impl<M: Machine, Mo: Arrange> Rf<'_, M, Mo> {
    /// Lets some thread move; if nobody can, the graph has ended.
    pub(super) fn move_on(&mut self, observer: &mut impl Observer<M>) -> Moved {
        let mut waits = [false; 3];
        for t in 0..self.execution.current.len() {
            match self.stance(ThreadId(t as u32)) {
                Stance::Step => return self.forward(ThreadId(t as u32)),
                Stance::Read(kind) => waits[kind as usize] = true,
                Stance::Stands | Stance::Joins(_) | Stance::Depends => {}
            }
        }
        for kind in [WaitsFor::Nothing, WaitsFor::Turn, WaitsFor::Value] {
            if !waits[kind as usize] {
                continue;
            }
            for t in 0..self.execution.current.len() {
                let thread = ThreadId(t as u32);
                if self.stance(thread) != Stance::Read(kind) {
                    continue;
                }
                if self.execution.gives_up(thread) {
                    return Moved::Done;
                }
                if self.open(thread, kind) {
                    return Moved::On;
                }
            }
        }
        self.leaf(observer);
        if self.session.is_surplus() { Moved::Surplus } else { Moved::Done }
    }

    /// What a thread can do. One whose read is left out in this branch stands.
    fn stance(&self, thread: ThreadId) -> Stance {
        match self.execution.stance(thread) {
            Stance::Read(WaitsFor::Value) if self.is_skipped(thread) => Stance::Stands,
            stance => stance,
        }
    }

    pub(super) fn is_skipped(&self, thread: ThreadId) -> bool {
        self.skipped.iter().any(|&index| self.nodes[index as usize].thread == thread)
    }

    /// Takes the pending action of `thread`, which is no read.
    fn forward(&mut self, thread: ThreadId) -> Moved {
        if self.execution.gives_up(thread) {
            return Moved::Done;
        }
        let taken = match *self.execution.action(thread) {
            Action::Store(..) => self.take_write(thread, true),
            Action::Choose { count, .. } => {
                let mut node = self.new_node(thread);
                node.set_answers(count.max(1));
                self.nodes.push(node);
                self.next_branch(self.nodes.len() as u32 - 1)
            }
            _ => self.take_other(thread),
        };
        if taken { Moved::On } else { Moved::Done }
    }

    /// Opens a node for the pending read of `thread` and takes its first branch. False, and nothing
    /// changed, if no write fits.
    fn open(&mut self, thread: ThreadId, waits: WaitsFor) -> bool {
        let read = self.execution.pending_read(thread);
        if !self.execution.touch(read.location) {
            return self.take_read(thread, EventId::INIT);
        }
        if read.is_rmw() {
            self.declare_takers(thread);
        }
        let mut node = self.new_node(thread);
        node.waits = waits;
        let graph = &self.execution.graph;
        let co = &graph.location(read.location).co;
        for source in std::iter::once(EventId::INIT).chain(co.iter().copied()) {
            let fits = waits == WaitsFor::Nothing
                || read.becomes(graph.content_of(source, read.location)) != Becomes::Blocked;
            if fits {
                node.add_source(source);
            }
        }
        self.execution.graph.untouch(read.location);
        let index = self.nodes.len() as u32;
        let may_wait = waits == WaitsFor::Value && self.can_wait_for_ever(&[thread]);
        self.nodes.push(node);
        if waits == WaitsFor::Value {
            self.waiting.push(index);
        }
        self.drop_unreadable(index);
        if !self.next_branch(index) {
            debug_assert!(waits != WaitsFor::Nothing, "some write can always be read");
            self.close();
            return false;
        }
        if may_wait {
            self.nodes[index as usize].need_skip();
        }
        true
    }

    /// Drops sources of the new node that its read can never have. What is refused to it while others
    /// wait must be known one by one; see [`Rf::refused`].
    fn drop_unreadable(&mut self, index: u32) {
        let floors = self.floors_of(index);
        let floor = floors.plain.min(floors.locked);
        if floor == 0 || !self.waiting.is_empty() {
            return;
        }
        let node = &mut self.nodes[index as usize];
        let (thread, locked) = (node.thread, node.waits == WaitsFor::Turn);
        let access = self.execution.pending_read(thread).new_access(thread, locked);
        let graph = &self.execution.graph;
        let is_below = |source: &EventId| {
            graph.co_index(*source) < floor
                && (!locked || graph.taken_by(*source, access.location) == EventId::NONE)
        };
        let sources = node.sources();
        if sources.iter().any(is_below) {
            self.execution.model.retain_readable(graph, &access, floor, sources);
        }
    }

    /// Adds the pending read of `thread`, with its write if it is a read-modify-write that succeeds,
    /// reading from `source`. False, and nothing changed, if no coherence order allows that.
    pub(super) fn take_read(&mut self, thread: ThreadId, source: EventId) -> bool {
        let read = self.execution.pending_read(thread);
        let newest = self.execution.graph.location_if_any(read.location);
        let newest = newest.map_or(0, |state| state.co.len() as u32);
        let at_end = newest == 0 || self.execution.graph.co_index(source) == newest;
        let floors = if at_end {
            Floors::default()
        } else {
            self.execution.read_floors(thread, &read, newest)
        };
        self.take_read_above(thread, source, floors)
    }

    /// The same, when the floors are known.
    pub(super) fn take_read_above(
        &mut self,
        thread: ThreadId,
        source: EventId,
        floors: Floors,
    ) -> bool {
        let execution = &mut self.execution;
        let read = execution.pending_read(thread);
        if !execution.touch(read.location) {
            execution.fault_access(thread);
            self.record_from(self.execution.graph.len() - 1);
            self.judge(false);
            return true;
        }
        let state = execution.state(thread);
        let (value, undefined) = execution.graph.content_of(source, read.location);
        let becomes = read.becomes((value, undefined));
        let exclusive = becomes == Becomes::Exclusive;
        let graph = &mut execution.graph;
        if becomes == Becomes::Blocked
            || (exclusive && graph.taken_by(source, read.location) != EventId::NONE)
        {
            let taker = graph.taken_by(source, read.location);
            graph.untouch(read.location);
            if taker != EventId::NONE {
                self.refused(thread, Some(taker));
            }
            return false;
        }
        let length = graph.len();
        let index = graph.co_index(source);
        let fits = index >= if exclusive { floors.locked } else { floors.plain };
        if !fits && execution.model.is_overwritten(graph, thread, read.location, source) {
            graph.untouch(read.location);
            return false;
        }
        let id = graph.add_read(thread, read.event(becomes, state), source);
        execution.model.added(graph, id);
        if exclusive {
            let write = execution.pending_write(thread);
            let graph = &mut execution.graph;
            let id = graph.add_write(thread, write.event(state), index + 1);
            execution.model.added(graph, id);
        }
        let graph = &mut execution.graph;
        let last = graph.last_of(thread);
        let holds = fits
            && execution.model.holds(graph, id)
            && (!exclusive || execution.model.holds(graph, last));
        if !holds {
            if execution.model.has_no_choice(graph) || !execution.model.arrange(graph, id) {
                while graph.len() > length {
                    graph.pop();
                }
                self.refused(thread, None);
                return false;
            }
            self.arrangements += 1;
        }
        self.record_from(length);
        self.execution.check_access(id);
        if exclusive {
            self.execution.check_access(last);
        }
        self.execution.advance_partly(thread, state, value, undefined);
        self.judge(false);
        true
    }

    /// Adds the pending store of `thread`, last in coherence order; looks for reads that may read it
    /// if it is `new`.
    pub(super) fn take_write(&mut self, thread: ThreadId, new: bool) -> bool {
        let execution = &mut self.execution;
        let write = execution.pending_write(thread);
        let length = execution.graph.len();
        if !execution.touch(write.location) {
            execution.fault_access(thread);
            self.record_from(length);
            self.judge(false);
            return true;
        }
        let state = execution.state(thread);
        let graph = &mut execution.graph;
        let last = graph.location(write.location).co.len() as u32;
        let id = graph.add_write(thread, write.event(state), last + 1);
        execution.model.added(graph, id);
        self.record_from(length);
        if new {
            self.declare(id);
        }
        self.execution.check_access(id);
        self.execution.advance(thread, state, write.answer);
        self.judge(false);
        true
    }

    /// Takes the pending action of `thread`, which is neither an access nor a choice.
    pub(super) fn take_other(&mut self, thread: ThreadId) -> bool {
        let length = self.execution.graph.len();
        let alive = self.execution.take_other(thread);
        self.record_from(length);
        self.judge(false);
        alive
    }

    /// Answers the pending choice of `thread`.
    pub(super) fn take_answer(&mut self, thread: ThreadId, answer: u64) -> bool {
        let length = self.execution.graph.len();
        let alive = self.execution.answer(thread, answer);
        self.record_from(length);
        self.judge(false);
        alive
    }

    /// Names the events from `length` on, and counts them.
    fn record_from(&mut self, length: usize) {
        let graph = &self.execution.graph;
        for &id in &graph.order()[length..] {
            self.prefixes.record(graph, id);
            if matches!(
                graph.event(id).kind,
                norn_graph::EventKind::Read | norn_graph::EventKind::Write
            ) {
                self.execution.events += 1;
            }
        }
        let length = graph.len();
        self.execution.largest_graph = self.execution.largest_graph.max(length);
    }
}
