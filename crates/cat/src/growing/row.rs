//! Rows of bits of a fixed width.

use std::ops::{BitAnd, BitOr, BitOrAssign, Not};

/// A set of numbers below `64 * W`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Row<const W: usize>([u64; W]);

impl<const W: usize> Row<W> {
    pub(crate) const EMPTY: Row<W> = Row([0; W]);

    #[inline]
    pub(crate) fn one(i: usize) -> Row<W> {
        let mut row = Row::EMPTY;
        row.add(i);
        row
    }

    /// All numbers below `end`.
    #[inline]
    pub(crate) fn below(end: usize) -> Row<W> {
        Row(std::array::from_fn(|index| match end.saturating_sub(index * 64) {
            0 => 0,
            left if left >= 64 => u64::MAX,
            left => (1 << left) - 1,
        }))
    }

    #[inline]
    pub(crate) fn has(&self, i: usize) -> bool {
        self.0[i / 64] >> (i % 64) & 1 != 0
    }

    #[inline]
    pub(crate) fn add(&mut self, i: usize) {
        self.0[i / 64] |= 1 << (i % 64);
    }

    #[inline]
    pub(crate) fn remove(&mut self, i: usize) {
        self.0[i / 64] &= !(1 << (i % 64));
    }

    #[inline]
    pub(crate) fn without(mut self, i: usize) -> Row<W> {
        self.remove(i);
        self
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    #[inline]
    pub(crate) fn meets(self, other: Row<W>) -> bool {
        !(self & other).is_empty()
    }

    /// Its greatest member.
    #[inline]
    pub(crate) fn last(&self) -> Option<usize> {
        (0..W)
            .rev()
            .find(|&word| self.0[word] != 0)
            .map(|word| word * 64 + 63 - self.0[word].leading_zeros() as usize)
    }

    /// Its members, least first.
    #[inline]
    pub(crate) fn members(self) -> Members<W> {
        Members { row: self, word: 0 }
    }
}

impl<const W: usize> BitOr for Row<W> {
    type Output = Row<W>;

    #[inline]
    fn bitor(mut self, other: Row<W>) -> Row<W> {
        self |= other;
        self
    }
}

impl<const W: usize> BitOrAssign for Row<W> {
    #[inline]
    fn bitor_assign(&mut self, other: Row<W>) {
        self.0.iter_mut().zip(other.0).for_each(|(word, more)| *word |= more);
    }
}

impl<const W: usize> BitAnd for Row<W> {
    type Output = Row<W>;

    #[inline]
    fn bitand(mut self, other: Row<W>) -> Row<W> {
        self.0.iter_mut().zip(other.0).for_each(|(word, only)| *word &= only);
        self
    }
}

impl<const W: usize> Not for Row<W> {
    type Output = Row<W>;

    #[inline]
    fn not(mut self) -> Row<W> {
        self.0.iter_mut().for_each(|word| *word = !*word);
        self
    }
}

/// See [`Row::members`].
pub(crate) struct Members<const W: usize> {
    row: Row<W>,
    word: usize,
}

impl<const W: usize> Iterator for Members<W> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        while self.word < W {
            let word = &mut self.row.0[self.word];
            if *word != 0 {
                let bit = word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Some(self.word * 64 + bit);
            }
            self.word += 1;
        }
        None
    }
}
