//! The instruction set.
//!
//! Instructions are `Copy` and 16 bytes. Integer instructions of a *width* (in bits) read cells
//! that are zero-extended from that width and leave one that is. Unless said otherwise a width is
//! 1 to 64; instructions with `Wide` in their name take widths of 65 to 128 and pairs of cells.
//! Targets are program counters within the same function.

use crate::{ExternalId, FunctionId, GlobalId, LocalId, LoopId, Operand, Register};
use norn_action::{Compare, Mode, RmwOp};

/// Two-operand integer functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// Wrapping addition.
    Add,
    /// Wrapping subtraction.
    Sub,
    /// Wrapping multiplication.
    Mul,
    /// Unsigned division; faults on zero.
    UDiv,
    /// Signed division; faults on zero and on overflow.
    SDiv,
    /// Unsigned remainder; faults on zero.
    URem,
    /// Signed remainder; faults on zero and on overflow.
    SRem,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Shift left; undefined if the amount is not below the width.
    Shl,
    /// Logical shift right; undefined if the amount is not below the width.
    LShr,
    /// Arithmetic shift right; undefined if the amount is not below the width.
    AShr,
    /// Unsigned maximum.
    UMax,
    /// Unsigned minimum.
    UMin,
    /// Signed maximum.
    SMax,
    /// Signed minimum.
    SMin,
    /// Unsigned saturating addition.
    UAddSat,
    /// Unsigned saturating subtraction.
    USubSat,
    /// Signed saturating addition.
    SAddSat,
    /// Signed saturating subtraction.
    SSubSat,
}

/// One-operand integer functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// Number of one bits.
    PopCount,
    /// Leading zero bits (the width if the operand is zero).
    LeadingZeros,
    /// Trailing zero bits (the width if the operand is zero).
    TrailingZeros,
    /// Bytes in reverse order.
    ByteSwap,
    /// Bits in reverse order.
    BitReverse,
    /// Wrapping absolute value.
    Abs,
}

/// Two-operand floating-point functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatBinaryOp {
    /// Addition.
    Add,
    /// Subtraction.
    Sub,
    /// Multiplication.
    Mul,
    /// Division.
    Div,
    /// Remainder with the sign of the dividend (`fmod`).
    Rem,
    /// The smaller one; the other one if one is not a number.
    Min,
    /// The larger one; the other one if one is not a number.
    Max,
    /// The first with the sign of the second.
    CopySign,
    /// The first to the power of the second.
    Pow,
}

/// One-operand floating-point functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatUnaryOp {
    /// Negation.
    Neg,
    /// Absolute value.
    Abs,
    /// Square root.
    Sqrt,
    /// Towards minus infinity.
    Floor,
    /// Towards plus infinity.
    Ceil,
    /// Towards zero.
    Trunc,
    /// To nearest, halves away from zero.
    Round,
    /// To nearest, halves to even (`rint`, `nearbyint`, `roundeven`).
    RoundEven,
}

/// Floating-point comparisons as in IR; `U` forms hold if an operand is not a number.
#[allow(missing_docs)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatCompare {
    False,
    Oeq,
    Ogt,
    Oge,
    Olt,
    Ole,
    One,
    Ord,
    Ueq,
    Ugt,
    Uge,
    Ult,
    Ule,
    Une,
    Uno,
    True,
}

/// Conversions between integers and floating-point numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatConvert {
    /// Float of `from` bits to signed integer of `to` bits (1 to 128), saturating.
    ToSigned,
    /// Float of `from` bits to unsigned integer of `to` bits (1 to 128), saturating.
    ToUnsigned,
    /// Signed integer of `from` bits (1 to 128) to float of `to` bits.
    FromSigned,
    /// Unsigned integer of `from` bits (1 to 128) to float of `to` bits.
    FromUnsigned,
    /// Between 32 and 64 bits.
    Resize,
}

