//! Adding a write: where in coherence order it stands, and which reads it may revisit.

use super::Trust;
use super::frame::{Choice, ChoiceKind};
use super::maximal::is_maximal;
use super::prune::Prune;
use crate::execution::PendingWrite;
use norn_action::{Machine, ThreadId};
use norn_graph::{EventId, Graph};
use norn_models::Model;

impl<M: Machine, Mo: Model, P: Prune> Trust<'_, M, Mo, P> {
    /// Adds the pending write of `thread`: first at the end of the coherence order, then elsewhere,
    /// then as the new source of earlier reads.
    pub(crate) fn extend_write(&mut self, thread: ThreadId) -> bool {
        let write = self.execution.pending_write(thread);
        if !self.execution.touch(write.location) {
            return self.execution.fault_access(thread);
        }
        let length = self.execution.graph.len() as u32;
        let start = self.top.candidates.len() as u32;
        let taker = match write.source {
            Some(source) => self.execution.graph.taken_by(source, write.location),
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
        let newest = self.execution.graph.location(write.location).co.len() as u32;
        let floor = self.write_floor(thread, &write);
        self.place_write(thread, &write, newest, floor)
    }

    /// Adds the pending write after coherence index `from` or the nearest below where it may stand.
    pub(crate) fn place(&mut self, thread: ThreadId, from: u32, floor: u32) -> bool {
        let write = self.execution.pending_write(thread);
        self.execution.touch(write.location);
        self.place_write(thread, &write, from, floor)
    }

    fn place_write(
        &mut self,
        thread: ThreadId,
        write: &PendingWrite,
        from: u32,
        floor: u32,
    ) -> bool {
        let state = self.execution.state(thread);
        let length = self.execution.graph.len() as u32;
        let Some((after, id)) = self.execution.add_write_below(thread, write, from, floor) else {
            self.execution.graph.untouch(write.location);
            return false;
        };
        self.execution.count_event();
        if write.source.is_none() && after > floor {
            let kind = ChoiceKind::Write { thread, next: after - 1, floor };
            self.top.choices.push(Choice { length, kind });
        }
        self.execution.half = None;
        self.execution.check_access(id);
        self.execution.advance_partly(thread, state, write.answer, write.undefined_answer);
        true
    }

    /// Collects the reads that the pending write of `thread` may revisit: those that it does not depend
    /// on, if they and everything after them that it does not depend on are maximally added. Whether an
    /// event is, does not depend on the read, so the latest one that is not rules out all reads before
    /// it.
    fn collect_candidates(&mut self, thread: ThreadId, write: &PendingWrite, taker: EventId) {
        self.look_for_causes(thread);
        let location = write.location;
        let (graph, candidates) = (&self.execution.graph, &mut self.top.candidates);
        let prefix = self.causes.of(&self.execution, thread);
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
