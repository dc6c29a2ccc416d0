//! A certificate that a graph can be run with few preemptions, which grows with the graph.
//!
//! Every thread is cut into *segments*. If the segments can be put in an order that respects all of
//! `po ∪ rf ∪ co ∪ rb`, then they can be run in that order, each without a switch, and the only
//! preemptions are in front of segments that continue a thread: at most one each. One that begins with
//! an operation that waits (a join, the end of a barrier) is *free*: its thread stops there only if it
//! has to wait, as long as all that the segment needs comes before what it waits for.
//!
//! A new step joins the last segment of its thread, unless some segment that it needs needs that one;
//! then it begins a segment of its own ([`state`]). If it cannot come before a later step, a cut is
//! made in front of that ([`split`]); and if there are too many cuts, some may be done without
//! ([`build`]). If all that does not help, there is no certificate, and somebody else must find a run
//! ([`crate::preemptions`]). That run gives the cuts to go on from.
//!
//! Invariants: there is one level a frame of the search. Of each thread `t`, the first `counts[t]` events
//! are covered. If a covered event must come before another, they are in one segment or that of the first
//! is in `needs` of that of the second; `needs` is transitive and nothing needs itself. It may hold more
//! than that after events were taken away, which costs precision only.

mod build;
mod split;
mod state;

use norn_action::ThreadId;
use norn_graph::{EventId, Graph};
use state::{Refused, Segment, State};

/// Where segments begin that continue their thread.
type Cuts = smallvec::SmallVec<[(ThreadId, u32); 32]>;

/// What to go back to when an event is taken back.
#[derive(Clone, Copy)]
struct Mark {
    /// The stamp of that event.
    stamp: u32,
    /// The length of the log before it was covered.
    log: u32,
}

struct Level {
    state: State,
    /// The number of events that the frame began with.
    base: u32,
    /// Whether all of these are covered.
    begun: bool,
    /// The read among them that was revisited, and the write. Neither has successors there; they are
    /// covered last.
    revisit: [EventId; 2],
    /// The covered events that the frame did not begin with: their stamps and threads.
    covered: Vec<(u32, ThreadId)>,
    marks: Vec<Mark>,
    /// Events from this stamp on can be taken back exactly.
    exact_from: u32,
    /// The stamp of an event that could not be covered; 0 if the frame began with it.
    failed: Option<u32>,
}

/// The certificates of the graphs of all frames.
pub(crate) struct Segments {
    bound: u32,
    top: Level,
    below: Vec<Level>,
    spare: Vec<Level>,
    scratch: State,
}

impl Segments {
    /// For a search with that bound.
    pub(crate) fn new(bound: u32) -> Segments {
        let scratch = State::default();
        Segments { bound, top: Level::new(), below: Vec::new(), spare: Vec::new(), scratch }
    }

    /// Whether there is a certificate for the graph. Takes its new events into account.
    #[inline]
    pub(crate) fn cover(&mut self, graph: &Graph) -> bool {
        self.top.failed.is_none() && self.top.cover_all(graph, self.bound, &mut self.scratch)
    }

    /// There is a run of the first `counts[t]` events of each thread `t` with these segments that continue
    /// a thread.
    pub(crate) fn found(&mut self, graph: &Graph, counts: &[u32], cuts: &[(ThreadId, u32)]) {
        let level = &mut self.top;
        let mut cuts = Cuts::from_slice(cuts);
        if level.rebuild(graph, counts, &mut cuts, self.bound, &mut self.scratch) {
            level.failed = None;
        }
    }

    /// The events from stamp `length` on are taken back.
    #[inline]
    pub(crate) fn cut(&mut self, length: u32) {
        self.top.cut(length);
    }

    /// A frame is made for a revisit.
    pub(crate) fn enter(&mut self) {
        let level = self.spare.pop().unwrap_or_else(Level::new);
        self.below.push(std::mem::replace(&mut self.top, level));
    }

    /// The frame is left.
    pub(crate) fn leave(&mut self) {
        if let Some(below) = self.below.pop() {
            self.spare.push(std::mem::replace(&mut self.top, below));
        }
    }

