//! The graph itself. See the crate's header for how it may change.

use crate::{Event, EventId, EventKind, LocationId, Locations, Objects, Resolved};
use norn_action::{Image, Place, ThreadId, Value};
use std::sync::Arc;

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

    fn forget(&mut self, id: LocationId) {
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

    // ---- adding ------------------------------------------------------------------------------

    /// Appends `event` to `thread` with the clock of its predecessor.
    #[inline]
    fn append(&mut self, thread: ThreadId, mut event: Event) -> EventId {
        let (lanes, stride) = (self.lanes, self.stride);
        event.stamp = self.order.len() as u32;
        let events = &mut self.threads[thread.index()];
        let position = events.events.len();
        // The explorers stop before that; a name that is another event's would make them wrong.
        assert!(EventId::exists(thread, position as u32), "an event without a name");
        let id = EventId::new(thread, position as u32);
        events.events.push(event);
        self.seq_cst += u32::from(event.mode.is_seq_cst());
        self.weak += u32::from(event.is_weak());
        if position > 0 {
            let start = (position - 1) * lanes * stride;
            events.clocks.extend_from_within(start..start + lanes * stride);
        } else if events.spawned_by.is_real() {
            let spawn = events.spawned_by;
            let start = spawn.position() as usize * lanes * stride;
            let [child, parent] = self
                .threads
                .get_disjoint_mut([thread.index(), spawn.thread().index()])
                .expect("a thread does not start itself");
            child.clocks.extend_from_slice(&parent.clocks[start..start + lanes * stride]);
        } else {
            events.clocks.resize(lanes * stride, 0);
        }
        self.clock_includes_self(0, id);
        self.order.push(id);
        id
    }

    /// Appends a read of a touched location that reads from `source`.
    #[inline]
    pub fn add_read(&mut self, thread: ThreadId, mut event: Event, source: EventId) -> EventId {
        event.rf = source;
        (event.value, event.undefined) = self.content_of(source, event.location);
        let id = self.append(thread, event);
        self.count_access(&event);
        self.link_reader(id, source, event.location);
        if source.is_real() {
            self.join_clock(0, id, 0, source);
        }
        id
    }

    /// Appends a write to a touched location; `index` is its place in coherence order, counted with
    /// the initial write as 0 (so at least 1).
    #[inline]
    pub fn add_write(&mut self, thread: ThreadId, mut event: Event, index: u32) -> EventId {
        event.rf = EventId::NONE;
        event.extra = index - 1;
        let location = event.location;
        let id = self.append(thread, event);
        self.count_access(&event);
        let co = &mut self.location_mut(location).co;
        let at = index as usize - 1;
        if at == co.len() {
            co.push(id);
        } else {
            co.insert(at, id);
            self.renumber(location, at + 1);
        }
        id
    }

    /// Appends an event that does not access a location.
    pub fn add_other(&mut self, thread: ThreadId, event: Event) -> EventId {
        self.append(thread, event)
    }

    /// Appends the event that starts `child`.
    pub fn add_spawn(&mut self, thread: ThreadId, mut event: Event, child: ThreadId) -> EventId {
        if child.index() >= self.stride {
            self.widen(child.index() + 1);
        }
        while self.threads.len() <= child.index() {
            let none = ThreadEvents { events: vec![], clocks: vec![], spawned_by: EventId::NONE };
            self.threads.push(none);
        }
        event.extra = child.0;
        let id = self.append(thread, event);
        debug_assert!(self.threads[child.index()].events.is_empty());
        self.threads[child.index()].spawned_by = id;
        id
    }

    /// Appends the event that publishes `images`.
    pub fn add_publish(&mut self, thread: ThreadId, images: Arc<[Image]>, place: Place) -> EventId {
        let event = Event::new(EventKind::Publish, norn_action::Mode::Plain, place);
        let id = self.append(thread, event);
        let batch = self.objects.publish(images, id);
        self.event_mut(id).extra = batch;
        id
    }

    /// Appends the event that ends the life of the object at `event.value`.
    pub fn add_free(&mut self, thread: ThreadId, event: Event) -> EventId {
        let start = norn_action::Address(event.value.low());
        let id = self.append(thread, event);
        self.objects.free(start, id);
        id
    }

    fn count_access(&mut self, event: &Event) {
        let state = self.location_mut(event.location);
        state.accesses += 1;
        state.plain += u32::from(!event.mode.is_atomic());
    }

    #[inline]
    fn link_reader(&mut self, read: EventId, source: EventId, location: LocationId) {
        let head = if source == EventId::INIT {
            std::mem::replace(&mut self.location_mut(location).first_reader, read)
        } else {
            std::mem::replace(&mut self.event_mut(source).rf, read)
        };
        self.event_mut(read).next_reader = head;
    }

    fn unlink_reader(&mut self, read: EventId) {
        let Event { rf: source, location, next_reader, .. } = *self.event(read);
        let first = self.readers(source, location).next;
        if first == read {
            if source == EventId::INIT {
                self.location_mut(location).first_reader = next_reader;
            } else {
                self.event_mut(source).rf = next_reader;
            }
            return;
        }
        let mut at = first;
        while self.event(at).next_reader != read {
            at = self.event(at).next_reader;
        }
        self.event_mut(at).next_reader = next_reader;
    }

    pub(crate) fn renumber(&mut self, location: LocationId, from: usize) {
        let state = self.locations[location.index()].as_ref().expect("a known location");
        for (index, &write) in state.co.iter().enumerate().skip(from) {
            self.threads[write.thread().index()].events[write.position() as usize].extra =
                index as u32;
        }
    }

    /// Replaces the coherence order of a location by another order of the same writes.
    pub fn set_coherence(&mut self, location: LocationId, order: &[EventId]) {
        let co = &mut self.location_mut(location).co;
        debug_assert_eq!(co.len(), order.len());
        co.copy_from_slice(order);
        self.renumber(location, 0);
    }

    // ---- taking back -------------------------------------------------------------------------

    /// Takes back the event that was added last.
    #[inline]
    pub fn pop(&mut self) -> Event {
        let id = self.order.pop().expect("an event to take back");
        let event = *self.event(id);
        self.seq_cst -= u32::from(event.mode.is_seq_cst());
        self.weak -= u32::from(event.is_weak());
        match event.kind {
            EventKind::Read => {
                if event.rf != EventId::NONE {
                    self.unlink_reader(id);
                }
                self.uncount_access(&event);
            }
            EventKind::Write => {
                debug_assert_eq!(event.rf, EventId::NONE, "a write that is read is not last");
                let at = event.extra as usize;
                let co = &mut self.location_mut(event.location).co;
                co.remove(at);
                if at < co.len() {
                    self.renumber(event.location, at);
                }
                self.uncount_access(&event);
            }
            EventKind::Spawn => {
                self.threads[event.extra as usize].spawned_by = EventId::NONE;
            }
            EventKind::Publish => self.objects.unpublish(),
            EventKind::Free => self.objects.unfree(),
            _ => {}
        }
        let row = self.lanes * self.stride;
        let events = &mut self.threads[id.thread().index()];
        events.events.pop();
        events.clocks.truncate(events.events.len() * row);
        event
    }

    fn uncount_access(&mut self, event: &Event) {
        let state = self.location_mut(event.location);
        state.accesses -= 1;
        state.plain -= u32::from(!event.mode.is_atomic());
        if state.accesses == 0 {
            self.forget(event.location);
        }
    }
}

/// The readers of a write.
pub struct Readers<'g> {
    graph: &'g Graph,
    next: EventId,
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
