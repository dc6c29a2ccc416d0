//! Growing a trace: steps that are no reads, nodes, and their branches.

use super::node::{Branch, Next, Node};
use super::{NOTHING, Rvf};
use crate::execution::{Becomes, PendingRead, Stance, WaitsFor};
use crate::search::{Moved, Observer};
use norn_action::{Action, Machine, ThreadId, Value};
use norn_graph::EventId;
use norn_models::Interleaving;
use norn_models::vsc::{Good, Op, Step};

impl<M: Machine, Mo: Interleaving> Rvf<'_, M, Mo> {
    /// Lets some thread take a step that is no read; if nobody can, opens a node for the reads.
    pub(super) fn move_on(&mut self, observer: &mut impl Observer<M>) -> Moved {
        let mut reads = false;
        for (t, &state) in self.execution.current.iter().enumerate() {
            let thread = ThreadId(t as u32);
            match self.execution.stance_in(thread, state) {
                Stance::Step => return self.forward(thread, observer),
                Stance::Read(_) => reads = true,
                Stance::Stands | Stance::Joins(_) | Stance::Depends => {}
            }
        }
        if !reads {
            return if self.leaf(observer) { Moved::Done } else { Moved::Surplus };
        }
        self.open(observer)
    }

    /// Takes the pending action of `thread`, which is no read.
    fn forward(&mut self, thread: ThreadId, observer: &mut impl Observer<M>) -> Moved {
        if self.execution.gives_up(thread) {
            return Moved::Done;
        }
        let taken = match *self.execution.action(thread) {
            Action::Store(..) => self.take_write(thread),
            Action::Choose { count, .. } => {
                let mut node = self.new_node();
                node.is_choice = true;
                node.reads.push(thread);
                node.able = 1;
                node.begin();
                node.set_branches([Branch::Answers(0, count.max(1))].into_iter(), false);
                self.nodes.push(node);
                return self.begin_node(observer);
            }
            _ => self.take_other(thread),
        };
        if taken { Moved::On } else { Moved::Done }
    }

    fn new_node(&mut self) -> Node {
        let mut node = self.spare.pop().unwrap_or_default();
        self.causal.resize(self.causal.len().max(self.execution.current.len()), NOTHING);
        node.length = self.execution.graph.len() as u32;
        node.ops = self.steps.len();
        node.growth.set(&self.base, &self.trace);
        node.causal.clone_from(&self.causal);
        node.opened_at = self.progress.leaves;
        node.open();
        node
    }

    /// Takes the first branch of the latest node, which is new.
    fn begin_node(&mut self, observer: &mut impl Observer<M>) -> Moved {
        self.base.clone_from(&self.trace);
        if self.next_branch(self.nodes.len() - 1, observer) { Moved::On } else { Moved::Done }
    }

    /// Opens a node: all threads that can move are paused at reads.
    fn open(&mut self, observer: &mut impl Observer<M>) -> Moved {
        let mut node = self.new_node();
        let (mut all_wait, mut free) = (true, 0);
        for t in 0..self.execution.current.len() as u32 {
            let thread = ThreadId(t);
            let Stance::Read(waits) = self.execution.stance(thread) else { continue };
            if self.execution.gives_up(thread) {
                return Moved::Done;
            }
            let read = self.execution.pending_read(thread);
            if !self.execution.touch(read.location) {
                self.fault_access(thread);
                return Moved::On;
            }
            self.execution.graph.untouch(read.location);
            if read.is_rmw() {
                let step = self.steps.before_next(&self.execution.graph, thread);
                self.signal(read.location, thread, step);
            }
            all_wait &= waits != WaitsFor::Nothing;
            // Those first that signals count for.
            let place = match self.causal[thread.index()] {
                NOTHING => free,
                bound if self.steps.has_write_from(read.location, bound) => node.able as usize,
                _ => {
                    node.reads.push(thread);
                    continue;
                }
            };
            free += usize::from(self.causal[thread.index()] == NOTHING);
            node.able += 1;
            node.reads.insert(place, thread);
        }
        if all_wait {
            node.add(Branch::End);
        }
        self.nodes.push(node);
        self.begin_node(observer)
    }

    /// Takes the next branch of a node, which is the latest; the graph is that of the node.
    pub(super) fn next_branch(&mut self, index: usize, observer: &mut impl Observer<M>) -> bool {
        loop {
            match self.nodes[index].next() {
                Next::Branch(Branch::End) => {
                    if !self.stand_still(index, observer) {
                        // For whoever goes on with the search.
                        self.nodes[index].add(Branch::End);
                    }
                    if self.session.is_stopped() {
                        return false;
                    }
                }
                Next::Branch(Branch::Answers(answer, _)) => {
                    self.nodes[index].reach();
                    self.take_answer(self.nodes[index].reads[0], answer);
                    return true;
                }
                Next::Branch(Branch::Read(initial, writes)) => {
                    let good = Good { initial, writes };
                    if self.read_good(index, &good) {
                        return true;
                    }
                    if self.verifier.gave_up() {
                        self.nodes[index].add(Branch::read(good));
                        self.session.stop_as_halted();
                        return false;
                    }
                }
                Next::Others => return false,
                Next::Read => {
                    self.unwatch(index);
                    self.begin_read(index);
                }
                Next::Close => {
                    self.count_if_in_vain(index);
                    return false;
                }
            }
        }
    }

    /// Nothing is left at a node, and perhaps nothing came of it.
    fn count_if_in_vain(&mut self, index: usize) {
        if !self.nodes[index].is_reached() {
            self.session.summary.figures.stale += 1;
        }
    }

    /// Goes on to the next read of a node.
    fn begin_read(&mut self, index: usize) {
        let node = &mut self.nodes[index];
        let present = node.begin();
        if present > 0 {
            self.causal[node.reads[present - 1].index()] = node.ops;
        }
        let thread = node.reads[present];
        let read = self.execution.pending_read(thread);
        let groups = self.groups(thread, &read);
        let bound = self.causal[thread.index()];
        let signal = self.aids.signals
            && (bound == NOTHING || self.steps.instance.overwrites_all(read.location.0, bound))
            && (read.waits == WaitsFor::Nothing
                || self.may_wait_for_ever(&[thread]) == Some(false));
        self.nodes[index].set_branches(groups.into_iter().map(Branch::read), signal);
        if signal {
            self.watch(index, read.location);
        }
    }

    /// The writes that the pending read of `thread` may see, by what they write; what it sees at the end of the
    /// trace comes last. Only those that let the thread go on.
    fn groups(&mut self, thread: ThreadId, read: &PendingRead) -> Vec<Good> {
        self.execution.touch(read.location);
        let graph = &self.execution.graph;
        let mut visible = self.steps.visible(graph, thread, read.location);
        let bound = self.causal[thread.index()];
        if bound != NOTHING {
            visible.initial = false;
            visible.writes.retain(|&write| write >= bound);
        }
        let mut groups: Vec<((Value, u8), Good)> = Vec::new();
        let mut add = |write: Option<Op>| {
            let source = write.map_or(EventId::INIT, |op| self.steps.write(op));
            let content = graph.content_of(source, read.location);
            if read.becomes(content) == Becomes::Blocked {
                return;
            }
            let at = groups.iter().position(|(known, _)| *known == content);
            let at = at.unwrap_or_else(|| {
                groups.push((content, Good::default()));
                groups.len() - 1
            });
            match write {
                Some(op) => groups[at].1.writes.push(op),
                None => groups[at].1.initial = true,
            }
        };
        visible.initial.then(|| add(None));
        visible.writes.iter().for_each(|&op| add(Some(op)));
        let last = self.last_write(read.location.0);
        let sees = |good: &Good| last.map_or(good.initial, |op| good.writes.contains(&op));
        groups.sort_by_key(|(_, good)| sees(good));
        self.execution.graph.untouch(read.location);
        groups.into_iter().map(|(_, good)| good).collect()
    }

    /// The last write to a location in the trace.
    fn last_write(&self, location: u32) -> Option<Op> {
        let writes = |op: &&Op| {
            let step = self.steps.instance.step(**op);
            step.writes && step.location == location
        };
        self.trace.iter().rev().find(writes).copied()
    }

    /// Lets the present read of a node see one of the good writes, if some trace has that.
    fn read_good(&mut self, index: usize, good: &Good) -> bool {
        let node = &mut self.nodes[index];
        let present = node.present().expect("the read was begun");
        let thread = node.reads[present];
        let read = self.execution.pending_read(thread);
        self.execution.touch(read.location);
        let source = match good.initial {
            true => EventId::INIT,
            false => self.steps.write(good.writes[0]),
        };
        let graph = &self.execution.graph;
        let becomes = read.becomes(graph.content_of(source, read.location));
        let writes = becomes == Becomes::Exclusive;
        let step = Step { thread: thread.0, location: read.location.0, reads: true, writes };
        self.steps.add_read(graph, EventId::new(thread, graph.thread_len(thread)), step, good);
        let Some(line) = self.verifier.witness(&self.steps.instance, &[], &self.trace) else {
            self.steps.cut(self.steps.len() - 1);
            self.execution.graph.untouch(read.location);
            return false;
        };
        self.trace.clear();
        self.trace.extend_from_slice(line);
        self.nodes[index].realise();
        self.causal[thread.index()] = NOTHING;
        self.take_read(thread, &read, becomes, source);
        true
    }

    /// Adds the pending read of `thread`, with its write if it has one. Its step is there already.
    fn take_read(
        &mut self,
        thread: ThreadId,
        read: &PendingRead,
        becomes: Becomes,
        source: EventId,
    ) {
        let execution = &mut self.execution;
        let state = execution.state(thread);
        let (value, undefined) = execution.graph.content_of(source, read.location);
        let id = execution.graph.add_read(thread, read.event(becomes, state), source);
        execution.added(id);
        execution.count_event();
        execution.check_access(id);
        // That it may write was signalled when its thread came to it.
        if becomes == Becomes::Exclusive {
            let id = execution.add_last_write(thread);
            execution.added(id);
            execution.count_event();
            execution.check_access(id);
        }
        execution.advance_partly(thread, state, value, undefined);
        self.judge(false);
    }

    /// Adds the pending store of `thread`.
    fn take_write(&mut self, thread: ThreadId) -> bool {
        let execution = &mut self.execution;
        let write = execution.pending_write(thread);
        if !execution.touch(write.location) {
            self.fault_access(thread);
            return true;
        }
        let length = execution.graph.len();
        let state = execution.state(thread);
        let id = execution.add_last_write(thread);
        execution.added(id);
        execution.count_event();
        execution.check_access(id);
        execution.advance(thread, state, write.answer);
        self.record_from(length);
        self.signal(write.location, thread, Some(self.steps.len() - 1));
        self.judge(false);
        true
    }

    /// The pending access of `thread` is to no object: the thread ends.
    fn fault_access(&mut self, thread: ThreadId) {
        let length = self.execution.graph.len();
        self.execution.fault_access(thread);
        self.record_from(length);
        self.judge(false);
    }

    /// Takes the pending action of `thread`, which is neither an access nor a choice.
    fn take_other(&mut self, thread: ThreadId) -> bool {
        let length = self.execution.graph.len();
        let alive = self.execution.take_other(thread);
        self.record_from(length);
        self.judge(false);
        alive
    }

    /// Answers the pending choice of `thread`.
    fn take_answer(&mut self, thread: ThreadId, answer: u64) {
        let length = self.execution.graph.len();
        self.execution.answer(thread, answer);
        self.record_from(length);
        self.judge(false);
    }

    /// The events from `length` on, none of which reads, become steps at the end of the trace.
    fn record_from(&mut self, length: usize) {
        let graph = &self.execution.graph;
        for &id in &graph.order()[length..] {
            self.trace.push(self.steps.add(graph, id));
        }
    }
}
