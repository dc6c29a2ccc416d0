//! Nodes of the search tree, and the branches that lead away from them.
//!
//! A node learns of further branches while those that it has are visited. When somebody else visits
//! some of them, the branches are shared: everybody below the node adds to them, and everybody who comes
//! back to the node takes from them. Whoever adds one comes back later, so none is forgotten.

use crate::execution::{Floors, Rename, Renaming, WaitsFor};
use crate::search::{Branching, Shared};
use norn_action::ThreadId;
use norn_graph::EventId;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

/// One event of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Step {
    pub event: EventId,
    /// Reads: where from.
    pub source: EventId,
    /// Choices: the answer.
    pub answer: u32,
}

/// Whether the read of a node is left out in one more branch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
enum Skip {
    #[default]
    Not,
    Wanted,
    Done,
}

/// A way to go on from a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Branch {
    /// The choice is answered.
    Answer(u64),
    /// The read reads from this write, which is there.
    Source(EventId),
    /// The schedule that was put into the script is replayed.
    Schedule,
    /// The read is left out.
    Skip,
}

/// The branches of a node that are left, and what is known of those that were found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Branches {
    /// Set for a choice: the next answer, and how many there are.
    answers: Option<(u64, u64)>,
    /// Sources that were there when the node was opened.
    sources: Vec<EventId>,
    /// The schedules, one after the other.
    steps: Vec<Step>,
    /// Where each of them starts.
    starts: Vec<u32>,
    /// The names of what was seen so far; see [`super::prefix`].
    seen: FxHashSet<u128>,
    skip: Skip,
}

impl Branches {
    fn clear(&mut self) {
        self.answers = None;
        self.sources.clear();
        self.steps.clear();
        self.starts.clear();
        self.seen.clear();
        self.skip = Skip::Not;
    }

    fn next(&mut self, script: &mut Vec<Step>) -> Option<Branch> {
        if let Some((next, count)) = &mut self.answers {
            // Several workers may come back to a choice that has no answer left.
            let answer = (*next < *count).then_some(*next)?;
            *next += 1;
            return Some(Branch::Answer(answer));
        }
        if let Some(source) = self.sources.pop() {
            return Some(Branch::Source(source));
        }
        if let Some(start) = self.starts.pop() {
            script.clear();
            script.extend(self.steps.drain(start as usize..));
            return Some(Branch::Schedule);
        }
        if self.skip == Skip::Wanted {
            self.skip = Skip::Done;
            return Some(Branch::Skip);
        }
        None
    }

    fn is_empty(&self) -> bool {
        self.answers.is_none_or(|(next, count)| next >= count)
            && self.sources.is_empty()
            && self.starts.is_empty()
            && self.skip != Skip::Wanted
    }
}

impl Branches {
    /// Of a choice: the next answer, and how many there are.
    pub(super) fn answers(&self) -> Option<(u64, u64)> {
        self.answers
    }

    /// The sources that are left.
    pub(super) fn sources(&self) -> &[EventId] {
        &self.sources
    }

    /// Whether the schedules are told apart, and each has steps that can be events.
    pub(super) fn is_sound(&self) -> bool {
        let Branches { answers, sources, steps, starts, .. } = self;
        let is_cut_up = match (starts.first(), starts.last()) {
            (Some(&first), Some(&last)) => first == 0 && (last as usize) < steps.len(),
            _ => steps.is_empty(),
        };
        let is_choice = answers.is_some();
        is_cut_up
            && starts.is_sorted_by(|a, b| a < b)
            && steps.iter().all(|step| step.event.is_real())
            && !(is_choice && (!sources.is_empty() || !starts.is_empty()))
    }
}

/// The names of what was seen do not depend on ids.
impl Rename for Branches {
    fn rename(&mut self, to: &Renaming) {
        let Branches { answers: _, sources, steps, starts: _, seen: _, skip: _ } = self;
        sources.rename(to);
        for step in steps {
            step.event.rename(to);
            step.source.rename(to);
        }
    }
}

/// A point at which the search branches: a read, or a choice.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// The number of events of the graph that it was opened in.
    pub length: u32,
    pub thread: ThreadId,
    /// The name of its event.
    pub event: EventId,
    pub waits: WaitsFor,
    /// The least coherence indices that the read may read from, and after how many changes of the
    /// coherence order they were found.
    pub floors: Floors,
    pub floors_at: u64,
    /// How many leaves the worker had visited when it got the node.
    pub opened_at: u64,
    pub branches: Shared<Branches>,
}

impl Default for Node {
    fn default() -> Node {
        Node {
            length: 0,
            thread: ThreadId::MAIN,
            event: EventId::NONE,
            waits: WaitsFor::Nothing,
            floors: Floors::default(),
            floors_at: u64::MAX,
            opened_at: 0,
            branches: Shared::default(),
        }
    }
}

impl Branching for Node {
    fn is_empty(&mut self) -> bool {
        self.branches.with(|branches| branches.is_empty())
    }

    fn opened_at(&self) -> u64 {
        self.opened_at
    }
}

impl Node {
    /// Makes it as good as new, but for its buffers.
    pub(super) fn clear(&mut self) {
        self.waits = WaitsFor::Nothing;
        self.branches.leave().clear();
    }

    /// The next branch, which is left no more. The steps of a schedule go into `script`.
    pub(super) fn next(&mut self, script: &mut Vec<Step>) -> Option<Branch> {
        self.branches.with(|branches| branches.next(script))
    }

    /// Has that many answers. For a node that is being opened, as is [`Node::add_source`].
    pub(super) fn set_answers(&mut self, count: u64) {
        self.branches.own().answers = Some((0, count));
    }

    /// Has one more source.
    pub(super) fn add_source(&mut self, source: EventId) {
        self.branches.own().sources.push(source);
    }

    /// The sources of a node that is being opened.
    pub(super) fn sources(&mut self) -> &mut Vec<EventId> {
        &mut self.branches.own().sources
    }

    /// A branch without the read is needed.
    #[inline]
    pub(super) fn need_skip(&mut self) {
        self.branches.with(|branches| {
            if branches.skip == Skip::Not {
                branches.skip = Skip::Wanted;
            }
        });
    }

    /// Whether `name` is seen for the first time.
    #[inline]
    pub(super) fn is_new(&mut self, name: u128) -> bool {
        self.branches.with(|branches| branches.seen.insert(name))
    }

    /// Adds a schedule.
    pub(super) fn add_schedule(&mut self, schedule: impl Iterator<Item = Step>) {
        self.branches.with(|branches| {
            branches.starts.push(branches.steps.len() as u32);
            branches.steps.extend(schedule);
        });
    }

    /// Shares its branches from now on, and returns a copy for somebody else.
    pub(super) fn share(&mut self) -> Node {
        self.branches.share();
        // The other has coherence orders of its own.
        Node { floors_at: u64::MAX, ..self.clone() }
    }

    /// The node of `event` in a graph of that many events, with branches from elsewhere.
    pub(super) fn with(
        length: u32,
        event: EventId,
        waits: WaitsFor,
        branches: Shared<Branches>,
    ) -> Node {
        let thread = event.thread();
        Node { length, thread, event, waits, branches, ..Node::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_that_has_no_answer_left_stays_as_it_is() {
        let mut branches = Branches { answers: Some((0, 2)), ..Branches::default() };
        let mut next = || branches.next(&mut Vec::new());
        let answers = [Some(Branch::Answer(0)), Some(Branch::Answer(1)), None, None];
        assert_eq!([next(), next(), next(), next()], answers);
        assert_eq!(branches.answers(), Some((2, 2)));
    }
}
