//! The order of given segments, found from the graph alone; and doing without some of them.

use super::Cuts;
use super::state::{MOST, NONE, Segment, Set, State, each};
use norn_action::ThreadId;
use norn_graph::{EventId, EventKind, Graph};

impl State {
    /// Covers the first `counts[t]` events of each thread `t`, cut in front of `cuts`, which are sorted.
    /// False if the segments cannot be put in order; then the state is of no use.
    pub(super) fn build(&mut self, graph: &Graph, counts: &[u32], cuts: &Cuts) -> bool {
        self.clear();
        self.counts.extend_from_slice(counts);
        self.last.resize(counts.len(), NONE);
        if counts.len() + cuts.len() > MOST {
            return false;
        }
        let mut cuts = cuts.iter().peekable();
        for (t, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let thread = ThreadId(t as u32);
            self.push(thread, 0);
            while let Some(&&(_, start)) = cuts.peek().filter(|cut| cut.0 <= thread) {
                if cuts.next().is_some_and(|cut| cut.0 == thread) && start < count {
                    self.push(thread, start);
                }
            }
        }
        self.collect_needs(graph);
        self.put_in_order()
    }

    fn push(&mut self, thread: ThreadId, start: u32) {
        let before = std::mem::replace(&mut self.last[thread.index()], self.segments.len() as u8);
        self.segments.push(Segment::new(thread, start, before, false, 0));
    }

    /// Finds what comes right before each segment. Those that may be free are so for now.
    fn collect_needs(&mut self, graph: &Graph) {
        self.direct.clear();
        for index in 0..self.segments.len() {
            let (thread, start) = (self.segments[index].thread(), self.segments[index].start);
            let next = self.segments.get(index + 1).filter(|next| next.thread() == thread);
            let end = next.map_or(self.counts[thread.index()], |next| next.start);
            let events = &graph.thread_events(thread)[start as usize..end as usize];
            let (mut waited, mut other): (Set, Set) = (0, 0);
            let mut only_waits = start > 0;
            for (position, event) in (start..).zip(events) {
                only_waits &= matches!(event.kind, EventKind::Join | EventKind::Leave);
                let needs = self.needed_by(graph, EventId::new(thread, position), event);
                *(if only_waits { &mut waited } else { &mut other }) |= needs;
            }
            let segment = &mut self.segments[index];
            segment.only_waits = only_waits;
            segment.free =
                start > 0 && matches!(events[0].kind, EventKind::Join | EventKind::Leave);
            segment.needs = waited;
            self.direct.push(other);
        }
    }

    /// Makes what the segments need transitive. False if there is a cycle.
    fn put_in_order(&mut self) -> bool {
        let mut left: Set = match self.segments.len() {
            MOST => Set::MAX,
            count => (1 << count) - 1,
        };
        while left != 0 {
            let before = left;
            each(left, |index| {
                let segment = self.segments[index];
                let previous = if segment.before == NONE { 0 } else { 1 << segment.before };
                let other = self.direct[index];
                if (segment.needs | previous | other) & left != 0 {
                    return;
                }
                let mut waited = segment.needs | previous;
                each(waited, |needed| waited |= self.segments[needed].needs);
                let mut all = waited | other;
                each(other & !waited, |needed| all |= self.segments[needed].needs);
                let segment = &mut self.segments[index];
                segment.free &= all == waited;
                segment.needs = all;
                self.needed |= all;
                self.cost += u32::from(segment.costs());
                left &= !(1 << index);
            });
            if left == before {
                return false;
            }
        }
        true
    }

    /// Does without cuts that are not needed, until no more than `bound` preemptions are left. False if
    /// there are more.
    pub(super) fn merge(&mut self, bound: u32) -> bool {
        let mut merged: Set = 0;
        for index in (0..self.segments.len()).rev() {
            if self.cost <= bound {
                break;
            }
            let Segment { before, needs, .. } = self.segments[index];
            if !self.segments[index].costs() || self.segments[before as usize].free {
                continue;
            }
            let mut between = false;
            each(needs & !merged, |other| {
                between |= self.segments[other].needs >> before & 1 == 1;
            });
            if !between {
                self.join(index, before);
                merged |= 1 << index;
                self.cost -= 1;
            }
        }
        if merged != 0 {
            self.drop_all(merged);
        }
        self.cost <= bound
    }

    /// Makes a segment a part of the one before it in its thread.
    fn join(&mut self, index: usize, before: u8) {
        let needs = self.segments[index].needs & !(1 << before);
        let into = &mut self.segments[before as usize];
        into.needs |= needs;
        into.only_waits = false;
        let all = into.needs | 1 << before;
        for (other, segment) in self.segments.iter_mut().enumerate() {
            if other != before as usize
                && other != index
                && (segment.needs >> index & 1 == 1 || segment.needs >> before & 1 == 1)
            {
                segment.needs |= all;
            }
            if segment.before == index as u8 {
                segment.before = before;
            }
        }
    }
}
