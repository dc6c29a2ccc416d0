//! Memory objects as they become visible to other threads.

use crate::{Address, Place};
use serde::{Deserialize, Serialize};

/// What kind of storage an object has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ObjectKind {
    /// A global or static variable.
    Global,
    /// A thread-local variable.
    ThreadLocal,
    /// A local variable (an alloca).
    Stack,
    /// Memory from the allocator of C.
    Heap,
    /// Memory from `new`.
    New,
    /// Memory from `new[]`.
    NewArray,
}

impl ObjectKind {
    /// Whether it lives until somebody ends it.
    pub fn is_heap(self) -> bool {
        matches!(self, ObjectKind::Heap | ObjectKind::New | ObjectKind::NewArray)
    }
}

/// An object at the moment it is published: its place, its size and its content so far.
///
/// The content counts as written at the publishing event: a thread that reaches the object without
/// that event happening before it races with the initialisation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// First byte.
    pub start: Address,
    /// Size in bytes.
    pub size: u64,
    /// What kind of storage it is.
    pub kind: ObjectKind,
    /// May not be written (a string literal, a `const` global).
    pub read_only: bool,
    /// The bytes. May be shorter than `size`: what follows is zero.
    pub bytes: Vec<u8>,
    /// One bit a byte (bit `i % 8` of `undefined[i / 8]`), set where the byte was never written.
    /// May be shorter than needed: what follows is defined.
    pub undefined: Vec<u8>,
    /// Where it was allocated or declared.
    pub place: Place,
}

impl Image {
    /// The `size` bytes at `address` as a little-endian number, and which of them were never written (bit
    /// `i` for byte `i`). The range must lie within the object.
    pub fn read(&self, address: Address, size: u8) -> (u128, u16) {
        let offset = (address.0 - self.start.0) as usize;
        let (mut value, mut undefined) = (0u128, 0);
        for i in (0..usize::from(size)).rev() {
            value = value << 8 | u128::from(self.bytes.get(offset + i).copied().unwrap_or(0));
            undefined |= u16::from(self.is_undefined(offset + i)) << i;
        }
        (value, undefined)
    }

    fn is_undefined(&self, byte: usize) -> bool {
        self.undefined.get(byte / 8).is_some_and(|bits| bits >> (byte % 8) & 1 == 1)
    }
}
