//! Nodes of the search tree, and the work that is left at each.
//!
//! Which reads of a node are tried depends on what is found below it. When several workers are below a
//! node, its work is shared: each takes branches of the present read, as long as there are any, and the
//! last one that comes back goes on to the next read. `holders` counts those who will come back.

use crate::search::{Branching, Shared};
use norn_action::ThreadId;
use norn_graph::LocationId;
use norn_models::vsc::{Good, Op};
use serde::{Deserialize, Serialize};

/// A way to go on from a node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Branch {
    /// Nobody goes on any more: all threads wait.
    End,
    /// The choice is answered by each of the numbers from the first to before the second. There may be billions.
    Answers(u64, u64),
    /// The present read reads from one of these writes: the initial one, if that is so, and steps.
    Read(bool, Vec<Op>),
}

impl Branch {
    /// The branch of a read with these good writes.
    pub(super) fn read(good: Good) -> Branch {
        Branch::Read(good.initial, good.writes)
    }
}

/// The work that is left at a node.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Work {
    /// How many reads were begun.
    begun: u32,
    /// Branches of the last of these; the next one last.
    left: Vec<Branch>,
    /// Whether only a signal lets the next read matter.
    needs_signal: bool,
    signalled: bool,
    /// Whether some value of the read could be read.
    realised: bool,
    /// Whether anything came of the node.
    reached: bool,
    /// How many workers, or tasks, are below.
    holders: u32,
}

/// What a worker does who comes back to a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// This.
    Branch(Branch),
    /// Leaves; others are still below.
    Others,
    /// Goes on to the next read; all branches of the last one were visited.
    Read,
    /// Closes the node.
    Close,
}

/// A point at which the search branches.
#[derive(Clone, Debug, Default)]
pub(super) struct Node {
    /// The number of events, and of steps.
    pub length: u32,
    pub ops: u32,
    pub trace: Vec<Op>,
    /// The causal map when the node was opened.
    pub causal: Vec<u32>,
    /// The threads whose reads are tried, in this order; of a choice: whose it is.
    pub reads: Vec<ThreadId>,
    pub is_choice: bool,
    /// Where signals for the present read come from.
    pub watched: Option<LocationId>,
    /// How many leaves the worker had visited when it got the node.
    pub opened_at: u64,
    pub work: Shared<Work>,
}

impl Work {
    /// Whether it can be that of a node with so many reads and steps.
    pub(super) fn fits(&self, reads: usize, ops: u32) -> bool {
        let is_known = |branch: &Branch| match branch {
            Branch::Read(initial, writes) => {
                (*initial || !writes.is_empty()) && writes.iter().all(|&write| write < ops)
            }
            Branch::Answers(first, end) => first < end,
            Branch::End => true,
        };
        self.begun as usize <= reads && self.left.iter().all(is_known)
    }

    fn next(&mut self) -> Next {
        if let Some(Branch::Answers(next, end)) = self.left.last_mut()
            && *end - *next > 1
        {
            *next += 1;
            return Next::Branch(Branch::Answers(*next - 1, *next));
        }
        if let Some(branch) = self.left.pop() {
            return Next::Branch(branch);
        }
        if self.holders > 1 {
            self.holders -= 1;
            return Next::Others;
        }
        let goes_on = self.begun == 0 || !self.needs_signal || self.signalled || !self.realised;
        if goes_on { Next::Read } else { Next::Close }
    }
}

impl Branching for Node {
    fn is_empty(&mut self) -> bool {
        self.work.with(|work| work.left.is_empty())
    }

    fn opened_at(&self) -> u64 {
        self.opened_at
    }
}

impl Node {
    /// Makes it as good as new, but for its buffers.
    pub(super) fn clear(&mut self) {
        let own = self.work.leave();
        own.left.clear();
        *own = Work { left: std::mem::take(&mut own.left), ..Work::default() };
        self.reads.clear();
        self.is_choice = false;
        self.watched = None;
    }

    /// A worker is below it.
    pub(super) fn open(&mut self) {
        self.work.own().holders = 1;
    }

    /// What to do at it next.
    #[inline]
    pub(super) fn next(&mut self) -> Next {
        self.work.with(Work::next)
    }

    /// Has a branch that is taken before all others that it has.
    pub(super) fn add(&mut self, branch: Branch) {
        self.work.with(|work| work.left.push(branch));
    }

    /// The index of the present read; none before the first.
    pub(super) fn present(&mut self) -> Option<usize> {
        self.work.with(|work| work.begun.checked_sub(1)).map(|index| index as usize)
    }

    /// Begins the next read, with these branches. Its index; none if there is no more.
    pub(super) fn begin(&mut self) -> Option<usize> {
        let count = self.reads.len() as u32;
        self.work.with(|work| {
            if work.begun == count {
                return None;
            }
            work.begun += 1;
            (work.signalled, work.realised) = (false, false);
            Some(work.begun as usize - 1)
        })
    }

    /// The branches of the read that was begun, and whether only a signal lets others matter.
    pub(super) fn set_branches(&mut self, branches: impl Iterator<Item = Branch>, signal: bool) {
        self.work.with(|work| {
            work.left.extend(branches);
            work.needs_signal = signal;
        });
    }

    /// A branch was taken, and not in vain.
    #[inline]
    pub(super) fn realise(&mut self) {
        self.work.with(|work| (work.realised, work.reached) = (true, true));
    }

    /// Something came of the node.
    pub(super) fn reach(&mut self) {
        self.work.with(|work| work.reached = true);
    }

    /// Whether anything came of it.
    pub(super) fn is_reached(&mut self) -> bool {
        self.work.with(|work| work.reached)
    }

    /// Whether a write by `thread` concerns the present read.
    #[inline]
    pub(super) fn watches(&mut self, thread: ThreadId) -> bool {
        let present = self.present();
        present.is_some_and(|index| self.reads[index] != thread)
    }

    /// The present read may read something that was not there.
    pub(super) fn signal(&mut self) {
        self.work.with(|work| work.signalled = true);
    }

    /// Shares its work with one more from now on, and returns a copy for that one.
    pub(super) fn share(&mut self) -> Node {
        self.work.share();
        self.work.with(|work| work.holders += 1);
        self.clone()
    }

    /// Whether the present read waits for signals.
    pub(super) fn needs_signal(&mut self) -> bool {
        self.work.with(|work| work.begun > 0 && work.needs_signal)
    }
}
