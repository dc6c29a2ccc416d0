//! What is recognised of the loops of a program, as data: when an iteration repeats without effect, whether the
//! machine then waits or gives the execution up, and why not.
//!
//! The machine decides by itself, while it runs ([`Program::watched`] only says where asking is worth while). What is said
//! here is what the bytecode tells of it beforehand:
//!
//! - *await*: where an iteration could be pure, its last read can be asked for which values it is
//!   not, by one comparison. The thread waits at that read, and no execution is lost to it.
//! - *assume*: an iteration may be pure, but that takes more than one comparison of the last value read. The
//!   iteration is noticed when it is over, and ends its execution.
//! - *open*: every way round does something of which only the machine can tell whether it is an effect.
//! - *tries*: a register only says how often it goes round ([`crate::MarkCounters`]). A try that fails without effect stands
//!   for all that are left.
//! - *refused*: every way round has an effect, or changes what the next iteration needs.

mod cause;
mod value;

pub use cause::{Cause, Why};
pub use value::{Access, AccessKind, Object, Operation, Value};

use crate::body::{has_loops, known};
use crate::purity::{
    Atom, Condition, Conjunction, Definitions, Effects, Flow, Ignored, Relation, Term,
};
use norn_program::flow::{Blocks, NaturalLoop};
use norn_program::{FunctionId, Instruction, Program};
use value::{DEPTH, Values};

/// What a loop is to the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// It waits at a read.
    Await,
    /// An iteration without effect ends the execution.
    Assume,
    /// Only the machine can tell.
    Open,
    /// A try that fails stands for all that are left.
    Tries,
    /// No iteration is without effect.
    Refused,
}

/// A comparison of two values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// How they compare.
    pub relation: Relation,
    /// The first.
    pub a: Value,
    /// The second.
    pub b: Value,
}

/// One way to repeat without effect: all comparisons hold; without any, always.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative {
    /// The comparisons.
    pub comparisons: Vec<Comparison>,
    /// The read at which the machine waits for the opposite.
    pub awaits: Option<Access>,
    /// It can be relied on only behind this instruction, which may go wrong and comes after all that is compared.
    pub not_before: Option<u32>,
}

/// What is recognised of a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopFacts {
    /// The function that it is in.
    pub function: FunctionId,
    /// The first instruction of its header.
    pub header: u32,
    /// How many loops are around it.
    pub depth: u32,
    /// What it is to the machine.
    pub finding: Finding,
    /// When an iteration repeats without effect.
    pub alternatives: Vec<Alternative>,
    /// What stands against it on all ways round, or on some.
    pub causes: Vec<Cause>,
}

/// The loops of all functions, by ascending program counter.
pub fn of_program(program: &Program) -> Vec<LoopFacts> {
    let effects = Effects::new(program);
    let functions = (0..program.functions.len() as u32).map(FunctionId);
    let mut facts: Vec<LoopFacts> =
        functions.flat_map(|function| of_function(program, &effects, function)).collect();
    facts.sort_by_key(|item| item.header);
    facts
}

/// The loop with this header, if it is a natural loop.
pub fn at_header(program: &Program, header: u32) -> Option<LoopFacts> {
    let function = program.function_of(header)?;
    let flow = Flow::new(program, function);
    let node = flow.blocks.at(header);
    let index = flow.forest.loops.iter().position(|item| item.header == node)?;
    let finder = Finder { program, effects: &Effects::new(program), function, flow: &flow };
    Some(finder.facts(index))
}

fn of_function(program: &Program, effects: &Effects, function: FunctionId) -> Vec<LoopFacts> {
    if !has_loops(program, function) {
        return Vec::new();
    }
    let flow = Flow::new(program, function);
    let finder = Finder { program, effects, function, flow: &flow };
    (0..flow.forest.loops.len()).map(|index| finder.facts(index)).collect()
}

struct Finder<'a> {
    program: &'a Program,
    effects: &'a Effects,
    function: FunctionId,
    flow: &'a Flow,
}

