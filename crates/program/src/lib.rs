//! The bytecode of a checked program: instruction set, tables, builder, verifier, disassembler, analyses
//! of control flow, and how code is changed.
//!
//! A [`Program`] is what lowering makes and the machine runs. It knows nothing of LLVM, of threads
//! or of actions beyond the access modes.
//!
//! **Cells.** A frame is a row of `u64` cells (registers). A value of up to 64 bits is one cell,
//! zero-extended from its width; a float is its bits; a pointer is 64 bits; a value of 65 to 128
//! bits is two consecutive cells, low half first; an aggregate is flattened by the lowering. All
//! cells of a frame are zero when its function starts, except the parameters in the first ones.
//!
//! **One flat code vector.** Functions are ranges of it, so that a program counter is one `u32`
//! and serves as [`norn_action::Place`].
//!
//! **Addresses are fixed when the program is built** ([`layout`]): globals and functions get theirs
//! at declaration, so that initialisers and constants hold final addresses and no relocation is
//! left for the machine.
//!
//! **What follows from the code is computed from it** ([`flow`]): control flow, loops, live registers.
//! Code is changed by an [`Edit`], which keeps all that names program counters right.

mod builder;
mod counter;
mod display;
pub mod flow;
mod instruction;
pub mod layout;
mod operand;
mod operation;
mod pad;
mod program;
mod rewrite;
mod source;
mod standard;
mod types;
mod verify;
mod visit;

pub use builder::{FunctionBuilder, Label, ProgramBuilder};
pub use counter::{Counter, Leaves};
pub use instruction::{
    BinaryOp, FloatBinaryOp, FloatCompare, FloatConvert, FloatUnaryOp, Instruction, Trap, UnaryOp,
};
pub use operand::{Operand, Register};
pub use operation::{Binary, Cell, Expression, Guard, Operation, Step};
pub use pad::{Clause, Pad};
pub use program::{
    Asked, External, ExternalId, Function, FunctionId, Global, GlobalId, Local, LocalId, Loop,
    LoopId, Program, Switch, Turn, Variable,
};
pub use rewrite::Edit;
pub use source::{Location, LocationId, SourceMap};
pub use standard::{
    CATEGORY_COMPARES, CATEGORY_MESSAGE, CATEGORY_NAME, GENERIC_CATEGORY, STANDARD_CLASSES,
    StandardClass,
};
pub use types::{DebugType, Encoding, Field, TypeId, TypeTable};
pub use verify::VerifyError;
