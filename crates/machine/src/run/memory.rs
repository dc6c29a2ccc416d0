//! The flat memory of published objects.

use norn_action::{
    Access, Address, BadAccess, BadFree, ConstantWrite, End, Image, Miss, ObjectKind, Unwritten,
    Value, Wrong,
};
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

impl FlatMemory {
    pub(super) fn add(&mut self, image: &Image) {
        let mut image = image.clone();
        image.bytes.resize(image.size as usize, 0);
        self.objects.insert(image.start.0, Object { image, dead: false });
    }

    fn find(&mut self, access: &Access, writes: bool) -> Result<&mut Image, Wrong> {
        let (address, size) = (access.address, u64::from(access.size));
        let bad = |miss| Err(BadAccess { address, size, writes: Some(writes), miss }.into());
        let before = self.objects.range_mut(..=address.0).next_back();
        let Some((_, object)) =
            before.filter(|(start, object)| address.0 - **start <= object.image.size + GAP)
        else {
            return bad(Miss::NoObject);
        };
        if object.dead {
            return bad(Miss::Over(match object.image.kind {
                ObjectKind::Stack => End::Return,
                _ => End::Free,
            }));
        }
        if address.0 - object.image.start.0 + size > object.image.size {
            return bad(Miss::Past((&object.image).into()));
        }
        Ok(&mut object.image)
    }

    pub(super) fn load(&mut self, access: &Access) -> Result<Value, Wrong> {
        let image = self.find(access, false)?;
        let offset = access.address.0 - image.start.0;
        let defined = (0..u64::from(access.size)).any(|i| {
            let byte = (offset + i) as usize;
            image.undefined.get(byte / 8).is_none_or(|bits| bits >> (byte % 8) & 1 == 0)
        });
        if !defined {
            return Err(Unwritten::Shared(access.address).into());
        }
        Ok(Value(image.read(access.address, access.size).0))
    }

    pub(super) fn store(&mut self, access: &Access, value: Value) -> Result<(), Wrong> {
        let image = self.find(access, true)?;
        if image.read_only {
            return Err(ConstantWrite::Store(access.address).into());
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

    pub(super) fn free(&mut self, address: Address, by: Option<ObjectKind>) -> Result<(), BadFree> {
        self.measure(address, by)?;
        if let Some(object) = self.objects.get_mut(&address.0) {
            object.dead = true;
        }
        Ok(())
    }

    /// The size of what a free would end, if it may.
    pub(super) fn measure(&self, address: Address, by: Option<ObjectKind>) -> Result<u64, BadFree> {
        let Some(Object { image, dead }) = self.objects.get(&address.0) else {
            return Err(BadFree::NotAllocated(address));
        };
        match by {
            _ if *dead => Err(BadFree::Twice(address)),
            Some(_) if !image.kind.is_heap() => Err(BadFree::NotAllocated(address)),
            Some(by) if image.kind != by => {
                Err(BadFree::Mismatch { address, from: image.kind, by })
            }
            _ => Ok(image.size),
        }
    }
}
