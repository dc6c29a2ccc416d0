//! Types of the source language, kept so that an address can be shown as `queue.nodes[1].next`.

use std::collections::BTreeSet;
use std::fmt::Write;

/// Index of a [`DebugType`] in a [`TypeTable`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TypeId(pub u32);

/// A member of a struct or union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name; empty for an anonymous struct or union.
    pub name: String,
    /// Offset in bytes.
    pub offset: u64,
    /// Its type.
    pub kind: TypeId,
}

/// What the bits of a scalar mean.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// It is not known.
    #[default]
    Unknown,
    /// A number with a sign.
    Signed,
    /// A number without a sign.
    Unsigned,
    /// A floating-point number.
    Float,
    /// True or false.
    Boolean,
    /// A letter.
    Character,
    /// A pointer or a reference.
    Pointer,
    /// One of several values with names.
    Enumeration(Vec<(i128, String)>),
}

/// A type as far as naming the parts of an object goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DebugType {
    /// A number, an enum, a pointer, a function, or a type that is not known.
    Scalar {
        /// Its name.
        name: String,
        /// Size in bytes.
        size: u64,
        /// What its bits mean.
        encoding: Encoding,
    },
    /// A struct, a class or a union.
    Struct {
        /// Its name; may be empty.
        name: String,
        /// Size in bytes.
        size: u64,
        /// Members; those of a union overlap.
        fields: Vec<Field>,
    },
    /// An array; several dimensions nest.
    Array {
        /// The type of an element.
        element: TypeId,
        /// How many elements.
        count: u64,
    },
}

/// A part of an object.
enum Part<'t> {
    /// A member of that name; an empty one is of an anonymous struct or union.
    Field(&'t str),
    /// The element with this index.
    Element(u64),
}

/// The debug types of a program. Types may refer to later ones.
#[derive(Clone, Debug, Default)]
pub struct TypeTable {
    types: Vec<DebugType>,
}

impl TypeTable {
    /// Adds a type.
    pub fn add(&mut self, kind: DebugType) -> TypeId {
        self.types.push(kind);
        TypeId(self.types.len() as u32 - 1)
    }

    /// Replaces a type; for types that refer to themselves.
    pub fn set(&mut self, id: TypeId, kind: DebugType) {
        self.types[id.0 as usize] = kind;
    }

    /// The type, if there is one with this id.
    pub fn get(&self, id: TypeId) -> Option<&DebugType> {
        self.types.get(id.0 as usize)
    }

    /// The first structure of this name.
    pub fn structure(&self, name: &str) -> Option<TypeId> {
        let is_it =
            |kind: &DebugType| matches!(kind, DebugType::Struct { name: own, .. } if own == name);
        self.types.iter().position(is_it).map(|index| TypeId(index as u32))
    }

    /// The values that constants of enumerations have who are called so.
    pub fn constants(&self, name: &str) -> BTreeSet<i128> {
        let names = self.types.iter().flat_map(|kind| match kind {
            DebugType::Scalar { encoding: Encoding::Enumeration(names), .. } => names.as_slice(),
            _ => &[],
        });
        names.filter(|(_, own)| own == name).map(|(value, _)| *value).collect()
    }

    /// Size in bytes.
    pub fn size(&self, id: TypeId) -> u64 {
        self.size_within(id, DEPTH)
    }

    /// The path from an object of type `id` to the byte at `offset`, such as `.nodes[1].next`, with
    /// a rest of `+n` where the byte is not the first of what the path names. Members whose names are
    /// reserved for the implementation (`__data`, `_M_impl`) are not entered: a mutex is just `m`.
    pub fn path(&self, id: TypeId, offset: u64) -> String {
        let mut path = String::new();
        let (mut current, mut rest) = (id, offset);
        for _ in 0..DEPTH {
            let Some((part, kind, inside)) = self.part(current, rest) else { break };
            match part {
                Part::Field("") => {}
                Part::Field(name) => {
                    let _ = write!(path, ".{name}");
                }
                Part::Element(index) => {
                    let _ = write!(path, "[{index}]");
                }
            }
            (current, rest) = (kind, inside);
        }
        if rest != 0 {
            let _ = write!(path, "+{rest}");
        }
        path
    }

