//! Whether what was saved fits the program.
//!
//! A task comes from a file, and a file may be damaged in spite of its checksum, or be made by somebody. What a
//! task says of its graph is checked here, once the graph was built again: each node is a read or a choice
//! that its thread is paused at when the graph has as many events as when the node was opened, its sources
//! are writes of that graph to the location of the read, and what names nodes by their indices names such as
//! are what they should be. What a schedule says can only be checked when it is replayed, step by step: the
//! events that it names are not there before.

use super::Rf;
use super::node::{Branches, Step};
use super::task::{SavedNode, SavedTask};
use crate::execution::{Mismatch, Stance, WaitsFor};
use norn_action::{Action, Machine, NO_STATE, Obstacle, Place, StateId, Unsupported};
use norn_graph::{EventId, LocationId};
use norn_models::Arrange;

impl<M: Machine, Mo: Arrange> Rf<'_, M, Mo> {
    /// Whether a task fits its graph, which is the one at hand.
    pub(super) fn check_task(&self, saved: &SavedTask) -> Result<(), Mismatch> {
        let SavedTask { nodes, skipped, owners, .. } = saved;
        let graph = &self.execution.graph;
        let is_owned = |&(read, owner): &(EventId, u32)| {
            let node = nodes.get(owner as usize);
            self.is_there(read)
                && graph.event(read).is_read()
                && node.is_some_and(|node| node.event == read)
        };
        let is_skipped = |&index: &u32| {
            let node = nodes.get(index as usize);
            node.is_some_and(|node| node.waits == WaitsFor::Value && !self.is_there(node.event))
        };
        let fits = nodes.is_sorted_by_key(|node| node.length)
            && nodes.iter().all(|node| self.node_fits(node))
            && owners.iter().all(is_owned)
            && skipped.is_sorted_by(|a, b| a < b)
            && skipped.iter().all(is_skipped);
        if fits { Ok(()) } else { Err(Mismatch { message: "a task of another graph".to_owned() }) }
    }

    fn is_there(&self, id: EventId) -> bool {
        id.is_real() && self.execution.graph.thread_len(id.thread()) > id.position()
    }

    fn node_fits(&self, node: &SavedNode) -> bool {
        let graph = &self.execution.graph;
        let (length, event) = (node.length, node.event);
        let splits_rmw =
            |&id: &EventId| graph.event(id).is_write() && graph.event(id).is_exclusive();
        if !event.is_real()
            || length as usize > graph.len()
            || graph.order().get(length as usize).is_some_and(splits_rmw)
        {
            return false;
        }
        let before = graph.thread_events(event.thread());
        let before = before.iter().take_while(|event| event.stamp < length).count();
        let spawn = graph.spawned_by(event.thread());
        let is_started = !spawn.is_real() || graph.event(spawn).stamp < length;
        let state = self.state_at(event);
        if before as u32 != event.position() || !is_started || state == NO_STATE {
            return false;
        }
        let paused = self.execution.pool.get(state);
        let branches_fit = match (node.branches.answers(), &paused.action) {
            (Some((next, count)), Action::Choose { count: answers, .. }) => {
                next <= count && count == (*answers).max(1)
            }
            (None, _) => paused.stance == Stance::Read(node.waits),
            _ => false,
        };
        branches_fit && self.sources_fit(&node.branches, paused.location, length)
    }

    /// The state in which a thread is about to take `event`.
    fn state_at(&self, event: EventId) -> StateId {
        match self.is_there(event) {
            true => self.execution.graph.event(event).saved,
            false => self.execution.state(event.thread()),
        }
    }

    fn sources_fit(&self, branches: &Branches, location: LocationId, length: u32) -> bool {
        let graph = &self.execution.graph;
        let is_source = |&source: &EventId| {
            source == EventId::INIT
                || self.is_there(source) && {
                    let event = graph.event(source);
                    event.is_write() && event.location == location && event.stamp < length
                }
        };
        branches.is_sound() && branches.sources().iter().all(is_source)
    }

    /// Whether a step of a schedule can be taken by its thread, which is about to take its event.
    #[inline]
    pub(super) fn step_fits(&self, step: &Step) -> bool {
        let thread = step.event.thread();
        let graph = &self.execution.graph;
        match self.execution.action(thread) {
            Action::Load(..) | Action::Rmw(_) => {
                let source = step.source;
                let location = self.execution.pool.get(self.execution.state(thread)).location;
                source == EventId::INIT
                    || self.is_there(source) && {
                        let event = graph.event(source);
                        event.is_write() && event.location == location
                    }
            }
            Action::Choose { count, .. } => u64::from(step.answer) < (*count).max(1),
            _ => self.execution.stance(thread) == Stance::Step,
        }
    }

    /// A schedule that was saved does not fit. What it would have led to is not looked at.
    #[cold]
    pub(super) fn misfit(&mut self) {
        let what = Unsupported::new(Obstacle::DamagedCheckpoint, Place::NONE);
        self.execution.unsupported(what);
    }
}
