//! Instructions.

use crate::ast::{BlockId, LocalId, ParamAttributes};
use crate::constant::ConstId;
use crate::metadata::MetadataId;
use crate::types::TypeId;

/// A value that an instruction uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// A parameter or the result of an instruction.
    Local(LocalId),
    /// A constant.
    Const(ConstId),
    /// A metadata argument of an intrinsic; its content is not kept.
    Metadata,
}

macro_rules! named_enum {
    ($(#[$meta:meta])* $name:ident { $($(#[$vmeta:meta])* $variant:ident = $text:literal),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$vmeta])* #[doc = concat!("`", $text, "`")] $variant),* }

        impl $name {
            /// How it is spelled in the text.
            pub fn name(self) -> &'static str {
                match self { $($name::$variant => $text),* }
            }

            /// The one that is spelled like this.
            pub(crate) fn parse(word: &[u8]) -> Option<$name> {
                $(if word == $text.as_bytes() { return Some($name::$variant); })*
                None
            }
        }
    };
}

named_enum! {
    /// Two-operand arithmetic.
    BinaryOp {
        Add = "add", Sub = "sub", Mul = "mul", Udiv = "udiv", Sdiv = "sdiv", Urem = "urem",
        Srem = "srem", Shl = "shl", Lshr = "lshr", Ashr = "ashr", And = "and", Or = "or",
        Xor = "xor", Fadd = "fadd", Fsub = "fsub", Fmul = "fmul", Fdiv = "fdiv", Frem = "frem",
    }
}

named_enum! {
    /// Conversions.
    CastOp {
        Trunc = "trunc", Zext = "zext", Sext = "sext", Fptrunc = "fptrunc", Fpext = "fpext",
        Fptoui = "fptoui", Fptosi = "fptosi", Uitofp = "uitofp", Sitofp = "sitofp",
        Ptrtoint = "ptrtoint", Ptrtoaddr = "ptrtoaddr", Inttoptr = "inttoptr",
        Bitcast = "bitcast", Addrspacecast = "addrspacecast",
    }
}

named_enum! {
    /// Integer comparisons.
    IntPredicate {
        Eq = "eq", Ne = "ne", Ugt = "ugt", Uge = "uge", Ult = "ult", Ule = "ule", Sgt = "sgt",
        Sge = "sge", Slt = "slt", Sle = "sle",
    }
}

named_enum! {
    /// Floating-point comparisons.
    FloatPredicate {
        False = "false", Oeq = "oeq", Ogt = "ogt", Oge = "oge", Olt = "olt", Ole = "ole",
        One = "one", Ord = "ord", Ueq = "ueq", Ugt = "ugt", Uge = "uge", Ult = "ult", Ule = "ule",
        Une = "une", Uno = "uno", True = "true",
    }
}

named_enum! {
    /// Memory orderings.
    Ordering {
        Unordered = "unordered", Monotonic = "monotonic", Acquire = "acquire",
        Release = "release", AcqRel = "acq_rel", SeqCst = "seq_cst",
    }
}

named_enum! {
    /// What an `atomicrmw` does.
    RmwOperation {
        Xchg = "xchg", Add = "add", Sub = "sub", And = "and", Nand = "nand", Or = "or",
        Xor = "xor", Max = "max", Min = "min", Umax = "umax", Umin = "umin", Fadd = "fadd",
        Fsub = "fsub", Fmax = "fmax", Fmin = "fmin", Fmaximum = "fmaximum",
        Fminimum = "fminimum", UincWrap = "uinc_wrap", UdecWrap = "udec_wrap",
        UsubCond = "usub_cond", UsubSat = "usub_sat",
    }
}

/// Promises about the result of an arithmetic operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BinaryFlags {
    /// No unsigned wrap.
    pub nuw: bool,
    /// No signed wrap.
    pub nsw: bool,
    /// No remainder.
    pub exact: bool,
}

