//! The events of a graph that [`Relations`] have, and how they are brought up to date with it.
//!
//! An explorer adds and takes back events, and goes from graphs to parts of them. Nobody is told: the events at hand
//! are compared with those of the graph, those from the first that is not in it are taken back, and what the graph
//! has beyond is added. The order in which they stand here need not be that of the graph, but what comes before an
//! event in `po`, and what it reads from, stands before it.
//!
//! Events have numbers, as in [`crate::view`], but in the order in which they are added; the initial write of a
//! location is added right before the first access to it.

use super::plan::Plan;
use super::relations::{Added, Relations};
use super::row::Row;
use crate::program::{BaseRel, BaseSet, Program};
use crate::view::{Operations, PO, is_access_or_fence, is_sync};
use norn_action::{Mode, ThreadId};
use norn_graph::{Event, EventId, EventKind, Flags, Graph, LocationId};

/// An event that is there, with all that makes its relations what they are.
#[derive(Clone, Copy, Debug)]
struct Entry {
    id: EventId,
    kind: EventKind,
    mode: Mode,
    flags: Flags,
    operation: u8,
    location: LocationId,
    /// What a read reads from, or the write right before a write in coherence order, among events that stand before it.
    source: EventId,
    /// Where its clock starts in [`Execution::clocks`], if that does not follow from the events before it.
    clock: u32,
    /// How many events with numbers it brought: itself, and perhaps an initial write.
    numbers: u8,
    /// Whether some check failed when it was added.
    fails: bool,
}

#[derive(Clone, Debug, Default)]
struct Thread<const W: usize> {
    /// For each position the entry of the event.
    entries: Vec<u32>,
    /// For each position how many events before it have numbers.
    ranks: Vec<u32>,
    /// The events with numbers, and for each all up to it.
    numbers: Vec<u32>,
    upto: Vec<Row<W>>,
}

/// A lineage that was followed. A copy is told nothing of it, and compares.
#[derive(Debug)]
struct Followed(u64);

impl Clone for Followed {
    fn clone(&self) -> Followed {
        Followed(0)
    }
}

/// What the explorer knows a number by.
pub(super) type Named = Result<EventId, LocationId>;

/// See the head of this file.
#[derive(Clone, Debug)]
pub(super) struct Execution<const W: usize> {
    pub relations: Relations<W>,
    entries: Vec<Entry>,
    operations: Operations,
    failing: u32,
    /// The lineage of the graph that was followed last, and the first entry whose event was added again since then.
    lineage: Followed,
    stale: usize,
    clocks: Vec<u32>,
    threads: Vec<Thread<W>>,
    /// Per location, the number of its initial write plus one, or zero.
    initials: Vec<u32>,
    /// Per number, what it stands for, the events of its location, and those before and after it in coherence order.
    names: Vec<Named>,
    same: Vec<Row<W>>,
    before: Vec<Row<W>>,
    after: Vec<Row<W>>,
    added: Added<W>,
    /// See [`super::race`].
    pub edges: Vec<(Row<W>, Row<W>)>,
}

impl<const W: usize> Execution<W> {
    pub(super) fn new(program: &Program, operations: &Operations) -> Execution<W> {
        Execution {
            relations: Relations::new(program),
            entries: Vec::new(),
            operations: operations.clone(),
            failing: 0,
            lineage: Followed(0),
            stale: usize::MAX,
            clocks: Vec::new(),
            threads: Vec::new(),
            initials: Vec::new(),
            names: Vec::new(),
            same: Vec::new(),
            before: Vec::new(),
            after: Vec::new(),
            added: Added::new(),
            edges: Vec::new(),
        }
    }

    /// How many numbers a graph may take.
    pub(super) fn most(graph: &Graph) -> usize {
        graph.len() + graph.touched().len()
    }

