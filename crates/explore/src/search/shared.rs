//! What a node of a search tree keeps, and may have to keep together with others: as long as one worker is
//! below the node it is that worker's own; from when a part of the tree is handed over on, it lies behind a
//! lock, and all who come back to the node see what the others did.

use crate::execution::Mismatch;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard};

/// A node below which so many leaves were visited is likely to have as many in its next branch.
const LARGE: u64 = 64;

/// Something that is one worker's own until it is shared.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shared<T> {
    own: T,
    /// Set when others have it too; `own` is as new then.
    common: Option<Arc<Mutex<T>>>,
}

impl<T: Clone + Default> Shared<T> {
    /// Does something with it.
    #[inline]
    pub(crate) fn with<R>(&mut self, act: impl FnOnce(&mut T) -> R) -> R {
        match &self.common {
            None => act(&mut self.own),
            Some(common) => act(&mut lock(common)),
        }
    }

    /// It, where nobody else can have it yet.
    #[inline]
    pub(crate) fn own(&mut self) -> &mut T {
        debug_assert!(self.common.is_none(), "others have it too");
        &mut self.own
    }

    /// Leaves what was shared to the others, and returns one's own.
    #[inline]
    pub(crate) fn leave(&mut self) -> &mut T {
        self.common = None;
        &mut self.own
    }

    /// Shares it from now on.
    pub(crate) fn share(&mut self) {
        let Shared { own, common } = self;
        common.get_or_insert_with(|| Arc::new(Mutex::new(std::mem::take(own))));
    }

    /// A copy of what is shared, and a number that tells it from all else that is.
    pub(crate) fn saved(&self) -> (u64, T) {
        let common = self.common.as_ref().expect("only what is shared is saved");
        (Arc::as_ptr(common) as usize as u64, lock(common).clone())
    }
}

fn lock<T>(common: &Mutex<T>) -> MutexGuard<'_, T> {
    common.lock().expect("nobody panics with the lock")
}

/// What was saved as shared, by its number, each at its place: it is shared again by all who load it.
#[derive(Debug)]
pub(crate) struct Loaded<P, T>(FxHashMap<u64, (P, Arc<Mutex<T>>)>);

impl<P, T> Default for Loaded<P, T> {
    fn default() -> Loaded<P, T> {
        Loaded(FxHashMap::default())
    }
}

impl<P: PartialEq, T: Default + PartialEq> Loaded<P, T> {
    /// What has that number: `value`, if it is the first with it, and otherwise one that is the same.
    pub(crate) fn get(&mut self, key: u64, place: P, value: T) -> Result<Shared<T>, Mismatch> {
        let common = match self.0.entry(key) {
            Entry::Vacant(entry) => &entry.insert((place, Arc::new(Mutex::new(value)))).1,
            Entry::Occupied(entry) => {
                let (at, common) = entry.into_mut();
                if *at != place || *lock(common) != value {
                    return Err(Mismatch { message: "two nodes of one name".to_owned() });
                }
                common
            }
        };
        Ok(Shared { own: T::default(), common: Some(Arc::clone(common)) })
    }
}

/// A node with branches that others can take.
pub(crate) trait Branching {
    /// Whether no branch is left now.
    fn is_empty(&mut self) -> bool;

    /// How many leaves the worker had visited when it got the node.
    fn opened_at(&self) -> u64;
}

/// The oldest node that is worth sharing, for a worker that has visited so many leaves. What hangs from a late
/// node is seldom worth the trouble, unless its first branches were.
pub(crate) fn worth_sharing(nodes: &mut [impl Branching], leaves: u64) -> Option<usize> {
    let early = nodes.len().div_ceil(2);
    let is_large = |index, opened_at| index < early || leaves - opened_at >= LARGE;
    let mut nodes = nodes.iter_mut().enumerate();
    nodes.find_map(|(index, node)| {
        (is_large(index, node.opened_at()) && !node.is_empty()).then_some(index)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shared_is_seen_by_all() {
        let mut first = Shared::<Vec<u8>>::default();
        first.own().push(1);
        first.share();
        let mut second = first.clone();
        second.with(|list| list.push(2));
        assert_eq!(first.with(|list| list.clone()), [1, 2]);
        first.leave().push(3);
        assert_eq!(first.with(|list| list.clone()), [3]);
        assert_eq!(second.with(|list| list.clone()), [1, 2]);
    }

    #[test]
    fn what_was_shared_is_shared_when_it_is_loaded() {
        let mut first = Shared::<Vec<u8>>::default();
        first.share();
        let (key, value) = first.saved();
        let mut loaded = Loaded::default();
        let mut get = |key, place, value: &[u8]| loaded.get(key, place, value.to_vec());
        let mut one = get(key, 'p', &value).expect("the first");
        let mut other = get(key, 'p', &value).expect("the same");
        assert!(get(key, 'q', &value).is_err(), "it is elsewhere");
        one.with(|list| list.push(1));
        assert_eq!(other.with(|list| list.clone()), [1]);
        assert!(get(key, 'p', &value).is_err(), "it is another");
        assert_eq!(get(key + 1, 'q', &[]).expect("the first").with(|list| list.len()), 0);
    }

    #[test]
    fn late_nodes_are_shared_if_they_were_large() {
        struct Plain(bool, u64);
        impl Branching for Plain {
            fn is_empty(&mut self) -> bool {
                self.0
            }
            fn opened_at(&self) -> u64 {
                self.1
            }
        }
        let nodes = |last| [Plain(true, 0), Plain(true, 0), Plain(false, last)];
        assert_eq!(worth_sharing(&mut nodes(0), LARGE), Some(2));
        assert_eq!(worth_sharing(&mut nodes(1), LARGE), None);
        assert_eq!(worth_sharing(&mut [Plain(false, 5), Plain(false, 5)], 5), Some(0));
    }
}