    /// The name of the type of the `size` bytes at `offset` of an object of type `id`, if they are a whole
    /// part of it whose type has a name. Of several the innermost is taken.
    pub fn name_of_part(&self, id: TypeId, offset: u64, size: u64) -> Option<&str> {
        let (mut current, mut rest) = (id, offset);
        let mut found = None;
        for _ in 0..DEPTH {
            if let Some(DebugType::Scalar { name, .. } | DebugType::Struct { name, .. }) =
                self.get(current)
                && (rest, self.size(current)) == (0, size)
                && !name.is_empty()
            {
                found = Some(name.as_str());
            }
            let Some((_, kind, inside)) = self.part(current, rest) else { break };
            (current, rest) = (kind, inside);
        }
        found
    }

    /// What the bits of the `size` bytes at `offset` of an object of type `id` mean, if they are a scalar.
    /// Members with reserved names are entered: what `std::atomic<int>` holds is an int.
    pub fn encoding_of_part(&self, id: TypeId, offset: u64, size: u64) -> Option<&Encoding> {
        let (mut current, mut rest) = (id, offset);
        for _ in 0..DEPTH {
            let Some((_, kind, inside)) = self.any_part(current, rest) else { break };
            (current, rest) = (kind, inside);
        }
        match self.get(current)? {
            DebugType::Scalar { size: whole, encoding, .. } => {
                (rest == 0 && *whole == size).then_some(encoding)
            }
            _ => None,
        }
    }

    /// The part of an object of type `id` that holds the byte at `offset`, its type, and where in it the
    /// byte is. What has a reserved name is no part.
    fn part(&self, id: TypeId, offset: u64) -> Option<(Part<'_>, TypeId, u64)> {
        self.any_part(id, offset).filter(|(part, ..)| match part {
            Part::Field(name) => !is_reserved(name),
            Part::Element(_) => true,
        })
    }

    fn any_part(&self, id: TypeId, offset: u64) -> Option<(Part<'_>, TypeId, u64)> {
        match self.get(id)? {
            DebugType::Struct { fields, .. } => {
                let field = self.field_at(fields, offset)?;
                Some((Part::Field(&field.name), field.kind, offset - field.offset))
            }
            &DebugType::Array { element, .. } => match self.size(element) {
                0 => None,
                size => Some((Part::Element(offset / size), element, offset % size)),
            },
            DebugType::Scalar { .. } => None,
        }
    }

    /// The scalars that the bytes `range` of an object of type `id` consist of, as offsets and sizes,
    /// ascending; padding is left out. Nothing if that is not one list of whole scalars: a part of
    /// a scalar, members that overlap, or a size that no access has.
    pub fn scalars(&self, id: TypeId, range: std::ops::Range<u64>) -> Option<Vec<(u64, u8)>> {
        let mut found = Vec::new();
        self.collect(id, 0, &range, DEPTH, &mut found)?;
        let disjoint = found.windows(2).all(|pair| pair[0].0 + u64::from(pair[0].1) <= pair[1].0);
        (disjoint && !found.is_empty()).then_some(found)
    }

    fn collect(
        &self,
        id: TypeId,
        start: u64,
        range: &std::ops::Range<u64>,
        depth: u32,
        found: &mut Vec<(u64, u8)>,
    ) -> Option<()> {
        let size = self.size(id);
        let end = start.checked_add(size)?;
        if end <= range.start || range.end <= start || size == 0 {
            return Some(());
        }
        if depth == 0 || found.len() > MOST_SCALARS {
            return None;
        }
        match self.get(id)? {
            DebugType::Scalar { .. } => {
                let whole = range.start <= start && end <= range.end;
                let fits = whole && matches!(size, 1 | 2 | 4 | 8 | 16);
                found.push((start, fits.then_some(size as u8)?));
            }
            DebugType::Struct { fields, .. } => {
                for field in fields {
                    self.collect(field.kind, start + field.offset, range, depth - 1, found)?;
                }
            }
            &DebugType::Array { element, count } => {
                let step = self.size(element).max(1);
                let first = range.start.saturating_sub(start) / step;
                let last = count.min((range.end - start).div_ceil(step));
                for i in first..last {
                    self.collect(element, start + i * step, range, depth - 1, found)?;
                }
            }
        }
        Some(())
    }

    fn field_at<'a>(&self, fields: &'a [Field], offset: u64) -> Option<&'a Field> {
        fields.iter().find(|field| {
            offset >= field.offset && offset - field.offset < self.size(field.kind).max(1)
        })
    }

    fn size_within(&self, id: TypeId, depth: u32) -> u64 {
        match self.get(id) {
            Some(DebugType::Scalar { size, .. } | DebugType::Struct { size, .. }) => *size,
            Some(&DebugType::Array { element, count }) if depth > 0 => {
                self.size_within(element, depth - 1).saturating_mul(count)
            }
            _ => 0,
        }
    }
}

