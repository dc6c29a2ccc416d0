//! The instruction loop.
//!
//! [`Vm::run`] alternates between frames of bytecode and calls of runtime functions until an action
//! is due. Instructions that touch only registers are executed here; the others are in
//! [`crate::execute`].
//!
//! **Unchecked indexing.** The inner loop reads code, constants and registers without bounds checks.
//! Measured with `examples/tight_loop.rs`, checks cost 8 of 31 machine instructions per bytecode
//! instruction. It is sound because [`Vm::new`] refuses a program that [`norn_program::Program::verify`]
//! does, a program cannot change behind its `Arc`, and:
//!
//! - a program counter always lies within its function: targets do, and the last instruction of a
//!   function is a terminator (invariants 1 and 2 of the verifier);
//! - every register and constant that an instruction names exists in the frame or the pool
//!   (invariant 3), and [`Vm::enter`](crate::control) makes the register vector reach to the end
//!   of the topmost frame, which nothing shrinks while that frame is on top.

use crate::Vm;
use crate::access::Target;
use crate::arithmetic::{low, narrow, signed};
use crate::execute::Flow;
use crate::shadow::Origin;
use crate::spin::loop_key;
use crate::thread::{Awaiting, Stop, Thread};
use norn_action::{Action, Value};
use norn_program::{Instruction as I, Operand, Register};

/// The content of an operand.
#[inline(always)]
pub(crate) fn read(registers: &[u64], constants: &[u64], operand: Operand) -> u64 {
    if operand.0 & Operand::CONSTANT == 0 {
        debug_assert!((operand.0 as usize) < registers.len());
        // SAFETY: the program is verified, see the head of this file.
        unsafe { *registers.get_unchecked(operand.0 as usize) }
    } else {
        // Checked although it need not be: without the check the compiler computes both addresses
        // and selects one, which costs more than the branch.
        constants[(operand.0 & !Operand::CONSTANT) as usize]
    }
}

#[inline(always)]
fn write(registers: &mut [u64], register: Register, value: u64) {
    debug_assert!((register.0 as usize) < registers.len());
    // SAFETY: the program is verified, see the head of this file.
    unsafe { *registers.get_unchecked_mut(register.0 as usize) = value }
}

#[inline(always)]
fn fetch(code: &[I], pc: u32) -> &I {
    debug_assert!((pc as usize) < code.len());
    // SAFETY: the program is verified, see the head of this file.
    unsafe { code.get_unchecked(pc as usize) }
}

impl Vm {
    /// Runs a thread up to its next visible action.
    pub(crate) fn run(&self, t: &mut Thread) -> Action {
        let stop = self.run_until_stop(t);
        self.pause(t, stop)
    }

    /// Runs a thread until something stops it.
    pub(crate) fn run_until_stop(&self, t: &mut Thread) -> Stop {
        loop {
            let native = t.frames.last().is_some_and(|frame| frame.native);
            let result = if native {
                self.run_native(t)
            } else if t.shadow.is_empty() {
                self.run_code::<false>(t)
            } else {
                self.run_shadowed(t)
            };
            match result {
                Ok(()) | Err(Stop::Unwound) => {}
                Err(Stop::Partly(read)) => {
                    let (value, bytes, origin) = *read;
                    if let Err(stop) = self.complete_partly(t, value, bytes, origin) {
                        return stop;
                    }
                }
                Err(Stop::Call(call)) => {
                    let (address, args, results) = *call;
                    if let Err(stop) = self.call_from_native(t, address, &args, results) {
                        return stop;
                    }
                }
                Err(stop) => return stop,
            }
        }
    }

    /// The action that a thread stops for.
    pub(crate) fn pause(&self, t: &mut Thread, stop: Stop) -> Action {
        self.refuel(t);
        let action = match stop {
            Stop::Fail(fault) => {
                t.awaiting = Awaiting::Nothing;
                Action::Fail(fault)
            }
            Stop::Unsupported(what) => {
                t.awaiting = Awaiting::Nothing;
                Action::Unsupported(what)
            }
            Stop::Ask | Stop::Again => {
                t.outgoing.take().expect("a thread that stops has an action")
            }
            Stop::Call(_) | Stop::Partly(_) | Stop::Unwound | Stop::CameBack(_) => {
                unreachable!("these are dealt with where threads run")
            }
        };
        self.in_sections(t, action)
    }

