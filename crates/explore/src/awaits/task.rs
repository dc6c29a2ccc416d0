//! Work for others, and work that is kept for later.
//!
//! A task is a node with everything that leads to it: the execution up to there, and all nodes before it, whose
//! work is shared from then on. Whoever has a task comes back to all of these nodes. So the work at hand, with
//! all nodes before it, is all that a worker has.

use super::Awaits;
use super::model::Traced;
use super::node::Node;
use super::saved::SavedTask;
use crate::execution::{AnyExecution, Detached, Execution, Mismatch, detach};
use crate::search::{
    DepthFirst, Explorer, Moved, Observer, Parts, Placed, Position, Probe, Progress, visit_all,
    worth_sharing,
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

impl<M: Machine, Mo: Interleaving> DepthFirst<M> for Awaits<'_, M, Mo> {
    const ADDS_BRANCH: bool = false;

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
        Awaits::judge(self, false);
    }

    fn share(&mut self) -> Option<Task<M>> {
        let index = worth_sharing(&mut self.nodes, self.progress.leaves)?;
        let nodes = self.nodes[..=index].iter_mut().enumerate();
        let nodes = nodes.map(|(at, node)| node.share(at < index)).collect();
        Some(self.task(nodes, false))
    }
}

impl<M: Machine, Mo: Interleaving> Explorer<M> for Awaits<'_, M, Mo> {
    type Task = Task<M>;
    type Saved = SavedTask;
    const ORDERED: bool = false;

    #[inline]
    fn parts(&mut self) -> Parts<'_, Self::Task> {
        let Awaits { execution, session, queue, .. } = self;
        Parts { execution, session, queue }
    }

    fn begin(&mut self) {
        self.execution.begin();
        self.nodes.push(Node::default());
        // What the first action of the program is may already be wrong.
        self.judge(false);
    }

    fn take_over(&mut self, (_, task): Placed<Self::Task>) -> bool {
        self.session.reset();
        self.execution.clear();
        self.execution.attach(task.start);
        self.record_all();
        self.nodes = task.nodes;
        for node in &mut self.nodes {
            node.opened_at = self.progress.leaves;
        }
        self.old = 0;
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
        let mut nodes = std::mem::take(&mut self.nodes);
        let at_hand = std::mem::take(&mut self.progress.at_hand);
        if !at_hand && !nodes.iter_mut().any(Node::has_work) {
            nodes.iter_mut().for_each(Node::come_back);
            return Vec::new();
        }
        for node in &mut nodes {
            node.work.share();
        }
        vec![(Position::default(), self.task(nodes, at_hand))]
    }

    fn save(&mut self, _: &Position, task: &Self::Task) -> Self::Saved {
        SavedTask::of(self.execution.names.list(), &task.start.graph, &task.nodes, task.at_hand)
    }

    fn load(&mut self, saved: Self::Saved) -> Result<Placed<Self::Task>, Mismatch> {
        Ok((Position::default(), self.load_task(saved)?))
    }
}
