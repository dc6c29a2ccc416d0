//! Loops that try a number of times: which register only says how often.
//!
//! ```c
//! for (int i = 0; i < 10000; i++)
//!     if (try())
//!         return true;
//! give_up();
//! ```
//!
//! If a try that fails has no effect, reads once, and leaves all else as it was, it can be made any number of times in
//! the same place: with the same read, right after each other. And of any number of tries that fail all but the last
//! can be taken out of an execution; those who go on without them are ordered after less, so that whatever is wrong remains
//! wrong. So the executions in which the first try fails, and the counter then comes to its end at once, stand for all in
//! which some do. That holds if every iteration that goes round is such a try, which is a matter of values: the machine
//! looks at each ([`norn_action::Action::Counts`]), and if one is not, the search begins again, with a machine that counts.
//! If there is an execution in which one is not, there is one in which the first is not: the tries before it are taken
//! out. So the search meets it.
//!
//! Of a loop this asks that
//!
//! 1. on every way round one register comes to be the same constant further, and nothing but that, copies, and
//!    one jump that leaves the loop or stays in it uses what it holds. It compares with what the loop does not
//!    change;
//! 2. none of these numbers is used behind the loop;
//! 3. nothing in it, nor in functions that it calls, is an effect whatever the values are, and there is a read.
//!
//! A register that is not even tested, because somebody only counts for a debugger, decides nothing: it is taken out
//! of [`norn_program::Loop::live`], so that the loop may come back to the same state.

use crate::body::{has_loops, may_be_silent, writes};
use crate::purity::{Atom, Flow, Relation, Term, edges};
use crate::{Changed, Pass};
use norn_program::flow::{NaturalLoop, Node};
use norn_program::{Counter, FunctionId, Instruction, Leaves, LoopId, Operand, Program, Register};
use std::collections::BTreeMap;

/// The pass.
#[derive(Clone, Copy, Debug)]
pub struct MarkCounters;

impl Pass for MarkCounters {
    const NAME: &'static str = "mark-counters";

    fn run(&self, program: &mut Program) -> Changed {
        let found: Vec<(LoopId, Found)> = (0..program.functions.len() as u32)
            .flat_map(|function| found_in(program, FunctionId(function)))
            .collect();
        let mut changed = Changed::No;
        for (id, Found { counter, idle }) in found {
            let item = &mut program.loops[id.index()];
            let before = item.live.len();
            item.live.retain(|register| !idle.contains(register));
            if item.live.len() < before || item.counter != counter {
                (item.counter, changed) = (counter, Changed::Yes);
            }
        }
        changed
    }
}

/// What is found of a loop.
struct Found {
    counter: Option<Counter>,
    /// Registers that only count.
    idle: Vec<Register>,
}

fn found_in(program: &Program, function: FunctionId) -> Vec<(LoopId, Found)> {
    if !has_loops(program, function) {
        return Vec::new();
    }
    let flow = Flow::new(program, function);
    let found = |item: &NaturalLoop| Search { program, flow: &flow, item }.found();
    flow.forest.loops.iter().filter_map(found).collect()
}

/// What is known of registers at a point of the loop: those that hold the counter and a constant more. `None`: some
/// of them do on some ways, or do with another constant.
type Held = BTreeMap<Register, Option<i64>>;

/// The jump that uses the counter.
struct Test {
    ahead: i64,
    leaves: Leaves,
    /// How many bits it compares as a signed number; none if unsigned.
    signed: Option<u8>,
    limit: Operand,
}

struct Search<'a> {
    program: &'a Program,
    flow: &'a Flow,
    item: &'a NaturalLoop,
}

/// What is found on the way through the body.
#[derive(Default)]
struct Findings {
    width: Option<u8>,
    step: Option<i64>,
    test: Option<Test>,
}

impl Findings {
    fn counter(self, register: Register) -> Option<Counter> {
        let Findings { width: Some(width), step: Some(step), test: Some(test) } = self else {
            return None;
        };
        let Test { ahead, leaves, signed, limit } = test;
        let fits = signed.is_none_or(|bits| bits == width);
        let signed = signed.is_some();
        fits.then_some(Counter { register, width, step, ahead, leaves, signed, limit })
    }
}

