//! A skeleton as a litmus test.

use super::graph::{Small, name};
use super::skeleton::{Kind, Label, Skeleton};
use norn_action::{Mode, RmwOp};
use norn_litmus::{
    Atom, Condition, Expr, FinalCondition, Location, LocationId, LocationKind, Observed, Program,
    Quantifier, Register, RegisterId, StatementKind, Thread,
};

/// What can be seen of an execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Outcome {
    /// Of each read, in the order of the events, the value that it has read.
    pub read: Vec<i32>,
    /// What the locations hold in the end; none if that is not asked.
    memory: Option<Vec<i32>>,
}

impl Outcome {
    pub(super) fn of(small: &Small) -> Outcome {
        let read = small.numbers(Kind::Read).map(|read| value(small, small.rf[read])).collect();
        let last = |location: usize| small.co[location].last().copied().unwrap_or(location);
        let memory = (0..small.locations).map(|location| value(small, last(location))).collect();
        Outcome { read, memory: Some(memory) }
    }

    pub(super) fn without_memory(&self) -> Outcome {
        Outcome { read: self.read.clone(), memory: None }
    }
}

/// The value of a write: 0 if it is the initial one, and otherwise which of the writes to its location it is, in
/// the order of the events.
fn value(small: &Small, write: usize) -> i32 {
    if write < small.locations {
        return 0;
    }
    let location = small.event(write).location;
    let earlier = small.co[location].iter().filter(|&&other| other < write).count();
    earlier as i32 + 1
}

/// The test of a skeleton, which asks whether no execution has the outcome.
pub(super) fn program(skeleton: &Skeleton, outcome: Option<Outcome>) -> Program {
    let is_plain = |location: usize| {
        let accesses = skeleton.labels().filter(|label| label.kind != Kind::Fence);
        accesses.into_iter().any(|label| label.location == location && label.mode == Mode::Plain)
    };
    let locations = (0..skeleton.locations()).map(|location| Location {
        name: name(location).to_owned(),
        kind: if is_plain(location) { LocationKind::Plain } else { LocationKind::Atomic },
        initial: 0,
    });
    let mut values = vec![0; skeleton.locations()];
    let mut observed = Vec::new();
    let mut threads = Vec::new();
    for labels in &skeleton.threads {
        let mut thread = Thread::default();
        for label in labels {
            if matches!(label.kind, Kind::Read | Kind::Update) {
                let register = RegisterId(thread.registers.len() as u32);
                observed.push(Observed::Register(threads.len() as u32, register));
                let name = format!("r{}", register.0);
                thread.registers.push(Register { name, initial: 0 });
            }
            let statement = statement(label, thread.registers.len(), &mut values);
            thread.body.push(statement.into());
        }
        threads.push(thread);
    }
    let condition = outcome.map(|outcome| question(&observed, &outcome, &values));
    let mut program = Program {
        name: "difference".to_owned(),
        locations: locations.collect(),
        threads,
        observed,
        filter: None,
        condition,
    };
    program.normalise();
    program
}

fn statement(label: &Label, registers: usize, values: &mut [i32]) -> StatementKind {
    let location = LocationId(label.location as u32);
    let mut next = || {
        values[label.location] += 1;
        Expr::Const(values[label.location])
    };
    let register = || RegisterId(registers as u32 - 1);
    match label.kind {
        Kind::Read => {
            StatementKind::Load { register: register(), location, mode: label.mode, until: None }
        }
        Kind::Write => StatementKind::Store { location, value: next(), mode: label.mode },
        Kind::Update => StatementKind::Rmw {
            register: Some(register()),
            location,
            op: RmwOp::Exchange,
            operand: next(),
            mode: label.mode,
            until: None,
        },
        Kind::Fence => StatementKind::Fence(label.mode),
    }
}

/// Whether nothing has the outcome. Of locations that are written once, what they hold in the end is known.
fn question(observed: &[Observed], outcome: &Outcome, writes: &[i32]) -> FinalCondition {
    let registers = observed.iter().zip(&outcome.read);
    let mut atoms: Vec<Atom> =
        registers.map(|(&observed, &value)| Atom { observed, value }).collect();
    for (location, &value) in outcome.memory.iter().flatten().enumerate() {
        if writes[location] > 1 {
            atoms.push(Atom { observed: Observed::Location(LocationId(location as u32)), value });
        }
    }
    let all = atoms.into_iter().map(Condition::Equals);
    let all = all.reduce(|a, b| Condition::And(Box::new(a), Box::new(b)));
    FinalCondition { quantifier: Quantifier::NotExists, condition: all.unwrap_or(Condition::True) }
}
