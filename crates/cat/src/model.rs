//! A model of a file, as explorers see it.
//!
//! Where its form shows that accesses do not go behind what they know (see [`knows`]), it has a floor; above that, it
//! is asked of each graph whether it is consistent. [`Growing`] answers, or for what it cannot compute an
//! [`Evaluator`], which computes all of the graph; what that has computed is kept until the next event is added, since
//! races and the order of events are asked for right after.

use crate::eval::Evaluator;
use crate::form::{Knows, knows};
use crate::growing::Growing;
use crate::view::{Operations, PO, View, order};
use norn_graph::{EventId, Graph, LocationId};
use norn_models::{Model, NewAccess, coherence_floor};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// See the head of this file.
#[derive(Clone, Debug)]
pub struct CatModel {
    /// For what [`Growing`] cannot compute.
    evaluator: Evaluator,
    view: View,
    operations: Operations,
    growing: Option<Growing>,
    reports_races: bool,
    knows: Knows,
    /// The graph that the evaluator has computed, if it has.
    computed: Option<Key>,
    stuck: Arc<AtomicBool>,
}

/// What tells a graph from those that it may be taken for: nothing else changes between two events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    length: usize,
    last: EventId,
    lineage: u64,
}

impl Key {
    pub(crate) fn of(graph: &Graph) -> Key {
        let last = graph.order().last().copied().unwrap_or(EventId::NONE);
        Key { length: graph.len(), last, lineage: graph.lineage() }
    }
}

impl CatModel {
    pub(crate) fn new(
        evaluator: Evaluator,
        operations: Operations,
        reports_races: bool,
        stuck: Arc<AtomicBool>,
    ) -> CatModel {
        let view = View::default();
        let knows = knows(&evaluator.schedule().program);
        let growing = Growing::new(evaluator.schedule(), &operations);
        CatModel {
            evaluator,
            knows,
            view,
            operations,
            growing,
            reports_races,
            computed: None,
            stuck,
        }
    }

    /// Whether the graph is consistent. Builds for tests ask both evaluators, here and below.
    fn is_consistent(&mut self, graph: &Graph) -> bool {
        if let Some(growing) = &mut self.growing
            && let Some(known) = growing.is_consistent(graph)
        {
            debug_assert_eq!(known, self.compute(graph), "{graph:?}");
            return known;
        }
        self.compute(graph)
    }

    fn compute(&mut self, graph: &Graph) -> bool {
        self.view.fill(graph, &self.operations, &mut self.evaluator.events);
        let consistent = self.evaluator.failing().is_none();
        self.computed = Some(Key::of(graph));
        consistent
    }

    fn look_at(&mut self, graph: &Graph) {
        if self.computed != Some(Key::of(graph)) {
            self.compute(graph);
        }
    }

    /// Whether the model puts an event before another one.
    fn puts_before(&mut self, graph: &Graph, first: EventId, second: EventId) -> bool {
        if let Some(growing) = &mut self.growing
            && let Some(known) = growing.ordered(graph, first, second)
        {
            debug_assert_eq!(known, self.computed_before(graph, first, second), "{graph:?}");
            return known;
        }
        self.computed_before(graph, first, second)
    }

    fn computed_before(&mut self, graph: &Graph, first: EventId, second: EventId) -> bool {
        self.look_at(graph);
        let starts = match self.view.number(first) {
            Some(number) => number..number + 1,
            None => self.view.from(first.thread().index(), first.position()),
        };
        let ends = match self.view.number(second) {
            Some(number) => number..number + 1,
            None => self.view.before(second.thread().index(), second.position()),
        };
        let order = self.evaluator.order();
        starts.into_iter().any(|i| ends.clone().any(|j| i == j || order.has(i, j)))
    }

    /// What an event races with: an event, or a location whose initial write it is.
    fn races_with(&mut self, graph: &Graph, event: EventId) -> Option<Result<EventId, LocationId>> {
        if let Some(growing) = &mut self.growing
            && let Some(known) = growing.race(graph, event)
        {
            debug_assert_eq!(known.is_some(), self.computed_race(graph, event).is_some());
            return known;
        }
        self.computed_race(graph, event)
    }

    fn computed_race(
        &mut self,
        graph: &Graph,
        event: EventId,
    ) -> Option<Result<EventId, LocationId>> {
        self.look_at(graph);
        let number = self.view.number(event)?;
        self.evaluator.race(Some(number)).map(|(_, other)| self.view.name(other))
    }
}

impl Model for CatModel {
    const LANES: usize = 2;
    const HB: usize = 0;
    const ATOMICS_RACE: bool = true;

    fn reports_races(&self) -> bool {
        self.reports_races
    }

    fn floor(&mut self, graph: &Graph, access: &NewAccess) -> u32 {
        let lane = match self.knows {
            Knows::Nothing => return 0,
            Knows::Po => PO,
            Knows::Porf => 0,
        };
        let clock = graph.clock_before_next(lane, access.thread);
        coherence_floor(graph, access.location, |event| Graph::within(clock, event))
    }

    fn added(&mut self, graph: &mut Graph, event: EventId) {
        self.computed = None;
        if let Some(growing) = &mut self.growing {
            growing.event_added(graph, event);
        }
        order(graph, event);
    }

    fn holds(&mut self, graph: &Graph, event: EventId) -> bool {
        let consistent = self.is_consistent(graph);
        if !consistent && is_newest(graph, event) {
            self.stuck.store(true, Ordering::Relaxed);
        }
        consistent
    }

    fn ordered(&mut self, graph: &Graph, first: EventId, second: EventId) -> bool {
        if Graph::within(graph.clock(PO, second), first) {
            return true;
        }
        self.puts_before(graph, first, second)
    }

    fn race(&mut self, graph: &Graph, event: EventId) -> Option<EventId> {
        let publisher = |location| graph.location(location).resolved.published_by;
        if let Some(other) = self.races_with(graph, event) {
            return Some(other.unwrap_or_else(publisher));
        }
        let publisher = publisher(graph.event(event).location);
        (!self.ordered(graph, publisher, event)).then_some(publisher)
    }
}

/// Whether the access reads from the newest write to its location, or is that.
fn is_newest(graph: &Graph, id: EventId) -> bool {
    let event = graph.event(id);
    let newest = graph.location(event.location).co.last().copied().unwrap_or(EventId::INIT);
    newest == if event.is_read() { event.rf } else { id }
}

#[cfg(test)]
mod tests;
