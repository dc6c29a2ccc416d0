//! The bytes of a private object, with structural sharing.
//!
//! An object is cut into pages of [`PAGE`] bytes. A page that was never written, or is all zero,
//! takes no memory; the others are shared between clones until one writes. Each byte is defined
//! or not; the bitmap of a page is empty when all its bytes are defined.

use smallvec::SmallVec;
use std::sync::Arc;

const PAGE: usize = 1024;

/// A part of an object that holds data.
#[derive(Clone, Debug)]
pub struct Page {
    bytes: Vec<u8>,
    /// One bit a byte, set where undefined; empty if there is none.
    undefined: Vec<u8>,
}

#[derive(Clone, Debug)]
enum Slot {
    Undefined,
    Zero,
    Data(Arc<Page>),
}

/// The content of an object.
#[derive(Clone, Debug)]
pub struct Content {
    size: usize,
    slots: SmallVec<[Slot; 1]>,
}

impl Content {
    /// All bytes undefined.
    pub fn undefined(size: u64) -> Content {
        Content::filled(size, Slot::Undefined)
    }

    /// All bytes zero.
    pub fn zero(size: u64) -> Content {
        Content::filled(size, Slot::Zero)
    }

    /// The given bytes, then zeros.
    pub fn from_bytes(size: u64, bytes: &[u8]) -> Content {
        let mut content = Content::zero(size);
        content.write_bytes(0, bytes);
        content
    }

    fn filled(size: u64, slot: Slot) -> Content {
        let size = size as usize;
        Content { size, slots: std::iter::repeat_n(slot, size.div_ceil(PAGE)).collect() }
    }

    /// The little-endian number at `offset`, and which of its bytes are undefined (bit `i` for byte `i`;
    /// they read as zero). The range must lie within the object.
    #[inline]
    pub fn read(&self, offset: u64, size: u8) -> (u128, u16) {
        let (offset, size) = (offset as usize, usize::from(size));
        let within = offset % PAGE;
        if within + size <= PAGE
            && let Slot::Data(page) = &self.slots[offset / PAGE]
            && page.undefined.is_empty()
        {
            return (number(&page.bytes[within..within + size]), 0);
        }
        self.read_slowly(offset, size)
    }

    #[cold]
    fn read_slowly(&self, offset: usize, size: usize) -> (u128, u16) {
        let mut bytes = [0; 16];
        let mut undefined = 0;
        for (i, byte) in bytes[..size].iter_mut().enumerate() {
            match self.byte(offset + i) {
                Some(value) => *byte = value,
                None => undefined |= 1 << i,
            }
        }
        (u128::from_le_bytes(bytes), undefined)
    }

    /// A byte, if it is defined.
    pub fn byte(&self, offset: usize) -> Option<u8> {
        match &self.slots[offset / PAGE] {
            Slot::Undefined => None,
            Slot::Zero => Some(0),
            Slot::Data(page) => {
                let within = offset % PAGE;
                (!page.is_undefined(within)).then(|| page.bytes[within])
            }
        }
    }

    /// Writes the low `size` bytes of `value`; whether a byte that was defined has another value now.
    #[inline]
    pub fn write(&mut self, offset: u64, size: u8, value: u128) -> bool {
        let bytes = value.to_le_bytes();
        self.write_bytes(offset as usize, &bytes[..usize::from(size)])
    }

    /// Writes bytes; whether one that was defined has another value now.
    pub fn write_bytes(&mut self, offset: usize, bytes: &[u8]) -> bool {
        let mut changed = false;
        let mut done = 0;
        while done < bytes.len() {
            let (index, within) = ((offset + done) / PAGE, (offset + done) % PAGE);
            let part = (PAGE - within).min(bytes.len() - done);
            changed |= self.write_within_page(index, within, &bytes[done..done + part]);
            done += part;
        }
        changed
    }

    fn write_within_page(&mut self, index: usize, within: usize, bytes: &[u8]) -> bool {
        let range = within..within + bytes.len();
        let changes = match &self.slots[index] {
            Slot::Undefined => false,
            Slot::Zero if bytes.iter().all(|&byte| byte == 0) => return false,
            Slot::Zero => true,
            Slot::Data(page) if page.undefined.is_empty() => {
                if page.bytes[range.clone()] == *bytes {
                    return false;
                }
                true
            }
            Slot::Data(page) => page.differs(range.clone(), bytes),
        };
        let page = self.page_mut(index);
        page.bytes[range.clone()].copy_from_slice(bytes);
        page.define(range);
        changes
    }

    /// Makes a byte undefined (a copy of an undefined byte).
    pub fn undefine(&mut self, offset: usize) {
        if self.byte(offset).is_none() {
            return;
        }
        let page = self.page_mut(offset / PAGE);
        if page.undefined.is_empty() {
            page.undefined = vec![0; page.bytes.len().div_ceil(8)];
        }
        let within = offset % PAGE;
        page.bytes[within] = 0;
        page.undefined[within / 8] |= 1 << (within % 8);
    }

