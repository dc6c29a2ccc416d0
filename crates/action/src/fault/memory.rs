//! What can be wrong with accesses to memory, and with giving it back.

use super::FaultKind;
use crate::{Address, Image, ObjectKind, Place};
use serde::{Deserialize, Serialize};

/// An access to bytes that are no part of a live object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BadAccess {
    /// Its first byte.
    pub address: Address,
    /// How many bytes.
    pub size: u64,
    /// Whether it writes, where that is known: whoever only looks an address up does not know.
    pub writes: Option<bool>,
    /// What is there instead.
    pub miss: Miss,
}

impl BadAccess {
    pub(super) fn kind(&self) -> FaultKind {
        match self.miss {
            Miss::Null => FaultKind::NullPointer,
            Miss::NoObject | Miss::Function => FaultKind::WildPointer,
            Miss::Before(_) | Miss::Past(_) | Miss::NotOneVariable => FaultKind::OutOfBounds,
            Miss::Over(end) => end.kind(),
        }
    }
}

/// What an access finds where no live object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Miss {
    /// A null pointer, perhaps with an offset.
    Null,
    /// Nothing that is near an object.
    NoObject,
    /// The code of a function.
    Function,
    /// The room before an object.
    Before(Near),
    /// The room behind an object; it may start in the object.
    Past(Near),
    /// The room between variables, or parts of more than one.
    NotOneVariable,
    /// An object whose life is over.
    Over(End),
}

/// The object that an access misses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Near {
    /// What kind of storage it has.
    pub kind: ObjectKind,
    /// Where it was allocated or declared.
    pub place: Place,
    /// Its first byte.
    pub start: Address,
    /// How many bytes it has.
    pub size: u64,
}

impl From<&Image> for Near {
    fn from(image: &Image) -> Near {
        let Image { kind, place, start, size, .. } = *image;
        Near { kind, place, start, size }
    }
}

/// How the life of an object ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum End {
    /// Its function returns, or its scope ends.
    Return,
    /// It is freed.
    Free,
}

impl End {
    pub(super) fn kind(self) -> FaultKind {
        match self {
            End::Return => FaultKind::UseAfterReturn,
            End::Free => FaultKind::UseAfterFree,
        }
    }
}

/// Memory is given back that must not be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BadFree {
    /// It is not the start of memory that the allocator returned.
    NotAllocated(Address),
    /// It was given back before.
    Twice(Address),
    /// It is from one allocator and given back to another.
    Mismatch {
        /// Where it is.
        address: Address,
        /// What it is.
        from: ObjectKind,
        /// What is made to give such memory back.
        by: ObjectKind,
    },
}

impl BadFree {
    pub(super) fn address(self) -> Address {
        match self {
            BadFree::NotAllocated(address)
            | BadFree::Twice(address)
            | BadFree::Mismatch { address, .. } => address,
        }
    }

    pub(super) fn kind(self) -> FaultKind {
        match self {
            BadFree::Twice(_) => FaultKind::DoubleFree,
            BadFree::NotAllocated(_) | BadFree::Mismatch { .. } => FaultKind::InvalidFree,
        }
    }
}

/// What was used without ever having been written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Unwritten {
    /// A local variable by its name: one that is kept in registers has no address to ask for.
    Local(String),
    /// Bytes of an object that no other thread knows.
    Private(Inside),
    /// Bytes that other threads can reach.
    Shared(Address),
}

/// Bytes of an object that only its thread knows. No graph has it, so its address alone does not tell
/// what it is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inside {
    /// What kind of storage the object has.
    pub kind: ObjectKind,
    /// Where it was allocated or declared.
    pub place: Place,
    /// Its first byte.
    pub start: Address,
    /// How far in it the bytes are.
    pub offset: u64,
}

impl Inside {
    /// Where the bytes are.
    pub fn address(&self) -> Address {
        Address(self.start.0 + self.offset)
    }
}

/// How memory that must not be written is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ConstantWrite {
    /// By a store to this address.
    Store(Address),
    /// By a copy of memory.
    Copy,
    /// By filling memory.
    Fill,
}
