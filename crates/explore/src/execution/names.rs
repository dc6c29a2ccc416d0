//! Thread names that do not depend on the schedule: (parent, index of the spawn) is given a dense id
//! when it is first seen and keeps it for the whole search.

use norn_action::ThreadId;
use rustc_hash::FxHashMap;
use std::sync::{Arc, RwLock};

/// The table of names; clones share it.
#[derive(Clone, Debug, Default)]
pub struct ThreadNames {
    table: Arc<RwLock<FxHashMap<(ThreadId, u32), ThreadId>>>,
}

impl ThreadNames {
    /// The name of the `index`-th thread that `parent` starts.
    pub fn child(&self, parent: ThreadId, index: u32) -> ThreadId {
        let key = (parent, index);
        if let Some(&id) = self.table.read().expect("no writer panics").get(&key) {
            return id;
        }
        let mut table = self.table.write().expect("no writer panics");
        let next = ThreadId(table.len() as u32 + 1);
        *table.entry(key).or_insert(next)
    }

    /// All names in the order of their ids, from the first child on: parent and index.
    pub(crate) fn list(&self) -> Vec<(u32, u32)> {
        let table = self.table.read().expect("no writer panics");
        let mut names: Vec<_> = table.iter().collect();
        names.sort_by_key(|(_, id)| **id);
        names.into_iter().map(|((parent, index), _)| (parent.0, *index)).collect()
    }

    /// Gives the names of a list the ids that they had, in a table that has none yet.
    pub(crate) fn restore(&self, names: &[(u32, u32)]) {
        for &(parent, index) in names {
            self.child(ThreadId(parent), index);
        }
    }
}
