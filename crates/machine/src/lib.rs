//! The interpreter: runs threads of a [`norn_program::Program`] from one visible action to the next.
//!
//! [`Vm`] implements [`norn_action::Machine`]. A [`Thread`] is a plain value that is cheap to clone:
//! registers and frames are flat vectors, private memory is shared between clones until one
//! writes. The parts:
//!
//! - `thread`: the state; `interpret`, `execute`, `control`: instructions; `spin`: loop headers;
//!   `failing`: attempts that fail for no reason;
//! - `shadow`: values that were never written; `memory`: private objects; `access`: private or visible; `publish`: when private ends;
//! - `elision`: locks that are left out;
//! - `runtime`: libc, pthread, C11 threads, the C++ library's needs: a file a group;
//! - [`run`]: runs a program once, under sequential consistency.
//!
//! What the machine guarantees to explorers:
//!
//! 1. Addresses depend only on the thread and the number of its allocations before.
//! 2. Memory that is accessed without an action is constant, or belongs to objects of the thread
//!    whose address it never handed out (see `publish` for how that is decided).
//! 3. Faults of the program are [`norn_action::Action::Fail`]; what the machine cannot do is
//!    [`norn_action::Action::Unsupported`]; both only when reached.

mod access;
mod alike;
mod arithmetic;
mod config;
mod control;
mod effects;
mod elision;
mod execute;
mod failing;
mod float;
mod interpret;
mod memory;
mod parts;
mod publish;
pub mod run;
mod runtime;
mod separate;
mod shadow;
mod small;
mod spin;
mod thread;
mod vm;
mod watch;

pub use alike::{Telltale, starts_threads, telltales};
pub use config::{Config, Meter};
pub use elision::lock_askers;
pub use runtime::{MARK, may_access, runtime_functions, sync_state};
pub use thread::Thread;
pub use vm::Vm;
