//! Constants.

use crate::ast::{BlockId, SymbolId};
use crate::instruction::{BinaryOp, CastOp, FloatPredicate, IntPredicate};
use crate::types::TypeId;

/// A constant of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConstId(pub u32);

/// A typed constant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Constant {
    /// Its type.
    pub ty: TypeId,
    /// Its value.
    pub kind: ConstantKind,
}

/// The value of a constant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ConstantKind {
    /// An integer of at most 128 bits, cut to its width.
    Int(u128),
    /// A wider integer: little-endian words, sign-extended from the last one to the width.
    WideInt(Box<[u64]>),
    /// The bits of a floating-point number in its own format.
    Float(u128),
    /// `null`
    Null,
    /// `undef`
    Undef,
    /// `poison`
    Poison,
    /// `zeroinitializer`, or `none` of a token.
    Zero,
    /// An array, structure or vector.
    Aggregate(Box<[ConstId]>),
    /// An array of bytes.
    Bytes(Box<[u8]>),
    /// A vector of equal elements.
    Splat(ConstId),
    /// The address of a symbol.
    Symbol(SymbolId),
    /// Address arithmetic.
    Gep {
        /// Type the indices walk through.
        source: TypeId,
        /// Where it starts.
        base: ConstId,
        /// The indices.
        indices: Box<[ConstId]>,
    },
    /// A conversion.
    Cast {
        /// Which.
        op: CastOp,
        /// Of what.
        value: ConstId,
    },
    /// An arithmetic operation.
    Binary {
        /// Which.
        op: BinaryOp,
        /// Left operand.
        left: ConstId,
        /// Right operand.
        right: ConstId,
    },
    /// An integer comparison.
    Icmp {
        /// Which.
        predicate: IntPredicate,
        /// Left operand.
        left: ConstId,
        /// Right operand.
        right: ConstId,
    },
    /// A floating-point comparison.
    Fcmp {
        /// Which.
        predicate: FloatPredicate,
        /// Left operand.
        left: ConstId,
        /// Right operand.
        right: ConstId,
    },
    /// A choice.
    Select {
        /// Condition.
        condition: ConstId,
        /// If true.
        then: ConstId,
        /// If false.
        other: ConstId,
    },
    /// The address of a basic block.
    BlockAddress {
        /// The function.
        function: SymbolId,
        /// The block in it; `None` while the function is only declared.
        block: Option<BlockId>,
    },
}
