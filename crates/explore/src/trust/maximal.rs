//! When an event counts as maximally added (Marmanis, Kokologiannakis, Vafeiadis, TACAS 2023,
//! Algorithm 1, line 18, after TruSt, POPL 2022).
//!
//! A backward revisit deletes events. Many graphs lead to the same graph that way; the one in which
//! every deleted event was added in the least surprising way is the one that may do it. With
//! `Previous` = the events at or before `e` in insertion order and those `porf`-before the revisiting
//! write:
//!
//! * a write is maximal if no read in `Previous` reads from it and no write in `Previous` is
//!   coherence-after it;
//! * a read is maximal if its source is in `Previous` and no write in `Previous` is coherence-after
//!   that source;
//! * a choice is maximal if it took the first answer;
//! * everything else always is.

use norn_action::Value;
use norn_graph::{EventId, EventKind, Graph};

/// Whether `id` is maximally added with respect to a revisiting write with the `porf` clock `prefix`.
pub(crate) fn is_maximal(graph: &Graph, id: EventId, prefix: &[u32]) -> bool {
    let event = graph.event(id);
    let stamp = event.stamp;
    let previous =
        |other: EventId| graph.event(other).stamp <= stamp || Graph::within(prefix, other);
    match event.kind {
        EventKind::Write => {
            let co = &graph.location(event.location).co;
            !co[event.co_index() as usize + 1..].iter().any(|&write| previous(write))
                && !graph.readers(id, event.location).any(previous)
        }
        EventKind::Read => {
            let source = event.rf;
            if source.is_real() && !previous(source) {
                return false;
            }
            let co = &graph.location(event.location).co;
            !co[graph.co_index(source) as usize..].iter().any(|&write| previous(write))
        }
        EventKind::Choose => event.value == Value::ZERO,
        _ => true,
    }
}
