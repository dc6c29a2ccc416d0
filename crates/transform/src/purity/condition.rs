//! Conditions over the registers of an iteration, in disjunctive normal form.
//!
//! Registers of bytecode are written many times; a condition has to say which value it means. During
//! one iteration without inner rounds every instruction is executed at most once, so a value has a
//! name: what a register held when the iteration started, or right behind some instruction.
//!
//! What holds: no atom of a conjunction is decided, none stands there twice, none contradicts another
//! in a way that [`Conjunction::and`] sees; no conjunction of a condition says all that another says.

use norn_program::Register;
use std::fmt;

/// A value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Term {
    /// What a register held when the iteration started.
    Start(Register),
    /// What a register holds at the point of the function that the condition is about.
    Here(Register),
    /// What a register held right behind an instruction of the iteration.
    Written {
        /// The register.
        register: Register,
        /// The instruction.
        pc: u32,
    },
    /// A number.
    Constant(u64),
}

/// How two values compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// `a == b`.
    Equal,
    /// `a != b`.
    NotEqual,
    /// `a < b`, unsigned.
    Below,
    /// `a <= b`, unsigned.
    BelowEqual,
    /// `a < b`, signed at a width.
    Less(u8),
    /// `a <= b`, signed at a width.
    LessEqual(u8),
    /// Every bit that is set in `b` is set in `a`.
    Covers,
}

/// A comparison of two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Atom {
    /// How they compare.
    pub relation: Relation,
    /// The first.
    pub a: Term,
    /// The second.
    pub b: Term,
}

impl Atom {
    /// A comparison; equal ones are written alike.
    pub fn new(relation: Relation, a: Term, b: Term) -> Atom {
        let is_symmetric = matches!(relation, Relation::Equal | Relation::NotEqual);
        let (a, b) = if is_symmetric && b < a { (b, a) } else { (a, b) };
        Atom { relation, a, b }
    }

    /// What holds if and only if this does not. There is no word for the opposite of `Covers`.
    pub fn negated(self) -> Option<Atom> {
        let Atom { relation, a, b } = self;
        Some(match relation {
            Relation::Equal => Atom::new(Relation::NotEqual, a, b),
            Relation::NotEqual => Atom::new(Relation::Equal, a, b),
            Relation::Below => Atom::new(Relation::BelowEqual, b, a),
            Relation::BelowEqual => Atom::new(Relation::Below, b, a),
            Relation::Less(width) => Atom::new(Relation::LessEqual(width), b, a),
            Relation::LessEqual(width) => Atom::new(Relation::Less(width), b, a),
            Relation::Covers => return None,
        })
    }

    /// Whether it holds, where that does not depend on the iteration.
    pub fn decided(self) -> Option<bool> {
        let signed = |value: u64, width: u8| ((value << (64 - width)) as i64) >> (64 - width);
        match (self.relation, self.a, self.b) {
            (relation, a, b) if a == b => {
                Some(!matches!(relation, Relation::NotEqual | Relation::Below | Relation::Less(_)))
            }
            (relation, Term::Constant(a), Term::Constant(b)) => Some(match relation {
                Relation::Equal => a == b,
                Relation::NotEqual => a != b,
                Relation::Below => a < b,
                Relation::BelowEqual => a <= b,
                Relation::Less(width) => signed(a, width) < signed(b, width),
                Relation::LessEqual(width) => signed(a, width) <= signed(b, width),
                Relation::Covers => a & b == b,
            }),
            _ => None,
        }
    }

    /// Whether it and another can never hold at once, as far as that is seen at once.
    fn excludes(self, other: Atom) -> bool {
        let both_equal = self.relation == Relation::Equal && other.relation == Relation::Equal;
        let other_number = match (self.b, other.b) {
            (Term::Constant(a), Term::Constant(b)) => self.a == other.a && a != b,
            _ => false,
        };
        self.negated() == Some(other) || both_equal && other_number
    }
}

/// Atoms that hold together; without any it always holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conjunction {
    atoms: Vec<Atom>,
    /// Where it may be relied on at the earliest: behind this instruction, the last of its path that
    /// may go wrong.
    pub not_before: Option<u32>,
}

impl Conjunction {
    /// Its atoms, in order.
    pub fn atoms(&self) -> &[Atom] {
        &self.atoms
    }

    /// The same and one atom more; nothing if that can never hold.
    pub fn and(mut self, atom: Atom) -> Option<Conjunction> {
        match atom.decided() {
            Some(true) => return Some(self),
            Some(false) => return None,
            None => {}
        }
        if self.atoms.iter().any(|other| atom.excludes(*other)) {
            return None;
        }
        if let Err(place) = self.atoms.binary_search(&atom) {
            self.atoms.insert(place, atom);
        }
        Some(self)
    }

