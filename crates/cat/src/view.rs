//! A graph of an explorer as numbered events.
//!
//! The initial writes of the locations come first, then the events thread by thread, so that those of a thread
//! are a range of numbers. What is no access, no fence and no synchronisation (starting and joining a thread,
//! arriving at a barrier and leaving it) has no number. Nor have the threads that the main thread starts before it
//! does anything else: nothing comes before them.
//!
//! `po` comes from a lane of clocks of its own, [`PO`]: program order, and what starting and joining threads,
//! barriers and reader-writer locks put across threads. Clocks of a lane only grow along a thread, so the events
//! of a thread that come after an event are the end of it.

use crate::events::{Events, Sink};
use crate::program::{BaseRel, BaseSet};
use norn_action::{Role, ThreadId};
use norn_graph::{Event, EventId, EventKind, Graph, LocationId};

/// The lane of program order.
pub(crate) const PO: usize = 1;

/// Which places of a program call operations of libraries.
#[derive(Clone, Debug, Default)]
pub(crate) struct Operations(pub std::sync::Arc<[u8]>);

impl Operations {
    /// The operation that an event is an access of, or zero.
    #[inline]
    pub(crate) fn of(&self, event: &Event) -> u8 {
        match event.kind {
            EventKind::Read | EventKind::Write => {
                self.0.get(event.place.0 as usize).copied().unwrap_or(0)
            }
            _ => 0,
        }
    }
}

/// The numbers of the events of a graph.
#[derive(Clone, Debug, Default)]
pub(crate) struct View {
    /// The first number of each thread, and the first that no thread has.
    starts: Vec<usize>,
    /// For each thread, and each position in it, how many events before it have numbers.
    ranks: Vec<Vec<u32>>,
    /// The numbers of initial writes, by location.
    initial: Vec<u32>,
    /// What a number stands for; none for initial writes.
    names: Vec<EventId>,
    /// The locations of initial writes.
    locations: Vec<LocationId>,
    /// Per location, which events are of it.
    same: Vec<u64>,
}

impl View {
    /// The number of an event, if it has one.
    pub(crate) fn number(&self, id: EventId) -> Option<usize> {
        let ranks = &self.ranks[id.thread().index()];
        let position = id.position() as usize;
        let rank = ranks[position];
        (ranks[position + 1] > rank).then(|| self.starts[id.thread().index()] + rank as usize)
    }

    /// The event of a number, or the location whose initial write it is.
    pub(crate) fn name(&self, number: usize) -> Result<EventId, LocationId> {
        match self.locations.get(number) {
            Some(&location) => Err(location),
            None => Ok(self.names[number - self.locations.len()]),
        }
    }

    /// The numbers of the events of a thread before a position.
    pub(crate) fn before(&self, thread: usize, position: u32) -> std::ops::Range<usize> {
        let start = self.starts[thread];
        start..start + self.ranks[thread][position as usize] as usize
    }

    /// The numbers of the events of a thread from a position on.
    pub(crate) fn from(&self, thread: usize, position: u32) -> std::ops::Range<usize> {
        let start = self.starts[thread];
        start + self.ranks[thread][position as usize] as usize..self.starts[thread + 1]
    }

    /// Makes `events` those of `graph`.
    pub(crate) fn fill(&mut self, graph: &Graph, operations: &Operations, events: &mut Events) {
        self.count(graph);
        events.start(self.locations.len() + self.names.len());
        let words = events.size.words;
        self.same.clear();
        self.same.resize(self.locations.len() * words, 0);
        for number in 0..self.locations.len() {
            events.put(BaseSet::Write, number);
            events.put(BaseSet::Initial, number);
            crate::matrix::add(&mut self.same[number * words..(number + 1) * words], number);
        }
        for t in 0..graph.thread_count() {
            let thread = ThreadId(t as u32);
            for (position, event) in graph.thread_events(thread).iter().enumerate() {
                if let Some(number) = self.number(EventId::new(thread, position as u32)) {
                    self.label(event, number, events);
                    events.operations[number] = operations.of(event);
                    let range = self.starts[t]..self.starts[t + 1];
                    events.relate_range(BaseRel::Po, number, number + 1..range.end);
                    events.relate_range(BaseRel::Int, number, range);
                    if event.is_write() && event.is_exclusive() {
                        events.relate(BaseRel::Rmw, number - 1, number);
                    }
                }
            }
        }
        self.across(graph, events);
        self.locate(graph, events);
        events.complete();
    }

