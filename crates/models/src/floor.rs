//! The floor that coherence alone imposes: an access cannot go behind a write that it knows, nor
//! behind the source of a read that it knows.

use norn_graph::{EventId, Graph, LocationId};

/// The largest coherence index `i` such that the write at `i`, or a reader of it, satisfies `known`.
#[inline]
pub fn coherence_floor(
    graph: &Graph,
    location: LocationId,
    mut known: impl FnMut(EventId) -> bool,
) -> u32 {
    let co = &graph.location(location).co;
    for (index, &write) in co.iter().enumerate().rev() {
        if known(write) || graph.readers(write, location).any(&mut known) {
            return index as u32 + 1;
        }
    }
    0
}
