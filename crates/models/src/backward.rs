//! The predecessors of an event under `tso` and `pso`. They are no prefixes of program order, so the
//! backward search marks events. Starting and joining threads and meeting at a barrier are full barriers;
//! allocating, freeing and choosing are none.

use norn_action::{Mode, ThreadId};
use norn_graph::{Event, EventId, EventKind, Graph, What};

/// One end of a pair in program order.
#[derive(Clone, Copy, Debug)]
pub struct End {
    pub write: bool,
    pub locked: bool,
    pub mode: Mode,
}

/// What stands between the two ends of a pair in program order.
#[derive(Clone, Copy, Debug, Default)]
pub struct Between {
    pub full: bool,
    pub release_fence: bool,
}

/// Which pairs in program order are preserved.
pub trait Preserved {
    /// Whether this pair is. A stronger annotation never makes it less so.
    fn holds(earlier: End, later: End, between: Between) -> bool;

    /// Whether all that comes before `later` in program order is preserved.
    #[inline]
    fn covers(later: End) -> bool {
        let plain = |write| End { write, locked: false, mode: Mode::Relaxed };
        let between = Between::default();
        Self::holds(plain(true), later, between) && Self::holds(plain(false), later, between)
    }
}

/// Stands for an event that is no access: everything comes before it.
const BARRIER: End = End { write: true, locked: true, mode: Mode::SeqCst };

/// The backward search, with its buffers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Backward {
    marks: Vec<Vec<u32>>,
    epoch: u32,
    /// Per thread: in which epoch, and up to which position, everything was looked at, with what
    /// stands before the creation of the thread.
    covered: Vec<(u32, u32)>,
    /// What was marked and not looked at yet.
    pub work: Vec<EventId>,
}

impl Backward {
    /// Forgets all marks, and what an earlier search that ended early left to do.
    pub(crate) fn start(&mut self, graph: &Graph) {
        self.epoch += 1;
        self.work.clear();
        self.covered.resize(self.covered.len().max(graph.thread_count()), (0, 0));
        self.marks.resize_with(self.marks.len().max(graph.thread_count()), Vec::new);
        for (t, marks) in self.marks.iter_mut().enumerate().take(graph.thread_count()) {
            let length = graph.thread_len(ThreadId(t as u32)) as usize;
            marks.resize(marks.len().max(length), 0);
        }
    }

    /// Marks what stands before `second`, which is no access.
    pub(crate) fn start_before<P: Preserved>(&mut self, graph: &Graph, second: EventId) {
        self.start(graph);
        self.walk::<P>(graph, second.thread(), second.position(), BARRIER);
    }

    pub(crate) fn is_marked(&self, id: EventId) -> bool {
        self.marks[id.thread().index()][id.position() as usize] == self.epoch
    }

    pub(crate) fn mark(&mut self, id: EventId) {
        let mark = &mut self.marks[id.thread().index()][id.position() as usize];
        if *mark != self.epoch {
            *mark = self.epoch;
            self.work.push(id);
        }
    }

    /// Up to which position of a thread everything was looked at.
    #[inline]
    fn covered(&self, thread: ThreadId) -> u32 {
        let (epoch, position) = self.covered[thread.index()];
        if epoch == self.epoch { position } else { 0 }
    }

    /// Marks the predecessors of all marked events, with what `coherence` says for each write.
    #[inline]
    pub(crate) fn finish_by<P: Preserved>(
        &mut self,
        graph: &Graph,
        coherence: impl Fn(&mut Backward, &Graph, EventId),
    ) {
        self.finish_until::<P>(graph, EventId::NONE, coherence);
    }

    /// The same, but stops, with true, when `goal` is marked.
    #[inline]
    pub(crate) fn finish_until<P: Preserved>(
        &mut self,
        graph: &Graph,
        goal: EventId,
        coherence: impl Fn(&mut Backward, &Graph, EventId),
    ) -> bool {
        let is_wanted = goal.is_real();
        if is_wanted && self.is_marked(goal) {
            return true;
        }
        while let Some(id) = self.work.pop() {
            let event = graph.event(id);
            self.walk::<P>(graph, id.thread(), id.position(), end_of(graph, id));
            if event.is_write() {
                coherence(self, graph, id);
            } else if event.rf.is_real() && event.rf.thread() != id.thread() {
                self.mark(event.rf);
            }
            if is_wanted && self.is_marked(goal) {
                return true;
            }
        }
        false
    }

    /// Marks the write before a write in coherence order, and its readers.
    #[inline]
    pub(crate) fn mark_previous(&mut self, graph: &Graph, write: EventId) {
        let event = graph.event(write);
        let previous = graph.co_at(event.location, event.co_index());
        if previous.is_real() {
            self.mark(previous);
        }
        for reader in graph.readers(previous, event.location) {
            self.mark(reader);
        }
    }

    /// Marks what comes before a write under every coherence order: what the thread of the write, or of
    /// a reader, wrote or read at the location before. The rest follows.
    pub(crate) fn mark_forced(&mut self, graph: &Graph, write: EventId) {
        let location = graph.event(write).location;
        graph.readers(EventId::INIT, location).for_each(|reader| self.mark(reader));
        for previous in forced_before(graph, write) {
            self.mark(previous);
            graph.readers(previous, location).for_each(|reader| self.mark(reader));
        }
    }

