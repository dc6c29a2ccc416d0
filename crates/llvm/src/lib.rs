//! A reader of textual LLVM IR (`.ll`), as written by clang 14 to 22 and rustc.
//!
//! [`read`] turns the text into a [`Module`]: interned types, constants, globals, functions with
//! operands resolved to dense ids, and debug information that is decoded on demand ([`debug`]).
//! Typed pointers of older versions become opaque `ptr`.
//!
//! Invariants:
//!
//! 1. What the reader does not know is a [`ReadError`] with line and column, never a guess.
//! 2. It neither panics nor recurses without bound nor takes memory out of proportion to the text,
//!    whatever the input.
//! 3. In a module that was read, every operand, block and symbol id is valid, every local is
//!    defined exactly once and has one type, every block ends with its only terminator, and no type
//!    nests deeper than [`types::MAX_NESTING`], so that consumers may recurse over types.

mod ast;
mod constant;
pub mod debug;
mod error;
mod instruction;
mod layout;
mod lexer;
mod metadata;
mod names;
mod read;
pub mod types;

pub use ast::{
    Alias, Block, BlockId, BlockName, Body, DebugVariable, Function, Global, Linkage, Local,
    LocalId, Module, Param, ParamAttributes, Symbol, SymbolId, SymbolKind, ThreadLocal, Visibility,
};
pub use constant::{ConstId, Constant, ConstantKind};
pub use error::ReadError;
pub use instruction::{
    AtomicRmw, BinaryFlags, BinaryOp, Call, Callee, CastOp, Clause, CmpXchg, FloatPredicate,
    InlineAsm, Instruction, IntPredicate, MemoryAccess, Op, Operand, Ordering, RmwOperation,
};
pub use layout::{DataLayout, Layout};
pub use metadata::{Field, MetadataId, Node};
pub use names::{NameId, Names};
pub use read::read;
pub use types::{FloatKind, Type, TypeId, Types};
