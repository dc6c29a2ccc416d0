//! Cutting a segment in two, so that a new step can come between.

use super::state::{MOST, NONE, Refused, Segment, Set, State, each};
use norn_action::ThreadId;
use norn_graph::{EventId, EventKind, Graph};

impl State {
    /// Cuts a segment in front of the step of a covered event, so that the segment `own` can come between.
    pub(super) fn split(&mut self, graph: &Graph, id: EventId, own: u8) -> Result<(), Refused> {
        let event = graph.event(id);
        let half = u32::from(event.is_write() && event.is_exclusive());
        let (thread, start) = (id.thread(), id.position() - half);
        let first = self.segment_of(id);
        if self.segments[first as usize].start == start || self.segments.len() == MOST {
            return Err(Refused::Full);
        }
        self.change_all();
        let Segment { start: from, before, needs, .. } = self.segments[first as usize];
        let second = self.segments.len() as u8;
        let end = match self.segments.iter_mut().find(|segment| segment.before == first) {
            Some(next) => {
                next.before = second;
                next.start
            }
            None => {
                self.last[thread.index()] = second;
                self.counts[thread.index()]
            }
        };
        self.segments.push(Segment::new(thread, start, first, false, needs | 1 << first));
        self.cost += 1;
        self.needed |= needs | 1 << first | 1 << second;
        self.follow(graph, second, end);
        let mut needs = self.needed_by_all(graph, thread, from..start);
        if before != NONE {
            needs |= self.segments[before as usize].needs | 1 << before;
        }
        if needs >> own & 1 == 1 {
            return Err(Refused::Full);
        }
        self.segments[first as usize].needs = needs;
        Ok(())
    }

    /// What the segments need that come right before some covered events, and these segments.
    fn needed_by_all(
        &self,
        graph: &Graph,
        thread: ThreadId,
        positions: std::ops::Range<u32>,
    ) -> Set {
        let mut direct: Set = 0;
        for position in positions {
            let id = EventId::new(thread, position);
            direct |= self.needed_by(graph, id, graph.event(id));
        }
        let mut all = direct;
        each(direct, |index| all |= self.segments[index].needs);
        all
    }

    /// A segment was made of the end of another, up to `end`: those that come after it need it.
    fn follow(&mut self, graph: &Graph, index: u8, end: u32) {
        let Segment { start, before, .. } = self.segments[index as usize];
        let thread = self.segments[index as usize].thread();
        let mut after: Set = 0;
        for position in start..end {
            let id = EventId::new(thread, position);
            let event = graph.event(id);
            let mut find = |other: EventId| {
                if other.is_real() && other.thread() != thread && self.covers(other) {
                    after |= 1 << self.segment_of(other);
                }
            };
            match event.kind {
                EventKind::Read | EventKind::Write => {
                    find(self.next_write(graph, event).unwrap_or(EventId::NONE));
                    if event.is_write() {
                        graph.readers(id, event.location).for_each(find);
                    }
                }
                // Whatever comes after the whole may come after this part of it.
                EventKind::Spawn | EventKind::Arrive => {
                    for (other, segment) in self.segments.iter().enumerate() {
                        after |= (segment.needs >> before & 1) << other;
                    }
                }
                _ => {}
            }
        }
        if end == self.counts[thread.index()] {
            after |= self.joiners(graph, thread);
        }
        for (other, segment) in self.segments.iter().enumerate() {
            let is_later = segment.thread() == thread && segment.start > start;
            after |= Set::from(is_later) << other;
        }
        after &= !(1 << index);
        for (other, segment) in self.segments.iter_mut().enumerate() {
            if segment.needs & after != 0 || after >> other & 1 == 1 {
                segment.needs |= 1 << index;
            }
        }
    }

    /// The segments in which a thread is joined.
    fn joiners(&self, graph: &Graph, thread: ThreadId) -> Set {
        let mut joiners: Set = 0;
        for (t, &count) in self.counts.iter().enumerate() {
            let joiner = ThreadId(t as u32);
            let events = &graph.thread_events(joiner)[..count as usize];
            for (position, event) in (0..).zip(events) {
                if event.joins(thread) {
                    joiners |= 1 << self.segment_of(EventId::new(joiner, position));
                }
            }
        }
        joiners
    }
}
