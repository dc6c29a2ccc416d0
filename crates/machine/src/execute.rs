//! Instructions that are not in the inner loop, and the completion of those that asked for an
//! answer.

use crate::Vm;
use crate::access::{Modify, Target};
use crate::arithmetic::NoResult;
use crate::interpret::read;
use crate::memory::Content;
use crate::shadow::Origin;
use crate::thread::{Awaiting, Stop, Thread};
use crate::{arithmetic, float};
use norn_action::{Action, Address, Mode, ObjectKind, Obstacle, RmwOp, Test, Undefined, Value};
use norn_program::{BinaryOp, Instruction as I, LocalId, Operand, Program, Register, Trap};

/// Where control goes after an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    /// To the next instruction.
    Next,
    /// To a program counter of the same function.
    Goto(u32),
    /// Another frame is on top.
    Frame,
}

impl Vm {
    /// The content of an operand in the topmost frame.
    pub(crate) fn get(&self, t: &Thread, operand: Operand) -> u64 {
        let base = t.frames[t.frames.len() - 1].base as usize;
        read(&t.registers[base..], &self.program.constants, operand)
    }

    fn get_pair(&self, t: &Thread, operand: Operand) -> u128 {
        u128::from(self.get(t, operand.plus(1))) << 64 | u128::from(self.get(t, operand))
    }

    /// A value of up to `width` bits: one cell or two.
    fn get_wide(&self, t: &Thread, operand: Operand, width: u8) -> u128 {
        if width > 64 { self.get_pair(t, operand) } else { u128::from(self.get(t, operand)) }
    }

    /// Sets a register of the topmost frame.
    pub(crate) fn set(&self, t: &mut Thread, register: Register, value: u64) {
        let base = t.frames[t.frames.len() - 1].base;
        t.registers[(base + register.0) as usize] = value;
    }

    fn set_wide(&self, t: &mut Thread, register: Register, width: u8, value: u128) {
        self.set(t, register, value as u64);
        if width > 64 {
            self.set(t, register.plus(1), (value >> 64) as u64);
        }
    }

    /// Executes an instruction of the topmost frame; its `pc` is the instruction's.
    #[inline(never)]
    pub(crate) fn execute(&self, t: &mut Thread, instruction: I) -> Result<Flow, Stop> {
        match instruction {
            I::Binary { op, width, dst, a, b } | I::WideBinary { op, width, dst, a, b } => {
                self.binary(t, op, width, dst, a, b)?;
            }
            I::WideCompare { compare, width, dst, a, b } => {
                let (a, b) = (self.get_pair(t, a), self.get_pair(t, b));
                self.set(t, dst, arithmetic::wide_compare(compare, width, a, b).into());
            }
            I::Overflow { op, signed, width, dst, a, b } => {
                let (a, b) = (self.get_wide(t, a, width), self.get_wide(t, b, width));
                let (value, over) = arithmetic::overflowing(op, signed, width, a, b);
                self.set_wide(t, dst, width, value);
                self.set(t, dst.plus(if width > 64 { 2 } else { 1 }), over.into());
            }
            I::Unary { op, width, dst, a } => {
                let value = arithmetic::unary(op, width, self.get_wide(t, a, width));
                self.set_wide(t, dst, width, value);
            }
            I::FunnelLeft { width, dst, pair, amount } => {
                let (high, low) = (self.get(t, pair), self.get(t, pair.plus(1)));
                let value = arithmetic::funnel_left(width, high, low, self.get(t, amount));
                self.set(t, dst, value);
            }
            I::FunnelRight { width, dst, pair, amount } => {
                let (high, low) = (self.get(t, pair), self.get(t, pair.plus(1)));
                let value = arithmetic::funnel_right(width, high, low, self.get(t, amount));
                self.set(t, dst, value);
            }
            I::FloatBinary { op, width, dst, a, b } => {
                let value = float::binary(op, width, self.get(t, a), self.get(t, b));
                self.set(t, dst, value);
            }
            I::FloatUnary { op, width, dst, a } => {
                let value = float::unary(op, width, self.get(t, a));
                self.set(t, dst, value);
            }
            I::FloatCompare { compare, width, dst, a, b } => {
                let value = float::compare(compare, width, self.get(t, a), self.get(t, b));
                self.set(t, dst, value.into());
            }
            I::FloatConvert { convert, from, to, dst, src } => {
                let value = float::convert(convert, from, to, self.get_wide(t, src, from));
                self.set_wide(t, dst, to, value);
            }
            I::MoveMany { count, dst, src } => self.move_many(t, count, dst, src),
            I::Load { .. }
            | I::Store { .. }
            | I::Rmw { .. }
            | I::CompareExchange { .. }
            | I::Fence { .. }
            | I::CopyMemory { .. }
            | I::SetMemory { .. } => return self.execute_memory(t, instruction),
            I::Alloca { dst, size, local } => self.alloca(t, dst, size, local)?,
            I::StackSave { dst } => {
                let mark = t.memory.stack_mark();
                self.set(t, dst, mark);
            }
            I::StackRestore { mark } => {
                let mark = self.get(t, mark);
                self.end_stack(t, mark)?;
            }
            I::EndScope { address } => {
                let address = self.get(t, address);
                self.end_scope(t, address)?;
            }
            I::ThreadLocal { dst, global } => {
                let address = self.thread_local(t, global)?;
                self.set(t, dst, address);
            }
            I::VaStart { list } => self.va_start(t, list)?,
            I::Switch { value, table } => {
                let value = self.get(t, value);
                return Ok(Flow::Goto(self.program.switches[table as usize].target(value)));
            }
            _ => return self.execute_control(t, instruction),
        }
        Ok(Flow::Next)
    }

