//! Loops whose first try stands before them.
//!
//! ```c
//! int before = atomic_fetch_sub(&word, 1);
//! while (before <= 0) {
//!     atomic_fetch_add(&word, 1);
//!     while (atomic_load(&word) <= 0)
//!         ;
//!     before = atomic_fetch_sub(&word, 1);
//! }
//! ```
//!
//! What takes back what the try has done comes first in this loop, and the next try last: at its head, an iteration begins in
//! the midst of one try and ends in the midst of the next. That a try and what follows it lead to nothing shows only if one
//! looks before the tries. This pass puts a [`norn_program::Instruction::LoopHeader`] there, before the loop and at the end of
//! its body: a [`Turn`], which the machine takes for the head of a loop like any other. The loop's own head is met anew after
//! each of them, so that it never goes round by itself.
//!
//! It asks that a single block leads into the loop and a single one goes round, and that both end with the same instructions.
//! *The same* means: of the same kind; reading what both blocks have not written yet, or what instructions that correspond
//! have written; and, of the registers that are live at the head, both leave the same. So whoever comes to either place with
//! the same in the registers that are live there goes on in the same way.

use crate::body::{has_loops, known};
use crate::{Changed, Pass};
use norn_program::flow::{Blocks, Dominators, LoopForest, NaturalLoop};
use norn_program::{Edit, FunctionId, Instruction, Loop, LoopId, Operand, Program, Register, Turn};
use std::collections::{BTreeMap, BTreeSet};

/// The pass.
#[derive(Clone, Copy, Debug)]
pub struct MarkTurns;

impl Pass for MarkTurns {
    const NAME: &'static str = "mark-turns";

    fn run(&self, program: &mut Program) -> Changed {
        let functions = (0..program.functions.len() as u32).map(FunctionId);
        let found: Vec<Loop> = functions.flat_map(|id| turns_in(program, id)).collect();
        if found.is_empty() {
            return Changed::No;
        }
        let first = program.loops.len();
        program.loops.extend(found.iter().cloned());
        let mut edit = Edit::new(program);
        for (index, item) in found.iter().enumerate() {
            let mark = [Instruction::LoopHeader { id: LoopId((first + index) as u32) }];
            edit.insert_before(item.header, &mark);
            let before = item.turn.map(|turn| turn.before);
            before.into_iter().for_each(|pc| edit.insert_before(pc, &mark));
        }
        edit.apply();
        Changed::Yes
    }
}

fn turns_in(program: &Program, function: FunctionId) -> Vec<Loop> {
    if !has_loops(program, function) {
        return Vec::new();
    }
    let blocks = Blocks::new(program, function);
    let forest = LoopForest::new(blocks.graph(), &Dominators::new(blocks.graph()));
    let turn = |item: &NaturalLoop| turn_of(program, &blocks, item);
    forest.loops.iter().filter_map(turn).collect()
}

fn turn_of(program: &Program, blocks: &Blocks, item: &NaturalLoop) -> Option<Loop> {
    let of = known(program, blocks, item)?;
    let LoopHead { id, live } = head_of(program, of)?;
    let &[latch] = item.latches.as_slice() else { return None };
    let others = blocks.graph().predecessors(item.header).iter().filter(|node| **node != latch);
    let mut others = others.copied();
    let (Some(entry), None) = (others.next(), others.next()) else { return None };
    let ends = |pc: u32| matches!(program.code[pc as usize], Instruction::Jump { .. });
    let before = |node| {
        let range = blocks.range(node);
        // Whoever jumps to the head and whoever stands before it do the same.
        let end = range.end - u32::from(ends(range.end - 1));
        range.start..end
    };
    let (inside, outside) = (before(latch), before(entry));
    let pairs = inside.rev().zip(outside.rev());
    let same = pairs.take_while(|&(one, other)| is_alike(program, one, other));
    let same: Vec<(u32, u32)> = same.collect();
    let length =
        (1..=same.len()).rev().find(|&length| leaves_the_same(program, &same[..length], live))?;
    let tries = same[..length].iter().any(|&(pc, _)| is_try(&program.code[pc as usize]));
    let (header, before) = same[length - 1];
    tries.then(|| Loop {
        header,
        turn: Some(Turn { before, of: id }),
        counter: None,
        tested: false,
        ..of.clone()
    })
}

/// What is asked of the head of a loop.
struct LoopHead<'p> {
    id: LoopId,
    live: &'p [Register],
}

/// Nothing of a loop that has a turn.
fn head_of<'p>(program: &Program, item: &'p Loop) -> Option<LoopHead<'p>> {
    let Instruction::LoopHeader { id } = program.code[item.header as usize] else { return None };
    let is_plain = item.turn.is_none() && program.turn_of(id).is_none();
    is_plain.then_some(LoopHead { id, live: &item.live })
}

/// Whether it accesses memory that others may write.
fn is_try(instruction: &Instruction) -> bool {
    use Instruction::*;
    matches!(
        instruction,
        Load { .. } | Rmw { .. } | CompareExchange { .. } | Call { .. } | CallExternal { .. }
    )
}

