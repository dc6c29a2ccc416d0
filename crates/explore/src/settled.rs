//! The settled part of a graph: events that no continuation of the search takes back.
//!
//! A backward revisit of a read `r` deletes events that were added after `r`, and all of them and
//! `r` itself must be maximally added ([`crate::maximal`]). So these stay for ever:
//!
//! 1. an event that is not maximal because of events older than itself: a read that passed over a
//!    newer write, a write that was placed before another, an answer other than the first;
//! 2. a write that revisited a read which was older than it (it has an older reader, or displaced a
//!    ghost). The read can be deleted or revisited again only by a write that this one is
//!    `porf`-before;
//! 3. what is `porf`-before one of these, for what is kept is `porf`-closed. If 1 ceases to hold
//!    because the older event is deleted, then by a revisit whose write the event is `porf`-before;
//! 4. what is older than every read that is left out by 1 to 3: only such reads are revisited.
//!
//! 1 to 3 are one clock, which only grows on the way down; 4 is one stamp. Both are kept
//! incrementally: a look costs O(1) where the new event is maximally added, and most are.
//!
//! Invariants: there is one level a frame of the search; `seen` events of the level's graph are
//! accounted for; `marks` are the events among them that made the clock grow, oldest first, with what
//! was known before each.

use norn_graph::{Event, EventId, EventKind, Graph};

/// No read is left out.
const NONE: u32 = u32::MAX;

/// What to go back to when an event is taken back.
#[derive(Clone, Copy)]
struct Mark {
    /// The stamp of the event that made the clock grow.
    stamp: u32,
    first: u32,
    /// Where the clock from before starts in `Level::clocks`.
    start: u32,
}

/// One frame of the search.
#[derive(Default)]
struct Level {
    /// The clock of 1 to 3.
    clock: Vec<u32>,
    /// The stamp of the oldest read that is left out.
    first: u32,
    seen: u32,
    marks: Vec<Mark>,
    clocks: Vec<u32>,
    /// The clock that the frame was made with.
    inherited: Vec<u32>,
    /// A revisit was done that nobody has looked at.
    revisited: bool,
}

/// The settled part of the graph of each frame.
pub(crate) struct Settled {
    levels: Vec<Level>,
    depth: usize,
}

impl Settled {
    pub(crate) fn new() -> Settled {
        let bottom = Level { first: NONE, ..Level::default() };
        Settled { levels: vec![bottom], depth: 0 }
    }

    /// How many frames there are below this one.
    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    /// Takes the new events of the graph into account. True if the settled part has grown in a way
    /// that may cost a preemption.
    pub(crate) fn look(&mut self, graph: &Graph) -> bool {
        let level = &mut self.levels[self.depth];
        let mut grown = std::mem::take(&mut level.revisited);
        for &id in &graph.order()[level.seen as usize..] {
            grown |= level.take(graph, id);
        }
        level.seen = graph.len() as u32;
        grown
    }

    /// The events from stamp `length` on were taken back.
    #[inline]
    pub(crate) fn cut(&mut self, length: u32) {
        let level = &mut self.levels[self.depth];
        level.seen = level.seen.min(length);
        while let Some(mark) = level.marks.last().filter(|mark| mark.stamp >= length) {
            level.clock.clear();
            level.clock.extend_from_slice(&level.clocks[mark.start as usize..]);
            level.clocks.truncate(mark.start as usize);
            level.first = mark.first;
            level.marks.pop();
        }
        if level.first != NONE && level.first >= length {
            level.first = NONE;
        }
    }

    /// A frame is made for a revisit.
    pub(crate) fn enter(&mut self) {
        self.depth += 1;
        if self.levels.len() == self.depth {
            self.levels.push(Level::default());
        }
        let (below, above) = self.levels.split_at_mut(self.depth);
        above[0].inherited.clone_from(&below[self.depth - 1].clock);
    }