    fn execute_control(&self, t: &mut Thread, instruction: I) -> Result<Flow, Stop> {
        match instruction {
            I::Call { function, args, count, dst, results } => {
                let cells = self.arguments(t, args, count);
                self.enter(t, function, &cells, dst.0, results)?;
                Ok(Flow::Frame)
            }
            I::CallIndirect { target, args, count, dst, results } => {
                let target = self.get(t, target);
                let cells = self.arguments(t, args, count);
                self.call_address(t, target, &cells, dst.0, results)?;
                Ok(Flow::Frame)
            }
            I::CallExternal { external, args, count, dst, results } => {
                let cells = self.arguments(t, args, count);
                self.enter_external(t, external, &cells, dst.0, results)?;
                Ok(Flow::Frame)
            }
            I::Return { count, value } => {
                self.ret(t, count, value)?;
                Ok(Flow::Frame)
            }
            I::Landing { dst } => {
                let (exception, selector) = t.rest.landing;
                self.set(t, dst, exception);
                self.set(t, dst.plus(1), selector.into());
                Ok(Flow::Next)
            }
            I::CheckInitialised { flag, register, cells, message } => {
                if self.get(t, flag.into()) != 0 {
                    return Ok(Flow::Next);
                }
                for i in 0..u32::from(cells) {
                    self.taint(t, register.plus(i), u64::MAX, Origin::Variable(message));
                }
                let top = t.frames.len() - 1;
                t.frames[top].pc += 1;
                Ok(Flow::Frame)
            }
            I::Trap(trap) => Err(t.fault(match trap {
                Trap::Unreachable => Undefined::Unreachable,
                Trap::Reached => Undefined::Trap,
                Trap::NoLabel => Undefined::NoLabel,
                Trap::WrongType(function) => {
                    Undefined::WrongType(Address(Program::function_address(function)))
                }
            })),
            I::Unsupported { message } => {
                let what = self.program.messages[message as usize].clone();
                Err(t.unsupported(Obstacle::Instruction(what)))
            }
            other => unreachable!("{other:?} belongs to the inner loop"),
        }
    }

    fn binary(
        &self,
        t: &mut Thread,
        op: BinaryOp,
        width: u8,
        dst: Register,
        a: Operand,
        b: Operand,
    ) -> Result<(), Stop> {
        let (a, b) = (self.get_wide(t, a, width), self.get_wide(t, b, width));
        match arithmetic::binary(op, width, a, b) {
            Ok(value) => {
                self.set_wide(t, dst, width, value);
                Ok(())
            }
            Err(NoResult::ShiftedOut) => {
                for i in 0..if width > 64 { 2 } else { 1 } {
                    self.set(t, dst.plus(i), 0);
                    self.taint(t, dst.plus(i), u64::MAX, Origin::Shift);
                }
                let top = t.frames.len() - 1;
                t.frames[top].pc += 1;
                Err(Stop::Unwound)
            }
            Err(NoResult::Division(why)) => Err(t.fault(why)),
        }
    }

    fn move_many(&self, t: &mut Thread, count: u16, dst: Register, src: Operand) {
        let base = t.frames[t.frames.len() - 1].base as usize;
        let (dst, count) = (base + dst.0 as usize, usize::from(count));
        match src.constant_index() {
            Some(index) => {
                let from = &self.program.constants[index as usize..][..count];
                t.registers[dst..dst + count].copy_from_slice(from);
            }
            None => {
                let from = base + src.0 as usize;
                t.registers.copy_within(from..from + count, dst);
            }
        }
    }