impl Search<'_> {
    fn found(&self) -> Option<(LoopId, Found)> {
        let mut headers = self.pcs().filter_map(|pc| match self.program.code[pc as usize] {
            Instruction::LoopHeader { id } => Some(id),
            _ => None,
        });
        let (Some(id), None) = (headers.next(), headers.next()) else { return None };
        let live = self.flow.live_before(self.program, self.item.header);
        let live: Vec<Register> = live.iter().collect();
        let steps: Vec<(Register, Findings)> = (live.iter())
            .filter_map(|&register| Some((register, self.steps(register, &live)?)))
            .collect();
        let is_idle = |(_, findings): &&(Register, Findings)| findings.test.is_none();
        let idle: Vec<Register> =
            steps.iter().filter(is_idle).map(|(register, _)| *register).collect();
        let mut counters =
            steps.into_iter().filter_map(|(register, found)| found.counter(register));
        let counter = counters.next().filter(|_| self.only_tries());
        (counter.is_some() || !idle.is_empty()).then_some((id, Found { counter, idle }))
    }

    /// Whether nothing in it is an effect whatever the values are, and there is a read.
    fn only_tries(&self) -> bool {
        let mut reads = false;
        self.pcs().all(|pc| may_be_silent(self.program, pc, &mut reads, 4)) && reads
    }

    fn pcs(&self) -> impl Iterator<Item = u32> {
        self.item.body.iter().flat_map(|&node| self.flow.blocks.range(node))
    }

    /// Follows what `register` holds at the head through the body. Nothing if anything else uses it than what counts.
    fn steps(&self, register: Register, live: &[Register]) -> Option<Findings> {
        let mut findings = Findings::default();
        let mut behind: BTreeMap<usize, Held> = BTreeMap::new();
        for &node in &self.item.body {
            let mut held = if node == self.item.header {
                Held::from([(register, Some(0))])
            } else {
                let before = self.flow.blocks.graph().predecessors(node).iter();
                before.filter_map(|from| behind.get(&from.index())).cloned().reduce(together)?
            };
            for pc in self.flow.blocks.range(node) {
                self.pass(pc, &mut held, &mut findings)?;
            }
            for &next in self.flow.blocks.graph().successors(node) {
                self.leads(next, &held, &mut findings, (register, live))?;
            }
            behind.insert(node.index(), held);
        }
        findings.step.is_some_and(|step| step != 0).then_some(findings)
    }

    /// Along an edge: back to the head, out of the loop, or on within it.
    fn leads(
        &self,
        next: Node,
        held: &Held,
        findings: &mut Findings,
        (register, live): (Register, &[Register]),
    ) -> Option<()> {
        if next == self.item.header {
            let step = (*held.get(&register)?)?;
            let alone = live.iter().all(|other| *other == register || !held.contains_key(other));
            (alone && *findings.step.get_or_insert(step) == step).then_some(())
        } else if self.item.body.contains(&next) {
            Some(())
        } else {
            let used = self.flow.live_before(self.program, next);
            (!held.keys().any(|&register| used.contains(register))).then_some(())
        }
    }

    fn pass(&self, pc: u32, held: &mut Held, findings: &mut Findings) -> Option<()> {
        use Instruction::{Add, Move, MoveIf, Sub};
        let instruction = self.program.code[pc as usize];
        let moved = match instruction {
            Move { dst, src } => match ahead_of(held, src) {
                Some(ahead) => Some((dst, ahead?)),
                None => None,
            },
            Add { width, dst, a, b } => match (ahead_of(held, a), ahead_of(held, b)) {
                (Some(ahead), None) => {
                    Some((dst, ahead?.checked_add(self.constant(b, width, findings)?)?))
                }
                (None, Some(ahead)) => {
                    Some((dst, ahead?.checked_add(self.constant(a, width, findings)?)?))
                }
                (Some(_), Some(_)) => return None,
                (None, None) => None,
            },
            Sub { width, dst, a, b } => match (ahead_of(held, a), ahead_of(held, b)) {
                (Some(ahead), None) => {
                    Some((dst, ahead?.checked_sub(self.constant(b, width, findings)?)?))
                }
                (None, None) => None,
                _ => return None,
            },
            // It may leave the counter where it is.
            MoveIf { dst, .. } if held.contains_key(&dst) => return None,
            _ => {
                let mut uses = false;
                self.program.for_each_read(pc, |operand, count| {
                    uses |= (0..count).any(|i| ahead_of(held, operand.plus(i)).is_some());
                });
                if uses {
                    let test = self.test(pc, held)?;
                    if findings.test.replace(test).is_some() {
                        return None;
                    }
                }
                None
            }
        };
        // A call that an exception leaves has not written what it would.
        if self.program.pad_at(pc).is_some()
            && held.keys().any(|&register| writes(self.program, pc, register))
        {
            return None;
        }
        instruction.for_each_cell(
            |_, _| {},
            |first, count| held.retain(|r, _| *r < first || r.0 >= first.0 + count),
        );
        if let Some((dst, ahead)) = moved {
            held.insert(dst, Some(ahead));
        }
        Some(())
    }

    /// A constant as a signed number of so many bits, which are those of the counter.
    fn constant(&self, operand: Operand, width: u8, findings: &mut Findings) -> Option<i64> {
        let cell = self.program.constants[operand.constant_index()? as usize];
        let unused = 64u32.checked_sub(width.into())?;
        (*findings.width.get_or_insert(width) == width).then_some((cell << unused) as i64 >> unused)
    }

    /// The jump at `pc` as a test of the counter: what must hold for it to leave the loop.
    fn test(&self, pc: u32, held: &Held) -> Option<Test> {
        let mut operands = Vec::new();
        self.program.for_each_read(pc, |operand, _| operands.push(operand));
        // One that looks at a bit, or at a table, has only one.
        let [a, b] = operands[..] else { return None };
        let (ahead, counter, limit) = match (ahead_of(held, a), ahead_of(held, b)) {
            (Some(ahead), None) => (ahead?, a, b),
            (None, Some(ahead)) => (ahead?, b, a),
            _ => return None,
        };
        let is_written = |register| self.pcs().any(|pc| writes(self.program, pc, register));
        if limit.register().is_some_and(is_written) {
            return None;
        }
        let stays = |target: u32| self.item.body.contains(&self.flow.blocks.at(target));
        let edges = edges(self.program, pc);
        let mut leaving = edges.iter().filter(|(target, _)| !stays(*target));
        let (Some((_, condition)), None) = (leaving.next(), leaving.next()) else { return None };
        let [Atom { relation, a, .. }] = condition[..] else { return None };
        let is_first = a == Term::Here(counter.register()?);
        let (leaves, signed) = match (relation, is_first) {
            (Relation::Equal, _) => (Leaves::Equal, None),
            (Relation::Below, true) => (Leaves::Below, None),
            (Relation::Below, false) => (Leaves::Above, None),
            (Relation::BelowEqual, true) => (Leaves::AtMost, None),
            (Relation::BelowEqual, false) => (Leaves::AtLeast, None),
            (Relation::Less(width), true) => (Leaves::Below, Some(width)),
            (Relation::Less(width), false) => (Leaves::Above, Some(width)),
            (Relation::LessEqual(width), true) => (Leaves::AtMost, Some(width)),
            (Relation::LessEqual(width), false) => (Leaves::AtLeast, Some(width)),
            (Relation::NotEqual | Relation::Covers, _) => return None,
        };
        Some(Test { ahead, leaves, signed, limit })
    }
}

/// How far an operand is ahead of the counter, if it holds it.
fn ahead_of(held: &Held, operand: Operand) -> Option<Option<i64>> {
    held.get(&operand.register()?).copied()
}

/// What is known where two ways meet.
fn together(mut one: Held, other: Held) -> Held {
    for (register, ahead) in &mut one {
        if other.get(register) != Some(ahead) {
            *ahead = None;
        }
    }
    for register in other.into_keys() {
        one.entry(register).or_insert(None);
    }
    one
}
