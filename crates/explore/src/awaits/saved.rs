//! A task as a value that means the same elsewhere. Steps are named by their threads and the answers to choices;
//! what they do comes back when they are taken again.

use super::Awaits;
use super::label::{Effect, Label};
use super::node::{Answers, Node, Taken, Work};
use super::task::Task;
use super::tree::{graft, lines};
use crate::execution::{AnyExecution, Mismatch, Rename, Renaming};
use norn_action::{Action, Machine, NO_STATE, ThreadId};
use norn_graph::{EventKind, Graph};
use norn_models::Interleaving;
use serde::{Deserialize, Serialize};

/// A step: its thread, and the answer to a choice.
pub(super) type SavedStep = (ThreadId, u64);

/// A task. Those that were saved together have nodes in common, and share them again if they are loaded together.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedTask {
    /// The spawns that the ids of its threads stand for.
    threads: Vec<(u32, u32)>,
    steps: Vec<SavedStep>,
    /// One for each point of the execution.
    nodes: Vec<SavedNode>,
    at_hand: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct SavedNode {
    /// Which node it is, among all that are saved at the same time.
    key: u64,
    sleep: Vec<SavedStep>,
    /// With how many are below each.
    taken: Vec<(SavedStep, u32)>,
    /// Which of these leads to the next node.
    current: u32,
    /// Its lines.
    tree: Vec<Vec<SavedStep>>,
    /// The thread, the next answer and their number.
    answers: Option<(ThreadId, u64, u64)>,
}

fn step(label: &Label) -> SavedStep {
    (label.thread, label.answer)
}

impl SavedTask {
    /// The task of an execution and its nodes.
    pub(super) fn of(
        threads: Vec<(u32, u32)>,
        graph: &Graph,
        nodes: &[Node],
        at_hand: bool,
    ) -> SavedTask {
        let events = graph.order().iter().map(|&id| (id, graph.event(id)));
        let firsts = events.filter(|(_, event)| !(event.is_write() && event.is_exclusive()));
        let steps = firsts.map(|(id, event)| {
            let answer = if event.kind == EventKind::Choose { event.value.low() } else { 0 };
            (id.thread(), answer)
        });
        let nodes = nodes.iter().map(SavedNode::of).collect();
        SavedTask { threads, steps: steps.collect(), nodes, at_hand }
    }
}

impl SavedNode {
    fn of(node: &Node) -> SavedNode {
        let (key, Work { sleep, taken, tree, answers }) = node.work.saved();
        SavedNode {
            key,
            sleep: sleep.iter().map(step).collect(),
            taken: taken.iter().map(|taken| (step(&taken.label), taken.busy)).collect(),
            current: node.current,
            tree: lines(&tree).iter().map(|line| line.iter().map(step).collect()).collect(),
            answers: answers.map(|Answers { thread, next, count }| (thread, next, count)),
        }
    }
}

impl Rename for SavedTask {
    fn rename(&mut self, to: &Renaming) {
        rename_steps(&mut self.steps, to);
        for node in &mut self.nodes {
            rename_steps(&mut node.sleep, to);
            node.taken.iter_mut().for_each(|((thread, _), _)| thread.rename(to));
            node.tree.iter_mut().for_each(|line| rename_steps(line, to));
            if let Some((thread, ..)) = &mut node.answers {
                thread.rename(to);
            }
        }
    }
}

fn rename_steps(steps: &mut [SavedStep], to: &Renaming) {
    steps.iter_mut().for_each(|(thread, _)| thread.rename(to));
}

fn mismatch<T>(message: &str) -> Result<T, Mismatch> {
    Err(Mismatch { message: message.to_owned() })
}

impl<M: Machine, Mo: Interleaving> Awaits<'_, M, Mo> {
    /// The way back: takes the steps of a saved task again. What is at hand is forgotten.
    pub(super) fn load_task(&mut self, mut saved: SavedTask) -> Result<Task<M>, Mismatch> {
        saved.rename(&self.execution.names.take_up(&saved.threads).in_order()?);
        if saved.nodes.len() != saved.steps.len() + 1 {
            return mismatch("not one node for each point of an execution");
        }
        self.execution.model.trace.clear();
        self.execution.clear();
        self.execution.begin();
        let mut nodes = Vec::with_capacity(saved.nodes.len());
        let mut before = None;
        for (index, node) in saved.nodes.iter().enumerate() {
            let work = self.load_node(node)?;
            let work = self.loaded.get(node.key, before, work)?;
            nodes.push(Node { work, current: node.current, ..Node::default() });
            if let Some(&next) = saved.steps.get(index) {
                self.redo(next)?;
                before = Some((node.key, next));
            }
        }
        self.execution.check_threads()?;
        self.execution.found.clear();
        Ok(self.task(nodes, saved.at_hand))
    }

    /// The work of a node, at whose point the execution is.
    fn load_node(&mut self, node: &SavedNode) -> Result<Work, Mismatch> {
        let answers = match node.answers {
            None => None,
            Some((thread, next, count)) => match self.pending_choice() {
                Some((at, most)) if at == thread && count <= most => {
                    Some(Answers { thread, next, count })
                }
                _ => return mismatch("answers to a choice that nobody has"),
            },
        };
        let mut tree = Vec::new();
        for line in &node.tree {
            graft(&mut tree, &self.load_line(line)?);
        }
        let mut sleep = Vec::with_capacity(node.sleep.len());
        for &step in &node.sleep {
            sleep.push(self.load_label(step)?);
        }
        let mut taken = Vec::with_capacity(node.taken.len());
        for &(step, busy) in &node.taken {
            taken.push(Taken { label: self.load_label(step)?, busy });
        }
        Ok(Work { sleep, taken, tree, answers })
    }

    /// What a thread does next.
    fn load_label(&mut self, step: SavedStep) -> Result<Label, Mismatch> {
        let label = self.redo(step)?;
        self.take_back();
        Ok(label)
    }

    /// What the steps of a line do.
    fn load_line(&mut self, line: &[SavedStep]) -> Result<Vec<Label>, Mismatch> {
        let mut labels = Vec::with_capacity(line.len());
        for &step in line {
            labels.push(self.redo(step)?);
        }
        line.iter().for_each(|_| self.take_back());
        Ok(labels)
    }

    /// The first thread that is at a choice, and how many answers there are.
    fn pending_choice(&self) -> Option<(ThreadId, u64)> {
        self.execution.started().find_map(|thread| match *self.execution.action(thread) {
            Action::Choose { count, .. } => Some((thread, count.max(1))),
            _ => None,
        })
    }

    /// Takes a step that a file names.
    fn redo(&mut self, (thread, answer): SavedStep) -> Result<Label, Mismatch> {
        if self.execution.state(thread) == NO_STATE || !self.can_move(thread) {
            return mismatch("a step of a thread that cannot move");
        }
        // Others may be at choices, too: a line need not begin with these.
        match *self.execution.action(thread) {
            Action::Choose { count, .. } if answer >= count.max(1) => {
                return mismatch("a choice that has no such answer");
            }
            Action::Choose { .. } => {}
            _ if answer != 0 => return mismatch("an answer to no choice"),
            _ => {}
        }
        match self.take(thread, answer) {
            Some(label) if label.effect == Effect::Choice || answer == 0 => Ok(label),
            _ => mismatch("a step that cannot be taken"),
        }
    }
}
