//! Whether what was saved fits the program.
//!
//! A task comes from a file, and a file may be damaged in spite of its checksum, or be made by somebody. What
//! a task says of its graph is checked here, once the graph was built again and its events are steps: the
//! good writes of a read all write what it has read; a node has a whole number of steps, and its trace is one
//! of them; the threads of a node are paused at reads, or at the choice, when the graph has as many events as
//! when the node was opened; and a branch that is left is one of the present read, or of the choice.

use super::Rvf;
use super::node::Branch;
use super::task::{SavedCausal, SavedNode, SavedTask};
use crate::execution::{Mismatch, Stance};
use norn_action::{Action, Machine, NO_STATE, StateId, ThreadId};
use norn_graph::{EventId, LocationId};
use norn_models::Interleaving;
use norn_models::vsc::{Good, Op};

impl<M: Machine, Mo: Interleaving> Rvf<'_, M, Mo> {
    /// Whether a task fits its graph, which is the one at hand, and whose steps are there.
    pub(super) fn check_task(&self, saved: &SavedTask) -> Result<(), Mismatch> {
        let at_hand_fits = saved.at_hand.as_ref().is_none_or(|(line, causal)| {
            self.steps.instance.is_trace(line, self.steps.len()) && self.knows(causal)
        });
        let mut trace = saved.trace.clone();
        let mut node_fits = |node: &SavedNode| {
            self.steps.instance.is_trace(&trace, node.ops)
                && self.node_fits(node)
                && node.growth.undo(&mut trace)
        };
        let fits = at_hand_fits
            && saved.nodes.is_sorted_by_key(|node| node.length)
            && saved.nodes.iter().rev().all(&mut node_fits)
            && trace.is_empty();
        if fits {
            return Ok(());
        }
        Err(Mismatch { message: "a node of rvf that is not of its graph".to_owned() })
    }

    /// Whether all of these write what `read`, an event of the graph, has read.
    pub(super) fn good_fits(&self, read: EventId, good: &Good) -> bool {
        let graph = &self.execution.graph;
        let event = graph.event(read);
        let seen = (event.value, event.undefined);
        let writes_that = |source: EventId| graph.content_of(source, event.location) == seen;
        let writes = self.steps.instance.writes_to(event.location.0);
        let is_good = |op: &Op| writes.contains(op) && writes_that(self.steps.write(*op));
        good.writes.iter().all(is_good) && (!good.initial || writes_that(EventId::INIT))
    }

    fn knows(&self, causal: &SavedCausal) -> bool {
        causal.iter().all(|(thread, _)| thread.index() < self.execution.current.len())
    }

    fn node_fits(&self, node: &SavedNode) -> bool {
        let is_new = |(at, thread): (usize, &ThreadId)| !node.reads[..at].contains(thread);
        self.has_steps(node.length, node.ops)
            && self.knows(&node.causal)
            && node.able as usize <= node.reads.len()
            && node.work.is_sound(node.able)
            && node.reads.iter().enumerate().all(is_new)
            && if node.is_choice { self.choice_fits(node) } else { self.reads_fit(node) }
    }

    /// Whether the first events of the graph are that many steps.
    fn has_steps(&self, length: u32, ops: u32) -> bool {
        let graph = &self.execution.graph;
        let is_second =
            |id: &EventId| graph.event(*id).is_write() && graph.event(*id).is_exclusive();
        let Some((first, rest)) = graph.order().split_at_checked(length as usize) else {
            return false;
        };
        first.iter().filter(|id| !is_second(id)).count() == ops as usize
            && !rest.first().is_some_and(is_second)
    }

    fn choice_fits(&self, node: &SavedNode) -> bool {
        let Some(&thread) = node.reads.first() else { return false };
        let state = self.state_at(thread, node.length);
        if state == NO_STATE {
            return false;
        }
        let Action::Choose { count, .. } = self.execution.pool.get(state).action else {
            return false;
        };
        let is_answer = |branch: &Branch| match branch {
            Branch::Answers(first, end) => first < end && *end <= count.max(1),
            Branch::End | Branch::Read(..) => false,
        };
        node.reads.len() == 1 && node.work.begun() == 1 && node.work.left().iter().all(is_answer)
    }

    fn reads_fit(&self, node: &SavedNode) -> bool {
        let location = |thread: &ThreadId| self.read_at(*thread, node.length);
        if !node.reads.iter().all(|thread| location(thread).is_some()) {
            return false;
        }
        let begun = node.work.begun() as usize;
        let present = begun.checked_sub(1).and_then(|index| location(&node.reads[index]));
        node.work.left().iter().all(|branch| match branch {
            Branch::End => true,
            Branch::Answers(..) => false,
            Branch::Read(initial, writes) => {
                let known = present.map_or(&[][..], |at| self.steps.instance.writes_to(at.0));
                present.is_some()
                    && (*initial || !writes.is_empty())
                    && writes.iter().all(|write| *write < node.ops && known.contains(write))
            }
        })
    }

    /// The location of the read that a thread is paused at when the graph has that many events.
    fn read_at(&self, thread: ThreadId, length: u32) -> Option<LocationId> {
        let state = self.state_at(thread, length);
        let paused = (state != NO_STATE).then(|| self.execution.pool.get(state))?;
        matches!(paused.stance, Stance::Read(_)).then_some(paused.location)
    }

    /// The state of a thread when the graph has that many events.
    fn state_at(&self, thread: ThreadId, length: u32) -> StateId {
        let graph = &self.execution.graph;
        if thread.index() >= self.execution.current.len() {
            return NO_STATE;
        }
        let spawn = graph.spawned_by(thread);
        if spawn.is_real() && graph.event(spawn).stamp >= length {
            return NO_STATE;
        }
        let events = graph.thread_events(thread);
        let next = events.partition_point(|event| event.stamp < length);
        events.get(next).map_or_else(|| self.execution.state(thread), |event| event.saved)
    }
}
