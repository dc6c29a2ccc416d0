//! What one instruction means to a condition: when it has no effect, what it makes of the values that a
//! condition names, whether it may go wrong, and under which condition it goes where.

use super::condition::{Atom, Conjunction, Relation, Term};
use super::definitions::Definitions;
use super::effect::{Effect, Effects, Ignored, effect};
use norn_action::RmwOp;
use norn_program::flow::Node;
use norn_program::{BinaryOp, Global, Instruction, Operand, Program, Register};

/// What is known beside the instruction itself.
pub(super) struct Context<'a> {
    pub program: &'a Program,
    pub definitions: Definitions<'a>,
    pub effects: &'a Effects,
    /// The header of the loop.
    pub header: Node,
    /// Which effects are not looked at.
    pub ignored: Ignored,
}

/// A conjunction that holds behind an instruction, as it is before it: with the condition under which
/// the instruction has no effect. Nothing if it always has one.
pub(super) fn before(context: &Context<'_>, pc: u32, behind: &Conjunction) -> Option<Conjunction> {
    let program = context.program;
    let guard = guard(context, pc)?;
    let mut result = behind.map(|atom| rewritten(context, pc, atom))?;
    if may_go_wrong(program, pc) && result.not_before.is_none() {
        result.not_before = Some(pc);
    }
    guard.into_iter().try_fold(result, Conjunction::and)
}

/// The value of an operand.
fn term(program: &Program, operand: Operand) -> Term {
    match (operand.constant_index(), operand.register()) {
        (Some(index), _) => Term::Constant(program.constants[index as usize]),
        (_, Some(register)) => Term::Here(register),
        _ => Term::Constant(0),
    }
}

/// What must hold, before an instruction, for it to have no effect; nothing if it always has one, or may.
fn guard(context: &Context<'_>, pc: u32) -> Option<Vec<Atom>> {
    let (program, written) = (context.program, |register| Term::Written { register, pc });
    match effect(program, context.effects, pc) {
        Effect::None => Some(Vec::new()),
        Effect::Certain => (context.ignored == Ignored::All).then(Vec::new),
        Effect::Possible => (context.ignored != Ignored::None).then(Vec::new),
        Effect::Conditional => match program.code[pc as usize] {
            Instruction::Rmw { .. } if context.ignored == Ignored::All => Some(Vec::new()),
            Instruction::Rmw { op, size, dst, value, .. } => {
                let (old, operand) = (written(dst), term(program, value));
                unchanged(op, size * 8, old, operand).map(|atom| vec![atom])
            }
            Instruction::CompareExchange { size, dst, .. } => {
                let flag = written(dst.plus(if size > 8 { 2 } else { 1 }));
                Some(vec![Atom::new(Relation::Equal, flag, Term::Constant(0))])
            }
            _ => None,
        },
    }
}

/// When a read-modify-write writes what it read.
fn unchanged(op: RmwOp, width: u8, old: Term, operand: Term) -> Option<Atom> {
    let zero = Term::Constant(0);
    Some(match op {
        RmwOp::Exchange => Atom::new(Relation::Equal, old, operand),
        RmwOp::Add | RmwOp::Sub | RmwOp::Xor => Atom::new(Relation::Equal, operand, zero),
        RmwOp::Or => Atom::new(Relation::Covers, old, operand),
        RmwOp::And => Atom::new(Relation::Covers, operand, old),
        RmwOp::Umax => Atom::new(Relation::BelowEqual, operand, old),
        RmwOp::Umin => Atom::new(Relation::BelowEqual, old, operand),
        RmwOp::Max => Atom::new(Relation::LessEqual(width), operand, old),
        RmwOp::Min => Atom::new(Relation::LessEqual(width), old, operand),
        RmwOp::Nand | RmwOp::Enlist | RmwOp::Fadd | RmwOp::Fsub => return None,
    })
}

/// An atom about values behind an instruction, in terms of values before it.
fn rewritten(context: &Context<'_>, pc: u32, atom: Atom) -> Atom {
    let program = context.program;
    let instruction = program.code[pc as usize];
    if let Some((dst, compared)) = comparison(program, &instruction)
        && let Some(atom) = decided_by(atom, dst, compared)
    {
        return atom;
    }
    if let Some(atom) = flipped(program, &instruction, atom) {
        return atom;
    }
    let value = |term: Term| match term {
        Term::Here(register) => value_behind(context, pc, register),
        other => other,
    };
    Atom::new(atom.relation, value(atom.a), value(atom.b))
}

/// What an atom about an exclusive or with a number says of the other operand.
fn flipped(program: &Program, instruction: &Instruction, atom: Atom) -> Option<Atom> {
    let Instruction::Xor { dst, a, b } = *instruction else { return None };
    let (Term::Here(_), Term::Constant(mask)) = (term(program, a), term(program, b)) else {
        return None;
    };
    match (atom.relation, atom.a, atom.b) {
        (Relation::Equal | Relation::NotEqual, Term::Here(register), Term::Constant(value))
            if register == dst =>
        {
            Some(Atom::new(atom.relation, term(program, a), Term::Constant(value ^ mask)))
        }
        _ => None,
    }
}

