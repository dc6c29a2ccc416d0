//! Compares the executions that an explorer visited with those that exist.

use crate::graph::Graph;
use norn_litmus::{Program, print};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// How two collections of executions differ.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// They exist but were not visited.
    pub missing: Vec<Graph>,
    /// They were visited but do not exist.
    pub extra: Vec<Graph>,
    /// They were visited more than once; how often.
    pub duplicates: Vec<(Graph, usize)>,
    /// How many exist.
    pub expected: usize,
    /// How many visits there were.
    pub visits: usize,
}

/// Compares the executions that exist with those that were visited. For an explorer that does not
/// distinguish coherence orders, pass graphs [`Graph::without_co`] on both sides; the executions
/// that exist may then repeat themselves.
pub fn compare(
    expected: impl IntoIterator<Item = Graph>,
    visited: impl IntoIterator<Item = Graph>,
) -> Comparison {
    let expected: BTreeSet<Graph> = expected.into_iter().collect();
    let mut visits: BTreeMap<Graph, usize> = BTreeMap::new();
    for graph in visited {
        *visits.entry(graph).or_default() += 1;
    }
    Comparison {
        missing: expected.iter().filter(|graph| !visits.contains_key(graph)).cloned().collect(),
        extra: visits.keys().filter(|graph| !expected.contains(graph)).cloned().collect(),
        duplicates: (visits.iter())
            .filter(|(_, count)| **count > 1)
            .map(|(graph, &count)| (graph.clone(), count))
            .collect(),
        expected: expected.len(),
        visits: visits.values().sum(),
    }
}

impl Comparison {
    /// Every execution was visited exactly once.
    pub fn is_exact(&self) -> bool {
        self.missing.is_empty() && self.extra.is_empty() && self.duplicates.is_empty()
    }

    /// The differences as text for people: the program, then a few graphs of each kind.
    pub fn report(&self, program: &Program) -> String {
        const SHOWN: usize = 2;
        let mut text = format!(
            "{} executions exist; {} visits: {} missing, {} extra, {} visited more than once\n{}",
            self.expected,
            self.visits,
            self.missing.len(),
            self.extra.len(),
            self.duplicates.len(),
            print(program)
        );
        for (what, graphs) in [("missing", &self.missing), ("extra", &self.extra)] {
            for graph in graphs.iter().take(SHOWN) {
                write!(text, "{what}:\n{}", graph.describe(program)).expect("a string grows");
            }
        }
        for (graph, count) in self.duplicates.iter().take(SHOWN) {
            write!(text, "visited {count} times:\n{}", graph.describe(program))
                .expect("a string grows");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EventId, GraphBuilder, Model, executions};
    use norn_action::Mode;
    use norn_litmus::{LocationId, read};

    const X: LocationId = LocationId(0);

    /// One thread stores 1, the other adds 1.
    fn program() -> Program {
        read(
            "C t\n{ x = 0; }\nP0 (atomic_int* x) { *x = 1; }\n\
             P1 (atomic_int* x) { int r0 = atomic_fetch_add(x, 1); }\n",
        )
        .unwrap()
    }

    /// Its executions, made by hand: the addition comes first, or second.
    fn built(addition_first: bool) -> Graph {
        let mode = Mode::SeqCst;
        let store = EventId { thread: 0, index: 0 };
        let mut graph = GraphBuilder::new(2, 1);
        let (old, from) = if addition_first { (0, None) } else { (1, Some(store)) };
        graph.read(1, X, old, mode, from);
        let addition = graph.exclusive_write(1, X, old + 1, mode);
        assert_eq!(graph.write(0, X, 1, mode), store);
        let order = if addition_first { [addition, store] } else { [store, addition] };
        graph.coherence(X, order);
        graph.build()
    }

    fn all() -> impl Iterator<Item = Graph> {
        executions(&program(), Model::Rc11).complete.into_iter().map(|execution| execution.graph)
    }

    #[test]
    fn what_is_built_by_hand_equals_what_is_enumerated() {
        let exact = compare(all(), [built(true), built(false)]);
        assert!(exact.is_exact(), "{}", exact.report(&program()));
    }

    #[test]
    fn every_difference_is_named() {
        let mut wrong = built(true);
        wrong.co[0].reverse();
        let comparison = compare(all(), [built(true), built(true), wrong.clone()]);
        assert_eq!(comparison.missing, [built(false)]);
        assert_eq!(comparison.extra, [wrong]);
        assert_eq!(comparison.duplicates, [(built(true), 2)]);
        let report = comparison.report(&program());
        assert!(report.starts_with("2 executions exist; 3 visits: 1 missing, 1 extra, 1 visited"));
        assert!(report.contains("1.0: Read exclusive seq_cst x = 1 from 0.0"), "{report}");
        assert!(report.contains("co x: init 0.0 1.1"), "{report}");
    }

    #[test]
    fn coherence_can_be_left_out() {
        let mut other = built(true);
        other.co[0].reverse();
        let comparison =
            compare(all().map(|g| g.without_co()), [other.without_co(), built(false).without_co()]);
        assert!(comparison.is_exact(), "{}", comparison.report(&program()));
    }
}
