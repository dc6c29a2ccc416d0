//! `rf`: every reads-from relation (po, rf) once. Coherence is never chosen.
//!
//! After "Optimal Stateless Model Checking under the Release-Acquire Semantics" (OOPSLA 2018), whose
//! DeclarePostponed is [`declare`] and whose RunSchedule is [`replay`]. A read is a *node* of the search
//! tree: it reads from each write that is there, and later from each write that comes afterwards
//! and does not depend on it. For such a write `w`, a *schedule* goes back to the node and takes the
//! events that `w` depends on, then `w`, then the read, which reads from `w`.
//!
//! Why every consistent (po, rf) is visited exactly once, under any model that is closed under prefixes
//! and lets a read of the coherence-last write always be added:
//!
//! * *Once*: the branches of a node differ in the source of its read, or in what that source depends
//!   on. A node remembers which (source, what it depends on) it has seen; see [`prefix`].
//! * *All*: let the read `r` of a node with the graph `T` read from `w` in some graph, where `w` depends
//!   on the events `B`. Take a witness for `T ∪ B ∪ w`. There `r` may read the coherence-last write
//!   other than `w`: only `w` can come after that, and nothing comes after `w`. This source is in `T` or
//!   in `B`, so by induction its branch is visited, and everything that extends it, `B ∪ w` among
//!   others; there `w` is added and the schedule found.
//!
//! Where this differs from the paper, and why the result stays the same:
//!
//! 1. The read of a node stays open to further writes in all branches, not only in the first ones: the
//!    argument above needs that under models stronger than `ra`.
//! 2. All nodes that a write may be the source of get a schedule, not only the latest.
//! 3. Consistency is decided by a witness that is kept and rearranged (see [`norn_models::Arrange`]).
//! 4. A read-modify-write is one step of two events. If `r` and `w` above are read-modify-writes that
//!    read the same write, no branch of `r` has both; [`declare`] looks for `w` when its thread arrives
//!    at it while `r` has taken that write.
//! 5. Locks, semaphores: a node of a waiting read-modify-write branches on who takes the write next
//!    instead. A schedule then ends with the other taker, and the node's thread tries again later. So
//!    no branch ends in a read that waits.
//! 6. Other waiting reads come last, when nobody else can move; see [`waiting`].

mod declare;
mod ends;
mod extend;
mod node;
mod prefix;
mod replay;
mod waiting;

use crate::frame::Floors;
use crate::trust::Trust;
use crate::{Observer, Options, Summary};
use node::{Node, Waits};
use norn_action::{Machine, ThreadId};
use norn_graph::EventId;
use norn_models::{Arrange, Witnessed};
use prefix::Prefixes;

/// The explorer.
pub struct Rf<'m, M: Machine, Mo: Arrange> {
    /// What does not depend on the algorithm: the graph, thread states, checks, limits, the summary.
    base: Trust<'m, M, Witnessed<Mo>>,
    /// The open choices, oldest first.
    nodes: Vec<Node>,
    /// Closed nodes, whose buffers are used again.
    spare: Vec<Node>,
    /// Sources that the open nodes have not tried yet, those of the latest node last.
    sources: Vec<EventId>,
    prefixes: Prefixes,
    /// The open nodes whose read waits for a value.
    waiting: Vec<u32>,
    /// Those whose read is left out in the present branch; see [`waiting`].
    skipped: Vec<u32>,
    /// How often the coherence order was changed.
    arrangements: u64,
    /// The schedule that is being replayed.
    script: Vec<node::Step>,
}

impl<'m, M: Machine, Mo: Arrange> Rf<'m, M, Mo> {
    /// A search of the program that `machine` runs.
    pub fn new(machine: &'m M, options: Options) -> Self {
        Rf {
            base: Trust::new(machine, options),
            nodes: Vec::new(),
            spare: Vec::new(),
            sources: Vec::new(),
            prefixes: Prefixes::default(),
            waiting: Vec::new(),
            skipped: Vec::new(),
            arrangements: 0,
            script: Vec::new(),
        }
    }

    /// Visits everything.
    pub fn run(mut self, observer: &mut impl Observer<M>) -> Summary {
        self.base.begin();
        loop {
            if self.base.should_stop(observer) {
                break;
            }
            let alive = self.move_someone();
            self.base.check_graph();
            if !alive {
                self.leaf(observer);
                if self.base.summary.stopped.is_some() || !self.backtrack() {
                    break;
                }
            }
        }
        self.base.report_pending(observer);
        self.base.summary
    }

    /// Goes to the next branch of the latest node that has one. False when there is none.
    fn backtrack(&mut self) -> bool {
        while let Some(index) = self.nodes.len().checked_sub(1) {
            let length = self.nodes[index].length;
            self.base.cut(length);
            if self.next_branch(index as u32) {
                return true;
            }
            self.close();
        }
        false
    }

    /// Closes the latest node.
    fn close(&mut self) {
        let mut node = self.nodes.pop().expect("a node");
        if node.waits == Waits::Value {
            self.waiting.pop();
        }
        node.clear();
        self.spare.push(node);
    }

    /// Takes the next branch of a node; the graph is the one that the node was opened in.
    fn next_branch(&mut self, index: u32) -> bool {
        let node = &self.nodes[index as usize];
        let thread = node.thread;
        if let Some(next) = node.answer {
            return self.answer(index, next);
        }
        if self.skipped.last() == Some(&index) {
            self.skipped.pop();
        }
        let start = node.first_source as usize;
        while self.sources.len() > start {
            let source = self.sources.pop().expect("a source");
            let floors = self.floors_of(index);
            if self.take_read_above(thread, source, floors) {
                self.own(index);
                return true;
            }
        }
        while self.nodes[index as usize].schedule_count() > 0 {
            if self.replay(index) {
                return true;
            }
        }
        if self.nodes[index as usize].take_skip() {
            self.skipped.push(index);
            return true;
        }
        false
    }

    /// The floors of the node's read, which change only when the coherence order does.
    #[inline]
    fn floors_of(&mut self, index: u32) -> Floors {
        let node = &mut self.nodes[index as usize];
        if node.floors_at != self.arrangements {
            let read = self.base.pending_read(node.thread);
            let newest = self.base.top.graph.location_if_any(read.location);
            let newest = newest.map_or(0, |state| state.co.len() as u32);
            node.floors = self.base.read_floors(node.thread, &read, newest);
            node.floors_at = self.arrangements;
        }
        node.floors
    }

    /// The node's read, which was just taken, belongs to it; what it writes may be read.
    fn own(&mut self, index: u32) {
        let read = self.nodes[index as usize].event;
        if self.base.top.graph.thread_len(read.thread()) <= read.position() {
            return;
        }
        self.prefixes.set_owner(read, index);
        let write = EventId::new(read.thread(), read.position() + 1);
        if self.is_exclusive_write(write) {
            self.declare(write);
        }
    }

    fn is_exclusive_write(&self, id: EventId) -> bool {
        let graph = &self.base.top.graph;
        graph.thread_len(id.thread()) > id.position() && {
            let event = graph.event(id);
            event.is_write() && event.is_exclusive()
        }
    }

    fn new_node(&mut self, thread: ThreadId) -> Node {
        let mut node = self.spare.pop().unwrap_or_default();
        let graph = &self.base.top.graph;
        node.length = graph.len() as u32;
        node.thread = thread;
        node.event = EventId::new(thread, graph.thread_len(thread));
        node.first_source = self.sources.len() as u32;
        node.floors_at = u64::MAX;
        node
    }
}
