//! A question of VSC: the steps of threads, the order that threads prescribe, and good writes.
//!
//! Steps are added at the end and taken back from the end, as the events of an execution are, and are named
//! by the order in which they were added, which extends the order that the threads prescribe. Each change
//! costs O(n / 64), and an addition as much again for each good write.
//!
//! Invariants: row `b` of `before` has the steps that must come before `b`, closed under transitivity: what
//! its thread prescribes and, of a read, the good write that all others come after, if there is one, since
//! every witness has it before the read. Row `r` of `good` has the good writes of `r`, which are steps before
//! `r` in the order of addition, and `good_for` is its transpose.

/// A step, by the order in which it was added.
pub type Op = u32;

/// The location of a step that accesses nothing.
pub const NO_LOCATION: u32 = u32::MAX;

/// What a step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its thread.
    pub thread: u32,
    /// Where it reads or writes, or [`NO_LOCATION`].
    pub location: u32,
    /// Whether it reads.
    pub reads: bool,
    /// Whether it writes, after it has read if it does both.
    pub writes: bool,
}

/// Writes to one location that a read may see.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Good {
    /// Whether the initial one is among them.
    pub initial: bool,
    /// The others.
    pub writes: Vec<Op>,
}

/// What is known of a location.
#[derive(Clone, Debug, Default)]
pub(super) struct Accesses {
    /// The steps that write it, as a list and as a set.
    pub writes: Vec<Op>,
    pub write_set: Vec<u64>,
    pub reads: u32,
}

/// The question. See the head of this file.
#[derive(Clone, Debug, Default)]
pub struct Instance {
    steps: Vec<Step>,
    /// Words of a row.
    words: usize,
    before: Vec<u64>,
    good: Vec<u64>,
    good_for: Vec<u64>,
    /// Of reads: whether the initial write is good, and how many others are.
    initial_is_good: Vec<bool>,
    good_count: Vec<u32>,
    pub(super) threads: Vec<Vec<Op>>,
    pub(super) locations: Vec<Accesses>,
}

impl Instance {
    /// How many steps there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// What a step does.
    #[inline]
    pub fn step(&self, op: Op) -> &Step {
        &self.steps[op as usize]
    }

    /// The last step of a thread.
    pub fn last_of(&self, thread: u32) -> Option<Op> {
        self.threads.get(thread as usize)?.last().copied()
    }

    /// The steps that must come before `op`, as a set.
    #[inline]
    pub fn before(&self, op: Op) -> &[u64] {
        row(&self.before, self.words, op)
    }

    /// Whether `a` must come before `b`.
    #[inline]
    pub fn is_before(&self, a: Op, b: Op) -> bool {
        has(self.before(b), a)
    }

    /// Whether `read` may see `write`, or the initial write if that is none.
    #[inline]
    pub fn is_good(&self, read: Op, write: Option<Op>) -> bool {
        match write {
            Some(write) => has(row(&self.good, self.words, read), write),
            None => self.initial_is_good[read as usize],
        }
    }

    /// The reads that may see `write`, as a set.
    #[inline]
    pub(super) fn good_for(&self, write: Op) -> &[u64] {
        row(&self.good_for, self.words, write)
    }

    /// The good writes of `read`, without the initial one, as a set.
    #[inline]
    pub(super) fn good(&self, read: Op) -> &[u64] {
        row(&self.good, self.words, read)
    }

    /// The good writes of a read.
    pub fn good_writes(&self, read: Op) -> Good {
        let set = self.good(read);
        let writes = self.writes_to(self.step(read).location).iter().copied();
        let writes = writes.filter(|&write| has(set, write)).collect();
        Good { initial: self.is_good(read, None), writes }
    }

    /// How many good writes each step has, without the initial one.
    pub(super) fn good_counts(&self) -> &[u32] {
        &self.good_count
    }

    /// The writes to a location in the order in which they were added.
    pub fn writes_to(&self, location: u32) -> &[Op] {
        self.locations.get(location as usize).map_or(&[], |accesses| &accesses.writes)
    }

    /// The writes to `location` that a step that must come after all of `earlier` may see: those that none of
    /// `earlier`, or of what must come before them, overwrites.
    pub fn visible(&self, location: u32, earlier: &[Op]) -> Good {
        let Some(accesses) = self.locations.get(location as usize) else {
            return Good { initial: true, writes: Vec::new() };
        };
        let is_known =
            |write: Op| earlier.iter().any(|&op| op == write || has(self.before(op), write));
        let mut known = accesses.writes.iter().copied().filter(|&write| is_known(write)).peekable();
        let initial = known.peek().is_none();
        if initial {
            return Good { initial, writes: accesses.writes.clone() };
        }
        let mut hidden = vec![0; self.words];
        known.for_each(|write| union(&mut hidden, self.before(write)));
        let visible = accesses.writes.iter().copied().filter(|&write| !has(&hidden, write));
        Good { initial, writes: visible.collect() }
    }

