//! The graph of one interleaving: each read reads from the write before it, and coherence is the order of
//! the writes.

use crate::graph::ThreadEvents;
use crate::{Event, EventId, EventKind, Graph, LocationId};
use norn_action::ThreadId;

impl Graph {
    /// Makes this the graph of the run that takes the events of `events` in the order of `line`. The values
    /// that are read there must be those that the events have.
    ///
    /// Costs what adding the events one by one does, and no allocation once the buffers have grown.
    pub fn copy_run(&mut self, events: &Graph, line: impl Iterator<Item = EventId>) {
        self.set_lineage(0);
        self.clear(events);
        for id in line {
            self.copy_event(events, id);
        }
    }

    /// Forgets all events, and makes room for the threads of `events`.
    fn clear(&mut self, events: &Graph) {
        self.lanes = events.lanes;
        self.stride = events.stride;
        self.zeros.clear();
        self.zeros.resize(events.stride, 0);
        self.threads.truncate(events.threads.len());
        for thread in &mut self.threads {
            thread.events.clear();
            thread.clocks.clear();
            thread.spawned_by = EventId::NONE;
        }
        let none = || ThreadEvents { events: vec![], clocks: vec![], spawned_by: EventId::NONE };
        self.threads.resize_with(events.threads.len(), none);
        self.order.clear();
        (self.seq_cst, self.weak) = (0, 0);
        while let Some(&id) = self.touched.last() {
            self.forget(id);
        }
        self.objects.clear();
    }

    fn copy_event(&mut self, events: &Graph, id: EventId) {
        let event = *events.event(id);
        let thread = id.thread();
        match event.kind {
            EventKind::Read => {
                self.touch_as(events, event.location);
                let source = self.location(event.location).co.last().copied();
                let copy = self.add_read(thread, event, source.unwrap_or(EventId::INIT));
                debug_assert_eq!(self.event(copy).value, event.value, "{id} reads another value");
            }
            EventKind::Write => {
                self.touch_as(events, event.location);
                let end = self.location(event.location).co.len() as u32 + 1;
                self.add_write(thread, event, end);
            }
            EventKind::Spawn => {
                self.add_spawn(thread, event, event.target());
            }
            EventKind::Publish => {
                let images = events.objects.published(event.extra);
                let copy = self.add_publish(thread, images, event.place);
                self.set_saved(copy, event.saved);
            }
            EventKind::Free => {
                self.add_free(thread, event);
            }
            EventKind::Join => self.copy_join(thread, event),
            EventKind::Leave => self.copy_leave(thread, event),
            _ => {
                self.add_other(thread, event);
            }
        }
    }

    fn copy_join(&mut self, thread: ThreadId, event: Event) {
        let id = self.add_other(thread, event);
        let last = match self.last_of(event.target()) {
            EventId::NONE => self.spawned_by(event.target()),
            last => last,
        };
        if last.is_real() {
            self.synchronise(id, last);
        }
    }

    fn copy_leave(&mut self, thread: ThreadId, event: Event) {
        let id = self.add_other(thread, event);
        for other in (0..self.thread_count() as u32).map(ThreadId) {
            if let Some(arrival) = self.arrival(other, &event) {
                self.synchronise(id, arrival);
            }
        }
    }

    /// The event by which `thread` arrived at the barrier, in the round, that `leave` leaves.
    pub fn arrival(&self, thread: ThreadId, leave: &Event) -> Option<EventId> {
        let barrier = norn_action::Address(leave.value.low());
        let mut events = self.thread_events(thread).iter();
        let position = events.position(|event| event.arrives_at(barrier, leave.extra))?;
        Some(EventId::new(thread, position as u32))
    }

    /// Makes a location known as `other` knows it.
    fn touch_as(&mut self, other: &Graph, id: LocationId) {
        if self.location_if_any(id).is_some() {
            return;
        }
        if self.locations.len() <= id.index() {
            self.locations.resize_with(id.index() + 1, || None);
        }
        let mut state = self.spare.pop().unwrap_or_else(|| other.location(id).clone());
        state.co.clear();
        let from = other.location(id);
        (state.resolved, state.simple) = (from.resolved, from.simple);
        (state.first_reader, state.accesses, state.plain) = (EventId::NONE, 0, 0);
        self.locations[id.index()] = Some(state);
        self.touched.push(id);
    }
}

#[cfg(test)]
mod tests {
    use crate::{Event, EventId, EventKind, Graph, Locations};
    use norn_action::{Address, Image, Mode, ObjectKind, Place, ThreadId, Value};

    /// Two threads that write and a reader, taken in another order than they were added in.
    #[test]
    fn a_run_has_its_own_sources_and_coherence() {
        let mut table = Locations::default();
        let x = table.intern(Address(0x100), 4);
        let mut graph = Graph::new(1);
        let main = ThreadId::MAIN;
        let image = Image {
            start: Address(0x100),
            size: 4,
            kind: ObjectKind::Global,
            read_only: false,
            bytes: Vec::new(),
            undefined: Vec::new(),
            place: Place::NONE,
        };
        graph.add_publish(main, [image].into(), Place::NONE);
        for child in [1, 2, 3].map(ThreadId) {
            let spawn = Event::new(EventKind::Spawn, Mode::Plain, Place::NONE);
            graph.add_spawn(main, spawn, child);
        }
        let access = |kind| Event { location: x, ..Event::new(kind, Mode::Plain, Place::NONE) };
        let one = Event { value: Value::from(1u64), ..access(EventKind::Write) };
        assert!(graph.touch(x, &table));
        let first = graph.add_write(ThreadId(1), one, 1);
        let second = graph.add_write(ThreadId(2), one, 2);
        let read = graph.add_read(ThreadId(3), access(EventKind::Read), first);
        let mut run = Graph::new(1);
        for _ in 0..2 {
            let before = graph.order()[..4].iter().copied();
            run.copy_run(&graph, before.chain([second, read, first]));
            assert_eq!(run.verify(), Ok(()));
            assert_eq!(run.event(read).rf, second);
            assert_eq!(run.location(x).co, [second, first]);
            assert_eq!(run.readers(first, x).collect::<Vec<EventId>>(), []);
        }
    }
}
