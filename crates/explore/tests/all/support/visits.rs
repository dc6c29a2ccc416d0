//! What a search visits, in a form that does not depend on how it got there.

use norn_action::Machine;
use norn_explore::{Observer, Summary, Visit};
use norn_graph::{EventId, Graph};
use std::collections::BTreeMap;

/// Executions as text, each with the number of visits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visits {
    seen: BTreeMap<Vec<String>, u32>,
    coherence: bool,
}

impl Visits {
    /// With `coherence`, executions that differ in it only are different.
    pub fn new(coherence: bool) -> Visits {
        Visits { seen: BTreeMap::new(), coherence }
    }

    /// Whether there was none.
    pub fn is_empty(&self) -> bool {
        self.seen.is_empty()
    }

    /// Panics if something was visited twice.
    pub fn assert_each_once(&self, what: &str) {
        assert!(self.seen.values().all(|&count| count == 1), "{what}: visited twice");
    }
}

impl<M: Machine> Observer<M> for Visits {
    fn execution(&mut self, execution: &Visit<'_, M>) {
        let graph = execution.graph;
        let mut parts: Vec<String> = (graph.order().iter())
            .map(|&id| {
                let event = graph.event(id);
                let source = if event.is_read() { name(graph, event.rf) } else { String::new() };
                format!("{}:{:?}:{}:{source}", name(graph, id), event.kind, event.value)
            })
            .collect();
        parts.sort();
        if self.coherence {
            // Locations have other ids in other workers.
            let mut orders: Vec<String> = (graph.touched().iter())
                .map(|&id| {
                    let address = execution.locations.info(id).address;
                    let co = graph.location(id).co.iter().map(|&write| name(graph, write));
                    format!("{address}:{}", co.collect::<Vec<_>>().join(" "))
                })
                .collect();
            orders.sort();
            parts.append(&mut orders);
        }
        *self.seen.entry(parts).or_default() += 1;
    }
}

/// An event by its position and by the spawns that led to its thread, which means the same everywhere.
fn name(graph: &Graph, id: EventId) -> String {
    if !id.is_real() {
        return "initial".to_owned();
    }
    let spawn = graph.spawned_by(id.thread());
    let thread = if spawn.is_real() { name(graph, spawn) } else { String::new() };
    format!("{thread}/{}", id.position())
}

/// What several observers saw together.
pub fn add_up(visits: impl IntoIterator<Item = Visits>) -> Visits {
    let mut visits = visits.into_iter();
    let mut all = visits.next().expect("an observer");
    for (execution, count) in visits.flat_map(|visits| visits.seen) {
        *all.seen.entry(execution).or_default() += count;
    }
    all
}

/// The kinds and places of what was found.
pub fn kinds(summary: &Summary) -> Vec<String> {
    let violations = summary.violations.iter();
    let mut kinds: Vec<String> = violations
        .map(|violation| format!("{} {:?}", violation.fault.kind(), violation.fault.place))
        .collect();
    kinds.sort();
    kinds.dedup();
    kinds
}