    fn execute_memory(&self, t: &mut Thread, instruction: I) -> Result<Flow, Stop> {
        match instruction {
            I::Load { size, mode, dst, address, offset } => {
                let address = self.get(t, address).wrapping_add_signed(i64::from(offset));
                let value = self.load(t, Target::new(address, size, mode))?;
                self.set_wide(t, dst, size * 8, value);
            }
            I::Store { size, mode, value, address, offset } => {
                let address = self.get(t, address).wrapping_add_signed(i64::from(offset));
                let value = self.get_wide(t, value, size * 8);
                self.store(t, Target::new(address, size, mode), value)?;
            }
            I::Rmw { op, size, mode, dst, address, value } => {
                let target = Target::new(self.get(t, address), size, mode);
                let operand = self.get_wide(t, value, size * 8);
                let failure = mode.of_read();
                let modify = Modify { target, failure, op, operand, test: None, wait: None };
                let old = self.modify(t, modify)?;
                self.set_wide(t, dst, size * 8, old);
            }
            I::CompareExchange { .. } => {
                let modify = self.compare_exchange(t, instruction);
                if self.fails_for_no_reason(t, &modify)? {
                    let target = Target { mode: modify.failure, ..modify.target };
                    let read = self.load(t, target);
                    match &mut t.parts {
                        Some(parts) => parts.awaiting = Awaiting::Failure,
                        None => t.awaiting = Awaiting::Failure,
                    }
                    let old = Value(read?);
                    self.check_failure(t, old)?;
                    self.complete(t, old);
                    return Ok(Flow::Goto(t.frames[t.frames.len() - 1].pc));
                }
                let old = self.modify(t, modify)?;
                self.complete(t, Value(old));
                return Ok(Flow::Goto(t.frames[t.frames.len() - 1].pc));
            }
            I::Fence { mode } => {
                // Before other threads exist a fence orders nothing that anyone could notice.
                if t.memory.shared {
                    let place = t.place();
                    return Err(t.ask(Action::Fence(mode, place)));
                }
            }
            I::CopyMemory { overlap, align, to, from, length } => {
                let args = [self.get(t, to), self.get(t, from), self.get(t, length), align.into()];
                let function =
                    if overlap { self.natives.move_memory } else { self.natives.copy_memory };
                t.push_native(function, &args, 0, 0);
                return Ok(Flow::Frame);
            }
            I::SetMemory { align, to, value, length } => {
                let args = [self.get(t, to), self.get(t, value), self.get(t, length), align.into()];
                t.push_native(self.natives.set_memory, &args, 0, 0);
                return Ok(Flow::Frame);
            }
            other => unreachable!("{other:?} is no memory instruction"),
        }
        Ok(Flow::Next)
    }

    /// Whether the weak compare-exchange under way fails although it need not; see [`crate::failing`].
    fn fails_for_no_reason(&self, t: &mut Thread, modify: &Modify) -> Result<bool, Stop> {
        let pc = t.frames[t.frames.len() - 1].pc;
        if self.program.weak_exchanges.binary_search(&pc).is_err() {
            return Ok(false);
        }
        if let Some(fails) = t.test.2 {
            return Ok(fails);
        }
        let expected = modify.test.map_or(Value::ZERO, |test| Value(test.operand));
        let fail = |ahead: &mut Thread| {
            ahead.test.2 = Some(true);
            self.complete(ahead, expected);
        };
        if !self.may_fail(t, modify.target.address, expected, fail) {
            return Ok(false);
        }
        let place = t.place();
        let stop = t.ask(Action::Choose { count: 2, asked: false, place });
        t.awaiting = Awaiting::Weak;
        Err(stop)
    }

    /// A compare-exchange that fails for no reason must not have one: if it reads another value than it
    /// expects, that is the execution in which it fails for that.
    pub(crate) fn check_failure(&self, t: &mut Thread, answer: Value) -> Result<(), Stop> {
        let instruction = self.program.code[t.frames[t.frames.len() - 1].pc as usize];
        let Modify { target, test, .. } = self.compare_exchange(t, instruction);
        if test.is_some_and(|test| test.holds(answer.truncate(target.size), target.size)) {
            return Ok(());
        }
        let place = t.place();
        Err(t.ask(Action::Abandon(place)))
    }

    fn compare_exchange(&self, t: &Thread, instruction: I) -> Modify {
        let I::CompareExchange { size, mode, failure, address, operands, .. } = instruction else {
            unreachable!("called for compare-exchanges only")
        };
        let expected = self.get_wide(t, operands, size * 8);
        let new = operands.plus(if size > 8 { 2 } else { 1 });
        Modify {
            target: Target::new(self.get(t, address), size, mode),
            failure,
            op: RmwOp::Exchange,
            operand: self.get_wide(t, new, size * 8),
            test: Some(Test::equals(Value(expected).truncate(size))),
            wait: None,
        }
    }

