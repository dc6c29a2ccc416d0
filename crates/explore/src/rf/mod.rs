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

mod check;
mod declare;
mod ends;
mod extend;
mod node;
mod prefix;
mod replay;
mod task;
mod waiting;

use crate::execution::{Execution, Floors, WaitsFor};
use crate::search::{Loaded, Options, Progress, Queue, Session};
use node::{Branch, Branches, Node};
use norn_action::{Machine, ThreadId};
use norn_graph::EventId;
use norn_models::{Arrange, Witnessed};
use prefix::Prefixes;
use std::sync::Arc;
use task::Task;

/// The explorer.
pub struct Rf<'m, M: Machine, Mo: Arrange> {
    execution: Execution<'m, M, Witnessed<Mo>>,
    session: Session,
    /// The open choices, oldest first.
    nodes: Vec<Node>,
    /// Closed nodes, whose buffers are used again.
    spare: Vec<Node>,
    prefixes: Prefixes,
    /// The open nodes whose read waits for a value.
    waiting: Vec<u32>,
    /// Those whose read is left out in the present branch; see [`waiting`].
    skipped: Vec<u32>,
    /// How often the coherence order was changed.
    arrangements: u64,
    /// The schedule that is being replayed.
    script: Vec<node::Step>,
    /// The branches of the nodes of tasks that were loaded; each with its event, and how many come before that.
    loaded: Loaded<(EventId, u32), Branches>,
    /// Where work is handed over to, if there are others.
    queue: Option<Arc<Queue<Task<M>>>>,
    progress: Progress,
}

impl<'m, M: Machine, Mo: Arrange> Rf<'m, M, Mo> {
    /// A search of the program that `machine` runs.
    pub fn new(machine: &'m M, options: Options) -> Self {
        Rf {
            execution: Execution::new(machine, &options),
            session: Session::new(options),
            nodes: Vec::new(),
            spare: Vec::new(),
            prefixes: Prefixes::default(),
            waiting: Vec::new(),
            skipped: Vec::new(),
            arrangements: 0,
            script: Vec::new(),
            loaded: Loaded::default(),
            queue: None,
            progress: Progress::default(),
        }
    }

    /// Looks at what was found in the graph at hand.
    #[inline]
    fn judge(&mut self, ended: bool) {
        self.session.judge(&mut self.execution, &mut (), ended);
    }

    /// Goes to the next branch of the latest node that has one. False when there is none.
    fn go_back(&mut self) -> bool {
        while let Some(index) = self.nodes.len().checked_sub(1) {
            let length = self.nodes[index].length;
            self.execution.cut(length);
            if self.next_branch(index as u32) {
                return true;
            }
            if self.session.is_stopped() {
                // The node keeps what is left of it, for whoever goes on with the search.
                return false;
            }
            self.close();
        }
        false
    }

    /// Closes the latest node.
    fn close(&mut self) {
        let mut node = self.nodes.pop().expect("a node");
        if node.waits == WaitsFor::Value {
            self.waiting.pop();
        }
        node.clear();
        self.spare.push(node);
    }

    /// Takes the next branch of a node; the graph is the one that the node was opened in.
    fn next_branch(&mut self, index: u32) -> bool {
        if self.skipped.last() == Some(&index) {
            self.skipped.pop();
        }
        let mut script = std::mem::take(&mut self.script);
        let mut taken = false;
        while !taken
            && !self.session.is_stopped()
            && let Some(branch) = self.nodes[index as usize].next(&mut script)
        {
            taken = match branch {
                Branch::Answer(answer) => {
                    self.take_answer(self.nodes[index as usize].thread, answer)
                }
                Branch::Source(source) => self.read_source(index, source),
                Branch::Schedule => self.replay(index, &script),
                Branch::Skip => {
                    self.skipped.push(index);
                    true
                }
            };
        }
        self.script = script;
        taken
    }

    /// Lets the node's read read from a write that was there when the node was opened.
    fn read_source(&mut self, index: u32, source: EventId) -> bool {
        let floors = self.floors_of(index);
        let taken = self.take_read_above(self.nodes[index as usize].thread, source, floors);
        if taken {
            self.own(index);
        }
        taken
    }

    /// The floors of the node's read, which change only when the coherence order does.
    #[inline]
    fn floors_of(&mut self, index: u32) -> Floors {
        let node = &mut self.nodes[index as usize];
        if node.floors_at != self.arrangements {
            let read = self.execution.pending_read(node.thread);
            let newest = self.execution.graph.location_if_any(read.location);
            let newest = newest.map_or(0, |state| state.co.len() as u32);
            node.floors = self.execution.read_floors(node.thread, &read, newest);
            node.floors_at = self.arrangements;
        }
        node.floors
    }

    /// The node's read, which was just taken, belongs to it; what it writes may be read.
    fn own(&mut self, index: u32) {
        let read = self.nodes[index as usize].event;
        if self.execution.graph.thread_len(read.thread()) <= read.position() {
            return;
        }
        self.prefixes.set_owner(read, index);
        let write = EventId::new(read.thread(), read.position() + 1);
        if self.is_exclusive_write(write) {
            self.declare(write);
        }
    }

    fn is_exclusive_write(&self, id: EventId) -> bool {
        let graph = &self.execution.graph;
        graph.thread_len(id.thread()) > id.position() && {
            let event = graph.event(id);
            event.is_write() && event.is_exclusive()
        }
    }

    fn new_node(&mut self, thread: ThreadId) -> Node {
        let mut node = self.spare.pop().unwrap_or_default();
        let graph = &self.execution.graph;
        node.length = graph.len() as u32;
        node.thread = thread;
        node.event = EventId::new(thread, graph.thread_len(thread));
        node.floors_at = u64::MAX;
        node.opened_at = self.progress.leaves;
        node
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Explorer;
    use norn_action::Obstacle;
    use norn_litmus::{LitmusMachine, read};
    use norn_models::Ra;

    /// Threads beyond the limit are neither started nor taken for threads that wait for ever.
    #[test]
    fn too_many_threads_are_no_deadlock() {
        let text = "C t\n{ }\nP0 (atomic_int* x) { *x = 1; }\nP1 (atomic_int* x) { join(P0); }\n";
        let machine = LitmusMachine::new(read(text).expect("a test"));
        let mut search = Rf::<_, Ra>::new(&machine, Options::default());
        let elsewhere: Vec<(u32, u32)> =
            (1..ThreadId::MOST as u32 - 1).map(|index| (0, index + 10)).collect();
        search.execution.names.take_up(&elsewhere);
        search.begin();
        search.visit_all(&mut ());
        let found = search.session.summary;
        assert!(found.violations.is_empty(), "{:?}", found.violations[0].fault);
        assert_eq!((found.executions, found.blocked), (0, 0));
        assert_eq!(found.unsupported[0].what, Obstacle::TooManyThreads);
    }
}
