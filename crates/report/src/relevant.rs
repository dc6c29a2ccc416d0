//! Which events of a graph a reader needs to see to understand a violation.
//!
//! These are the events that the violation depends on (its `po ∪ rf` prefix) and, for every read
//! among them that saw an old value, the newer write that it did not see, with what that depends on.

use norn_action::{Place, ThreadId};
use norn_explore::Violation;
use norn_graph::{EventId, EventKind, Graph};

/// How many events of each thread are kept: a prefix of each, closed under `po ∪ rf`.
pub(crate) struct Kept {
    counts: Vec<u32>,
}

impl Kept {
    /// Chooses what to show.
    pub(crate) fn of(violation: &Violation) -> Kept {
        let graph = &violation.graph;
        let threads = graph.thread_count();
        if is_about_everything(violation) {
            let counts = (0..threads).map(|t| graph.thread_len(ThreadId(t as u32))).collect();
            return Kept { counts };
        }
        let mut kept = Kept { counts: vec![0; threads] };
        let last = graph.last_of(violation.thread);
        for seed in [violation.event, violation.other, Some(last)].into_iter().flatten() {
            kept.add(graph, seed);
        }
        kept.add_overwriting(graph);
        kept
    }

    /// Whether the event is shown.
    pub(crate) fn contains(&self, id: EventId) -> bool {
        self.counts.get(id.thread().index()).is_some_and(|&count| id.position() < count)
    }

    /// The kept events of a thread.
    pub(crate) fn thread(&self, thread: usize) -> impl Iterator<Item = EventId> + use<> {
        let thread_id = ThreadId(thread as u32);
        (0..self.counts[thread]).map(move |position| EventId::new(thread_id, position))
    }

    fn add(&mut self, graph: &Graph, id: EventId) -> bool {
        if !id.is_real() || self.contains(id) {
            return false;
        }
        for (count, &clock) in self.counts.iter_mut().zip(graph.clock(0, id)) {
            *count = (*count).max(clock);
        }
        let count = &mut self.counts[id.thread().index()];
        *count = (*count).max(id.position() + 1);
        true
    }

    fn add_overwriting(&mut self, graph: &Graph) {
        loop {
            let mut grown = false;
            for thread in 0..self.counts.len() {
                for id in self.thread(thread) {
                    if let Some(write) = first_unseen(graph, id) {
                        grown |= self.add(graph, write);
                    }
                }
            }
            if !grown {
                return;
            }
        }
    }
}

/// Whether the violation is no single step but the execution as a whole: a deadlock, or a final state
/// that must not be.
pub(crate) fn is_about_everything(violation: &Violation) -> bool {
    let no_step = violation.event.is_none() && violation.fault.place == Place::NONE;
    no_step || !violation.waiting.is_empty()
}

/// The write that comes right after the one that the read `id` saw, in coherence order.
pub(crate) fn first_unseen(graph: &Graph, id: EventId) -> Option<EventId> {
    let event = graph.event(id);
    if event.kind != EventKind::Read {
        return None;
    }
    let seen = if event.rf.is_real() { graph.co_index(event.rf) } else { 0 };
    // The list leaves the initial write out, so that index `seen` is the one after it.
    let next = graph.location(event.location).co.get(seen as usize).copied()?;
    let own = next.thread() == id.thread() && next.position() == id.position() + 1;
    (!own).then_some(next)
}