/// Whether two instructions are of the same kind, and only their registers may differ.
fn is_alike(program: &Program, one: u32, other: u32) -> bool {
    use Instruction::*;
    if program.pad_at(one).is_some() || program.pad_at(other).is_some() {
        return false;
    }
    let weak = |pc: u32| program.weak_exchanges.binary_search(&pc).is_ok();
    match (program.code[one as usize], program.code[other as usize]) {
        (Move { .. }, Move { .. }) | (And { .. }, And { .. }) | (Or { .. }, Or { .. }) => true,
        (Xor { .. }, Xor { .. }) => true,
        (Add { width: a, .. }, Add { width: b, .. })
        | (Sub { width: a, .. }, Sub { width: b, .. })
        | (Mul { width: a, .. }, Mul { width: b, .. })
        | (Truncate { width: a, .. }, Truncate { width: b, .. }) => a == b,
        (Lea { scale: a, .. }, Lea { scale: b, .. }) => a == b,
        (SignExtend { from: a, to: b, .. }, SignExtend { from: c, to: d, .. }) => (a, b) == (c, d),
        (Equal { .. }, Equal { .. }) | (NotEqual { .. }, NotEqual { .. }) => true,
        (Load { size: a, mode: b, offset: c, .. }, Load { size: d, mode: e, offset: f, .. })
        | (Store { size: a, mode: b, offset: c, .. }, Store { size: d, mode: e, offset: f, .. }) => {
            (a, b, c) == (d, e, f)
        }
        (Rmw { op: a, size: b, mode: c, .. }, Rmw { op: d, size: e, mode: f, .. }) => {
            (a, b, c) == (d, e, f)
        }
        (
            CompareExchange { size: a, mode: b, failure: c, .. },
            CompareExchange { size: d, mode: e, failure: f, .. },
        ) => (a, b, c) == (d, e, f) && weak(one) == weak(other),
        (Fence { mode: a }, Fence { mode: b }) => a == b,
        (
            Call { results: a, count: b, function: c, .. },
            Call { results: d, count: e, function: f, .. },
        ) => (a, b, c) == (d, e, f),
        (
            CallExternal { results: a, count: b, external: c, .. },
            CallExternal { results: d, count: e, external: f, .. },
        ) => (a, b, c) == (d, e, f),
        _ => false,
    }
}

/// What corresponds, on the way through both ends.
#[derive(Default)]
struct Both {
    /// For each register that was written in the loop, which one before it holds the same.
    same: BTreeMap<Register, Register>,
    written: BTreeSet<Register>,
    written_before: BTreeSet<Register>,
}

impl Both {
    fn is_same(&self, one: Register, other: Register) -> bool {
        match self.same.get(&one) {
            Some(&same) => same == other,
            None => {
                one == other
                    && !self.written.contains(&one)
                    && !self.written_before.contains(&other)
            }
        }
    }

    fn reads_the_same(&self, program: &Program, one: Operand, other: Operand) -> bool {
        match (one.register(), other.register()) {
            (Some(one), Some(other)) => self.is_same(one, other),
            (None, None) => constant(program, one) == constant(program, other),
            _ => false,
        }
    }

    fn write(&mut self, one: Register, other: Register) {
        self.same.retain(|_, same| *same != other);
        self.same.insert(one, other);
        self.written.insert(one);
        self.written_before.insert(other);
    }
}

fn constant(program: &Program, operand: Operand) -> Option<u64> {
    operand.constant_index().map(|index| program.constants[index as usize])
}

/// Whether instructions that are alike, from the last to the first, leave the same in the registers that are `live` behind
/// them if these hold the same before them.
fn leaves_the_same(program: &Program, pairs: &[(u32, u32)], live: &[Register]) -> bool {
    let mut both = Both::default();
    for &(one, other) in pairs.iter().rev() {
        let (reads, writes) = cells(program, one);
        let (reads_before, writes_before) = cells(program, other);
        let read_alike = reads.len() == reads_before.len()
            && reads
                .iter()
                .zip(&reads_before)
                .all(|(&one, &other)| both.reads_the_same(program, one, other));
        if !read_alike || writes.len() != writes_before.len() {
            return false;
        }
        for (one, other) in writes.into_iter().zip(writes_before) {
            both.write(one, other);
        }
    }
    live.iter().all(|&register| both.is_same(register, register))
}

/// The cells that an instruction reads and writes.
fn cells(program: &Program, pc: u32) -> (Vec<Operand>, Vec<Register>) {
    let (mut reads, mut writes) = (Vec::new(), Vec::new());
    program.for_each_read(pc, |operand, count| {
        reads.extend((0..count).map(|index| operand.plus(index)));
    });
    program.code[pc as usize].for_each_cell(
        |_, _| {},
        |register, count| writes.extend((0..count).map(|index| register.plus(index))),
    );
    (reads, writes)
}
