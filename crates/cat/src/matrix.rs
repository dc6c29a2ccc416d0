//! Relations over a few events as bit matrices, sets as rows of bits.
//!
//! A matrix of `n` events is `n` rows of `words` numbers; bit `j` of row `i` says that `i` and `j` are related.
//! No bit beyond `n` is ever set. Up to 64 events a row is one number, and the operations that are not bit by
//! bit have a loop of their own for that.

/// How many events there are, and how many numbers a row has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Size {
    pub n: usize,
    pub words: usize,
}

impl Size {
    pub(crate) fn of(n: usize) -> Size {
        Size { n, words: n.div_ceil(64).max(1) }
    }

    /// How many numbers a matrix has.
    pub(crate) fn cells(self) -> usize {
        self.n * self.words
    }

    /// A row of a matrix.
    pub(crate) fn row(self, matrix: &[u64], i: usize) -> &[u64] {
        &matrix[i * self.words..(i + 1) * self.words]
    }

    fn row_mut(self, matrix: &mut [u64], i: usize) -> &mut [u64] {
        &mut matrix[i * self.words..(i + 1) * self.words]
    }

    /// `a; b`
    pub(crate) fn sequence(self, out: &mut [u64], a: &[u64], b: &[u64]) {
        if self.words == 1 {
            for (row, &from) in out.iter_mut().zip(a) {
                let (mut sum, mut rest) = (0, from);
                while rest != 0 {
                    sum |= b[rest.trailing_zeros() as usize];
                    rest &= rest - 1;
                }
                *row = sum;
            }
            return;
        }
        out.fill(0);
        for i in 0..self.n {
            let row = &mut out[i * self.words..(i + 1) * self.words];
            for j in bits(self.row(a, i)) {
                for (cell, &more) in row.iter_mut().zip(self.row(b, j)) {
                    *cell |= more;
                }
            }
        }
    }

    /// `a^-1`
    pub(crate) fn inverse(self, out: &mut [u64], a: &[u64]) {
        out.fill(0);
        for i in 0..self.n {
            for j in bits(self.row(a, i)) {
                add(self.row_mut(out, j), i);
            }
        }
    }

    /// Makes `a` transitive.
    pub(crate) fn close(self, a: &mut [u64]) {
        if self.words == 1 {
            for k in 0..self.n {
                let through = a[k];
                if through == 0 {
                    continue;
                }
                for row in a.iter_mut() {
                    // All ones if `k` is in the row.
                    *row |= through & ((*row >> k) & 1).wrapping_neg();
                }
            }
            return;
        }
        let mut through = vec![0; self.words];
        for k in 0..self.n {
            through.copy_from_slice(self.row(a, k));
            for row in a.chunks_exact_mut(self.words) {
                if has(row, k) {
                    row.iter_mut().zip(&through).for_each(|(cell, &more)| *cell |= more);
                }
            }
        }
    }

    /// Whether no event is related to itself.
    pub(crate) fn is_irreflexive(self, a: &[u64]) -> bool {
        (0..self.n).all(|i| !has(self.row(a, i), i))
    }

    /// Whether `a; b` relates an event to itself.
    pub(crate) fn has_round_trip(self, a: &[u64], b: &[u64]) -> bool {
        (0..self.n).any(|i| bits(self.row(a, i)).any(|j| has(self.row(b, j), i)))
    }

    /// Whether there is no cycle: takes away events that nothing leads to. `into` and `work` are scratch.
    pub(crate) fn is_acyclic(self, a: &[u64], left: &mut Vec<u64>, ends: &mut Vec<u64>) -> bool {
        left.clear();
        left.extend_from_slice(&self.all());
        loop {
            // What something that is left leads to.
            ends.clear();
            ends.resize(self.words, 0);
            for i in bits(left) {
                ends.iter_mut().zip(self.row(a, i)).for_each(|(end, &row)| *end |= row);
            }
            let mut changed = false;
            let mut any = 0;
            for (left, &end) in left.iter_mut().zip(ends.iter()) {
                changed |= *left & !end != 0;
                *left &= end;
                any |= *left;
            }
            if any == 0 {
                return true;
            }
            if !changed {
                return false;
            }
        }
    }

