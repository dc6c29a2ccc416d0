//! Changes that are neither additions at the end nor taking the last event back: a read that gets
//! another source and keeps its place in insertion order, and orders that are imposed as a whole.

use crate::{Event, EventId, Graph, LocationId};
use norn_action::ThreadId;

impl Graph {
    /// Adds a read at the end of its thread but, in insertion order, at `stamp`: a read that was
    /// there before and now reads from a write that came later.
    pub fn reinsert_read(
        &mut self,
        thread: ThreadId,
        event: Event,
        source: EventId,
        stamp: u32,
    ) -> EventId {
        let id = self.add_read(thread, event, source);
        self.order.pop();
        self.order.insert(stamp as usize, id);
        self.restamp(stamp as usize);
        id
    }

    /// Takes back a read added by [`Graph::reinsert_read`].
    pub fn take_out(&mut self, read: EventId) -> Event {
        debug_assert_eq!(self.last_of(read.thread()), read);
        let stamp = self.event(read).stamp as usize;
        self.order.remove(stamp);
        self.order.push(read);
        let event = self.pop();
        self.restamp(stamp);
        event
    }

    fn restamp(&mut self, from: usize) {
        for index in from..self.order.len() {
            let id = self.order[index];
            self.event_mut(id).stamp = index as u32;
        }
    }

    /// Lets `target` come after `source` in all lanes: joins, barriers.
    pub fn synchronise(&mut self, target: EventId, source: EventId) {
        for lane in 0..self.lanes {
            self.join_clock(lane, target, lane, source);
        }
    }
}

/// Giving a graph whose events were added in another order the orders that they had.
impl Graph {
    /// Puts the events into this order of insertion. It must list each event once.
    pub fn impose_order(&mut self, order: impl Iterator<Item = EventId>) {
        self.set_lineage(0);
        let count = self.order.len();
        self.order.clear();
        self.order.extend(order);
        assert_eq!(self.order.len(), count, "the order lists each event once");
        self.restamp(0);
    }

    /// Puts the writes of a location into this coherence order. It must list each write once.
    pub fn impose_coherence(&mut self, id: LocationId, writes: impl Iterator<Item = EventId>) {
        self.set_lineage(0);
        let co = &mut self.location_mut(id).co;
        let count = co.len();
        co.clear();
        co.extend(writes);
        assert_eq!(co.len(), count, "the order lists each write once");
        self.renumber(id, 0);
    }
}
