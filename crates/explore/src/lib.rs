//! Exploration: decides what to try next, one folder per algorithm, over shared parts.
//!
//! An explorer sees the program only through [`norn_action::Machine`] and memory only through
//! [`norn_models::Model`]. It owns an execution (`execution`) that it lets grow and takes back, and its
//! part of the search (`search`), which counts and keeps what is found. It reports every complete
//! execution to an [`Observer`] and returns a [`Summary`]; what is wrong with the program comes as
//! [`Violation`]s, complete values that a report can be made from later.
//!
//! Each folder uses only those before it: `execution`, `search`, `trust`, `rf`, `rvf` and `awaits`, `bound`, and in the
//! end `algorithm`, where names become explorers.

mod algorithm;
mod awaits;
mod bound;
mod execution;
mod rf;
mod rvf;
mod search;
mod trust;

pub use algorithm::{Algorithm, ExplorerVisitor};
pub use awaits::{Awaits, Conflicts};
pub use bound::{Bound, Bounded, Deepened, deepen};
pub use execution::{
    Calls, Ended, MAX_THREAD_EVENTS, Mismatch, PortableGraph, ThreadNames, Visit, Waiting,
};
pub use rf::Rf;
pub use rvf::{Aids, Rvf};
pub use search::{
    AlikeFigures, BoundFigures, Estimate, Explorer, Figures, Frontier, Keeper, Observer, Options,
    Position, Probe, RfFigures, SavedSummary, Setup, Slice, Sliced, Stop, Summary, Trace,
    Violation, calls, follow, replays, search, search_with, slice,
};
pub use trust::{Everything, Prune, Trust, Waits};