/// Whether C and C++ keep a name for their implementations.
fn is_reserved(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next() == Some('_') && letters.next().is_some_and(|c| c == '_' || c.is_uppercase())
}

/// Deeper nesting than this is not followed (types may be cyclic by mistake).
const DEPTH: u32 = 32;

/// Longer lists of scalars are not made.
const MOST_SCALARS: usize = 1 << 16;

#[cfg(test)]
mod tests {
    use super::*;

    fn scalar(name: &str, size: u64) -> DebugType {
        DebugType::Scalar { name: name.into(), size, encoding: Encoding::Unknown }
    }

    #[test]
    fn paths_name_fields_and_elements() {
        let mut table = TypeTable::default();
        let int = table.add(scalar("int", 4));
        let pointer = table.add(scalar("node *", 8));
        let node = table.add(DebugType::Struct {
            name: "node".into(),
            size: 16,
            fields: vec![
                Field { name: "value".into(), offset: 0, kind: int },
                Field { name: "next".into(), offset: 8, kind: pointer },
            ],
        });
        let nodes = table.add(DebugType::Array { element: node, count: 4 });
        let queue = table.add(DebugType::Struct {
            name: "queue".into(),
            size: 72,
            fields: vec![
                Field { name: "head".into(), offset: 0, kind: pointer },
                Field { name: "nodes".into(), offset: 8, kind: nodes },
            ],
        });
        assert_eq!(table.path(queue, 0), ".head");
        assert_eq!(table.path(queue, 8 + 16 + 8), ".nodes[1].next");
        assert_eq!(table.path(queue, 8 + 16 + 9), ".nodes[1].next+1");
        assert_eq!(table.path(queue, 8 + 4), ".nodes[0]+4");
        let lock = Field { name: "__lock".into(), offset: 0, kind: int };
        let mutex =
            table.add(DebugType::Struct { name: "mutex".into(), size: 40, fields: vec![lock] });
        assert_eq!(table.path(mutex, 0), "");
        assert_eq!(table.name_of_part(queue, 8 + 16 + 8, 8), Some("node *"));
        assert_eq!(table.name_of_part(queue, 8 + 16, 16), Some("node"));
        assert_eq!(table.name_of_part(queue, 8 + 16 + 8, 4), None, "half a pointer");
        assert_eq!(table.name_of_part(mutex, 0, 4), None, "a part that the source does not name");
    }

    #[test]
    fn encodings_are_those_of_whole_scalars() {
        let mut table = TypeTable::default();
        let float = DebugType::Scalar { name: "float".into(), size: 4, encoding: Encoding::Float };
        let float = table.add(float);
        let value = Field { name: "_M_i".into(), offset: 0, kind: float };
        let atomic =
            table.add(DebugType::Struct { name: "atomic".into(), size: 4, fields: vec![value] });
        let atomics = table.add(DebugType::Array { element: atomic, count: 3 });
        assert_eq!(table.encoding_of_part(atomics, 4, 4), Some(&Encoding::Float));
        assert_eq!(table.encoding_of_part(atomics, 4, 2), None, "half of it");
        assert_eq!(table.encoding_of_part(atomics, 6, 2), None, "the other half");
    }

    #[test]
    fn scalars_leave_padding_out_and_refuse_overlap() {
        let mut table = TypeTable::default();
        let int = table.add(scalar("int", 4));
        let pointer = table.add(scalar("void *", 8));
        let field = |offset, kind| Field { name: "f".into(), offset, kind };
        let pair = table.add(DebugType::Struct {
            name: "pair".into(),
            size: 16,
            fields: vec![field(0, int), field(8, pointer)],
        });
        let pairs = table.add(DebugType::Array { element: pair, count: 3 });
        assert_eq!(table.scalars(pairs, 16..32), Some(vec![(16, 4), (24, 8)]));
        assert_eq!(table.scalars(pairs, 8..24), Some(vec![(8, 8), (16, 4)]));
        assert_eq!(table.scalars(pairs, 0..2), None, "half an int");
        let either = table.add(DebugType::Struct {
            name: "union".into(),
            size: 8,
            fields: vec![field(0, int), field(0, pointer)],
        });
        assert_eq!(table.scalars(either, 0..8), None);
    }
}