    /// Brings the events at hand up to date; whether all checks pass. If `gives_up`, what fails at last is not there
    /// afterwards.
    pub(super) fn follow(
        &mut self,
        program: &Program,
        plan: &Plan,
        graph: &Graph,
        gives_up: bool,
    ) -> bool {
        let known = self.known(graph);
        (self.lineage, self.stale) = (Followed(graph.lineage()), usize::MAX);
        while self.entries.len() > known {
            self.pop(plan);
        }
        // A read that was revisited stands before the write that it reads from, so one pass may not be enough.
        while self.entries.len() < graph.len() {
            let before = self.entries.len();
            let order = graph.order();
            let first = if before + 1 == order.len() && self.entry(order[before]).is_none() {
                before
            } else {
                0
            };
            for &id in &order[first..] {
                if self.entry(id).is_none() && self.is_ready(graph, id) {
                    let is_last = self.entries.len() + 1 == graph.len();
                    let gives_up = gives_up && is_last && self.failing == 0;
                    if !self.push(program, plan, graph, id, gives_up) {
                        return false;
                    }
                }
            }
            assert!(self.entries.len() > before, "what comes before an event is in the graph");
        }
        self.failing == 0
    }

    /// Whether this is the graph that was followed last.
    #[inline]
    pub(super) fn has_followed(&self, graph: &Graph) -> bool {
        self.lineage.0 != 0 && self.lineage.0 == graph.lineage()
    }

    /// Notes that an event was added to the graph.
    pub(super) fn event_added(&mut self, id: EventId) {
        if let Some(entry) = self.entry(id) {
            self.stale = self.stale.min(entry as usize);
        }
    }

    /// How many entries, from the first, are in the graph.
    fn known(&self, graph: &Graph) -> usize {
        let compare = || self.entries.iter().take_while(|entry| self.is_in(graph, entry)).count();
        if !self.has_followed(graph) {
            return compare();
        }
        // Whatever was added again was told; what was taken back is not there.
        let mut known = self.entries.len().min(self.stale);
        for (t, thread) in self.threads.iter().enumerate() {
            let length = graph.thread_len(ThreadId(t as u32)) as usize;
            let gone = thread.entries.get(length).copied();
            known = gone.map_or(known, |entry| known.min(entry as usize));
            // The end of a thread by a fault is not told.
            if let Some(&entry) = length.checked_sub(1).and_then(|last| thread.entries.get(last))
                && !self.is_in(graph, &self.entries[entry as usize])
            {
                known = known.min(entry as usize);
            }
        }
        debug_assert_eq!(known, compare().min(known), "what is left has not changed");
        known
    }

    /// Whether all that must stand before an event is there.
    fn is_ready(&self, graph: &Graph, id: EventId) -> bool {
        let event = graph.event(id);
        let there = |t: usize| self.threads.get(t).map_or(0, |thread| thread.entries.len()) as u32;
        if there(id.thread().index()) < id.position() {
            return false;
        }
        if event.is_read() && event.rf.is_real() && self.entry(event.rf).is_none() {
            return false;
        }
        if id.position() > 0 && is_access_or_fence(event.kind) {
            return true;
        }
        let own = id.thread().index();
        let clock = graph.clock(PO, id).iter().enumerate();
        clock.into_iter().all(|(t, &events)| t == own || there(t) >= events)
    }

    fn entry(&self, id: EventId) -> Option<u32> {
        self.threads.get(id.thread().index())?.entries.get(id.position() as usize).copied()
    }

    /// Whether the graph has the event, with the same relations to those that stand before it. Those are in it.
    fn is_in(&self, graph: &Graph, entry: &Entry) -> bool {
        let id = entry.id;
        if graph.thread_len(id.thread()) <= id.position() {
            return false;
        }
        let event = graph.event(id);
        if (event.kind, event.mode, event.flags) != (entry.kind, entry.mode, entry.flags) {
            return false;
        }
        if self.operations.of(event) != entry.operation {
            return false;
        }
        let is_same = match event.kind {
            EventKind::Read => event.location == entry.location && event.rf == entry.source,
            EventKind::Write => {
                event.location == entry.location
                    && self.before_in(graph, event, self.entry(id)) == entry.source
            }
            _ => true,
        };
        is_same && (entry.clock == u32::MAX || self.has_clock(graph.clock(PO, id), entry.clock))
    }