    /// The frame is left.
    pub(crate) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// In this frame, `write` has revisited `read`, which is there unless it was displaced.
    pub(crate) fn revisited(&mut self, graph: &Graph, write: EventId, read: EventId) {
        let level = &mut self.levels[self.depth];
        level.clock.clone_from(&level.inherited);
        level.marks.clear();
        level.clocks.clear();
        join(&mut level.clock, graph.clock(0, write));
        let displaced = graph.thread_len(read.thread()) <= read.position();
        if !displaced && passes_over_older_write(graph, read) {
            join(&mut level.clock, graph.clock(0, read));
        }
        level.first = level.first_left_out(graph, 0);
        level.seen = graph.len() as u32;
        level.revisited = true;
    }

    /// Leaves the number of settled events of each thread in `counts`.
    pub(crate) fn counts(&self, graph: &Graph, counts: &mut Vec<u32>) {
        let level = &self.levels[self.depth];
        counts.clear();
        for t in 0..graph.thread_count() {
            let events = graph.thread_events(norn_action::ThreadId(t as u32));
            let known = level.clock.get(t).copied().unwrap_or(0);
            let older = events[known as usize..].iter().take_while(|e| e.stamp < level.first);
            counts.push(known + older.count() as u32);
        }
    }
}

impl Level {
    /// Takes an event into account that was just added.
    #[inline]
    fn take(&mut self, graph: &Graph, id: EventId) -> bool {
        let event = graph.event(id);
        if !is_newest(graph, event) {
            if event.is_read() && event.is_exclusive() {
                // Its write comes next and tells.
                return false;
            }
            self.settle(graph, id, event.stamp);
            return true;
        }
        if self.first != NONE {
            return false;
        }
        if event.is_read() {
            self.first = event.stamp;
            return false;
        }
        if event.is_write() && event.is_exclusive() {
            self.first = graph.event(EventId::new(id.thread(), id.position() - 1)).stamp;
            return false;
        }
        // Everything is settled. The thread's first event costs nothing, nor does going on with it.
        let before = event.stamp.checked_sub(1).map(|stamp| graph.order()[stamp as usize]);
        id.position() > 0 && before.is_some_and(|before| before.thread() != id.thread())
    }

    fn settle(&mut self, graph: &Graph, id: EventId, stamp: u32) {
        let start = self.clocks.len() as u32;
        self.marks.push(Mark { stamp, first: self.first, start });
        self.clocks.extend_from_slice(&self.clock);
        join(&mut self.clock, graph.clock(0, id));
        if self.first != NONE {
            self.first = self.first_left_out(graph, self.first);
        }
    }

    fn first_left_out(&self, graph: &Graph, from: u32) -> u32 {
        let is_left_out = |id: EventId| {
            let known = self.clock.get(id.thread().index()).copied().unwrap_or(0);
            graph.event(id).is_read() && known <= id.position()
        };
        let later = &graph.order()[from as usize..];
        later.iter().position(|&id| is_left_out(id)).map_or(NONE, |at| from + at as u32)
    }
}

/// Whether an event that was just added is maximal.
#[inline]
fn is_newest(graph: &Graph, event: &Event) -> bool {
    match event.kind {
        EventKind::Read => {
            graph.co_index(event.rf) as usize == graph.location(event.location).co.len()
        }
        EventKind::Write => event.other as usize + 1 == graph.location(event.location).co.len(),
        EventKind::Choose => event.value == norn_action::Value::ZERO,
        _ => true,
    }
}

fn passes_over_older_write(graph: &Graph, read: EventId) -> bool {
    let event = graph.event(read);
    let newer = &graph.location(event.location).co[graph.co_index(event.rf) as usize..];
    newer.iter().any(|&write| graph.event(write).stamp < event.stamp)
}

fn join(clock: &mut Vec<u32>, other: &[u32]) {
    if clock.len() < other.len() {
        clock.resize(other.len(), 0);
    }
    for (a, b) in clock.iter_mut().zip(other) {
        *a = (*a).max(*b);
    }
}
