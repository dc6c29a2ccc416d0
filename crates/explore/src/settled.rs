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
//! 4. what is before one of these by `co` or `rb`: a revisit that deletes or revisits it keeps the
//!    later write, which must then be `porf`-before the revisiting one, and so makes it not maximal;
//! 5. what is older than every read that is left out by 1 to 4: only such reads are revisited.
//!
//! So the settled part is closed under all of `po ∪ rf ∪ co ∪ rb`, and everything else was added by
//! maximal steps: a run of the settled part can be continued with the rest in insertion order. That
//! gives an upper bound on the preemptions that the graph needs for little work: a run of the settled
//! part is continued with what becomes settled, at one preemption for each thread that is taken up
//! again, and is made anew only when that does not work or costs too much.
//!
//! Invariants: there is one level a frame of the search; `seen` events of the level's graph are
//! accounted for; `marks` are the events among them with which the settled part grew, oldest first,
//! with what was known before each. When somebody looks only after several steps, an event may make
//! younger ones settled; it is then accounted for anew when one of these is taken back.

use norn_action::ThreadId;
use norn_graph::{Event, EventId, EventKind, Graph};
use serde::{Deserialize, Serialize};

/// No read is left out.
const NONE: u32 = u32::MAX;

/// A run of the settled part, as far as it matters.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Run {
    /// How many preemptions it has, or more; `u32::MAX` if no run is known.
    pub preemptions: u32,
    /// The thread that it ends with.
    pub last: ThreadId,
    /// Whether it can be continued with the rest of the graph at no further cost in the part so far.
    pub certain: bool,
}

impl Run {
    const EMPTY: Run = Run { preemptions: 0, last: ThreadId::MAIN, certain: true };
    const UNKNOWN: Run = Run { preemptions: u32::MAX, last: ThreadId::MAIN, certain: true };

    /// Continues the run with an event.
    #[inline]
    fn go_on(&mut self, id: EventId) {
        if id.thread() != self.last {
            self.last = id.thread();
            self.preemptions = self.preemptions.saturating_add(u32::from(id.position() > 0));
        }
    }
}

/// What to go back to when an event is taken back.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Mark {
    /// The stamp of the event with which the settled part grew.
    stamp: u32,
    /// No event that became settled then or before is younger.
    youngest: u32,
    first: u32,
    run: Run,
    /// Where the clock from before starts in `Level::clocks`.
    start: u32,
}

/// One frame of the search.
#[derive(Clone, Serialize, Deserialize)]
pub struct Level {
    /// How many events of each thread are settled. What is so by 5 may be missing.
    clock: Vec<u32>,
    /// The stamp of the oldest read that is left out.
    first: u32,
    run: Run,
    seen: u32,
    marks: Vec<Mark>,
    clocks: Vec<u32>,
    /// What the frame was made with.
    inherited: (Vec<u32>, Run),
    /// It has grown, and nobody was told.
    unseen: bool,
}

impl Level {
    /// The events from stamp `length` on were taken back.
    fn cut(&mut self, length: u32) {
        self.seen = self.seen.min(length);
        while let Some(mark) = self.marks.last().filter(|mark| mark.youngest >= length) {
            self.seen = self.seen.min(mark.stamp);
            self.clock.clear();
            self.clock.extend_from_slice(&self.clocks[mark.start as usize..]);
            self.clocks.truncate(mark.start as usize);
            self.first = mark.first;
            self.run = mark.run;
            self.marks.pop();
        }
        if self.first != NONE && self.first >= length {
            self.first = NONE;
        }
    }

    fn new() -> Level {
        Level {
            clock: Vec::new(),
            first: NONE,
            run: Run::EMPTY,
            seen: 0,
            marks: Vec::new(),
            clocks: Vec::new(),
            inherited: (Vec::new(), Run::EMPTY),
            unseen: false,
        }
    }
}

/// The settled part of the graph of each frame.
pub(crate) struct Settled {
    levels: Vec<Level>,
    depth: usize,
}

impl Settled {
    pub(crate) fn new() -> Settled {
        Settled { levels: vec![Level::new()], depth: 0 }
    }

    /// How many frames there are below this one.
    #[inline]
    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    /// Takes the new events of the graph into account. True if the settled part has grown in a way
    /// that may cost a preemption.
    #[inline]
    pub(crate) fn look(&mut self, graph: &Graph) -> bool {
        let level = &mut self.levels[self.depth];
        let mut grown = std::mem::take(&mut level.unseen);
        for &id in &graph.order()[level.seen as usize..] {
            grown |= level.take(graph, id);
        }
        level.seen = graph.len() as u32;
        grown
    }