    fn has_clock(&self, clock: &[u32], start: u32) -> bool {
        let kept = &self.clocks[start as usize..];
        // Threads that came later have no events in it.
        let kept = &kept[1..1 + kept[0] as usize];
        let common = kept.len().min(clock.len());
        kept[..common] == clock[..common]
            && kept[common..].iter().chain(&clock[common..]).all(|&events| events == 0)
    }

    /// The nearest write before a write, in coherence order, whose entry stands before `limit`.
    fn before_in(&self, graph: &Graph, event: &Event, limit: Option<u32>) -> EventId {
        let limit = limit.unwrap_or(u32::MAX);
        let co = &graph.location(event.location).co;
        let earlier = co[..event.co_index() as usize].iter().rev().copied();
        let mut known =
            earlier.filter(|&write| self.entry(write).is_some_and(|entry| entry < limit));
        known.next().unwrap_or(EventId::INIT)
    }

    // ---- adding and taking back ----------------------------------------------------------------

    fn push(
        &mut self,
        program: &Program,
        plan: &Plan,
        graph: &Graph,
        id: EventId,
        gives_up: bool,
    ) -> bool {
        let event = graph.event(id);
        let source = match event.kind {
            EventKind::Read => event.rf,
            EventKind::Write => self.before_in(graph, event, None),
            _ => EventId::NONE,
        };
        let mut entry = Entry {
            id,
            kind: event.kind,
            mode: event.mode,
            flags: event.flags,
            operation: self.operations.of(event),
            location: event.location,
            source,
            clock: u32::MAX,
            numbers: 0,
            fails: false,
        };
        if id.position() == 0 || !is_access_or_fence(event.kind) {
            let clock = graph.clock(PO, id);
            entry.clock = self.clocks.len() as u32;
            self.clocks.push(clock.len() as u32);
            self.clocks.extend_from_slice(clock);
        }
        let is_access = matches!(event.kind, EventKind::Read | EventKind::Write);
        let t = id.thread().index();
        if self.threads.len() <= t {
            self.threads.resize_with(t + 1, Thread::default);
        }
        let mut passes = true;
        if is_access && self.initial(event.location).is_none() {
            passes = self.push_initial(program, plan, event.location);
            entry.numbers += 1;
        }
        let thread = &self.threads[t];
        let rank = thread.numbers.len() as u32;
        // What the main thread does before its first access and fence comes before nothing that has a number.
        let has_number = is_access_or_fence(event.kind)
            || is_sync(event.kind) && (t > 0 || !thread.numbers.is_empty());
        self.threads[t].ranks.push(rank);
        self.threads[t].entries.push(self.entries.len() as u32);
        if has_number {
            self.describe(graph, id, event, source);
            passes &= self.relations.push(program, plan, &self.added, gives_up && passes);
            if gives_up && !passes && self.relations.len() < self.names.len() {
                self.forget(&entry);
                if entry.numbers > 0 {
                    self.pop_initial(plan, entry.location);
                }
                self.leave(&entry);
                return false;
            }
            entry.numbers += 1;
        }
        entry.fails = !passes;
        self.failing += u32::from(!passes);
        self.entries.push(entry);
        true
    }

    fn initial(&self, location: LocationId) -> Option<usize> {
        let initial = *self.initials.get(location.index())?;
        (initial > 0).then(|| initial as usize - 1)
    }