    /// Whether each write to `location` before the step `bound`, and the initial one, is overwritten by one from
    /// there on in all witnesses, because it must come before it.
    pub fn overwrites_all(&self, location: u32, bound: Op) -> bool {
        let writes = self.writes_to(location);
        let (older, newer) = writes.split_at(writes.partition_point(|&write| write < bound));
        let is_overwritten = |old: &Op| newer.iter().any(|&new| self.is_before(*old, new));
        !newer.is_empty() && older.iter().all(is_overwritten)
    }

    /// Whether `line` has each of the first `count` steps once, in an order that the threads allow, so that
    /// each read sees one of its good writes.
    pub fn is_trace(&self, line: &[Op], count: u32) -> bool {
        let mut seen = vec![0; self.words];
        let mut last = vec![None; self.locations.len()];
        let is_next = |&op: &Op| {
            if op >= count || op as usize >= self.len() || has(&seen, op) {
                return false;
            }
            let mut missing =
                self.before(op).iter().zip(&seen).map(|(before, seen)| before & !seen);
            let step = self.step(op);
            if missing.any(|bits| bits != 0) {
                return false;
            }
            if step.reads && !self.is_good(op, last[step.location as usize]) {
                return false;
            }
            if step.writes {
                last[step.location as usize] = Some(op);
            }
            seen[op as usize / 64] |= 1 << (op % 64);
            true
        };
        line.len() == count as usize && line.iter().all(is_next)
    }

    /// Whether the last step reads and writes, and so do others, each of which can only read one of its good writes,
    /// so that none is left: what reads and writes comes right after what it reads.
    pub(super) fn last_is_too_late(&self) -> bool {
        let Some((step, others)) =
            self.steps.split_last().filter(|(step, _)| step.reads && step.writes)
        else {
            return false;
        };
        let read = others.len() as Op;
        let mut left = self.good_count[read as usize] + u32::from(self.is_good(read, None));
        for &other in self.writes_to(step.location).iter().filter(|&&other| other != read) {
            let initial = self.is_good(other, None);
            if !self.step(other).reads || self.good_count[other as usize] + u32::from(initial) != 1
            {
                continue;
            }
            let both = self.good(other).iter().zip(self.good(read));
            let takes = initial && self.is_good(read, None)
                || both.map(|(a, b)| a & b).any(|both| both != 0);
            // Two that take the same are no question that has an answer.
            left = left.saturating_sub(u32::from(takes));
        }
        left == 0
    }

    /// Adds a step after the last one of its thread and after all of `after`. `good` is for reads.
    pub fn push(&mut self, step: Step, after: &[Op], good: &Good) -> Op {
        let op = self.steps.len() as Op;
        if self.steps.len() == self.words * 64 {
            self.widen();
        }
        let words = self.words;
        for rows in [&mut self.before, &mut self.good, &mut self.good_for] {
            rows.resize(rows.len() + words, 0);
        }
        let thread = step.thread as usize;
        if self.threads.len() <= thread {
            self.threads.resize_with(thread + 1, Vec::new);
        }
        if let Some(&earlier) = self.threads[thread].last() {
            self.put_before(earlier, op);
        }
        after.iter().for_each(|&earlier| self.put_before(earlier, op));
        self.threads[thread].push(op);
        if let Some(least) = self.least(good) {
            self.put_before(least, op);
        }
        for &write in &good.writes {
            self.good[op as usize * words + write as usize / 64] |= 1 << (write % 64);
            self.good_for[write as usize * words + op as usize / 64] |= 1 << (op % 64);
        }
        self.initial_is_good.push(good.initial);
        self.good_count.push(good.writes.len() as u32);
        self.steps.push(step);
        self.count(op, step);
        op
    }

    /// Puts `earlier`, and all before it, before the step that is being added.
    #[inline]
    fn put_before(&mut self, earlier: Op, op: Op) {
        let words = self.words;
        let (rows, own) = self.before.split_at_mut(op as usize * words);
        union(own, row(rows, words, earlier));
        own[earlier as usize / 64] |= 1 << (earlier % 64);
    }

