//! Basic blocks of bytecode.
//!
//! What holds: control enters a block at its first instruction and leaves it at its last; a loop
//! header is the first of its block; every instruction of the function is in one block, also those
//! that nothing leads to.

use super::{Graph, Node};
use crate::{FunctionId, Instruction, Operand, Program};
use std::ops::Range;

/// The basic blocks of a function, by ascending program counter, and how control passes between them.
#[derive(Clone, Debug)]
pub struct Blocks {
    /// First instruction of each block, and the end of the function.
    starts: Vec<u32>,
    graph: Graph,
}

impl Blocks {
    /// The blocks of a function.
    pub fn new(program: &Program, function: FunctionId) -> Blocks {
        let function = &program.functions[function.index()];
        let starts = starts(program, function.entry, function.end);
        let count = starts.len() - 1;
        let mut edges = Vec::with_capacity(2 * count);
        for (from, pair) in starts.windows(2).enumerate() {
            program.for_each_successor(pair[1] - 1, |next| {
                // Code behind the end would be no function's; the verifier refuses it.
                if next < function.end {
                    edges.push((Node(from as u32), block_of(&starts, next)));
                }
            });
        }
        Blocks { graph: Graph::new(count, Node(0), &edges), starts }
    }

    /// How control passes between the blocks.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The block that holds an instruction of the function.
    pub fn at(&self, pc: u32) -> Node {
        block_of(&self.starts, pc)
    }

    /// The instructions of a block.
    pub fn range(&self, node: Node) -> Range<u32> {
        self.starts[node.index()]..self.starts[node.index() + 1]
    }
}

fn block_of(starts: &[u32], pc: u32) -> Node {
    Node(starts.partition_point(|&start| start <= pc) as u32 - 1)
}

fn starts(program: &Program, entry: u32, end: u32) -> Vec<u32> {
    let mut is_start = vec![false; (end - entry) as usize + 1];
    is_start[0] = true;
    is_start[(end - entry) as usize] = true;
    for pc in entry..end {
        let instruction = program.code[pc as usize];
        if let Instruction::LoopHeader { .. } = instruction {
            is_start[(pc - entry) as usize] = true;
        }
        let mut jumps = instruction.is_terminator();
        program.for_each_target(pc, |target| {
            is_start[(target - entry) as usize] = true;
            jumps = true;
        });
        if jumps {
            is_start[(pc + 1 - entry) as usize] = true;
        }
    }
    (entry..=end).filter(|pc| is_start[(pc - entry) as usize]).collect()
}

impl Program {
    /// Calls `f` on every target of an instruction, those of its switch table and its landing pad included.
    pub fn for_each_target(&self, pc: u32, mut f: impl FnMut(u32)) {
        let mut instruction = self.code[pc as usize];
        instruction.for_each_target(|target| f(*target));
        if let Instruction::Switch { table, .. } = instruction {
            let switch = &self.switches[table as usize];
            switch.cases.iter().for_each(|case| f(case.1));
            f(switch.default);
        }
        if let Some(pad) = self.pad_at(pc) {
            f(pad.target);
        }
    }

    /// Calls `f` on every instruction of the same function to which control may pass next.
    pub fn for_each_successor(&self, pc: u32, mut f: impl FnMut(u32)) {
        self.for_each_target(pc, &mut f);
        if !self.code[pc as usize].is_terminator() {
            f(pc + 1);
        }
    }

    /// Calls `f` on every operand that an instruction reads (with its number of cells), arguments of
    /// calls included.
    pub fn for_each_read(&self, pc: u32, mut f: impl FnMut(Operand, u32)) {
        let instruction = &self.code[pc as usize];
        instruction.for_each_cell(&mut f, |_, _| {});
        if let Instruction::Call { count, args, .. }
        | Instruction::CallIndirect { count, args, .. }
        | Instruction::CallExternal { count, args, .. } = *instruction
        {
            let list = &self.arguments[args as usize..][..usize::from(count)];
            list.iter().for_each(|&operand| f(operand, 1));
        }
    }
}