    fn page_mut(&mut self, index: usize) -> &mut Page {
        let length = PAGE.min(self.size - index * PAGE);
        let slot = &mut self.slots[index];
        let undefined = match slot {
            Slot::Undefined => vec![0xff; length.div_ceil(8)],
            _ => Vec::new(),
        };
        if !matches!(slot, Slot::Data(_)) {
            *slot = Slot::Data(Arc::new(Page { bytes: vec![0; length], undefined }));
        }
        match slot {
            Slot::Data(page) => Arc::make_mut(page),
            _ => unreachable!("the slot was filled above"),
        }
    }

    /// The bytes up to the last that is not zero, and the bitmap of undefined ones, as
    /// [`norn_action::Image`] wants them.
    pub fn image(&self) -> (Vec<u8>, Vec<u8>) {
        let mut bytes = Vec::new();
        let mut undefined = Vec::new();
        for (index, slot) in self.slots.iter().enumerate() {
            let start = index * PAGE;
            let length = PAGE.min(self.size - start);
            match slot {
                Slot::Zero => {}
                Slot::Undefined => {
                    undefined.resize(start / 8, 0);
                    undefined.resize((start + length).div_ceil(8), 0xff);
                }
                Slot::Data(page) => {
                    bytes.resize(start, 0);
                    bytes.extend_from_slice(&page.bytes);
                    if !page.undefined.is_empty() {
                        undefined.resize(start / 8, 0);
                        undefined.extend_from_slice(&page.undefined);
                    }
                }
            }
        }
        (bytes, undefined)
    }

    /// The pages that hold data.
    pub fn pages_mut(&mut self) -> impl Iterator<Item = &mut Arc<Page>> {
        self.slots.iter_mut().filter_map(|slot| match slot {
            Slot::Data(page) => Some(page),
            Slot::Undefined | Slot::Zero => None,
        })
    }

    /// Calls `f` on every aligned word of the pages that hold data.
    pub fn for_each_word(&self, mut f: impl FnMut(u64)) {
        for slot in &self.slots {
            if let Slot::Data(page) = slot {
                for word in page.bytes.chunks_exact(8) {
                    let value = number(word) as u64;
                    if value != 0 {
                        f(value);
                    }
                }
            }
        }
    }
}

impl Page {
    fn is_undefined(&self, within: usize) -> bool {
        self.undefined.get(within / 8).is_some_and(|bits| bits >> (within % 8) & 1 == 1)
    }

    /// Whether a defined byte of the range has another value than the one given.
    #[cold]
    fn differs(&self, range: std::ops::Range<usize>, bytes: &[u8]) -> bool {
        range.zip(bytes).any(|(i, byte)| !self.is_undefined(i) && self.bytes[i] != *byte)
    }

    fn define(&mut self, range: std::ops::Range<usize>) {
        if self.undefined.is_empty() {
            return;
        }
        for i in range {
            self.undefined[i / 8] &= !(1 << (i % 8));
        }
        let tail = self.bytes.len() % 8;
        let last = self.undefined.len() - 1;
        let mask = |i: usize| if i == last && tail != 0 { (1u8 << tail) - 1 } else { 0xff };
        if self.undefined.iter().enumerate().all(|(i, bits)| bits & mask(i) == 0) {
            self.undefined = Vec::new();
        }
    }
}

#[inline]
fn number(bytes: &[u8]) -> u128 {
    match *bytes {
        [a] => u128::from(a),
        [a, b, c, d] => u128::from(u32::from_le_bytes([a, b, c, d])),
        [a, b, c, d, e, f, g, h] => u128::from(u64::from_le_bytes([a, b, c, d, e, f, g, h])),
        _ => {
            let mut whole = [0; 16];
            whole[..bytes.len()].copy_from_slice(bytes);
            u128::from_le_bytes(whole)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definedness_is_kept_byte_by_byte() {
        let mut content = Content::undefined(20);
        assert_eq!(content.read(0, 4), (0, 0b1111));
        assert!(!content.write(2, 2, 0xbeef), "nothing was there");
        assert_eq!(content.read(0, 4), (0xbeef_0000, 0b0011));
        assert_eq!(content.read(2, 2), (0xbeef, 0));
        assert!(!content.write(0, 4, 0xbeef_1234), "what was there is still there");
        content.undefine(0);
        assert!(content.write_bytes(0, &[1; 20]), "three bytes change");
        assert_eq!(content.read(16, 4), (0x0101_0101, 0));
        content.undefine(16);
        assert_eq!(content.read(16, 1).1, 1);
    }

    #[test]
    fn pages_are_crossed() {
        let mut content = Content::zero(3000);
        content.write(1020, 8, 0x0102_0304_0506_0708);
        assert_eq!(content.read(1020, 8), (0x0102_0304_0506_0708, 0));
        assert_eq!(content.read(1024, 4).0, 0x0102_0304);
        assert_eq!(content.image().0.len(), 2048);
    }

    #[test]
    fn clones_do_not_see_later_writes_and_equal_writes_change_nothing() {
        let mut content = Content::from_bytes(8, &[7]);
        let copy = content.clone();
        assert!(!content.write(0, 1, 7));
        assert!(content.write(0, 1, 8));
        assert_eq!(copy.read(0, 8).0, 7);
        assert_eq!(content.read(0, 8).0, 8);
    }
}
