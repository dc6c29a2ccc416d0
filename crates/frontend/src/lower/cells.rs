//! How values of a type lie in cells and in memory.
//!
//! A scalar takes one cell (two above 64 bits); arrays, structures and vectors take those of their
//! parts in order. `x86_fp80` is computed with as a double, and only its first eight bytes in memory
//! are used; the user is told.

use norn_llvm::{FloatKind, Module, Type, TypeId};

/// Values with more cells than this are not kept in registers.
pub(super) const MAX_CELLS: u32 = 2048;

/// A scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    /// An integer of up to 128 bits.
    Int(u32),
    /// A pointer.
    Ptr,
    /// `float`
    Float,
    /// `double`
    Double,
    /// `x86_fp80`, computed with as a double.
    Extended,
}

impl Scalar {
    /// How many cells it takes.
    pub fn cells(self) -> u32 {
        if matches!(self, Scalar::Int(bits) if bits > 64) { 2 } else { 1 }
    }

    /// Its width in bits as an integer in cells.
    pub fn bits(self) -> u32 {
        match self {
            Scalar::Int(bits) => bits,
            Scalar::Float => 32,
            Scalar::Ptr | Scalar::Double | Scalar::Extended => 64,
        }
    }

    /// Whether the same bits in a cell are a value of the other one too.
    pub fn lies_like(self, other: Scalar) -> bool {
        let extended = |scalar| scalar == Scalar::Extended;
        self == other || (self.bits() == other.bits() && !extended(self) && !extended(other))
    }

    /// Width of the floating-point operations on it.
    pub fn float_width(self) -> Option<u8> {
        match self {
            Scalar::Float => Some(32),
            Scalar::Double | Scalar::Extended => Some(64),
            _ => None,
        }
    }

    /// Bytes that it occupies in memory, as far as they are used.
    pub fn bytes(self) -> u32 {
        self.bits().div_ceil(8)
    }
}

/// A scalar inside a value: where it lies in the cells and in memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    /// What it is.
    pub scalar: Scalar,
    /// First cell.
    pub cell: u32,
    /// First byte in memory.
    pub offset: u64,
}

/// The scalar that a type is; `None`: it is none, or one that is not supported.
pub(super) fn scalar(module: &Module, ty: TypeId) -> Option<Scalar> {
    match module.types.get(ty) {
        Type::Int(bits) if *bits <= 128 => Some(Scalar::Int(*bits)),
        Type::Ptr(_) => Some(Scalar::Ptr),
        Type::Float(FloatKind::Float) => Some(Scalar::Float),
        Type::Float(FloatKind::Double) => Some(Scalar::Double),
        Type::Float(FloatKind::X86Fp80) => Some(Scalar::Extended),
        _ => None,
    }
}

/// The width of an integer or a pointer of one cell.
pub(super) fn number_bits(module: &Module, ty: TypeId) -> Option<u8> {
    match scalar(module, ty)? {
        Scalar::Int(bits) if bits <= 64 => Some(bits as u8),
        Scalar::Ptr => Some(64),
        _ => None,
    }
}

/// How many cells a value takes; `None`: it cannot be kept in cells.
pub(super) fn cells(module: &Module, ty: TypeId) -> Option<u32> {
    if let Some(scalar) = scalar(module, ty) {
        return Some(scalar.cells());
    }
    let total = match module.types.resolve(ty) {
        Type::Array { len, element } => {
            u32::try_from(*len).ok()?.checked_mul(cells(module, *element)?)?
        }
        Type::Vector { len, scalable: false, element } => {
            len.checked_mul(cells(module, *element)?)?
        }
        Type::Struct { fields, .. } => {
            let mut total = 0u32;
            for &field in fields {
                total = total.checked_add(cells(module, field)?)?;
                if total > MAX_CELLS {
                    return None;
                }
            }
            total
        }
        _ => return None,
    };
    (total <= MAX_CELLS).then_some(total)
}

/// The scalars of a type in order; `None` as for [`cells`].
pub(super) fn leaves(module: &Module, ty: TypeId) -> Option<Vec<Leaf>> {
    cells(module, ty)?;
    let mut list = Vec::new();
    collect(module, ty, 0, &mut 0, &mut list)?;
    Some(list)
}

fn collect(
    module: &Module,
    ty: TypeId,
    offset: u64,
    cell: &mut u32,
    list: &mut Vec<Leaf>,
) -> Option<()> {
    if let Some(scalar) = scalar(module, ty) {
        list.push(Leaf { scalar, cell: *cell, offset });
        *cell += scalar.cells();
        return Some(());
    }
    match module.types.resolve(ty) {
        Type::Array { len, element } => {
            let size = module.layout.of(*element)?.size;
            for i in 0..*len {
                collect(module, *element, offset + i * size, cell, list)?;
            }
        }
        Type::Vector { len, element, .. } => {
            // Elements of a vector are packed by bits; only whole bytes are supported.
            let bits = scalar(module, *element)?.bits();
            if bits % 8 != 0 {
                return collect_bits(module, *element, *len, cell, list);
            }
            for i in 0..*len {
                let offset = offset + u64::from(i) * u64::from(bits / 8);
                collect(module, *element, offset, cell, list)?;
            }
        }
        Type::Struct { fields, .. } => {
            for (i, &field) in fields.iter().enumerate() {
                let start = module.layout.field_offset(&module.types, ty, i)?;
                collect(module, field, offset + start, cell, list)?;
            }
        }
        _ => return None,
    }
    Some(())
}

/// The elements of a vector of truth values: they have cells, but no byte of their own in memory.
fn collect_bits(
    module: &Module,
    element: TypeId,
    len: u32,
    cell: &mut u32,
    list: &mut Vec<Leaf>,
) -> Option<()> {
    for _ in 0..len {
        list.push(Leaf { scalar: scalar(module, element)?, cell: *cell, offset: u64::MAX });
        *cell += 1;
    }
    Some(())
}

/// The first cell and the type of the member of `ty` that the indices name.
pub(super) fn member(module: &Module, ty: TypeId, indices: &[u32]) -> Option<(u32, TypeId)> {
    let (mut cell, mut ty) = (0, ty);
    for &index in indices {
        let next = module.types.element(ty, u64::from(index))?;
        cell += match module.types.resolve(ty) {
            Type::Struct { fields, .. } => {
                let mut before = 0;
                for &field in fields.iter().take(index as usize) {
                    before += cells(module, field)?;
                }
                before
            }
            _ => index.checked_mul(cells(module, next)?)?,
        };
        ty = next;
    }
    Some((cell, ty))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_follow_each_other() {
        let module = norn_llvm::read(
            "target datalayout = \"e-i64:64-i128:128\"\n\
             @x = external global { i8, [2 x { i32, i128 }], <2 x float> }\n",
        )
        .unwrap();
        let ty = module.globals[0].ty;
        assert_eq!(cells(&module, ty), Some(1 + 2 * 3 + 2));
        let leaves = leaves(&module, ty).unwrap();
        let places: Vec<_> = leaves.iter().map(|leaf| (leaf.cell, leaf.offset)).collect();
        assert_eq!(places, [(0, 0), (1, 16), (2, 32), (4, 48), (5, 64), (7, 80), (8, 84)]);
        let (cell, _) = member(&module, ty, &[1, 1, 1]).unwrap();
        assert_eq!(cell, 5);
    }

    #[test]
    fn large_values_have_no_cells() {
        let module = norn_llvm::read("@x = external global [100000 x i8]\n").unwrap();
        assert_eq!(cells(&module, module.globals[0].ty), None);
    }
}