/// How memory is accessed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryAccess {
    /// Alignment in bytes; 0 if not given.
    pub align: u32,
    /// `volatile`
    pub volatile: bool,
    /// Only ordered with signal handlers of the same thread.
    pub single_thread: bool,
    /// Ordering; `None`: not atomic.
    pub ordering: Option<Ordering>,
}

/// A `cmpxchg`.
#[derive(Clone, Debug)]
pub struct CmpXchg {
    /// Where; the ordering is that of success.
    pub access: MemoryAccess,
    /// Ordering if it fails.
    pub failure: Ordering,
    /// May fail for no reason.
    pub weak: bool,
    /// Address.
    pub pointer: Operand,
    /// Expected value.
    pub expected: Operand,
    /// New value.
    pub new: Operand,
}

/// An `atomicrmw`.
#[derive(Clone, Debug)]
pub struct AtomicRmw {
    /// Where.
    pub access: MemoryAccess,
    /// What.
    pub operation: RmwOperation,
    /// Address.
    pub pointer: Operand,
    /// Operand.
    pub value: Operand,
}

/// Inline assembly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlineAsm {
    /// The template.
    pub template: String,
    /// The constraints.
    pub constraints: String,
    /// Whether it has effects that the constraints do not show.
    pub side_effect: bool,
}

/// Who is called.
#[derive(Clone, Debug)]
pub enum Callee {
    /// A function by name or through a pointer.
    Value(Operand),
    /// Assembly.
    Asm(Box<InlineAsm>),
}

/// A call.
#[derive(Clone, Debug)]
pub struct Call {
    /// Who is called.
    pub callee: Callee,
    /// Type of the result.
    pub ret: TypeId,
    /// The full function type, where the text gives it (calls of variadic functions).
    pub function_type: Option<TypeId>,
    /// Arguments with their attributes.
    pub args: Box<[(Operand, ParamAttributes)]>,
    /// `musttail`
    pub must_tail: bool,
}

/// A clause of a landing pad.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clause {
    /// `catch`
    Catch(Operand),
    /// `filter`
    Filter(Operand),
}

/// An instruction.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// What it does.
    pub op: Op,
    /// The local that it defines.
    pub result: Option<LocalId>,
    /// `!dbg`, a `DILocation`.
    pub debug: Option<MetadataId>,
    /// Line of the text.
    pub line: u32,
}

/// What an instruction does. Field names follow the language reference.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Op {
    Ret(Option<Operand>),
    Br(BlockId),
    CondBr { condition: Operand, then: BlockId, other: BlockId },
    Switch { value: Operand, default: BlockId, cases: Box<[(ConstId, BlockId)]> },
    IndirectBr { address: Operand, targets: Box<[BlockId]> },
    Invoke { call: Box<Call>, normal: BlockId, unwind: BlockId },
    Resume(Operand),
    Unreachable,
    Fneg(Operand),
    Binary { op: BinaryOp, flags: BinaryFlags, left: Operand, right: Operand },
    ExtractElement { vector: Operand, index: Operand },
    InsertElement { vector: Operand, element: Operand, index: Operand },
    ShuffleVector { left: Operand, right: Operand, mask: ConstId },
    ExtractValue { aggregate: Operand, indices: Box<[u32]> },
    InsertValue { aggregate: Operand, element: Operand, indices: Box<[u32]> },
    Alloca { ty: TypeId, count: Option<Operand>, align: u32 },
    Load { ty: TypeId, pointer: Operand, access: MemoryAccess },
    Store { value: Operand, pointer: Operand, access: MemoryAccess },
    Fence(MemoryAccess),
    CmpXchg(Box<CmpXchg>),
    AtomicRmw(Box<AtomicRmw>),
    Gep { source: TypeId, base: Operand, indices: Box<[Operand]>, inbounds: bool },
    Cast { op: CastOp, value: Operand, to: TypeId },
    Icmp { predicate: IntPredicate, left: Operand, right: Operand },
    Fcmp { predicate: FloatPredicate, left: Operand, right: Operand },
    Phi { ty: TypeId, incoming: Box<[(Operand, BlockId)]> },
    Select { condition: Operand, then: Operand, other: Operand },
    Freeze(Operand),
    Call(Box<Call>),
    VaArg { list: Operand, ty: TypeId },
    LandingPad { ty: TypeId, cleanup: bool, clauses: Box<[Clause]> },
}