    /// In this frame, `write` has revisited `read`. What the frame below covers and is still there is
    /// covered; if that frame is elsewhere, nothing is.
    pub(crate) fn revisited(&mut self, graph: &Graph, write: EventId, read: EventId) {
        let state = &mut self.top.state;
        match self.below.last() {
            Some(below) => state.copy(&below.state),
            None => state.clear(),
        }
        for (t, count) in state.counts.iter_mut().enumerate() {
            *count = (*count).min(graph.thread_len(ThreadId(t as u32)));
        }
        for new in [write, read] {
            if let Some(count) = state.counts.get_mut(new.thread().index()) {
                *count = (*count).min(new.position());
            }
        }
        state.drop_empty();
        self.top.begin(graph, [write, read]);
    }

    /// The search takes up a graph from elsewhere.
    pub(crate) fn restart(&mut self, graph: &Graph) {
        self.spare.append(&mut self.below);
        self.top.state.clear();
        self.top.begin(graph, [EventId::NONE; 2]);
    }
}

impl Level {
    fn new() -> Level {
        Level {
            state: State::default(),
            base: 0,
            begun: true,
            revisit: [EventId::NONE; 2],
            covered: Vec::new(),
            marks: Vec::new(),
            exact_from: 0,
            failed: None,
        }
    }

    /// Starts with a graph, of which `state` covers a part.
    fn begin(&mut self, graph: &Graph, revisit: [EventId; 2]) {
        self.base = graph.len() as u32;
        self.begun = false;
        self.revisit = revisit;
        self.failed = None;
        self.covered.clear();
        self.forget_marks();
    }

    fn forget_marks(&mut self) {
        self.marks.clear();
        self.state.forget_log();
        self.exact_from = self.base;
    }

    /// Covers what is not covered yet.
    #[inline]
    fn cover_all(&mut self, graph: &Graph, bound: u32, scratch: &mut State) -> bool {
        if !self.begun {
            self.begun = true;
            let covered = self.state.counts.iter().sum();
            let covered =
                self.in_order(graph, covered).all(|id| self.cover(graph, id, bound, scratch));
            self.forget_marks();
            if !covered {
                self.failed = Some(0);
                return false;
            }
        }
        let first = self.covered.last().map_or(self.base, |&(stamp, _)| stamp + 1);
        graph.order()[first as usize..].iter().all(|&id| self.cover(graph, id, bound, scratch))
    }

