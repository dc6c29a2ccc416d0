//! What `tso` and `pso` share: coherence per location, and one global order
//! `acyclic(preserved ∪ (rf ∩ ext) ∪ co ∪ rb)` where `preserved` is a part of program order.
//!
//! As under `sc`, the floor of a new access is the last write to its location among its
//! predecessors. But these are no prefixes of program order, so the backward search marks events.
//! Thread creation, joining, barriers and the like are full barriers.

use crate::NewAccess;
use crate::floor::coherence_floor;
use crate::saturate::Saturation;
use norn_action::{Mode, ThreadId};
use norn_graph::{Event, EventId, EventKind, Graph, LocationId};

/// One end of a pair in program order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct End {
    pub write: bool,
    pub locked: bool,
    pub mode: Mode,
}

/// What stands between the two ends of a pair in program order.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Between {
    pub full: bool,
    pub release_fence: bool,
}

/// Whether a pair in program order is preserved.
pub(crate) type Preserved = fn(earlier: End, later: End, between: Between) -> bool;

/// The backward search, with its buffers.
#[derive(Clone, Debug, Default)]
pub(crate) struct HardwareOrder {
    marks: Vec<Vec<u32>>,
    epoch: u32,
    work: Vec<EventId>,
    saturation: Saturation,
}

impl HardwareOrder {
    pub(crate) fn floor(&mut self, graph: &Graph, access: &NewAccess, preserved: Preserved) -> u32 {
        let own = coherence_floor(graph, access.location, |event| event.thread() == access.thread);
        let co = &graph.location(access.location).co;
        if own as usize == co.len() {
            return own;
        }
        let end = End { write: access.write, locked: access.locked, mode: access.mode };
        self.start(graph);
        self.walk(graph, access.thread, graph.thread_len(access.thread), end, preserved);
        self.finish(graph, preserved);
        let known = co.iter().rposition(|&write| self.is_marked(write));
        known.map_or(0, |index| index as u32 + 1).max(own)
    }

    /// Whether `first` comes before `second`.
    pub(crate) fn before(
        &mut self,
        graph: &Graph,
        first: EventId,
        second: EventId,
        preserved: Preserved,
    ) -> bool {
        self.start(graph);
        if is_memory(graph.event(second)) {
            self.mark(second);
        } else {
            let end = End { write: true, locked: true, mode: Mode::SeqCst };
            self.walk(graph, second.thread(), second.position(), end, |_, _, _| true);
        }
        self.finish(graph, preserved);
        self.is_marked(first) || (!is_memory(graph.event(first)) && self.passes(graph, first))
    }

    /// Gives `graph`, to which `read` was added, a coherence order that it is consistent with. False,
    /// and nothing changed, if there is none.
    pub(crate) fn arrange(
        &mut self,
        graph: &mut Graph,
        read: EventId,
        preserved: Preserved,
    ) -> bool {
        if self.is_overwritten(graph, read, preserved) {
            return false;
        }
        if !self.add_base(graph, preserved)
            || !self.add_coherence(graph)
            || !self.saturation.decide()
        {
            return false;
        }
        self.saturation.set_coherence(graph);
        true
    }

    /// Whether some run has the access `first` after all that must come before `second`, which is no
    /// access.
    pub(crate) fn may_follow(
        &mut self,
        graph: &Graph,
        first: EventId,
        second: EventId,
        preserved: Preserved,
    ) -> bool {
        if !self.add_base(graph, preserved) || !self.add_coherence(graph) {
            return false;
        }
        let end = End { write: true, locked: true, mode: Mode::SeqCst };
        self.start(graph);
        self.work.clear();
        self.walk(graph, second.thread(), second.position(), end, |_, _, _| true);
        let b = self.saturation.index(first);
        while let Some(before) = self.work.pop() {
            if !self.saturation.add(self.saturation.index(before), b) {
                return false;
            }
        }
        self.saturation.decide()
    }

