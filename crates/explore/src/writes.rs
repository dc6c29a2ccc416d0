//! Adding a write: where in coherence order it stands, and which reads it may revisit.

use crate::bound::Prune;
use crate::frame::{Choice, ChoiceKind, Frame};
use crate::maximal::is_maximal;
use crate::trust::Trust;
use norn_action::{Access, Action, Machine, ThreadId, Value};
use norn_graph::{Event, EventId, EventKind, Flags, Graph, LocationId};
use norn_models::{Model, NewAccess};

/// A write that a thread is paused at: a store, or the second half of a read-modify-write.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PendingWrite {
    pub access: Access,
    pub location: LocationId,
    value: Value,
    /// The source of the exclusive read, for the second half of a read-modify-write.
    pub source: Option<EventId>,
    /// What the thread is told when the write is done, and which bytes of that were never written.
    pub answer: Value,
    pub undefined_answer: u8,
}

impl PendingWrite {
    /// The event.
    pub(crate) fn event(&self, saved: u32) -> Event {
        let mut event = Event::new(EventKind::Write, self.access.mode, self.access.place);
        event.flags = Flags::of(self.access.role);
        if self.source.is_some() {
            event.mode = self.access.mode.of_write();
            event.flags = event.flags.with(Flags::EXCLUSIVE);
        }
        event.location = self.location;
        event.value = self.value;
        event.undefined = self.access.undefined as u8;
        event.saved = saved;
        event
    }
}

