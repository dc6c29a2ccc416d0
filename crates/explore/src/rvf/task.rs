//! Work for others, and work that is kept for later.
//!
//! A task is a node with everything that leads to it: the graph and the good writes of the node, and the
//! nodes before it, whose work is shared from then on. Whoever has a task will come back to all of these
//! nodes and counts as a holder of each ([`super::node`]). So the work at hand, with all nodes before it,
//! is all that a worker has.

use super::node::{Growth, Node, Work};
use super::steps::Steps;
use super::{NOTHING, Rvf};
use crate::execution::{Detached, Execution, Mismatch, PortableGraph, Rename, Renaming, detach};
use crate::rvf::container::Container;
use crate::search::{
    DepthFirst, Explorer, Moved, Observer, Parts, Placed, Position, Probe, Progress, visit_all,
    worth_sharing,
};
use crate::trust::Trust;
use norn_action::{Machine, ThreadId};
use norn_models::vsc::{Good, Op, Step};
use norn_models::{Interleaving, Model};
use serde::{Deserialize, Serialize};

/// A part of the search.
pub struct Task<M: Machine> {
    start: Detached<M>,
    /// The good writes of the reads of the graph, in the order in which they were added.
    goods: Vec<Good>,
    /// The nodes that lead to it, all of them shared.
    nodes: Vec<Node>,
    /// The trace of the last of them.
    trace: Vec<Op>,
    /// The graph at hand, if it is to be visited before the branches of the last node are: its trace and
    /// causal map.
    at_hand: Option<(Vec<Op>, Vec<u32>)>,
}

impl<M: Machine, Mo: Interleaving> Rvf<'_, M, Mo> {
    /// The task of some nodes, with that many events and steps.
    fn task(
        &self,
        (nodes, trace): (Vec<Node>, Vec<Op>),
        length: u32,
        ops: u32,
        at_hand: Option<(Vec<Op>, Vec<u32>)>,
    ) -> Task<M> {
        let Execution { graph, current, pool, .. } = &self.execution;
        let start = detach(graph, current, length, Container::<Mo>::LANES, pool);
        let instance = &self.steps.instance;
        let reads = (0..ops).filter(|&op| instance.step(op).reads);
        let goods = reads.map(|op| instance.good_writes(op)).collect();
        Task { start, goods, nodes, trace, at_hand }
    }

    /// Makes steps of the events of the graph at hand. False if these are not the good writes of its reads.
    fn take_up(&mut self, goods: &[Good]) -> bool {
        self.steps = Steps::default();
        let mut goods = goods.iter();
        for at in 0..self.execution.graph.len() {
            let graph = &self.execution.graph;
            let id = graph.order()[at];
            let event = graph.event(id);
            if event.is_read() {
                let writes = graph.has_exclusive_write(id);
                let (thread, location) = (id.thread().0, event.location.0);
                let step = Step { thread, location, reads: true, writes };
                match goods.next().filter(|good| self.good_fits(id, good)) {
                    Some(good) => self.steps.add_read(graph, id, step, good),
                    None => return false,
                }
            } else if !(event.is_write() && event.is_exclusive()) {
                self.steps.add(graph, id);
            }
        }
        goods.next().is_none()
    }

    /// Watches for the present read of a node that was taken over. It is in the graph, or its thread is paused
    /// at it.
    fn watch_again(&mut self, index: usize) {
        let node = &mut self.nodes[index];
        let Some(present) = node.present().filter(|_| node.counts_signals()) else { return };
        let (thread, length) = (node.reads[present], node.length);
        let events = self.execution.graph.thread_events(thread);
        let position = events.partition_point(|event| event.stamp < length);
        let location = match events.get(position) {
            Some(event) => event.location,
            None => self.execution.pending_read(thread).location,
        };
        self.watch(index, location);
    }
}

/// A task, as a value that means the same elsewhere. Tasks that were saved together have nodes in common,
/// and share them again if they are loaded together.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedTask {
    /// The spawns that the ids of its threads stand for.
    threads: Vec<(u32, u32)>,
    graph: PortableGraph,
    goods: Vec<(bool, Vec<Op>)>,
    pub(super) nodes: Vec<SavedNode>,
    pub(super) trace: Vec<Op>,
    pub(super) at_hand: Option<(Vec<Op>, SavedCausal)>,
}

/// The entries of a causal map.
pub(super) type SavedCausal = Vec<(ThreadId, u32)>;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SavedNode {
    /// Which node it is, among all that are saved at the same time.
    key: u64,
    pub(super) length: u32,
    pub(super) ops: u32,
    pub(super) growth: Growth,
    pub(super) causal: SavedCausal,
    pub(super) reads: Vec<ThreadId>,
    pub(super) able: u32,
    pub(super) is_choice: bool,
    pub(super) work: Work,
}

impl SavedNode {
    fn of(node: &Node) -> SavedNode {
        let (key, work) = node.work.saved();
        let Node { length, ops, growth, causal, reads, able, is_choice, .. } = node.clone();
        let causal = entries(&causal);
        SavedNode { key, length, ops, growth, causal, reads, able, is_choice, work }
    }
}

fn entries(causal: &[u32]) -> SavedCausal {
    let entries = causal.iter().enumerate().filter(|(_, bound)| **bound != NOTHING);
    entries.map(|(thread, &bound)| (ThreadId(thread as u32), bound)).collect()
}

fn causal_map(entries: &SavedCausal, threads: usize) -> Vec<u32> {
    let mut causal = vec![NOTHING; threads];
    for (thread, bound) in entries {
        causal[thread.index()] = *bound;
    }
    causal
}

