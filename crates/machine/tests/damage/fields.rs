//! The fields of instructions, so that each can be changed.

use norn_action::Mode;
use norn_program::{Instruction, Operand, Register};

/// A field of an instruction.
pub enum Field<'i> {
    Register(&'i mut Register),
    Operand(&'i mut Operand),
    /// A width, a size, an alignment or a number of cells.
    Byte(&'i mut u8),
    Short(&'i mut u16),
    /// A target, or an id.
    Number(&'i mut u32),
    Offset(&'i mut i32),
    Mode(&'i mut Mode),
}

/// Calls `f` on each field of an instruction that is a number or a mode.
pub fn for_each_field(instruction: &mut Instruction, f: &mut dyn FnMut(Field<'_>)) {
    use Field as F;
    use Instruction::*;
    /// One call for each field, by its kind and its name.
    macro_rules! each {
        ($($kind:ident $field:expr),*) => {{ $(f(F::$kind($field));)* }};
    }
    match instruction {
        Move { dst, src } | Freeze { dst, src } => each!(Register dst, Operand src),
        MoveMany { count, dst, src } => each!(Short count, Register dst, Operand src),
        MoveIf { dst, condition, src } => each!(Register dst, Operand condition, Operand src),
        And { dst, a, b }
        | Or { dst, a, b }
        | Xor { dst, a, b }
        | Equal { dst, a, b }
        | NotEqual { dst, a, b }
        | Below { dst, a, b }
        | BelowEqual { dst, a, b } => each!(Register dst, Operand a, Operand b),
        Add { width, dst, a, b }
        | Sub { width, dst, a, b }
        | Mul { width, dst, a, b }
        | Less { width, dst, a, b }
        | LessEqual { width, dst, a, b }
        | Binary { width, dst, a, b, .. }
        | WideBinary { width, dst, a, b, .. }
        | WideCompare { width, dst, a, b, .. }
        | Overflow { width, dst, a, b, .. }
        | FunnelLeft { width, dst, pair: a, amount: b }
        | FunnelRight { width, dst, pair: a, amount: b }
        | FloatBinary { width, dst, a, b, .. }
        | FloatCompare { width, dst, a, b, .. } => {
            each!(Byte width, Register dst, Operand a, Operand b)
        }
        Lea { scale, dst, base, index } => {
            each!(Short scale, Register dst, Operand base, Operand index)
        }
        Truncate { width, dst, src: a } | Unary { width, dst, a, .. } => {
            each!(Byte width, Register dst, Operand a)
        }
        FloatUnary { width, dst, a, .. } => each!(Byte width, Register dst, Operand a),
        SignExtend { from, to, dst, src } | FloatConvert { from, to, dst, src, .. } => {
            each!(Byte from, Byte to, Register dst, Operand src)
        }
        Load { size, mode, dst, address, offset } => {
            each!(Byte size, Mode mode, Register dst, Operand address, Offset offset)
        }
        Store { size, mode, value, address, offset } => {
            each!(Byte size, Mode mode, Operand value, Operand address, Offset offset)
        }
        Rmw { size, mode, dst, address, value, .. } => {
            each!(Byte size, Mode mode, Register dst, Operand address, Operand value)
        }
        CompareExchange { size, mode, failure, dst, address, operands } => {
            each!(Byte size, Mode mode, Mode failure, Register dst, Operand address);
            each!(Operand operands)
        }
        Fence { mode } => each!(Mode mode),
        CopyMemory { align, to, from: value, length, .. }
        | SetMemory { align, to, value, length } => {
            each!(Byte align, Operand to, Operand value, Operand length)
        }
        Alloca { dst, size, local } => each!(Register dst, Operand size, Number &mut local.0),
        ThreadLocal { dst, global } => each!(Register dst, Number &mut global.0),
        StackSave { dst } => each!(Register dst),
        StackRestore { mark: a } | EndScope { address: a } | VaStart { list: a } => {
            each!(Operand a)
        }
        Jump { target } => each!(Number target),
        Branch { condition, then, otherwise } => {
            each!(Operand condition, Number then, Number otherwise)
        }
        JumpEqual { a, b, target }
        | JumpNotEqual { a, b, target }
        | JumpBelow { a, b, target }
        | JumpBelowEqual { a, b, target } => each!(Operand a, Operand b, Number target),
        JumpLess { width, a, b, target } | JumpLessEqual { width, a, b, target } => {
            each!(Byte width, Operand a, Operand b, Number target)
        }
        Switch { value, table } => each!(Operand value, Number table),
        LoopHeader { id } | LoopIteration { id } => each!(Number &mut id.0),
        Call { results, count, function, args, dst } => {
            each!(Byte results, Short count, Number &mut function.0, Number args, Register dst)
        }
        CallIndirect { results, count, target, args, dst } => {
            each!(Byte results, Short count, Operand target, Number args, Register dst)
        }
        CallExternal { results, count, external, args, dst } => {
            each!(Byte results, Short count, Number &mut external.0, Number args, Register dst)
        }
        Landing { dst } => each!(Register dst),
        Return { count, value } => each!(Short count, Operand value),
        CheckInitialised { cells, flag, register, message } => {
            each!(Byte cells, Register flag, Register register, Number message)
        }
        Trap(norn_program::Trap::WrongType(function)) => each!(Number &mut function.0),
        Trap(_) => {}
        Unsupported { message } => each!(Number message),
    }
}