    /// Takes the answer to the action the thread is paused at.
    pub(crate) fn answer(&self, t: &mut Thread, answer: Value) -> Result<(), Stop> {
        match t.awaiting {
            Awaiting::Nothing => debug_assert!(false, "a thread that has ended was resumed"),
            Awaiting::Retry => return Ok(()),
            Awaiting::Answer => {}
            Awaiting::Rmw => match t.frames.last() {
                Some(frame) if frame.native => {
                    let (test, size, _) = t.test;
                    let writes = test.is_none_or(|test| test.holds(answer, size));
                    t.effects += u64::from(writes);
                }
                _ => {
                    t.spawn = None;
                    self.complete_rmw(t, answer);
                    return Ok(());
                }
            },
            Awaiting::Bytes => return self.answer_bytes(t, answer, 0),
            Awaiting::Part => return self.answer_part(t, answer, 0),
            Awaiting::Weak => {
                let fails = answer != Value::ZERO;
                t.test.2 = Some(fails);
                if fails {
                    t.failed();
                }
                return Ok(());
            }
            Awaiting::Failure => self.check_failure(t, answer)?,
        }
        t.spawn = None;
        match t.frames.last() {
            Some(frame) if frame.native => {
                if let Some(call) = t.natives.last_mut() {
                    call.log.push(answer.0);
                }
            }
            _ => self.complete(t, answer),
        }
        Ok(())
    }

    /// Takes the answer to a read at `address`, of which some bytes were never written.
    #[cold]
    pub(crate) fn answer_partly(
        &self,
        t: &mut Thread,
        answer: Value,
        undefined: u16,
        address: u64,
    ) -> Result<(), Stop> {
        let native = t.frames.last().is_some_and(|frame| frame.native);
        match t.awaiting {
            Awaiting::Part => self.answer_part(t, answer, undefined as u8),
            Awaiting::Bytes => self.answer_bytes(t, answer, undefined),
            _ if native => Err(self.undefined(t, Origin::Visible(address))),
            _ => {
                let origin = Origin::Visible(address);
                self.complete_partly(t, answer.0, undefined, origin)
            }
        }
    }

    /// A runtime function that passes bytes on gets them, and which were never written.
    fn answer_bytes(&self, t: &mut Thread, answer: Value, undefined: u16) -> Result<(), Stop> {
        t.spawn = None;
        if let Some(call) = t.natives.last_mut() {
            call.log.push(answer.0);
            call.log.push(undefined.into());
        }
        Ok(())
    }

