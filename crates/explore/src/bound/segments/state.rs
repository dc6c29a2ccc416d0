//! Segments and their order, for the covered part of a graph.

use norn_action::ThreadId;
use norn_graph::{Event, EventId, EventKind, Graph};

/// A set of segments, by their index.
pub(super) type Set = u64;

/// There are no more of them than that.
pub(super) const MOST: usize = Set::BITS as usize;

/// No segment.
pub(super) const NONE: u8 = u8::MAX;

#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    /// The index of its thread.
    thread: u16,
    /// The position of its first event.
    pub start: u32,
    /// The segment of the same thread before it.
    pub before: u8,
    /// It begins with an operation that waits, and needs nothing that this does not wait for.
    pub free: bool,
    /// It has nothing but operations that wait.
    pub only_waits: bool,
    /// The segments that come before it.
    pub needs: Set,
}

impl Segment {
    /// A segment that may cost a preemption, or not if it is `free`.
    pub(super) fn new(thread: ThreadId, start: u32, before: u8, free: bool, needs: Set) -> Segment {
        Segment { thread: thread.0 as u16, start, before, free, only_waits: free, needs }
    }

    #[inline]
    pub(super) fn thread(&self) -> ThreadId {
        ThreadId(u32::from(self.thread))
    }

    /// Whether a preemption may be in front of it.
    #[inline]
    pub(super) fn costs(&self) -> bool {
        self.start > 0 && !self.free
    }
}

#[derive(Debug, Default)]
pub(super) struct State {
    pub segments: Vec<Segment>,
    /// The last segment of each thread.
    pub last: Vec<u8>,
    /// How many events of each thread are covered.
    pub counts: Vec<u32>,
    /// The preemptions of the run.
    pub cost: u32,
    /// No segment needs any other than these.
    pub(super) needed: Set,
    /// How to take back what was done.
    pub log: Vec<Undo>,
    /// All segments, as they were before changes that went deeper.
    saved: Vec<Segment>,
    /// Segments from this one on were begun by the step that is being added.
    fresh: usize,
    /// What comes right before each segment, while that is found out.
    pub(super) direct: Vec<Set>,
}

/// How to take back one change.
#[derive(Clone, Copy, Debug)]
pub(super) enum Undo {
    /// The segment of this index had these needs.
    Needs(u8, Set),
    /// It was free.
    Free(u8),
    /// It had nothing but operations that wait.
    OnlyWaits(u8),
    /// There was no such segment.
    Begin,
    /// The segments were those that were saved from here on.
    All(u32),
}

/// Why a step could not be added.
#[derive(Clone, Copy, Debug)]
pub(super) enum Refused {
    /// There are too many segments.
    Full,
    /// It must come before this one, which would have to begin a segment.
    Cycle(EventId),
}

impl State {
    pub(super) fn copy(&mut self, other: &State) {
        self.segments.clear();
        self.segments.extend_from_slice(&other.segments);
        self.last.clear();
        self.last.extend_from_slice(&other.last);
        self.counts.clear();
        self.counts.extend_from_slice(&other.counts);
        self.cost = other.cost;
        self.needed = other.needed;
    }

    pub(super) fn clear(&mut self) {
        self.segments.clear();
        self.last.clear();
        self.counts.clear();
        self.cost = 0;
        self.needed = 0;
        self.forget_log();
    }

    /// Nothing will be taken back.
    pub(super) fn forget_log(&mut self) {
        self.log.clear();
        self.saved.clear();
    }

    #[inline]
    pub(super) fn covers(&self, id: EventId) -> bool {
        self.counts.get(id.thread().index()).is_some_and(|&count| count > id.position())
    }

    /// The segment of a covered event.
    #[inline]
    pub(super) fn segment_of(&self, id: EventId) -> u8 {
        let mut index = self.last[id.thread().index()];
        while self.segments[index as usize].start > id.position() {
            index = self.segments[index as usize].before;
        }
        index
    }

