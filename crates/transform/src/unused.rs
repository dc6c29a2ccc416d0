//! Which read-modify-writes are not asked for their answers, and which functions do not look at what they are given.
//!
//! Two fetch-adds of one variable leave the same in either order. Whether their order matters depends on who
//! looks at what they read. This pass marks those whose answer nobody does: the register is written again, or
//! never read, or read only to compute what nobody looks at. A mark too few changes no verdict; one too many
//! would. It does not change the program, only [`Program::unused`] and [`Program::ignoring`]: threads of a function that does
//! not look at its argument are alike whatever each was given.
//!
//! The analysis is that of live registers, backwards, except that an instruction that cannot fail and computes
//! what is not live does not make its operands live. Registers that are compared at the head of a loop are
//! looked at there, unless the loop is looked at elsewhere ([`norn_program::Turn`]).

use crate::{Changed, Pass};
use norn_program::flow::{Blocks, Node, RegisterSet};
use norn_program::{FunctionId, Instruction, Program, Register};

/// The pass.
#[derive(Clone, Copy, Debug)]
pub struct MarkUnused;

impl Pass for MarkUnused {
    const NAME: &'static str = "mark-unused";

    fn run(&self, program: &mut Program) -> Changed {
        let (mut unused, mut ignoring) = (Vec::new(), Vec::new());
        for function in (0..program.functions.len() as u32).map(FunctionId) {
            if mark(program, function, &mut unused) {
                ignoring.push(function);
            }
        }
        unused.sort_unstable();
        if unused == program.unused && ignoring == program.ignoring {
            return Changed::No;
        }
        program.unused = unused;
        program.ignoring = ignoring;
        Changed::Yes
    }
}

/// Adds the read-modify-writes of a function whose answers are not looked at. Whether it has one parameter, as the function of a
/// thread has, and does not look at that.
fn mark(program: &Program, function: FunctionId, unused: &mut Vec<u32>) -> bool {
    let item = &program.functions[function.index()];
    let updates = |pc: u32| matches!(program.code[pc as usize], Instruction::Rmw { .. });
    let has_argument = item.params == 1 && item.entry < item.end;
    if !has_argument && !(item.entry..item.end).any(updates) {
        return false;
    }
    let blocks = Blocks::new(program, function);
    let count = blocks.graph().count();
    let mut at_start = vec![RegisterSet::new(item.registers); count];
    let mut changed = true;
    while changed {
        changed = false;
        for block in (0..count as u32).rev().map(Node) {
            let mut live = live_at_end(&blocks, block, &at_start, item.registers);
            for pc in blocks.range(block).rev() {
                step(program, pc, &mut live);
            }
            changed |= live != at_start[block.index()];
            at_start[block.index()] = live;
        }
    }
    for block in (0..count as u32).map(Node) {
        let mut live = live_at_end(&blocks, block, &at_start, item.registers);
        for pc in blocks.range(block).rev() {
            if updates(pc) && writes_nothing_live(&program.code[pc as usize], &live) {
                unused.push(pc);
            }
            step(program, pc, &mut live);
        }
    }
    has_argument && !at_start[blocks.graph().entry().index()].contains(Register(0))
}

fn live_at_end(
    blocks: &Blocks,
    block: Node,
    at_start: &[RegisterSet],
    registers: u32,
) -> RegisterSet {
    let mut live = RegisterSet::new(registers);
    for next in blocks.graph().successors(block) {
        live.union(&at_start[next.index()]);
    }
    live
}

fn writes_nothing_live(instruction: &Instruction, live: &RegisterSet) -> bool {
    let mut nothing = true;
    instruction.for_each_cell(
        |_, _| {},
        |register, count| {
            nothing &= (0..count).all(|index| !live.contains(register.plus(index)));
        },
    );
    nothing
}

/// Moves the set of registers that are looked at from behind an instruction to before it.
fn step(program: &Program, pc: u32, live: &mut RegisterSet) {
    let instruction = program.code[pc as usize];
    if is_silent(&instruction) && writes_nothing_live(&instruction, live) {
        return;
    }
    // A conditional move may leave its register as it was, and so does a call that an exception leaves.
    let always = !matches!(instruction, Instruction::MoveIf { .. }) && program.pad_at(pc).is_none();
    if always {
        instruction.for_each_cell(|_, _| {}, |register, count| live.remove(register, count));
    }
    program.for_each_read(pc, |operand, count| {
        if let Some(register) = operand.register() {
            live.insert(register, count);
        }
    });
    if let Instruction::LoopHeader { id } = instruction
        && program.turn_of(id).is_none()
    {
        for &register in &program.loops[id.index()].live {
            live.insert(register, 1);
        }
    }
}

/// Whether it only computes, and cannot fail.
fn is_silent(instruction: &Instruction) -> bool {
    use Instruction::*;
    matches!(
        instruction,
        Move { .. } | Truncate { .. } | SignExtend { .. } | Add { .. } | Sub { .. } | And { .. }
    )
}