impl<'a> Finder<'a> {
    fn facts(&self, index: usize) -> LoopFacts {
        let item = &self.flow.forest.loops[index];
        let values = self.values(item);
        let condition = self.possible(self.condition(item, Ignored::None), item);
        let alternatives: Vec<Alternative> =
            (condition.iter()).map(|conjunction| self.alternative(&values, conjunction)).collect();
        let finding = match &alternatives[..] {
            _ if self.tries(item) => Finding::Tries,
            [] if self.possible(self.condition(item, Ignored::Possible), item).is_empty() => {
                Finding::Refused
            }
            [] => Finding::Open,
            all if each_awaits(all) => Finding::Await,
            _ => Finding::Assume,
        };
        let around = |&index: &usize| self.flow.forest.loops[index].parent;
        LoopFacts {
            function: self.function,
            header: self.flow.blocks.range(item.header).start,
            depth: std::iter::successors(Some(index), around).count() as u32 - 1,
            finding,
            alternatives,
            causes: match finding {
                Finding::Tries => Vec::new(),
                _ => cause::of_loop(self, &values, item, finding),
            },
        }
    }

    fn tries(&self, item: &NaturalLoop) -> bool {
        known(self.program, &self.flow.blocks, item).is_some_and(|known| known.counter.is_some())
    }

    fn values(&self, item: &NaturalLoop) -> Values<'a> {
        let definitions = Definitions::new(self.program, &self.flow.blocks);
        let (program, function) = (self.program, self.function);
        Values { program, function, definitions, header: item.header }
    }

    fn condition(&self, item: &NaturalLoop, ignored: Ignored) -> Condition {
        self.flow.condition(self.program, self.effects, item, ignored)
    }

    /// The conjunctions of a condition that may hold at all.
    fn possible(&self, condition: Condition, item: &NaturalLoop) -> Vec<Conjunction> {
        let values = self.values(item);
        let is_possible = |conjunction: &&Conjunction| {
            let atoms = conjunction.atoms();
            !atoms.iter().any(|&atom| cause::counts(&values, atom).is_some())
                && !atoms.iter().any(|&atom| self.refuted(&values, atom, atoms).is_some())
        };
        condition.conjunctions().iter().filter(is_possible).cloned().collect()
    }

    /// The compare-exchange, if an atom says that it failed and another that it read what it expected; with what was
    /// expected.
    fn refuted(&self, values: &Values<'_>, failed: Atom, atoms: &[Atom]) -> Option<(u32, Term)> {
        let (Relation::Equal, Term::Written { pc, register }, Term::Constant(0)) =
            (failed.relation, failed.a, failed.b)
        else {
            return None;
        };
        let Instruction::CompareExchange { dst, size, operands, .. } =
            self.program.code[pc as usize]
        else {
            return None;
        };
        if size > 8 || register != dst.plus(1) || self.is_weak(pc) {
            return None;
        }
        let expected = values.term(pc, operands, DEPTH)?;
        let read = Term::Written { register: dst, pc };
        let equal = |atom: &&Atom| atom.relation == Relation::Equal;
        let mut others =
            atoms.iter().filter(equal).filter_map(|atom| match (atom.a == read, atom.b == read) {
                (true, false) => Some(atom.b),
                (false, true) => Some(atom.a),
                _ => None,
            });
        let same = others.find(|&other| other == expected)?;
        Some((pc, same))
    }

    fn is_weak(&self, pc: u32) -> bool {
        self.program.weak_exchanges.binary_search(&pc).is_ok()
    }

    fn alternative(&self, values: &Values<'_>, conjunction: &Conjunction) -> Alternative {
        let comparison = |atom: &Atom| Comparison {
            relation: atom.relation,
            a: values.of(atom.a),
            b: values.of(atom.b),
        };
        let atoms = conjunction.atoms();
        let told = atoms.iter().filter(|atom| !atoms.iter().any(|other| implies(*other, **atom)));
        let last = atoms.iter().flat_map(|atom| reads_of(values, atom)).max();
        Alternative {
            comparisons: told.map(comparison).collect(),
            awaits: self.awaited(values, conjunction).and_then(|pc| self.waits_at(values, pc)),
            not_before: conjunction.not_before.filter(|&pc| Some(pc) > last),
        }
    }

    /// The access that waits: an instruction of the loop, or the only read of a function that it calls.
    fn waits_at(&self, values: &Values<'_>, pc: u32) -> Option<Access> {
        let Instruction::Call { function, .. } = self.program.code[pc as usize] else {
            return values.access(pc, DEPTH);
        };
        let blocks = Blocks::new(self.program, function);
        let definitions = Definitions::new(self.program, &blocks);
        let header = blocks.graph().entry();
        let within = Values { program: self.program, function, definitions, header };
        within.access(self.only_read(function)?, DEPTH)
    }

    /// The only read of a function that calls no other, if the machine asks there whether it waits.
    fn only_read(&self, function: FunctionId) -> Option<u32> {
        use Instruction::{Call, CallExternal, Load};
        let item = &self.program.functions[function.index()];
        let mut looked = (item.entry..item.end).filter(|&pc| {
            matches!(
                self.program.code[pc as usize],
                Load { .. } | Call { .. } | CallExternal { .. } | Instruction::LoopHeader { .. }
            )
        });
        let (Some(only), None) = (looked.next(), looked.next()) else { return None };
        self.is_watched(only).then_some(only)
    }

    fn is_watched(&self, pc: u32) -> bool {
        match self.program.code[pc as usize] {
            Instruction::Call { function, .. } => self.only_read(function).is_some(),
            _ => self.program.watched.binary_search(&pc).is_ok(),
        }
    }

    /// The read at which the machine can ask for the values with which a conjunction does not hold: the last one,
    /// if what is said of its value can be said by one comparison.
    fn awaited(&self, values: &Values<'_>, conjunction: &Conjunction) -> Option<u32> {
        let atoms = conjunction.atoms();
        let reads = atoms.iter().flat_map(|atom| reads_of(values, atom));
        let last = reads.max().filter(|&pc| self.is_watched(pc))?;
        let depends = |atom: &&Atom| reads_of(values, atom).contains(&last);
        let tests: Vec<&Atom> = atoms.iter().filter(depends).collect();
        let exact = |atom: &Atom| {
            let direct = |term: Term| matches!(term, Term::Written { pc, .. } if pc == last);
            atom.relation == Relation::Equal && (direct(atom.a) || direct(atom.b))
        };
        let is_one = tests.len() == 1 || tests.iter().any(|atom| exact(atom));
        (is_one && tests.iter().all(|atom| self.is_simple(values, atom, last))).then_some(last)
    }

    /// Whether an atom compares a value, or bits of it, with something that is known when it is read.
    fn is_simple(&self, values: &Values<'_>, atom: &Atom, last: u32) -> bool {
        let (a, b) = (values.of(atom.a), values.of(atom.b));
        let depends = |value: &Value| {
            let mut found = false;
            value.for_each_read(&mut |pc| found |= pc == last);
            found
        };
        match (depends(&a), depends(&b)) {
            (true, true) => false,
            (true, false) => is_part(&a, last),
            (false, _) => is_part(&b, last),
        }
    }
}