    /// Takes back what was done after the log had that length. What is covered does not change.
    #[inline]
    pub(super) fn undo(&mut self, length: usize) {
        while self.log.len() > length {
            match self.log.pop().expect("an entry") {
                Undo::Needs(index, needs) => self.segments[index as usize].needs = needs,
                Undo::Free(index) => {
                    self.segments[index as usize].free = true;
                    self.cost -= 1;
                }
                Undo::OnlyWaits(index) => self.segments[index as usize].only_waits = true,
                Undo::Begin => {
                    let segment = self.segments.pop().expect("a segment");
                    self.last[segment.thread().index()] = segment.before;
                    self.cost -= u32::from(segment.costs());
                }
                Undo::All(start) => self.restore(start as usize),
            }
        }
    }

    fn restore(&mut self, start: usize) {
        let State { segments, last, cost, saved, needed, .. } = self;
        segments.clear();
        segments.extend_from_slice(&saved[start..]);
        saved.truncate(start);
        last.fill(NONE);
        *cost = 0;
        for (index, segment) in segments.iter().enumerate() {
            let last = &mut last[segment.thread().index()];
            if *last == NONE || segments[*last as usize].start < segment.start {
                *last = index as u8;
            }
            *cost += u32::from(segment.costs());
            *needed |= segment.needs;
        }
    }

    /// Takes everything from another state but what was done.
    pub(super) fn adopt(&mut self, other: &mut State) {
        std::mem::swap(&mut self.segments, &mut other.segments);
        std::mem::swap(&mut self.last, &mut other.last);
        std::mem::swap(&mut self.counts, &mut other.counts);
        self.cost = other.cost;
        self.needed = other.needed;
    }

    /// Drops the segments of which nothing is covered.
    pub(super) fn drop_empty(&mut self) {
        let mut empty: Set = 0;
        for (index, segment) in self.segments.iter().enumerate() {
            let is_empty = segment.start >= self.counts[segment.thread().index()];
            empty |= Set::from(is_empty) << index;
        }
        if empty != 0 {
            self.drop_all(empty);
        }
    }

    /// Drops these segments.
    pub(super) fn drop_all(&mut self, dropped: Set) {
        let State { segments, last, cost, needed, .. } = self;
        let kept_or_before = |mut index: u8| {
            while index != NONE && dropped >> index & 1 == 1 {
                index = segments[index as usize].before;
            }
            if index == NONE {
                return NONE;
            }
            index - (dropped & ((1 << index) - 1)).count_ones() as u8
        };
        let renamed: smallvec::SmallVec<[u8; MOST]> =
            segments.iter().map(|segment| kept_or_before(segment.before)).collect();
        last.iter_mut().for_each(|last| *last = kept_or_before(*last));
        *cost = 0;
        *needed = 0;
        let low = dropped.trailing_zeros();
        let last_only = (dropped >> low).count_ones() == segments.len() as u32 - low;
        let mut index = 0;
        segments.retain_mut(|segment| {
            let keeps = dropped >> index & 1 == 0;
            segment.before = renamed[index];
            index += 1;
            // If only the last ones go, the others keep their place.
            let mut left = if last_only { 0 } else { dropped };
            segment.needs &= !dropped;
            while left != 0 {
                // The highest first, so that the others keep their place.
                let high = left.ilog2();
                let below = (1 << high) - 1;
                segment.needs = segment.needs & below | segment.needs >> 1 & !below;
                left &= below;
            }
            *cost += u32::from(keeps && segment.costs());
            *needed |= segment.needs;
            keeps
        });
    }

    /// All segments are about to change.
    pub(super) fn change_all(&mut self) {
        self.log.push(Undo::All(self.saved.len() as u32));
        self.saved.extend_from_slice(&self.segments);
    }

    /// Begins a segment.
    fn begin(&mut self, id: EventId, free: bool) -> Result<u8, Refused> {
        if self.segments.len() == MOST {
            return Err(Refused::Full);
        }
        let thread = id.thread();
        if self.last.len() <= thread.index() {
            self.last.resize(thread.index() + 1, NONE);
            self.counts.resize(thread.index() + 1, 0);
        }
        let index = self.segments.len() as u8;
        let before = std::mem::replace(&mut self.last[thread.index()], index);
        let needs = match before {
            NONE => 0,
            before => self.segments[before as usize].needs | 1 << before,
        };
        let segment = Segment::new(thread, id.position(), before, free, needs);
        self.cost += u32::from(segment.costs());
        self.needed |= needs;
        self.segments.push(segment);
        self.log.push(Undo::Begin);
        Ok(index)
    }

