//! An execution as a model sees it: numbered events, the sets that they are in, the relations between them.

use crate::matrix::{Size, add};
use crate::program::{BaseRel, BaseSet};

/// Whoever keeps the events of an execution.
pub(crate) trait Sink {
    /// Starts over with `n` events that are in no set and not related, except that each is itself.
    fn start(&mut self, n: usize);
    /// Puts an event into a set.
    fn put(&mut self, set: BaseSet, i: usize);
    /// Relates two events.
    fn relate(&mut self, rel: BaseRel, i: usize, j: usize);
    /// All is told but `ext`, which is what is not of one thread.
    fn complete(&mut self);
}

/// An execution.
#[derive(Clone, Debug, Default)]
pub(crate) struct Events {
    pub size: Size,
    sets: [Vec<u64>; BaseSet::ALL.len()],
    rels: [Vec<u64>; BaseRel::ALL.len()],
    /// For each event the operation of a library that it is an access of, or zero.
    pub operations: Vec<u8>,
}

impl Sink for Events {
    fn start(&mut self, n: usize) {
        self.size = Size::of(n);
        let (words, cells) = (self.size.words, self.size.cells());
        for set in &mut self.sets {
            set.clear();
            set.resize(words, 0);
        }
        for rel in &mut self.rels {
            rel.clear();
            rel.resize(cells, 0);
        }
        self.operations.clear();
        self.operations.resize(n, 0);
        let all = self.size.all();
        self.sets[BaseSet::Everything as usize].copy_from_slice(&all);
        for i in 0..n {
            self.relate(BaseRel::Id, i, i);
        }
    }

    #[inline]
    fn put(&mut self, set: BaseSet, i: usize) {
        add(&mut self.sets[set as usize], i);
    }

    #[inline]
    fn relate(&mut self, rel: BaseRel, i: usize, j: usize) {
        let words = self.size.words;
        add(&mut self.rels[rel as usize][i * words..(i + 1) * words], j);
    }

    fn complete(&mut self) {
        let all = self.size.all();
        let (int, ext) = (BaseRel::Int as usize, BaseRel::Ext as usize);
        let (int, ext) = match self.rels.get_disjoint_mut([int, ext]) {
            Ok([int, ext]) => (int, ext),
            Err(_) => unreachable!("two relations"),
        };
        let words = self.size.words;
        for (row, same) in ext.chunks_exact_mut(words).zip(int.chunks_exact(words)) {
            for ((cell, &same), &all) in row.iter_mut().zip(same).zip(&all) {
                *cell = all & !same;
            }
        }
    }
}

impl Events {
    /// Relates an event to those of a range.
    pub(crate) fn relate_range(&mut self, rel: BaseRel, i: usize, range: std::ops::Range<usize>) {
        let words = self.size.words;
        let row = &mut self.rels[rel as usize][i * words..(i + 1) * words];
        if words == 1 && !range.is_empty() {
            let below = |end: usize| if end >= 64 { u64::MAX } else { (1 << end) - 1 };
            row[0] |= below(range.end) & !below(range.start);
        } else {
            range.for_each(|j| add(row, j));
        }
    }

    /// The row of an event.
    pub(crate) fn row_mut(&mut self, rel: BaseRel, i: usize) -> &mut [u64] {
        let words = self.size.words;
        &mut self.rels[rel as usize][i * words..(i + 1) * words]
    }

    pub(crate) fn set(&self, set: BaseSet) -> &[u64] {
        &self.sets[set as usize]
    }

    pub(crate) fn rel(&self, rel: BaseRel) -> &[u64] {
        &self.rels[rel as usize]
    }
}