    /// How many events of each thread are settled.
    pub(crate) fn counts(&self, graph: &Graph) -> &[u32] {
        &self.levels[self.depth].clock[..graph.thread_count()]
    }

    /// The preemptions of the run of the settled part that is known.
    #[inline]
    pub(crate) fn upper_bound(&self) -> u32 {
        self.levels[self.depth].run.preemptions
    }

    /// The preemptions of that run when it is continued with the rest of the graph.
    pub(crate) fn upper_bound_of_all(&self, graph: &Graph) -> u32 {
        let level = &self.levels[self.depth];
        let mut run = if level.run.certain { level.run } else { Run::UNKNOWN };
        let rest = graph.order().iter().filter(|&&id| !is_in(&level.clock, id));
        rest.for_each(|&id| run.go_on(id));
        run.preemptions
    }

    /// A run of the settled part was found.
    pub(crate) fn found(&mut self, run: Run) {
        self.levels[self.depth].run = run;
    }

    /// The events from stamp `length` on were taken back.
    #[inline]
    pub(crate) fn cut(&mut self, length: u32) {
        self.levels[self.depth].cut(length);
    }

    /// The level at `depth`, if its graph had `length` events only.
    pub(crate) fn part(&self, depth: usize, length: u32) -> Level {
        let mut level = self.levels[depth].clone();
        level.cut(length);
        level
    }

    /// Starts with a level from elsewhere.
    pub(crate) fn take_part(&mut self, part: Level) {
        self.depth = 0;
        self.levels[0] = part;
    }

    /// A frame is made for a revisit; `graph` is that of the frame below.
    pub(crate) fn enter(&mut self, graph: &Graph) {
        let grown = self.look(graph);
        self.levels[self.depth].unseen |= grown;
        self.depth += 1;
        if self.levels.len() == self.depth {
            self.levels.push(Level::new());
        }
        let (below, above) = self.levels.split_at_mut(self.depth);
        let below = &below[self.depth - 1];
        above[0].inherited.0.clone_from(&below.clock);
        above[0].inherited.1 = below.run;
    }

    /// The frame is left.
    pub(crate) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// In this frame, `write` has revisited `read`, which is there unless it was displaced.
    pub(crate) fn revisited(&mut self, graph: &Graph, write: EventId, read: EventId) {
        let level = &mut self.levels[self.depth];
        level.clock.clone_from(&level.inherited.0);
        level.run = level.inherited.1;
        level.marks.clear();
        level.clocks.clear();
        level.clocks.extend_from_slice(&level.clock);
        level.first = 0;
        level.settle(graph, write, 0);
        let displaced = graph.thread_len(read.thread()) <= read.position();
        if !displaced && !is_newest(graph, graph.event(read)) {
            level.settle(graph, read, 0);
            level.run = Run::UNKNOWN;
        }
        level.clocks.clear();
        level.seen = graph.len() as u32;
        level.unseen = true;
    }
}

impl Level {
    /// Takes an event into account.
    #[inline]
    fn take(&mut self, graph: &Graph, id: EventId) -> bool {
        let event = graph.event(id);
        if !is_newest(graph, event) {
            // The second half of a read-modify-write tells for the first.
            return !(event.is_read() && event.is_exclusive()) && self.grow(graph, id);
        }
        if self.first != NONE {
            return false;
        }
        if event.is_read() {
            self.first = event.stamp;
            return false;
        }
        // Everything is settled. The thread's first event costs nothing, nor does going on with it.
        let Some(stamp) = event.stamp.checked_sub(1) else { return false };
        let before = graph.order()[stamp as usize];
        let last = if is_in(&self.clock, before) { self.run.last } else { before.thread() };
        id.position() > 0 && last != id.thread() && self.grow(graph, id)
    }

    /// Remembers what is known, then settles `id`.
    fn grow(&mut self, graph: &Graph, id: EventId) -> bool {
        let start = self.clocks.len() as u32;
        let stamp = graph.event(id).stamp;
        let older = self.marks.last().map_or(0, |mark| mark.youngest);
        let (first, run) = (self.first, self.run);
        self.clocks.extend_from_slice(&self.clock);
        let youngest = self.settle(graph, id, start as usize).max(older);
        self.marks.push(Mark { stamp, youngest, first, run, start });
        true
    }