/// What a register holds behind an instruction.
fn value_behind(context: &Context<'_>, pc: u32, register: Register) -> Term {
    let program = context.program;
    let instruction = program.code[pc as usize];
    match instruction {
        Instruction::Move { dst, src } | Instruction::Freeze { dst, src } if dst == register => {
            return term(program, src);
        }
        // What cuts nothing off is a move.
        Instruction::Truncate { width, dst, src }
            if dst == register && context.definitions.fits(pc, src, width, context.header) =>
        {
            return term(program, src);
        }
        Instruction::MoveMany { count, dst, src }
            if dst <= register && register.0 < dst.0 + u32::from(count) =>
        {
            return term(program, src.plus(register.0 - dst.0));
        }
        _ => {}
    }
    let mut is_written = false;
    instruction.for_each_cell(
        |_, _| {},
        |first, count| is_written |= first <= register && register.0 < first.0 + count,
    );
    if is_written { Term::Written { register, pc } } else { Term::Here(register) }
}

/// The comparison whose outcome, 0 or 1, an instruction writes.
fn comparison(program: &Program, instruction: &Instruction) -> Option<(Register, Atom)> {
    use Instruction::*;
    let (relation, dst, a, b) = match *instruction {
        Equal { dst, a, b } => (Relation::Equal, dst, a, b),
        NotEqual { dst, a, b } => (Relation::NotEqual, dst, a, b),
        Below { dst, a, b } => (Relation::Below, dst, a, b),
        BelowEqual { dst, a, b } => (Relation::BelowEqual, dst, a, b),
        Less { width, dst, a, b } => (Relation::Less(width), dst, a, b),
        LessEqual { width, dst, a, b } => (Relation::LessEqual(width), dst, a, b),
        _ => return None,
    };
    Some((dst, Atom::new(relation, term(program, a), term(program, b))))
}

/// What an atom about the outcome of a comparison says of what was compared.
fn decided_by(atom: Atom, dst: Register, compared: Atom) -> Option<Atom> {
    if atom.a != Term::Here(dst) {
        return None;
    }
    match (atom.relation, atom.b) {
        (Relation::Equal, Term::Constant(1)) | (Relation::NotEqual, Term::Constant(0)) => {
            Some(compared)
        }
        (Relation::Equal, Term::Constant(0)) | (Relation::NotEqual, Term::Constant(1)) => {
            compared.negated()
        }
        _ => None,
    }
}

/// Whether an instruction can be a fault of the program, be it by a race: then nothing may end the
/// thread before it.
fn may_go_wrong(program: &Program, pc: u32) -> bool {
    use Instruction::*;
    match program.code[pc as usize] {
        Load { size, mode, address, offset, .. } => {
            !mode.is_atomic() || accessed(program, address, offset, size).is_none()
        }
        Rmw { size, address, .. } | CompareExchange { size, address, .. } => {
            accessed(program, address, 0, size).is_none_or(|global| global.constant)
        }
        Call { .. } => true,
        Binary { op, .. } | WideBinary { op, .. } => matches!(
            op,
            BinaryOp::UDiv
                | BinaryOp::SDiv
                | BinaryOp::URem
                | BinaryOp::SRem
                | BinaryOp::Shl
                | BinaryOp::LShr
                | BinaryOp::AShr
        ),
        _ => false,
    }
}

/// The global that an access is surely one to, as a whole and aligned.
fn accessed(program: &Program, address: Operand, offset: i32, size: u8) -> Option<&Global> {
    let Term::Constant(base) = term(program, address) else { return None };
    let (start, size) = (base.wrapping_add_signed(offset.into()), u64::from(size));
    let global = &program.globals[program.global_at(start)?.index()];
    let fits = start % size == 0 && start - global.address + size <= global.size;
    fits.then_some(global)
}

/// Where control goes from the last instruction of a block, and under which conditions; each is a list
/// of atoms that hold together.
pub(crate) fn edges(program: &Program, pc: u32) -> Vec<(u32, Vec<Atom>)> {
    use Instruction::*;
    let value = |operand: Operand| term(program, operand);
    let (atom, target, otherwise) = match program.code[pc as usize] {
        Branch { condition, then, otherwise } => {
            let atom = Atom::new(Relation::NotEqual, value(condition), Term::Constant(0));
            (atom, then, otherwise)
        }
        JumpEqual { a, b, target } => {
            (Atom::new(Relation::Equal, value(a), value(b)), target, pc + 1)
        }
        JumpNotEqual { a, b, target } => {
            (Atom::new(Relation::NotEqual, value(a), value(b)), target, pc + 1)
        }
        JumpBelow { a, b, target } => {
            (Atom::new(Relation::Below, value(a), value(b)), target, pc + 1)
        }
        JumpBelowEqual { a, b, target } => {
            (Atom::new(Relation::BelowEqual, value(a), value(b)), target, pc + 1)
        }
        JumpLess { width, a, b, target } => {
            (Atom::new(Relation::Less(width), value(a), value(b)), target, pc + 1)
        }
        JumpLessEqual { width, a, b, target } => {
            (Atom::new(Relation::LessEqual(width), value(a), value(b)), target, pc + 1)
        }
        Switch { value: operand, table } => return switch_edges(program, value(operand), table),
        _ => {
            let mut edges = Vec::new();
            program.for_each_successor(pc, |next| edges.push((next, Vec::new())));
            return edges;
        }
    };
    let opposite = atom.negated();
    vec![(target, vec![atom]), (otherwise, opposite.into_iter().collect())]
}

fn switch_edges(program: &Program, value: Term, table: u32) -> Vec<(u32, Vec<Atom>)> {
    let switch = &program.switches[table as usize];
    let compared = |relation: Relation, case: u64| Atom::new(relation, value, Term::Constant(case));
    let mut edges: Vec<_> = (switch.cases.iter())
        .map(|&(case, target)| (target, vec![compared(Relation::Equal, case)]))
        .collect();
    let others = switch.cases.iter().map(|&(case, _)| compared(Relation::NotEqual, case));
    edges.push((switch.default, others.collect()));
    edges
}
