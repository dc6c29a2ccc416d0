//! Backward revisits: a write becomes the source of a read that was added before it.
//!
//! The events added after the read, except those `porf`-before the write, are deleted; all of them and
//! the read must be maximally added (see [`super::maximal`]). What is kept is copied into a new
//! frame without the read; there the write is placed at each coherence place in turn, and the read is
//! inserted again, at its old place in insertion order, reading from the write.

use super::Trust;
use super::frame::{Choice, ChoiceKind, Frame, Ghost, Revisit};
use super::prune::Prune;
use crate::execution::{Aside, Becomes, PendingRead, WaitsFor, states_of_part};
use norn_action::{Machine, StateId, ThreadId, Value};
use norn_graph::{EventId, Graph};
use norn_models::Model;

impl<M: Machine, Mo: Model, P: Prune> Trust<'_, M, Mo, P> {
    /// Lets the pending write of `thread` revisit the next candidate for which that is allowed.
    pub(crate) fn revisit_next(&mut self, length: u32, thread: ThreadId, start: u32) -> bool {
        while self.top.candidates.len() > start as usize {
            let read = self.top.candidates.pop().expect("a candidate");
            if self.may_revisit(thread, read) {
                if self.top.candidates.len() > start as usize {
                    let kind = ChoiceKind::Revisit { thread, start };
                    self.top.choices.push(Choice { length, kind });
                }
                self.enter_frame(thread, read);
                if self.place_revisit() {
                    return true;
                }
                self.leave_frame();
                if self.top.candidates.len() > start as usize {
                    self.top.choices.pop();
                }
                self.resume_half(thread);
            }
        }
        false
    }

    /// Whether what the revisit keeps allows it; what it deletes does, or the read would be no candidate.
    /// Leaves the number of kept events of each thread in `kept`.
    fn may_revisit(&mut self, thread: ThreadId, read: EventId) -> bool {
        self.look_for_causes(thread);
        let (graph, kept) = (&self.execution.graph, &mut self.top.kept);
        let prefix = self.causes.of(&self.execution, thread);
        let stamp = graph.event(read).stamp;
        kept.clear();
        for (t, &known) in prefix.iter().enumerate().take(graph.thread_count()) {
            let events = graph.thread_events(ThreadId(t as u32));
            let later = &events[known as usize..];
            kept.push(known + later.iter().take_while(|event| event.stamp < stamp).count() as u32);
        }
        self.keeps_atomicity(thread, read) && self.keeps_ghosts(thread, read)
    }

    /// Whether the displaced reads allow the revisit, as if they were events that read from their
    /// displacers: one that is deleted must be maximally added, so its displacer is `porf`-before
    /// the write; the displacer of one that is kept cannot be deleted.
    fn keeps_ghosts(&self, thread: ThreadId, read: EventId) -> bool {
        let graph = &self.execution.graph;
        let Frame { kept, ghosts, .. } = &self.top;
        let stamp = graph.event(read).stamp;
        let prefix = self.causes.of(&self.execution, thread);
        ghosts.iter().all(|ghost| {
            let displacer = ghost.displacer;
            if ghost.stamp <= stamp {
                kept[displacer.thread().index()] > displacer.position()
            } else {
                Graph::within(prefix, displacer)
            }
        })
    }

    /// Whether the exclusive write that revisits finds its source free in what is kept.
    fn keeps_atomicity(&self, thread: ThreadId, read: EventId) -> bool {
        if self.execution.half != Some(thread) {
            return true;
        }
        let graph = &self.execution.graph;
        let own = graph.last_of(thread);
        let (source, location) = (graph.event(own).rf, graph.event(own).location);
        graph.readers(source, location).all(|other| {
            other == own
                || other == read
                || !graph.event(other).is_exclusive()
                || !graph.has_exclusive_write(other)
                || other.position() + 1 >= self.top.kept[other.thread().index()]
        })
    }

    /// Makes the frame in which `read` is missing and the pending write of `thread` comes next.
    fn enter_frame(&mut self, thread: ThreadId, read: EventId) {
        let mut frame = self.spare.pop().unwrap_or_else(|| Frame::new(Mo::LANES));
        let (old, graph) = (&self.top, &self.execution.graph);
        let Aside { graph: part, current, half } = &mut frame.aside;
        part.copy_restricted(graph, &old.kept);
        states_of_part(graph, &self.execution.current, &old.kept, part, current);
        *half = self.execution.half;
        frame.choices.clear();
        frame.candidates.clear();
        let event = graph.event(read);
        frame.ghosts.clear();
        frame.ghosts.extend(old.ghosts.iter().filter(|ghost| ghost.stamp <= event.stamp));
        frame.revisit = Some(Revisit {
            writer: thread,
            id: read,
            stamp: event.stamp,
            saved: event.saved,
            next: u32::MAX,
            floor: 0,
            displaced: false,
        });
        self.prune.enter();
        self.execution.exchange(&mut frame.aside);
        std::mem::swap(&mut self.top.aside, &mut frame.aside);
        self.below.push(std::mem::replace(&mut self.top, frame));
    }

    /// Goes back to the frame below.
    pub(crate) fn leave_frame(&mut self) {
        self.prune.leave();
        let mut below = self.below.pop().expect("a frame below");
        self.execution.exchange(&mut below.aside);
        self.spare.push(std::mem::replace(&mut self.top, below));
    }

    /// Places the revisiting write at the next coherence place that works, and inserts the read.
    pub(crate) fn place_revisit(&mut self) -> bool {
        let Some(revisit) = self.top.revisit else { return false };
        let Revisit { writer, mut next, mut floor, .. } = revisit;
        let exclusive = self.execution.half == Some(writer);
        if next != u32::MAX && (next == floor || exclusive) {
            return false;
        }
        let write = self.execution.pending_write(writer);
        if !self.execution.graph.touch(write.location, &self.execution.locations) {
            return false;
        }
        if next == u32::MAX {
            next = self.execution.graph.location(write.location).co.len() as u32;
            floor = self.write_floor(writer, &write);
        } else {
            next -= 1;
        }
        while let Some((after, placed)) =
            self.execution.add_write_below(writer, &write, next, floor)
        {
            if let Some(becomes) = self.reinsert(&revisit, placed) {
                let displaced = becomes == Becomes::Blocked && self.displaces(revisit.saved);
                self.top.revisit = Some(Revisit { next: after, floor, displaced, ..revisit });
                self.after_revisit(writer, revisit.id, placed, becomes);
                return true;
            }
            self.execution.graph.pop();
            self.execution.graph.touch(write.location, &self.execution.locations);
            if after <= floor || exclusive {
                break;
            }
            next = after - 1;
        }
        self.execution.graph.untouch(write.location);
        false
    }

    /// Whether a read that fails its test becomes a ghost instead of a blocked event.
    fn displaces(&self, state: StateId) -> bool {
        PendingRead::of(self.execution.pool.get(state)).waits == WaitsFor::Turn
    }

    /// Inserts the read again with `source`; none, and nothing changed, if that is inconsistent.
    fn reinsert(&mut self, revisit: &Revisit, source: EventId) -> Option<Becomes> {
        let id = revisit.id;
        let pending = PendingRead::of(self.execution.pool.get(revisit.saved));
        let written = self.execution.graph.event(source);
        let becomes = pending.becomes((written.value, written.undefined));
        if becomes == Becomes::Blocked && !is_newest(&self.execution.graph, source) {
            // Nothing could ever satisfy it: it would not be maximally added for any later write.
            return None;
        }
        if !self.allows_read(id.thread(), &pending, source, becomes) {
            return None;
        }
        let access = pending.new_access(id.thread(), becomes == Becomes::Exclusive);
        if self.execution.model.floor(&self.execution.graph, &access)
            > self.execution.graph.co_index(source)
        {
            return None;
        }
        let event = pending.event(becomes, revisit.saved);
        let again = self.execution.graph.reinsert_read(id.thread(), event, source, revisit.stamp);
        debug_assert_eq!(again, id);
        self.execution.added(id);
        if !self.execution.model.holds(&self.execution.graph, id) {
            self.execution.graph.take_out(id);
            return None;
        }
        Some(becomes)
    }

    fn after_revisit(
        &mut self,
        writer: ThreadId,
        read: EventId,
        placed: EventId,
        becomes: Becomes,
    ) {
        self.execution.count_event();
        let (answer, undefined) = self.pending_write_answer(writer, placed);
        self.execution.half = None;
        self.execution.check_access(placed);
        let state = self.execution.graph.event(placed).saved;
        self.execution.advance_partly(writer, state, answer, undefined);
        if self.top.revisit.is_some_and(|revisit| revisit.displaced) {
            let event = self.execution.graph.take_out(read);
            self.top.ghosts.push(Ghost { read, stamp: event.stamp, displacer: placed });
        } else {
            self.execution.check_access(read);
            let event = *self.execution.graph.event(read);
            let content = (event.value, event.undefined);
            self.execution.after_read(read.thread(), event.saved, becomes, content);
        }
        self.top.base = self.execution.graph.len() as u32;
        self.prune.revisited(&self.execution.graph, placed, read);
    }

    /// What the writer is told, and which bytes of that were never written.
    fn pending_write_answer(&self, writer: ThreadId, placed: EventId) -> (Value, u8) {
        let graph = &self.execution.graph;
        if !graph.event(placed).is_exclusive() {
            return (Value::ZERO, 0);
        }
        let read = graph.event(EventId::new(writer, placed.position() - 1));
        (read.value, read.undefined)
    }

    /// Takes the write and the read of this frame's revisit back.
    pub(crate) fn undo_revisit(&mut self) {
        let Revisit { writer, id, displaced, .. } = self.top.revisit.expect("a revisit's frame");
        self.cut(self.top.base);
        if displaced {
            self.top.ghosts.pop();
        } else {
            let read = self.execution.graph.take_out(id);
            self.execution.restore(id.thread(), read.saved);
        }
        let write = self.execution.graph.pop();
        self.execution.restore(writer, write.saved);
        self.execution.half = write.is_exclusive().then_some(writer);
    }
}

fn is_newest(graph: &Graph, write: EventId) -> bool {
    let location = graph.event(write).location;
    graph.location(location).co.last() == Some(&write)
}
