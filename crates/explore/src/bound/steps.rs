//! The steps of a graph's threads, for [`crate::preemptions`]: which come next, which wake others,
//! and where a thread that stops is preempted.
//!
//! A step is one event, or both halves of a read-modify-write. Only the first `limit[t]` events of each
//! thread count; the others are as if they were not there.

use crate::trust::Waits;
use norn_action::ThreadId;
use norn_graph::{Event, EventId, EventKind, Graph, LocationId};

/// Who waits in the part of the graph at hand, and for what.
#[derive(Default)]
pub(crate) struct Known {
    /// Locations on which some read waits.
    waited: Vec<bool>,
    /// Threads that join others.
    joiners: Vec<ThreadId>,
    barriers: bool,
    anyone_waits: bool,
    /// Threads whose end may wake the thread that joins them to no good.
    held: Vec<bool>,
    joined: Vec<bool>,
}

impl Known {
    /// Looks at a part of a graph.
    pub(crate) fn learn(&mut self, graph: &Graph, limit: &[u32]) {
        self.waited.clear();
        self.joiners.clear();
        self.barriers = false;
        self.anyone_waits = false;
        for (t, &limit) in limit.iter().enumerate() {
            let thread = ThreadId(t as u32);
            for event in &graph.thread_events(thread)[..limit as usize] {
                match event.kind {
                    EventKind::Read if event.waits() => self.note_wait(event.location),
                    EventKind::Join if self.joiners.last() != Some(&thread) => {
                        self.joiners.push(thread);
                    }
                    EventKind::Leave => self.barriers = true,
                    _ => continue,
                }
                self.anyone_waits = true;
            }
        }
        self.find_joins(graph, limit);
    }

    fn note_wait(&mut self, location: LocationId) {
        if self.waited.len() <= location.index() {
            self.waited.resize(location.index() + 1, false);
        }
        self.waited[location.index()] = true;
    }

    pub(crate) fn anyone_waits(&self) -> bool {
        self.anyone_waits
    }

    /// Finds the threads that are joined where that matters. If the joining thread, once it has got
    /// so far, can go on to its end or rests in front of another join, then it does not matter when
    /// the joined thread ends. That is so if all it does later depends on itself and on threads
    /// that it has joined by then.
    fn find_joins(&mut self, graph: &Graph, limit: &[u32]) {
        if self.joiners.is_empty() {
            return;
        }
        let Known { joiners, held, joined, .. } = self;
        held.clear();
        held.resize(limit.len(), false);
        for &joiner in joiners.iter() {
            joined.clear();
            joined.resize(limit.len(), false);
            joined[joiner.index()] = true;
            let events = &graph.thread_events(joiner)[..limit[joiner.index()] as usize];
            let mut depends = 0;
            for (position, event) in events.iter().enumerate() {
                if event.kind == EventKind::Join {
                    joined[event.target().index()] = true;
                } else if !depends_only_on(graph, limit, joined, event) {
                    depends = position;
                }
            }
            for event in &events[..depends] {
                if event.kind == EventKind::Join {
                    held[event.target().index()] = true;
                }
            }
        }
    }

    fn is_held(&self, t: usize) -> bool {
        !self.joiners.is_empty() && self.held[t]
    }

    fn is_waited(&self, event: &Event) -> bool {
        self.waited.get(event.location.index()).copied().unwrap_or(false)
    }
}

/// Whether what must come right before `event` is of the threads in `threads`.
fn depends_only_on(graph: &Graph, limit: &[u32], threads: &[bool], event: &Event) -> bool {
    let is_theirs = |id: EventId| !id.is_real() || threads[id.thread().index()];
    match event.kind {
        EventKind::Read => is_theirs(event.rf),
        EventKind::Write => {
            let previous = previous_write(graph, limit, event);
            let mut readers = graph.readers(previous, event.location);
            is_theirs(previous) && readers.all(|read| !is_there(limit, read) || is_theirs(read))
        }
        EventKind::Leave => false,
        _ => true,
    }
}

#[inline]
fn is_there(limit: &[u32], id: EventId) -> bool {
    id.position() < limit[id.thread().index()]
}

/// The write before `event` in coherence order.
#[inline]
fn previous_write(graph: &Graph, limit: &[u32], event: &Event) -> EventId {
    let older = &graph.location(event.location).co[..event.co_index() as usize];
    older.iter().rev().copied().find(|&id| is_there(limit, id)).unwrap_or(EventId::INIT)
}

/// The steps of a part of a graph.
pub(crate) struct Steps<'a> {
    pub graph: &'a Graph,
    pub waits: &'a dyn Waits,
    pub limit: &'a [u32],
    pub known: &'a Known,
    /// Nothing is missing: a thread waits only for what is there.
    pub exact: bool,
}

