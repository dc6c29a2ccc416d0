//! What a search visits, in a form that does not depend on how it got there.

use norn_action::Machine;
use norn_explore::{Observer, Summary, Visit};
use norn_graph::EventId;
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
        let mut events: Vec<EventId> = graph.order().to_vec();
        events.sort();
        let mut parts: Vec<String> = events
            .into_iter()
            .map(|id| {
                let event = graph.event(id);
                format!("{id}:{:?}:{}:{:?}", event.kind, event.value, event.rf)
            })
            .collect();
        if self.coherence {
            // Locations have other ids in other workers.
            let mut orders: Vec<String> = (graph.touched().iter())
                .map(|&id| {
                    let address = execution.locations.info(id).address;
                    format!("{address}:{:?}", graph.location(id).co)
                })
                .collect();
            orders.sort();
            parts.append(&mut orders);
        }
        *self.seen.entry(parts).or_default() += 1;
    }
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
        .map(|violation| format!("{} {:?}", violation.fault.kind, violation.fault.place))
        .collect();
    kinds.sort();
    kinds.dedup();
    kinds
}
