//! What a location would hold if fewer steps had been taken.

use super::Awaits;
use super::label::{Effect, Label};
use super::trace::StepId;
use crate::execution::{Becomes, PendingRead};
use norn_action::{Action, Machine, Value};
use norn_graph::{EventId, LocationId};
use norn_models::Interleaving;

impl<M: Machine, Mo: Interleaving> Awaits<'_, M, Mo> {
    /// What `location`, which is accessed, holds after the steps of which `is_kept`; with each of them, all
    /// that happen before it are kept.
    pub(super) fn content_after(
        &self,
        location: LocationId,
        is_kept: impl Fn(StepId) -> bool,
    ) -> (Value, u8) {
        let (graph, trace) = (&self.execution.graph, &self.execution.model.trace);
        let accesses = trace.accesses(location);
        let writes = |&&id: &&StepId| trace.step(id).label.effect == Effect::Write && is_kept(id);
        let last = accesses.iter().rev().find(writes).copied();
        let mut content =
            graph.content_of(last.map_or(EventId::INIT, |id| self.written(id)), location);
        let later = accesses.iter().filter(|&&id| last.is_none_or(|last| id > last));
        for &id in later.filter(|&&id| trace.step(id).label.effect.is_update() && is_kept(id)) {
            content = self.update(id, content.0);
        }
        content
    }

    /// The event by which a step writes.
    fn written(&self, id: StepId) -> EventId {
        let event = self.execution.model.trace.step(id).event;
        let is_first = self.execution.graph.event(event).is_read();
        EventId::new(event.thread(), event.position() + u32::from(is_first))
    }

    /// What an update makes of a value, and which bytes of that were never written.
    fn update(&self, id: StepId, value: Value) -> (Value, u8) {
        let event = self.execution.graph.event(self.execution.model.trace.step(id).event);
        let Action::Rmw(rmw) = &self.execution.pool.get(event.saved).action else {
            unreachable!("only read-modify-writes update")
        };
        (rmw.op.apply(value, rmw.operand, rmw.access.size), rmw.access.undefined)
    }

    /// The second step of a race as it is without the first and all that happens after that.
    pub(super) fn label_without(&self, first: StepId, second: StepId) -> Label {
        let trace = &self.execution.model.trace;
        let step = trace.step(second);
        let event = self.execution.graph.event(step.event);
        let paused = self.execution.pool.get(event.saved);
        match &paused.action {
            Action::Rmw(rmw) if rmw.test.is_some() => {
                let is_kept = |id: StepId| id < first || !trace.happens_before(first, id);
                let content = self.content_after(step.label.location, is_kept);
                let effect = match PendingRead::of(paused).becomes(content) {
                    Becomes::Exclusive => Effect::Write,
                    Becomes::Plain | Becomes::Blocked => Effect::Read,
                };
                Label { effect, ..step.label }
            }
            _ => step.label,
        }
    }
}