impl Steps<'_> {
    /// How many events the next step of thread `t` is, if its predecessors are all done.
    #[inline]
    pub(crate) fn next(&self, done: &[u32], t: usize) -> Option<u32> {
        let thread = ThreadId(t as u32);
        let position = done[t] as usize;
        let events = self.graph.thread_events(thread);
        let event = &events[position];
        let is_done = |id: EventId| !id.is_real() || done[id.thread().index()] > id.position();
        if position == 0 && !is_done(self.graph.spawned_by(thread)) {
            return None;
        }
        match event.kind {
            EventKind::Read => {
                if !is_done(event.rf) {
                    return None;
                }
                if event.is_exclusive() && position + 1 < self.limit[t] as usize {
                    let own = EventId::new(thread, position as u32);
                    return self.is_ready(done, &events[position + 1], own).then_some(2);
                }
                Some(1)
            }
            EventKind::Write => self.is_ready(done, event, EventId::NONE).then_some(1),
            EventKind::Join | EventKind::Leave => self.all_before(done, t).then_some(1),
            _ => Some(1),
        }
    }

    /// Whether a write may come: the write before it and those who read that one (but `own`) are done.
    #[inline]
    fn is_ready(&self, done: &[u32], write: &Event, own: EventId) -> bool {
        let previous = previous_write(self.graph, self.limit, write);
        if previous.is_real() && done[previous.thread().index()] <= previous.position() {
            return false;
        }
        self.graph.readers(previous, write.location).all(|read| {
            done[read.thread().index()] > read.position()
                || read == own
                || !is_there(self.limit, read)
        })
    }

    /// Whether everything `porf`-before the next event of thread `t` is done.
    fn all_before(&self, done: &[u32], t: usize) -> bool {
        let clock = self.graph.clock(0, EventId::new(ThreadId(t as u32), done[t]));
        done.iter().zip(clock).enumerate().all(|(u, (done, needed))| u == t || done >= needed)
    }

    /// Whether other threads can be waiting for the step at `position` of thread `t`.
    #[inline]
    pub(crate) fn wakes(&self, t: usize, position: u32, width: u32) -> bool {
        if !self.known.anyone_waits() {
            return false;
        }
        let event = self.last_event(t, position, width);
        match event.kind {
            EventKind::Write => self.known.is_waited(event) && self.has_waiter(t, event),
            EventKind::Arrive => self.known.barriers,
            _ => false,
        }
    }

    /// Whether the step is the last of thread `t`, and it matters when the thread is joined.
    #[inline]
    pub(crate) fn wakes_joiner(&self, t: usize, position: u32, width: u32) -> bool {
        position + width == self.limit[t] && self.known.is_held(t)
    }

    fn last_event(&self, t: usize, position: u32, width: u32) -> &Event {
        &self.graph.thread_events(ThreadId(t as u32))[(position + width - 1) as usize]
    }

    /// Whether another thread waits for this write or a later one.
    fn has_waiter(&self, t: usize, write: &Event) -> bool {
        let later = &self.graph.location(write.location).co[write.co_index() as usize..];
        let mut readers =
            later.iter().flat_map(|&source| self.graph.readers(source, write.location));
        readers.any(|read| {
            read.thread().index() != t
                && is_there(self.limit, read)
                && self.graph.event(read).waits()
        })
    }

    /// Whether stopping thread `t` here is a preemption: it has a next step, and is able to take one.
    #[inline]
    pub(crate) fn costs(&self, done: &[u32], t: usize) -> bool {
        if done[t] == self.limit[t] {
            return false;
        }
        let event = &self.graph.thread_events(ThreadId(t as u32))[done[t] as usize];
        match event.kind {
            EventKind::Read if event.waits() => self.must_go_on(done, event),
            EventKind::Join | EventKind::Leave => self.all_before(done, t),
            _ => true,
        }
    }

    /// Whether the value that is there lets the thread of `read` go on, and, unless nothing is missing,
    /// no missing write can come in between. None can after the write that it reads, nor before
    /// a write that took this one.
    fn must_go_on(&self, done: &[u32], read: &Event) -> bool {
        let co = &self.graph.location(read.location).co;
        let is_there = |id: &EventId| is_there(self.limit, *id);
        let is_done = |id: &EventId| done[id.thread().index()] > id.position();
        let at = co.iter().rposition(|id| is_there(id) && is_done(id));
        let current = at.map_or(EventId::INIT, |at| co[at]);
        if !self.waits.goes_on(read, self.graph.content_of(current, read.location)) {
            return false;
        }
        let later = &co[at.map_or(0, |at| at + 1)..];
        let is_taken = || {
            let next = later.iter().copied().find(is_there);
            next.is_some_and(|next| self.graph.event(next).is_exclusive())
        };
        self.exact || current == read.rf || is_taken()
    }
}