    fn push_initial(&mut self, program: &Program, plan: &Plan, location: LocationId) -> bool {
        let number = self.names.len();
        if self.initials.len() <= location.index() {
            self.initials.resize(location.index() + 1, 0);
        }
        self.initials[location.index()] = number as u32 + 1;
        let own = Row::one(number);
        let mut added = Added::new();
        for set in [BaseSet::Everything, BaseSet::Write, BaseSet::Initial] {
            added.sets[set as usize] = true;
        }
        let all = Row::below(number + 1);
        for (rel, row) in [(BaseRel::Id, own), (BaseRel::Loc, own), (BaseRel::Ext, all)] {
            added.rows[rel as usize] = row;
            added.columns[rel as usize] = row;
        }
        self.names.push(Err(location));
        self.same.push(own);
        self.before.push(Row::EMPTY);
        self.after.push(Row::EMPTY);
        self.relations.push(program, plan, &added, false)
    }

    /// Sets what an event is to those before it, and puts it beside them.
    fn describe(&mut self, graph: &Graph, id: EventId, event: &Event, source: EventId) {
        let number = self.names.len();
        let own = Row::one(number);
        let mut added = &mut self.added;
        *added = Added::new();
        added.operation = self.operations.of(event);
        let mut put = |set: BaseSet| added.sets[set as usize] = true;
        put(BaseSet::Everything);
        match event.kind {
            EventKind::Read => put(BaseSet::Read),
            EventKind::Write => put(BaseSet::Write),
            EventKind::Fence => put(BaseSet::Fence),
            _ => put(BaseSet::Sync),
        }
        if is_access_or_fence(event.kind) {
            put(BaseSet::of_mode(event.mode));
            if event.mode.is_atomic() {
                put(BaseSet::Atomic);
            }
        }
        let both = |added: &mut Added<W>, rel: BaseRel, row| {
            added.rows[rel as usize] = row;
            added.columns[rel as usize] = row;
        };
        both(added, BaseRel::Id, own);
        let earlier = self.earlier(graph, id);
        added = &mut self.added;
        added.columns[BaseRel::Po as usize] = earlier;
        let thread = &mut self.threads[id.thread().index()];
        let mine = thread.upto.last().map_or(own, |&upto| upto | own);
        both(added, BaseRel::Int, mine);
        both(added, BaseRel::Ext, Row::below(number + 1) & !mine);
        if event.is_write() && event.is_exclusive() {
            let read = thread.numbers.last().copied().expect("the read of a read-modify-write");
            added.columns[BaseRel::Rmw as usize].add(read as usize);
        }
        thread.numbers.push(number as u32);
        thread.upto.push(mine);
        self.names.push(Ok(id));
        let (mut same, mut before, mut after) = (own, Row::EMPTY, Row::EMPTY);
        if matches!(event.kind, EventKind::Read | EventKind::Write) {
            let initial = self.initials[event.location.index()] as usize - 1;
            same = self.same[initial] | own;
            self.same[initial] = same;
            let source = if source.is_real() {
                let thread = &self.threads[source.thread().index()];
                thread.numbers[thread.ranks[source.position() as usize] as usize] as usize
            } else {
                initial
            };
            if event.kind == EventKind::Read {
                added.columns[BaseRel::Rf as usize].add(source);
            } else {
                before = self.before[source];
                before.add(source);
                after = self.after[source];
                before.members().for_each(|write| self.after[write].add(number));
                after.members().for_each(|write| self.before[write].add(number));
                added.columns[BaseRel::Co as usize] = before;
                added.rows[BaseRel::Co as usize] = after;
            }
            both(added, BaseRel::Loc, same);
        }
        self.same.push(same);
        self.before.push(before);
        self.after.push(after);
    }

    /// What comes before an event in `po`.
    fn earlier(&self, graph: &Graph, id: EventId) -> Row<W> {
        let clock = graph.clock(PO, id);
        let mut all = Row::EMPTY;
        for (t, thread) in self.threads.iter().enumerate().take(clock.len()) {
            let events = clock[t] as usize - usize::from(t == id.thread().index());
            if events > 0 {
                let numbered = match thread.ranks.get(events) {
                    Some(&rank) => rank as usize,
                    None => thread.numbers.len(),
                };
                if numbered > 0 {
                    all |= thread.upto[numbered - 1];
                }
            }
        }
        all
    }

