//! An upper bound on the preemptions that a graph needs, at O(1) an event.
//!
//! A *cut* is a step, not the first of its thread, with a direct predecessor in another thread (a
//! source, a write or a reader before it in coherence order) that its predecessor in program order
//! does not know yet (is not `porf`-after). Cut every thread in front of its cuts: what must come
//! before an event within a piece comes before the piece's first event too, so the pieces can be run
//! one after the other in some order, each without a switch. A thread that stops in front of a piece
//! whose first step is ready can go on at once. So a run exists whose preemptions are all in front of
//! cuts. Joins and barriers are no cuts: a thread that is not ready there waits.
//!
//! Taking an event away takes no cut but its own and that of the write after it, so the cuts of a graph
//! are no fewer than those of what it grew from.
//!
//! Invariants: there is one level a frame; `totals[i]` is the number of cuts among the events up to
//! the `i`-th after the first `base` events, of which at most `at_base` are cuts. Once there are too many,
//! nobody counts any further.

use norn_graph::{Event, EventId, EventKind, Graph};

#[derive(Default)]
struct Level {
    base: u32,
    at_base: u32,
    /// Whether `at_base` is the number of cuts, not only an upper bound.
    exact: bool,
    /// There were too many in the frame below, and nobody counts.
    hopeless: bool,
    totals: Vec<u32>,
}

/// The cuts of the graph of each frame.
#[derive(Default)]
pub(crate) struct Cuts {
    top: Level,
    below: Vec<Level>,
    spare: Vec<Level>,
}

impl Cuts {
    /// Whether there are more than that. Takes the new events of the graph into account.
    #[inline]
    pub(crate) fn are_more_than(&mut self, bound: u32, graph: &Graph) -> bool {
        let Level { base, at_base, exact, hopeless, totals } = &mut self.top;
        let mut total = totals.last().copied().unwrap_or(*at_base);
        if *hopeless || (total > bound && *exact) {
            return true;
        }
        let seen = *base as usize + totals.len();
        // Two events that both make the same write a cut must not both find that it is one. So events are
        // counted one by one, or both halves of a read-modify-write.
        let is_step = match graph.order().get(seen..) {
            Some([]) | Some([_]) => true,
            Some([first, second]) => first.thread() == second.thread(),
            _ => false,
        };
        if !is_step || total > bound {
            return self.top.recount(bound, graph);
        }
        for &id in &graph.order()[seen..] {
            total += made_by(graph, id);
            totals.push(total);
        }
        total > bound
    }

    /// The events from stamp `length` on were taken back.
    #[inline]
    pub(crate) fn cut(&mut self, length: u32) {
        let level = &mut self.top;
        level.totals.truncate(length.saturating_sub(level.base) as usize);
        if length < level.base {
            level.base = length;
            level.exact = false;
        }
    }

    /// A frame is made for a revisit. If there are too many cuts already, its graph will hardly have fewer.
    pub(crate) fn enter(&mut self, bound: u32) {
        let mut level = self.spare.pop().unwrap_or_default();
        let Level { at_base, exact, hopeless, totals, .. } = &self.top;
        let total = totals.last().copied().unwrap_or(*at_base);
        level.hopeless = *hopeless || (*exact && total > bound);
        self.below.push(std::mem::replace(&mut self.top, level));
    }

    /// The frame is left.
    pub(crate) fn leave(&mut self) {
        if let Some(below) = self.below.pop() {
            self.spare.push(std::mem::replace(&mut self.top, below));
        }
    }

    /// The frame starts with another graph.
    pub(crate) fn restart(&mut self) {
        self.top.at_base = u32::MAX;
        self.top.exact = false;
        self.top.totals.clear();
    }

    /// The search takes up a graph from elsewhere.
    pub(crate) fn begin(&mut self) {
        self.restart();
        self.top.hopeless = false;
    }
}

impl Level {
    /// Counts the cuts of the graph, up to where there are too many.
    fn recount(&mut self, bound: u32, graph: &Graph) -> bool {
        self.totals.clear();
        self.exact = true;
        self.at_base = 0;
        self.base = 0;
        for &id in graph.order() {
            self.at_base += u32::from(is_cut(graph, id));
            self.base += 1;
            if self.at_base > bound {
                return true;
            }
        }
        false
    }
}

/// How many cuts the event makes that was added last: itself, and the write that it comes before.
#[inline]
fn made_by(graph: &Graph, id: EventId) -> u32 {
    let event = graph.event(id);
    u32::from(is_cut(graph, id)) + u32::from(cuts_next_write(graph, id, event))
}

#[inline]
fn is_cut(graph: &Graph, id: EventId) -> bool {
    let event = graph.event(id);
    match event.kind {
        _ if id.position() == 0 => false,
        EventKind::Read => {
            let known = graph.clock_before(0, id);
            let is_new = |other: EventId| !Graph::within(known, other);
            (event.rf.is_real() && is_new(event.rf))
                || (event.is_exclusive()
                    && graph.readers(event.rf, event.location).any(|r| r != id && is_new(r)))
        }
        // The second half of a read-modify-write is one step with the first.
        EventKind::Write if event.is_exclusive() => false,
        EventKind::Write => {
            let known = graph.clock_before(0, id);
            let previous = graph.co_at(event.location, event.co_index());
            let is_new = |other: EventId| !Graph::within(known, other);
            (previous.is_real() && is_new(previous))
                || graph.readers(previous, event.location).any(is_new)
        }
        _ => false,
    }
}

/// Whether the event has become the first unknown predecessor of the write that it comes before in
/// coherence order.
#[inline]
fn cuts_next_write(graph: &Graph, id: EventId, event: &Event) -> bool {
    let (source, next) = match event.kind {
        EventKind::Read => (event.rf, graph.co_index(event.rf)),
        EventKind::Write => (graph.co_at(event.location, event.co_index()), event.co_index() + 1),
        _ => return false,
    };
    let co = &graph.location(event.location).co;
    let Some(&next) = co.get(next as usize) else { return false };
    if next.thread() == id.thread() {
        // The write of the same read-modify-write.
        return false;
    }
    let step =
        EventId::new(next.thread(), next.position() - u32::from(is_second_half(graph, next)));
    if step.position() == 0 {
        return false;
    }
    let known = graph.clock_before(0, step);
    let was_new = |other: EventId| {
        other.thread() != id.thread() && other != step && !Graph::within(known, other)
    };
    let was_cut =
        (source.is_real() && was_new(source)) || graph.readers(source, event.location).any(was_new);
    !was_cut
}

fn is_second_half(graph: &Graph, write: EventId) -> bool {
    graph.event(write).is_exclusive()
}