/// One instruction. Each variant's text names its fields.
#[allow(missing_docs)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Instruction {
    // --- moves ------------------------------------------------------------------------------
    /// `dst = src`.
    Move { dst: Register, src: Operand },
    /// `count` cells from `src` to `dst`; they may overlap.
    MoveMany { count: u16, dst: Register, src: Operand },
    /// `dst = src`, defined from here on, whatever bits of `src` were never written.
    Freeze { dst: Register, src: Operand },
    /// `dst = src` if the low bit of `condition` is set, else nothing.
    MoveIf { dst: Register, condition: Operand, src: Operand },

    // --- integers: the frequent ones ----------------------------------------------------------
    /// `dst = a + b`.
    Add { width: u8, dst: Register, a: Operand, b: Operand },
    /// `dst = a - b`.
    Sub { width: u8, dst: Register, a: Operand, b: Operand },
    /// `dst = a * b`.
    Mul { width: u8, dst: Register, a: Operand, b: Operand },
    /// `dst = a & b`.
    And { dst: Register, a: Operand, b: Operand },
    /// `dst = a | b`.
    Or { dst: Register, a: Operand, b: Operand },
    /// `dst = a ^ b`.
    Xor { dst: Register, a: Operand, b: Operand },
    /// `dst = base + index * scale`, wrapping at 64 bits.
    Lea { scale: u16, dst: Register, base: Operand, index: Operand },
    /// `dst` = the low `width` bits of `src`.
    Truncate { width: u8, dst: Register, src: Operand },
    /// `dst` = `src` sign-extended from `from` to `to` bits (`to` at most 64).
    SignExtend { from: u8, to: u8, dst: Register, src: Operand },
    /// `dst = a == b`.
    Equal { dst: Register, a: Operand, b: Operand },
    /// `dst = a != b`.
    NotEqual { dst: Register, a: Operand, b: Operand },
    /// `dst = a < b`, unsigned.
    Below { dst: Register, a: Operand, b: Operand },
    /// `dst = a <= b`, unsigned.
    BelowEqual { dst: Register, a: Operand, b: Operand },
    /// `dst = a < b`, signed.
    Less { width: u8, dst: Register, a: Operand, b: Operand },
    /// `dst = a <= b`, signed.
    LessEqual { width: u8, dst: Register, a: Operand, b: Operand },

    // --- integers: the rest ---------------------------------------------------------------------
    /// `dst = op(a, b)`.
    Binary { op: BinaryOp, width: u8, dst: Register, a: Operand, b: Operand },
    /// `dst = op(a, b)` on pairs.
    WideBinary { op: BinaryOp, width: u8, dst: Register, a: Operand, b: Operand },
    /// Comparison of pairs; one cell of result.
    WideCompare { compare: Compare, width: u8, dst: Register, a: Operand, b: Operand },
    /// `dst = op(a, b)` and then, in the next cell, whether it overflowed (`Add`, `Sub`, `Mul`). For
    /// widths above 64 the operands and the result are pairs and the flag is the third cell.
    Overflow { op: BinaryOp, signed: bool, width: u8, dst: Register, a: Operand, b: Operand },
    /// `dst = op(a)`; pairs for widths above 64.
    Unary { op: UnaryOp, width: u8, dst: Register, a: Operand },
    /// The upper `width` bits of the double-width number `pair` (high part in its first cell, low
    /// part in the next) shifted left by `amount` modulo the width.
    FunnelLeft { width: u8, dst: Register, pair: Operand, amount: Operand },
    /// The lower `width` bits of that number shifted right by `amount` modulo the width.
    FunnelRight { width: u8, dst: Register, pair: Operand, amount: Operand },

    // --- floating point (width 32 or 64) --------------------------------------------------------
    /// `dst = op(a, b)`.
    FloatBinary { op: FloatBinaryOp, width: u8, dst: Register, a: Operand, b: Operand },
    /// `dst = op(a)`.
    FloatUnary { op: FloatUnaryOp, width: u8, dst: Register, a: Operand },
    /// `dst = a compare b`.
    FloatCompare { compare: FloatCompare, width: u8, dst: Register, a: Operand, b: Operand },
    /// A conversion; integers above 64 bits are pairs.
    FloatConvert { convert: FloatConvert, from: u8, to: u8, dst: Register, src: Operand },

    // --- memory: sizes are 1, 2, 4, 8 or 16 bytes; 16 bytes are a pair ----------------------------
    /// Reads `size` bytes at `address + offset`.
    Load { size: u8, mode: Mode, dst: Register, address: Operand, offset: i32 },
    /// Writes the low `size` bytes of `value` at `address + offset`.
    Store { size: u8, mode: Mode, value: Operand, address: Operand, offset: i32 },
    /// Read-modify-write; `dst` gets the value read.
    Rmw { op: RmwOp, size: u8, mode: Mode, dst: Register, address: Operand, value: Operand },
    /// Compare-exchange. `operands` names the expected value and, in the cell (or pair) right after
    /// it, the new one. `dst` gets the value read and, in the cell after it, whether it was equal.
    CompareExchange {
        size: u8,
        mode: Mode,
        failure: Mode,
        dst: Register,
        address: Operand,
        operands: Operand,
    },
    /// A fence.
    Fence { mode: Mode },
    /// Copies `length` bytes; with `overlap` (memmove) the ranges may overlap. `align` is the
    /// alignment that the source promises for both (1, 2, 4, 8 …): shared memory is copied in pieces
    /// no larger than it, so that a struct of ints is copied int by int.
    CopyMemory { overlap: bool, align: u8, to: Operand, from: Operand, length: Operand },
    /// Sets `length` bytes to the low byte of `value`; `align` as for [`Instruction::CopyMemory`].
    SetMemory { align: u8, to: Operand, value: Operand, length: Operand },
    /// A new local variable of `size` bytes that lives until the function returns (or a
    /// [`Instruction::StackRestore`]); `dst` gets its address.
    Alloca { dst: Register, size: Operand, local: LocalId },
    /// `dst` gets a mark of the stack objects so far.
    StackSave { dst: Register },
    /// Ends the life of the stack objects allocated since the mark in `mark`.
    StackRestore { mark: Operand },
    /// Ends the life of the local variable at `address`, if it is alive.
    EndScope { address: Operand },
    /// `dst` gets the address of this thread's copy of a thread-local global.
    ThreadLocal { dst: Register, global: GlobalId },
    /// Fills the x86-64 `va_list` (24 bytes) at `list` so that the variadic cells of this call are
    /// found in its overflow area, and the register areas are exhausted.
    VaStart { list: Operand },

    // --- control ------------------------------------------------------------------------------
    /// Goes to `target`.
    Jump { target: u32 },
    /// Goes to `then` if the low bit of `condition` is set, else to `otherwise`.
    Branch { condition: Operand, then: u32, otherwise: u32 },
    /// Goes to `target` if `a == b`, else on.
    JumpEqual { a: Operand, b: Operand, target: u32 },
    /// Goes to `target` if `a != b`, else on.
    JumpNotEqual { a: Operand, b: Operand, target: u32 },
    /// Goes to `target` if `a < b`, unsigned, else on.
    JumpBelow { a: Operand, b: Operand, target: u32 },
    /// Goes to `target` if `a <= b`, unsigned, else on.
    JumpBelowEqual { a: Operand, b: Operand, target: u32 },
    /// Goes to `target` if `a < b`, signed, else on.
    JumpLess { width: u8, a: Operand, b: Operand, target: u32 },
    /// Goes to `target` if `a <= b`, signed, else on.
    JumpLessEqual { width: u8, a: Operand, b: Operand, target: u32 },
    /// Goes where entry `table` of [`crate::Program::switches`] says for `value`.
    Switch { value: Operand, table: u32 },
    /// The head of loop `id`; control passes here once before each iteration, the first included.
    LoopHeader { id: LoopId },
    /// Loop `id` was not left at its top: an iteration starts here.
    LoopIteration { id: LoopId },

    // --- calls: `args` is the start of `count` entries of `Program::arguments`, a cell each ---------
    /// Calls a function with a body. Cells beyond the parameters are the variadic ones: the literal
    /// content of the overflow area of the x86-64 convention, 8 bytes a cell.
    Call { results: u8, count: u16, function: FunctionId, args: u32, dst: Register },
    /// Calls the function whose address is in `target`.
    CallIndirect { results: u8, count: u16, target: Operand, args: u32, dst: Register },
    /// Calls a function of the runtime.
    CallExternal { results: u8, count: u16, external: ExternalId, args: u32, dst: Register },
    /// The first instruction of a landing pad ([`crate::Pad`]): `dst` = the exception that led there, and the cell
    /// after it = the selector of the clause that takes it, or zero.
    Landing { dst: Register },
    /// Returns `count` cells that start at `value`.
    Return { count: u16, value: Operand },

    // --- trouble ------------------------------------------------------------------------------
    /// Makes the `cells` at `register`, a promoted local that may be read before it is written, undefined
    /// if its flag is zero; `message` is its name.
    CheckInitialised { cells: u8, flag: Register, register: Register, message: u32 },
    /// A fault of the program.
    Trap(Trap),
    /// Something the lowering cannot express; matters only if it is reached.
    Unsupported { message: u32 },
}

const _: () = assert!(size_of::<Instruction>() == 16);

/// What is wrong with a program that gets there. All of it is undefined behaviour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trap {
    /// Code of which the compiler was told that it is never reached.
    Unreachable,
    /// `__builtin_trap` and the like.
    Reached,
    /// A computed goto to something that is no label.
    NoLabel,
    /// A call of this function with a type that is not its own.
    WrongType(FunctionId),
}