impl Rename for SavedTask {
    fn rename(&mut self, to: &Renaming) {
        self.graph.rename(to);
        for node in &mut self.nodes {
            node.reads.rename(to);
            node.causal.iter_mut().for_each(|(thread, _)| thread.rename(to));
        }
        if let Some((_, causal)) = &mut self.at_hand {
            causal.iter_mut().for_each(|(thread, _)| thread.rename(to));
        }
    }
}

impl<M: Machine, Mo: Interleaving> DepthFirst<M> for Rvf<'_, M, Mo> {
    fn progress(&mut self) -> &mut Progress {
        &mut self.progress
    }

    fn move_someone(&mut self, observer: &mut impl Observer<M>) -> Moved {
        self.move_on(observer)
    }

    fn backtrack(&mut self, observer: &mut impl Observer<M>) -> bool {
        self.go_back(observer)
    }

    fn judge(&mut self) {
        Rvf::judge(self, false);
    }

    fn share(&mut self) -> Option<Task<M>> {
        let index = worth_sharing(&mut self.nodes, self.progress.leaves)?;
        let (length, ops) = (self.nodes[index].length, self.nodes[index].ops);
        let mut trace = self.base.clone();
        for node in self.nodes[index + 1..].iter().rev() {
            node.growth.undo(&mut trace);
        }
        let nodes = self.nodes[..=index].iter_mut().map(Node::share).collect();
        Some(self.task((nodes, trace), length, ops, None))
    }
}

impl<M: Machine, Mo: Interleaving> Explorer<M> for Rvf<'_, M, Mo> {
    type Task = Task<M>;
    type Saved = SavedTask;
    const ORDERED: bool = false;

    #[inline]
    fn parts(&mut self) -> Parts<'_, Self::Task> {
        let Rvf { execution, session, queue, .. } = self;
        Parts { execution, session, queue }
    }

    fn take_over(&mut self, (_, task): Placed<Self::Task>) -> bool {
        self.nodes.clear();
        self.watchers.iter_mut().for_each(Vec::clear);
        self.session.reset();
        self.execution.clear();
        self.execution.attach(task.start);
        self.take_up(&task.goods);
        for mut node in task.nodes {
            node.opened_at = self.progress.leaves;
            node.watched = None;
            self.nodes.push(node);
            self.watch_again(self.nodes.len() - 1);
        }
        self.progress.goes_back = task.at_hand.is_none();
        self.base = task.trace;
        if let Some(at_hand) = task.at_hand {
            (self.trace, self.causal) = at_hand;
        }
        true
    }

    fn into_probe<'e>(self, seed: u64) -> Probe<'e>
    where
        Self: 'e,
    {
        Trust::<M, Mo>::upper_probe(self.execution.machine, &self.session.options, seed)
    }

    fn visit_all(&mut self, observer: &mut impl Observer<M>) {
        visit_all(self, observer);
    }

    fn unload(&mut self) -> Vec<Placed<Self::Task>> {
        let mut nodes = std::mem::take(&mut self.nodes);
        for node in &mut nodes {
            node.work.share();
        }
        let trace = std::mem::take(&mut self.base);
        let task = match nodes.last() {
            _ if self.progress.at_hand => {
                let length = self.execution.graph.len() as u32;
                let at_hand = Some((self.trace.clone(), self.causal.clone()));
                self.task((nodes, trace), length, self.steps.len(), at_hand)
            }
            Some(node) => {
                let (length, ops) = (node.length, node.ops);
                self.task((nodes, trace), length, ops, None)
            }
            None => return Vec::new(),
        };
        self.progress.at_hand = false;
        vec![(Position::default(), task)]
    }

    fn save(&mut self, _: &Position, task: &Self::Task) -> Self::Saved {
        SavedTask {
            threads: self.execution.names.list(),
            graph: PortableGraph::of(&task.start.graph),
            goods: task.goods.iter().map(|good| (good.initial, good.writes.clone())).collect(),
            nodes: task.nodes.iter().map(SavedNode::of).collect(),
            trace: task.trace.clone(),
            at_hand: task.at_hand.as_ref().map(|(line, causal)| (line.clone(), entries(causal))),
        }
    }

    fn load(&mut self, mut saved: Self::Saved) -> Result<Placed<Self::Task>, Mismatch> {
        saved.rename(&self.execution.names.take_up(&saved.threads).in_order()?);
        self.execution.rebuild(&saved.graph)?;
        self.execution.found.clear();
        let good = |(initial, writes): &(bool, Vec<Op>)| Good {
            initial: *initial,
            writes: writes.clone(),
        };
        let goods: Vec<Good> = saved.goods.iter().map(good).collect();
        if !self.take_up(&goods) {
            let message = "good writes that are not those of its reads".to_owned();
            return Err(Mismatch { message });
        }
        let threads = self.execution.current.len();
        self.check_task(&saved)?;
        let at_hand = saved.at_hand.map(|(line, causal)| (line, causal_map(&causal, threads)));
        let nodes = saved.nodes.into_iter().map(|node| {
            let SavedNode { key, length, ops, growth, causal, reads, able, is_choice, work } = node;
            let work = self.loaded.get(key, (length, ops), work)?;
            let causal = causal_map(&causal, threads);
            let node = Node {
                length,
                ops,
                growth,
                causal,
                reads,
                able,
                is_choice,
                work,
                ..Node::default()
            };
            Ok(node)
        });
        let nodes = nodes.collect::<Result<_, _>>()?;
        let Execution { graph, current, pool, .. } = &self.execution;
        let start = detach(graph, current, graph.len() as u32, Container::<Mo>::LANES, pool);
        Ok((Position::default(), Task { start, goods, nodes, trace: saved.trace, at_hand }))
    }
}