    /// Settles `id` and all that follows from it; none of that is younger than the stamp returned. The
    /// clock from before is in `clocks` from `start` on.
    fn settle(&mut self, graph: &Graph, id: EventId, start: usize) -> u32 {
        let stamp = graph.event(id).stamp;
        join(&mut self.clock, graph.clock(0, id));
        self.clocks.resize(start + self.clock.len(), 0);
        let before = &self.clocks[start..];
        close(graph, &mut self.clock, before);
        if self.first != NONE {
            self.first = first_left_out(graph, &self.clock, self.first);
        }
        include_older(graph, &mut self.clock, self.first.min(stamp + 1));
        let Some(run) = continued(graph, self.run, before, &self.clock, stamp) else {
            self.run = Run::UNKNOWN;
            return graph.len() as u32 - 1;
        };
        let comes_first = next_older_write(graph, id).is_some_and(|next| is_in(&self.clock, next));
        self.run = if comes_first { Run::UNKNOWN } else { run };
        stamp
    }
}

/// Adds what is before the writes in `clock` by `co` and `rb` and everything `porf`-before that, if
/// this holds already for what is in `before`.
fn close(graph: &Graph, clock: &mut [u32], before: &[u32]) {
    let mut moved = true;
    let mut closed = smallvec::SmallVec::<[u32; 16]>::from_slice(before);
    while moved {
        moved = false;
        for t in 0..graph.thread_count() {
            while closed[t] < clock[t] {
                let event = &graph.thread_events(ThreadId(t as u32))[closed[t] as usize];
                closed[t] += 1;
                if event.is_write() {
                    let previous = graph.co_at(event.location, event.other);
                    let readers = graph.readers(previous, event.location);
                    for id in std::iter::once(previous).filter(|id| id.is_real()).chain(readers) {
                        if !is_in(clock, id) {
                            join_known(clock, graph.clock(0, id));
                            moved = true;
                        }
                    }
                }
            }
        }
    }
}

/// The oldest read from stamp `from` on that is not in `clock`.
fn first_left_out(graph: &Graph, clock: &[u32], from: u32) -> u32 {
    let later = &graph.order()[from as usize..];
    let found = later.iter().position(|&id| !is_in(clock, id) && graph.event(id).is_read());
    found.map_or(NONE, |at| from + at as u32)
}

/// Adds what is older than `stamp`.
fn include_older(graph: &Graph, clock: &mut [u32], stamp: u32) {
    for (t, count) in clock.iter_mut().enumerate().take(graph.thread_count()) {
        let later = &graph.thread_events(ThreadId(t as u32))[*count as usize..];
        *count += later.iter().take_while(|event| event.stamp < stamp).count() as u32;
    }
}

/// The run, continued with what is in `after` and not in `before`; none if something of that is
/// younger than `stamp`.
fn continued(
    graph: &Graph,
    mut run: Run,
    before: &[u32],
    after: &[u32],
    stamp: u32,
) -> Option<Run> {
    let mut left: u32 = after.iter().sum::<u32>() - before.iter().sum::<u32>();
    for &id in &graph.order()[..=stamp as usize] {
        if is_in(after, id) && !is_in(before, id) {
            run.go_on(id);
            left -= 1;
            if left == 0 {
                break;
            }
        }
    }
    (left == 0).then_some(run)
}

/// Where the writes that come after an event in coherence order begin.
#[inline]
fn index_after(graph: &Graph, event: &Event) -> Option<u32> {
    match event.kind {
        EventKind::Read => Some(graph.co_index(event.rf)),
        EventKind::Write => Some(event.other + 1),
        _ => None,
    }
}

/// The next write after `id` in coherence order that is older than it.
fn next_older_write(graph: &Graph, id: EventId) -> Option<EventId> {
    let event = graph.event(id);
    let newer = &graph.location_if_any(event.location)?.co[index_after(graph, event)? as usize..];
    newer.iter().copied().find(|&write| graph.event(write).stamp < event.stamp)
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

fn join(clock: &mut Vec<u32>, other: &[u32]) {
    if clock.len() < other.len() {
        clock.resize(other.len(), 0);
    }
    join_known(clock, other);
}

#[inline]
fn join_known(clock: &mut [u32], other: &[u32]) {
    for (a, b) in clock.iter_mut().zip(other) {
        *a = (*a).max(*b);
    }
}
