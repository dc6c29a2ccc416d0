//! Copies of threads that share nothing with those they were copied from.
//!
//! Clones of a thread share what neither has changed, and count who does. When another worker goes on
//! with a clone, both would write to these counters all the time, and read what lies beside them. So the
//! parts are copied once; threads that shared a part before share its copy afterwards.

use crate::memory::{Content, Object, Page};
use crate::thread::{Rest, Thread};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The copies that were made.
#[derive(Default)]
pub(crate) struct Copies {
    rests: Parts<Rest>,
    chunks: Parts<Vec<Object>>,
    pages: Parts<Page>,
}

/// Parts by their address, with their copy. Each part is kept as long as its address counts.
type Parts<T> = FxHashMap<usize, (Arc<T>, Arc<T>)>;

/// Puts the copy of a part in its place. A new copy is given to `inside`, for the parts that it has.
fn replace<T: Clone>(part: &mut Arc<T>, parts: &mut Parts<T>, inside: impl FnOnce(&mut T)) {
    let address = Arc::as_ptr(part) as usize;
    if let Some((_, copy)) = parts.get(&address) {
        *part = Arc::clone(copy);
        return;
    }
    let mut copy = T::clone(part);
    inside(&mut copy);
    let copy = Arc::new(copy);
    let original = std::mem::replace(part, Arc::clone(&copy));
    parts.insert(address, (original, copy));
}

impl Copies {
    /// Makes a thread share nothing but copies.
    pub(crate) fn separate(&mut self, thread: &mut Thread) {
        replace(&mut thread.rest, &mut self.rests, |_| {});
        let memory = &mut thread.memory;
        for list in [&mut memory.globals, &mut memory.heap, &mut memory.stack] {
            for chunk in list.chunks_mut() {
                let pages = &mut self.pages;
                replace(chunk, &mut self.chunks, |objects| {
                    let contents = objects.iter_mut().filter_map(|object| object.content.as_mut());
                    contents
                        .flat_map(Content::pages_mut)
                        .for_each(|page| replace(page, pages, |_| {}));
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Memory;
    use crate::runtime::no_thread;
    use norn_action::{ObjectKind, Place, ThreadId};

    /// A thread with an object of two pages that hold data, and one that does not.
    fn thread() -> (Thread, u64) {
        let memory = Memory::new(1, crate::memory::ObjectList::default(), true);
        let mut thread = Thread::new(ThreadId(1), memory, no_thread, &[]);
        let content = Content::from_bytes(2100, &[3; 1500]);
        let memory = &mut thread.memory;
        let start = memory.allocate(2100, 16, ObjectKind::Heap, content, Place::NONE);
        (thread, start.expect("there is room"))
    }

    fn byte(thread: &mut Thread, address: u64) -> Option<u8> {
        let (_, position) = thread.memory.find_own(address)?;
        let object = thread.memory.heap.get(position);
        object.content.as_ref()?.byte((address - object.start) as usize)
    }

    /// How many threads have each part.
    fn counts(thread: &mut Thread) -> Vec<usize> {
        let mut counts = vec![Arc::strong_count(&thread.rest)];
        for chunk in thread.memory.heap.chunks_mut() {
            counts.push(Arc::strong_count(chunk));
            let objects = Arc::make_mut(chunk).iter_mut();
            let contents = objects.filter_map(|object| object.content.as_mut());
            counts
                .extend(contents.flat_map(Content::pages_mut).map(|page| Arc::strong_count(page)));
        }
        counts
    }

    #[test]
    fn copies_share_with_each_other_only() {
        let (mut first, address) = thread();
        let (mut second, mut third) = (first.clone(), first.clone());
        let mut copies = Copies::default();
        copies.separate(&mut second);
        copies.separate(&mut third);
        drop(copies);
        assert!(Arc::ptr_eq(&second.rest, &third.rest), "what was shared is");
        assert_eq!(byte(&mut second, address + 1400), Some(3));
        assert_eq!(byte(&mut third, address + 2000), Some(0));
        drop(third);
        assert_eq!(counts(&mut second), [1, 1, 1, 1], "a rest, a chunk, two pages");
        assert_eq!(counts(&mut first), [1, 1, 1, 1]);
    }
}
