//! Small graphs, all of them: what can be said of models by looking at every execution up to a size.
//!
//! `skeleton` enumerates the labels of threads up to the names of threads and locations, `graph` the ways to choose
//! `rf` and `co`, `conditions` asks of each graph whether it shows that a model cannot be searched under, and
//! `difference` looks for labels whose outcomes tell two models apart.

mod conditions;
mod difference;
mod graph;
mod litmus;
mod skeleton;

pub use conditions::{Broken, Condition, Held, conditions};
pub use difference::{Difference, difference};

/// How far to look.
#[derive(Clone, Copy)]
pub struct Limits<'s> {
    /// How many accesses and fences a graph may have; a read-modify-write is one.
    pub size: usize,
    /// How many of them may be anything but relaxed reads and writes.
    pub special: usize,
    /// Says that there is no more time.
    pub is_over: &'s dyn Fn() -> bool,
}

impl std::fmt::Debug for Limits<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "size {}, special {}", self.size, self.special)
    }
}
