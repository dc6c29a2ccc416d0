//! The model of a graph that only holds events. Nothing is asked of its sources and coherence, except while
//! it is the graph of a trace.

use norn_graph::{EventId, Graph};
use norn_models::{About, Interleaving, Model, Named};

/// The model `Mo` for graphs of traces, and no model for others.
#[derive(Clone, Debug)]
pub(super) struct Container<Mo> {
    model: Mo,
    /// Whether the graph at hand is that of a trace.
    pub is_run: bool,
}

impl<Mo: Interleaving> Named for Container<Mo> {
    const ABOUT: About = Mo::ABOUT;

    fn new() -> Self {
        Container { model: Mo::new(), is_run: false }
    }
}

impl<Mo: Interleaving> Model for Container<Mo> {
    const LANES: usize = Mo::LANES;
    const HB: usize = Mo::HB;

    fn reports_races(&self) -> bool {
        Self::ABOUT.races
    }

    fn races_are_ignored(&mut self) {
        self.model.races_are_ignored();
    }

    fn added(&mut self, graph: &mut Graph, event: EventId) {
        self.model.added(graph, event);
    }

    /// What is not ordered is a fault; while the graph is a container, none is found by that.
    fn ordered(&mut self, graph: &Graph, first: EventId, second: EventId) -> bool {
        !self.is_run || self.model.ordered(graph, first, second)
    }
}
