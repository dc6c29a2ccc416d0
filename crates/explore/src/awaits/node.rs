//! Points of the search: what was explored from each, and what is left.
//!
//! When several workers are below a node, its work is shared: each takes branches, and inserts what it finds
//! below. A branch that was taken counts as explored for all who come later, whether or not somebody is still at
//! it.
//!
//! What is explored after a step while another one sleeps is complete only together with what was inserted
//! there from below the one that sleeps. So nothing may sleep that somebody is still at (`busy`): a branch waits
//! until the branches before it that do not conflict with its first step are finished. Whoever finds nothing else
//! leaves; the last one who comes back from there takes it.

use super::label::{Effect, Label};
use super::tree::{Branch, insert, take};
use crate::search::{Branching, Shared};
use norn_action::ThreadId;
use norn_graph::LocationId;

/// Answers to a choice that are left where a thread came to it first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Answers {
    pub thread: ThreadId,
    pub next: u64,
    pub count: u64,
}

/// A step that was taken from a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Taken {
    pub label: Label,
    /// How many workers, or tasks, are below.
    pub busy: u32,
}

/// No step was taken.
pub(super) const NOWHERE: u32 = u32::MAX;

/// The work at a node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Work {
    /// Steps that are not explored from here: what begins with one was explored elsewhere.
    pub sleep: Vec<Label>,
    /// Steps that are, or were, explored from here, in order.
    pub taken: Vec<Taken>,
    /// What is left.
    pub tree: Vec<Branch>,
    /// And answers to a choice.
    pub answers: Option<Answers>,
}

/// A point of the search.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub work: Shared<Work>,
    /// Which of the steps that were taken leads to the next node.
    pub current: u32,
    /// How many ends the worker had come to when it got the node.
    pub opened_at: u64,
}

impl Work {
    /// Takes the next step, if it need not wait for others, and fills `child` with what is asleep and what is
    /// left after it.
    fn take(&mut self, child: &mut Work) -> Option<Label> {
        if !self.is_left() {
            return None;
        }
        let label = match take(&mut self.tree, &mut child.tree) {
            Some(label) => label,
            None => self.answer()?,
        };
        self.follow(label, child);
        Some(label)
    }

    fn answer(&mut self) -> Option<Label> {
        let answers = self.answers.as_mut()?;
        let Answers { thread, next: answer, count } = *answers;
        answers.next += 1;
        let location = LocationId::NONE;
        (answer < count).then_some(Label { thread, location, effect: Effect::Choice, answer })
    }

    /// The step is taken from here: what is asleep after it is what sleeps here, or was taken, and does not
    /// depend on it.
    fn follow(&mut self, label: Label, child: &mut Work) {
        let sleeps = |other: &&Label| other.thread != label.thread && !other.conflicts(&label);
        child.sleep.clear();
        child.sleep.extend(self.explored().filter(sleeps));
        self.taken.push(Taken { label, busy: 1 });
    }

    /// What is explored elsewhere, or was taken from here.
    fn explored(&self) -> impl Iterator<Item = &Label> {
        self.sleep.iter().chain(self.taken.iter().map(|taken| &taken.label))
    }

    /// Whether a branch is left that need not wait for others. Answers to a choice never do.
    fn is_left(&self) -> bool {
        let Some(branch) = self.tree.first() else {
            return self.answers.is_some_and(|answers| answers.next < answers.count);
        };
        let next = branch.first();
        let must_end = |taken: &Taken| {
            let Taken { label, busy } = taken;
            *busy > 0 && label.thread != next.thread && !label.conflicts(next)
        };
        !self.taken.iter().any(must_end)
    }

    fn last_taken(&self) -> u32 {
        (self.taken.len() as u32).wrapping_sub(1)
    }

    /// Inserts `line` unless it begins with what was explored, or is there. True if there is a new leaf.
    #[inline]
    fn insert(&mut self, line: &[Label]) -> bool {
        !self.explored().any(|label| label.is_weak_initial(line))
            && insert(&mut self.tree, &mut line.to_vec())
    }
}

impl Default for Node {
    fn default() -> Node {
        Node { work: Shared::default(), current: NOWHERE, opened_at: 0 }
    }
}

impl Branching for Node {
    fn is_empty(&mut self) -> bool {
        self.work.with(|work| !work.is_left())
    }

    fn opened_at(&self) -> u64 {
        self.opened_at
    }
}

impl Node {
    /// Makes it as good as new, but for its buffers.
    pub(super) fn clear(&mut self) {
        let Work { sleep, taken, tree, answers } = self.work.leave();
        sleep.clear();
        taken.clear();
        tree.clear();
        *answers = None;
        self.current = NOWHERE;
    }

    /// Takes the next branch of the node, and makes `child` the node after its first step.
    pub(super) fn take(&mut self, child: &mut Node) -> Option<Label> {
        let (label, last) = self.work.with(|work| (work.take(child.work.own()), work.last_taken()));
        if label.is_some() {
            self.current = last;
        }
        label
    }

    /// Takes a step at a leaf, where nothing is asleep; `child` is the node after it.
    pub(super) fn schedule(&mut self, label: Label, child: &mut Node) {
        self.current = self.work.with(|work| {
            work.follow(label, child.work.own());
            work.last_taken()
        });
    }

    /// The worker has come back from the step that it took.
    pub(super) fn come_back(&mut self) {
        let current = std::mem::replace(&mut self.current, NOWHERE) as usize;
        self.work.with(|work| {
            if let Some(taken) = work.taken.get_mut(current) {
                taken.busy = taken.busy.saturating_sub(1);
            }
        });
    }

    /// Whether nothing was ever to be explored from here yet.
    pub(super) fn is_leaf(&mut self) -> bool {
        self.work
            .with(|work| work.tree.is_empty() && work.taken.is_empty() && work.answers.is_none())
    }

    /// Whether something is asleep.
    pub(super) fn has_sleepers(&mut self) -> bool {
        self.work.with(|work| !work.sleep.is_empty())
    }

    /// Lets all answers to a choice be explored.
    pub(super) fn choose(&mut self, thread: ThreadId, count: u64) {
        self.work
            .with(|work| work.answers = Some(Answers { thread, next: 0, count: count.max(1) }));
    }

    /// Inserts `line` unless that is explored from here anyway. True if there is a new leaf.
    #[inline]
    pub(super) fn insert(&mut self, line: &[Label]) -> bool {
        self.work.with(|work| work.insert(line))
    }

    /// Whether a branch is left, though it may have to wait.
    pub(super) fn has_work(&mut self) -> bool {
        self.work.with(|work| !work.tree.is_empty() || work.is_left())
    }

    /// Shares its work from now on, and returns a copy for another worker, who is below the same step, or at the
    /// node itself.
    pub(super) fn share(&mut self, below: bool) -> Node {
        self.work.share();
        let current = if below { self.current } else { NOWHERE };
        self.work.with(|work| {
            if let Some(taken) = work.taken.get_mut(current as usize) {
                taken.busy += 1;
            }
        });
        Node { current, ..self.clone() }
    }
}
