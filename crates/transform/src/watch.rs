//! Which reads may be those of a loop that waits.
//!
//! A machine asks, at a read in a loop, with which values the thread would come back to the head of the loop
//! without having done anything; such a value is not worth reading, and the read waits for another. Asking is
//! not cheap. This pass marks the reads at which an answer is possible: those from which the head can be
//! reached without another access. It does not change the program, only [`Program::watched`], and a mark too
//! many or too few changes no verdict.
//!
//! The same is asked at a read-modify-write, of values with which the thread would come back after others whose answers it
//! ignores ([`crate::MarkUnused`] comes first).
//!
//! The search goes backwards from where loops go round. It passes whatever may be done in silence, plain stores
//! and runtime functions among it, ends at the first access on each way, and looks into functions that are
//! called: at the last accesses before they return, and past the call if they may return without one.
//!
//! A loop that counts, or goes from slot to slot, hardly ever comes back to the same state: one in which a
//! register that the next iteration needs is computed anew from itself, each time round. Its reads are not marked.

use crate::body::{has_loops, known, writes};
use crate::{Changed, Pass};
use norn_program::flow::{Blocks, Dominators, LoopForest, NaturalLoop, Node};
use norn_program::{FunctionId, Instruction, Program, Register};

/// The pass.
#[derive(Clone, Copy, Debug)]
pub struct MarkWatched;

impl Pass for MarkWatched {
    const NAME: &'static str = "mark-watched";

    fn run(&self, program: &mut Program) -> Changed {
        let watched = Marks::of(program);
        if watched == program.watched {
            return Changed::No;
        }
        program.watched = watched;
        Changed::Yes
    }
}

/// What is known of a function that is called.
#[derive(Clone, Debug, Default)]
struct Ending {
    /// Its last accesses before it returns, those of functions that it calls included.
    accesses: Vec<u32>,
    /// Whether it may return without any.
    silent: bool,
}

struct Marks<'p> {
    program: &'p Program,
    blocks: Vec<Option<Blocks>>,
    /// Of functions that were looked at; one that is being looked at counts as silent.
    endings: Vec<Option<Ending>>,
    marked: Vec<u32>,
}

impl Marks<'_> {
    fn of(program: &Program) -> Vec<u32> {
        let count = program.functions.len();
        let (blocks, endings) = (vec![None; count], vec![None; count]);
        let mut marks = Marks { program, blocks, endings, marked: Vec::new() };
        for index in 0..count {
            let function = FunctionId(index as u32);
            if has_loops(program, function) {
                marks.loops_of(function);
            }
        }
        marks.marked.sort_unstable();
        marks.marked.dedup();
        marks.marked
    }

    fn loops_of(&mut self, function: FunctionId) {
        let blocks = self.blocks(function);
        let forest = LoopForest::new(blocks.graph(), &Dominators::new(blocks.graph()));
        for item in &forest.loops {
            if !counts(self.program, &blocks, item) {
                let within = |node: Node| item.body.contains(&node);
                let mut found = Vec::new();
                self.backwards(&blocks, &item.latches, &within, Some(item.header), &mut found);
                if let Some(turn) = turn(self.program, &blocks, item) {
                    let before: Vec<Node> = blocks.graph().predecessors(turn).to_vec();
                    self.backwards(&blocks, &before, &within, Some(turn), &mut found);
                }
                self.marked.append(&mut found);
            }
        }
    }

    fn blocks(&mut self, function: FunctionId) -> Blocks {
        let program = self.program;
        let slot = &mut self.blocks[function.index()];
        slot.get_or_insert_with(|| Blocks::new(program, function)).clone()
    }

    fn ending(&mut self, function: FunctionId) -> Ending {
        if let Some(known) = &self.endings[function.index()] {
            return known.clone();
        }
        let under_way = Ending { silent: true, ..Ending::default() };
        self.endings[function.index()] = Some(under_way);
        let blocks = self.blocks(function);
        let returns = |node: &Node| {
            let last = blocks.range(*node).end - 1;
            matches!(self.program.code[last as usize], Instruction::Return { .. })
        };
        let starts: Vec<Node> = blocks.graph().order().iter().copied().filter(returns).collect();
        let mut accesses = Vec::new();
        let silent = self.backwards(&blocks, &starts, &|_| true, None, &mut accesses);
        let ending = Ending { accesses, silent };
        self.endings[function.index()] = Some(ending.clone());
        ending
    }

    /// The last accesses on all ways that end with the blocks `from`, within some blocks and, if that is a
    /// loop, within an iteration. Whether the first block can be reached without any.
    fn backwards(
        &mut self,
        blocks: &Blocks,
        from: &[Node],
        within: &dyn Fn(Node) -> bool,
        header: Option<Node>,
        found: &mut Vec<u32>,
    ) -> bool {
        let graph = blocks.graph();
        let mut seen = vec![false; graph.count()];
        let mut open = from.to_vec();
        let mut reached = false;
        while let Some(node) = open.pop() {
            if std::mem::replace(&mut seen[node.index()], true) {
                continue;
            }
            let passed = blocks.range(node).rev().all(|pc| self.passes(pc, found));
            if !passed {
                continue;
            }
            let is_first = node == header.unwrap_or(graph.entry());
            reached |= is_first;
            if !(is_first && header.is_some()) {
                open.extend(graph.predecessors(node).iter().copied().filter(|&node| within(node)));
            }
        }
        reached
    }

    /// Whether the search goes on before an instruction; notes what it may wait for there.
    fn passes(&mut self, pc: u32, found: &mut Vec<u32>) -> bool {
        use Instruction::*;
        match self.program.code[pc as usize] {
            Load { size, .. } if size <= 8 => {
                found.push(pc);
                // It may be one of private memory.
                self.is_plain(pc)
            }
            Rmw { size, .. } if size <= 8 => {
                found.push(pc);
                // One that is the same whatever it reads may only take back what was done before.
                self.program.unused.binary_search(&pc).is_ok()
            }
            CompareExchange { size, .. } if size <= 8 => {
                found.push(pc);
                false
            }
            Call { function, .. } => {
                let Ending { accesses, silent } = self.ending(function);
                found.extend(accesses);
                silent
            }
            Load { .. } | Rmw { .. } | CompareExchange { .. } | Fence { .. } => false,
            Store { mode, .. } => !mode.is_atomic(),
            _ => true,
        }
    }

    fn is_plain(&self, pc: u32) -> bool {
        matches!(self.program.code[pc as usize], Instruction::Load { mode, .. } if !mode.is_atomic())
    }
}

