//! Thread names that do not depend on the schedule: (parent, index of the spawn) is given a dense id
//! when it is first seen and keeps it for the whole search.
//!
//! Elsewhere, in another process, threads may have other ids. So whatever travels takes the spawns along
//! that its ids stand for ([`ThreadNames::list`]), and is told the ids of the place where it arrives
//! ([`Renaming`]). The *order* of the ids must be the same there: explorers take threads in that order, and
//! a search of which one part takes them in another visits some executions twice and others never. Whoever
//! takes up the names of a whole search first has it.
//!
//! Ids follow the order in which several workers meet threads, which is not the same every time where some
//! executions alone start a thread. So `trust` takes threads in the [`Order`] of their names instead: the
//! first violation that it finds is the same then.

use super::portable::Mismatch;
use norn_action::ThreadId;
use norn_graph::{EventId, EventKind, Graph};
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

    /// The names of the threads of a graph. Good for that graph alone: threads that it does not have may get
    /// an id that is taken.
    pub(crate) fn of(graph: &Graph) -> ThreadNames {
        let mut table = FxHashMap::default();
        for thread in (0..graph.thread_count() as u32).map(ThreadId) {
            let spawn = graph.spawned_by(thread);
            if spawn.is_real() {
                let before = &graph.thread_events(spawn.thread())[..spawn.position() as usize];
                let index = before.iter().filter(|event| event.kind == EventKind::Spawn).count();
                table.insert((spawn.thread(), index as u32), thread);
            }
        }
        ThreadNames { table: Arc::new(RwLock::new(table)) }
    }

    /// How many threads have a name, apart from the main one.
    pub(crate) fn count(&self) -> usize {
        self.table.read().expect("no writer panics").len()
    }

    /// All names in the order of their ids, from the first child on: parent and index.
    pub(crate) fn list(&self) -> Vec<(u32, u32)> {
        let table = self.table.read().expect("no writer panics");
        let mut names: Vec<_> = table.iter().collect();
        names.sort_by_key(|(_, id)| **id);
        names.into_iter().map(|((parent, index), _)| (parent.0, *index)).collect()
    }

    /// The ids that the names of a list have here; those that are new here get one.
    pub(crate) fn take_up(&self, names: &[(u32, u32)]) -> Renaming {
        let mut ids = vec![ThreadId::MAIN];
        for &(parent, index) in names {
            // A list that was damaged on its way names a parent that it does not have.
            let parent = ids.get(parent as usize).copied().unwrap_or(ThreadId::MAIN);
            ids.push(self.child(parent, index));
        }
        Renaming(ids)
    }
}

/// The order in which `trust` takes threads: by how deep below the main thread they were started, then by who started
/// their parents, and as its how manieth. It says the same of two threads whichever was met first, and whichever
/// others are known.
#[derive(Clone, Debug, Default)]
pub(crate) struct Order {
    /// How many threads it is known of.
    known: usize,
    /// Their order, if it is not that of their ids.
    threads: Option<Vec<ThreadId>>,
}

impl Order {
    /// The threads in their order, or none if that is the order of their ids.
    #[inline]
    pub(crate) fn threads(&self) -> Option<&[ThreadId]> {
        self.threads.as_deref()
    }

    /// There are so many threads now, some of which may be new.
    #[inline]
    pub(crate) fn learn(&mut self, names: &ThreadNames, threads: usize) {
        if threads > self.known {
            self.look_at(&names.list());
        }
    }

    #[cold]
    fn look_at(&mut self, names: &[(u32, u32)]) {
        let mut paths: Vec<Vec<u32>> = vec![Vec::new()];
        for &(parent, index) in names {
            let mut path = paths.get(parent as usize).cloned().unwrap_or_default();
            path.push(index);
            paths.push(path);
        }
        let mut threads: Vec<_> = (0..paths.len() as u32).map(ThreadId).collect();
        threads.sort_by_key(|thread| {
            let path = &paths[thread.index()];
            (path.len(), path)
        });
        self.known = paths.len();
        self.threads = (!threads.is_sorted()).then_some(threads);
    }
}

