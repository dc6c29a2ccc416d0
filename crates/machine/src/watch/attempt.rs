//! Tries that a thread takes back if they fail.
//!
//! ```c
//! while (atomic_fetch_sub(&word, 1) <= 0) {
//!     atomic_fetch_add(&word, 1);
//!     while (atomic_load(&word) <= 0)
//!         ;
//! }
//! ```
//!
//! A try that fails puts back what it took, and the thread is where it was. If nobody can tell, it may as well not have been
//! made: the thread then waits until it would not fail ([`norn_action::Wait::Attempt`]). Whether somebody can tell is a question
//! about the graph (`norn_explore` has the argument); here it is found out that a try is one.
//!
//! It is an addition or subtraction at the very beginning of an iteration, of whose answer the thread asks one thing
//! ([`norn_program::Asked`]). So there are two ways on. One is a failure if it leads back to the head of the loop, in the state in
//! which the thread was there, and does nothing else on the way than add and subtract at the same place, without a look
//! at the answers, so that nothing is left of it; and wait there, if for anything, for just what makes the try no failure.
//!
//! A copy of the thread goes both ways. Its answers are examples: the thread does the same with all others of their kind.

use crate::Vm;
use crate::thread::{NO_LOOP, Stop, Thread};
use norn_action::{Action, Compare, Rmw, SmallTest, Test, Value};
use norn_program::Instruction as I;

/// Actions, and iterations of inner loops and calls, that a copy goes through.
const MOST_ACTIONS: u32 = 8;
const MOST_ITERATIONS: u64 = 64;

impl Vm {
    /// What the read-modify-write for which the thread has just asked waits for if failures are not worth making.
    #[cold]
    #[inline(never)]
    pub(crate) fn attempt(&self, t: &Thread, rmw: &Rmw) -> Option<Test> {
        let size = rmw.access.size;
        let plain = rmw.test.is_none() && rmw.wait.is_none() && size <= 8;
        let ready = t.shadow.is_empty() && t.looks_ahead == 0 && self.is_at_beginning(t);
        if !(self.makes_attempts && plain && ready) {
            return None;
        }
        let falls = match rmw.adds() {
            Some(0) | None => return None,
            Some(change) => change < 0,
        };
        let test = rmw.alike.filter(|alike| alike.both)?.test.test();
        let success = [test, test.negated()].into_iter().find(|success| {
            may_only_fail_more(success, size, falls) && self.is_undone(t, rmw, success)
        })?;
        // If both ways led back, the thread would never leave the loop.
        (!self.is_undone(t, rmw, &success.negated())).then_some(success)
    }

    /// Whether the thread, which has asked for a read, has made none since it was at the head of a loop.
    fn is_at_beginning(&self, t: &Thread) -> bool {
        t.loops.iter().any(|state| {
            let nothing = state.reads + 1 == t.reads && state.effects == t.effects;
            state.valid && nothing && !state.timed && !state.woken
        })
    }

    /// Whether the thread comes back to the head of its loop, with nothing done, if the answer to its first
    /// read-modify-write is not `success`.
    fn is_undone(&self, t: &Thread, rmw: &Rmw, success: &Test) -> bool {
        let size = rmw.access.size;
        let Some(failure) = example(&success.negated(), size) else { return false };
        let mut ahead = t.clone();
        ahead.outgoing = None;
        ahead.looks_ahead = usize::MAX;
        ahead.quiet = NO_LOOP;
        (ahead.fuel, ahead.reserve) = (MOST_ITERATIONS, 0);
        let mut sum = rmw.adds().unwrap_or_default();
        if self.answer(&mut ahead, failure).is_err() {
            return false;
        }
        for _ in 0..MOST_ACTIONS {
            let answer = match self.run_until_stop(&mut ahead) {
                Stop::CameBack(back) => {
                    let is_there = !back.moved && back.reads + 1 == t.reads;
                    let only_updates = ahead.effects - t.effects == ahead.updates - t.updates;
                    let left = Value(sum as u128).truncate(size);
                    return is_there && only_updates && left == Value::ZERO;
                }
                Stop::Ask => match ahead.outgoing.take() {
                    Some(Action::Rmw(other)) if self.is_same_place(&ahead, rmw, &other) => {
                        sum += other.adds().unwrap_or_default();
                        Value::ZERO
                    }
                    Some(Action::Load(access, None))
                        if access.address == rmw.access.address
                            && access.size == size
                            && self.waits_for(&ahead, success, size) =>
                    {
                        match example(success, size) {
                            Some(answer) => answer,
                            None => return false,
                        }
                    }
                    _ => return false,
                },
                _ => return false,
            };
            if self.answer(&mut ahead, answer).is_err() {
                return false;
            }
        }
        false
    }

    /// Whether a read-modify-write only adds to the same place, whatever it finds.
    fn is_same_place(&self, t: &Thread, rmw: &Rmw, other: &Rmw) -> bool {
        let Some(frame) = t.frames.last().filter(|frame| !frame.native) else { return false };
        let unused = self.program.unused.binary_search(&frame.pc).is_ok();
        let here =
            other.access.address == rmw.access.address && other.access.size == rmw.access.size;
        unused && here && other.test.is_none() && other.adds().is_some()
    }

    /// Whether the thread, which has asked for a load, only waits for a value that passes `success` there.
    fn waits_for(&self, t: &Thread, success: &Test, size: u8) -> bool {
        let Some(frame) = t.frames.last().filter(|frame| !frame.native) else { return false };
        let I::Load { dst, .. } = self.program.code[frame.pc as usize] else { return false };
        // Masks that differ in bits that no value has are the same.
        let same = |test: Test| SmallTest::new(test, size) == SmallTest::new(*success, size);
        let asked = self.asked.binary_search_by_key(&frame.pc, |&(pc, _)| pc);
        let asked = asked.is_ok_and(|index| {
            let test = self.asked[index].1.test();
            same(test) || same(test.negated())
        });
        asked && self.waits(t, self.way(t, dst, size)).is_some_and(|(test, _)| same(test))
    }
}

/// Whether a test that fails also fails where others have taken something away (`falls`), or added something. Of a single
/// value that depends on which others there are.
fn may_only_fail_more(success: &Test, size: u8, falls: bool) -> bool {
    let whole = Value(success.mask).truncate(size) == Value(u128::MAX).truncate(size);
    whole
        && match success.compare {
            Compare::Eq => true,
            Compare::Sgt | Compare::Sge => falls,
            Compare::Slt | Compare::Sle => !falls,
            _ => false,
        }
}

/// A value that passes a test.
fn example(test: &Test, size: u8) -> Option<Value> {
    let near = [0, 1, u128::MAX];
    let values = near.map(|by| Value(test.operand.wrapping_add(by)).truncate(size));
    values.into_iter().find(|value| test.holds(*value, size))
}
