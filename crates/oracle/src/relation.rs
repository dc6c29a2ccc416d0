//! Relations between at most 64 events, as bit matrices.

use smallvec::{SmallVec, smallvec};

/// A set of events.
pub type Set = u64;

/// A relation: row `a` has bit `b` iff `a` is related to `b`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    rows: SmallVec<[u64; 28]>,
}

/// The members of a set, in order.
pub fn members(mut set: Set) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(first)
    })
}

/// The set of all events.
pub fn all(size: usize) -> Set {
    if size == 64 { u64::MAX } else { (1 << size) - 1 }
}

impl Relation {
    /// The empty relation over `size` events.
    pub fn empty(size: usize) -> Relation {
        assert!(size <= 64, "the oracle handles at most 64 events, not {size}");
        Relation { rows: smallvec![0; size] }
    }

    /// `[set]`
    pub fn identity(size: usize, set: Set) -> Relation {
        let mut result = Relation::empty(size);
        members(set).for_each(|a| result.add(a, a));
        result
    }

    /// `from * to`
    pub fn product(size: usize, from: Set, to: Set) -> Relation {
        let mut result = Relation::empty(size);
        members(from).for_each(|a| result.rows[a] = to);
        result
    }

    /// Relates `a` to `b`.
    pub fn add(&mut self, a: usize, b: usize) {
        self.rows[a] |= 1 << b;
    }

    /// Whether `a` is related to `b`.
    pub fn has(&self, a: usize, b: usize) -> bool {
        self.rows[a] >> b & 1 == 1
    }

    fn zip(&self, other: &Relation, f: impl Fn(u64, u64) -> u64) -> Relation {
        Relation { rows: self.rows.iter().zip(&other.rows).map(|(&a, &b)| f(a, b)).collect() }
    }

    /// `self | other`
    pub fn or(&self, other: &Relation) -> Relation {
        self.zip(other, |a, b| a | b)
    }

    /// `self & other`
    pub fn and(&self, other: &Relation) -> Relation {
        self.zip(other, |a, b| a & b)
    }

    /// `self \ other`
    pub fn minus(&self, other: &Relation) -> Relation {
        self.zip(other, |a, b| a & !b)
    }

    /// `[set]; self`
    pub fn from(&self, set: Set) -> Relation {
        let keep = |(a, &row): (usize, &u64)| if set >> a & 1 == 1 { row } else { 0 };
        Relation { rows: self.rows.iter().enumerate().map(keep).collect() }
    }

    /// `self; [set]`
    pub fn to(&self, set: Set) -> Relation {
        Relation { rows: self.rows.iter().map(|&row| row & set).collect() }
    }

    /// `self; other`
    pub fn then(&self, other: &Relation) -> Relation {
        let image = |&row: &u64| members(row).fold(0, |image, b| image | other.rows[b]);
        Relation { rows: self.rows.iter().map(image).collect() }
    }

    /// `self^-1`
    pub fn inverse(&self) -> Relation {
        let mut result = Relation::empty(self.rows.len());
        for (a, &row) in self.rows.iter().enumerate() {
            members(row).for_each(|b| result.add(b, a));
        }
        result
    }

    /// `self?`
    pub fn or_identity(&self) -> Relation {
        let mut result = self.clone();
        (0..self.rows.len()).for_each(|a| result.add(a, a));
        result
    }

    /// `self+`
    pub fn closure(&self) -> Relation {
        let mut result = self.clone();
        for via in 0..result.rows.len() {
            let reached = result.rows[via];
            for row in &mut result.rows {
                if *row >> via & 1 == 1 {
                    *row |= reached;
                }
            }
        }
        result
    }

    /// No pairs.
    pub fn is_empty(&self) -> bool {
        self.rows.iter().all(|&row| row == 0)
    }

    /// No event is related to itself.
    pub fn is_irreflexive(&self) -> bool {
        self.rows.iter().enumerate().all(|(a, &row)| row >> a & 1 == 0)
    }

    /// `self+` is irreflexive.
    pub fn is_acyclic(&self) -> bool {
        self.closure().is_irreflexive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relation(size: usize, pairs: &[(usize, usize)]) -> Relation {
        let mut result = Relation::empty(size);
        pairs.iter().for_each(|&(a, b)| result.add(a, b));
        result
    }

    #[test]
    fn algebra() {
        let r = relation(4, &[(0, 1), (1, 2)]);
        assert_eq!(r.then(&r), relation(4, &[(0, 2)]));
        assert_eq!(r.closure(), relation(4, &[(0, 1), (1, 2), (0, 2)]));
        assert_eq!(r.inverse(), relation(4, &[(1, 0), (2, 1)]));
        assert_eq!(r.from(1), relation(4, &[(0, 1)]));
        assert_eq!(r.to(1 << 2), relation(4, &[(1, 2)]));
        assert_eq!(r.minus(&r.from(1)), r.from(2));
        assert_eq!(r.or_identity().and(&Relation::identity(4, 15)), Relation::identity(4, 15));
        assert_eq!(Relation::product(4, 1, 6), relation(4, &[(0, 1), (0, 2)]));
        assert!(r.is_acyclic() && !r.or(&relation(4, &[(2, 0)])).is_acyclic());
        assert!(Relation::empty(4).is_empty() && !r.is_empty());
        assert!(r.is_irreflexive() && !r.or_identity().is_irreflexive());
    }
}
