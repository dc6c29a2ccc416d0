//! Adding events at the end, and taking the last one back.

use crate::graph::ThreadEvents;
use crate::{Event, EventId, EventKind, Graph, LocationId};
use norn_action::{Image, Place, ThreadId};
use std::sync::Arc;

impl Graph {
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
        self.set_lineage(0);
        let co = &mut self.location_mut(location).co;
        debug_assert_eq!(co.len(), order.len());
        co.copy_from_slice(order);
        self.renumber(location, 0);
    }
}

/// Taking back.
impl Graph {
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
