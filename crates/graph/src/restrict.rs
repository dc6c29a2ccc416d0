//! Copying a part of a graph into another graph whose buffers are reused.

use crate::graph::ThreadEvents;
use crate::{Event, EventId, EventKind, Graph};

impl Graph {
    /// Makes this the part of `source` that consists of the first `kept[t]` events of each thread
    /// `t`. The part must be closed under `po ∪ rf`. Insertion order is preserved, stamps are dense
    /// again.
    ///
    /// Costs O(kept events × threads), and no allocation once the buffers have grown.
    pub fn copy_restricted(&mut self, source: &Graph, kept: &[u32]) {
        self.set_lineage(0);
        self.lanes = source.lanes;
        self.stride = source.stride;
        self.zeros.clear();
        self.zeros.resize(source.stride, 0);
        self.copy_threads(source, kept);
        self.copy_order(source, kept);
        self.copy_objects(source, kept);
        self.copy_locations(source, kept);
        self.link_readers();
    }

    fn copy_threads(&mut self, source: &Graph, kept: &[u32]) {
        let row = source.lanes * source.stride;
        self.threads.truncate(source.threads.len());
        while self.threads.len() < source.threads.len() {
            let none = ThreadEvents { events: vec![], clocks: vec![], spawned_by: EventId::NONE };
            self.threads.push(none);
        }
        for (t, (into, from)) in self.threads.iter_mut().zip(&source.threads).enumerate() {
            let length = kept[t] as usize;
            into.events.clear();
            into.events.extend_from_slice(&from.events[..length]);
            into.clocks.clear();
            into.clocks.extend_from_slice(&from.clocks[..length * row]);
            let spawn = from.spawned_by;
            let alive = spawn.is_real() && is_kept(kept, spawn);
            into.spawned_by = if alive { spawn } else { EventId::NONE };
        }
    }

    fn copy_order(&mut self, source: &Graph, kept: &[u32]) {
        self.order.clear();
        self.seq_cst = 0;
        self.weak = 0;
        for &id in source.order.iter().filter(|id| is_kept(kept, **id)) {
            let stamp = self.order.len() as u32;
            self.order.push(id);
            let event = &mut self.threads[id.thread().index()].events[id.position() as usize];
            event.stamp = stamp;
            self.seq_cst += u32::from(event.mode.is_seq_cst());
            self.weak += u32::from(event.is_weak());
            if event.is_write() {
                event.rf = EventId::NONE;
            }
        }
    }

    fn copy_objects(&mut self, source: &Graph, kept: &[u32]) {
        let threads = &mut self.threads;
        self.objects.copy_restricted(
            &source.objects,
            |id| is_kept(kept, id),
            |id, batch| {
                threads[id.thread().index()].events[id.position() as usize].extra = batch;
            },
        );
    }

    fn copy_locations(&mut self, source: &Graph, kept: &[u32]) {
        while let Some(id) = self.touched.pop() {
            let mut state = self.locations[id.index()].take().expect("a touched location");
            state.co.clear();
            self.spare.push(state);
        }
        if self.locations.len() < source.locations.len() {
            self.locations.resize_with(source.locations.len(), || None);
        }
        for &id in &source.touched {
            let from = source.location(id);
            let mut state = match self.spare.pop() {
                Some(mut spare) => {
                    spare.resolved = from.resolved;
                    spare.simple = from.simple;
                    spare
                }
                None => crate::LocationState { co: vec![], ..from.clone() },
            };
            state.co.clear();
            for &write in from.co.iter().filter(|write| is_kept(kept, **write)) {
                self.event_mut(write).extra = state.co.len() as u32;
                state.co.push(write);
            }
            state.first_reader = EventId::NONE;
            state.accesses = 0;
            state.plain = 0;
            self.locations[id.index()] = Some(state);
            self.touched.push(id);
        }
    }

    /// Threads the readers of each write again, counts accesses, and drops locations without any.
    fn link_readers(&mut self) {
        for index in 0..self.order.len() {
            let id = self.order[index];
            let Event { kind, location, mode, rf, .. } = *self.event(id);
            if !matches!(kind, EventKind::Read | EventKind::Write) {
                continue;
            }
            let state = self.locations[location.index()].as_mut().expect("a kept location");
            state.accesses += 1;
            state.plain += u32::from(!mode.is_atomic());
            if kind == EventKind::Write {
                continue;
            }
            let head = if rf == EventId::INIT {
                std::mem::replace(&mut state.first_reader, id)
            } else {
                std::mem::replace(&mut self.event_mut(rf).rf, id)
            };
            self.event_mut(id).next_reader = head;
        }
        for index in (0..self.touched.len()).rev() {
            let id = self.touched[index];
            self.untouch(id);
        }
    }
}

#[inline]
fn is_kept(kept: &[u32], id: EventId) -> bool {
    kept[id.thread().index()] > id.position()
}
