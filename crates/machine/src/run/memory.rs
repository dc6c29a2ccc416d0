//! The flat memory of published objects.

use norn_action::{Access, FaultKind, Image, ObjectKind, Value};
use std::collections::BTreeMap;

struct Object {
    image: Image,
    dead: bool,
}

/// Published objects by address.
#[derive(Default)]
pub(super) struct FlatMemory {
    objects: BTreeMap<u64, Object>,
}

/// An address that is no further than this behind an object was meant to be in it.
const GAP: u64 = norn_program::layout::GAP;

/// What is wrong with an access.
type Trouble = (FaultKind, String);

impl FlatMemory {
    pub(super) fn add(&mut self, image: &Image) {
        let mut image = image.clone();
        image.bytes.resize(image.size as usize, 0);
        self.objects.insert(image.start.0, Object { image, dead: false });
    }

    fn find(&mut self, access: &Access) -> Result<&mut Image, Trouble> {
        let address = access.address;
        let before = self.objects.range_mut(..=address.0).next_back();
        let Some((_, object)) =
            before.filter(|(start, object)| address.0 - **start <= object.image.size + GAP)
        else {
            return Err((FaultKind::WildPointer, format!("{address} points to no object")));
        };
        if object.dead {
            let kind = match object.image.kind {
                ObjectKind::Stack => FaultKind::UseAfterReturn,
                _ => FaultKind::UseAfterFree,
            };
            return Err((kind, format!("{address} lies in an object that is gone")));
        }
        let offset = address.0 - object.image.start.0;
        if offset + u64::from(access.size) > object.image.size {
            let text = format!(
                "{} bytes at offset {offset} of an object of {} bytes",
                access.size, object.image.size
            );
            return Err((FaultKind::OutOfBounds, text));
        }
        Ok(&mut object.image)
    }

    pub(super) fn load(&mut self, access: &Access) -> Result<Value, Trouble> {
        let image = self.find(access)?;
        let offset = access.address.0 - image.start.0;
        let defined = (0..u64::from(access.size)).any(|i| {
            let byte = (offset + i) as usize;
            image.undefined.get(byte / 8).is_none_or(|bits| bits >> (byte % 8) & 1 == 0)
        });
        if !defined {
            let text = format!("{} is read before anything was written to it", access.address);
            return Err((FaultKind::UninitialisedRead, text));
        }
        Ok(Value(image.read(access.address, access.size).0))
    }

    pub(super) fn store(&mut self, access: &Access, value: Value) -> Result<(), Trouble> {
        let image = self.find(access)?;
        if image.read_only {
            return Err((FaultKind::ReadOnlyWrite, format!("{} is constant", access.address)));
        }
        let offset = (access.address.0 - image.start.0) as usize;
        let size = usize::from(access.size);
        image.bytes[offset..offset + size].copy_from_slice(&value.0.to_le_bytes()[..size]);
        for byte in offset..offset + size {
            if let Some(bits) = image.undefined.get_mut(byte / 8) {
                *bits &= !(1 << (byte % 8));
            }
        }
        Ok(())
    }

    pub(super) fn free(&mut self, address: u64, by: Option<ObjectKind>) -> Result<(), Trouble> {
        self.measure(address, by)?;
        if let Some(object) = self.objects.get_mut(&address) {
            object.dead = true;
        }
        Ok(())
    }

    /// The size of what a free would end, if it may.
    pub(super) fn measure(&self, address: u64, by: Option<ObjectKind>) -> Result<u64, Trouble> {
        let Some(object) = self.objects.get(&address) else {
            return Err((FaultKind::InvalidFree, format!("{address:#x} was not allocated")));
        };
        if object.dead {
            return Err((FaultKind::DoubleFree, format!("{address:#x} was freed before")));
        }
        if let Some(by) = by {
            if !object.image.kind.is_heap() {
                return Err((FaultKind::InvalidFree, format!("{address:#x} was not allocated")));
            }
            if let Some(text) = object.image.kind.mismatch(by) {
                return Err((FaultKind::InvalidFree, text.to_owned()));
            }
        }
        Ok(object.image.size)
    }
}
