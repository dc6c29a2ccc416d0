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

#[cfg(test)]
mod tests {
    use super::graph::{Small, Without};
    use super::skeleton::{Alphabet, each};
    use crate::Definition;
    use crate::eval::Evaluator;
    use crate::tiny::{Answers, Fill};
    use std::ops::ControlFlow;
    use std::sync::Arc;

    /// The evaluator for few events answers as the other one does, and both see the same races.
    #[test]
    fn both_evaluators_agree() {
        for name in ["sc", "tso", "pso", "ra", "rc11", "c20"] {
            let model = Definition::built_in(name).expect("a model");
            let mut answers = Answers::new(&model.schedule);
            let mut evaluator = Evaluator::new(Arc::clone(&model.schedule));
            let alphabet = Alphabet::of(&[&model]);
            let mut look_at = |small: &Small| {
                let graph = Without(small, None);
                graph.tell(&mut evaluator.events);
                let (ours, theirs) = (answers.failing(graph.len(), &graph), evaluator.failing());
                assert_eq!(ours.is_some(), theirs.is_some(), "{name}:\n{}", small.describe());
                if ours.is_none() && model.reports_races() {
                    let races = evaluator.race(None).is_some();
                    assert_eq!(answers.has_race(), races, "{name}:\n{}", small.describe());
                }
                ControlFlow::Continue(())
            };
            // Up to nine and eleven events.
            for (size, special) in [(3, 2), (3, 3), (4, 1), (5, 0)] {
                let mut count = 0;
                let _ = each(&alphabet, size, special, &mut |skeleton| {
                    count += 1;
                    match count % 7 {
                        0 => Small::of(skeleton).each(&mut look_at),
                        _ => ControlFlow::Continue(()),
                    }
                });
            }
        }
    }
}
