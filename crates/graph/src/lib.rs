//! Execution graphs: events, program order, reads-from, coherence, clocks, cuts and restricted
//! copies.
//!
//! This crate knows nothing of memory models and nothing of exploration algorithms. A graph is
//! changed in four ways only, and each costs what it touches:
//!
//! * an event is appended to a thread ([`Graph::add_read`], [`Graph::add_write`], [`Graph::add_other`]);
//! * the event that was added last is taken back ([`Graph::pop`]);
//! * a part of another graph that is closed under `po ∪ rf` is copied ([`Graph::copy_restricted`]);
//! * all events of another graph are taken in the order of an interleaving ([`Graph::copy_run`]).
//!
//! An event is named by (thread, position), and keeps its name in a restricted copy. Its *stamp* is
//! its place in insertion order.

mod change;
mod clocks;
mod event;
mod graph;
mod ids;
mod locations;
mod objects;
mod rearrange;
mod restrict;
mod run;
mod verify;

pub use event::{Event, EventKind, Flags, What};
pub use graph::{Graph, LocationState};
pub use ids::{EventId, LocationId};
pub use locations::{LocationInfo, Locations};
pub use objects::{Objects, Resolved};
