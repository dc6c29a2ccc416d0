//! Finding schedules: when a write is added, the nodes whose read might read from it.
//!
//! The schedule for a write `w` at a node is what `w` depends on and is not in the graph of the node
//! yet, then `w`, then the node's read of `w`. Whether that is consistent is found out when it is
//! replayed.

use super::Rf;
use super::node::{Node, Step};
use super::prefix::{NOBODY, writing};
use crate::execution::{Becomes, PendingRead, WaitsFor};
use norn_action::{Machine, StateId, ThreadId};
use norn_graph::{EventId, EventKind, Graph};
use norn_models::Arrange;

impl<M: Machine, Mo: Arrange> Rf<'_, M, Mo> {
    /// Finds the nodes whose read might read from `write`, which was just added.
    pub(super) fn declare(&mut self, write: EventId) {
        let Rf { execution, nodes, prefixes, skipped, .. } = self;
        let graph = &execution.graph;
        let event = graph.event(write);
        let clock = graph.clock(0, write);
        let name = prefixes.name(write);
        let fits = |state: StateId, node: &Node| {
            node.waits == WaitsFor::Nothing
                || PendingRead::of(execution.pool.get(state))
                    .becomes((event.value, event.undefined))
                    != Becomes::Blocked
        };
        let co = &graph.location(event.location).co;
        for source in std::iter::once(EventId::INIT).chain(co.iter().copied()) {
            for read in graph.readers(source, event.location) {
                let owner = prefixes.owner(read);
                if owner == NOBODY || Graph::within(clock, read) {
                    continue;
                }
                let node = &mut nodes[owner as usize];
                if !node.is_new(name) {
                    continue;
                }
                if fits(graph.event(read).saved, node) {
                    schedule(graph, node, clock, write);
                } else if node.waits == WaitsFor::Value {
                    node.need_skip();
                }
            }
        }
        for &index in skipped.iter() {
            let node = &mut nodes[index as usize];
            let state = execution.state(node.thread);
            if execution.pool.get(state).location == event.location
                && node.is_new(name)
                && fits(state, node)
            {
                schedule(graph, node, clock, write);
            }
        }
    }

    /// The pending read-modify-write of `thread` might take writes that others have taken: finds the
    /// nodes of those others.
    pub(super) fn declare_takers(&mut self, thread: ThreadId) {
        let Rf { execution, nodes, prefixes, .. } = self;
        let graph = &execution.graph;
        let read = execution.pending_read(thread);
        let location = read.location;
        let Some(state) = graph.location_if_any(location) else { return };
        let clock = graph.clock_before_next(0, thread);
        let event = EventId::new(thread, graph.thread_len(thread));
        for source in std::iter::once(EventId::INIT).chain(state.co.iter().copied()) {
            let taker = graph.taken_by(source, location);
            if taker == EventId::NONE || Graph::within(clock, taker) {
                continue;
            }
            let owner = prefixes.owner(taker);
            if owner == NOBODY
                || read.becomes(graph.content_of(source, location)) != Becomes::Exclusive
            {
                continue;
            }
            let node = &mut nodes[owner as usize];
            let before = prefixes.before(graph, event);
            let name = writing(prefixes.reading(before, source));
            if node.waits == WaitsFor::Value || !node.is_new(name) {
                continue;
            }
            let needed = |id: &EventId| {
                Graph::within(clock, *id)
                    || (source.is_real() && Graph::within(graph.clock(0, source), *id))
            };
            let later = graph.order()[node.length as usize..].iter().copied().filter(needed);
            let own = (node.waits == WaitsFor::Nothing).then(|| {
                let source = EventId::new(thread, event.position() + 1);
                Step { event: node.event, source, answer: 0 }
            });
            let takes = Step { event, source, answer: 0 };
            node.add_schedule(later.map(|id| step(graph, id)).chain([takes]).chain(own));
        }
    }
}

/// Adds the schedule for `write`, which depends on what `clock` describes.
fn schedule(graph: &Graph, node: &mut Node, clock: &[u32], write: EventId) {
    let needed = |id: &EventId| Graph::within(clock, *id);
    let later = graph.order()[node.length as usize..].iter().copied().filter(needed);
    let own = Step { event: node.event, source: write, answer: 0 };
    node.add_schedule(later.map(|id| step(graph, id)).chain([own]));
}

fn step(graph: &Graph, id: EventId) -> Step {
    let event = graph.event(id);
    let (source, answer) = match event.kind {
        EventKind::Read => (event.rf, 0),
        EventKind::Choose => (EventId::NONE, event.value.low() as u32),
        _ => (EventId::NONE, 0),
    };
    Step { event: id, source, answer }
}
