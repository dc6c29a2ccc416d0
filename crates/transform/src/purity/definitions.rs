//! Where the registers of a function get their values.

use norn_program::flow::{Blocks, Node};
use norn_program::{Instruction, Operand, Program, Register};

/// The instructions that may have written what a register holds somewhere.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reaching {
    /// The instructions, each once.
    pub writes: Vec<u32>,
    /// Whether it may also hold what it held where the search ended: at the start of the function, or at the
    /// header that was named.
    pub from_start: bool,
}

/// Moves and masks behind which a value is looked for.
const DEPTH: u32 = 8;

/// What can be said of the registers of a function by looking backwards.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Definitions<'a> {
    program: &'a Program,
    blocks: &'a Blocks,
}

impl<'a> Definitions<'a> {
    pub(crate) fn new(program: &'a Program, blocks: &'a Blocks) -> Definitions<'a> {
        Definitions { program, blocks }
    }

    /// What may have written a register that is read by an instruction. A conditional move counts as a write.
    /// With a header, only the iteration counts that the instruction is in.
    pub(crate) fn reaching(&self, pc: u32, register: Register, header: Option<Node>) -> Reaching {
        let graph = self.blocks.graph();
        let mut result = Reaching::default();
        let mut seen = vec![false; graph.count()];
        let mut open = Vec::new();
        let first = self.blocks.at(pc);
        self.look(
            self.blocks.range(first).start..pc,
            first,
            register,
            header,
            &mut result,
            &mut open,
        );
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut seen[node.index()], true) {
                self.look(self.blocks.range(node), node, register, header, &mut result, &mut open);
            }
        }
        result.writes.sort_unstable();
        result.writes.dedup();
        result
    }

    /// Looks backwards through instructions of a block; where nothing writes, the blocks before are open.
    fn look(
        &self,
        range: std::ops::Range<u32>,
        node: Node,
        register: Register,
        header: Option<Node>,
        result: &mut Reaching,
        open: &mut Vec<Node>,
    ) {
        let graph = self.blocks.graph();
        if let Some(write) = range.rev().find(|&pc| self.writes(pc, register)) {
            result.writes.push(write);
            return;
        }
        let is_first = header.unwrap_or(graph.entry()) == node;
        result.from_start |= is_first;
        // The entry of a function may have predecessors, too; a header ends the search.
        if !(is_first && header.is_some()) {
            open.extend(graph.predecessors(node));
        }
    }

    /// The first instruction of a block.
    pub(crate) fn start(&self, node: Node) -> u32 {
        self.blocks.range(node).start
    }

    fn writes(&self, pc: u32, register: Register) -> bool {
        let mut found = false;
        self.program.code[pc as usize].for_each_cell(
            |_, _| {},
            |first, count| found |= first <= register && register.0 < first.0 + count,
        );
        found
    }

    /// Whether an operand of an instruction is surely below `1 << width`, whatever the registers held when the
    /// iteration started.
    pub(crate) fn fits(&self, pc: u32, operand: Operand, width: u8, header: Node) -> bool {
        self.bits(pc, operand, header, DEPTH) <= width
    }

    /// How many bits an operand of an instruction takes at most.
    fn bits(&self, pc: u32, operand: Operand, header: Node, depth: u32) -> u8 {
        if let Some(index) = operand.constant_index() {
            return 64 - self.program.constants[index as usize].leading_zeros() as u8;
        }
        let Some(register) = operand.register().filter(|_| depth > 0) else { return 64 };
        let Reaching { writes, from_start } = self.reaching(pc, register, Some(header));
        if from_start {
            return 64;
        }
        let written = |pc| self.bits_written(pc, register, header, depth - 1);
        writes.into_iter().map(written).max().unwrap_or(64)
    }

    fn bits_written(&self, pc: u32, register: Register, header: Node, depth: u32) -> u8 {
        use Instruction::*;
        let of = |operand: Operand| self.bits(pc, operand, header, depth);
        match self.program.code[pc as usize] {
            Move { src, .. } | Freeze { src, .. } => of(src),
            Equal { .. }
            | NotEqual { .. }
            | Below { .. }
            | BelowEqual { .. }
            | Less { .. }
            | LessEqual { .. } => 1,
            Truncate { width, src, .. } => width.min(of(src)),
            And { a, b, .. } => of(a).min(of(b)),
            Or { a, b, .. } | Xor { a, b, .. } => of(a).max(of(b)),
            Load { size, .. } | Rmw { size, .. } if size <= 8 => 8 * size,
            CompareExchange { size, dst, .. } if size <= 8 => {
                if register == dst {
                    8 * size
                } else {
                    1
                }
            }
            _ => 64,
        }
    }
}
