//! What stands against an iteration without effect.

use super::value::{Access, DEPTH, Value, Values};
use super::{Finder, Finding};
use crate::purity::{Atom, Effect, Ignored, Relation, Term, effect};
use norn_action::RmwOp;
use norn_program::flow::NaturalLoop;
use norn_program::{FunctionId, Instruction, Program, Register};

/// A reason, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// The instruction.
    pub pc: u32,
    /// What it does.
    pub why: Why,
    /// Whether it always is an effect; otherwise only the machine can tell.
    pub is_certain: bool,
}

/// What an instruction does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// It writes to memory, whatever was there.
    Writes(Access),
    /// It calls a function that may have an effect: where, in that function or one that it calls.
    Calls(FunctionId, Option<u32>),
    /// It calls a function of the runtime.
    Runtime(String),
    /// It calls whatever a pointer says.
    CallsPointer,
    /// It makes or ends a local variable in memory.
    Scope,
    /// It changes a local variable that the next iteration uses.
    Changes(Register),
    /// It does something else.
    Other,
}

/// Calls within calls that are looked into for an effect.
const MOST_CALLS: usize = 16;

/// What stands in the way on the ways round a loop: effects, and values that each iteration changes.
pub(super) fn of_loop(
    finder: &Finder<'_>,
    values: &Values<'_>,
    item: &NaturalLoop,
    finding: Finding,
) -> Vec<Cause> {
    let mut causes: Vec<Cause> = Vec::new();
    for pc in item.body.iter().flat_map(|&node| finder.flow.blocks.range(node)) {
        let is_certain = match effect(finder.program, finder.effects, pc) {
            Effect::None => continue,
            Effect::Conditional if !always_changes(values, pc) => continue,
            Effect::Conditional => true,
            Effect::Possible => false,
            Effect::Certain => true,
        };
        causes.push(Cause { pc, why: why(finder, values, pc), is_certain });
    }
    let condition = finder.condition(item, Ignored::All);
    for conjunction in condition.conjunctions() {
        let atoms = conjunction.atoms();
        let counted = atoms.iter().filter_map(|&atom| counts(values, atom));
        let refuted = atoms.iter().filter_map(|&atom| finder.refuted(values, atom, atoms));
        let refuted = refuted.filter_map(|(pc, expected)| match expected {
            Term::Start(register) => Some((pc, register)),
            _ => None,
        });
        for (pc, register) in counted.chain(refuted) {
            causes.push(Cause { pc, why: Why::Changes(register), is_certain: true });
        }
    }
    if finding == Finding::Refused && causes.iter().any(|cause| cause.is_certain) {
        causes.retain(|cause| cause.is_certain);
    }
    causes.sort_by_key(|cause| cause.pc);
    causes.dedup();
    causes
}

/// Whether a read-modify-write adds a number, or flips bits, so that it never writes what it has read.
fn always_changes(values: &Values<'_>, pc: u32) -> bool {
    let Instruction::Rmw { op: RmwOp::Add | RmwOp::Sub | RmwOp::Xor, size, value, .. } =
        values.program.code[pc as usize]
    else {
        return false;
    };
    let operand = values.operand(pc, value, DEPTH);
    matches!(operand, Value::Number(number) if size <= 8 && number << (64 - 8 * size) != 0)
}

fn why(finder: &Finder<'_>, values: &Values<'_>, pc: u32) -> Why {
    use Instruction::*;
    let program = finder.program;
    match program.code[pc as usize] {
        Call { function, .. } => Why::Calls(function, first_effect(finder, function)),
        CallIndirect { .. } => Why::CallsPointer,
        CallExternal { external, .. } => {
            Why::Runtime(program.externals[external.index()].name.clone())
        }
        Alloca { .. } | StackSave { .. } | StackRestore { .. } | EndScope { .. } => Why::Scope,
        _ => match values.access(pc, DEPTH) {
            Some(access) => Why::Writes(access),
            None => Why::Other,
        },
    }
}

/// The first effect of a function, in the function that has it itself.
fn first_effect(finder: &Finder<'_>, function: FunctionId) -> Option<u32> {
    let mut found = finder.effects.first(function)?;
    for _ in 0..MOST_CALLS {
        match finder.program.code[found as usize] {
            Instruction::Call { function, .. } => found = finder.effects.first(function)?,
            _ => break,
        }
    }
    Some(found)
}

/// If an atom says that a register is what it was at the start of the iteration, and the only thing that is
/// written to it is that and a number other than zero: where, and the register. Then the atom never holds.
pub(super) fn counts(values: &Values<'_>, atom: Atom) -> Option<(u32, Register)> {
    let (Relation::Equal, Term::Start(register), Term::Written { pc, .. }) =
        (atom.relation, atom.a, atom.b)
    else {
        return None;
    };
    let (width, a, b) = match values.program.code[pc as usize] {
        Instruction::Add { width, a, b, .. } | Instruction::Sub { width, a, b, .. } => {
            (width, a, b)
        }
        Instruction::Lea { scale: 1, base, index, .. } => (64, base, index),
        _ => return None,
    };
    let step = number(values.program, b.constant_index()?);
    let moves = step << (64 - width.min(64)) != 0;
    let before = values.definitions.reaching(pc, a.register()?, Some(values.header));
    let unchanged = match before.writes[..] {
        [] => a.register() == Some(register),
        [copy] if !before.from_start => is_copy(values, copy, register),
        _ => false,
    };
    (moves && unchanged).then_some((pc, register))
}

/// Whether an instruction moves what a register held at the start of the iteration.
fn is_copy(values: &Values<'_>, pc: u32, register: Register) -> bool {
    let Instruction::Move { src, .. } = values.program.code[pc as usize] else { return false };
    src.register() == Some(register)
        && values.definitions.reaching(pc, register, Some(values.header)).writes.is_empty()
}

fn number(program: &Program, index: u32) -> u64 {
    program.constants[index as usize]
}
