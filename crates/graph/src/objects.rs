//! The memory objects that are visible in one graph: published images, and which of them are freed.

use crate::EventId;
use norn_action::{Address, Image, Value};
use std::sync::Arc;

/// Objects published by one event, sorted by address.
#[derive(Clone, Debug)]
struct Batch {
    images: Arc<[Image]>,
    event: EventId,
}

/// What an address resolves to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// First byte of the object.
    pub start: Address,
    /// The event that published it.
    pub published_by: EventId,
    /// Value of the cell when it was published.
    pub initial: Value,
    /// Which bytes of the cell were not written before it was published (bit `i` for byte `i`).
    pub undefined: u16,
    /// May not be written.
    pub read_only: bool,
}

/// The objects of one graph.
#[derive(Clone, Debug, Default)]
pub struct Objects {
    batches: Vec<Batch>,
    freed: Vec<(Address, EventId)>,
}

impl Objects {
    /// Adds the objects that `event` publishes and returns the batch's index.
    pub fn publish(&mut self, images: Arc<[Image]>, event: EventId) -> u32 {
        debug_assert!(images.windows(2).all(|pair| pair[0].start < pair[1].start));
        self.batches.push(Batch { images, event });
        self.batches.len() as u32 - 1
    }

    /// The objects of a batch.
    pub(crate) fn published(&self, batch: u32) -> Arc<[Image]> {
        Arc::clone(&self.batches[batch as usize].images)
    }

    /// Forgets all of them.
    pub(crate) fn clear(&mut self) {
        self.batches.clear();
        self.freed.clear();
    }

    /// Takes the last batch back.
    pub fn unpublish(&mut self) {
        self.batches.pop();
    }

    /// Marks the object at `start` as freed by `event`.
    pub fn free(&mut self, start: Address, event: EventId) {
        self.freed.push((start, event));
    }

    /// Takes the last free back.
    pub fn unfree(&mut self) {
        self.freed.pop();
    }

    /// The event that freed the object at `start`.
    #[inline]
    pub fn freed_by(&self, start: Address) -> Option<EventId> {
        self.freed.iter().find(|(object, _)| *object == start).map(|&(_, event)| event)
    }

    /// Whether any object is freed.
    #[inline]
    pub fn any_freed(&self) -> bool {
        !self.freed.is_empty()
    }

    /// The object that contains `address`, or starts right at it.
    pub fn find(&self, address: Address) -> Option<(&Image, EventId)> {
        self.batches.iter().find_map(|batch| {
            let index = batch.images.partition_point(|image| image.start <= address);
            let image = &batch.images[index.checked_sub(1)?];
            let inside = address.0 < image.start.0 + image.size.max(1);
            inside.then_some((image, batch.event))
        })
    }

    /// The object that ends at or before `address`, nearest to it: what an access past the end
    /// probably meant.
    pub fn nearest_below(&self, address: Address) -> Option<&Image> {
        self.batches
            .iter()
            .filter_map(|batch| {
                let index = batch.images.partition_point(|image| image.start <= address);
                index.checked_sub(1).map(|index| &batch.images[index])
            })
            .max_by_key(|image| image.start)
    }

    /// The object that starts behind `address`, nearest to it: what an access before the start probably
    /// meant.
    pub fn nearest_above(&self, address: Address) -> Option<&Image> {
        self.batches
            .iter()
            .filter_map(|batch| {
                let index = batch.images.partition_point(|image| image.start <= address);
                batch.images.get(index)
            })
            .min_by_key(|image| image.start)
    }

    /// Resolves an access of `size` bytes at `address`, if it lies within one object.
    pub fn resolve(&self, address: Address, size: u8) -> Option<Resolved> {
        let (image, published_by) = self.find(address)?;
        if address.0 + u64::from(size) > image.start.0 + image.size {
            return None;
        }
        let (bits, undefined) = image.read(address, size);
        Some(Resolved {
            start: image.start,
            published_by,
            initial: Value(bits),
            undefined,
            read_only: image.read_only,
        })
    }

    /// Makes this the part of `source` whose events satisfy `kept`; the index of each kept batch
    /// is passed on with its event.
    pub(crate) fn copy_restricted(
        &mut self,
        source: &Objects,
        kept: impl Fn(EventId) -> bool,
        mut renumber: impl FnMut(EventId, u32),
    ) {
        self.batches.clear();
        for batch in source.batches.iter().filter(|batch| kept(batch.event)) {
            renumber(batch.event, self.batches.len() as u32);
            self.batches.push(batch.clone());
        }
        self.freed.clear();
        self.freed.extend(source.freed.iter().filter(|(_, event)| kept(*event)));
    }

    /// All objects with the event that published them.
    pub fn iter(&self) -> impl Iterator<Item = (&Image, EventId)> {
        self.batches.iter().flat_map(|batch| batch.images.iter().map(|image| (image, batch.event)))
    }
}
