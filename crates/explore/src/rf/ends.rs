//! What memory may hold in the end.
//!
//! Reads-from alone does not say which write to a location is the last. Whoever asks for the final state
//! ([`Observer::wants_ends`]) is shown an execution once for each choice of last writes that some
//! coherence order has: as if somebody joined everybody and then read all locations.

use super::Rf;
use crate::search::Observer;
use norn_action::{Machine, ThreadId};
use norn_graph::{EventId, LocationId};
use norn_models::Arrange;

impl<M: Machine, Mo: Arrange> Rf<'_, M, Mo> {
    /// Shows the complete graph at hand with each choice of last writes but the present one.
    pub(super) fn show_other_ends(&mut self, observer: &mut impl Observer<M>) {
        let length = self.execution.graph.len();
        let graph = &self.execution.graph;
        let locations: Vec<LocationId> = (graph.touched().iter().copied())
            .filter(|&location| graph.location(location).co.len() > 1)
            .collect();
        let last = |location: &LocationId| graph.location(*location).co.last().copied();
        let shown: Vec<EventId> = locations.iter().filter_map(last).collect();
        let ends = self.thread_ends();
        self.join_everybody(ThreadId::MAIN, &ends);
        let mut found = Vec::new();
        self.collect_ends(&locations, &mut Vec::new(), &mut found);
        while self.execution.graph.len() > length {
            self.execution.graph.pop();
        }
        for (last, orders) in found {
            if last != shown {
                for (&location, order) in locations.iter().zip(&orders) {
                    self.execution.graph.set_coherence(location, order);
                }
                self.arrangements += 1;
                observer.other_end(&self.execution.visit(false));
            }
        }
    }

    /// All choices of last writes to `locations`, each with the coherence orders of a witness.
    fn collect_ends(
        &mut self,
        locations: &[LocationId],
        chosen: &mut Vec<(LocationId, EventId)>,
        found: &mut Vec<(Vec<EventId>, Vec<Vec<EventId>>)>,
    ) {
        let Some((&location, rest)) = locations.split_first() else {
            let graph = &self.execution.graph;
            let orders = chosen.iter().map(|&(location, _)| graph.location(location).co.clone());
            found.push((chosen.iter().map(|&(_, write)| write).collect(), orders.collect()));
            return;
        };
        for write in self.execution.graph.location(location).co.clone() {
            if self.look_again(ThreadId::MAIN, location, write) {
                chosen.push((location, write));
                self.collect_ends(rest, chosen, found);
                chosen.pop();
            }
            self.execution.graph.pop();
        }
    }
}
