//! Clocks: rows of numbers, one a thread, how many events of that thread are before or equal.

use crate::{EventId, Graph};
use norn_action::ThreadId;

impl Graph {
    /// A lane of an event's clock.
    #[inline]
    pub fn clock(&self, lane: usize, id: EventId) -> &[u32] {
        let start = (id.position() as usize * self.lanes + lane) * self.stride;
        &self.threads[id.thread().index()].clocks[start..start + self.stride]
    }

    /// A lane of the clock that the next event of `thread` starts from.
    #[inline]
    pub fn clock_before_next(&self, lane: usize, thread: ThreadId) -> &[u32] {
        let events = &self.threads[thread.index()];
        if !events.events.is_empty() {
            let row = (events.events.len() - 1) * self.lanes + lane;
            &events.clocks[row * self.stride..(row + 1) * self.stride]
        } else if events.spawned_by.is_real() {
            self.clock(lane, events.spawned_by)
        } else {
            &self.zeros
        }
    }

    /// The clock that `id` started from: of its predecessor in program order, or of the spawn of its
    /// thread.
    #[inline]
    pub fn clock_before(&self, lane: usize, id: EventId) -> &[u32] {
        if id.position() > 0 {
            self.clock(lane, EventId::new(id.thread(), id.position() - 1))
        } else {
            let spawn = self.threads[id.thread().index()].spawned_by;
            if spawn.is_real() { self.clock(lane, spawn) } else { &self.zeros }
        }
    }

    /// Whether `id` is in the prefix that `clock` describes.
    #[inline]
    pub fn within(clock: &[u32], id: EventId) -> bool {
        clock[id.thread().index()] > id.position()
    }

    /// Joins lane `from` of event `source` into lane `into` of event `target`.
    #[inline(always)]
    pub fn join_clock(&mut self, into: usize, target: EventId, from: usize, source: EventId) {
        let stride = self.stride;
        let start = (target.position() as usize * self.lanes + into) * stride;
        let other = (source.position() as usize * self.lanes + from) * stride;
        let (t, s) = (target.thread().index(), source.thread().index());
        if t == s {
            let clocks = &mut self.threads[t].clocks;
            for i in 0..stride {
                clocks[start + i] = clocks[start + i].max(clocks[other + i]);
            }
        } else {
            let [target, source] = self.threads.get_disjoint_mut([t, s]).expect("two threads");
            let target = &mut target.clocks[start..start + stride];
            for (a, b) in target.iter_mut().zip(&source.clocks[other..other + stride]) {
                *a = (*a).max(*b);
            }
        }
    }

    /// Sets lane `into` of `target` to all zeros.
    pub fn clear_clock(&mut self, into: usize, target: EventId) {
        let start = (target.position() as usize * self.lanes + into) * self.stride;
        self.threads[target.thread().index()].clocks[start..start + self.stride].fill(0);
    }

    /// Lane `lane` of `target` counts `target` itself.
    #[inline]
    pub fn clock_includes_self(&mut self, lane: usize, target: EventId) {
        let at = (target.position() as usize * self.lanes + lane) * self.stride
            + target.thread().index();
        self.threads[target.thread().index()].clocks[at] = target.position() + 1;
    }

    /// Makes room for the clocks of `threads` threads.
    #[cold]
    pub(crate) fn widen(&mut self, threads: usize) {
        let stride = threads.next_multiple_of(4).max(self.stride + 4);
        for events in &mut self.threads {
            // What is there, not what there is room for: buffers are reused, and would grow each time.
            let mut clocks = Vec::with_capacity(events.clocks.len() / self.stride * stride);
            for row in events.clocks.chunks(self.stride) {
                clocks.extend_from_slice(row);
                clocks.resize(clocks.len() + stride - self.stride, 0);
            }
            events.clocks = clocks;
        }
        self.stride = stride;
        self.zeros.resize(stride, 0);
    }
}

#[cfg(test)]
mod tests {
    use crate::{Event, EventKind, Graph};
    use norn_action::{Mode, Place, ThreadId};

    /// A graph that becomes narrow again each time, and then wide, needs no more memory for that.
    #[test]
    fn room_is_made_for_what_is_there() {
        let spawn = || Event::new(EventKind::Spawn, Mode::Plain, Place::NONE);
        let mut start = Graph::new(1);
        start.add_spawn(ThreadId::MAIN, spawn(), ThreadId(1));
        let mut graph = Graph::new(1);
        for _ in 0..60 {
            graph.copy_restricted(&start, &[1, 0]);
            for child in (2..12).map(ThreadId) {
                graph.add_spawn(ThreadId::MAIN, spawn(), child);
            }
            assert_eq!(graph.verify(), Ok(()));
        }
        let room: usize = graph.threads.iter().map(|events| events.clocks.capacity()).sum();
        assert!(room < 10_000, "room for {room} numbers");
    }
}
