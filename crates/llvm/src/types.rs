//! Interned types.

use crate::names::NameId;
use rustc_hash::FxHashMap;

/// No type of a module nests deeper than this.
pub const MAX_NESTING: u32 = 256;

/// A type; equal types of one module have equal ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(pub u32);

/// The floating-point formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatKind {
    /// `half`
    Half,
    /// `bfloat`
    Bfloat,
    /// `float`
    Float,
    /// `double`
    Double,
    /// `x86_fp80`
    X86Fp80,
    /// `fp128`
    Fp128,
    /// `ppc_fp128`
    PpcFp128,
}

impl FloatKind {
    /// Width in bits.
    pub fn bits(self) -> u32 {
        match self {
            FloatKind::Half | FloatKind::Bfloat => 16,
            FloatKind::Float => 32,
            FloatKind::Double => 64,
            FloatKind::X86Fp80 => 80,
            FloatKind::Fp128 | FloatKind::PpcFp128 => 128,
        }
    }
}

/// What a type is made of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `void`
    Void,
    /// `label`
    Label,
    /// `metadata`
    Metadata,
    /// `token`
    Token,
    /// `x86_mmx`, `x86_amx` or `target("...")`: no operation on it is understood.
    Target(NameId),
    /// `iN`
    Int(u32),
    /// A floating-point type.
    Float(FloatKind),
    /// A pointer into an address space.
    Ptr(u32),
    /// `[len x element]`
    Array {
        /// Number of elements.
        len: u64,
        /// Their type.
        element: TypeId,
    },
    /// `<len x element>`
    Vector {
        /// Number of elements.
        len: u32,
        /// Whether it is a multiple of that, known only at run time.
        scalable: bool,
        /// Their type.
        element: TypeId,
    },
    /// A literal structure.
    Struct {
        /// Types of the fields.
        fields: Box<[TypeId]>,
        /// Without padding.
        packed: bool,
    },
    /// A named structure, see [`Types::named`].
    Named(u32),
    /// A function type.
    Function {
        /// Result.
        ret: TypeId,
        /// Parameters.
        params: Box<[TypeId]>,
        /// `...`
        varargs: bool,
    },
}

/// What is known of a named type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedBody {
    /// Mentioned, not defined; does not occur in a module that was read.
    Missing,
    /// `type opaque`
    Opaque,
    /// Its structure.
    Body(TypeId),
}

/// A named type.
#[derive(Clone, Debug)]
pub struct Named {
    /// Its name, without `%`.
    pub name: NameId,
    /// Its structure.
    pub body: NamedBody,
}

/// All types of a module.
#[derive(Clone, Debug)]
pub struct Types {
    types: Vec<Type>,
    ids: FxHashMap<Type, TypeId>,
    named: Vec<Named>,
}

impl Types {
    /// `void`
    pub const VOID: TypeId = TypeId(0);
    /// `label`
    pub const LABEL: TypeId = TypeId(1);
    /// `metadata`
    pub const METADATA: TypeId = TypeId(2);
    /// `token`
    pub const TOKEN: TypeId = TypeId(3);
    /// `i1`
    pub const I1: TypeId = TypeId(4);
    /// `i8`
    pub const I8: TypeId = TypeId(5);
    /// `i32`
    pub const I32: TypeId = TypeId(6);
    /// `i64`
    pub const I64: TypeId = TypeId(7);
    /// `ptr`
    pub const PTR: TypeId = TypeId(8);

    pub(crate) fn new() -> Types {
        let mut types = Types { types: Vec::new(), ids: FxHashMap::default(), named: Vec::new() };
        let first = [Type::Void, Type::Label, Type::Metadata, Type::Token, Type::Int(1)];
        let rest = [Type::Int(8), Type::Int(32), Type::Int(64), Type::Ptr(0)];
        for ty in first.into_iter().chain(rest) {
            types.intern(ty);
        }
        types
    }

    pub(crate) fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.ids.get(&ty) {
            return id;
        }
        let id = TypeId(self.types.len() as u32);
        self.types.push(ty.clone());
        self.ids.insert(ty, id);
        id
    }

    pub(crate) fn add_named(&mut self, name: NameId) -> u32 {
        self.named.push(Named { name, body: NamedBody::Missing });
        self.named.len() as u32 - 1
    }

    pub(crate) fn named_mut(&mut self, index: u32) -> &mut Named {
        &mut self.named[index as usize]
    }

    /// What `id` is; a named type is not resolved.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id.0 as usize]
    }

    /// What `id` is, with a named type replaced by its structure (if it has one).
    pub fn resolve(&self, id: TypeId) -> &Type {
        match self.get(id) {
            Type::Named(index) => match self.named[*index as usize].body {
                NamedBody::Body(body) => self.get(body),
                _ => self.get(id),
            },
            other => other,
        }
    }

    /// A named type.
    pub fn named(&self, index: u32) -> &Named {
        &self.named[index as usize]
    }

    /// How many types there are; their ids are the numbers below.
    pub fn len(&self) -> usize {
        self.types.len()
    }

    /// Never true: some types always exist.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    /// The type at `index` of a structure, an array or a vector.
    pub fn element(&self, id: TypeId, index: u64) -> Option<TypeId> {
        match self.resolve(id) {
            Type::Array { len, element } => (index < *len).then_some(*element),
            Type::Vector { len, element, .. } => (index < u64::from(*len)).then_some(*element),
            Type::Struct { fields, .. } => fields.get(usize::try_from(index).ok()?).copied(),
            _ => None,
        }
    }

    /// Of a vector its element type, of any other type itself.
    pub fn scalar(&self, id: TypeId) -> TypeId {
        match self.get(id) {
            Type::Vector { element, .. } => *element,
            _ => id,
        }
    }

    /// Whether values of this type exist in registers.
    pub fn is_first_class(&self, id: TypeId) -> bool {
        !matches!(self.get(id), Type::Void | Type::Function { .. })
    }

    pub(crate) fn all_named(&self) -> &[Named] {
        &self.named
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = TypeId> + use<> {
        (0..self.types.len() as u32).map(TypeId)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixed_ids_are_what_they_say() {
        let mut types = Types::new();
        assert_eq!(types.get(Types::PTR), &Type::Ptr(0));
        assert_eq!(types.get(Types::I64), &Type::Int(64));
        assert_eq!(types.intern(Type::Int(32)), Types::I32);
        assert_ne!(types.intern(Type::Ptr(1)), Types::PTR);
    }

    #[test]
    fn elements_respect_bounds() {
        let mut types = Types::new();
        let array = types.intern(Type::Array { len: 2, element: Types::I8 });
        assert_eq!(types.element(array, 1), Some(Types::I8));
        assert_eq!(types.element(array, 2), None);
        assert_eq!(types.element(Types::I8, 0), None);
    }
}
