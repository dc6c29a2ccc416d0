//! Litmus tests: small concurrent programs, as text, as a tree, and as a machine.
//!
//! - [`Program`] is the tree: shared locations, threads of statements without loops, a final
//!   condition.
//! - [`read`] reads the C dialect of the herd tools, [`print()`] writes it. What is printed
//!   reads back to the same tree.
//! - [`LitmusMachine`] runs a program for an explorer.
//! - [`generate`] makes random programs and [`shrink`] makes failing ones small.
//!
//! Invariants:
//!
//! 1. All values are 32-bit two's complement; arithmetic wraps.
//! 2. In a program from [`read`] or [`generate`], every thread's registers are sorted by name (see
//!    [`Program::normalise`]), which is what makes printing and reading inverse to each other.
//! 3. `P0` of a litmus test is thread 1 of the machine: the main thread only publishes the
//!    locations and starts the others.

mod ast;
mod condition;
mod expression;
mod generate;
mod machine;
mod printer;
mod reader;
mod shrink;
mod until;

pub use ast::{
    Body, Location, LocationId, LocationKind, Program, Register, RegisterId, Statement,
    StatementKind, Thread,
};
pub use condition::{Atom, Condition, FinalCondition, FinalState, Observed, Quantifier};
pub use expression::{BinaryOp, Expr, UnaryOp};
pub use generate::{Random, Shape, generate};
pub use machine::{LitmusMachine, LitmusThread};
pub use printer::print;
pub use reader::{ReadError, read};
pub use shrink::shrink;
pub use until::{Comparison, Until};
