//! The oracle: a slow, literal enumerator of the executions of small programs.
//!
//! It shares no logic with models and explorers; it exists to catch them lying. The axioms in
//! [`is_consistent`] and [`is_racy`] are written relation by relation over bit matrices, and the
//! executions in [`executions`] are all candidates that pass them. [`interleavings`] is a second,
//! operational semantics for sc, which knows nothing of axioms.
//!
//! How candidates are made: guess for each thread the way it takes through its branches, guess where
//! each read reads from, guess the coherence order, then check. Candidates are cut short only for
//! reasons that every one of the five models implies (see the headers of the modules).
//!
//! Executions are given as a [`Graph`] in canonical form: two executions are the same iff their
//! graphs are equal.

mod axioms;
mod compare;
mod enumerate;
mod graph;
mod interleavings;
mod paths;
mod relation;
mod skeleton;

pub use axioms::{Model, is_consistent, is_racy, is_unordered};
pub use compare::{Comparison, compare};
pub use enumerate::{Enumeration, Execution, executions};
pub use graph::{Event, EventId, Graph, GraphBuilder, Kind};
pub use interleavings::{Interleavings, Scheduled, interleavings};
