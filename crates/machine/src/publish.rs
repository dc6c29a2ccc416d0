//! When private memory becomes visible.
//!
//! An object is private until its address may have reached another thread. Addresses travel in
//! values: whatever is written to visible memory, handed to a new thread or returned at the end of
//! one is searched for them, and so is, transitively, the content of what is published for that
//! reason. The search over-approximates: any number that equals an address within `[start, end]`
//! of an own object counts, with up to four tag bits at the low end or sixteen at the high end
//! ignored.
//!
//! **Limit.** A pointer that is disguised further (xored with another one, written byte by byte,
//! compressed to 32 bits) is not recognised; the object then stays private and accesses by other
//! threads are reported as accesses to no object. That is loud, not silent: such an access is a
//! fault of the run, never a missed one.
//!
//! Constants are never published: they cannot change, so each thread reads them directly.

use crate::Vm;
use crate::memory::{Content, List, Memory, Position};
use crate::thread::{Stop, Thread};
use norn_action::{Action, Image, Place};

/// Collects the images of what becomes visible at once.
struct Publisher<'a> {
    memory: &'a mut Memory,
    images: Vec<Image>,
    pending: Vec<Content>,
}

impl Publisher<'_> {
    /// Publishes the own private objects whose address `value` may hold.
    fn value(&mut self, value: u64) {
        let untagged = value & 0xffff_ffff_ffff;
        for candidate in [value, value & !0xf, untagged, untagged & !0xf] {
            if self.memory.owns(candidate)
                && let Some((list, position)) = self.memory.find_own(candidate)
            {
                self.object_at(list, position, candidate);
            }
        }
    }

    fn object_at(&mut self, list: List, position: Position, candidate: u64) {
        let object = self.memory.list_mut(list).get(position);
        if candidate - object.start <= object.size {
            self.take(list, position);
        }
    }

    fn take(&mut self, list: List, position: Position) {
        let objects = self.memory.list_mut(list);
        if objects.get(position).content.is_none() {
            return;
        }
        if let Some((image, content)) = objects.get_mut(position).publish() {
            self.images.push(image);
            self.pending.push(content);
        }
    }

    /// Publishes what the content of published objects points to.
    fn closure(&mut self) {
        while let Some(content) = self.pending.pop() {
            let mut words = Vec::new();
            content.for_each_word(|word| words.push(word));
            for word in words {
                self.value(word);
            }
        }
    }

    fn all_of(&mut self, list: List) {
        let positions: Vec<_> = self.memory.list_mut(list).positions().collect();
        for position in positions {
            self.take(list, position);
        }
    }
}

impl Thread {
    /// Before a value goes to where other threads can see it: what must be published first.
    #[inline]
    pub(crate) fn before_escape(&mut self, value: u128) -> Result<(), Stop> {
        let (low, high) = (value as u64, (value >> 64) as u64);
        // Most values are small numbers, which are no addresses of any thread.
        if low >> 36 == 0 && high >> 36 == 0 {
            return Ok(());
        }
        self.publish(|publisher| {
            publisher.value(low);
            publisher.value(high);
        })
    }

    /// Publishes the own objects that a range of words may point to.
    pub(crate) fn before_escape_of_words(&mut self, words: &[u64]) -> Result<(), Stop> {
        self.publish(|publisher| words.iter().for_each(|&word| publisher.value(word)))
    }

    /// Publishes one private object, and what it points to.
    pub(crate) fn publish_object(&mut self, list: List, position: Position) -> Result<(), Stop> {
        self.publish(|publisher| publisher.take(list, position))
    }

    /// The main thread is about to start its first thread: all globals become visible, and what
    /// they point to.
    pub(crate) fn share_globals(&mut self, vm: &Vm) -> Result<(), Stop> {
        self.memory.shared = true;
        let result = self.publish(|publisher| {
            publisher.all_of(List::Globals);
            if !vm.config.privatise {
                publisher.all_of(List::Heap);
                publisher.all_of(List::Stack);
            }
        });
        self.memory.globals = Default::default();
        result
    }

    fn publish(&mut self, what: impl FnOnce(&mut Publisher)) -> Result<(), Stop> {
        if !self.memory.shared {
            return Ok(());
        }
        let mut publisher =
            Publisher { memory: &mut self.memory, images: Vec::new(), pending: Vec::new() };
        what(&mut publisher);
        publisher.closure();
        if publisher.images.is_empty() {
            return Ok(());
        }
        let mut images = publisher.images;
        images.sort_by_key(|image| image.start);
        let place: Place = self.place();
        Err(self.before(Action::Publish(images.into(), place)))
    }
}