    /// Segment `later` needs the segments `earlier` as well, none of which needs it.
    #[inline]
    fn order(&mut self, earlier: Set, later: u8) {
        let mut all = earlier;
        each(earlier, |index| all |= self.segments[index].needs);
        debug_assert!(all >> later & 1 == 0, "a cycle");
        self.needed |= all;
        self.need(later as usize, all);
        if self.needed >> later & 1 == 1 {
            for index in 0..self.segments.len() {
                if self.segments[index].needs >> later & 1 == 1 {
                    self.need(index, all);
                }
            }
        }
    }

    /// A segment needs these as well.
    #[inline]
    fn need(&mut self, index: usize, all: Set) {
        let needs = self.segments[index].needs;
        if needs | all != needs {
            if index < self.fresh {
                self.log.push(Undo::Needs(index as u8, needs));
            }
            self.segments[index].needs = needs | all;
        }
    }

    /// Covers the step that begins with `id`, which has `width` events. If it is refused, the state is
    /// of no use any more, but for what was saved.
    pub(super) fn add(&mut self, graph: &Graph, id: EventId, width: u32) -> Result<(), Refused> {
        let event = graph.event(id);
        let waits = event.kind == EventKind::Join || event.kind == EventKind::Leave;
        self.fresh = self.segments.len();
        let mut needs = self.needed_by(graph, id, event);
        if width == 2 {
            let write = EventId::new(id.thread(), id.position() + 1);
            needs |= self.needed_by(graph, write, graph.event(write));
        }
        let own = match id.position() {
            0 => {
                let own = self.begin(id, false)?;
                self.begin_after(needs, own);
                own
            }
            _ => self.place(id, event, needs, waits)?,
        };
        if self.segments[own as usize].only_waits && !waits {
            self.segments[own as usize].only_waits = false;
            self.log.push(Undo::OnlyWaits(own));
        }
        self.counts[id.thread().index()] = id.position() + width;
        for position in id.position()..id.position() + width {
            let id = EventId::new(id.thread(), position);
            while let Err(later) = self.precede(graph, id, graph.event(id), own) {
                self.split(graph, later, own)?;
            }
        }
        debug_assert!(self.is_right(graph), "{id} {self:?}");
        Ok(())
    }

    /// The segment for a step that is not the first of its thread, after all that it needs.
    #[inline]
    fn place(
        &mut self,
        id: EventId,
        event: &Event,
        needs: Set,
        waits: bool,
    ) -> Result<u8, Refused> {
        let own = self.last[id.thread().index()];
        let segment = &self.segments[own as usize];
        let new = needs & !(segment.needs | 1 << own);
        if new == 0 {
            return Ok(own);
        }
        let mut splits = if waits { !segment.only_waits } else { segment.free };
        each(new, |index| splits |= self.segments[index].needs >> own & 1 == 1);
        if !splits {
            self.order(new, own);
            return Ok(own);
        }
        if event.is_write() && event.is_exclusive() {
            // It is one step with the read before it.
            return Err(Refused::Cycle(EventId::new(id.thread(), id.position() - 1)));
        }
        let own = self.begin(id, waits)?;
        self.begin_after(needs, own);
        Ok(own)
    }

    /// A segment that was just begun needs these segments as well.
    #[inline]
    fn begin_after(&mut self, needs: Set, own: u8) {
        let mut all = self.segments[own as usize].needs | needs;
        each(needs, |index| all |= self.segments[index].needs);
        self.segments[own as usize].needs = all;
        self.needed |= all;
    }

