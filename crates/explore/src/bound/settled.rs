//! The settled part of a graph: events that no continuation of the search takes back.
//!
//! A backward revisit of a read `r` deletes events that were added after `r`, and all of them and
//! `r` itself must be maximally added ([`crate::trust`]). So these stay for ever:
//!
//! 1. an event that is not maximal because of events older than itself: a read that passed over a
//!    newer write, a write that was placed before another, an answer other than the first;
//! 2. a write that revisited a read which was older than it (it has an older reader, or displaced a
//!    ghost). The read can be deleted or revisited again only by a write that this one is
//!    `porf`-before;
//! 3. what is `porf`-before one of these, for what is kept is `porf`-closed. If 1 ceases to hold
//!    because the older event is deleted, then by a revisit whose write the event is `porf`-before;
//! 4. what is before one of these by `co` or `rb`: a revisit that deletes or revisits it keeps the
//!    later write, which must then be `porf`-before the revisiting one, and so makes it not maximal;
//! 5. what is older than every read that is left out by 1 to 4: only such reads are revisited.
//!
//! So the settled part is closed under all of `po ∪ rf ∪ co ∪ rb`, and everything else was added by
//! maximal steps.
//!
//! It is found from the graph when somebody asks. All that the graph does not tell is which writes have
//! displaced a read. So the writes of all revisits that led to the graph are kept: there is one a frame,
//! and none in the first.

use norn_action::ThreadId;
use norn_graph::{Event, EventId, EventKind, Graph};

/// The settled part of the graph at hand.
#[derive(Default)]
pub(crate) struct Settled {
    /// The write of each frame's revisit.
    writes: Vec<EventId>,
    /// Those of the frames below the first, which are elsewhere.
    inherited: Vec<EventId>,
    /// How many events of each thread are settled.
    counts: Vec<u32>,
    /// How many were the last time that the part was found to be good. All their stamps are less than
    /// `good_below`, which is 0 if they are not the same events any more.
    good: Vec<u32>,
    good_below: u32,
    /// The length of the graph for which `counts` hold, and the oldest read that is left out.
    seen: u32,
    first: Option<u32>,
    closed: Vec<u32>,
}

impl Settled {
    /// How many frames there are below this one.
    #[inline]
    pub(crate) fn depth(&self) -> usize {
        self.writes.len()
    }

    /// Finds the settled part. False if it is known to be good.
    pub(crate) fn look(&mut self, graph: &Graph) -> bool {
        if self.is_same(graph) {
            self.seen = graph.len() as u32;
        } else {
            self.find(graph);
        }
        self.good_below == 0 || self.counts != self.good
    }

    /// How many events of each thread are settled.
    pub(crate) fn counts(&self) -> &[u32] {
        &self.counts
    }

    /// The settled part is good.
    pub(crate) fn is_good(&mut self, graph: &Graph) {
        self.good.clone_from(&self.counts);
        let last = |(t, &count): (usize, &u32)| {
            let last =
                graph.thread_events(ThreadId(t as u32)).get(count.checked_sub(1)? as usize)?;
            Some(last.stamp + 1)
        };
        self.good_below = self.counts.iter().enumerate().filter_map(last).max().unwrap_or(0);
    }

    /// Whether no event that was added since the last look settles anything.
    fn is_same(&self, graph: &Graph) -> bool {
        self.seen > 0
            && self.first.is_some()
            && self.counts.len() == graph.thread_count()
            && graph.order()[self.seen as usize..]
                .iter()
                .all(|&id| is_newest(graph, graph.event(id)))
    }

    fn find(&mut self, graph: &Graph) {
        let Settled { writes, inherited, counts, closed, .. } = self;
        counts.clear();
        counts.resize(graph.thread_count(), 0);
        for &write in inherited.iter().chain(writes.iter()).filter(|write| write.is_real()) {
            join(counts, graph.clock(0, write));
        }
        for &id in graph.order() {
            let event = graph.event(id);
            // The second half of a read-modify-write tells for the first.
            let is_half = event.is_read() && event.is_exclusive();
            if !is_half && !is_in(counts, id) && !is_newest(graph, event) {
                join(counts, graph.clock(0, id));
            }
        }
        closed.clear();
        closed.resize(counts.len(), 0);
        close(graph, counts, closed);
        self.first = first_left_out(graph, counts);
        include_older(graph, counts, self.first.unwrap_or(graph.len() as u32));
        self.seen = graph.len() as u32;
    }

