//! What passes and analyses ask of functions and loops.

use norn_action::RmwOp;
use norn_program::flow::{Blocks, NaturalLoop};
use norn_program::{FunctionId, Instruction, Loop, Program, Register};

/// Whether a function has a loop.
pub(crate) fn has_loops(program: &Program, function: FunctionId) -> bool {
    program.loops.iter().any(|item| item.function == function)
}

/// What the program knows of a natural loop.
pub(crate) fn known<'p>(
    program: &'p Program,
    blocks: &Blocks,
    item: &NaturalLoop,
) -> Option<&'p Loop> {
    let header = blocks.range(item.header);
    program.loops.iter().find(|known| header.contains(&known.header))
}

/// Whether an instruction writes a register.
pub(crate) fn writes(program: &Program, pc: u32, register: Register) -> bool {
    let mut found = false;
    program.code[pc as usize].for_each_cell(
        |_, _| {},
        |first, count| found |= (first.0..first.0 + count).contains(&register.0),
    );
    found
}

/// Whether an instruction may have no effect, functions that it calls included; notes reads.
pub(crate) fn may_be_silent(program: &Program, pc: u32, reads: &mut bool, depth: u32) -> bool {
    use Instruction::*;
    match program.code[pc as usize] {
        Rmw { op: RmwOp::Add | RmwOp::Sub | RmwOp::Fadd | RmwOp::Fsub, .. } => false,
        Load { .. } | Rmw { .. } | CompareExchange { .. } => {
            *reads = true;
            true
        }
        Call { function, .. } => {
            let item = &program.functions[function.index()];
            let silent = |pc: u32| {
                !matches!(program.code[pc as usize], LoopHeader { .. })
                    && may_be_silent(program, pc, reads, depth - 1)
            };
            depth > 0 && (item.entry..item.end).all(silent)
        }
        Store { .. } | CallExternal { .. } | CallIndirect { .. } => false,
        Alloca { .. } | EndScope { .. } | Fence { .. } | Unsupported { .. } => false,
        _ => true,
    }
}