    /// Marks, of the writes that come before `last` in every coherence order, those that are seen without
    /// other locations.
    pub(crate) fn mark_overwritten_by(&mut self, graph: &Graph, last: EventId) {
        self.start(graph);
        let mut next = Some(last);
        while let Some(write) = next {
            forced_before(graph, write).for_each(|previous| self.mark(previous));
            next = self.work.pop();
        }
    }

    /// Marks what comes before `later`, which stands at `position` of `thread`, by preserved
    /// program order and synchronisation; but not what comes before something that is marked on the
    /// way and has all of program order before it, since that follows.
    pub(crate) fn walk<P: Preserved>(
        &mut self,
        graph: &Graph,
        thread: ThreadId,
        position: u32,
        later: End,
    ) {
        let mut between = Between { full: P::covers(later), release_fence: false };
        let (mut thread, mut position) = (thread, position);
        loop {
            let stop = self.covered(thread);
            let mut full_from = if between.full { position } else { 0 };
            for p in (stop..position).rev() {
                let id = EventId::new(thread, p);
                let event = graph.event(id);
                match event.kind {
                    EventKind::Read | EventKind::Write => {
                        let end = end_of(graph, id);
                        if between.full || P::holds(end, later, between) {
                            self.mark(id);
                            if P::covers(end) {
                                return;
                            }
                        }
                    }
                    EventKind::Fence => {
                        if event.mode.is_seq_cst() {
                            between.full = true;
                            full_from = full_from.max(p);
                        }
                        between.release_fence |= event.mode.is_release();
                    }
                    EventKind::Spawn | EventKind::Join | EventKind::Arrive | EventKind::Leave => {
                        between.full = true;
                        full_from = full_from.max(p);
                        self.synchronised::<P>(graph, id);
                    }
                    // Nothing that a processor does.
                    EventKind::Publish
                    | EventKind::Free
                    | EventKind::Measure
                    | EventKind::Choose
                    | EventKind::Fault => {}
                }
            }
            if full_from > self.covered(thread) {
                self.covered[thread.index()] = (self.epoch, full_from);
            }
            let spawn = graph.spawned_by(thread);
            if stop > 0 || !spawn.is_real() {
                return;
            }
            between.full = true;
            (thread, position) = (spawn.thread(), spawn.position());
        }
    }

    /// Marks what a join or the end of a barrier waits for: all of a thread, or what stands before
    /// the arrivals. Clocks are of no use here: what a thread has read from is in them, but `porf`
    /// is not part of this order.
    fn synchronised<P: Preserved>(&mut self, graph: &Graph, id: EventId) {
        let event = *graph.event(id);
        let what = event.what();
        if !matches!(what, What::Join(_) | What::Leave { .. }) || self.is_marked(id) {
            return;
        }
        // It has no place in the work list, but need not be looked at twice.
        self.marks[id.thread().index()][id.position() as usize] = self.epoch;
        let mut all_before = |thread, position| {
            self.walk::<P>(graph, thread, position, BARRIER);
        };
        match what {
            What::Join(thread) => all_before(thread, graph.clock(0, id)[thread.index()]),
            What::Leave { barrier, round } => {
                for thread in (0..graph.thread_count() as u32).map(ThreadId) {
                    let mut events = graph.thread_events(thread).iter();
                    let arrival = events.position(|event| event.arrives_at(barrier, round));
                    arrival.into_iter().for_each(|position| all_before(thread, position as u32));
                }
            }
            _ => {}
        }
    }
}

/// Whether `a` comes before `b` in program order.
pub(crate) fn is_earlier(a: EventId, b: EventId) -> bool {
    a.thread() == b.thread() && a.position() < b.position()
}

/// The writes that come right before a write in every coherence order: those that its thread, or that of a
/// reader, wrote or read before.
fn forced_before(graph: &Graph, write: EventId) -> impl Iterator<Item = EventId> {
    let location = graph.event(write).location;
    let accesses = std::iter::once(write).chain(graph.readers(write, location));
    let previous = accesses.filter_map(|access| previous_access(graph, access));
    let writes = previous.map(|previous| write_of(graph, previous));
    writes.filter(move |&previous| previous.is_real() && previous != write)
}

/// The write that an access reads from or is.
pub(crate) fn write_of(graph: &Graph, access: EventId) -> EventId {
    let event = graph.event(access);
    if event.is_read() { event.rf } else { access }
}

/// The access of the same location before this one in its thread.
pub(crate) fn previous_access(graph: &Graph, access: EventId) -> Option<EventId> {
    let location = graph.event(access).location;
    let earlier = &graph.thread_events(access.thread())[..access.position() as usize];
    let same = |event: &Event| is_memory(event) && event.location == location;
    earlier.iter().rposition(same).map(|at| EventId::new(access.thread(), at as u32))
}

pub(crate) fn is_memory(event: &Event) -> bool {
    matches!(event.kind, EventKind::Read | EventKind::Write)
}

pub(crate) fn end_of(graph: &Graph, id: EventId) -> End {
    let event = graph.event(id);
    let locked = event.is_exclusive() && (event.is_write() || graph.has_exclusive_write(id));
    End { write: event.is_write(), locked, mode: event.mode }
}
