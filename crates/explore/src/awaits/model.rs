//! The model of a graph that grows in the order of an interleaving: what is ordered is what the trace of the
//! execution orders.
//!
//! That is less than what the graph orders where updates commute: of two of them, reads-from and coherence
//! say which came first, though in another execution of the same class it is the other one.

use super::trace::Trace;
use norn_graph::{EventId, Graph};
use norn_models::{About, Interleaving, Model, Named};
use std::marker::PhantomData;

/// The model `Mo`, along a trace.
#[derive(Clone, Debug)]
pub(super) struct Traced<Mo> {
    pub trace: Trace,
    model: PhantomData<Mo>,
}

impl<Mo: Interleaving> Named for Traced<Mo> {
    const ABOUT: About = Mo::ABOUT;

    fn new() -> Self {
        Traced { trace: Trace::default(), model: PhantomData }
    }
}

impl<Mo: Interleaving> Model for Traced<Mo> {
    const LANES: usize = 1;
    const HB: usize = 0;

    fn reports_races(&self) -> bool {
        Self::ABOUT.races
    }

    fn ordered(&mut self, graph: &Graph, first: EventId, second: EventId) -> bool {
        self.trace.ordered(graph, first, second)
    }
}
