//! The search of VSC: steps are put in a line, one after the other, until all are there.
//!
//! A step can be taken when all that must come before it was; a read, when the last write to its location
//! is good for it; a write, when its location is not *held*: nobody is still to come who has seen the last
//! of his good writes taken. The search goes back from where nobody can be taken. A witness state that was
//! left in vain is not looked at again.
//!
//! Taken without trying anything else, because every witness with another choice can be rearranged into
//! one with this: steps that access nothing, plain reads (greedy rule 1), a write that nobody wants over a
//! write that nobody wants (rule 2), and the last write to a location if all who read there may see it.

use super::instance::{Instance, NO_LOCATION, Op};
use rustc_hash::FxHashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The initial write, as the last write to a location.
const INITIAL: Op = Op::MAX;

/// A search looks up after so many choices.
const CHOICES_BETWEEN_LOOKS: u32 = 1024;

/// The search, with its buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    line: Vec<Op>,
    /// For each step of the line, the last write to its location before it.
    overwritten: Vec<Op>,
    taken: Vec<u64>,
    /// How many steps of each thread are in the line.
    next: Vec<u32>,
    /// Where each step stands in the guide.
    rank: Vec<u32>,
    /// Of each read: good writes that are still to come.
    good_left: Vec<u32>,
    locations: Vec<Location>,
    choices: Vec<Choice>,
    candidates: Vec<Op>,
    left_in_vain: FxHashSet<Box<[u64]>>,
    /// Set from outside when nobody wants the answer any more.
    pub(super) halt: Option<Arc<AtomicBool>>,
    /// Whether the last run ended for that reason.
    pub(super) gave_up: bool,
}

/// What is known of a location.
#[derive(Clone, Copy, Debug, Default)]
struct Location {
    /// The last write.
    last: Op,
    writes_left: u32,
    reads_left: u32,
    /// Reads still to come that hold it.
    holders: u32,
}

/// A point to go back to: the line that it had, and where its candidates start.
#[derive(Clone, Copy, Debug)]
struct Choice {
    length: usize,
    candidates: usize,
}

impl Search {
    /// Starts over; the search prefers the order of `guide`.
    pub(super) fn start(&mut self, instance: &Instance, guide: &[Op]) {
        let count = instance.len();
        self.line.clear();
        self.overwritten.clear();
        self.taken.clear();
        self.taken.resize(count.div_ceil(64), 0);
        self.next.clear();
        self.next.resize(instance.threads.len(), 0);
        self.rank.clear();
        self.rank.resize(count, u32::MAX);
        for (rank, &op) in guide.iter().enumerate() {
            self.rank[op as usize] = rank as u32;
        }
        self.good_left.clear();
        self.good_left.extend_from_slice(instance.good_counts());
        self.locations.clear();
        self.locations.extend(instance.locations.iter().map(|accesses| Location {
            last: INITIAL,
            writes_left: accesses.writes.len() as u32,
            reads_left: accesses.reads,
            holders: 0,
        }));
        for op in 0..count {
            let step = instance.step(op as Op);
            if step.reads && self.good_left[op] == 0 {
                self.locations[step.location as usize].holders += 1;
            }
        }
        self.choices.clear();
        self.candidates.clear();
        self.left_in_vain.clear();
    }

    /// The line, which is a witness if the search has found one.
    pub(super) fn line(&self) -> &[Op] {
        &self.line
    }

    /// Takes the steps of `start`, which can be taken in this order.
    pub(super) fn follow(&mut self, instance: &Instance, start: &[Op]) {
        start.iter().for_each(|&op| self.take(instance, op));
    }

