//! Of which reads only one thing is asked.
//!
//! ```c
//! if (atomic_fetch_sub(&word, 1) > 0) …
//! ```
//!
//! Whatever the answer is, the thread does one of two things. Who takes something out of an execution may change such an
//! answer as long as the comparison comes out the same. This pass finds atomic reads whose answer is only copied and
//! compared with a constant, by one jump or by several that ask the same, in functions with loops and updates: nobody else is
//! interested. A mark too few changes no verdict; one too many
//! would. It does not change the program, only [`Program::asked`].
//!
//! The analysis goes forwards from each: which registers may hold the answer. Registers that are compared at the head of a
//! loop are looked at there, unless the loop is looked at elsewhere ([`norn_program::Turn`]).

use crate::body::has_loops;
use crate::{Changed, Pass};
use norn_program::{Asked, FunctionId, Instruction, LoopId, Operand, Program, Register};
use std::collections::BTreeMap;

/// The pass.
#[derive(Clone, Copy, Debug)]
pub struct MarkAsked;

impl Pass for MarkAsked {
    const NAME: &'static str = "mark-asked";

    fn run(&self, program: &mut Program) -> Changed {
        let functions = (0..program.functions.len() as u32).map(FunctionId);
        let mut asked: Vec<Asked> = functions.flat_map(|id| asked_in(program, id)).collect();
        asked.sort_unstable_by_key(|asked| asked.read);
        if asked == program.asked {
            return Changed::No;
        }
        program.asked = asked;
        Changed::Yes
    }
}

fn asked_in(program: &Program, function: FunctionId) -> Vec<Asked> {
    let item = &program.functions[function.index()];
    let updates = |pc: u32| matches!(program.code[pc as usize], Instruction::Rmw { .. });
    if !has_loops(program, function) || !(item.entry..item.end).any(updates) {
        return Vec::new();
    }
    (item.entry..item.end).filter_map(|pc| asked_of(program, pc)).collect()
}

/// Registers that may hold the answer.
type Holders = Vec<Register>;

/// What is asked of the answer of one read.
struct Answer<'p> {
    program: &'p Program,
    /// What may hold it before each instruction that was reached while something did.
    before: BTreeMap<u32, Holders>,
    open: Vec<u32>,
    found: Option<(u32, bool)>,
}

fn asked_of(program: &Program, read: u32) -> Option<Asked> {
    let dst = match program.code[read as usize] {
        Instruction::Rmw { dst, .. } => dst,
        Instruction::Load { dst, mode, .. } if mode.is_atomic() => dst,
        _ => return None,
    };
    let mut answer = Answer { program, before: BTreeMap::new(), open: Vec::new(), found: None };
    answer.leads(read + 1, &[dst]);
    while let Some(pc) = answer.open.pop() {
        answer.pass(pc)?;
    }
    let (jump, first) = answer.found?;
    Some(Asked { read, jump, first })
}

impl Answer<'_> {
    fn leads(&mut self, pc: u32, holders: &[Register]) {
        let known = self.before.entry(pc).or_default();
        let length = known.len();
        for register in holders {
            if !known.contains(register) {
                known.push(*register);
            }
        }
        if known.len() > length {
            self.open.push(pc);
        }
    }

    /// Goes past an instruction. Nothing if that asks for more.
    fn pass(&mut self, pc: u32) -> Option<()> {
        let program = self.program;
        let mut holders = self.before[&pc].clone();
        let instruction = program.code[pc as usize];
        let holds = |operand: Operand| operand.register().is_some_and(|at| holders.contains(&at));
        let mut reads = false;
        program.for_each_read(pc, |operand, count| {
            reads |= (0..count).any(|index| holds(operand.plus(index)));
        });
        let copies = match instruction {
            Instruction::Move { dst, .. } if reads => Some(dst),
            _ if reads => {
                self.asks(pc)?;
                None
            }
            Instruction::LoopHeader { id } if self.looks_at(id, &holders) => return None,
            _ => None,
        };
        // A conditional move may leave its register as it was, and so does a call that an exception leaves.
        let always =
            !matches!(instruction, Instruction::MoveIf { .. }) && program.pad_at(pc).is_none();
        if always {
            instruction.for_each_cell(
                |_, _| {},
                |first, count| {
                    holders.retain(|held| !(first.0..first.0 + count).contains(&held.0));
                },
            );
        }
        holders.extend(copies);
        if !holders.is_empty() {
            program.for_each_successor(pc, |next| self.leads(next, &holders));
        }
        Some(())
    }

    /// Whether the head of a loop compares a register that holds the answer.
    fn looks_at(&self, id: LoopId, holders: &[Register]) -> bool {
        let live = &self.program.loops[id.index()].live;
        self.program.turn_of(id).is_none() && holders.iter().any(|held| live.contains(held))
    }

    /// Notes what an instruction asks that reads the answer. Nothing if it does more, or asks something else than others.
    fn asks(&mut self, pc: u32) -> Option<()> {
        let first = self.is_question(pc)?;
        match self.found {
            None => self.found = Some((pc, first)),
            Some((jump, was_first)) => {
                let limit = |pc, first| self.limit(pc, first);
                let same = std::mem::discriminant(&self.program.code[jump as usize])
                    == std::mem::discriminant(&self.program.code[pc as usize]);
                let same = same && was_first == first && limit(jump, first) == limit(pc, first);
                if !same {
                    return None;
                }
            }
        }
        Some(())
    }

    /// Whether an instruction that reads the answer is a jump that compares it with a constant; then whether the answer comes
    /// first.
    fn is_question(&self, pc: u32) -> Option<bool> {
        let (a, b, _) = compared(&self.program.code[pc as usize])?;
        match (a.constant_index(), b.constant_index()) {
            (None, Some(_)) => Some(true),
            (Some(_), None) => Some(false),
            _ => None,
        }
    }

    /// The constant, and how many bits are compared.
    fn limit(&self, pc: u32, first: bool) -> Option<(u64, u8)> {
        let (a, b, width) = compared(&self.program.code[pc as usize])?;
        let index = if first { b } else { a }.constant_index()?;
        Some((self.program.constants[index as usize], width))
    }
}

/// What a jump compares.
fn compared(instruction: &Instruction) -> Option<(Operand, Operand, u8)> {
    use Instruction::*;
    match *instruction {
        JumpEqual { a, b, .. }
        | JumpNotEqual { a, b, .. }
        | JumpBelow { a, b, .. }
        | JumpBelowEqual { a, b, .. } => Some((a, b, 64)),
        JumpLess { width, a, b, .. } | JumpLessEqual { width, a, b, .. } => Some((a, b, width)),
        _ => None,
    }
}
