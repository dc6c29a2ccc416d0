//! What records add up to: see the head of the crate for why it does not matter in which order they come.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What is added up.
pub trait Sum {
    /// Where a bundle or something that was found stands in the search.
    type Place: Ord + Clone;

    /// Adds what another bundle came to. The order must not matter.
    fn add(&mut self, other: Self);

    /// Behind this, nothing is wanted any more.
    fn limit(&self) -> Option<Self::Place>;
}

/// What came of a bundle.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Record<S, P, B> {
    /// Who worked on it.
    pub worker: String,
    /// What was counted and found.
    pub sum: S,
    /// What is left of it.
    pub left: Vec<Left<P, B>>,
}

/// A bundle that is left of another one.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Left<P, B> {
    /// Its id.
    pub id: String,
    /// Where it begins.
    pub place: P,
    /// The bundle.
    pub bundle: B,
}

/// The search so far.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Fold<S, P, B> {
    /// What was counted and found.
    pub sum: S,
    open: BTreeMap<String, Left<P, B>>,
    /// How many records were taken.
    pub records: u64,
}

impl<P: Ord + Clone, S: Sum<Place = P>, B: Clone> Fold<S, P, B> {
    /// A search that has not begun.
    pub fn new(sum: S, whole: Left<P, B>) -> Self {
        Fold { sum, open: BTreeMap::from([(whole.id.clone(), whole)]), records: 0 }
    }

    /// Whether there is nothing left to do.
    pub fn is_over(&self) -> bool {
        self.open.is_empty()
    }

    /// Whether a record for the bundle would be taken.
    pub fn is_open(&self, id: &str) -> bool {
        self.open.contains_key(id)
    }

    /// The open bundles, by their ids.
    pub fn open(&self) -> impl Iterator<Item = &Left<P, B>> {
        self.open.values()
    }

    /// Takes the record of a bundle, if that is open; says which bundles are open now and which are no longer, apart
    /// from the one of the record.
    pub fn take(&mut self, id: &str, record: Record<S, P, B>) -> Option<Change<P, B>> {
        self.open.remove(id)?;
        self.records += 1;
        self.sum.add(record.sum);
        let limit = self.sum.limit();
        let is_wanted = |place: &P| limit.as_ref().is_none_or(|limit| place <= limit);
        let opened: Vec<_> =
            record.left.into_iter().filter(|left| is_wanted(&left.place)).collect();
        let mut closed = Vec::new();
        self.open.retain(|id, left| {
            let keeps = is_wanted(&left.place);
            if !keeps {
                closed.push(id.clone());
            }
            keeps
        });
        self.open.extend(opened.iter().map(|left| (left.id.clone(), left.clone())));
        Some(Change { opened, closed })
    }
}

/// What a record has changed.
#[derive(Clone, Debug)]
pub struct Change<P, B> {
    /// These are open now.
    pub opened: Vec<Left<P, B>>,
    /// These are not wanted any more.
    pub closed: Vec<String>,
}
