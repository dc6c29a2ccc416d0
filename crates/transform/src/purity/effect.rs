//! Which instructions do something that another iteration, or another thread, could notice.
//!
//! An instruction may always have an effect, never, or under a condition that the registers tell. What is left
//! is what the bytecode does not tell: whether memory behind a pointer is the thread's own, whether what is written
//! there is what it held, and what a function does that may do more than compute and read. The machine
//! knows when it gets there.

use norn_action::RmwOp;
use norn_program::{FunctionId, Instruction, Operand, Program};

/// Whether an instruction has an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Never: it computes, reads or jumps.
    None,
    /// Unless it writes what it has read, or writes nothing.
    Conditional,
    /// That cannot be told from the bytecode.
    Possible,
    /// Always, once there is another thread.
    Certain,
}

/// Which effects are not looked at. A condition that is computed without them says too much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ignored {
    /// All are.
    None,
    /// Not those that cannot be told from the bytecode.
    Possible,
    /// None but that of a compare-exchange, which decides where control goes.
    All,
}

/// What the functions of a program do, those that they call included.
#[derive(Clone, Debug)]
pub struct Effects {
    /// Per function, its first instruction with an effect, conditional ones included.
    first: Vec<Option<u32>>,
}

/// Functions of the runtime that only let others go first.
const SILENT: [&str; 2] = ["sched_yield", "thrd_yield"];

impl Effects {
    /// Looks at all functions.
    pub fn new(program: &Program) -> Effects {
        // To begin with, calls of functions with a body are taken to do nothing.
        let mut effects = Effects { first: vec![None; program.functions.len()] };
        let mut changed = true;
        while changed {
            changed = false;
            for (index, function) in program.functions.iter().enumerate() {
                if effects.first[index].is_none() {
                    let mut code = function.entry..function.end;
                    let first = code.find(|&pc| effect(program, &effects, pc) != Effect::None);
                    changed |= first.is_some();
                    effects.first[index] = first;
                }
            }
        }
        effects
    }

    /// The first instruction of a function that has an effect, or a call of a function that has one.
    pub fn first(&self, function: FunctionId) -> Option<u32> {
        self.first[function.index()]
    }
}

/// Whether an instruction has an effect.
pub fn effect(program: &Program, effects: &Effects, pc: u32) -> Effect {
    use Instruction::*;
    match program.code[pc as usize] {
        Rmw { op, size, .. } => match op {
            RmwOp::Nand | RmwOp::Enlist | RmwOp::Fadd | RmwOp::Fsub => Effect::Possible,
            _ if size > 8 => Effect::Possible,
            _ => Effect::Conditional,
        },
        CompareExchange { .. } => Effect::Conditional,
        Store { address, offset, .. } => to_memory(program, address, offset),
        CopyMemory { to, .. } | SetMemory { to, .. } => to_memory(program, to, 0),
        Call { function, .. } if effects.first(function).is_none() => Effect::None,
        CallExternal { external, .. }
            if SILENT.contains(&program.externals[external.index()].name.as_str()) =>
        {
            Effect::None
        }
        Alloca { .. }
        | StackSave { .. }
        | StackRestore { .. }
        | EndScope { .. }
        | ThreadLocal { .. }
        | VaStart { .. }
        | Landing { .. }
        | Call { .. }
        | CallIndirect { .. }
        | CallExternal { .. }
        | CheckInitialised { .. } => Effect::Possible,
        _ => Effect::None,
    }
}

/// Writing to memory: a global is everybody's, what is behind a pointer may be the thread's own.
fn to_memory(program: &Program, address: Operand, offset: i32) -> Effect {
    let global = address.constant_index().and_then(|index| {
        let address = program.constants[index as usize].wrapping_add_signed(offset.into());
        program.global_at(address)
    });
    match global {
        Some(_) => Effect::Certain,
        None => Effect::Possible,
    }
}
