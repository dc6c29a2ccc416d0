//! Work for others, and work that is kept for later.
//!
//! A task is a node with everything that leads to it: the graph that the node was opened in and the
//! nodes before it, whose branches are shared from then on. Whoever takes it up takes branches of that
//! node, then of the one before it, and so on, as does everybody else who comes back to these nodes.
//! So the work at hand, with all nodes before it, is all that a worker has.

use super::Rf;
use super::node::{Branches, Node};
use super::prefix::{NOBODY, Prefixes};
use crate::execution::{
    Detached, Execution, Mismatch, PortableGraph, Rename, Renaming, WaitsFor, detach,
};
use crate::search::{
    DepthFirst, Explorer, Moved, Observer, Parts, Placed, Position, Probe, Progress, visit_all,
    worth_sharing,
};
use crate::trust::Trust;
use norn_action::Machine;
use norn_graph::EventId;
use norn_models::{Arrange, Model, Witnessed};
use serde::{Deserialize, Serialize};

/// A part of the search.
pub struct Task<M: Machine> {
    start: Detached<M>,
    /// The nodes that lead to it, all of them shared.
    nodes: Vec<Node>,
    /// Those whose read is left out.
    skipped: Vec<u32>,
    /// The reads of the graph that belong to nodes.
    owners: Vec<(EventId, u32)>,
    /// Whether the graph is to be visited before the branches of the last node are.
    at_hand: bool,
}

impl<M: Machine, Mo: Arrange> Rf<'_, M, Mo> {
    /// The task of the first nodes, with that many events of the graph.
    fn task(&mut self, nodes: usize, length: u32, at_hand: bool) -> Task<M> {
        let Execution { graph, current, pool, .. } = &self.execution;
        let start = detach(graph, current, length, Witnessed::<Mo>::LANES, pool);
        let owned = |&id: &EventId| {
            let owner = self.prefixes.owner(id);
            (owner != NOBODY).then_some((id, owner))
        };
        let owners = start.graph.order().iter().filter_map(owned).collect();
        // Without the graph at hand, the read of the last node is not left out yet.
        let open = if at_hand { nodes } else { nodes.saturating_sub(1) };
        let skipped = self.skipped.iter().copied().filter(|&index| (index as usize) < open);
        Task {
            start,
            skipped: skipped.collect(),
            owners,
            nodes: self.nodes[..nodes].iter_mut().map(Node::share).collect(),
            at_hand,
        }
    }
}

/// A task, as a value that means the same elsewhere. Tasks that were saved together have nodes in common,
/// and share them again if they are loaded together.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedTask {
    /// The spawns that the ids of its threads stand for.
    threads: Vec<(u32, u32)>,
    graph: PortableGraph,
    pub(super) nodes: Vec<SavedNode>,
    pub(super) skipped: Vec<u32>,
    pub(super) owners: Vec<(EventId, u32)>,
    at_hand: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SavedNode {
    /// Which node it is, among all that are saved at the same time.
    key: u64,
    pub(super) length: u32,
    pub(super) event: EventId,
    pub(super) waits: WaitsFor,
    pub(super) branches: Branches,
}

impl SavedNode {
    fn of(node: &Node) -> SavedNode {
        let (key, branches) = node.branches.saved();
        let Node { length, event, waits, .. } = *node;
        SavedNode { key, length, event, waits, branches }
    }
}

impl Rename for SavedTask {
    fn rename(&mut self, to: &Renaming) {
        self.graph.rename(to);
        self.owners.iter_mut().for_each(|(read, _)| read.rename(to));
        for node in &mut self.nodes {
            node.event.rename(to);
            node.branches.rename(to);
        }
    }
}

impl<M: Machine, Mo: Arrange> DepthFirst<M> for Rf<'_, M, Mo> {
    fn progress(&mut self) -> &mut Progress {
        &mut self.progress
    }

    fn move_someone(&mut self, observer: &mut impl Observer<M>) -> Moved {
        self.move_on(observer)
    }

    fn backtrack(&mut self, _: &mut impl Observer<M>) -> bool {
        self.go_back()
    }

    fn judge(&mut self) {
        Rf::judge(self, false);
    }

    fn share(&mut self) -> Option<Task<M>> {
        let index = worth_sharing(&mut self.nodes, self.progress.leaves)?;
        Some(self.task(index + 1, self.nodes[index].length, false))
    }
}

impl<M: Machine, Mo: Arrange> Explorer<M> for Rf<'_, M, Mo> {
    type Task = Task<M>;
    type Saved = SavedTask;
    const ORDERED: bool = false;

    #[inline]
    fn parts(&mut self) -> Parts<'_, Self::Task> {
        let Rf { execution, session, queue, .. } = self;
        Parts { execution, session, queue }
    }

    fn take_over(&mut self, (_, task): Placed<Self::Task>) -> bool {
        while !self.nodes.is_empty() {
            self.close();
        }
        self.session.reset();
        self.execution.clear();
        self.execution.attach(task.start);
        self.execution.half = None;
        self.skipped = task.skipped;
        self.prefixes = Prefixes::default();
        let graph = &self.execution.graph;
        graph.order().iter().for_each(|&id| self.prefixes.record(graph, id));
        for (read, owner) in task.owners {
            self.prefixes.set_owner(read, owner);
        }
        for (index, mut node) in task.nodes.into_iter().enumerate() {
            if node.waits == WaitsFor::Value {
                self.waiting.push(index as u32);
            }
            node.opened_at = self.progress.leaves;
            self.nodes.push(node);
        }
        self.progress.goes_back = !task.at_hand;
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
        let task = match self.nodes.last() {
            _ if self.progress.at_hand => {
                let length = self.execution.graph.len() as u32;
                self.task(self.nodes.len(), length, true)
            }
            Some(node) => self.task(self.nodes.len(), node.length, false),
            None => return Vec::new(),
        };
        self.progress.at_hand = false;
        vec![(Position::default(), task)]
    }

    fn save(&mut self, _: &Position, task: &Self::Task) -> Self::Saved {
        SavedTask {
            threads: self.execution.names.list(),
            graph: PortableGraph::of(&task.start.graph),
            nodes: task.nodes.iter().map(SavedNode::of).collect(),
            skipped: task.skipped.clone(),
            owners: task.owners.clone(),
            at_hand: task.at_hand,
        }
    }

    fn load(&mut self, mut saved: Self::Saved) -> Result<Placed<Self::Task>, Mismatch> {
        saved.rename(&self.execution.names.take_up(&saved.threads).in_order()?);
        self.execution.rebuild(&saved.graph)?;
        self.execution.found.clear();
        self.check_task(&saved)?;
        let nodes = saved.nodes.into_iter().map(|node| {
            let SavedNode { key, length, event, waits, branches } = node;
            let branches = self.loaded.get(key, (event, length), branches)?;
            Ok(Node::with(length, event, waits, branches))
        });
        let nodes = nodes.collect::<Result<_, _>>()?;
        let Execution { graph, current, pool, .. } = &self.execution;
        let task = Task {
            start: detach(graph, current, graph.len() as u32, Witnessed::<Mo>::LANES, pool),
            nodes,
            skipped: saved.skipped,
            owners: saved.owners,
            at_hand: saved.at_hand,
        };
        Ok((Position::default(), task))
    }
}
