//! The graph itself. See the crate's header for how it may change.

use crate::{Event, EventId, LocationId, Locations, Objects, Resolved};
use norn_action::{ThreadId, Value};

/// The events of one thread, with their clocks row by row.
#[derive(Clone, Debug)]
pub(crate) struct ThreadEvents {
    pub(crate) events: Vec<Event>,
    pub(crate) clocks: Vec<u32>,
    pub(crate) spawned_by: EventId,
}

/// What a graph knows of a location that some of its events access.
#[derive(Clone, Debug)]
pub struct LocationState {
    /// All writes in coherence order; the initial write is not listed.
    pub co: Vec<EventId>,
    /// The object and the initial value.
    pub resolved: Resolved,
    /// First reader of the initial write.
    pub(crate) first_reader: EventId,
    /// How many events access it.
    pub(crate) accesses: u32,
    /// How many of these are plain.
    pub(crate) plain: u32,
    /// See [`LocationState::is_simple`].
    pub(crate) simple: bool,
}

impl LocationState {
    /// Whether nothing can be wrong with an access, as far as the location goes: it may be written, all accesses are atomic, and the main thread published it before anything
    /// else, so that everybody has seen it.
    #[inline]
    pub fn is_simple(&self) -> bool {
        self.plain == 0 && self.simple
    }

    /// Whether any access is plain, so that races are possible.
    #[inline]
    pub fn has_plain(&self) -> bool {
        self.plain > 0
    }
}

/// An execution graph.
///
/// A clock is a row of numbers, one a thread: how many events of that thread are before or equal.
/// Lane 0 is `porf`; further lanes belong to the memory model, and a new event's lanes start as
/// those of its predecessor in program order.
#[derive(Clone, Debug)]
pub struct Graph {
    pub(crate) threads: Vec<ThreadEvents>,
    pub(crate) lanes: usize,
    pub(crate) stride: usize,
    pub(crate) zeros: Vec<u32>,
    pub(crate) order: Vec<EventId>,
    pub(crate) locations: Vec<Option<LocationState>>,
    pub(crate) touched: Vec<LocationId>,
    pub(crate) spare: Vec<LocationState>,
    pub(crate) objects: Objects,
    pub(crate) seq_cst: u32,
    pub(crate) weak: u32,
    pub(crate) lineage: Lineage,
}

/// See [`Graph::lineage`]. A copy has a history of its own.
#[derive(Debug, Default)]
pub(crate) struct Lineage(pub(crate) u64);

impl Clone for Lineage {
    fn clone(&self) -> Lineage {
        Lineage(0)
    }
}

const FIRST_STRIDE: usize = 4;

impl Graph {
    /// A graph of no events whose clocks have `lanes` lanes.
    pub fn new(lanes: usize) -> Graph {
        assert!(lanes >= 1);
        let main = ThreadEvents { events: vec![], clocks: vec![], spawned_by: EventId::NONE };
        Graph {
            threads: vec![main],
            lanes,
            stride: FIRST_STRIDE,
            zeros: vec![0; FIRST_STRIDE],
            order: vec![],
            locations: vec![],
            touched: vec![],
            spare: vec![],
            objects: Objects::default(),
            seq_cst: 0,
            weak: 0,
            lineage: Lineage(0),
        }
    }

    /// How many events there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// A number that it was given, if since then events were only added, one at a time, and taken back; otherwise zero.
    #[inline]
    pub fn lineage(&self) -> u64 {
        self.lineage.0
    }

    /// Gives it a number.
    pub fn set_lineage(&mut self, number: u64) {
        self.lineage = Lineage(number);
    }

    /// All events in the order in which they were added.
    #[inline]
    pub fn order(&self) -> &[EventId] {
        &self.order
    }

    /// How many threads are known (some may have no events).
    #[inline]
    pub fn thread_count(&self) -> usize {
        self.threads.len()
    }

    /// How many events `thread` has.
    #[inline]
    pub fn thread_len(&self, thread: ThreadId) -> u32 {
        self.threads.get(thread.index()).map_or(0, |events| events.events.len() as u32)
    }

    /// The events of `thread` in program order.
    #[inline]
    pub fn thread_events(&self, thread: ThreadId) -> &[Event] {
        &self.threads[thread.index()].events
    }

    /// The event that started `thread`, or [`EventId::NONE`].
    pub fn spawned_by(&self, thread: ThreadId) -> EventId {
        self.threads[thread.index()].spawned_by
    }

    /// The event named `id`.
    #[inline]
    pub fn event(&self, id: EventId) -> &Event {
        &self.threads[id.thread().index()].events[id.position() as usize]
    }

    #[inline]
    pub(crate) fn event_mut(&mut self, id: EventId) -> &mut Event {
        &mut self.threads[id.thread().index()].events[id.position() as usize]
    }

    /// Stores the owner's handle with an event.
    #[inline]
    pub fn set_saved(&mut self, id: EventId, saved: u32) {
        self.event_mut(id).saved = saved;
    }

    /// The last event of `thread`, or [`EventId::NONE`].
    #[inline]
    pub fn last_of(&self, thread: ThreadId) -> EventId {
        match self.thread_len(thread) {
            0 => EventId::NONE,
            length => EventId::new(thread, length - 1),
        }
    }

    /// What is known of a location that is accessed in this graph.
    #[inline]
    pub fn location(&self, id: LocationId) -> &LocationState {
        self.locations[id.index()].as_ref().expect("the location is accessed in this graph")
    }

