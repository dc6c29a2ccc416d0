//! Exploration: decides what to try next, one file an algorithm, over shared parts.
//!
//! An explorer sees the program only through [`norn_action::Machine`] and memory only through
//! [`norn_models::Model`]. It reports every complete execution to an [`Observer`] and returns a
//! [`Summary`]; what is wrong with the program comes as [`Violation`]s, complete values that a
//! report can be made from later.

mod bound;
mod checkpoint;
mod cuts;
mod enabled;
mod ending;
mod frame;
mod maximal;
mod memory_checks;
mod names;
mod options;
mod pool;
mod portable;
mod preemptions;
mod probe;
mod queue;
mod reads;
mod revisit;
mod rf;
mod sections;
mod segments;
mod settled;
mod signals;
mod steps;
mod summary;
mod synchronise;
mod task;
mod trust;
mod workers;
mod writes;

pub use bound::{Bound, Bounded, Deepened, Everything, Prune, deepen};
pub use checkpoint::{Frontier, SavedSummary};
pub use names::ThreadNames;
pub use options::{Observer, Options, Stop};
pub use portable::{Mismatch, PortableCoherence, PortableGraph, replays};
pub use preemptions::Waits;
pub use probe::{Estimate, Probe};
pub use rf::Rf;
pub use summary::{Ended, Execution, Summary, Violation, Waiting};
pub use trust::{MAX_THREAD_EVENTS, Trust};
pub use workers::{Crew, Explorer, Keeper, search, search_with};
