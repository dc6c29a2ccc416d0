//! What a step does that others may notice: enough to tell whether two steps commute.

use norn_action::{RmwOp, ThreadId};
use norn_graph::LocationId;

/// What a step does to its location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// It has none.
    Nothing,
    /// It answers a choice; no other thread takes part.
    Choice,
    /// Reads.
    Read,
    /// Writes, and perhaps reads.
    Write,
    /// Adds or subtracts, and nobody looks at what was there.
    Add,
    /// Sets bits, likewise.
    Or,
    /// Clears bits, likewise.
    And,
    /// Flips bits, likewise.
    Xor,
}

impl Effect {
    /// Of a read-modify-write that always writes and whose answer nobody looks at. Two of the same effect
    /// leave the same value in either order.
    pub(super) fn of_update(op: RmwOp) -> Effect {
        match op {
            RmwOp::Add | RmwOp::Sub => Effect::Add,
            RmwOp::Or => Effect::Or,
            RmwOp::And => Effect::And,
            RmwOp::Xor => Effect::Xor,
            _ => Effect::Write,
        }
    }

    /// Whether two of this effect on one location commute although they write.
    #[inline]
    pub(super) fn is_update(self) -> bool {
        matches!(self, Effect::Add | Effect::Or | Effect::And | Effect::Xor)
    }

    /// Whether it writes.
    #[inline]
    pub(super) fn writes(self) -> bool {
        self == Effect::Write || self.is_update()
    }
}

/// A step of a thread: whose, and what it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Label {
    pub thread: ThreadId,
    /// What it accesses; [`LocationId::NONE`] if nothing.
    pub location: LocationId,
    pub effect: Effect,
    /// The answer to a choice, and 0 for all else.
    pub answer: u64,
}

impl Label {
    /// Whether the order of two steps of different threads matters.
    #[inline]
    pub(super) fn conflicts(&self, other: &Label) -> bool {
        self.location == other.location
            && self.location != LocationId::NONE
            && !(self.effect == other.effect && self.effect != Effect::Write)
    }

    /// Whether it is a weak initial of `line`: it can come first there, or before all of it if its thread
    /// has no step in it.
    #[inline]
    pub(super) fn is_weak_initial(&self, line: &[Label]) -> bool {
        for step in line {
            if step.thread == self.thread {
                return step.answer == self.answer;
            }
            if self.conflicts(step) {
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::awaits) fn label(thread: u32, location: u32, effect: Effect) -> Label {
        Label { thread: ThreadId(thread), location: LocationId(location), effect, answer: 0 }
    }

    #[test]
    fn what_commutes() {
        let (read, write) = (label(0, 1, Effect::Read), label(1, 1, Effect::Write));
        assert!(read.conflicts(&write) && write.conflicts(&read) && write.conflicts(&write));
        assert!(!read.conflicts(&read));
        let (add, or) = (label(2, 1, Effect::Add), label(3, 1, Effect::Or));
        assert!(!add.conflicts(&add) && !or.conflicts(&or));
        assert!(add.conflicts(&or) && add.conflicts(&read) && write.conflicts(&add));
        assert!(!label(0, 2, Effect::Write).conflicts(&write));
        let fence = Label { location: LocationId::NONE, effect: Effect::Nothing, ..read };
        assert!(!fence.conflicts(&fence));
    }

    #[test]
    fn weak_initials() {
        let (x, y) = (label(0, 1, Effect::Write), label(1, 2, Effect::Write));
        let reader = label(2, 1, Effect::Read);
        assert!(x.is_weak_initial(&[y, x]) && x.is_weak_initial(&[y]) && x.is_weak_initial(&[]));
        assert!(!x.is_weak_initial(&[reader, x]) && !x.is_weak_initial(&[y, reader]));
    }

    #[test]
    fn another_answer_is_another_step() {
        let none = LocationId::NONE;
        let choice = |answer| Label { answer, ..label(0, none.0, Effect::Choice) };
        assert!(choice(1).is_weak_initial(&[choice(1)]));
        assert!(!choice(0).is_weak_initial(&[choice(1)]));
    }
}