    /// Extends the line to all steps, where `before` gives the steps that must come before one. False if that
    /// cannot be; also, if `once`, where the first attempt leads nowhere.
    pub(super) fn run<'r>(
        &mut self,
        instance: &Instance,
        before: impl Fn(Op) -> &'r [u64],
        once: bool,
    ) -> bool {
        let mut choices = 0u32;
        loop {
            self.take_what_is_free(instance, &before);
            if self.line.len() == instance.len() {
                return true;
            }
            choices += 1;
            if choices.is_multiple_of(CHOICES_BETWEEN_LOOKS) && self.is_halted() {
                self.gave_up = true;
                return false;
            }
            self.offer(instance, &before);
            if !self.take_next(instance, once) {
                return false;
            }
        }
    }

    fn is_halted(&self) -> bool {
        self.halt.as_ref().is_some_and(|halt| halt.load(Ordering::Relaxed))
    }

    /// Lists what can be taken now, the first in the guide last.
    fn offer<'r>(&mut self, instance: &Instance, before: &impl Fn(Op) -> &'r [u64]) {
        let start = self.candidates.len();
        for t in 0..instance.threads.len() {
            if let Some(&op) = instance.threads[t].get(self.next[t] as usize)
                && self.can_take(instance, before, op)
            {
                self.candidates.push(op);
            }
        }
        let found = self.candidates.len() - start;
        // A state with one way to go on need not be known again.
        if found > 1 && !self.left_in_vain.insert(self.state(instance)) {
            self.candidates.truncate(start);
        }
        let rank = &self.rank;
        self.candidates[start..].sort_unstable_by_key(|&op| std::cmp::Reverse(rank[op as usize]));
        self.choices.push(Choice { length: self.line.len(), candidates: start });
    }

    /// Takes the next candidate of the latest choice that has one; false if there is none.
    fn take_next(&mut self, instance: &Instance, once: bool) -> bool {
        while let Some(&Choice { length, candidates }) = self.choices.last() {
            self.take_back(instance, length);
            if self.candidates.len() > candidates {
                let op = self.candidates.pop().expect("a candidate");
                self.take(instance, op);
                return true;
            }
            if once {
                return false;
            }
            self.choices.pop();
        }
        false
    }

    /// Takes all that can be taken now without closing a way.
    fn take_what_is_free<'r>(&mut self, instance: &Instance, before: &impl Fn(Op) -> &'r [u64]) {
        let mut changed = true;
        while changed {
            changed = false;
            for t in 0..instance.threads.len() {
                while let Some(&op) = instance.threads[t].get(self.next[t] as usize)
                    && self.is_free(instance, op)
                    && self.can_take(instance, before, op)
                {
                    self.take(instance, op);
                    changed = true;
                }
            }
        }
    }

    /// Whether a step may be taken without trying others, if it can be taken.
    #[inline]
    fn is_free(&self, instance: &Instance, op: Op) -> bool {
        let step = instance.step(op);
        if !step.writes {
            return true;
        }
        let location = &self.locations[step.location as usize];
        let readers = self.readers(instance, op);
        let wants_last = location.last != INITIAL && self.readers(instance, location.last) > 0
            || location.last == INITIAL && location.reads_left > 0;
        (readers == 0 && !wants_last && !step.reads)
            || (location.writes_left == 1 && readers == location.reads_left - u32::from(step.reads))
    }

    /// How many reads that are still to come may see `write`.
    #[inline]
    fn readers(&self, instance: &Instance, write: Op) -> u32 {
        let words = instance.good_for(write).iter().zip(&self.taken);
        words.map(|(good, taken)| (good & !taken).count_ones()).sum()
    }

    #[inline]
    fn can_take<'r>(&self, instance: &Instance, before: &impl Fn(Op) -> &'r [u64], op: Op) -> bool {
        let ready = |(before, taken): (&u64, &u64)| before & !taken == 0;
        if !before(op).iter().zip(&self.taken).all(ready) {
            return false;
        }
        let step = instance.step(op);
        if step.location == NO_LOCATION {
            return true;
        }
        let location = &self.locations[step.location as usize];
        let last = (location.last != INITIAL).then_some(location.last);
        let sees = !step.reads || instance.is_good(op, last);
        let holds_itself = step.reads && self.good_left[op as usize] == 0;
        sees && (!step.writes || location.holders == u32::from(holds_itself))
    }

    fn take(&mut self, instance: &Instance, op: Op) {
        let step = instance.step(op);
        self.taken[op as usize / 64] |= 1 << (op % 64);
        self.next[step.thread as usize] += 1;
        self.line.push(op);
        let Some(location) = self.locations.get_mut(step.location as usize) else {
            self.overwritten.push(INITIAL);
            return;
        };
        self.overwritten.push(location.last);
        if step.reads {
            location.reads_left -= 1;
            location.holders -= u32::from(self.good_left[op as usize] == 0);
        }
        if step.writes {
            location.last = op;
            location.writes_left -= 1;
            for_each_left(instance.good_for(op), &self.taken, |read| {
                self.good_left[read] -= 1;
                location.holders += u32::from(self.good_left[read] == 0);
            });
        }
    }

    fn take_back(&mut self, instance: &Instance, length: usize) {
        while self.line.len() > length {
            let op = self.line.pop().expect("longer than `length`");
            let last = self.overwritten.pop().expect("as many as steps");
            let step = instance.step(op);
            self.next[step.thread as usize] -= 1;
            if let Some(location) = self.locations.get_mut(step.location as usize) {
                if step.writes {
                    location.last = last;
                    location.writes_left += 1;
                    for_each_left(instance.good_for(op), &self.taken, |read| {
                        location.holders -= u32::from(self.good_left[read] == 0);
                        self.good_left[read] += 1;
                    });
                }
                if step.reads {
                    location.reads_left += 1;
                    location.holders += u32::from(self.good_left[op as usize] == 0);
                }
            }
            self.taken[op as usize / 64] &= !(1 << (op % 64));
        }
    }

    /// What the rest depends on: the steps taken, and the last writes that somebody may still see. That a
    /// location has not been written is seen from the steps.
    fn state(&self, instance: &Instance) -> Box<[u64]> {
        let last = self.locations.iter().enumerate().filter_map(|(index, location)| {
            let write = location.last;
            let wanted =
                location.reads_left > 0 && write != INITIAL && self.readers(instance, write) > 0;
            wanted.then(|| (index as u64) << 32 | u64::from(write))
        });
        self.taken.iter().copied().chain(last).collect()
    }
}

#[inline]
fn for_each_left(set: &[u64], taken: &[u64], mut visit: impl FnMut(usize)) {
    for (word, (set, taken)) in set.iter().zip(taken).enumerate() {
        let mut bits = set & !taken;
        while bits != 0 {
            visit(word * 64 + bits.trailing_zeros() as usize);
            bits &= bits - 1;
        }
    }
}
