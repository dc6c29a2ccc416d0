//! Sizes and alignments, by the module's `datalayout`.
//!
//! Every type's layout is computed once, when the module has been read; that is also where types
//! that contain themselves and types that nest too deeply are refused.

use crate::types::{MAX_NESTING, NamedBody, Type, TypeId, Types};

/// The layout of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Distance between two elements of an array of it, in bytes.
    pub size: u64,
    /// Bytes that a store writes.
    pub store_size: u64,
    /// ABI alignment in bytes.
    pub align: u32,
}

/// The decoded `datalayout` and the layout of every type.
#[derive(Clone, Debug)]
pub struct DataLayout {
    /// Byte order.
    pub little_endian: bool,
    /// Size of a pointer of address space 0 in bytes.
    pub pointer_size: u32,
    pointers: Vec<(u32, u32, u32)>,
    ints: Vec<(u32, u32)>,
    floats: Vec<(u32, u32)>,
    vectors: Vec<(u32, u32)>,
    layouts: Vec<Option<Layout>>,
}

impl DataLayout {
    /// Decodes the string; parts that say nothing about sizes are skipped.
    pub(crate) fn parse(text: &str) -> Option<DataLayout> {
        let mut layout = DataLayout {
            little_endian: true,
            pointer_size: 8,
            pointers: vec![(0, 8, 8)],
            // What the string does not say; on most targets it says `i64:64`.
            ints: vec![(1, 1), (8, 1), (16, 2), (32, 4), (64, 4)],
            floats: vec![(16, 2), (32, 4), (64, 8), (80, 16), (128, 16)],
            vectors: vec![(64, 8), (128, 16)],
            layouts: Vec::new(),
        };
        for part in text.split('-').filter(|part| !part.is_empty()) {
            layout.part(part)?;
        }
        layout.pointer_size = layout.pointers.iter().find(|p| p.0 == 0)?.1;
        Some(layout)
    }

    fn part(&mut self, part: &str) -> Option<()> {
        let first = part.as_bytes()[0];
        if !part.is_ascii() {
            return None;
        }
        let mut numbers = part[1..].split(':');
        match first {
            b'e' if part == "e" => self.little_endian = true,
            b'E' if part == "E" => self.little_endian = false,
            b'p' => {
                // `p`, `p270` or, with flags, `pu2`.
                let space = numbers.next()?.trim_start_matches(|c: char| c.is_alphabetic());
                let space = if space.is_empty() { 0 } else { space.parse().ok()? };
                let size: u32 = numbers.next()?.parse().ok()?;
                let align = bytes(numbers.next()?)?;
                if size == 0 || !size.is_multiple_of(8) {
                    return None;
                }
                let size = size / 8;
                replace(&mut self.pointers, |p| p.0 == space, (space, size, align));
            }
            b'i' | b'f' | b'v' => {
                let width: u32 = numbers.next()?.parse().ok()?;
                let align = bytes(numbers.next()?)?;
                let table = match first {
                    b'i' => &mut self.ints,
                    b'f' => &mut self.floats,
                    _ => &mut self.vectors,
                };
                replace(table, |p| p.0 == width, (width, align));
                table.sort_unstable();
            }
            _ => {}
        }
        Some(())
    }

    /// The layout of a type; `None`: it has no size.
    pub fn of(&self, ty: TypeId) -> Option<Layout> {
        self.layouts.get(ty.0 as usize).copied().flatten()
    }

    /// The byte offset of field `index` of a structure.
    pub fn field_offset(&self, types: &Types, ty: TypeId, index: usize) -> Option<u64> {
        let Type::Struct { fields, packed } = types.resolve(ty) else { return None };
        let mut offset = 0u64;
        for (i, &field) in fields.iter().enumerate() {
            let layout = self.of(field)?;
            if !packed {
                offset = offset.checked_next_multiple_of(u64::from(layout.align))?;
            }
            if i == index {
                return Some(offset);
            }
            offset = offset.checked_add(layout.size)?;
        }
        None
    }

