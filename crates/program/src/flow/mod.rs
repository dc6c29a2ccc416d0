//! What is known of the control flow of a function, from its bytecode alone.
//!
//! [`Blocks`] cuts a function into basic blocks, the nodes of a [`Graph`]. [`Dominators`] and
//! [`LoopForest`] look at nothing but the graph, so that whoever has blocks of another kind (the
//! lowering, those of LLVM IR) can use them as well. [`Liveness`] looks at registers.
//!
//! Nothing here is stored in a program but the live registers of its loops ([`Program::set_live`]),
//! which the machine needs at every header. All else is computed when somebody asks, and is true until
//! the function is changed.

mod blocks;
mod dominators;
mod graph;
mod liveness;
mod loops;

pub use blocks::Blocks;
pub use dominators::Dominators;
pub use graph::{Graph, Node};
pub use liveness::{Liveness, RegisterSet};
pub use loops::{LoopForest, NaturalLoop};

#[cfg(doc)]
use crate::Program;