    /// What is known of a location, if it is accessed in this graph.
    #[inline]
    pub fn location_if_any(&self, id: LocationId) -> Option<&LocationState> {
        self.locations.get(id.index())?.as_ref()
    }

    /// The locations that are accessed in this graph.
    pub fn touched(&self) -> &[LocationId] {
        &self.touched
    }

    /// How many events are sequentially consistent.
    #[inline]
    pub fn seq_cst_count(&self) -> u32 {
        self.seq_cst
    }

    /// How many events are weak (see [`Event::is_weak`]).
    #[inline]
    pub fn weak_count(&self) -> u32 {
        self.weak
    }

    /// The published objects.
    pub fn objects(&self) -> &Objects {
        &self.objects
    }

    /// The value of a write, also of the initial one.
    #[inline]
    pub fn value_of(&self, write: EventId, location: LocationId) -> Value {
        if write == EventId::INIT {
            self.location(location).resolved.initial
        } else {
            self.event(write).value
        }
    }

    /// The value of a write, also of the initial one, and which of its bytes were never written.
    #[inline]
    pub fn content_of(&self, write: EventId, location: LocationId) -> (Value, u8) {
        if write == EventId::INIT {
            let resolved = &self.location(location).resolved;
            (resolved.initial, resolved.undefined as u8)
        } else {
            let event = self.event(write);
            (event.value, event.undefined)
        }
    }

    /// The write at `index` of the coherence order counted with the initial write as 0.
    #[inline]
    pub fn co_at(&self, location: LocationId, index: u32) -> EventId {
        match index {
            0 => EventId::INIT,
            index => self.location(location).co[index as usize - 1],
        }
    }

    /// Where a write stands in the coherence order, counted with the initial write as 0.
    #[inline]
    pub fn co_index(&self, write: EventId) -> u32 {
        if write == EventId::INIT { 0 } else { self.event(write).extra + 1 }
    }

    /// The readers of a write, latest first.
    #[inline]
    pub fn readers(&self, write: EventId, location: LocationId) -> Readers<'_> {
        let first = if write == EventId::INIT {
            self.location(location).first_reader
        } else {
            self.event(write).rf
        };
        Readers { graph: self, next: first }
    }

    /// The exclusive write that follows the exclusive read of `write`, if there is one.
    #[inline]
    pub fn taken_by(&self, write: EventId, location: LocationId) -> EventId {
        for reader in self.readers(write, location) {
            let event = self.event(reader);
            if event.is_exclusive() && self.has_exclusive_write(reader) {
                return reader;
            }
        }
        EventId::NONE
    }

    /// Whether the exclusive read `read` is followed by its write.
    #[inline]
    pub fn has_exclusive_write(&self, read: EventId) -> bool {
        let events = &self.threads[read.thread().index()].events;
        events
            .get(read.position() as usize + 1)
            .is_some_and(|next| next.is_write() && next.is_exclusive())
    }

    // ---- locations ---------------------------------------------------------------------------

    /// Makes sure that `id` is known here, and resolves the object it lies in if it is not.
    /// `false`: it lies in no object.
    #[inline]
    pub fn touch(&mut self, id: LocationId, table: &Locations) -> bool {
        if self.locations.len() <= id.index() {
            self.locations.resize_with(id.index() + 1, || None);
        }
        self.locations[id.index()].is_some() || self.resolve(id, table)
    }

    fn resolve(&mut self, id: LocationId, table: &Locations) -> bool {
        let info = table.info(id);
        let Some(resolved) = self.objects.resolve(info.address, info.size) else {
            return false;
        };
        let co = self.spare.pop().map_or_else(Vec::new, |state| state.co);
        let first = resolved.published_by == EventId::new(ThreadId::MAIN, 0);
        let simple = first && !resolved.read_only;
        self.locations[id.index()] = Some(LocationState {
            co,
            resolved,
            first_reader: EventId::NONE,
            accesses: 0,
            plain: 0,
            simple,
        });
        self.touched.push(id);
        true
    }

    /// Forgets a location that nothing accesses.
    pub fn untouch(&mut self, id: LocationId) {
        if self.locations[id.index()].as_ref().is_some_and(|state| state.accesses == 0) {
            self.forget(id);
        }
    }

    pub(crate) fn forget(&mut self, id: LocationId) {
        if let Some(mut state) = self.locations[id.index()].take() {
            state.co.clear();
            self.spare.push(state);
        }
        if let Some(at) = self.touched.iter().rposition(|&other| other == id) {
            self.touched.swap_remove(at);
        }
    }

    pub(crate) fn location_mut(&mut self, id: LocationId) -> &mut LocationState {
        self.locations[id.index()].as_mut().expect("the location is accessed in this graph")
    }
}

/// The readers of a write.
pub struct Readers<'g> {
    graph: &'g Graph,
    pub(crate) next: EventId,
}

impl Iterator for Readers<'_> {
    type Item = EventId;

    #[inline]
    fn next(&mut self) -> Option<EventId> {
        if self.next == EventId::NONE {
            return None;
        }
        let read = self.next;
        self.next = self.graph.event(read).next_reader;
        Some(read)
    }
}

impl Graph {
    /// The last event of `thread`, if it has any.
    #[inline]
    pub fn threads_last(&self, thread: ThreadId) -> Option<&Event> {
        self.threads.get(thread.index())?.events.last()
    }
}
