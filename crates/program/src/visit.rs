//! What instructions lead to, read and write.

use crate::{Instruction, Operand, Register};

impl Instruction {
    /// Calls `f` on every target within the function (those of a switch are in its table).
    pub fn for_each_target(&mut self, mut f: impl FnMut(&mut u32)) {
        match self {
            Instruction::Branch { then, otherwise, .. } => {
                f(then);
                f(otherwise);
            }
            Instruction::Jump { target }
            | Instruction::JumpEqual { target, .. }
            | Instruction::JumpNotEqual { target, .. }
            | Instruction::JumpBelow { target, .. }
            | Instruction::JumpBelowEqual { target, .. }
            | Instruction::JumpLess { target, .. }
            | Instruction::JumpLessEqual { target, .. } => f(target),
            _ => {}
        }
    }

    /// Whether it calls a function.
    pub fn is_call(&self) -> bool {
        use Instruction::{Call, CallExternal, CallIndirect};
        matches!(self, Call { .. } | CallIndirect { .. } | CallExternal { .. })
    }

    /// Whether control never passes to the next instruction.
    pub fn is_terminator(&self) -> bool {
        matches!(
            self,
            Instruction::Jump { .. }
                | Instruction::Branch { .. }
                | Instruction::Switch { .. }
                | Instruction::Return { .. }
                | Instruction::Trap(_)
                | Instruction::Unsupported { .. }
        )
    }

    /// Calls `read` on every operand read (with its number of cells) and `write` on every register
    /// written (likewise). Arguments of calls are in the program's table and are not visited.
    pub fn for_each_cell(
        &self,
        mut read: impl FnMut(Operand, u32),
        mut write: impl FnMut(Register, u32),
    ) {
        use Instruction::*;
        let cells = |width: u8| if width > 64 { 2 } else { 1 };
        let words = |size: u8| if size > 8 { 2 } else { 1 };
        match *self {
            Move { dst, src }
            | Freeze { dst, src }
            | Truncate { dst, src, .. }
            | SignExtend { dst, src, .. } => {
                read(src, 1);
                write(dst, 1);
            }
            MoveMany { count, dst, src } => {
                read(src, u32::from(count));
                write(dst, u32::from(count));
            }
            MoveIf { dst, condition, src } => {
                read(condition, 1);
                read(src, 1);
                write(dst, 1);
            }
            Add { dst, a, b, .. }
            | Sub { dst, a, b, .. }
            | Mul { dst, a, b, .. }
            | And { dst, a, b }
            | Or { dst, a, b }
            | Xor { dst, a, b }
            | Lea { dst, base: a, index: b, .. }
            | Equal { dst, a, b }
            | NotEqual { dst, a, b }
            | Below { dst, a, b }
            | BelowEqual { dst, a, b }
            | Less { dst, a, b, .. }
            | LessEqual { dst, a, b, .. }
            | Binary { dst, a, b, .. }
            | FloatBinary { dst, a, b, .. }
            | FloatCompare { dst, a, b, .. } => {
                read(a, 1);
                read(b, 1);
                write(dst, 1);
            }
            WideBinary { dst, a, b, .. } => {
                read(a, 2);
                read(b, 2);
                write(dst, 2);
            }
            WideCompare { dst, a, b, .. } => {
                read(a, 2);
                read(b, 2);
                write(dst, 1);
            }
            Overflow { width, dst, a, b, .. } => {
                read(a, cells(width));
                read(b, cells(width));
                write(dst, cells(width) + 1);
            }
            Unary { width, dst, a, .. } => {
                read(a, cells(width));
                write(dst, cells(width));
            }
            FunnelLeft { dst, pair, amount, .. } | FunnelRight { dst, pair, amount, .. } => {
                read(pair, 2);
                read(amount, 1);
                write(dst, 1);
            }
            FloatUnary { dst, a, .. } => {
                read(a, 1);
                write(dst, 1);
            }
            FloatConvert { from, to, dst, src, .. } => {
                read(src, cells(from));
                write(dst, cells(to));
            }
            Load { size, dst, address, .. } => {
                read(address, 1);
                write(dst, words(size));
            }
            Store { size, value, address, .. } => {
                read(value, words(size));
                read(address, 1);
            }
            Rmw { size, dst, address, value, .. } => {
                read(address, 1);
                read(value, words(size));
                write(dst, words(size));
            }
            CompareExchange { size, dst, address, operands, .. } => {
                read(address, 1);
                read(operands, 2 * words(size));
                write(dst, words(size) + 1);
            }
            CopyMemory { to, from, length, .. } => {
                read(to, 1);
                read(from, 1);
                read(length, 1);
            }
            SetMemory { to, value, length, .. } => {
                read(to, 1);
                read(value, 1);
                read(length, 1);
            }
            Alloca { dst, size, .. } => {
                read(size, 1);
                write(dst, 1);
            }
            StackSave { dst } | ThreadLocal { dst, .. } => write(dst, 1),
            StackRestore { mark: a }
            | EndScope { address: a }
            | VaStart { list: a }
            | Switch { value: a, .. } => read(a, 1),
            Branch { condition, .. } => read(condition, 1),
            JumpEqual { a, b, .. }
            | JumpNotEqual { a, b, .. }
            | JumpBelow { a, b, .. }
            | JumpBelowEqual { a, b, .. }
            | JumpLess { a, b, .. }
            | JumpLessEqual { a, b, .. } => {
                read(a, 1);
                read(b, 1);
            }
            Landing { dst } => write(dst, 2),
            Call { results, dst, .. } | CallExternal { results, dst, .. } => {
                write(dst, u32::from(results));
            }
            CallIndirect { results, target, dst, .. } => {
                read(target, 1);
                write(dst, u32::from(results));
            }
            Return { count, value } => read(value, u32::from(count)),
            CheckInitialised { flag, .. } => read(flag.into(), 1),
            Fence { .. }
            | Jump { .. }
            | LoopHeader { .. }
            | LoopIteration { .. }
            | Instruction::Trap(_)
            | Instruction::Unsupported { .. } => {}
        }
    }
}
