//! The `psc` axiom of RC11: `psc_base ∪ psc_fence` acyclic, where
//!
//! ```text
//! scb       = po ∪ (po≠loc ; hb ; po≠loc) ∪ (hb ∩ loc) ∪ co ∪ rb
//! psc_base  = ([SC] ∪ [F∩SC];hb?) ; scb ; ([SC] ∪ hb?;[F∩SC])
//! psc_fence = [F∩SC] ; (hb ∪ hb;eco;hb) ; [F∩SC]
//! ```
//!
//! The relation is tested pair by pair over the `seq_cst` events, each pair in constant time but for
//! the accesses of one location. What makes that possible:
//!
//! * `eco` between two accesses of a location is the order of their *ranks*: a write at coherence index
//!   `i` has rank `2i`, a read of it `2i + 1`. So "some access after fence F is eco-before some access
//!   before fence G" compares a minimum with a maximum.
//! * In `x ; po≠loc ; hb ; po≠loc ; y` the first step may as well go to the earliest event that
//!   qualifies, and the last one come from the latest.
//! * Of `scb`, only `co`, `rb` and `hb ∩ loc` reach further than `hb` when a fence stands at one end.
//!
//! A new event breaks the axiom only if it has an outgoing edge, that is, if it is not the last in
//! coherence order; and a cycle needs two `seq_cst` events.

use norn_graph::{Event, EventId, EventKind, Graph, LocationId};

const HB: usize = 1;

/// Scratch space of the check.
#[derive(Clone, Debug, Default)]
pub(crate) struct Psc {
    /// The `seq_cst` fences, and the other `seq_cst` events, after [`Psc::collect`].
    pub fences: Vec<EventId>,
    pub accesses: Vec<EventId>,
    ranges: Vec<Range>,
    colours: Vec<u8>,
}

/// Ranks of the accesses of one location around one fence.
#[derive(Clone, Copy, Debug)]
struct Range {
    /// Least rank after the fence.
    after: u32,
    /// Greatest rank before it.
    before: u32,
    /// Greatest rank of a write before it.
    write_before: u32,
}

const NOTHING: Range = Range { after: u32::MAX, before: 0, write_before: 0 };

impl Psc {
    /// Whether the axiom holds, given that it held before `event` was added.
    #[inline]
    pub(crate) fn holds_after(&mut self, graph: &Graph, event: EventId) -> bool {
        if graph.seq_cst_count() < 2 || !has_successor(graph, event) {
            return true;
        }
        self.acyclic(graph)
    }

    /// Whether the axiom holds.
    pub(crate) fn holds(&mut self, graph: &Graph) -> bool {
        graph.seq_cst_count() < 2 || self.acyclic(graph)
    }

    fn acyclic(&mut self, graph: &Graph) -> bool {
        self.collect(graph);
        self.collect_ranges(graph);
        let nodes = self.fences.len() + self.accesses.len();
        self.colours.clear();
        self.colours.resize(nodes, WHITE);
        (0..nodes).all(|node| self.colours[node] != WHITE || self.visit(graph, node))
    }

    /// Depth-first search; false when it closes a cycle.
    fn visit(&mut self, graph: &Graph, node: usize) -> bool {
        self.colours[node] = GREY;
        for next in 0..self.colours.len() {
            if self.colours[next] == BLACK || !self.edge(graph, node, next) {
                continue;
            }
            if self.colours[next] == GREY || !self.visit(graph, next) {
                return false;
            }
        }
        self.colours[node] = BLACK;
        true
    }

    /// Finds the `seq_cst` events.
    pub(crate) fn collect(&mut self, graph: &Graph) {
        self.fences.clear();
        self.accesses.clear();
        for &id in graph.order() {
            let event = graph.event(id);
            if event.mode.is_seq_cst() {
                let list = match event.kind {
                    EventKind::Fence => &mut self.fences,
                    _ => &mut self.accesses,
                };
                list.push(id);
            }
        }
    }

    fn collect_ranges(&mut self, graph: &Graph) {
        let width = graph.touched().iter().map(|id| id.index() + 1).max().unwrap_or(0);
        self.ranges.clear();
        self.ranges.resize(width * self.fences.len(), NOTHING);
        for (f, &fence) in self.fences.iter().enumerate() {
            let clock = graph.clock(HB, fence);
            for &id in graph.order() {
                let event = graph.event(id);
                if !is_memory(event) {
                    continue;
                }
                let range = &mut self.ranges[f * width + event.location.index()];
                let rank = rank(graph, id);
                if Graph::within(clock, id) {
                    range.before = range.before.max(rank);
                    if event.is_write() {
                        range.write_before = range.write_before.max(rank);
                    }
                } else if Graph::within(graph.clock(HB, id), fence) {
                    range.after = range.after.min(rank);
                }
            }
        }
    }

    fn ranges_of(&self, fence: usize) -> &[Range] {
        let width = self.ranges.len() / self.fences.len();
        &self.ranges[fence * width..(fence + 1) * width]
    }

    fn edge(&self, graph: &Graph, from: usize, to: usize) -> bool {
        self.settled_edge(graph, from, to) || self.coherence_edge(graph, from, to)
    }

