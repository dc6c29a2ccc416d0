//! Data races: two accesses to one location by different threads, at least one a write and at least
//! one plain, unordered by happens-before.

use norn_graph::{EventId, Graph};

/// An access that races with `event`, the newest access of its thread. `hb` is the lane of
/// happens-before.
#[inline]
pub fn race_with(graph: &Graph, hb: usize, event: EventId) -> Option<EventId> {
    let access = graph.event(event);
    let state = graph.location(access.location);
    if !state.has_plain() {
        return None;
    }
    let clock = graph.clock(hb, event);
    let plain = !access.mode.is_atomic();
    let races = |other: EventId| {
        other.thread() != event.thread()
            && (plain || !graph.event(other).mode.is_atomic())
            && !Graph::within(clock, other)
            && !Graph::within(graph.clock(hb, other), event)
    };
    if let Some(&write) = state.co.iter().find(|&&write| races(write)) {
        return Some(write);
    }
    if !access.is_write() {
        return None;
    }
    let sources = std::iter::once(EventId::INIT).chain(state.co.iter().copied());
    sources.flat_map(|source| graph.readers(source, access.location)).find(|&read| races(read))
}

/// The event that published the object of `event`, if its initialisation does not happen before `event`.
#[inline]
pub(crate) fn unseen_initialisation(graph: &Graph, hb: usize, event: EventId) -> Option<EventId> {
    let resolved = &graph.location(graph.event(event).location).resolved;
    let publisher = resolved.published_by;
    (!Graph::within(graph.clock(hb, event), publisher)).then_some(publisher)
}