/// Where a loop goes round besides its head ([`norn_program::Turn`]).
fn turn(program: &Program, blocks: &Blocks, item: &NaturalLoop) -> Option<Node> {
    let header = known(program, blocks, item)?.header;
    let Instruction::LoopHeader { id } = program.code[header as usize] else { return None };
    program.turn_of(id).map(|turn| blocks.at(program.loops[turn.index()].header))
}

/// Whether each iteration computes a register that the next one needs anew from what it was, in one place that
/// every way round passes.
fn counts(program: &Program, blocks: &Blocks, item: &NaturalLoop) -> bool {
    let Some(known) = known(program, blocks, item) else { return false };
    let dominators = Dominators::new(blocks.graph());
    known.live.iter().any(|&register| {
        let mut writes = writes_to(program, blocks, item, register);
        let (Some((node, pc)), None) = (writes.next(), writes.next()) else { return false };
        let always = item.latches.iter().all(|&latch| dominators.dominates(node, latch));
        always && steps_on(program, blocks, (pc, register), 4)
    })
}

/// Where the body of a loop writes to a register.
fn writes_to<'a>(
    program: &'a Program,
    blocks: &'a Blocks,
    item: &'a NaturalLoop,
    register: Register,
) -> impl Iterator<Item = (Node, u32)> + 'a {
    let pcs = item.body.iter().flat_map(|&node| blocks.range(node).map(move |pc| (node, pc)));
    pcs.filter(move |&(_, pc)| writes(program, pc, register))
}

/// The last write to a register before an instruction, in its block.
fn definition(program: &Program, blocks: &Blocks, pc: u32, register: Register) -> Option<u32> {
    let start = blocks.range(blocks.at(pc)).start;
    (start..pc).rev().find(|&pc| writes(program, pc, register))
}

/// Whether an instruction computes a register anew from itself (the next number, the next slot), directly or by
/// way of others that are written before it in its block. What it computes is taken to be something else.
fn steps_on(
    program: &Program,
    blocks: &Blocks,
    (pc, register): (u32, Register),
    depth: u32,
) -> bool {
    use Instruction::*;
    let instruction = program.code[pc as usize];
    let copies = match instruction {
        Move { .. } | Truncate { .. } | SignExtend { .. } => true,
        Add { .. }
        | Sub { .. }
        | Mul { .. }
        | And { .. }
        | Xor { .. }
        | Binary { .. }
        | Lea { .. } => false,
        _ => return false,
    };
    let mut found = false;
    instruction.for_each_cell(
        |operand, _| {
            let Some(from) = operand.register() else { return };
            if from == register {
                found |= !copies;
            } else if depth > 0
                && let Some(pc) = definition(program, blocks, pc, from)
            {
                found |= steps_on(program, blocks, (pc, register), depth - 1);
            }
        },
        |_, _| {},
    );
    found
}
