//! Final states: what is observed of them, how an outcome is written, and what a test asks.

use crate::{LocationId, Program, RegisterId};

/// Something that has a value in a final state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Observed {
    /// A register of a thread (`0` for `P0`).
    Register(u32, RegisterId),
    /// A shared location.
    Location(LocationId),
}

/// An equation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Atom {
    /// Left side.
    pub observed: Observed,
    /// Right side.
    pub value: i32,
}

/// A proposition over final states.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// `true`
    True,
    /// `false`
    False,
    /// `0:r0 = 1`
    Equals(Atom),
    /// `~ a`
    Not(Box<Condition>),
    /// `a /\ b`
    And(Box<Condition>, Box<Condition>),
    /// `a \/ b`
    Or(Box<Condition>, Box<Condition>),
}

/// How a test asks about its condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// Some execution satisfies it.
    Exists,
    /// No execution satisfies it.
    NotExists,
    /// Every execution satisfies it.
    Forall,
}

/// The question a test asks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FinalCondition {
    /// How.
    pub quantifier: Quantifier,
    /// What.
    pub condition: Condition,
}

/// The values at the end of an execution.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FinalState {
    /// Per thread (`P0` first) and register. A register that was never assigned has its initial
    /// value, which is 0 unless the test says otherwise.
    pub registers: Vec<Vec<i32>>,
    /// Per location, the value of its last write in coherence order.
    pub memory: Vec<i32>,
}

impl FinalState {
    /// The value of something observed.
    pub fn value(&self, observed: Observed) -> i32 {
        match observed {
            Observed::Register(thread, register) => {
                self.registers[thread as usize][register.index()]
            }
            Observed::Location(location) => self.memory[location.index()],
        }
    }
}

impl Condition {
    /// Whether `state` satisfies it.
    pub fn holds(&self, state: &FinalState) -> bool {
        match self {
            Condition::True => true,
            Condition::False => false,
            Condition::Equals(atom) => state.value(atom.observed) == atom.value,
            Condition::Not(a) => !a.holds(state),
            Condition::And(a, b) => a.holds(state) && b.holds(state),
            Condition::Or(a, b) => a.holds(state) || b.holds(state),
        }
    }

    /// Calls `visit` for every equation.
    pub fn for_each_atom(&mut self, visit: &mut dyn FnMut(&mut Atom)) {
        match self {
            Condition::True | Condition::False => {}
            Condition::Equals(atom) => visit(atom),
            Condition::Not(a) => a.for_each_atom(visit),
            Condition::And(a, b) | Condition::Or(a, b) => {
                a.for_each_atom(visit);
                b.for_each_atom(visit);
            }
        }
    }
}

impl FinalCondition {
    /// The answer, given the final states of all executions.
    pub fn answer<'a>(&self, mut states: impl Iterator<Item = &'a FinalState>) -> bool {
        match self.quantifier {
            Quantifier::Exists => states.any(|state| self.condition.holds(state)),
            Quantifier::NotExists => !states.any(|state| self.condition.holds(state)),
            Quantifier::Forall => states.all(|state| self.condition.holds(state)),
        }
    }
}

impl Program {
    /// The name of something observed: `0:r0` or `x`.
    pub fn observed_name(&self, observed: Observed) -> String {
        match observed {
            Observed::Register(thread, register) => {
                let registers = &self.threads[thread as usize].registers;
                format!("{thread}:{}", registers[register.index()].name)
            }
            Observed::Location(location) => self.locations[location.index()].name.clone(),
        }
    }

    /// The outcome of an execution: what the `locations` clause names, sorted by name, as in
    /// `0:r0=0;1:r0=1`. A test without that clause observes what its condition names.
    pub fn outcome(&self, state: &FinalState) -> String {
        let mut parts: Vec<(String, i32)> = self
            .outcome_parts()
            .into_iter()
            .map(|observed| (self.observed_name(observed), state.value(observed)))
            .collect();
        parts.sort();
        parts.dedup();
        let parts: Vec<String> =
            parts.into_iter().map(|(name, value)| format!("{name}={value}")).collect();
        parts.join(";")
    }

    fn outcome_parts(&self) -> Vec<Observed> {
        let mut parts = self.observed.clone();
        if let (true, Some(question)) = (parts.is_empty(), &self.condition) {
            question.condition.clone().for_each_atom(&mut |atom| parts.push(atom.observed));
        }
        parts
    }

    /// Whether an execution that ends in `state` counts: the `filter` clause.
    pub fn is_interesting(&self, state: &FinalState) -> bool {
        self.filter.as_ref().is_none_or(|filter| filter.holds(state))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantifiers() {
        let atom = Atom { observed: Observed::Location(LocationId(0)), value: 1 };
        let states = [0, 1].map(|value| FinalState { registers: vec![], memory: vec![value] });
        let ask = |quantifier, states: &[FinalState]| {
            FinalCondition { quantifier, condition: Condition::Equals(atom) }.answer(states.iter())
        };
        assert!(ask(Quantifier::Exists, &states));
        assert!(!ask(Quantifier::NotExists, &states));
        assert!(!ask(Quantifier::Forall, &states));
        assert!(ask(Quantifier::Forall, &states[1..]));
        assert!(ask(Quantifier::NotExists, &states[..1]));
    }
}