impl Op {
    /// Whether it ends a block.
    pub fn is_terminator(&self) -> bool {
        matches!(
            self,
            Op::Ret(_)
                | Op::Br(_)
                | Op::CondBr { .. }
                | Op::Switch { .. }
                | Op::IndirectBr { .. }
                | Op::Invoke { .. }
                | Op::Resume(_)
                | Op::Unreachable
        )
    }

    /// Calls `f` on every operand, in order, once for each mention.
    pub fn for_each_operand(&self, mut f: impl FnMut(Operand)) {
        match self {
            Op::Br(_) | Op::Unreachable | Op::Fence(_) | Op::LandingPad { .. } => {}
            Op::Ret(value) => value.iter().copied().for_each(f),
            Op::Alloca { count, .. } => count.iter().copied().for_each(f),
            Op::CondBr { condition: value, .. }
            | Op::Switch { value, .. }
            | Op::IndirectBr { address: value, .. }
            | Op::Resume(value)
            | Op::Fneg(value)
            | Op::Freeze(value)
            | Op::Cast { value, .. }
            | Op::VaArg { list: value, .. }
            | Op::ExtractValue { aggregate: value, .. }
            | Op::Load { pointer: value, .. } => f(*value),
            Op::Binary { left: a, right: b, .. }
            | Op::Icmp { left: a, right: b, .. }
            | Op::Fcmp { left: a, right: b, .. }
            | Op::ExtractElement { vector: a, index: b }
            | Op::ShuffleVector { left: a, right: b, .. }
            | Op::InsertValue { aggregate: a, element: b, .. }
            | Op::Store { value: a, pointer: b, .. } => [*a, *b].into_iter().for_each(f),
            Op::InsertElement { vector: a, element: b, index: c }
            | Op::Select { condition: a, then: b, other: c } => {
                [*a, *b, *c].into_iter().for_each(f);
            }
            Op::CmpXchg(op) => [op.pointer, op.expected, op.new].into_iter().for_each(f),
            Op::AtomicRmw(op) => [op.pointer, op.value].into_iter().for_each(f),
            Op::Gep { base, indices, .. } => {
                f(*base);
                indices.iter().copied().for_each(f);
            }
            Op::Phi { incoming, .. } => incoming.iter().for_each(|i| f(i.0)),
            Op::Call(call) | Op::Invoke { call, .. } => {
                if let Callee::Value(callee) = call.callee {
                    f(callee);
                }
                call.args.iter().for_each(|arg| f(arg.0));
            }
        }
    }

    /// Calls `f` on every block that may come next, once for each mention.
    pub fn for_each_successor(&self, mut f: impl FnMut(BlockId)) {
        match self {
            Op::Br(target) => f(*target),
            Op::CondBr { then, other, .. } => [*then, *other].into_iter().for_each(f),
            Op::Switch { default, cases, .. } => {
                f(*default);
                cases.iter().for_each(|case| f(case.1));
            }
            Op::IndirectBr { targets, .. } => targets.iter().copied().for_each(f),
            Op::Invoke { normal, unwind, .. } => [*normal, *unwind].into_iter().for_each(f),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_are_found_again() {
        for op in [BinaryOp::Add, BinaryOp::Lshr, BinaryOp::Frem] {
            assert_eq!(BinaryOp::parse(op.name().as_bytes()), Some(op));
        }
        assert_eq!(Ordering::parse(b"relaxed"), None);
    }
}