    /// Takes back what [`Self::describe`] did.
    fn forget(&mut self, entry: &Entry) {
        let number = self.names.len() - 1;
        let thread = &mut self.threads[entry.id.thread().index()];
        thread.numbers.pop();
        thread.upto.pop();
        self.names.pop();
        self.same.pop();
        let (before, after) = (self.before.pop(), self.after.pop());
        if let Some(initial) = self
            .initial(entry.location)
            .filter(|_| matches!(entry.kind, EventKind::Read | EventKind::Write))
        {
            self.same[initial].remove(number);
            for write in before.into_iter().flat_map(Row::members) {
                self.after[write].remove(number);
            }
            for write in after.into_iter().flat_map(Row::members) {
                self.before[write].remove(number);
            }
        }
    }

    fn pop_initial(&mut self, plan: &Plan, location: LocationId) {
        self.relations.pop(plan);
        self.names.pop();
        self.same.pop();
        self.before.pop();
        self.after.pop();
        self.initials[location.index()] = 0;
    }

    /// Takes an entry out of its thread.
    fn leave(&mut self, entry: &Entry) {
        let thread = &mut self.threads[entry.id.thread().index()];
        thread.entries.pop();
        thread.ranks.pop();
        if entry.clock != u32::MAX {
            self.clocks.truncate(entry.clock as usize);
        }
    }

    fn pop(&mut self, plan: &Plan) {
        let entry = self.entries.pop().expect("an entry");
        self.failing -= u32::from(entry.fails);
        if entry.numbers > 0 {
            self.relations.pop(plan);
            self.forget(&entry);
        }
        if entry.numbers > 1 {
            self.pop_initial(plan, entry.location);
        }
        self.leave(&entry);
    }

    // ---- looking up ----------------------------------------------------------------------------

    /// The number of an event, if it has one.
    pub(super) fn number(&self, id: EventId) -> Option<usize> {
        let thread = self.threads.get(id.thread().index())?;
        let rank = *thread.ranks.get(id.position() as usize)?;
        let next = match thread.ranks.get(id.position() as usize + 1) {
            Some(&next) => next,
            None => thread.numbers.len() as u32,
        };
        (next > rank).then(|| thread.numbers[rank as usize] as usize)
    }

    /// The event of a number, or the location whose initial write it is.
    pub(super) fn name(&self, number: usize) -> Named {
        self.names[number]
    }

    /// Those of an event, or of the events next to it if it has no number: those after it in its thread, or before.
    pub(super) fn around(&self, id: EventId, later: bool) -> Row<W> {
        if let Some(number) = self.number(id) {
            return Row::one(number);
        }
        let Some(thread) = self.threads.get(id.thread().index()) else { return Row::EMPTY };
        let rank = thread.ranks.get(id.position() as usize).copied().unwrap_or(0) as usize;
        let (before, after) = thread.numbers.split_at(rank);
        let chosen = if later { after } else { before };
        chosen.iter().fold(Row::EMPTY, |all, &number| all | Row::one(number as usize))
    }

    /// The events of the location, of the thread, and all events.
    pub(super) fn same(&self, number: usize) -> Row<W> {
        let location = match self.names[number] {
            Err(_) => return self.same[number],
            Ok(id) => {
                let entry = self.entry(id).expect("it is there");
                self.entries[entry as usize]
            }
        };
        if !matches!(location.kind, EventKind::Read | EventKind::Write) {
            return Row::EMPTY;
        }
        self.initial(location.location).map_or(Row::EMPTY, |initial| self.same[initial])
    }

    pub(super) fn thread(&self, number: usize) -> Row<W> {
        let of = |id: EventId| self.threads[id.thread().index()].upto.last().copied();
        self.names[number].ok().and_then(of).unwrap_or(Row::EMPTY)
    }

    pub(super) fn len(&self) -> usize {
        self.names.len()
    }
}
