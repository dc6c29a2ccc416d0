//! Operations of libraries: what a call does instead of running a body.
//!
//! An operation is a short tree of steps without loops. Each access is one event of the execution, of a cell
//! of the object that the call is made for. Expressions are of numbers of 64 bits that wrap around, and
//! comparisons are unsigned.

use norn_action::{Compare, Mode, RmwOp, Role};

/// What a call of a function does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// The library that it is of.
    pub library: String,
    /// What it is called there.
    pub name: String,
    /// How many parameters it has, a cell each.
    pub params: u32,
    /// Whether more arguments may follow, which it does not look at.
    pub more: bool,
    /// How many values it keeps until it ends.
    pub values: u32,
    /// The width of its result in bits; 0 if it has none. One of a single bit is 1 for all that is not zero.
    pub result_bits: u8,
    /// What it does.
    pub steps: Vec<Step>,
}

/// A cell of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cell {
    /// The parameter that is the address of the object.
    pub object: u32,
    /// Which cell of it.
    pub index: u32,
    /// The width of cells in bytes: 1, 2, 4 or 8.
    pub size: u8,
}

impl Cell {
    /// The largest number that a cell of so many bytes holds.
    pub fn most(size: u8) -> u64 {
        u64::MAX >> (64 - 8 * u32::from(size.clamp(1, 8)))
    }
}

/// What an operation does next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Reads a cell, and keeps what it reads.
    Read {
        /// Which.
        cell: Cell,
        /// Its annotation.
        mode: Mode,
        /// What it waits for.
        when: Option<Guard>,
        /// Where the value is kept.
        to: Option<u32>,
    },
    /// Writes a cell.
    Write {
        /// Which.
        cell: Cell,
        /// Its annotation.
        mode: Mode,
        /// What it is to the object.
        role: Role,
        /// What is written.
        value: Expression,
    },
    /// Reads and writes a cell at once. No two of them read from the same write.
    Update {
        /// Which.
        cell: Cell,
        /// Its annotation.
        mode: Mode,
        /// What it is to the object.
        role: Role,
        /// What is written.
        op: RmwOp,
        /// The other operand.
        operand: Expression,
        /// What must hold of the value read; otherwise it only reads, or, if it waits, it waits for that.
        guard: Option<Guard>,
        /// Whether it does.
        waits: bool,
        /// Where the value read is kept.
        to: Option<u32>,
    },
    /// What the client must see to; otherwise the operation is used wrongly.
    Require(Expression, String),
    /// One or the other.
    If(Expression, Vec<Step>, Vec<Step>),
    /// The operation ends here.
    Return(Option<Expression>),
}

/// A condition on a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guard {
    /// The bits that matter; all of them if none are given.
    pub mask: Option<Expression>,
    /// How they compare.
    pub compare: Compare,
    /// With what.
    pub operand: Expression,
}

/// A number that an operation computes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression {
    /// Always the same.
    Number(u64),
    /// A parameter.
    Parameter(u32),
    /// What a step has kept.
    Value(u32),
    /// A number that each thread has for itself, from 1.
    Thread,
    /// Of two others.
    Binary(Binary, Box<(Expression, Expression)>),
    /// The second if the first is not zero, else the third.
    Choice(Box<(Expression, Expression, Expression)>),
}

/// How two numbers make one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// `a + b`.
    Add,
    /// `a - b`.
    Sub,
    /// `a * b`.
    Mul,
    /// `a & b`.
    And,
    /// `a | b`.
    Or,
    /// `a ^ b`.
    Xor,
    /// 1 if they compare so, else 0.
    Compare(Compare),
}

impl Step {
    /// The numbers that are written to its cell, or compared with it, as they stand there.
    pub fn numbers(&self) -> impl Iterator<Item = u64> {
        let (written, guard) = match self {
            Step::Read { when, .. } => (None, when.as_ref()),
            Step::Write { value, .. } => (Some(value), None),
            Step::Update { operand, guard, .. } => (Some(operand), guard.as_ref()),
            Step::Require(..) | Step::If(..) | Step::Return(_) => (None, None),
        };
        let all = written.into_iter().chain(guard.map(|guard| &guard.operand));
        all.filter_map(|expression| match expression {
            Expression::Number(number) => Some(*number),
            _ => None,
        })
    }

    /// The cell that it is of, to be changed.
    pub fn cell_mut(&mut self) -> Option<&mut Cell> {
        match self {
            Step::Read { cell, .. } | Step::Write { cell, .. } | Step::Update { cell, .. } => {
                Some(cell)
            }
            Step::Require(..) | Step::If(..) | Step::Return(_) => None,
        }
    }
}

impl Expression {
    /// What it is where `known` gives parameters, kept values and the number of the thread.
    pub fn value(&self, known: &impl Fn(&Expression) -> u64) -> u64 {
        match self {
            Expression::Number(number) => *number,
            Expression::Binary(op, of) => op.apply(of.0.value(known), of.1.value(known)),
            Expression::Choice(of) => {
                let chosen = if of.0.value(known) != 0 { &of.1 } else { &of.2 };
                chosen.value(known)
            }
            leaf => known(leaf),
        }
    }
}

impl Binary {
    fn apply(self, a: u64, b: u64) -> u64 {
        match self {
            Binary::Add => a.wrapping_add(b),
            Binary::Sub => a.wrapping_sub(b),
            Binary::Mul => a.wrapping_mul(b),
            Binary::And => a & b,
            Binary::Or => a | b,
            Binary::Xor => a ^ b,
            Binary::Compare(compare) => compare.holds(a.into(), b.into(), 8).into(),
        }
    }
}

impl Operation {
    /// Whether it can be called with so many cells of arguments.
    pub fn takes(&self, arguments: u32) -> bool {
        arguments == self.params || (self.more && arguments > self.params)
    }

    /// Every step, those within others included, to be changed.
    pub fn each_step_mut(&mut self, change: &mut impl FnMut(&mut Step)) {
        fn walk(steps: &mut [Step], change: &mut impl FnMut(&mut Step)) {
            for step in steps {
                change(step);
                if let Step::If(_, then, otherwise) = step {
                    walk(then, change);
                    walk(otherwise, change);
                }
            }
        }
        walk(&mut self.steps, change);
    }

    /// Its name with that of its library.
    pub fn full_name(&self) -> String {
        format!("{}.{}", self.library, self.name)
    }
}