    /// Computes the layout of every type, each after what it is made of.
    pub(crate) fn compute(&mut self, types: &Types) -> Result<(), String> {
        let mut depths = vec![0u32; types.len()]; // 0: not seen, MAX: being visited
        self.layouts = vec![None; types.len()];
        for root in types.ids() {
            let mut stack = vec![(root, false)];
            while let Some((id, done)) = stack.pop() {
                if done {
                    let depth = parts(types, id).map(|p| depths[p.0 as usize]).max().unwrap_or(0);
                    if depth >= MAX_NESTING {
                        return Err("types nest too deeply".into());
                    }
                    depths[id.0 as usize] = depth + 1;
                    self.layouts[id.0 as usize] = self.one(types, id);
                } else if depths[id.0 as usize] == u32::MAX {
                    return Err("a type contains itself".into());
                } else if depths[id.0 as usize] == 0 {
                    depths[id.0 as usize] = u32::MAX;
                    stack.push((id, true));
                    // A part that is being visited is a cycle; one that is done needs no visit.
                    stack.extend(
                        parts(types, id)
                            .filter(|p| !done_depth(depths[p.0 as usize]))
                            .map(|p| (p, false)),
                    );
                }
            }
        }
        Ok(())
    }

    fn one(&self, types: &Types, id: TypeId) -> Option<Layout> {
        let sized = |size: u64, align: u32| Layout {
            size: size.next_multiple_of(u64::from(align)),
            store_size: size,
            align,
        };
        match types.get(id) {
            Type::Int(bits) => {
                let size = u64::from(bits.div_ceil(8));
                Some(sized(size, int_align(&self.ints, *bits)))
            }
            Type::Float(kind) => {
                let bits = kind.bits();
                let align = self.floats.iter().find(|f| f.0 == bits).map_or(16, |f| f.1);
                Some(sized(u64::from(bits.div_ceil(8)), align))
            }
            Type::Ptr(space) => {
                let find = |s| self.pointers.iter().find(|p| p.0 == s);
                let &(_, size, align) = find(*space).or_else(|| find(0))?;
                Some(sized(u64::from(size), align))
            }
            Type::Array { len, element } => {
                let element = self.of(*element)?;
                let size = element.size.checked_mul(*len)?;
                Some(Layout { size, store_size: size, align: element.align })
            }
            Type::Vector { len, scalable: false, element } => {
                // Elements lie side by side, without the padding that they have in arrays.
                let bits = match types.get(*element) {
                    Type::Int(bits) => u64::from(*bits),
                    Type::Float(kind) => u64::from(kind.bits()),
                    _ => self.of(*element)?.size * 8,
                };
                let bits = bits.checked_mul(u64::from(*len))?;
                let size = bits.div_ceil(8);
                let given = self.vectors.iter().find(|v| u64::from(v.0) == bits).map(|v| v.1);
                let natural = size.max(1).checked_next_power_of_two()?.min(1 << 30) as u32;
                Some(sized(size, given.unwrap_or(natural)))
            }
            Type::Struct { fields, packed } => self.structure(fields, *packed),
            Type::Named(index) => match types.named(*index).body {
                NamedBody::Body(body) => self.of(body),
                _ => None,
            },
            _ => None,
        }
    }

    fn structure(&self, fields: &[TypeId], packed: bool) -> Option<Layout> {
        let (mut size, mut align) = (0u64, 1u32);
        for &field in fields {
            let field = self.of(field)?;
            if !packed {
                align = align.max(field.align);
                size = size.checked_next_multiple_of(u64::from(field.align))?;
            }
            size = size.checked_add(field.size)?;
        }
        size = size.checked_next_multiple_of(u64::from(align))?;
        Some(Layout { size, store_size: size, align })
    }
}

fn done_depth(depth: u32) -> bool {
    depth != 0 && depth != u32::MAX
}

/// The types that `id` contains by value.
fn parts(types: &Types, id: TypeId) -> impl Iterator<Item = TypeId> + '_ {
    let (one, many): (Option<TypeId>, &[TypeId]) = match types.get(id) {
        Type::Array { element, .. } | Type::Vector { element, .. } => (Some(*element), &[]),
        Type::Struct { fields, .. } => (None, fields),
        Type::Named(index) => match types.named(*index).body {
            NamedBody::Body(body) => (Some(body), &[]),
            _ => (None, &[]),
        },
        _ => (None, &[]),
    };
    one.into_iter().chain(many.iter().copied())
}