    /// The segments of the covered events that come right before an event, except in its own thread.
    #[inline]
    pub(super) fn needed_by(&self, graph: &Graph, id: EventId, event: &Event) -> Set {
        let mut needs: Set = 0;
        let mut need = |other: EventId| {
            if other.is_real() && other.thread() != id.thread() && self.covers(other) {
                needs |= 1 << self.segment_of(other);
            }
        };
        if id.position() == 0 {
            need(graph.spawned_by(id.thread()));
        }
        match event.kind {
            EventKind::Read => need(event.rf),
            EventKind::Write => {
                let older = &graph.location(event.location).co[..event.co_index() as usize];
                let previous = older.iter().rev().copied().find(|&other| self.covers(other));
                let previous = previous.unwrap_or(EventId::INIT);
                need(previous);
                graph.readers(previous, event.location).for_each(need);
            }
            EventKind::Join | EventKind::Leave => {
                let (old, new) = (graph.clock_before(0, id), graph.clock(0, id));
                for (t, &new) in new.iter().enumerate() {
                    if new > old.get(t).copied().unwrap_or(0) {
                        need(EventId::new(ThreadId(t as u32), new - 1));
                    }
                }
            }
            _ => {}
        }
        needs
    }

    /// Lets the event, which was just covered in the segment `own`, come before covered events that must
    /// come later. If one of these is in a segment that comes earlier, that is returned.
    #[inline]
    fn precede(
        &mut self,
        graph: &Graph,
        id: EventId,
        event: &Event,
        own: u8,
    ) -> Result<(), EventId> {
        let Some(next) = self.next_write(graph, event) else { return Ok(()) };
        if next.is_real() {
            self.come_before(own, next)?;
        }
        if event.is_write() {
            for read in graph.readers(id, event.location) {
                if self.covers(read) {
                    self.come_before(own, read)?;
                    if next.is_real() {
                        self.come_before(self.segment_of(read), next)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The covered write after an access in coherence order; nothing if it is no access.
    #[inline]
    pub(super) fn next_write(&self, graph: &Graph, event: &Event) -> Option<EventId> {
        let index = match event.kind {
            EventKind::Read => graph.co_index(event.rf),
            EventKind::Write => event.co_index() + 1,
            _ => return None,
        };
        let newer = &graph.location(event.location).co[index as usize..];
        let next = newer.iter().copied().find(|&other| self.covers(other));
        Some(next.unwrap_or(EventId::NONE))
    }

    /// The segment comes before a covered event, which is returned if its segment comes earlier.
    #[inline]
    fn come_before(&mut self, own: u8, later: EventId) -> Result<(), EventId> {
        let target = self.segment_of(later);
        let segment = &self.segments[target as usize];
        if segment.thread == self.segments[own as usize].thread || segment.needs >> own & 1 == 1 {
            return Ok(());
        }
        if self.segments[own as usize].needs >> target & 1 == 1 {
            return Err(later);
        }
        let segment = &mut self.segments[target as usize];
        if segment.free {
            segment.free = false;
            self.cost += 1;
            self.log.push(Undo::Free(target));
        }
        self.order(1 << own, target);
        Ok(())
    }

    /// Whether the invariants hold.
    pub(super) fn is_right(&self, graph: &Graph) -> bool {
        let is_closed = |index: usize| {
            let needs = self.segments[index].needs;
            let mut all = needs;
            each(needs, |other| all |= self.segments[other].needs);
            all == needs && needs >> index & 1 == 0
        };
        let is_ordered = |t: usize| {
            let thread = ThreadId(t as u32);
            (0..self.counts[t]).all(|position| {
                let id = EventId::new(thread, position);
                let own = self.segment_of(id);
                let mut known = self.segments[own as usize].needs | 1 << own;
                if position > 0 {
                    let previous = self.segment_of(EventId::new(thread, position - 1));
                    known = if known >> previous & 1 == 1 { known } else { 0 };
                }
                self.needed_by(graph, id, graph.event(id)) & !known == 0
            })
        };
        (0..self.segments.len()).all(is_closed) && (0..self.counts.len()).all(is_ordered)
    }
}

/// Calls `act` on each index in the set.
#[inline]
pub(super) fn each(mut set: Set, mut act: impl FnMut(usize)) {
    while set != 0 {
        act(set.trailing_zeros() as usize);
        set &= set - 1;
    }
}
