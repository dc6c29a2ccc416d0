//! Points of the search: what was explored from each, and what is left.
//!
//! When several workers are below a node, its work is shared: each takes branches as long as there are any,
//! and inserts what it finds below. A branch that was taken counts as explored for all who come later, whether
//! or not somebody is still at it: nothing that begins with it is explored by others. Whoever is below a node
//! comes back to it, so what is inserted late is not lost.

use super::label::{Effect, Label};
use super::tree::{Branch, insert, take};
use norn_action::ThreadId;
use norn_graph::LocationId;
use std::sync::{Arc, Mutex};

/// Answers to a choice that are left where a thread came to it first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Answers {
    pub thread: ThreadId,
    pub next: u64,
    pub count: u64,
}

/// The work at a node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Work {
    /// Steps that are not explored from here: what begins with one was explored elsewhere.
    pub sleep: Vec<Label>,
    /// Steps that are, or were, explored from here, in order.
    pub taken: Vec<Label>,
    /// What is left.
    pub tree: Vec<Branch>,
    /// And answers to a choice.
    pub answers: Option<Answers>,
}

/// Work that several workers have.
pub(super) type SharedWork = Arc<Mutex<Work>>;

/// A point of the search.
#[derive(Clone, Debug, Default)]
pub(super) struct Node {
    own: Work,
    /// Set when others have it too; `own` is empty then.
    shared: Option<SharedWork>,
    /// How many ends the worker had come to when it got the node.
    pub opened_at: u64,
}

impl Work {
    /// Takes the next step, and fills `child` with what is asleep and what is left after it.
    fn take(&mut self, child: &mut Work) -> Option<Label> {
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
        child.sleep.extend(self.sleep.iter().chain(&self.taken).filter(sleeps));
        self.taken.push(label);
    }

    /// Whether a branch is left.
    fn is_left(&self) -> bool {
        !self.tree.is_empty() || self.answers.is_some_and(|answers| answers.next < answers.count)
    }

    /// Inserts `line` unless it begins with what was explored, or is there. True if there is a new leaf.
    #[inline]
    fn insert(&mut self, line: &[Label]) -> bool {
        let mut explored = self.sleep.iter().chain(&self.taken);
        !explored.any(|label| label.is_weak_initial(line))
            && insert(&mut self.tree, &mut line.to_vec())
    }
}

impl Node {
    /// Makes it as good as new, but for its buffers.
    pub(super) fn clear(&mut self) {
        let Work { sleep, taken, tree, answers } = &mut self.own;
        sleep.clear();
        taken.clear();
        tree.clear();
        *answers = None;
        self.shared = None;
    }

    #[inline]
    pub(super) fn work<R>(&mut self, act: impl FnOnce(&mut Work) -> R) -> R {
        match &self.shared {
            None => act(&mut self.own),
            Some(shared) => act(&mut shared.lock().expect("nobody panics with the lock")),
        }
    }

    /// Takes the next branch of the node, and makes `child` the node after its first step.
    pub(super) fn take(&mut self, child: &mut Node) -> Option<Label> {
        self.work(|work| work.take(&mut child.own))
    }

    /// Takes a step at a leaf, where nothing is asleep; `child` is the node after it.
    pub(super) fn schedule(&mut self, label: Label, child: &mut Node) {
        self.work(|work| work.follow(label, &mut child.own));
    }

    /// Whether something is asleep.
    pub(super) fn has_sleepers(&mut self) -> bool {
        self.work(|work| !work.sleep.is_empty())
    }

    /// Lets all answers to a choice be explored.
    pub(super) fn choose(&mut self, thread: ThreadId, count: u64) {
        self.work(|work| work.answers = Some(Answers { thread, next: 0, count: count.max(1) }));
    }

    /// Inserts `line` unless that is explored from here anyway. True if there is a new leaf.
    #[inline]
    pub(super) fn insert(&mut self, line: &[Label]) -> bool {
        self.work(|work| work.insert(line))
    }

    /// Whether no branch is left now.
    pub(super) fn is_empty(&mut self) -> bool {
        self.work(|work| !work.is_left())
    }

    /// Shares its work from now on, and returns a copy for another worker.
    pub(super) fn share(&mut self) -> Node {
        self.make_shared();
        self.clone()
    }

    /// Lets its work be had by others.
    pub(super) fn make_shared(&mut self) -> &SharedWork {
        let Node { own, shared, .. } = self;
        shared.get_or_insert_with(|| Arc::new(Mutex::new(std::mem::take(own))))
    }

    /// A node with work from elsewhere.
    pub(super) fn with(work: SharedWork) -> Node {
        Node { shared: Some(work), ..Node::default() }
    }
}
