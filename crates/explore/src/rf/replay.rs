//! Replaying a schedule.
//!
//! All its steps but the last have been part of a consistent graph together with what the node started
//! from, so they succeed, unless the schedule comes from a file that was damaged, or the search is
//! stopped while a thread computes its way to a step; then the schedule goes back to its node. Whether
//! the node's read may read from the new write is seen at the end. The reads of a schedule, except the
//! node's own, belong to no node: other sources for them are the business of other schedules.

use super::Rf;
use super::node::Step;
use norn_action::{Action, Machine, NO_STATE};
use norn_graph::EventId;
use norn_models::Arrange;

impl<M: Machine, Mo: Arrange> Rf<'_, M, Mo> {
    /// Replays a schedule of a node. False if it turns out to be inconsistent, or if the search was
    /// stopped on the way.
    pub(super) fn replay(&mut self, index: u32, script: &[Step]) -> bool {
        let node = &self.nodes[index as usize];
        let (own, length) = (node.event, node.length);
        let (mut fits, mut interrupted) = (true, false);
        let alive = script.iter().all(|step| {
            let thread = step.event.thread();
            let taken = self.execution.graph.thread_len(thread);
            if taken > step.event.position() {
                // The second half of a read-modify-write came with the first.
                return true;
            }
            fits = taken == step.event.position()
                && self.execution.state(thread) != NO_STATE
                && self.step_fits(step);
            if !fits {
                interrupted = self.execution.state(thread) != NO_STATE
                    && matches!(self.execution.action(thread), Action::Interrupted);
                return false;
            }
            match *self.execution.action(thread) {
                Action::Load(..) | Action::Rmw(_) => self.take_read(thread, step.source),
                Action::Store(..) => self.take_write(thread, false),
                Action::Choose { .. } => self.take_answer(thread, u64::from(step.answer)),
                _ => self.take_other(thread),
            }
        });
        let last = script.last().expect("a schedule has steps").event;
        let writer = script.iter().rev().find(|step| step.event != own).map(|step| step.event);
        if interrupted {
            self.nodes[index as usize].add_schedule(script.iter().copied());
            self.execution.cut(length);
            return false;
        }
        if !fits {
            self.misfit();
        }
        if !alive {
            self.session.summary.figures.rf.get_or_insert_default().dead += 1;
            self.execution.cut(length);
            return false;
        }
        if let Some(write) = writer.map(|id| EventId::new(id.thread(), self.last_position(id)))
            && self.is_exclusive_write(write)
        {
            // It may be new: a read-modify-write that takes what the node's read had taken.
            self.declare(write);
        }
        if last == own {
            self.own(index);
        }
        true
    }

    fn last_position(&self, id: EventId) -> u32 {
        self.execution.graph.thread_len(id.thread()) - 1
    }
}
