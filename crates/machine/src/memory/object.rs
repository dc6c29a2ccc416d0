//! Objects and sorted lists of them.

use super::content::Content;
use norn_action::{Address, Image, Inside, Near, ObjectKind, Place};
use std::sync::Arc;

/// A memory object that its thread still knows about.
#[derive(Clone, Debug)]
pub struct Object {
    /// First byte.
    pub start: u64,
    /// Size in bytes.
    pub size: u64,
    /// Kind of storage.
    pub kind: ObjectKind,
    /// Where it was allocated.
    pub place: Place,
    /// Its bytes while it is private; `None` once it was published.
    pub content: Option<Content>,
}

impl Object {
    /// The object as what an access beside it misses.
    pub fn near(&self) -> Near {
        let Object { kind, place, start, size, .. } = *self;
        Near { kind, place, start: Address(start), size }
    }

    /// The bytes of the object from `offset` on.
    pub fn inside(&self, offset: u64) -> Inside {
        let Object { kind, place, start, .. } = *self;
        Inside { kind, place, start: Address(start), offset }
    }

    /// Takes the content away and gives it as an image.
    pub fn publish(&mut self) -> Option<(Image, Content)> {
        let content = self.content.take()?;
        let (bytes, undefined) = content.image();
        let image = Image {
            start: Address(self.start),
            size: self.size,
            kind: self.kind,
            read_only: false,
            bytes,
            undefined,
            place: self.place,
        };
        Some((image, content))
    }
}

/// Objects by ascending address, in chunks that clones share until one changes.
#[derive(Debug, Default)]
pub struct ObjectList {
    chunks: Vec<Arc<Vec<Object>>>,
}

/// The position of an object in a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    chunk: u32,
    index: u32,
}

const CHUNK: usize = 16;

impl Clone for ObjectList {
    fn clone(&self) -> ObjectList {
        ObjectList { chunks: self.chunks.clone() }
    }

    #[inline(always)]
    fn clone_from(&mut self, source: &ObjectList) {
        for (own, other) in self.chunks.iter_mut().zip(&source.chunks) {
            if !Arc::ptr_eq(own, other) {
                *own = Arc::clone(other);
            }
        }
        let length = self.chunks.len();
        if length != source.chunks.len() {
            self.chunks.truncate(source.chunks.len());
            self.chunks.extend_from_slice(source.chunks.get(length..).unwrap_or(&[]));
        }
    }
}

impl ObjectList {
    /// Appends an object whose address is above all others.
    pub fn push(&mut self, object: Object) {
        debug_assert!(self.last().is_none_or(|last| last.start + last.size <= object.start));
        match self.chunks.last_mut() {
            Some(chunk) if chunk.len() < CHUNK => Arc::make_mut(chunk).push(object),
            _ => self.chunks.push(Arc::new(vec![object])),
        }
    }

    /// The object with the greatest start not above `address`; `hint` is where the last one was.
    #[inline]
    pub fn find(&self, address: u64, hint: &mut Position) -> Option<Position> {
        if let Some(object) = self.try_get(*hint)
            && object.start <= address
            && address < object.start + object.size
        {
            return Some(*hint);
        }
        let position = self.search(address)?;
        *hint = position;
        Some(position)
    }

    fn search(&self, address: u64) -> Option<Position> {
        let chunk =
            self.chunks.partition_point(|chunk| chunk[0].start <= address).checked_sub(1)?;
        let index = self.chunks[chunk].partition_point(|object| object.start <= address) - 1;
        Some(Position { chunk: chunk as u32, index: index as u32 })
    }

    #[inline]
    fn try_get(&self, position: Position) -> Option<&Object> {
        self.chunks.get(position.chunk as usize)?.get(position.index as usize)
    }

    /// The object at a position.
    #[inline]
    pub fn get(&self, position: Position) -> &Object {
        &self.chunks[position.chunk as usize][position.index as usize]
    }

    /// The object at a position, to be changed.
    #[inline]
    pub fn get_mut(&mut self, position: Position) -> &mut Object {
        &mut Arc::make_mut(&mut self.chunks[position.chunk as usize])[position.index as usize]
    }

    /// The object with the least start above `address`.
    pub fn first_above(&self, address: u64) -> Option<&Object> {
        self.chunks.iter().flat_map(|chunk| chunk.iter()).find(|object| object.start > address)
    }

    /// The object with the highest address.
    pub fn last(&self) -> Option<&Object> {
        self.chunks.last()?.last()
    }

    /// Removes the object with the highest address.
    pub fn pop(&mut self) -> Option<Object> {
        let chunk = Arc::make_mut(self.chunks.last_mut()?);
        let object = chunk.pop();
        if chunk.is_empty() {
            self.chunks.pop();
        }
        object
    }

    /// Removes an object.
    pub fn remove(&mut self, position: Position) -> Object {
        let chunk = Arc::make_mut(&mut self.chunks[position.chunk as usize]);
        let object = chunk.remove(position.index as usize);
        if chunk.is_empty() {
            self.chunks.remove(position.chunk as usize);
        }
        object
    }

    /// The chunks, each of which other lists may share.
    pub fn chunks_mut(&mut self) -> &mut [Arc<Vec<Object>>] {
        &mut self.chunks
    }

    /// All positions by ascending address.
    pub fn positions(&self) -> impl Iterator<Item = Position> + use<> {
        let lengths: Vec<_> = self.chunks.iter().map(|chunk| chunk.len() as u32).collect();
        lengths.into_iter().enumerate().flat_map(|(chunk, length)| {
            (0..length).map(move |index| Position { chunk: chunk as u32, index })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(start: u64) -> Object {
        let (kind, place) = (ObjectKind::Heap, Place::NONE);
        Object { start, size: 8, kind, place, content: Some(Content::zero(8)) }
    }

    #[test]
    fn objects_are_found_by_address_after_removals() {
        let mut list = ObjectList::default();
        for i in 0..100 {
            list.push(object(i * 32));
        }
        let mut hint = Position::default();
        let position = list.find(50 * 32 + 3, &mut hint).expect("object 50");
        assert_eq!(list.remove(position).start, 50 * 32);
        let before = list.find(50 * 32 + 3, &mut hint).expect("object 49");
        assert_eq!(list.get(before).start, 49 * 32);
        for _ in 0..99 {
            assert!(list.pop().is_some());
        }
        assert!(list.pop().is_none());
        assert_eq!(list.find(0, &mut hint), None);
    }

    #[test]
    fn clones_are_independent() {
        let mut list = ObjectList::default();
        list.push(object(32));
        let copy = list.clone();
        let position = list.find(32, &mut Position::default()).expect("the object");
        assert!(list.get_mut(position).publish().is_some());
        assert!(copy.get(position).content.is_some());
    }
}
