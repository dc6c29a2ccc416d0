//! A strict order that grows: kept transitively closed, as a bit matrix.

/// The order, over `0..count`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Closure {
    words: usize,
    /// Row `a` has bit `b` iff `a → b`.
    after: Vec<u64>,
    /// Row `b` has bit `a` iff `a → b`.
    before: Vec<u64>,
    /// Two rows of scratch space.
    earlier: Vec<u64>,
    later: Vec<u64>,
}

impl Closure {
    /// Starts over with nothing ordered.
    pub(crate) fn start(&mut self, count: usize) {
        self.words = count.div_ceil(64);
        for (rows, count) in [
            (&mut self.after, count),
            (&mut self.before, count),
            (&mut self.earlier, 1),
            (&mut self.later, 1),
        ] {
            rows.clear();
            rows.resize(self.words * count, 0);
        }
    }

    /// How many words a row has.
    #[inline]
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    /// Whether `a → b`.
    #[inline]
    pub(crate) fn is_before(&self, a: usize, b: usize) -> bool {
        self.after[a * self.words + b / 64] >> (b % 64) & 1 == 1
    }

    /// What comes before `b`, as a bit set.
    #[inline]
    pub(crate) fn before(&self, b: usize) -> &[u64] {
        &self.before[b * self.words..(b + 1) * self.words]
    }

    /// What comes after `a`, as a bit set.
    #[inline]
    pub(crate) fn after(&self, a: usize) -> &[u64] {
        &self.after[a * self.words..(a + 1) * self.words]
    }

    /// Adds `a → b` and what follows by transitivity. False if that closes a cycle.
    pub(crate) fn add(&mut self, a: usize, b: usize) -> bool {
        if a == b || self.is_before(b, a) {
            return false;
        }
        if self.is_before(a, b) {
            return true;
        }
        let words = self.words;
        self.earlier.copy_from_slice(&self.before[a * words..(a + 1) * words]);
        self.earlier[a / 64] |= 1 << (a % 64);
        self.later.copy_from_slice(&self.after[b * words..(b + 1) * words]);
        self.later[b / 64] |= 1 << (b % 64);
        for_each_bit(&self.earlier, |x| or_row(&mut self.after, words, x, &self.later));
        for_each_bit(&self.later, |x| or_row(&mut self.before, words, x, &self.earlier));
        true
    }
}

impl Closure {
    /// Adds `a → last` where nothing comes after `last` yet, but not what follows from it on the side of
    /// those that come before: [`Closure::close`] does that for all of them at once.
    #[inline]
    pub(crate) fn put_before(&mut self, a: usize, last: usize) {
        let words = self.words;
        let bit = 1 << (a % 64);
        if self.before[last * words + a / 64] & bit != 0 {
            return;
        }
        for word in 0..words {
            self.before[last * words + word] |= self.before[a * words + word];
        }
        self.before[last * words + a / 64] |= bit;
    }

    /// The set `before`, closed under what is known, comes before `last`, which has nothing after it yet.
    #[inline]
    pub(crate) fn set_before(&mut self, last: usize, before: &[u64]) {
        let words = self.words;
        self.before[last * words..(last + 1) * words].copy_from_slice(&before[..words]);
        self.close(last);
    }

    /// What was put before `last` has it after itself.
    #[inline]
    pub(crate) fn close(&mut self, last: usize) {
        let Closure { words, after, before, .. } = self;
        let earlier = &before[last * *words..(last + 1) * *words];
        for_each_bit(earlier, |x| after[x * *words + last / 64] |= 1 << (last % 64));
    }
}

/// Row `x` gains `bits`.
#[inline]
fn or_row(rows: &mut [u64], words: usize, x: usize, bits: &[u64]) {
    for (word, more) in rows[x * words..(x + 1) * words].iter_mut().zip(bits) {
        *word |= more;
    }
}

#[inline]
fn for_each_bit(bits: &[u64], mut visit: impl FnMut(usize)) {
    for (word, &bits) in bits.iter().enumerate() {
        let mut bits = bits;
        while bits != 0 {
            visit(word * 64 + bits.trailing_zeros() as usize);
            bits &= bits - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_follows_is_there_and_cycles_are_refused() {
        let mut order = Closure::default();
        order.start(130);
        assert!(order.add(0, 1) && order.add(128, 129) && order.add(1, 128));
        assert!(order.is_before(0, 129) && !order.is_before(129, 0));
        assert_eq!(order.before(129), [3, 0, 1]);
        assert_eq!(order.after(1), [0, 0, 3]);
        assert!(!order.add(129, 0) && !order.add(5, 5));
    }

    #[test]
    fn what_is_put_before_the_last_is_as_if_added() {
        let mut order = Closure::default();
        order.start(70);
        assert!(order.add(0, 66) && order.add(1, 2));
        for a in [2, 66, 0] {
            order.put_before(a, 69);
        }
        order.close(69);
        assert_eq!(order.before(69), [7, 1 << 2]);
        assert!([0, 1, 2, 66].into_iter().all(|a| order.is_before(a, 69)));
        assert!(!order.is_before(3, 69) && !order.add(69, 1));
    }
}