    /// The events that the frame began with, those of the revisit last. Those that are known to be covered
    /// are left out.
    fn in_order<'g>(
        &self,
        graph: &'g Graph,
        covered: u32,
    ) -> impl Iterator<Item = EventId> + use<'g> {
        let (base, revisit) = (self.base, self.revisit);
        let is_there = move |&id: &EventId| {
            id.is_real()
                && graph.thread_len(id.thread()) > id.position()
                && graph.event(id).stamp < base
        };
        let last = revisit.into_iter().filter(is_there);
        let others = if covered + last.clone().count() as u32 == base { 0 } else { base };
        let others = graph.order()[..others as usize].iter().copied();
        others.filter(move |id| !revisit.contains(id)).chain(last)
    }

    /// Covers one step, at whatever price within the bound.
    #[inline]
    fn cover(&mut self, graph: &Graph, id: EventId, bound: u32, scratch: &mut State) -> bool {
        if self.state.covers(id) {
            return true;
        }
        let width = width_of(graph, id);
        let log = self.state.log.len();
        let added = self.state.add(graph, id, width);
        let stamp = graph.event(id).stamp;
        if (added.is_err() || self.state.cost > bound)
            && !self.mend(graph, id, log, added, bound, scratch)
        {
            self.failed = Some(stamp);
            return false;
        }
        if self.state.log.len() > log {
            self.marks.push(Mark { stamp, log: log as u32 });
        }
        self.list(graph, id, width);
        true
    }

    /// Notes that a step is covered.
    #[inline]
    fn list(&mut self, graph: &Graph, id: EventId, width: u32) {
        for event in &graph.thread_events(id.thread())[id.position() as usize..][..width as usize] {
            if event.stamp >= self.base {
                self.covered.push((event.stamp, id.thread()));
            }
        }
    }

    /// A step could not be added as it should: tries other cuts. If that does not help, it is not added.
    #[cold]
    fn mend(
        &mut self,
        graph: &Graph,
        id: EventId,
        log: usize,
        added: Result<(), Refused>,
        bound: u32,
        scratch: &mut State,
    ) -> bool {
        let state = &mut self.state;
        let continues = |segment: &&Segment| segment.start > 0;
        let segments = state.segments.iter().filter(continues);
        let mut cuts: Cuts = segments.map(|segment| (segment.thread(), segment.start)).collect();
        if let Err(Refused::Cycle(later)) = added
            && later.position() > 0
        {
            cuts.push((later.thread(), later.position()));
        }
        let thread = id.thread().index();
        let mended = !matches!(added, Err(Refused::Full)) && {
            state.counts[thread] = id.position() + width_of(graph, id);
            build_within(graph, &state.counts, &mut cuts, bound, scratch)
        };
        if mended {
            state.change_all();
            state.adopt(scratch);
        } else {
            state.undo(log);
            if let Some(count) = state.counts.get_mut(thread) {
                *count = id.position();
            }
        }
        mended
    }

    /// Covers the whole graph anew: the first `counts[t]` events of each thread `t` with these cuts, then
    /// the rest. If that does not work, all is as it was.
    fn rebuild(
        &mut self,
        graph: &Graph,
        counts: &[u32],
        cuts: &mut Cuts,
        bound: u32,
        scratch: &mut State,
    ) -> bool {
        if !build_within(graph, counts, cuts, bound, scratch) {
            return false;
        }
        let later = graph.order()[self.base as usize..].iter();
        for id in self.in_order(graph, 0).chain(later.copied()) {
            if !scratch.covers(id) {
                let added = scratch.add(graph, id, width_of(graph, id));
                if added.is_err() || (scratch.cost > bound && !scratch.merge(bound)) {
                    return false;
                }
            }
        }
        let first = self.covered.last().map_or(self.base, |&(stamp, _)| stamp + 1);
        if self.begun && self.failed != Some(0) {
            self.marks.push(Mark { stamp: first, log: self.state.log.len() as u32 });
            self.state.change_all();
        }
        self.state.adopt(scratch);
        self.begun = true;
        let later = &graph.order()[first as usize..];
        self.covered.extend((first..).zip(later.iter().map(|id| id.thread())));
        self.exact_from = graph.len() as u32;
        true
    }

    /// The events from stamp `length` on are taken back.
    #[inline]
    fn cut(&mut self, length: u32) {
        if self.failed.is_some_and(|stamp| stamp > 0 && stamp >= length) {
            self.failed = None;
        }
        while let Some((_, thread)) = self.covered.pop_if(|(stamp, _)| *stamp >= length) {
            self.state.counts[thread.index()] -= 1;
        }
        let mut log = None;
        while let Some(mark) = self.marks.pop_if(|mark| mark.stamp >= length) {
            log = Some(mark.log as usize);
        }
        if let Some(log) = log {
            self.state.undo(log);
        }
        if length < self.exact_from {
            self.exact_from = length;
            self.state.drop_empty();
        }
    }
}

/// Covers that part of a graph with these cuts, or some of them.
fn build_within(
    graph: &Graph,
    counts: &[u32],
    cuts: &mut Cuts,
    bound: u32,
    state: &mut State,
) -> bool {
    cuts.sort_unstable();
    cuts.dedup();
    state.build(graph, counts, cuts) && (state.cost <= bound || state.merge(bound))
}

/// The number of events of the step that begins with `id`.
#[inline]
fn width_of(graph: &Graph, id: EventId) -> u32 {
    let events = &graph.thread_events(id.thread())[id.position() as usize..];
    let is_half = events[0].is_read() && events[0].is_exclusive();
    let write = events.get(1).filter(|_| is_half);
    1 + u32::from(write.is_some_and(|write| write.is_write() && write.is_exclusive()))
}
