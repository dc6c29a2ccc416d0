//! The instruction loop.
//!
//! [`Vm::run`] alternates between frames of bytecode and calls of runtime functions until an action
//! is due. Instructions that touch only registers are executed here; the others are in
//! [`crate::execute`].

use crate::Vm;
use crate::access::Target;
use crate::arithmetic::{low, signed};
use crate::execute::Flow;
use crate::thread::{Awaiting, Stop, Thread};
use norn_action::{Action, Value};
use norn_program::{Instruction as I, Operand};

/// The content of an operand.
#[inline(always)]
pub(crate) fn read(registers: &[u64], constants: &[u64], operand: Operand) -> u64 {
    if operand.0 & Operand::CONSTANT == 0 {
        registers[operand.0 as usize]
    } else {
        constants[(operand.0 & !Operand::CONSTANT) as usize]
    }
}

impl Vm {
    /// Runs a thread up to its next visible action.
    pub(crate) fn run(&self, t: &mut Thread) -> Action {
        loop {
            let native = t.frames.last().is_some_and(|frame| frame.native);
            let result = if native { self.run_native(t) } else { self.run_code(t) };
            match result {
                Ok(()) | Err(Stop::Unwound) => {}
                Err(Stop::Call(address, args)) => {
                    if let Err(stop) = self.call_from_native(t, address, &args) {
                        return self.pause(t, stop);
                    }
                }
                Err(stop) => return self.pause(t, stop),
            }
        }
    }

    /// Notes what the answer to an action is for.
    fn pause(&self, t: &mut Thread, stop: Stop) -> Action {
        t.steps = 0;
        let (action, awaiting) = match stop {
            Stop::Action(Action::Rmw(rmw)) => {
                (Action::Rmw(rmw), Awaiting::Rmw(rmw.test, rmw.access.size))
            }
            Stop::Action(action) if action.is_final() => (action, Awaiting::Nothing),
            Stop::Action(action) => (action, Awaiting::Answer),
            Stop::Before(action) => (action, Awaiting::Retry),
            Stop::Call(..) | Stop::Unwound => unreachable!("handled by the loop"),
        };
        t.awaiting = awaiting;
        action
    }

    /// Takes the answer to the action the thread is paused at.
    pub(crate) fn answer(&self, t: &mut Thread, answer: Value) {
        match std::mem::replace(&mut t.awaiting, Awaiting::Nothing) {
            Awaiting::Nothing => debug_assert!(false, "a thread that has ended was resumed"),
            Awaiting::Retry => return,
            Awaiting::Answer => {}
            Awaiting::Rmw(test, size) => {
                if test.is_none_or(|test| test.holds(answer, size)) {
                    t.effects += 1;
                }
            }
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
    }

    /// Runs the topmost frame until another one takes over or something stops it.
    fn run_code(&self, t: &mut Thread) -> Result<(), Stop> {
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
                registers[$dst.0 as usize] = value;
                pc += 1;
            }};
        }
        macro_rules! jump_if {
            ($condition:expr, $target:expr) => {
                pc = if $condition { $target } else { pc + 1 }
            };
        }
        loop {
            match code[pc as usize] {
                I::Move { dst, src } => set!(dst, get!(src)),
                I::MoveIf { dst, condition, src } => {
                    if get!(condition) & 1 == 1 {
                        registers[dst.0 as usize] = get!(src);
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
                    t.frames[top].pc = pc;
                    self.loop_header(t, id, base)?;
                    registers = &mut t.registers[base..];
                    pc += 1;
                }
                other => {
                    t.frames[top].pc = pc;
                    match self.execute(t, other)? {
                        Flow::Next => pc += 1,
                        Flow::Goto(target) => pc = target,
                        Flow::Frame => return Ok(()),
                    }
                    registers = &mut t.registers[base..];
                }
            }
        }
    }
}
