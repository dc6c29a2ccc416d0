//! Work for others, and work that is kept for later.
//!
//! A task is a node with everything that leads to it: the execution up to there, and all nodes before it, whose
//! work is shared from then on. Whoever has a task comes back to all of these nodes. So the work at hand, with
//! all nodes before it, is all that a worker has.

use super::Awaits;
use super::model::Traced;
use super::node::Node;
use super::saved::SavedTask;
use crate::execution::{Detached, Execution, Mismatch, detach};
use crate::search::{
    Explorer, Link, Observer, Placed, Position, Probe, SavedSummary, Summary, worth_sharing,
};
use crate::trust::Trust;
use norn_action::Machine;
use norn_models::{Interleaving, Model};

/// A part of the search.
pub struct Task<M: Machine> {
    start: Detached<M>,
    /// The nodes that lead to it and its own, all of them shared.
    pub(super) nodes: Vec<Node>,
    /// Whether the execution is to be visited before branches are taken.
    pub(super) at_hand: bool,
}

impl<M: Machine, Mo: Interleaving> Awaits<'_, M, Mo> {
    /// Shares the oldest node that has a branch left, if there is one.
    #[cold]
    pub(super) fn share_work(&mut self) {
        let Some(queue) = self.queue.clone() else { return };
        if let Some(index) = worth_sharing(&mut self.nodes, self.ends) {
            let nodes = self.nodes[..=index].iter_mut().enumerate();
            let nodes = nodes.map(|(at, node)| node.share(at < index)).collect();
            queue.give((Position::default(), self.task(nodes, false)));
        }
    }

    /// The task of some nodes.
    pub(super) fn task(&self, nodes: Vec<Node>, at_hand: bool) -> Task<M> {
        let Execution { graph, current, pool, model, .. } = &self.execution;
        let next = model.trace.steps().get(nodes.len() - 1);
        let length = next.map_or(graph.len() as u32, |step| step.length);
        let start = detach(graph, current, length, Traced::<Mo>::LANES, pool);
        Task { start, nodes, at_hand }
    }

    /// Makes steps of the events of the graph at hand.
    fn record_all(&mut self) {
        self.execution.model.trace.clear();
        for index in 0..self.execution.graph.len() {
            let id = self.execution.graph.order()[index];
            let event = self.execution.graph.event(id);
            if !(event.is_write() && event.is_exclusive()) {
                self.record(id);
            }
        }
    }
}

impl<M: Machine, Mo: Interleaving> Explorer<M> for Awaits<'_, M, Mo> {
    type Task = Task<M>;
    type Saved = SavedTask;
    const ORDERED: bool = false;

    fn connect(&mut self, link: Link<Self::Task>) {
        self.session.connect(&link);
        self.execution.connect(&link.names, &link.locations);
        self.session.options.any = true;
        self.queue = Some(link.queue);
    }

    fn begin(&mut self) {
        self.execution.begin();
        self.nodes.push(Node::default());
    }

    fn take_over(&mut self, (_, task): Placed<Self::Task>) -> bool {
        self.session.reset();
        self.execution.clear();
        self.execution.attach(task.start);
        self.record_all();
        self.nodes = task.nodes;
        for node in &mut self.nodes {
            node.opened_at = self.ends;
        }
        self.old = 0;
        self.goes_back = !task.at_hand;
        true
    }

    fn into_probe<'e>(self, seed: u64) -> Probe<'e>
    where
        Self: 'e,
    {
        Trust::<M, Mo>::upper_probe(self.execution.machine, &self.session.options, seed)
    }

    fn visit_all(&mut self, observer: &mut impl Observer<M>) {
        Awaits::visit_all(self, observer);
    }

    fn unload(&mut self) -> Vec<Placed<Self::Task>> {
        let mut nodes = std::mem::take(&mut self.nodes);
        let at_hand = std::mem::take(&mut self.at_hand);
        if !at_hand && !nodes.iter_mut().any(Node::has_work) {
            nodes.iter_mut().for_each(Node::come_back);
            return Vec::new();
        }
        for node in &mut nodes {
            node.make_shared();
        }
        vec![(Position::default(), self.task(nodes, at_hand))]
    }

    fn found(&mut self) -> (&mut Summary, &mut Option<Position>) {
        (&mut self.session.summary, &mut self.session.violation_at)
    }

    fn save(&mut self, _: &Position, task: &Self::Task) -> Self::Saved {
        SavedTask::of(self.execution.names.list(), &task.start.graph, &task.nodes, task.at_hand)
    }

    fn load_summary(&mut self, saved: &SavedSummary) -> Result<Summary, Mismatch> {
        saved.rebuild(&mut self.execution)
    }

    fn load(&mut self, saved: Self::Saved) -> Result<Placed<Self::Task>, Mismatch> {
        Ok((Position::default(), self.load_task(saved)?))
    }
}