impl<M: Machine, Mo: Model, P: Prune> Trust<'_, M, Mo, P> {
    /// The write that `thread` is paused at.
    pub(crate) fn pending_write(&self, thread: ThreadId) -> PendingWrite {
        let saved = self.pool.get(self.top.state(thread));
        match &saved.action {
            Action::Store(access, value) => PendingWrite {
                access: *access,
                location: saved.location,
                value: value.truncate(access.size),
                source: None,
                answer: Value::ZERO,
                undefined_answer: 0,
            },
            Action::Rmw(rmw) => {
                let graph = &self.top.graph;
                let read = graph.event(graph.last_of(thread));
                PendingWrite {
                    access: rmw.access,
                    location: saved.location,
                    value: rmw.op.apply(read.value, rmw.operand, rmw.access.size),
                    source: Some(read.rf),
                    answer: read.value,
                    undefined_answer: read.undefined,
                }
            }
            _ => unreachable!("only stores and read-modify-writes write"),
        }
    }

    /// Adds the pending write of `thread`: first at the end of the coherence order, then elsewhere,
    /// then as the new source of earlier reads.
    pub(crate) fn extend_write(&mut self, thread: ThreadId) -> bool {
        let write = self.pending_write(thread);
        if !self.touch(write.location) {
            return self.fault_access(thread);
        }
        let length = self.top.graph.len() as u32;
        let start = self.top.candidates.len() as u32;
        let taker = match write.source {
            Some(source) => self.top.graph.taken_by(source, write.location),
            None => EventId::NONE,
        };
        self.collect_candidates(thread, &write, taker);
        if taker != EventId::NONE {
            // It has no place of its own here.
            return self.revisit_next(length, thread, start);
        }
        if self.top.candidates.len() > start as usize {
            let kind = ChoiceKind::Revisit { thread, start };
            self.top.choices.push(Choice { length, kind });
        }
        let newest = self.top.graph.location(write.location).co.len() as u32;
        let floor = self.write_floor(thread, &write);
        self.place_write(thread, &write, newest, floor)
    }

    /// The least coherence index that the write may stand right after.
    pub(crate) fn write_floor(&mut self, thread: ThreadId, write: &PendingWrite) -> u32 {
        if write.source.is_some() || self.top.graph.location(write.location).co.is_empty() {
            return 0;
        }
        let PendingWrite { access: Access { mode, role, .. }, location, .. } = *write;
        let mutex = Flags::of(role).has(Flags::MUTEX);
        let access = NewAccess { thread, location, write: true, locked: false, mode, mutex };
        self.model.floor(&self.top.graph, &access)
    }

    /// Adds the pending write after coherence index `from` or the nearest below where it may stand.
    pub(crate) fn place(&mut self, thread: ThreadId, from: u32, floor: u32) -> bool {
        let write = self.pending_write(thread);
        self.touch(write.location);
        self.place_write(thread, &write, from, floor)
    }

    fn place_write(
        &mut self,
        thread: ThreadId,
        write: &PendingWrite,
        from: u32,
        floor: u32,
    ) -> bool {
        let state = self.top.state(thread);
        let length = self.top.graph.len() as u32;
        let Some((after, id)) = self.add_write_below(thread, write, from, floor) else {
            self.top.graph.untouch(write.location);
            return false;
        };
        self.count_event();
        if write.source.is_none() && after > floor {
            let kind = ChoiceKind::Write { thread, next: after - 1, floor };
            self.top.choices.push(Choice { length, kind });
        }
        self.top.half = None;
        self.check_access(id);
        self.advance_partly(thread, state, write.answer, write.undefined_answer);
        true
    }

    /// Adds the write to the graph at the first place that is consistent; returns the coherence
    /// index it stands after.
    pub(crate) fn add_write_below(
        &mut self,
        thread: ThreadId,
        write: &PendingWrite,
        from: u32,
        floor: u32,
    ) -> Option<(u32, EventId)> {
        let (from, floor) = match write.source {
            Some(source) => {
                let index = self.top.graph.co_index(source);
                if index > from || self.top.graph.taken_by(source, write.location) != EventId::NONE
                {
                    return None;
                }
                (index, index)
            }
            None => (from, floor),
        };
        let state = self.top.state(thread);
        for after in (floor..=from).rev() {
            if write.source.is_none()
                && splits_exclusive_pair(&self.top.graph, write.location, after)
            {
                continue;
            }
            let id = self.top.graph.add_write(thread, write.event(state), after + 1);
            self.model.added(&mut self.top.graph, id);
            if self.model.holds(&self.top.graph, id) {
                return Some((after, id));
            }
            self.top.graph.pop();
            self.touch(write.location);
        }
        None
    }

    /// Collects the reads that the pending write of `thread` may revisit: those that it does not depend
    /// on, if they and everything after them that it does not depend on are maximally added. Whether an
    /// event is, does not depend on the read, so the latest one that is not rules out all reads before
    /// it.
    fn collect_candidates(&mut self, thread: ThreadId, write: &PendingWrite, taker: EventId) {
        let Frame { graph, candidates, .. } = &mut self.top;
        let location = write.location;
        let prefix = graph.clock_before_next(0, thread);
        let latest = latest_useful_stamp(graph, taker);
        let start = candidates.len();
        let mut oldest = u32::MAX;
        let co = &graph.location(location).co;
        for source in std::iter::once(EventId::INIT).chain(co.iter().copied()) {
            for read in graph.readers(source, location) {
                let stamp = graph.event(read).stamp;
                if !Graph::within(prefix, read) && stamp <= latest {
                    candidates.push(read);
                    oldest = oldest.min(stamp);
                }
            }
        }
        if candidates.len() == start {
            return;
        }
        let later = graph.order()[oldest as usize..].iter().rev();
        let mut deleted = later.filter(|&&id| !Graph::within(prefix, id));
        if let Some(&id) = deleted.find(|&&id| !is_maximal(graph, id, prefix)) {
            let stamp = graph.event(id).stamp;
            let mut kept = start;
            for index in start..candidates.len() {
                if graph.event(candidates[index]).stamp > stamp {
                    candidates[kept] = candidates[index];
                    kept += 1;
                }
            }
            candidates.truncate(kept);
        }
    }
}

/// The second half of a read-modify-write whose source `taker` took can only revisit a read that makes
/// the other's write go away: one that is not after that write in insertion order.
#[inline]
fn latest_useful_stamp(graph: &Graph, taker: EventId) -> u32 {
    if taker == EventId::NONE {
        return u32::MAX;
    }
    graph.event(EventId::new(taker.thread(), taker.position() + 1)).stamp
}

/// Whether a write right after coherence index `after` would come between the two halves of a
/// read-modify-write.
fn splits_exclusive_pair(graph: &Graph, location: LocationId, after: u32) -> bool {
    let co = &graph.location(location).co;
    co.get(after as usize).is_some_and(|&next| graph.event(next).is_exclusive())
}