    /// Completes the instruction under way with the answer to its action.
    pub(crate) fn complete(&self, t: &mut Thread, answer: Value) {
        let top = t.frames.len() - 1;
        match self.program.code[t.frames[top].pc as usize] {
            I::Load { size, dst, .. } => {
                self.set_wide(t, dst, size * 8, answer.truncate(size).0);
            }
            I::CompareExchange { size, dst, operands, .. } => {
                self.complete_exchange(t, (size, dst, operands), answer.truncate(size));
            }
            _ => {}
        }
        t.frames[top].pc += 1;
    }

    /// Likewise, a visible read-modify-write. One that writes the value that it has read (an exchange of 1
    /// for 1, say, which is how a test-and-set lock waits) has no effect.
    pub(crate) fn complete_rmw(&self, t: &mut Thread, answer: Value) {
        let top = t.frames.len() - 1;
        let effect = match self.program.code[t.frames[top].pc as usize] {
            I::Rmw { op, size, dst, value, .. } => {
                let old = answer.truncate(size);
                let operand = Value(self.get_wide(t, value, size * 8)).truncate(size);
                self.set_wide(t, dst, size * 8, old.0);
                op.apply(old, operand, size) != old
            }
            I::CompareExchange { size, dst, operands, .. } => {
                let old = answer.truncate(size);
                let new = operands.plus(if size > 8 { 2 } else { 1 });
                let new = Value(self.get_wide(t, new, size * 8)).truncate(size);
                self.complete_exchange(t, (size, dst, operands), old) && new != old
            }
            other => unreachable!("{other:?} is no read-modify-write"),
        };
        t.effects += u64::from(effect);
        t.updates += u64::from(effect);
        t.frames[top].pc += 1;
    }

    /// The results of a compare-exchange that has read `old`; whether it writes.
    fn complete_exchange(
        &self,
        t: &mut Thread,
        (size, dst, operands): (u8, Register, Operand),
        old: Value,
    ) -> bool {
        let expected = Value(self.get_wide(t, operands, size * 8)).truncate(size);
        let fails = t.test.2.take() == Some(true);
        let equal = old == expected && !fails;
        self.set_wide(t, dst, size * 8, old.0);
        self.set(t, dst.plus(if size > 8 { 2 } else { 1 }), equal.into());
        equal
    }

    fn alloca(
        &self,
        t: &mut Thread,
        dst: Register,
        size: Operand,
        local: LocalId,
    ) -> Result<(), Stop> {
        let size = self.get(t, size);
        let align = self.program.locals[local.index()].align;
        let address = self.allocate(t, size, align, ObjectKind::Stack, Content::undefined)?;
        match address {
            Some(address) => {
                self.set(t, dst, address);
                Ok(())
            }
            None => Err(t.fault(Undefined::StackOverflow)),
        }
    }

    fn va_start(&self, t: &mut Thread, list: Operand) -> Result<(), Stop> {
        let frame = t.frames[t.frames.len() - 1];
        let registers = self.program.functions[frame.function as usize].registers;
        let first = (frame.base + registers) as usize;
        let cells: Vec<u64> = t.registers[first..first + frame.variadic as usize].to_vec();
        let bytes: Vec<u8> = cells.iter().flat_map(|cell| cell.to_le_bytes()).collect();
        let size = bytes.len() as u64;
        let fill = |size| Content::from_bytes(size, &bytes);
        let area = self.allocate(t, size, 16, ObjectKind::Stack, fill)?;
        let list = self.get(t, list);
        // gp_offset and fp_offset: all registers used; then the two areas.
        let words = [48 | 176 << 32, area.unwrap_or(0), 0];
        for (i, word) in words.into_iter().enumerate() {
            let target = Target::new(list + 8 * i as u64, 8, Mode::Plain);
            match self.store(t, target, word.into()) {
                Ok(()) => {}
                Err(Stop::Ask | Stop::Again) => {
                    return Err(t.unsupported(Obstacle::SharedArguments));
                }
                Err(stop) => return Err(stop),
            }
        }
        Ok(())
    }

    /// A new object of this thread; `None` if its region is used up.
    pub(crate) fn allocate(
        &self,
        t: &mut Thread,
        size: u64,
        align: u64,
        kind: ObjectKind,
        fill: impl FnOnce(u64) -> Content,
    ) -> Result<Option<u64>, Stop> {
        let place = t.place();
        if size > MAX_OBJECT {
            return Ok(None);
        }
        if !matches!(kind, ObjectKind::Stack | ObjectKind::ThreadLocal) {
            t.effects += 1;
        }
        Ok(t.memory.allocate(size, align, kind, fill(size), place))
    }
}

/// Larger allocations fail.
const MAX_OBJECT: u64 = 1 << 30;
