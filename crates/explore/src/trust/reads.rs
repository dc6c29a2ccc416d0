//! Adding a read: which write it reads from, and what the thread does then.

use super::Trust;
use super::frame::{Choice, ChoiceKind};
use super::prune::Prune;
use crate::execution::{Becomes, Floors};
use norn_action::{Machine, ThreadId};
use norn_graph::EventId;
use norn_models::Model;

impl<M: Machine, Mo: Model, P: Prune> Trust<'_, M, Mo, P> {
    /// Adds the pending read of `thread`, reading from the newest write that fits.
    pub(crate) fn extend_read(&mut self, thread: ThreadId, last_resort: bool) -> bool {
        let read = self.execution.pending_read(thread);
        if !self.execution.touch(read.location) {
            return self.execution.fault_access(thread);
        }
        let newest = self.execution.graph.location(read.location).co.len() as u32;
        let floors = self.execution.read_floors(thread, &read, newest);
        self.read_from(thread, newest, floors, last_resort)
    }

    /// Adds the pending read of `thread`, reading from coherence index `from` or the nearest below
    /// that fits. False if none does.
    pub(crate) fn read_from(
        &mut self,
        thread: ThreadId,
        from: u32,
        floors: Floors,
        last_resort: bool,
    ) -> bool {
        let read = self.execution.pending_read(thread);
        self.execution.touch(read.location);
        let state = self.execution.state(thread);
        let newest = self.execution.graph.location(read.location).co.len() as u32;
        let oldest = self.top.oldest_source(&self.execution.graph, thread);
        for index in (floors.plain..=from).rev() {
            let source = self.execution.graph.co_at(read.location, index);
            let (value, undefined) = self.execution.graph.content_of(source, read.location);
            let becomes = read.becomes((value, undefined));
            let allowed = match becomes {
                Becomes::Plain => true,
                Becomes::Exclusive => index >= floors.locked,
                Becomes::Blocked => last_resort && index == newest,
            };
            if !allowed
                || !self.allows_read(thread, &read, source, becomes)
                || (oldest > 0 && !self.is_from(source, oldest))
            {
                continue;
            }
            let length = self.execution.graph.len() as u32;
            let id = self.execution.graph.add_read(thread, read.event(becomes, state), source);
            self.execution.added(id);
            if !self.execution.model.holds(&self.execution.graph, id) {
                self.execution.graph.pop();
                self.execution.touch(read.location);
                continue;
            }
            self.execution.count_event();
            if index > floors.plain {
                let next = index - 1;
                let kind = ChoiceKind::Read { thread, next, floors, last_resort };
                self.top.choices.push(Choice { length, kind });
            }
            self.execution.check_access(id);
            self.execution.after_read(thread, state, becomes, (value, undefined));
            return true;
        }
        self.execution.graph.untouch(read.location);
        false
    }

    /// Whether `write` was added at stamp `oldest - 1` or later.
    fn is_from(&self, write: EventId, oldest: u32) -> bool {
        write.is_real() && self.execution.graph.event(write).stamp + 1 >= oldest
    }
}
