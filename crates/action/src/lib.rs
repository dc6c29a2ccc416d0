//! The vocabulary between the program side and the graph side.
//!
//! A *machine* runs threads; each thread is a deterministic function from the answers it gets to
//! the visible [`Action`]s it takes. An *explorer* decides which answer each action gets. The two
//! meet in this crate only: a machine knows nothing of graphs, models or algorithms, and an
//! explorer knows nothing of instructions, frames or C.
//!
//! Invariants that both sides rely on:
//!
//! 1. The same thread given the same answers takes the same actions, with the same addresses,
//!    thread names and places.
//! 2. A paused thread can be resumed as often as wanted, each time with another answer, from a copy of
//!    it or by running the program again ([`States`]).
//! 3. Every access to memory that another thread can reach is an action; an access that is not an
//!    action touches memory that no other thread can name (see [`Action::Publish`]).

mod action;
mod fault;
mod id;
mod machine;
mod memory;
mod mode;
mod states;
mod value;

pub use action::{Access, Action, Alike, Barrier, Cut, Lesson, Rmw, Role, Wait};
pub use fault::{
    BadAccess, BadCall, BadFree, BadJoin, BadSync, Claim, ConstantWrite, Conversion, Division, End,
    Ending, Exception, Fault, FaultKind, Inside, Miss, Misuse, Near, Obstacle, Requirement, Stuck,
    SyncObject, SyncState, Undefined, Unsupported, Unwritten, Wrong,
};
pub use id::{Address, Place, ThreadId};
pub use machine::Machine;
pub use memory::{Image, ObjectKind};
pub use mode::Mode;
pub use states::{
    Answer, Forgetful, NO_STATE, Rerun, Running, Saved, Saving, StateId, States, Step,
};
pub use value::{Compare, RmwOp, SmallTest, Test, Value};
