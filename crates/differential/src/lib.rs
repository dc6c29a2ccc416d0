//! An oracle for Norn's program side: the library, memory, threads and the end of the process.
//!
//! Random concurrent C programs ([`generate`]) are run by an interpreter of their trees
//! ([`interpret`]) that shares no code with Norn, and printed as C ([`print`]) and explored by Norn.
//! [`compare`] requires that both find the same results and the same kinds of faults, whatever the
//! algorithm, the number of workers or the way a search is cut into stages. [`shrink`] makes a program
//! on which they differ small.
//!
//! Invariant: the interpreter decides by the C and POSIX standards, not by what Norn does. Where these
//! leave something open, it is tried every way.

mod compare;
mod features;
mod generate;
mod interpret;
mod native;
mod observe;
mod print;
mod random;
mod shrink;
mod tree;

pub use compare::{Check, Difference, Settings, Verdict, compare, load};
pub use features::{Feature, Features};
pub use generate::generate;
pub use interpret::{Behaviour, Buffers, interpret};
pub use native::unknown_to_interpreter;
pub use observe::{Found, Search, Subject};
pub use print::print;
pub use random::Random;
pub use shrink::shrink;
pub use tree::*;
