//! Rounds: iterations of loops that have taken back what they did ([`Action::Round`]).
//!
//! A thread that adds to a counter, finds that it came too late, subtracts again and tries once more, may do so any
//! number of times. Where nobody has noticed, that is as if it had not tried.
//!
//! Take a set of rounds out of an execution, of whatever threads, and let each other read that read from one of their
//! writes read from the last write before it in the chain of read-modify-writes that is left. What is left is an
//! execution of the program if
//!
//! 1. each round puts back what it found: it only adds to locations, whatever it finds there, what it adds to one comes to
//!    zero, and it does so in one chain of read-modify-writes, without a store in between;
//! 2. whoever is left and read from such a write reads the same value now, or is a read-modify-write after whose
//!    answer the thread does the same with the one value as with the other ([`norn_action::Rmw::answers_alike`]); it then writes
//!    something else, and the same goes for whoever read that;
//! 3. whoever else writes to a location between the first and the last write of a round there only adds as well. Then what
//!    stands there behind the round, which the thread reads if it goes on, is what would stand there without it: sums do
//!    not depend on their order. (With `x |= 4` between `x += 1` and `x -= 1` that is not so.)
//!
//! For a thread is then in the state in which it was before the round, everybody else does the same as before, and the
//! relations of what is left are within those of the execution: a chain of read-modify-writes orders its
//! ends by `rf`, coherence and, as a release sequence, by happens-before. So whatever is wrong with the
//! execution is wrong with what is left, which is smaller and looked at as well. The largest such set of a graph is found by
//! leaving out, again and again, a round that somebody has noticed.
//!
//! A thread whose last round is in that set therefore stands, and goes on only when somebody notices. Is anything lost that
//! way? An execution in which it has gone on is looked at unless all are that lead to it while nobody has noticed. Who
//! notices late must then come after what the thread did later (`porf`), and still read the older write. (That it puts a
//! read-modify-write in between is impossible, since the next one of the round would then read from what comes
//! after it.) Under models with [`Model::UPDATES_ARE_SEEN`] nobody can. Under others only a load can, of a
//! location of which somebody else makes a read-modify-write that does not happen before it. If any is met, the search
//! begins again with rounds that count. One kind of load is harmless: it waits, and the next thing that its thread does is
//! a read-modify-write of the same location, as strong as it, that reads a value for which the load would have waited as
//! well. The load then may as well have read what that reads.
//!
//! A thread that writes, but comes back to the same state of its own and of all memory that it uses, while all others have
//! ended or wait for its end, goes on so for ever: that is a livelock, and it stands as well ([`Execution::goes_on_for_ever`]).
//! Its later rounds might be read from by others, in other executions; but the verdict is settled. Where livelocks are
//! not looked for, it goes on.
//!
//! Only [`crate::Trust`] lets threads stand that have gone round; with other algorithms each round counts, and that there are
//! many is a lesson.

use super::{Execution, Finding};
use norn_action::{Action, Lesson, Machine, ThreadId, Value};
use norn_graph::{Event, EventId, EventKind, Graph, LocationId};
use norn_models::Model;
use smallvec::SmallVec;

/// A thread that has gone round more often may do so without end.
const MANY_ROUNDS: usize = 24;

/// The events of one round.
#[derive(Clone, Copy, Debug)]
struct Round {
    thread: ThreadId,
    start: u32,
    end: u32,
}

/// What a thread that goes round once more has written.
#[derive(Debug, Default)]
struct Written(SmallVec<[(LocationId, Value); 4]>);

impl Written {
    fn get(&self, location: LocationId) -> Option<Value> {
        self.0.iter().find(|(at, _)| *at == location).map(|&(_, value)| value)
    }

    fn put(&mut self, location: LocationId, value: Value) {
        self.0.retain(|(at, _)| *at != location);
        self.0.push((location, value));
    }
}

/// The writes to a location, with what is read instead of each where rounds are taken out; and the last of these rounds.
type Without = (SmallVec<[(EventId, Value); 16]>, Option<usize>);

/// Rounds that can be taken out of an execution.
#[derive(Debug, Default)]
struct Rounds {
    all: SmallVec<[Round; 8]>,
    /// For each event, by its stamp, which round it is in, counted from 1.
    of: Vec<u32>,
}