    /// All events as a set.
    pub(crate) fn all(self) -> smallvec::SmallVec<[u64; 4]> {
        let word = |index: usize| match self.n.saturating_sub(index * 64) {
            0 => 0,
            left if left >= 64 => u64::MAX,
            left => (1 << left) - 1,
        };
        (0..self.words).map(word).collect()
    }
}

/// The members of a row.
pub(crate) fn bits(row: &[u64]) -> impl Iterator<Item = usize> + '_ {
    row.iter().enumerate().flat_map(|(index, &word)| Bits(word).map(move |bit| index * 64 + bit))
}

struct Bits(u64);

impl Iterator for Bits {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(bit)
    }
}

/// Whether `i` is in the row.
#[inline]
pub(crate) fn has(row: &[u64], i: usize) -> bool {
    row[i / 64] >> (i % 64) & 1 != 0
}

/// Puts `i` into the row.
#[inline]
pub(crate) fn add(row: &mut [u64], i: usize) {
    row[i / 64] |= 1 << (i % 64);
}

#[cfg(test)]
mod tests {
    use super::*;
    use norn_litmus::Random;

    /// The same over pairs, which is slow and plain.
    fn pairs(size: Size, a: &[u64]) -> Vec<(usize, usize)> {
        (0..size.n).flat_map(|i| bits(size.row(a, i)).map(move |j| (i, j))).collect()
    }

    fn random(size: Size, random: &mut Random) -> Vec<u64> {
        let mut matrix = vec![0; size.cells()];
        for _ in 0..random.below(2 * size.n) {
            let (i, j) = (random.below(size.n), random.below(size.n));
            add(size.row_mut(&mut matrix, i), j);
        }
        matrix
    }

    #[test]
    fn operations_are_those_on_pairs() {
        let mut dice = Random::new(7);
        for n in [1, 3, 9, 64, 65, 130] {
            for _ in 0..20 {
                check(Size::of(n), &mut dice);
            }
        }
    }

    fn check(size: Size, dice: &mut Random) {
        let (a, b) = (random(size, dice), random(size, dice));
        let mut out = vec![0; size.cells()];
        size.sequence(&mut out, &a, &b);
        let (of_a, of_b) = (pairs(size, &a), pairs(size, &b));
        let related = |i, k| of_a.iter().any(|&(x, y)| x == i && of_b.contains(&(y, k)));
        for (i, k) in pairs(size, &out) {
            assert!(related(i, k));
        }
        for &(i, j) in &of_a {
            of_b.iter()
                .filter(|pair| pair.0 == j)
                .for_each(|&(_, k)| assert!(has(size.row(&out, i), k)));
        }
        assert_eq!(size.has_round_trip(&a, &b), !size.is_irreflexive(&out));
        size.inverse(&mut out, &a);
        let mut back: Vec<_> = pairs(size, &out).into_iter().map(|(i, j)| (j, i)).collect();
        back.sort_unstable();
        assert_eq!(back, of_a);
        let mut closed = a.clone();
        size.close(&mut closed);
        let mut twice = vec![0; size.cells()];
        size.sequence(&mut twice, &closed, &closed);
        assert!(twice.iter().zip(&closed).all(|(more, all)| more & !all == 0), "transitive");
        let reach = |from: usize| {
            let (mut seen, mut work) = (vec![false; size.n], vec![from]);
            while let Some(i) = work.pop() {
                for &(_, j) in of_a.iter().filter(|pair| pair.0 == i) {
                    if !std::mem::replace(&mut seen[j], true) {
                        work.push(j);
                    }
                }
            }
            seen
        };
        for i in 0..size.n {
            let seen = reach(i);
            assert!((0..size.n).all(|j| seen[j] == has(size.row(&closed, i), j)));
        }
        let (mut left, mut ends) = (Vec::new(), Vec::new());
        assert_eq!(size.is_acyclic(&a, &mut left, &mut ends), size.is_irreflexive(&closed));
    }
}