    /// The part of the relation that does not depend on coherence, between the fences and then the
    /// accesses.
    pub(crate) fn settled_edge(&self, graph: &Graph, from: usize, to: usize) -> bool {
        let fences = self.fences.len();
        match (from < fences, to < fences) {
            (true, true) => from != to && happens_before(graph, self.fences[from], self.fences[to]),
            (true, false) => fence_to_access(graph, self.fences[from], self.accesses[to - fences]),
            (false, true) => access_to_fence(graph, self.accesses[from - fences], self.fences[to]),
            (false, false) => {
                settled_scb(graph, self.accesses[from - fences], self.accesses[to - fences])
            }
        }
    }

    /// The rest.
    fn coherence_edge(&self, graph: &Graph, from: usize, to: usize) -> bool {
        let fences = self.fences.len();
        let access = |node: usize| self.accesses[node - fences];
        let location = |id: EventId| graph.event(id).location;
        match (from < fences, to < fences) {
            (true, true) => {
                let mut pairs = self.ranges_of(from).iter().zip(self.ranges_of(to));
                pairs.any(|(from, to)| from.after < to.before)
            }
            (true, false) => {
                let to = access(to);
                graph.event(to).is_write()
                    && self.ranges_of(from)[location(to).index()].after < rank(graph, to)
            }
            (false, true) => {
                let from = access(from);
                self.ranges_of(to)[location(from).index()].write_before > rank(graph, from)
            }
            (false, false) => {
                let (from, to) = (access(from), access(to));
                location(from) == location(to)
                    && graph.event(to).is_write()
                    && rank(graph, from) < rank(graph, to)
            }
        }
    }
}

/// `[F∩SC] ; hb ; scb` without coherence.
fn fence_to_access(graph: &Graph, fence: EventId, to: EventId) -> bool {
    let by_program_order = to.position() > 0 && {
        let previous = EventId::new(to.thread(), to.position() - 1);
        Graph::within(graph.clock(HB, previous), fence)
    };
    by_program_order
        || accesses(graph, graph.event(to).location)
            .any(|middle| happens_before(graph, fence, middle) && happens_before(graph, middle, to))
}

/// `scb ; hb ; [F∩SC]` without coherence.
fn access_to_fence(graph: &Graph, from: EventId, fence: EventId) -> bool {
    let by_program_order = from.position() + 1 < graph.thread_len(from.thread()) && {
        let next = EventId::new(from.thread(), from.position() + 1);
        Graph::within(graph.clock(HB, fence), next)
    };
    by_program_order
        || accesses(graph, graph.event(from).location).any(|middle| {
            happens_before(graph, from, middle) && happens_before(graph, middle, fence)
        })
}

const WHITE: u8 = 0;
const GREY: u8 = 1;
const BLACK: u8 = 2;

/// `scb` between two accesses, without coherence.
fn settled_scb(graph: &Graph, x: EventId, y: EventId) -> bool {
    if x == y {
        return false;
    }
    let (from, to) = (graph.event(x), graph.event(y));
    let po = x.thread() == y.thread() && x.position() < y.position();
    let same_location = from.location == to.location;
    po || (same_location && happens_before(graph, x, y)) || through_other_locations(graph, x, y)
}

/// `po≠loc ; hb ; po≠loc`.
fn through_other_locations(graph: &Graph, x: EventId, y: EventId) -> bool {
    let differs = |a: &Event, b: &Event| a.location != b.location || !is_memory(a);
    let from = graph.event(x);
    let later = graph.thread_events(x.thread());
    let Some(first) = (x.position() as usize + 1..later.len()).find(|&p| differs(&later[p], from))
    else {
        return false;
    };
    let to = graph.event(y);
    let earlier = graph.thread_events(y.thread());
    let Some(last) = (0..y.position() as usize).rev().find(|&p| differs(&earlier[p], to)) else {
        return false;
    };
    let first = EventId::new(x.thread(), first as u32);
    happens_before(graph, first, EventId::new(y.thread(), last as u32))
}

fn happens_before(graph: &Graph, x: EventId, y: EventId) -> bool {
    x != y && Graph::within(graph.clock(HB, y), x)
}

fn rank(graph: &Graph, id: EventId) -> u32 {
    let event = graph.event(id);
    match event.kind {
        EventKind::Write => 2 * graph.co_index(id),
        _ => 2 * graph.co_index(event.rf) + 1,
    }
}

fn accesses(graph: &Graph, location: LocationId) -> impl Iterator<Item = EventId> + '_ {
    let writes = graph.location(location).co.iter().copied();
    let reads = std::iter::once(EventId::INIT)
        .chain(writes.clone())
        .flat_map(move |source| graph.readers(source, location));
    writes.chain(reads)
}

/// Whether the event is before some other one in `co` or `rb`.
fn has_successor(graph: &Graph, id: EventId) -> bool {
    let event = graph.event(id);
    let last = |location| graph.location(location).co.len() as u32;
    match event.kind {
        EventKind::Write => graph.co_index(id) < last(event.location),
        EventKind::Read => graph.co_index(event.rf) < last(event.location),
        _ => false,
    }
}

fn is_memory(event: &Event) -> bool {
    matches!(event.kind, EventKind::Read | EventKind::Write)
}