impl Rounds {
    /// Which one an event is in.
    fn index(&self, event: &Event) -> Option<usize> {
        self.of[event.stamp as usize].checked_sub(1).map(|index| index as usize)
    }

    fn add(&mut self, round: Round, graph: &Graph) {
        self.all.push(round);
        self.mark(round, self.all.len() as u32, graph);
    }

    /// Leaves one in.
    fn remove(&mut self, index: usize, graph: &Graph) {
        self.mark(self.all[index], 0, graph);
        self.all.swap_remove(index);
        if let Some(&moved) = self.all.get(index) {
            self.mark(moved, index as u32 + 1, graph);
        }
    }

    fn mark(&mut self, round: Round, number: u32, graph: &Graph) {
        let events = &graph.thread_events(round.thread)[round.start as usize..round.end as usize];
        events.iter().for_each(|event| self.of[event.stamp as usize] = number);
    }
}

impl<M: Machine, Mo: Model> Execution<'_, M, Mo> {
    /// Whether the last round of `thread`, which is paused at its end, may be taken out of the execution.
    #[cold]
    pub(super) fn has_gone_round(&self, thread: ThreadId) -> bool {
        self.lets_rounds_stand && {
            let end = self.graph.thread_len(thread);
            self.rounds().all.iter().any(|round| round.thread == thread && round.end == end)
        }
    }

    /// A thread goes on after a round. If it may do so without end, but would stand with another algorithm, that is worth
    /// knowing.
    pub(super) fn meets_round(&mut self, thread: ThreadId, stores: bool) {
        if stores || self.lets_rounds_stand || self.machine.knows(Lesson::Rounds) {
            return;
        }
        let events = self.graph.thread_events(thread).iter();
        let rounds = events.filter(|event| self.ends_round(event)).count();
        if rounds >= MANY_ROUNDS {
            self.found.push(Finding::Lessons(vec![Lesson::Rounds]));
        }
    }

    /// Whether an event is the end of a round after which the thread has gone on.
    fn ends_round(&self, event: &Event) -> bool {
        event.kind == EventKind::Choose
            && matches!(self.pool.get(event.saved).action, Action::Round { .. })
    }

    /// At the end of an execution: what the machine has to know about rounds. `any` says whether a thread may stand at
    /// the end of one.
    #[inline]
    pub(super) fn learn_of_rounds(&mut self, any: bool) {
        if self.lets_rounds_stand && (any || self.machine.knows(Lesson::Rounds)) {
            self.learn_of_standing_rounds();
        }
    }

    #[cold]
    fn learn_of_standing_rounds(&mut self) {
        let rounds = self.started().any(|thread| self.stands_at_round(thread));
        let lesson = if rounds && self.has_twins {
            // Threads that are alike stand for reasons that only one of them may have.
            Some(Lesson::ToldApart)
        } else if Mo::UPDATES_ARE_SEEN {
            None
        } else if self.machine.knows(Lesson::Rounds) {
            self.may_notice_late().then_some(Lesson::RoundsCount)
        } else {
            rounds.then_some(Lesson::Rounds)
        };
        self.found.extend(lesson.map(|lesson| Finding::Lessons(vec![lesson])));
    }

    /// Whether `thread` stands because nobody has noticed its round.
    fn stands_at_round(&self, thread: ThreadId) -> bool {
        matches!(self.action(thread), Action::Round { stores: false, .. })
            && self.has_gone_round(thread)
    }

    /// Whether there is a load of a location that others update which is not one of the harmless kind.
    fn may_notice_late(&mut self) -> bool {
        (0..self.graph.len()).any(|index| {
            let id = self.graph.order()[index];
            let event = self.graph.event(id);
            let loads = event.kind == EventKind::Read && !self.graph.has_exclusive_write(id);
            loads && !self.is_followed(id) && self.is_apart_from_updates(id)
        })
    }

    /// Whether somebody else has made a read-modify-write of the location that is not known to come before the load.
    fn is_apart_from_updates(&mut self, load: EventId) -> bool {
        let Execution { graph, model, .. } = self;
        graph.location(graph.event(load).location).co.iter().any(|&write| {
            graph.event(write).is_exclusive()
                && write.thread() != load.thread()
                && !model.ordered(graph, write, load)
        })
    }

    /// Whether the load waits, and the read-modify-write behind it could have been waited for as well.
    fn is_followed(&self, load: EventId) -> bool {
        let graph = &self.graph;
        let event = graph.event(load);
        let next = EventId::new(load.thread(), load.position() + 1);
        if next.position() >= graph.thread_len(next.thread()) || !graph.has_exclusive_write(next) {
            return false;
        }
        let update = graph.event(next);
        let Action::Load(access, Some((test, _))) = &self.pool.get(event.saved).action else {
            return false;
        };
        update.is_read()
            && update.location == event.location
            && (!event.mode.is_acquire() || update.mode.is_acquire())
            && (!event.mode.is_seq_cst() || update.mode.is_seq_cst())
            && test.holds(update.value, access.size)
    }

    /// The largest set of rounds that can be taken out.
    fn rounds(&self) -> Rounds {
        let graph = &self.graph;
        let mut rounds = Rounds { of: vec![0; graph.len()], ..Rounds::default() };
        for thread in self.started() {
            self.add_rounds(thread, &mut rounds);
        }
        while let Some(index) = self.noticed(&rounds) {
            rounds.remove(index, graph);
        }
        rounds
    }

    /// Adds the rounds of a thread that have put back what they found.
    fn add_rounds(&self, thread: ThreadId, rounds: &mut Rounds) {
        let events = self.graph.thread_events(thread);
        let mut add = |action: &Action, end: usize| {
            if let &Action::Round { reads, stores: false, .. } = action
                && let Some(start) = start_of(&events[..end], reads)
            {
                let round = Round { thread, start: start as u32, end: end as u32 };
                if self.puts_back(round) {
                    rounds.add(round, &self.graph);
                }
            }
        };
        for (position, event) in events.iter().enumerate() {
            if event.kind == EventKind::Choose {
                add(&self.pool.get(event.saved).action, position);
            }
        }
        add(self.action(thread), events.len());
    }

    /// Whether the read-modify-writes of a round leave every location as they found it.
    fn puts_back(&self, round: Round) -> bool {
        struct Sum {
            location: LocationId,
            /// Where the chain begins that they stand in.
            chain: EventId,
            added: u128,
        }
        let mut sums: SmallVec<[Sum; 4]> = SmallVec::new();
        let graph = &self.graph;
        for position in round.start..round.end {
            let id = EventId::new(round.thread, position);
            let event = graph.event(id);
            if !event.is_write() {
                continue;
            }
            if !self.always_adds(id) {
                return false;
            }
            let chain = self.last_before(id, |_| true);
            let read = graph.event(EventId::new(round.thread, position - 1));
            let added = event.value.0.wrapping_sub(read.value.0);
            match sums.iter_mut().find(|sum| sum.location == event.location) {
                Some(sum) if sum.chain != chain => return false,
                Some(sum) => sum.added = sum.added.wrapping_add(added),
                None => sums.push(Sum { location: event.location, chain, added }),
            }
        }
        sums.iter().all(|sum| {
            let size = self.locations.info(sum.location).size;
            Value(sum.added).truncate(size) == Value::ZERO
        })
    }

    /// Whether a write is the last one of a round to its location.
    fn is_last_of(&self, write: EventId, round: Round) -> bool {
        let location = self.graph.event(write).location;
        let events = &self.graph.thread_events(round.thread)[..round.end as usize];
        let mut later = events[write.position() as usize + 1..].iter();
        !later.any(|event| event.is_write() && event.location == location)
    }

    /// Whether a write is that of a read-modify-write that adds a number to whatever there is.
    fn always_adds(&self, write: EventId) -> bool {
        let graph = &self.graph;
        graph.event(write).is_exclusive() && {
            let read = graph.event(EventId::new(write.thread(), write.position() - 1));
            let action = &self.pool.get(read.saved).action;
            matches!(action, Action::Rmw(rmw) if rmw.test.is_none() && rmw.adds().is_some())
        }
    }

    /// The first write before `write` in its chain of read-modify-writes that is not `left_out`, or where the chain begins.
    fn last_before(&self, write: EventId, left_out: impl Fn(EventId) -> bool) -> EventId {
        let mut at = write;
        while at.is_real() && self.graph.event(at).is_exclusive() && left_out(at) {
            at = self.graph.event(EventId::new(at.thread(), at.position() - 1)).rf;
        }
        at
    }

    /// One of the rounds that somebody who is in none has noticed.
    fn noticed(&self, rounds: &Rounds) -> Option<usize> {
        let mut locations: SmallVec<[LocationId; 4]> = SmallVec::new();
        for round in &rounds.all {
            let events = self.graph.thread_events(round.thread);
            for event in &events[round.start as usize..round.end as usize] {
                if event.is_write() && !locations.contains(&event.location) {
                    locations.push(event.location);
                }
            }
        }
        locations.into_iter().find_map(|location| self.noticed_at(location, rounds))
    }

    /// One of the rounds that somebody has noticed at a location.
    fn noticed_at(&self, location: LocationId, rounds: &Rounds) -> Option<usize> {
        let graph = &self.graph;
        let (instead, last) = match self.without(location, rounds) {
            Ok(found) => found,
            Err(noticed) => return noticed,
        };
        let changed = |event: &Event| {
            let read = instead.iter().find(|(write, _)| *write == event.rf);
            read.is_some_and(|(_, value)| *value != event.value)
        };
        // Read-modify-writes that write were looked at.
        graph.order().iter().find_map(|&id| {
            let event = graph.event(id);
            let reads = event.is_read() && event.location == location;
            let is_load = reads && !graph.has_exclusive_write(id) && rounds.index(event).is_none();
            if is_load && changed(event) && !self.is_pending_update(id, &instead) {
                rounds.index(graph.event(event.rf)).or(last)
            } else {
                None
            }
        })
    }

    /// Goes along the writes to a location as they are when the rounds are taken out: what is read instead of each, and
    /// the last round that was left out. An error is a round that a read-modify-write has noticed.
    fn without(&self, location: LocationId, rounds: &Rounds) -> Result<Without, Option<usize>> {
        let graph = &self.graph;
        let size = self.locations.info(location).size;
        let mut now = graph.value_of(EventId::INIT, location);
        let mut instead = SmallVec::new();
        let mut last = None;
        // Rounds of which some writes came, and some are to come.
        let mut open: SmallVec<[usize; 4]> = SmallVec::new();
        for &write in &graph.location(location).co {
            let event = graph.event(write);
            if let Some(index) = rounds.index(event) {
                last = Some(index);
                open.retain(|other| *other != index);
                if !self.is_last_of(write, rounds.all[index]) {
                    open.push(index);
                }
            } else if !open.is_empty() && !self.always_adds(write) {
                return Err(open.last().copied());
            } else if !event.is_exclusive() {
                now = event.value;
            } else {
                let read = graph.event(EventId::new(write.thread(), write.position() - 1));
                if now == read.value {
                    now = event.value;
                } else {
                    match &self.pool.get(read.saved).action {
                        Action::Rmw(rmw) if rmw.answers_alike(now, read.value) => {
                            now = rmw.op.apply(now, rmw.operand, size);
                        }
                        _ => return Err(last),
                    }
                }
            }
            instead.push((write, now));
        }
        Ok((instead, last))
    }

    /// Whether an event is the read of a read-modify-write whose write is still to come, and whose thread does the same with
    /// what it reads now.
    fn is_pending_update(&self, id: EventId, instead: &[(EventId, Value)]) -> bool {
        let event = self.graph.event(id);
        let now = instead.iter().find(|(write, _)| *write == event.rf);
        let action = &self.pool.get(event.saved).action;
        match (action, now) {
            (Action::Rmw(rmw), Some(&(_, now))) => rmw.answers_alike(now, event.value),
            _ => false,
        }
    }

    /// Whether the reads of the last round of `thread` would find the same again: those of what is newest, and those of
    /// what it writes itself in between.
    pub(super) fn goes_round_for_ever(&self, thread: ThreadId) -> bool {
        let Action::Round { reads, .. } = *self.action(thread) else { return false };
        let events = self.graph.thread_events(thread);
        let Some(start) = start_of(events, reads) else { return false };
        let rounds = self.rounds();
        let looks: SmallVec<[EventId; 8]> = self.looks(thread).collect();
        let mut written = Written::default();
        (start as u32..events.len() as u32).all(|position| {
            let id = EventId::new(thread, position);
            let event = self.graph.event(id);
            match event.kind {
                EventKind::Read => {
                    let (value, newest) = self.next_look(event, &rounds, &written);
                    if self.graph.has_exclusive_write(id)
                        && let Action::Rmw(rmw) = &self.pool.get(event.saved).action
                    {
                        let size = self.locations.info(event.location).size;
                        written.put(event.location, rmw.op.apply(value, rmw.operand, size));
                    }
                    !looks.contains(&id) || self.finds_the_same(event, value, newest)
                }
                EventKind::Write if !event.is_exclusive() => {
                    written.put(event.location, event.value);
                    true
                }
                _ => true,
            }
        })
    }

    /// What a read of a round would see if it were made now and nobody else wrote; and whether it would see the write that it
    /// saw, or one of its own round.
    fn next_look(&self, read: &Event, rounds: &Rounds, written: &Written) -> (Value, bool) {
        if let Some(value) = written.get(read.location) {
            return (value, true);
        }
        let graph = &self.graph;
        let is_out = |write: EventId| rounds.index(graph.event(write)).is_some();
        let kept = |write: EventId| self.last_before(write, is_out);
        let newest = graph.location(read.location).co.last().copied().unwrap_or(EventId::INIT);
        // As it is without the rounds.
        let value = match self.without(read.location, rounds) {
            Ok((instead, _)) => instead.last().map(|&(_, value)| value),
            Err(_) => None,
        };
        let value = value.unwrap_or_else(|| graph.value_of(kept(newest), read.location));
        (value, kept(read.rf) == kept(newest))
    }

    fn finds_the_same(&self, read: &Event, value: Value, is_same: bool) -> bool {
        match &self.pool.get(read.saved).action {
            Action::Rmw(rmw) => value == read.value || rmw.answers_alike(value, read.value),
            _ => is_same && value == read.value,
        }
    }
}

