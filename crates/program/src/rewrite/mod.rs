//! Changing the code of a program.
//!
//! An [`Edit`] collects changes, all in terms of the program counters of the program as it was, and
//! [`Edit::apply`] makes them at once, at the cost of one walk over the code. What holds then:
//!
//! 1. Every instruction that stays keeps its source location and the order it had. A new one has the
//!    location of the instruction that it was put at.
//! 2. What named an instruction as a target names what stands in its place: what was inserted before
//!    it, itself or its replacement, or, where there is nothing left, what follows.
//! 3. What a program lists by program counter (calls with landing pads, weak compare-exchanges) follows
//!    its instruction, and is struck off the list with it or if its replacement is of another kind.
//! 4. A loop is gone with its header, and so are its [`Instruction::LoopIteration`]s and its turn; the other loops keep
//!    their order. Switch tables that no instruction names any more are gone.
//! 5. The live registers of loops are right in every function that was changed.
//!
//! Tables that know nothing of program counters (constants, arguments, messages, locals) only grow. Ids
//! and addresses of functions, externals and globals stay, since constants and initial contents hold them.
//!
//! Road not taken: changing the code in place, a change at a time. Every change would move all targets
//! behind it, and whoever makes a second one would have to know where the first went.

mod apply;

use crate::{FunctionId, Instruction, LocationId, Operand, Program, Register};
use std::collections::BTreeMap;

/// Changes to a program that were not made yet.
#[derive(Debug)]
pub struct Edit<'p> {
    program: &'p mut Program,
    changes: BTreeMap<u32, Change>,
    blocks: Vec<Block>,
}

/// What becomes of one instruction.
#[derive(Clone, Debug, Default)]
struct Change {
    before: Vec<Instruction>,
    fate: Fate,
    after: Vec<Instruction>,
}

#[derive(Clone, Copy, Debug, Default)]
enum Fate {
    #[default]
    Stays,
    Replaced(Instruction),
    Deleted,
}

/// A new block at the end of a function.
#[derive(Clone, Debug)]
struct Block {
    function: FunctionId,
    location: LocationId,
    instructions: Vec<Instruction>,
}

impl<'p> Edit<'p> {
    /// No changes yet.
    pub fn new(program: &'p mut Program) -> Edit<'p> {
        Edit { program, changes: BTreeMap::new(), blocks: Vec::new() }
    }

    /// The program as it was.
    pub fn program(&self) -> &Program {
        self.program
    }

    /// Inserts instructions that are executed whenever control comes to `pc`, from wherever. They follow
    /// what was inserted there already.
    pub fn insert_before(&mut self, pc: u32, instructions: &[Instruction]) {
        self.change(pc).before.extend_from_slice(instructions);
    }

    /// Inserts instructions that are executed when control passes on from `pc` to what follows it: not
    /// if it jumps, and so never behind a terminator, where they are left out. They follow what was
    /// inserted there already.
    pub fn insert_after(&mut self, pc: u32, instructions: &[Instruction]) {
        self.change(pc).after.extend_from_slice(instructions);
    }

    /// Puts another instruction in the place of the one at `pc`.
    pub fn replace(&mut self, pc: u32, instruction: Instruction) {
        self.change(pc).fate = Fate::Replaced(instruction);
    }

    /// Deletes the instruction at `pc`, but nothing that is inserted there.
    pub fn delete(&mut self, pc: u32) {
        self.change(pc).fate = Fate::Deleted;
    }

    /// Appends an empty block to a function, behind those that were appended before. The result is what
    /// targets of new instructions name it by.
    pub fn append_block(&mut self, function: FunctionId, location: LocationId) -> u32 {
        self.blocks.push(Block { function, location, instructions: Vec::new() });
        (self.program.code.len() + self.blocks.len() - 1) as u32
    }

    /// Appends instructions to a block that [`Edit::append_block`] made.
    pub fn extend_block(&mut self, block: u32, instructions: &[Instruction]) {
        let index = block as usize - self.program.code.len();
        self.blocks[index].instructions.extend_from_slice(instructions);
    }

    /// Puts one block in the place of all that a function did.
    pub fn replace_body(&mut self, function: FunctionId, instructions: &[Instruction]) {
        let old = &self.program.functions[function.index()];
        let location = old.location;
        for pc in old.entry..old.end {
            self.changes.insert(pc, Change { fate: Fate::Deleted, ..Change::default() });
        }
        self.blocks
            .iter_mut()
            .filter(|b| b.function == function)
            .for_each(|b| b.instructions.clear());
        let block = self.append_block(function, location);
        self.extend_block(block, instructions);
    }

    /// A new register of a function.
    pub fn register(&mut self, function: FunctionId) -> Register {
        let registers = &mut self.program.functions[function.index()].registers;
        *registers += 1;
        Register(*registers - 1)
    }

    /// A constant of one cell.
    pub fn constant(&mut self, value: u64) -> Operand {
        let pool = &mut self.program.constants;
        let known = pool.iter().position(|&constant| constant == value);
        Operand::constant(known.unwrap_or_else(|| {
            pool.push(value);
            pool.len() - 1
        }) as u32)
    }

    /// An entry of the table of messages.
    pub fn message(&mut self, text: &str) -> u32 {
        let table = &mut self.program.messages;
        let known = table.iter().position(|message| message == text);
        known.unwrap_or_else(|| {
            table.push(text.to_owned());
            table.len() - 1
        }) as u32
    }

    fn change(&mut self, pc: u32) -> &mut Change {
        debug_assert!((pc as usize) < self.program.code.len(), "no instruction at {pc}");
        self.changes.entry(pc).or_default()
    }
}