    /// Runs the topmost frame until another one takes over or something stops it; `ONE` instruction only
    /// if so wanted.
    pub(crate) fn run_code<const ONE: bool>(&self, t: &mut Thread) -> Result<(), Stop> {
        let code = &self.program.code[..];
        let constants = &self.program.constants[..];
        let top = t.frames.len() - 1;
        let base = t.frames[top].base as usize;
        let mut pc = t.frames[top].pc;
        let mut registers = &mut t.registers[base..];
        macro_rules! get {
            ($operand:expr) => {
                read(registers, constants, $operand)
            };
        }
        macro_rules! set {
            ($dst:expr, $value:expr) => {{
                let value = $value;
                write(registers, $dst, value);
                pc += 1;
            }};
        }
        macro_rules! jump_if {
            ($condition:expr, $target:expr) => {
                pc = if $condition { $target } else { pc + 1 }
            };
        }
        loop {
            match *fetch(code, pc) {
                I::Move { dst, src } | I::Freeze { dst, src } => set!(dst, get!(src)),
                I::MoveIf { dst, condition, src } => {
                    if get!(condition) & 1 == 1 {
                        let value = get!(src);
                        write(registers, dst, value);
                    }
                    pc += 1;
                }
                I::Add { width, dst, a, b } => {
                    set!(dst, low(get!(a).wrapping_add(get!(b)), width))
                }
                I::Sub { width, dst, a, b } => {
                    set!(dst, low(get!(a).wrapping_sub(get!(b)), width))
                }
                I::Mul { width, dst, a, b } => {
                    set!(dst, low(get!(a).wrapping_mul(get!(b)), width))
                }
                I::And { dst, a, b } => set!(dst, get!(a) & get!(b)),
                I::Or { dst, a, b } => set!(dst, get!(a) | get!(b)),
                I::Xor { dst, a, b } => set!(dst, get!(a) ^ get!(b)),
                I::Binary { op, width, dst, a, b } => match narrow(op, width, get!(a), get!(b)) {
                    Some(value) => set!(dst, value),
                    None => {
                        t.frames[top].pc = pc;
                        self.execute(t, *fetch(code, pc))?;
                        registers = &mut t.registers[base..];
                        pc += 1;
                    }
                },
                I::Lea { scale, dst, base, index } => {
                    let offset = get!(index).wrapping_mul(u64::from(scale));
                    set!(dst, get!(base).wrapping_add(offset))
                }
                I::Truncate { width, dst, src } => set!(dst, low(get!(src), width)),
                I::SignExtend { from, to, dst, src } => {
                    set!(dst, low(signed(get!(src), from) as u64, to))
                }
                I::Equal { dst, a, b } => set!(dst, u64::from(get!(a) == get!(b))),
                I::NotEqual { dst, a, b } => set!(dst, u64::from(get!(a) != get!(b))),
                I::Below { dst, a, b } => set!(dst, u64::from(get!(a) < get!(b))),
                I::BelowEqual { dst, a, b } => set!(dst, u64::from(get!(a) <= get!(b))),
                I::Less { width, dst, a, b } => {
                    set!(dst, u64::from(signed(get!(a), width) < signed(get!(b), width)))
                }
                I::LessEqual { width, dst, a, b } => {
                    set!(dst, u64::from(signed(get!(a), width) <= signed(get!(b), width)))
                }
                I::Jump { target } => pc = target,
                I::Branch { condition, then, otherwise } => {
                    pc = if get!(condition) & 1 == 1 { then } else { otherwise };
                }
                I::JumpEqual { a, b, target } => jump_if!(get!(a) == get!(b), target),
                I::JumpNotEqual { a, b, target } => jump_if!(get!(a) != get!(b), target),
                I::JumpBelow { a, b, target } => jump_if!(get!(a) < get!(b), target),
                I::JumpBelowEqual { a, b, target } => jump_if!(get!(a) <= get!(b), target),
                I::JumpLess { width, a, b, target } => {
                    jump_if!(signed(get!(a), width) < signed(get!(b), width), target)
                }
                I::JumpLessEqual { width, a, b, target } => {
                    jump_if!(signed(get!(a), width) <= signed(get!(b), width), target)
                }
                I::Load { size, mode, dst, address, offset } if size <= 8 => {
                    let address = get!(address).wrapping_add_signed(i64::from(offset));
                    t.frames[top].pc = pc;
                    let value = self.load(t, Target::new(address, size, mode))?;
                    registers = &mut t.registers[base..];
                    set!(dst, value as u64)
                }
                I::Store { size, mode, value, address, offset } if size <= 8 => {
                    let address = get!(address).wrapping_add_signed(i64::from(offset));
                    let value = u128::from(get!(value));
                    t.frames[top].pc = pc;
                    self.store(t, Target::new(address, size, mode), value)?;
                    registers = &mut t.registers[base..];
                    pc += 1;
                }
                I::LoopHeader { id } => {
                    let key = loop_key(top + 1, id);
                    if t.quiet == key
                        && let Some(fuel) = t.fuel.checked_sub(1)
                    {
                        t.fuel = fuel;
                        pc += 1;
                        if ONE {
                            t.frames[top].pc = pc;
                            return Ok(());
                        }
                        continue;
                    }
                    t.frames[top].pc = pc;
                    self.loop_header(t, id, base)?;
                    registers = &mut t.registers[base..];
                    pc += 1;
                }
                I::LoopIteration { id } => {
                    if self.config.unroll.is_some() {
                        t.frames[top].pc = pc;
                        self.check_bound(t, id)?;
                        registers = &mut t.registers[base..];
                    }
                    pc += 1;
                }
                // All others by name: a catch-all would cost a range check before the jump table.
                I::MoveMany { .. }
                | I::WideBinary { .. }
                | I::WideCompare { .. }
                | I::Overflow { .. }
                | I::Unary { .. }
                | I::FunnelLeft { .. }
                | I::FunnelRight { .. }
                | I::FloatBinary { .. }
                | I::FloatUnary { .. }
                | I::FloatCompare { .. }
                | I::FloatConvert { .. }
                | I::Load { .. }
                | I::Store { .. }
                | I::Rmw { .. }
                | I::CompareExchange { .. }
                | I::Fence { .. }
                | I::CopyMemory { .. }
                | I::SetMemory { .. }
                | I::Alloca { .. }
                | I::StackSave { .. }
                | I::StackRestore { .. }
                | I::EndScope { .. }
                | I::ThreadLocal { .. }
                | I::VaStart { .. }
                | I::Switch { .. }
                | I::Call { .. }
                | I::CallIndirect { .. }
                | I::CallExternal { .. }
                | I::Return { .. }
                | I::Landing { .. }
                | I::CheckInitialised { .. }
                | I::Trap(_)
                | I::Unsupported { .. } => {
                    t.frames[top].pc = pc;
                    match self.execute(t, *fetch(code, pc))? {
                        Flow::Next => pc += 1,
                        Flow::Goto(target) => pc = target,
                        Flow::Frame => return Ok(()),
                    }
                    registers = &mut t.registers[base..];
                }
            }
            if ONE {
                t.frames[top].pc = pc;
                return Ok(());
            }
        }
    }
}
