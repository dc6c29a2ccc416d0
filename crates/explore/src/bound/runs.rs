//! Whether a graph is that of an interleaving at all: `po ∪ rf ∪ co ∪ rb`, with what starts and joins threads, has
//! no cycle. Every graph that a search under sc comes to is; one that was read from a file may not be, and what
//! is said here about runs of a graph would then mean nothing.

use norn_action::ThreadId;
use norn_graph::{Event, EventId, EventKind, Graph};

/// Takes events as long as one is there whose predecessors were all taken: in the end that is everything, if there
/// is no cycle.
pub(super) fn has_run(graph: &Graph) -> bool {
    let threads = graph.thread_count();
    let mut taken = vec![0u32; threads];
    let mut moved = true;
    while moved {
        moved = false;
        for t in 0..threads {
            let thread = ThreadId(t as u32);
            while let Some(event) = graph.thread_events(thread).get(taken[t] as usize)
                && is_due(graph, thread, event, &taken)
            {
                taken[t] += 1;
                moved = true;
            }
        }
    }
    (0..threads).all(|t| taken[t] == graph.thread_len(ThreadId(t as u32)))
}

fn is_due(graph: &Graph, thread: ThreadId, event: &Event, taken: &[u32]) -> bool {
    let done = |id: EventId| !id.is_real() || taken[id.thread().index()] > id.position();
    let ended = |thread: ThreadId| taken[thread.index()] == graph.thread_len(thread);
    if !done(graph.spawned_by(thread)) {
        return false;
    }
    match event.kind {
        EventKind::Read => done(event.rf),
        EventKind::Write => {
            let previous = graph.co_at(event.location, event.co_index());
            // The first half of a read-modify-write reads what the second overwrites, and comes before it.
            done(previous) && graph.readers(previous, event.location).all(done)
        }
        EventKind::Join => ended(event.target()),
        _ => true,
    }
}