    /// The good write that must come before all others; none if the initial one does.
    fn least(&self, good: &Good) -> Option<Op> {
        let (&first, rest) = good.writes.split_first().filter(|_| !good.initial)?;
        rest.iter().all(|&other| self.is_before(first, other)).then_some(first)
    }

    fn count(&mut self, op: Op, step: Step) {
        if step.location == NO_LOCATION {
            return;
        }
        if self.locations.len() <= step.location as usize {
            self.locations.resize_with(step.location as usize + 1, Accesses::default);
        }
        let accesses = &mut self.locations[step.location as usize];
        accesses.reads += u32::from(step.reads);
        if step.writes {
            accesses.writes.push(op);
            if accesses.write_set.len() < self.words {
                accesses.write_set.resize(self.words, 0);
            }
            accesses.write_set[op as usize / 64] |= 1 << (op % 64);
        }
    }

    /// Takes the step back that was added last.
    pub fn pop(&mut self) {
        let step = self.steps.pop().expect("a step to take back");
        let op = self.steps.len();
        self.threads[step.thread as usize].pop();
        let start = op * self.words;
        for word in 0..self.words {
            let mut bits = self.good[start + word];
            while bits != 0 {
                let write = word * 64 + bits.trailing_zeros() as usize;
                self.good_for[write * self.words + op / 64] &= !(1 << (op % 64));
                bits &= bits - 1;
            }
        }
        for rows in [&mut self.before, &mut self.good, &mut self.good_for] {
            rows.truncate(start);
        }
        self.initial_is_good.pop();
        self.good_count.pop();
        if step.location != NO_LOCATION {
            let accesses = &mut self.locations[step.location as usize];
            accesses.reads -= u32::from(step.reads);
            if step.writes {
                accesses.writes.pop();
                accesses.write_set[op / 64] &= !(1 << (op % 64));
            }
        }
    }

    /// Makes room for twice as many steps.
    #[cold]
    fn widen(&mut self) {
        let (old, new) = (self.words, (2 * self.words).max(1));
        for rows in [&mut self.before, &mut self.good, &mut self.good_for] {
            let mut wider = Vec::with_capacity(self.steps.len() * new);
            for op in 0..self.steps.len() {
                wider.extend_from_slice(&rows[op * old..(op + 1) * old]);
                wider.resize((op + 1) * new, 0);
            }
            *rows = wider;
        }
        self.words = new;
        for accesses in &mut self.locations {
            accesses.write_set.resize(new, 0);
        }
    }
}

#[inline]
fn row(rows: &[u64], words: usize, op: Op) -> &[u64] {
    &rows[op as usize * words..(op as usize + 1) * words]
}

/// Whether a set has `op`.
#[inline]
pub(super) fn has(set: &[u64], op: Op) -> bool {
    set[op as usize / 64] >> (op % 64) & 1 == 1
}

#[inline]
fn union(into: &mut [u64], from: &[u64]) {
    for (a, b) in into.iter_mut().zip(from) {
        *a |= b;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(thread: u32) -> Step {
        Step { thread, location: 0, reads: false, writes: true }
    }

    #[test]
    fn steps_come_and_go_beyond_a_word() {
        let mut instance = Instance::default();
        let ops: Vec<Op> =
            (0..150).map(|i| instance.push(write(i % 3), &[], &Good::default())).collect();
        let read = Step { thread: 7, location: 0, reads: true, writes: false };
        let good = Good { initial: true, writes: vec![3, 149] };
        let r = instance.push(read, &[ops[140]], &good);
        assert!(
            instance.is_before(2, r) && instance.is_before(140, r) && !instance.is_before(139, r)
        );
        assert!(instance.is_good(r, None) && instance.is_good(r, Some(149)));
        assert!(has(instance.good_for(3), r) && !has(instance.good_for(4), r));
        instance.pop();
        assert!(!has(instance.good_for(3), r));
        for _ in 100..150 {
            instance.pop();
        }
        assert_eq!((instance.len(), instance.writes_to(0).len()), (100, 100));
        assert_eq!(instance.last_of(0), Some(99));
    }

    #[test]
    fn what_is_overwritten_is_not_visible() {
        let mut instance = Instance::default();
        let a = instance.push(write(0), &[], &Good::default());
        let b = instance.push(write(0), &[], &Good::default());
        let c = instance.push(write(1), &[], &Good::default());
        assert_eq!(instance.visible(0, &[]), Good { initial: true, writes: vec![a, b, c] });
        assert_eq!(instance.visible(0, &[b]), Good { initial: false, writes: vec![b, c] });
        assert_eq!(instance.visible(1, &[b]), Good { initial: true, writes: vec![] });
    }
}
