//! The fold, over a search that is only counting: whatever happens to records, each number is counted once, and the
//! first that is wrong is found.

use norn_board::{Fold, Left, Record, Sum};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Numbers that were visited, and the first of them that is wrong.
#[derive(Clone, Debug, Default, PartialEq)]
struct Visited {
    numbers: BTreeMap<u32, u32>,
    wrong: Option<u32>,
}

impl Sum for Visited {
    type Place = u32;

    fn add(&mut self, other: Visited) {
        for (number, times) in other.numbers {
            *self.numbers.entry(number).or_default() += times;
        }
        self.wrong = self.wrong.into_iter().chain(other.wrong).min();
    }

    fn limit(&self) -> Option<u32> {
        self.wrong
    }
}

/// A bundle is a list of numbers to visit.
type Bundle = Vec<u32>;
type Search = Fold<Visited, u32, Bundle>;
type Done = Record<Visited, u32, Bundle>;

struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end.max(1)
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// Everything that survives a crash, and what has been lost or is late.
struct World {
    random: Random,
    wrong: BTreeSet<u32>,
    /// What was committed, each first.
    done: BTreeMap<String, Done>,
    /// Every bundle that a worker may have got hold of: it may have slept since.
    handed_out: Vec<Left<u32, Bundle>>,
    /// A fold that was kept; what it had folded may have been removed.
    kept: Search,
    attempts: u32,
}

impl World {
    /// A worker does some of a bundle and leaves the rest, cut in pieces by chance.
    fn attempt(&mut self, left: &Left<u32, Bundle>) -> Done {
        self.attempts += 1;
        let some = 1 + self.random.below(left.bundle.len());
        let mut sum = Visited::default();
        let mut rest = Vec::new();
        for (index, &number) in left.bundle.iter().enumerate() {
            if index < some && sum.wrong.is_none() {
                *sum.numbers.entry(number).or_default() += 1;
                sum.wrong = self.wrong.get(&number).copied();
            } else {
                rest.push(number);
            }
        }
        let mut pieces = vec![Vec::new(); 1 + self.random.below(3)];
        for number in rest {
            let piece = self.random.below(pieces.len());
            pieces[piece].push(number);
        }
        pieces.retain(|piece| !piece.is_empty());
        let attempt = self.attempts;
        let name = |(index, bundle): (usize, Bundle)| Left {
            id: format!("{attempt}-{index}"),
            place: bundle[0],
            bundle,
        };
        let left = pieces.into_iter().enumerate().map(name).collect();
        Record { worker: "somebody".to_owned(), sum, left }
    }

    /// A coordinator lives for a while. Whether the search is over.
    fn live(&mut self) -> bool {
        let mut fold = self.kept.clone();
        // The bundles whose records were taken since something was kept.
        let mut folded = Vec::new();
        loop {
            // Workers take what is open, or what they took long ago.
            for _ in 0..self.random.below(4) {
                let open: Vec<_> = fold.open().cloned().collect();
                let is_late = self.random.chance(30) && !self.handed_out.is_empty();
                let from = if is_late { &self.handed_out } else { &open };
                if from.is_empty() {
                    continue;
                }
                let left = from[self.random.below(from.len())].clone();
                self.handed_out.push(left.clone());
                let record = self.attempt(&left);
                // Some die before they commit, and the first who commits wins.
                if self.random.chance(80) {
                    self.done.entry(left.id).or_insert(record);
                }
            }
            // The coordinator sees some records, in any order, some of them again.
            let mut ids: Vec<_> = self.done.keys().cloned().collect();
            for _ in 0..self.random.below(2 * ids.len() + 1) {
                let index = self.random.below(ids.len());
                let last = ids.len() - 1;
                ids.swap(index, last);
                let id = if self.random.chance(20) {
                    ids[last].clone()
                } else {
                    ids.pop().expect("one")
                };
                let was_open = fold.is_open(&id);
                let taken = fold.take(&id, self.done[&id].clone());
                assert_eq!(taken.is_some(), was_open);
                folded.extend(was_open.then_some(id));
                if ids.is_empty() {
                    break;
                }
            }
            if fold.is_over() {
                self.kept = fold;
                return true;
            }
            if self.random.chance(20) {
                // What is kept stands for the records that it has taken.
                self.kept = fold.clone();
                // Only those may be removed, and not all are.
                let taken = std::mem::take(&mut folded);
                for id in taken {
                    if self.random.chance(50) {
                        self.done.remove(&id);
                    }
                }
            }
            if self.random.chance(20) {
                return false;
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn whatever_happens_each_part_counts_once(
        seed in any::<u64>(),
        size in 1_u32..60,
        wrong in proptest::collection::btree_set(0_u32..60, 0..4),
    ) {
        let whole = Left { id: "whole".to_owned(), place: 0, bundle: (0..size).collect::<Vec<_>>() };
        let first = wrong.iter().copied().find(|&number| number < size);
        let mut world = World {
            random: Random(seed),
            wrong,
            done: BTreeMap::new(),
            handed_out: Vec::new(),
            kept: Fold::new(Visited::default(), whole),
            attempts: 0,
        };
        let mut lives = 0;
        while !world.live() {
            lives += 1;
            prop_assert!(lives < 100_000, "the search does not come forward");
        }
        let Visited { numbers, wrong } = &world.kept.sum;
        prop_assert_eq!(*wrong, first);
        prop_assert!(numbers.values().all(|&times| times == 1), "{:?}", numbers);
        let end = first.map_or(size, |first| first + 1);
        prop_assert!((0..end).all(|number| numbers.contains_key(&number)), "{:?}", numbers);
    }
}