    /// The events from stamp `length` on are taken back.
    #[inline]
    pub(crate) fn cut(&mut self, length: u32) {
        if length < self.seen {
            self.seen = 0;
        }
        if length < self.good_below {
            self.good_below = 0;
        }
    }

    /// What has to be known of the graph at `depth`.
    pub(crate) fn part(&self, depth: usize) -> Vec<EventId> {
        [&self.inherited, &self.writes[..depth]].concat()
    }

    /// Starts with a graph from elsewhere.
    pub(crate) fn take_part(&mut self, part: Vec<EventId>) {
        self.inherited = part;
        self.writes.clear();
        self.cut(0);
    }

    /// A frame is made for a revisit.
    pub(crate) fn enter(&mut self) {
        self.writes.push(EventId::NONE);
        self.cut(0);
    }

    /// The frame is left.
    pub(crate) fn leave(&mut self) {
        self.writes.pop();
        self.cut(0);
    }

    /// In this frame, `write` has revisited a read. The frame may be from elsewhere.
    pub(crate) fn revisited(&mut self, write: EventId) {
        let last = self.writes.last_mut().or(self.inherited.last_mut());
        *last.expect("a frame was made") = write;
        self.cut(0);
    }
}

/// Adds what is before the writes in `clock` by `co` and `rb` and everything `porf`-before that, if
/// this holds already for what is in `closed`.
fn close(graph: &Graph, clock: &mut [u32], closed: &mut [u32]) {
    let mut moved = true;
    while moved {
        moved = false;
        for t in 0..graph.thread_count() {
            while closed[t] < clock[t] {
                let event = &graph.thread_events(ThreadId(t as u32))[closed[t] as usize];
                closed[t] += 1;
                if event.is_write() {
                    let previous = graph.co_at(event.location, event.co_index());
                    let readers = graph.readers(previous, event.location);
                    for id in std::iter::once(previous).filter(|id| id.is_real()).chain(readers) {
                        if !is_in(clock, id) {
                            join(clock, graph.clock(0, id));
                            moved = true;
                        }
                    }
                }
            }
        }
    }
}

/// The oldest read that is not in `clock`.
fn first_left_out(graph: &Graph, clock: &[u32]) -> Option<u32> {
    let is_left_out = |&id: &EventId| !is_in(clock, id) && graph.event(id).is_read();
    graph.order().iter().position(is_left_out).map(|at| at as u32)
}

/// Adds what is older than `stamp`.
fn include_older(graph: &Graph, clock: &mut [u32], stamp: u32) {
    for (t, count) in clock.iter_mut().enumerate().take(graph.thread_count()) {
        let later = &graph.thread_events(ThreadId(t as u32))[*count as usize..];
        *count += later.iter().take_while(|event| event.stamp < stamp).count() as u32;
    }
}

/// Where the writes that come after an event in coherence order begin.
#[inline]
fn index_after(graph: &Graph, event: &Event) -> Option<u32> {
    match event.kind {
        EventKind::Read => Some(graph.co_index(event.rf)),
        EventKind::Write => Some(event.co_index() + 1),
        _ => None,
    }
}

/// Whether no older event keeps this one from being maximally added.
#[inline]
fn is_newest(graph: &Graph, event: &Event) -> bool {
    let Some(index) = index_after(graph, event) else {
        return event.kind != EventKind::Choose || event.value == norn_action::Value::ZERO;
    };
    let newer = &graph.location(event.location).co[index as usize..];
    newer.iter().all(|&write| graph.event(write).stamp > event.stamp)
}

#[inline]
fn is_in(clock: &[u32], id: EventId) -> bool {
    clock.get(id.thread().index()).is_some_and(|&count| count > id.position())
}

#[inline]
fn join(clock: &mut [u32], other: &[u32]) {
    for (a, b) in clock.iter_mut().zip(other) {
        *a = (*a).max(*b);
    }
}