/// The accesses and calls whose values an atom compares.
fn reads_of(values: &Values<'_>, atom: &Atom) -> Vec<u32> {
    let mut reads = Vec::new();
    values.of(atom.a).for_each_read(&mut |pc| reads.push(pc));
    values.of(atom.b).for_each_read(&mut |pc| reads.push(pc));
    reads
}

/// Whether an atom that says which number a value is says another one of that value.
fn implies(atom: Atom, other: Atom) -> bool {
    let is_number = atom.relation == Relation::Equal && matches!(atom.b, Term::Constant(_));
    let put = |term: Term| if term == atom.a { atom.b } else { term };
    let put = Atom::new(other.relation, put(other.a), put(other.b));
    is_number && atom != other && put != other && put.decided() == Some(true)
}

/// Whether each alternative is waited for at a read of its own.
fn each_awaits(alternatives: &[Alternative]) -> bool {
    let pcs = alternatives.iter().filter_map(|one| one.awaits.as_ref().map(|access| access.pc));
    let mut pcs: Vec<u32> = pcs.collect();
    pcs.sort_unstable();
    pcs.dedup();
    pcs.len() == alternatives.len()
}

/// Whether a value is what an access read, or some of its bits.
fn is_part(value: &Value, last: u32) -> bool {
    use norn_program::BinaryOp;
    match value {
        Value::Read(access) | Value::Exchanged(access) => access.pc == last,
        Value::Result { pc, .. } => *pc == last,
        Value::Computed(Operation::Binary(BinaryOp::And | BinaryOp::LShr), operands) => {
            is_part(&operands[0], last) && matches!(operands[1], Value::Number(_))
        }
        _ => false,
    }
}