    /// Starts over with what does not depend on coherence. False if that is cyclic.
    fn add_base(&mut self, graph: &Graph, preserved: Preserved) -> bool {
        self.saturation.start(graph);
        for b in 0..self.saturation.nodes.len() {
            let id = self.saturation.nodes[b].id;
            self.start(graph);
            self.work.clear();
            self.walk(graph, id.thread(), id.position(), end_of(graph, id), preserved);
            let event = *graph.event(id);
            if event.is_read() && event.rf.is_real() && event.rf.thread() != id.thread() {
                self.mark(event.rf);
            }
            while let Some(before) = self.work.pop() {
                let a = self.saturation.index(before);
                if !self.saturation.add(a, b) {
                    return false;
                }
            }
        }
        true
    }

    /// Whether the source of `read` is overwritten before `read` under every coherence order, as far
    /// as the edges show that coherence within threads forces. Cheaper than to look for an order in
    /// vain.
    fn is_overwritten(&mut self, graph: &Graph, read: EventId, preserved: Preserved) -> bool {
        let event = graph.event(read);
        self.start(graph);
        self.work.clear();
        self.mark(read);
        self.finish_by(graph, preserved, HardwareOrder::mark_forced);
        graph.location(event.location).co.iter().any(|&write| {
            write != event.rf
                && (self.is_marked(write) || precedes_in_thread(graph, write, event.rf))
                && (!event.rf.is_real() || precedes_in_thread(graph, event.rf, write))
        })
    }

    /// Marks what comes before a write under every coherence order.
    fn mark_forced(&mut self, graph: &Graph, write: EventId) {
        let event = graph.event(write);
        let initial = graph.readers(EventId::INIT, event.location);
        initial.for_each(|reader| self.mark(reader));
        for &previous in &graph.location(event.location).co[..event.other as usize] {
            if precedes_in_thread(graph, previous, write) {
                self.mark(previous);
                let readers = graph.readers(previous, event.location);
                readers.for_each(|reader| self.mark(reader));
            }
        }
    }

    /// What coherence forces within each thread: the writes of two accesses of one location are
    /// ordered as the accesses are.
    fn add_coherence(&mut self, graph: &Graph) -> bool {
        let write_of = |id: EventId| {
            let event = graph.event(id);
            if event.is_read() { event.rf } else { id }
        };
        for b in 0..self.saturation.nodes.len() {
            let id = self.saturation.nodes[b].id;
            let location = graph.event(id).location;
            let later = write_of(id);
            for position in 0..id.position() {
                let earlier = EventId::new(id.thread(), position);
                if !is_memory(graph.event(earlier)) || graph.event(earlier).location != location {
                    continue;
                }
                let from = write_of(earlier);
                if from == later || !from.is_real() {
                    continue;
                }
                let ordered = later.is_real() && {
                    let (a, b) = (self.saturation.index(from), self.saturation.index(later));
                    self.saturation.add(a, b)
                };
                if !ordered {
                    return false;
                }
            }
        }
        true
    }

    /// Whether something after the barrier-like event `first` is marked.
    fn passes(&self, graph: &Graph, first: EventId) -> bool {
        graph.order().iter().any(|&id| {
            self.is_marked(id) && id != first && Graph::within(graph.clock(0, id), first)
        })
    }

    fn start(&mut self, graph: &Graph) {
        self.epoch += 1;
        self.marks.resize_with(self.marks.len().max(graph.thread_count()), Vec::new);
        for (t, marks) in self.marks.iter_mut().enumerate().take(graph.thread_count()) {
            let length = graph.thread_len(ThreadId(t as u32)) as usize;
            marks.resize(marks.len().max(length), 0);
        }
    }

    fn is_marked(&self, id: EventId) -> bool {
        self.marks[id.thread().index()][id.position() as usize] == self.epoch
    }

    fn mark(&mut self, id: EventId) {
        let mark = &mut self.marks[id.thread().index()][id.position() as usize];
        if *mark != self.epoch {
            *mark = self.epoch;
            self.work.push(id);
        }
    }

    /// Marks the predecessors of all marked events.
    fn finish(&mut self, graph: &Graph, preserved: Preserved) {
        self.finish_by(graph, preserved, HardwareOrder::mark_previous);
    }

    /// Marks the predecessors of all marked events, with what `coherence` says for each write.
    #[inline]
    fn finish_by(
        &mut self,
        graph: &Graph,
        preserved: Preserved,
        coherence: impl Fn(&mut HardwareOrder, &Graph, EventId),
    ) {
        while let Some(id) = self.work.pop() {
            let event = graph.event(id);
            self.walk(graph, id.thread(), id.position(), end_of(graph, id), preserved);
            if event.is_write() {
                coherence(self, graph, id);
            } else if event.rf.is_real() && event.rf.thread() != id.thread() {
                self.mark(event.rf);
            }
        }
    }

