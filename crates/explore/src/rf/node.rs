//! Nodes of the search tree, and the schedules that lead away from them.

use crate::frame::Floors;
use norn_action::ThreadId;
use norn_graph::EventId;
use rustc_hash::FxHashSet;

/// One event of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub event: EventId,
    /// Reads: where from.
    pub source: EventId,
    /// Choices: the answer.
    pub answer: u32,
}

/// What the read of a node waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Waits {
    /// For nothing.
    #[default]
    No,
    /// For its turn: a read-modify-write of a lock, which others that want it must give back.
    Turn,
    /// For a value that somebody writes.
    Value,
}

/// Whether the read of a node is left out in one more branch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Skip {
    #[default]
    Not,
    Wanted,
    Done,
}

/// A point at which the search branches: a read, or a choice.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// The number of events of the graph that it was opened in.
    pub length: u32,
    pub thread: ThreadId,
    /// The name of its event.
    pub event: EventId,
    /// Where its untried sources start on the stack of all sources.
    pub first_source: u32,
    pub waits: Waits,
    /// The least coherence indices that the read may read from, and after how many changes of the
    /// coherence order they were found.
    pub floors: Floors,
    pub floors_at: u64,
    /// Whether a branch without the read is needed.
    pub skip: Skip,
    /// Set for a choice: the next answer.
    pub answer: Option<u64>,
    /// The schedules, one after the other.
    steps: Vec<Step>,
    /// Where each of them starts.
    starts: Vec<u32>,
    /// The names of what was seen so far; see [`super::prefix`].
    seen: FxHashSet<u128>,
}

impl Default for Node {
    fn default() -> Node {
        Node {
            length: 0,
            thread: ThreadId::MAIN,
            event: EventId::NONE,
            first_source: 0,
            waits: Waits::No,
            floors: Floors { plain: 0, locked: 0 },
            floors_at: u64::MAX,
            skip: Skip::Not,
            answer: None,
            steps: Vec::new(),
            starts: Vec::new(),
            seen: FxHashSet::default(),
        }
    }
}

impl Node {
    /// Makes it as good as new, but for its buffers.
    pub(super) fn clear(&mut self) {
        self.waits = Waits::No;
        self.skip = Skip::Not;
        self.answer = None;
        self.steps.clear();
        self.starts.clear();
        self.seen.clear();
    }

    /// A branch without the read is needed.
    #[inline]
    pub(super) fn need_skip(&mut self) {
        if self.skip == Skip::Not {
            self.skip = Skip::Wanted;
        }
    }

    /// Whether a branch without the read is to be visited now; it is not asked for again.
    pub(super) fn take_skip(&mut self) -> bool {
        let wanted = self.skip == Skip::Wanted;
        if wanted {
            self.skip = Skip::Done;
        }
        wanted
    }

    /// Whether `name` is seen for the first time.
    #[inline]
    pub(super) fn is_new(&mut self, name: u128) -> bool {
        self.seen.insert(name)
    }

    /// Starts another schedule; its steps are then added with [`Node::push`].
    pub(super) fn start_schedule(&mut self) {
        self.starts.push(self.steps.len() as u32);
    }

    pub(super) fn push(&mut self, step: Step) {
        self.steps.push(step);
    }

    /// How many schedules wait.
    #[inline]
    pub(super) fn schedule_count(&self) -> usize {
        self.starts.len()
    }

    /// Moves the latest schedule into `script`.
    pub(super) fn take_schedule(&mut self, script: &mut Vec<Step>) {
        let start = self.starts.pop().expect("a schedule") as usize;
        script.clear();
        script.extend(self.steps.drain(start..));
    }
}
