//! Which registers matter where: a backward analysis.
//!
//! A register is live at an instruction if some way from there leads to an instruction that reads it,
//! with none before that surely writes it.

use super::{Blocks, Node};
use crate::{FunctionId, Instruction, Program, Register};

/// A set of registers of a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterSet {
    words: Vec<u64>,
}

impl RegisterSet {
    /// The empty set, for a frame of so many registers.
    pub fn new(registers: u32) -> RegisterSet {
        RegisterSet { words: vec![0; registers.div_ceil(64) as usize] }
    }

    /// Whether a register is in it.
    pub fn contains(&self, register: Register) -> bool {
        self.words[register.0 as usize / 64] >> (register.0 % 64) & 1 == 1
    }

    /// Puts `count` registers in.
    pub fn insert(&mut self, first: Register, count: u32) {
        for r in first.0..first.0 + count {
            self.words[r as usize / 64] |= 1 << (r % 64);
        }
    }

    /// Takes `count` registers out.
    pub fn remove(&mut self, first: Register, count: u32) {
        for r in first.0..first.0 + count {
            self.words[r as usize / 64] &= !(1 << (r % 64));
        }
    }

    /// Puts the registers of another set in.
    pub fn union(&mut self, other: &RegisterSet) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, &other)| *word |= other);
    }

    /// Its registers, ascending.
    pub fn iter(&self) -> impl Iterator<Item = Register> + '_ {
        (0..self.words.len() as u32 * 64).map(Register).filter(|&r| self.contains(r))
    }
}

/// The live registers of a function.
#[derive(Clone, Debug)]
pub struct Liveness {
    /// Per block, the registers that are live at its start.
    at_start: Vec<RegisterSet>,
}

impl Liveness {
    /// Analyses a function.
    pub fn new(program: &Program, function: FunctionId, blocks: &Blocks) -> Liveness {
        let registers = program.functions[function.index()].registers;
        let count = blocks.graph().count();
        let mut result = Liveness { at_start: vec![RegisterSet::new(registers); count] };
        let mut changed = true;
        while changed {
            changed = false;
            for block in (0..count as u32).rev().map(Node) {
                let live = result.live_before(program, blocks, blocks.range(block).start);
                changed |= live != result.at_start[block.index()];
                result.at_start[block.index()] = live;
            }
        }
        result
    }

    /// The registers that are live before an instruction.
    pub fn live_before(&self, program: &Program, blocks: &Blocks, pc: u32) -> RegisterSet {
        let block = blocks.at(pc);
        let mut live = RegisterSet { words: vec![0; self.at_start[block.index()].words.len()] };
        let range = blocks.range(block);
        match program.pad_at(range.end - 1) {
            // The call writes its result only if it returns.
            Some(pad) => {
                live.union(&self.at_start[blocks.at(range.end).index()]);
                program.code[range.end as usize - 1]
                    .for_each_cell(|_, _| {}, |register, count| live.remove(register, count));
                live.union(&self.at_start[blocks.at(pad.target).index()]);
            }
            None => {
                for next in blocks.graph().successors(block) {
                    live.union(&self.at_start[next.index()]);
                }
            }
        }
        for earlier in (pc..range.end).rev() {
            step(program, earlier, &mut live);
        }
        live
    }
}

/// Moves the set of live registers from behind an instruction to before it.
fn step(program: &Program, pc: u32, live: &mut RegisterSet) {
    let instruction = program.code[pc as usize];
    // A conditional move may leave its register as it was, and so does a call that an exception leaves; what follows
    // if it returns was looked at where the ways part.
    let always = !matches!(instruction, Instruction::MoveIf { .. }) && program.pad_at(pc).is_none();
    if always {
        instruction.for_each_cell(|_, _| {}, |register, count| live.remove(register, count));
    }
    program.for_each_read(pc, |operand, count| {
        if let Some(register) = operand.register() {
            live.insert(register, count);
        }
    });
}

impl Program {
    /// Computes the live registers of the loops of a function.
    pub fn set_live(&mut self, function: FunctionId) {
        let range = &self.functions[function.index()];
        let headers: Vec<_> = (range.entry..range.end)
            .filter_map(|pc| match self.code[pc as usize] {
                Instruction::LoopHeader { id } => Some((pc, id)),
                _ => None,
            })
            .collect();
        if headers.is_empty() {
            return;
        }
        let blocks = Blocks::new(self, function);
        let liveness = Liveness::new(self, function, &blocks);
        for &(_, id) in &headers {
            self.loops[id.index()].live.clear();
        }
        for (pc, id) in headers {
            // A turn has two headers.
            let before = liveness.live_before(self, &blocks, pc);
            let live = &mut self.loops[id.index()].live;
            live.extend(before.iter());
            live.sort_unstable();
            live.dedup();
        }
    }
}