/// The ids that threads have here, by those that they had elsewhere.
#[derive(Clone, Debug)]
pub struct Renaming(Vec<ThreadId>);

impl Renaming {
    /// Says what to rename to; an error if the order of the ids is another here.
    pub(crate) fn in_order(self) -> Result<Renaming, Mismatch> {
        if self.0.is_sorted() {
            return Ok(self);
        }
        Err(Mismatch { message: "its threads have another order here".to_owned() })
    }

    fn thread(&self, thread: ThreadId) -> ThreadId {
        self.0.get(thread.index()).copied().unwrap_or(thread)
    }
}

/// What names threads by their ids, and can be told others.
pub trait Rename {
    /// Names them by the ids that they have here.
    fn rename(&mut self, to: &Renaming);
}

impl Rename for ThreadId {
    fn rename(&mut self, to: &Renaming) {
        *self = to.thread(*self);
    }
}

impl Rename for EventId {
    fn rename(&mut self, to: &Renaming) {
        if self.is_real() {
            *self = EventId::new(to.thread(self.thread()), self.position());
        }
    }
}

/// The thread and the position of an event.
impl Rename for (u32, u32) {
    fn rename(&mut self, to: &Renaming) {
        self.0 = to.thread(ThreadId(self.0)).0;
    }
}

impl Rename for () {
    fn rename(&mut self, _: &Renaming) {}
}

impl<T: Rename> Rename for Option<T> {
    fn rename(&mut self, to: &Renaming) {
        self.iter_mut().for_each(|one| one.rename(to));
    }
}

impl<T: Rename> Rename for Vec<T> {
    fn rename(&mut self, to: &Renaming) {
        self.iter_mut().for_each(|one| one.rename(to));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three threads of one family, met in any order in which parents come before their children.
    #[test]
    fn threads_are_taken_in_the_order_of_their_names() {
        let main = ThreadId::MAIN;
        let names = ThreadNames::default();
        let mut order = Order::default();
        let second = names.child(main, 1);
        order.learn(&names, 2);
        assert_eq!(order.threads(), None);
        let grandchild = names.child(second, 0);
        let first = names.child(main, 0);
        order.learn(&names, 3);
        assert_eq!(order.threads(), Some([main, first, second, grandchild].as_slice()));
        let other = names.child(first, 4);
        order.learn(&names, 5);
        let all = [main, first, second, other, grandchild];
        assert_eq!(order.threads(), Some(all.as_slice()));
    }

    #[test]
    fn another_order_is_refused() {
        let (here, there) = (ThreadNames::default(), ThreadNames::default());
        for index in 0..3 {
            here.child(ThreadId::MAIN, index);
        }
        assert!(there.take_up(&here.list()).in_order().is_ok());
        let reversed = ThreadNames::default();
        for index in (0..3).rev() {
            reversed.child(ThreadId::MAIN, index);
        }
        let refused = reversed.take_up(&here.list()).in_order().expect_err("another order");
        assert!(refused.message.contains("another order"), "{refused}");
    }

    #[test]
    fn names_that_travel_mean_the_same_spawns() {
        let (here, there) = (ThreadNames::default(), ThreadNames::default());
        let first = here.child(ThreadId::MAIN, 0);
        let grandchild = here.child(first, 3);
        let other = there.child(ThreadId::MAIN, 7);
        let renaming = there.take_up(&here.list());
        let mut event = EventId::new(grandchild, 5);
        event.rename(&renaming);
        assert_eq!(event, EventId::new(there.child(there.child(ThreadId::MAIN, 0), 3), 5));
        assert_ne!(event.thread(), other);
        let mut initial = EventId::INIT;
        initial.rename(&renaming);
        assert_eq!(initial, EventId::INIT);
    }
}