impl<M: Machine, Mo: Model> Execution<'_, M, Mo> {
    /// Whether `thread`, at the end of a round, is where it was at the end of an earlier one, with the same in memory, and
    /// nobody else will ever move.
    #[cold]
    pub(super) fn goes_on_for_ever(&self, thread: ThreadId) -> bool {
        if self.ignores_livelocks {
            return false;
        }
        let is_out = |other: ThreadId| match self.action(other) {
            Action::Finish(_) | Action::Last { .. } => true,
            Action::Join { thread: target, .. } => self.action(*target).result().is_none(),
            _ => other == thread,
        };
        if !self.started().all(is_out) {
            return false;
        }
        let Action::Round { since, place, .. } = *self.action(thread) else { return false };
        let events = self.graph.thread_events(thread);
        let start = start_of(events, since).unwrap_or(events.len());
        let mut rounds = events.iter().enumerate().skip(start).filter(|(_, event)| {
            event.kind == EventKind::Choose
                && matches!(self.pool.get(event.saved).action, Action::Round { place: at, .. } if at == place)
        });
        rounds.any(|(position, _)| self.is_as_it_was(thread, position as u32))
    }

    /// Whether memory holds what it held when `thread` had `length` events, where the thread has written since, and it has
    /// read nothing since but what was newest.
    fn is_as_it_was(&self, thread: ThreadId, length: u32) -> bool {
        let graph = &self.graph;
        let was_there =
            |write: EventId, length: u32| write.thread() != thread || write.position() < length;
        let newest = |location: LocationId, length: u32| {
            let writes = graph.location(location).co.iter().rev().copied();
            writes.into_iter().find(|&write| was_there(write, length)).unwrap_or(EventId::INIT)
        };
        let events = graph.thread_events(thread).iter().enumerate().skip(length as usize);
        let end = graph.thread_len(thread);
        let value = |location, length| graph.value_of(newest(location, length), location);
        let mut events = events.filter(|(_, event)| event.is_read() || event.is_write());
        events.all(|(position, event)| match event.kind {
            EventKind::Read => event.rf == newest(event.location, position as u32),
            _ => value(event.location, length) == value(event.location, end),
        })
    }
}

/// Where the last `reads` reads of these events begin.
fn start_of(events: &[Event], reads: u32) -> Option<usize> {
    let reading = events.iter().enumerate().rev().filter(|(_, event)| event.is_read());
    let (start, _) = reading.take(reads as usize).last()?;
    Some(start)
}
