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

/// Threads that may write what a read cannot read yet, as a set of places: where among the reads of the node the
/// one is that the thread is paused at.
type Givers = u64;

/// All threads that are paused at no read of the node, or whose place is too high for the set. To be safe, they may
/// write as soon as any other has gone on; and reads at such places count as given.
const OTHERS: Givers = 1 << PLACES;
const PLACES: usize = 63;
const ANYBODY: Givers = Givers::MAX;

/// The work that is left at a node.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Work {
    /// How many reads were begun.
    begun: u32,
    /// Branches of the last of these; the next one last.
    left: Vec<Branch>,
    /// Of each read that was begun, who may write what it cannot read yet.
    givers: Vec<Givers>,
    /// Whether signals say who these are, for the last one.
    counts_signals: bool,
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
    pub growth: Growth,
    /// The causal map when the node was opened.
    pub causal: Vec<u32>,
    /// The threads whose reads are tried, in this order; of a choice: whose it is.
    pub reads: Vec<ThreadId>,
    /// How many of them are tried. The others must not read anything that is there.
    pub able: u32,
    pub is_choice: bool,
    /// Where signals for the present read come from.
    pub watched: Option<LocationId>,
    /// How many leaves the worker had visited when it got the node.
    pub opened_at: u64,
    pub work: Shared<Work>,
}

/// How the trace of a node differs from that of the node before it: after the first `same` steps, there are
/// `added` steps instead of `removed`. Most traces have only some more in one place, so those of all nodes take
/// hardly more memory than one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Growth {
    same: u32,
    added: u32,
    removed: Vec<Op>,
}

impl Growth {
    /// Makes it the way from one trace to another.
    pub(super) fn set(&mut self, before: &[Op], trace: &[Op]) {
        let same = before.iter().zip(trace).take_while(|(a, b)| a == b).count();
        let (old, new) = (&before[same..], &trace[same..]);
        let tail = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
        self.same = same as u32;
        self.added = (new.len() - tail) as u32;
        self.removed.clear();
        self.removed.extend_from_slice(&old[..old.len() - tail]);
    }

    /// The way back. False if there is none.
    pub(super) fn undo(&self, trace: &mut Vec<Op>) -> bool {
        let (start, end) = (u64::from(self.same), u64::from(self.same) + u64::from(self.added));
        if end > trace.len() as u64 {
            return false;
        }
        trace.splice(start as usize..end as usize, self.removed.iter().copied());
        true
    }
}

impl Work {
    /// Whether it can be that of a node with so many reads that can be tried.
    pub(super) fn is_sound(&self, able: u32) -> bool {
        self.begun <= able && self.givers.len() == self.begun as usize
    }

    /// How many reads were begun.
    pub(super) fn begun(&self) -> u32 {
        self.begun
    }

    /// The branches that are left.
    pub(super) fn left(&self) -> &[Branch] {
        &self.left
    }

    /// What to do at a node that has so many reads that can be tried.
    fn next(&mut self, able: u32) -> Next {
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
        if !(self.counts_signals && self.realised)
            && let Some(present) = self.givers.last_mut()
        {
            *present = ANYBODY;
        }
        if self.begun < able && self.all_may_be_given() { Next::Read } else { Next::Close }
    }

    /// Whether all reads that were begun may be given something, if one of those after them goes first.
    fn all_may_be_given(&self) -> bool {
        let mut waiting: Givers = (1 << self.givers.len().min(PLACES)) - 1;
        loop {
            let before = waiting;
            for (place, givers) in self.givers.iter().enumerate().take(PLACES) {
                if givers & !waiting != 0 {
                    waiting &= !(1 << place);
                }
            }
            if waiting == 0 || waiting == before {
                return waiting == 0;
            }
        }
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
        own.givers.clear();
        let (left, givers) = (std::mem::take(&mut own.left), std::mem::take(&mut own.givers));
        *own = Work { left, givers, ..Work::default() };
        self.reads.clear();
        self.able = 0;
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
        let able = self.able;
        self.work.with(|work| work.next(able))
    }

    /// Has a branch that is taken before all others that it has.
    pub(super) fn add(&mut self, branch: Branch) {
        self.work.with(|work| work.left.push(branch));
    }

    /// The index of the present read; none before the first.
    pub(super) fn present(&mut self) -> Option<usize> {
        self.work.with(|work| work.begun.checked_sub(1)).map(|index| index as usize)
    }

    /// Begins the next read: its index.
    pub(super) fn begin(&mut self) -> usize {
        self.work.with(|work| {
            work.begun += 1;
            work.realised = false;
            work.givers.push(0);
            work.begun as usize - 1
        })
    }

    /// The branches of the read that was begun, and whether only those who signal may give it more.
    pub(super) fn set_branches(&mut self, branches: impl Iterator<Item = Branch>, signal: bool) {
        self.work.with(|work| {
            work.left.extend(branches);
            work.counts_signals = signal;
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

    /// A write by `thread` is there, or may come next, that the present read cannot read yet.
    #[inline]
    pub(super) fn signal(&mut self, thread: ThreadId) {
        let place = self.reads.iter().position(|&other| other == thread);
        let giver = place.filter(|&place| place < PLACES).map_or(OTHERS, |place| 1 << place);
        self.work.with(|work| {
            if place.is_none_or(|place| place as u32 + 1 != work.begun)
                && let Some(present) = work.givers.last_mut()
            {
                *present |= giver;
            }
        });
    }

    /// Shares its work with one more from now on, and returns a copy for that one.
    pub(super) fn share(&mut self) -> Node {
        self.work.share();
        self.work.with(|work| work.holders += 1);
        self.clone()
    }

    /// Whether the present read waits for signals.
    pub(super) fn counts_signals(&mut self) -> bool {
        self.work.with(|work| work.begun > 0 && work.counts_signals)
    }
}