/// An alignment.
fn bytes(bits: &str) -> Option<u32> {
    let bits: u32 = bits.parse().ok()?;
    (bits.is_multiple_of(8) && (bits == 0 || (bits / 8).is_power_of_two()))
        .then_some((bits / 8).max(1))
}

fn replace<T>(table: &mut Vec<T>, is: impl Fn(&T) -> bool, entry: T) {
    match table.iter().position(is) {
        Some(position) => table[position] = entry,
        None => table.push(entry),
    }
}

/// An integer is aligned like the next larger one that the layout names, or else the largest.
fn int_align(ints: &[(u32, u32)], bits: u32) -> u32 {
    let larger = ints.iter().find(|i| i.0 >= bits).or_else(|| ints.last());
    larger.map_or(1, |i| i.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structures_are_padded_and_packed() {
        let mut types = Types::new();
        let fields: Box<[TypeId]> = Box::new([Types::I8, Types::I64, Types::I8]);
        let plain = types.intern(Type::Struct { fields: fields.clone(), packed: false });
        let packed = types.intern(Type::Struct { fields, packed: true });
        let mut layout =
            DataLayout::parse("e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128").unwrap();
        layout.compute(&types).unwrap();
        assert_eq!(layout.of(plain), Some(Layout { size: 24, store_size: 24, align: 8 }));
        assert_eq!(layout.of(packed).unwrap().size, 10);
        assert_eq!(layout.field_offset(&types, plain, 2), Some(16));
        assert_eq!(layout.field_offset(&types, packed, 2), Some(9));
        assert_eq!(layout.field_offset(&types, packed, 3), None);
    }

    #[test]
    fn wide_integers_follow_the_layout_string() {
        let mut types = Types::new();
        let wide = types.intern(Type::Int(128));
        let odd = types.intern(Type::Int(33));
        for (text, align) in [("e-i64:64", 8), ("e-i64:64-i128:128", 16)] {
            let mut layout = DataLayout::parse(text).unwrap();
            layout.compute(&types).unwrap();
            assert_eq!(layout.of(wide).unwrap().align, align);
            assert_eq!(layout.of(odd), Some(Layout { size: 8, store_size: 5, align: 8 }));
        }
    }

    #[test]
    fn what_the_string_leaves_out_has_the_defaults_of_llvm() {
        let types = Types::new();
        for (text, align) in [("e-p:32:32-f64:32:64", 4), ("", 4), ("e-i64:64", 8)] {
            let mut layout = DataLayout::parse(text).unwrap();
            layout.compute(&types).unwrap();
            assert_eq!(layout.of(Types::I64).unwrap().align, align, "{text}");
        }
    }

    #[test]
    fn elements_of_vectors_have_no_padding() {
        let mut types = Types::new();
        let element = types.intern(Type::Float(crate::types::FloatKind::X86Fp80));
        let vector = types.intern(Type::Vector { len: 2, scalable: false, element });
        let mut layout = DataLayout::parse("e-i64:64-f80:128").unwrap();
        layout.compute(&types).unwrap();
        assert_eq!(layout.of(vector), Some(Layout { size: 32, store_size: 20, align: 32 }));
    }

    #[test]
    fn strange_strings_are_refused() {
        assert!(DataLayout::parse("e-i64:63").is_none());
        assert!(DataLayout::parse("e-p:x:64").is_none());
        assert!(DataLayout::parse("e-p:63:64").is_none());
        assert!(!DataLayout::parse("E-p:32:32").unwrap().little_endian);
    }

    #[test]
    fn pointers_may_have_any_number_of_bytes() {
        let mut types = Types::new();
        let wide = types.intern(Type::Ptr(7));
        let mut layout = DataLayout::parse("e-p:64:64-p7:160:256:256:32").unwrap();
        layout.compute(&types).unwrap();
        assert_eq!(layout.of(wide), Some(Layout { size: 32, store_size: 20, align: 32 }));
    }
}