    /// The same with other atoms in the place of its own; nothing if they can never hold.
    pub fn map(&self, f: impl FnMut(Atom) -> Atom) -> Option<Conjunction> {
        let empty = Conjunction { atoms: Vec::new(), not_before: self.not_before };
        self.atoms.iter().copied().map(f).try_fold(empty, Conjunction::and)
    }

    /// Whether it holds wherever another does and may be relied on as early.
    fn is_implied_by(&self, other: &Conjunction) -> bool {
        let as_early = self.not_before.is_none() || self.not_before == other.not_before;
        as_early && self.atoms.iter().all(|atom| other.atoms.contains(atom))
    }

    /// What the two say in common, if they differ in one atom that one asserts and the other denies.
    fn joined(&self, other: &Conjunction) -> Option<Conjunction> {
        if self.not_before != other.not_before || self.atoms.len() != other.atoms.len() {
            return None;
        }
        let mut own = self.atoms.iter().filter(|atom| !other.atoms.contains(atom));
        let (Some(own), None) = (own.next(), own.next()) else { return None };
        let opposite = own.negated().filter(|opposite| other.atoms.contains(opposite))?;
        let atoms = other.atoms.iter().copied().filter(|atom| *atom != opposite).collect();
        Some(Conjunction { atoms, not_before: self.not_before })
    }
}

/// Conjunctions of which one at least holds; without any it never does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Condition {
    conjunctions: Vec<Conjunction>,
}

/// A condition of more conjunctions is cut short.
const MOST_CONJUNCTIONS: usize = 16;

impl Condition {
    /// What never holds.
    pub const FALSE: Condition = Condition { conjunctions: Vec::new() };

    /// Its conjunctions.
    pub fn conjunctions(&self) -> &[Conjunction] {
        &self.conjunctions
    }

    /// Adds a conjunction. One that is said already, or one too many, is left out: a condition that
    /// holds more rarely is still right.
    pub fn add(&mut self, conjunction: Conjunction) {
        let other = self.conjunctions.iter().position(|other| other.joined(&conjunction).is_some());
        if let Some(place) = other
            && let Some(joined) = self.conjunctions.swap_remove(place).joined(&conjunction)
        {
            return self.add(joined);
        }
        if self.conjunctions.iter().any(|other| other.is_implied_by(&conjunction)) {
            return;
        }
        self.conjunctions.retain(|other| !conjunction.is_implied_by(other));
        if self.conjunctions.len() < MOST_CONJUNCTIONS {
            self.conjunctions.push(conjunction);
        }
    }

    /// The condition that its conjunctions become one by one; those that become nothing are left out.
    pub fn map(&self, f: impl FnMut(&Conjunction) -> Option<Conjunction>) -> Condition {
        let mut result = Condition::FALSE;
        self.conjunctions.iter().filter_map(f).for_each(|conjunction| result.add(conjunction));
        result
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Term::Start(register) => write!(f, "{register}"),
            Term::Here(register) => write!(f, "{register}@here"),
            Term::Written { register, pc } => write!(f, "{register}@{pc}"),
            Term::Constant(value) if *value < 1 << 16 => write!(f, "#{value}"),
            Term::Constant(value) => write!(f, "#{value:#x}"),
        }
    }
}

impl fmt::Display for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Atom { relation, a, b } = self;
        match relation {
            Relation::Equal => write!(f, "{a} == {b}"),
            Relation::NotEqual => write!(f, "{a} != {b}"),
            Relation::Below => write!(f, "{a} < {b}"),
            Relation::BelowEqual => write!(f, "{a} <= {b}"),
            Relation::Less(width) => write!(f, "{a} <s{width} {b}"),
            Relation::LessEqual(width) => write!(f, "{a} <=s{width} {b}"),
            Relation::Covers => write!(f, "{a} & {b} == {b}"),
        }
    }
}

impl fmt::Display for Conjunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.atoms.is_empty() {
            write!(f, "True")?;
        }
        for (i, atom) in self.atoms.iter().enumerate() {
            write!(f, "{}{atom}", if i == 0 { "" } else { " && " })?;
        }
        match self.not_before {
            Some(pc) => write!(f, " behind {pc}"),
            None => Ok(()),
        }
    }
}

/// As in the paper, in brackets: `[r1@4 == #0 behind 4 || r2 != r3]`.
impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.conjunctions.is_empty() {
            return write!(f, "[False]");
        }
        for (i, conjunction) in self.conjunctions.iter().enumerate() {
            write!(f, "{}{conjunction}", if i == 0 { "[" } else { " || " })?;
        }
        write!(f, "]")
    }
}
