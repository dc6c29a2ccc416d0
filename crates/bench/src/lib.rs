//! Benchmarks: programs with known numbers of executions, and what it costs to count them.

mod count;
mod expectation;

pub use count::{Counted, count};
pub use expectation::{Expectation, expectations};