    /// Marks the write before a write in coherence order, and its readers.
    #[inline]
    fn mark_previous(&mut self, graph: &Graph, write: EventId) {
        let event = graph.event(write);
        let previous = graph.co_at(event.location, event.other);
        if previous.is_real() {
            self.mark(previous);
        }
        for reader in graph.readers(previous, event.location) {
            self.mark(reader);
        }
    }

    /// Marks what comes before `later`, which stands at `position` of `thread`, by preserved
    /// program order and synchronisation.
    fn walk(
        &mut self,
        graph: &Graph,
        thread: ThreadId,
        position: u32,
        later: End,
        preserved: Preserved,
    ) {
        let mut between = Between::default();
        let (mut thread, mut position) = (thread, position);
        loop {
            for p in (0..position).rev() {
                let id = EventId::new(thread, p);
                let event = graph.event(id);
                match event.kind {
                    EventKind::Read | EventKind::Write => {
                        if between.full || preserved(end_of(graph, id), later, between) {
                            self.mark(id);
                        }
                    }
                    EventKind::Fence => {
                        between.full |= event.mode.is_seq_cst();
                        between.release_fence |= event.mode.is_release();
                    }
                    _ => {
                        between.full = true;
                        self.synchronised(graph, id);
                    }
                }
            }
            let spawn = graph.spawned_by(thread);
            if !spawn.is_real() {
                return;
            }
            between.full = true;
            (thread, position) = (spawn.thread(), spawn.position());
        }
    }

    /// Marks what a join or the end of a barrier waits for: all of a thread, or what stands before
    /// the arrivals. Clocks are of no use here: what a thread has read from is in them, but `porf`
    /// is not part of this order.
    fn synchronised(&mut self, graph: &Graph, id: EventId) {
        let event = *graph.event(id);
        if !matches!(event.kind, EventKind::Join | EventKind::Leave) || self.is_marked(id) {
            return;
        }
        // It has no place in the work list, but need not be looked at twice.
        self.marks[id.thread().index()][id.position() as usize] = self.epoch;
        let mut all_before = |thread, position| {
            let end = End { write: true, locked: true, mode: Mode::SeqCst };
            self.walk(graph, thread, position, end, |_, _, _| true);
        };
        if event.kind == EventKind::Join {
            let thread = ThreadId(event.other);
            return all_before(thread, graph.clock(0, id)[thread.index()]);
        }
        for thread in (0..graph.thread_count() as u32).map(ThreadId) {
            let arrival = graph.thread_events(thread).iter().position(|other| {
                other.kind == EventKind::Arrive
                    && (other.value, other.other) == (event.value, event.other)
            });
            arrival.into_iter().for_each(|position| all_before(thread, position as u32));
        }
    }
}

/// Whether `source` is the initial write, or a write of `thread`, and `thread` overwrote it.
pub(crate) fn overwritten_in_thread(
    graph: &Graph,
    thread: ThreadId,
    location: LocationId,
    source: EventId,
) -> bool {
    if source.is_real() && source.thread() != thread {
        return false;
    }
    let co = &graph.location(location).co;
    co.iter().rfind(|write| write.thread() == thread).is_some_and(|&last| last != source)
}

/// Whether `from` or a reader of it comes before `to` or a reader of it in some thread.
fn precedes_in_thread(graph: &Graph, from: EventId, to: EventId) -> bool {
    if !to.is_real() {
        return false;
    }
    let location = graph.event(to).location;
    let before = |a: EventId, b: EventId| a.thread() == b.thread() && a.position() < b.position();
    let after = |a: EventId| before(a, to) || graph.readers(to, location).any(|b| before(a, b));
    after(from) || graph.readers(from, location).any(after)
}

fn is_memory(event: &Event) -> bool {
    matches!(event.kind, EventKind::Read | EventKind::Write)
}

fn end_of(graph: &Graph, id: EventId) -> End {
    let event = graph.event(id);
    let locked = event.is_exclusive() && (event.is_write() || graph.has_exclusive_write(id));
    End { write: event.is_write(), locked, mode: event.mode }
}