    fn count(&mut self, graph: &Graph) {
        self.locations.clear();
        self.locations.extend_from_slice(graph.touched());
        for (number, location) in self.locations.iter().enumerate() {
            if self.initial.len() <= location.index() {
                self.initial.resize(location.index() + 1, 0);
            }
            self.initial[location.index()] = number as u32;
        }
        let threads = graph.thread_count();
        self.starts.clear();
        self.names.clear();
        self.ranks.resize_with(self.ranks.len().max(threads), Vec::new);
        for t in 0..threads {
            let thread = ThreadId(t as u32);
            self.starts.push(self.locations.len() + self.names.len());
            let mut ranks = std::mem::take(&mut self.ranks[t]);
            ranks.clear();
            ranks.push(0);
            let mut rank = 0;
            let mut quiet = t == 0;
            for (position, event) in graph.thread_events(thread).iter().enumerate() {
                let is_sync = is_sync(event.kind);
                quiet &= is_sync || !is_access_or_fence(event.kind);
                if is_access_or_fence(event.kind) || (is_sync && !quiet) {
                    rank += 1;
                    self.names.push(EventId::new(thread, position as u32));
                }
                ranks.push(rank);
            }
            self.ranks[t] = ranks;
        }
        self.starts.push(self.locations.len() + self.names.len());
    }

    fn label(&mut self, event: &Event, number: usize, events: &mut Events) {
        let words = events.size.words;
        match event.kind {
            EventKind::Read => events.put(BaseSet::Read, number),
            EventKind::Write => events.put(BaseSet::Write, number),
            EventKind::Fence => events.put(BaseSet::Fence, number),
            _ => {
                events.put(BaseSet::Sync, number);
                return;
            }
        }
        events.put(BaseSet::of_mode(event.mode), number);
        if event.mode.is_atomic() {
            events.put(BaseSet::Atomic, number);
        }
        if event.kind == EventKind::Fence {
            return;
        }
        let location = self.initial[event.location.index()] as usize;
        crate::matrix::add(&mut self.same[location * words..(location + 1) * words], number);
        if event.is_read() {
            let source = if event.rf.is_real() {
                self.number(event.rf).expect("a write has a number")
            } else {
                location
            };
            events.relate(BaseRel::Rf, source, number);
        }
    }

    /// `po` between threads.
    fn across(&self, graph: &Graph, events: &mut Events) {
        for (t, u) in pairs(graph.thread_count()) {
            let (one, other) = (ThreadId(t as u32), ThreadId(u as u32));
            let length = graph.thread_len(other);
            let knows = |q: u32| graph.clock(PO, EventId::new(other, q))[t];
            let all = if length == 0 { 0 } else { knows(length - 1) };
            let mut q = 0;
            for p in 0..all {
                let Some(number) = self.number(EventId::new(one, p)) else { continue };
                while knows(q) <= p {
                    q += 1;
                }
                events.relate_range(BaseRel::Po, number, self.from(u, q));
            }
        }
    }

    /// `loc` and `co`.
    fn locate(&self, graph: &Graph, events: &mut Events) {
        let words = events.size.words;
        for (number, &location) in self.locations.iter().enumerate() {
            let row = &self.same[number * words..(number + 1) * words];
            for i in crate::matrix::bits(row) {
                events.row_mut(BaseRel::Loc, i).copy_from_slice(row);
            }
            let co = &graph.location(location).co;
            for (index, &write) in co.iter().enumerate() {
                let write = self.number(write).expect("a write has a number");
                events.relate(BaseRel::Co, number, write);
                for &earlier in &co[..index] {
                    let earlier = self.number(earlier).expect("a write has a number");
                    events.relate(BaseRel::Co, earlier, write);
                }
            }
        }
    }
}

fn pairs(threads: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..threads).flat_map(move |t| (0..threads).filter(move |&u| u != t).map(move |u| (t, u)))
}

pub(crate) fn is_access_or_fence(kind: EventKind) -> bool {
    matches!(kind, EventKind::Read | EventKind::Write | EventKind::Fence)
}

pub(crate) fn is_sync(kind: EventKind) -> bool {
    matches!(kind, EventKind::Spawn | EventKind::Join | EventKind::Arrive | EventKind::Leave)
}

/// Completes the lane of program order of an event that was just added.
pub(crate) fn order(graph: &mut Graph, id: EventId) {
    graph.clock_includes_self(PO, id);
    let event = graph.event(id);
    if event.is_read() && event.flags.is_like(Role::WriteLock) {
        after_readers(graph, id);
    }
}

/// A writer that takes a reader-writer lock comes after all readers that left it since the last writer did.
/// What orders them is a chain of relaxed read-modify-writes, so that later readers are not ordered by it.
fn after_readers(graph: &mut Graph, writer: EventId) {
    let mut write = graph.event(writer).rf;
    let is_reader = |write: &Event| write.is_exclusive() && write.flags.is_like(Role::ReadLock);
    while write.is_real() && is_reader(graph.event(write)) {
        graph.join_clock(PO, writer, PO, write);
        write = graph.event(EventId::new(write.thread(), write.position() - 1)).rf;
    }
}
