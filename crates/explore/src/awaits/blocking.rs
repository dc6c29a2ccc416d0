//! Blocking races: a step that waits, taken or not, and the steps that it could have come before
//! (Algorithm 1, lines 7 to 22).
//!
//! Before a step `first` that conflicts with it, a step that waits may not be possible, although before an
//! earlier one it was. So all of them are gone through, latest first, until a line was found before one that
//! conflicts with all others: what lies further back is found from the executions of that line.
//!
//! If `first` is an update, other updates that commute with it may stand between it and the step that waits.
//! Which of them have to be left out for it to be possible is a search over subsets; with each, all that
//! happens after it is left out.

use super::Awaits;
use super::label::{Effect, Label};
use super::trace::StepId;
use crate::execution::{Becomes, PendingRead, Stance, WaitsFor};
use norn_action::{Action, Machine, RmwOp, StateId, ThreadId, Value};
use norn_models::Interleaving;

/// With more different sums than this it is not looked up which can be reached.
const MOST_SUMS: usize = 1 << 10;

/// A step that waits.
struct Waiter {
    thread: ThreadId,
    state: StateId,
    read: PendingRead,
    /// What it comes right after, in its thread.
    before: Option<StepId>,
    /// Whether its races were looked at when an earlier execution ended.
    is_old: bool,
}

/// A search for subsets of updates.
struct Subsets {
    /// The updates, in order.
    updates: Vec<StepId>,
    /// For each update: the sums that leaving out some of it and the later ones takes away; none if there are too
    /// many, or the updates are no additions.
    sums: Option<Vec<Vec<u128>>>,
    left_out: Vec<StepId>,
    found: bool,
}

impl<M: Machine, Mo: Interleaving> Awaits<'_, M, Mo> {
    /// Looks at all blocking races of an execution in which nobody can move.
    pub(super) fn reverse_blocking(&mut self) {
        for id in 0..self.execution.model.trace.len() {
            let step = *self.execution.model.trace.step(id);
            if !step.waits {
                continue;
            }
            let state = self.execution.graph.event(step.event).saved;
            let own = self.execution.model.trace.of(step.label.thread);
            let before = match step.position.checked_sub(1) {
                Some(position) => Some(own[position as usize]),
                None => self.spawn_of(step.label.thread),
            };
            self.reverse_waiter(state, step.label.thread, before, id);
        }
        for t in 0..self.execution.current.len() as u32 {
            let thread = ThreadId(t);
            if let Stance::Read(waits) = self.execution.stance(thread)
                && waits != WaitsFor::Nothing
            {
                let (state, trace) = (self.execution.state(thread), &self.execution.model.trace);
                let before = trace.before_next(&self.execution.graph, thread);
                self.reverse_waiter(state, thread, before, trace.len());
            }
        }
    }

    fn spawn_of(&self, thread: ThreadId) -> Option<StepId> {
        let spawn = self.execution.graph.spawned_by(thread);
        spawn.is_real().then(|| self.execution.model.trace.of_event(spawn))
    }

    /// Looks at the races of a read that waits, which `thread` takes from `state` right after `before`; `end`
    /// is the step that it is, or the end of the trace.
    fn reverse_waiter(
        &mut self,
        state: StateId,
        thread: ThreadId,
        before: Option<StepId>,
        end: StepId,
    ) {
        let read = PendingRead::of(self.execution.pool.get(state));
        let waiter = Waiter { thread, state, read, before, is_old: end < self.old };
        let mut at = self.execution.model.trace.accesses(read.location).len();
        while at > 0 {
            at -= 1;
            let trace = &self.execution.model.trace;
            let first = trace.accesses(read.location)[at];
            let effect = trace.step(first).label.effect;
            let conflicts = effect.writes() || read.is_rmw();
            let comes_later = before.is_some_and(|before| trace.happens_before(first, before));
            if first >= end || !conflicts || (comes_later && effect != Effect::Write) {
                continue;
            }
            // Before a write, everything that happens before it is settled.
            let is_last = effect == Effect::Write;
            if comes_later || (self.reverse_before(first, &waiter) && is_last) {
                break;
            }
        }
    }

    /// Inserts lines that lead to the step that waits before `first`. Whether there are any.
    fn reverse_before(&mut self, first: StepId, waiter: &Waiter) -> bool {
        let trace = &self.execution.model.trace;
        let location = waiter.read.location;
        if !trace.step(first).label.effect.is_update() {
            // What comes later and does not happen after it leaves the location alone.
            let content = self.content_after(location, |id| id < first);
            if waiter.read.becomes(content) == Becomes::Blocked {
                return false;
            }
            if waiter.is_old && trace.all_after(first, self.old) {
                return true;
            }
        }
        let mut apart = std::mem::take(&mut self.apart);
        trace.not_after(first, &mut apart);
        let mut updates: Vec<StepId> = Vec::new();
        if trace.step(first).label.effect.is_update() {
            let is_between = |id: &StepId| trace.step(*id).label.location == location;
            let is_update = |id: &StepId| trace.step(*id).label.effect.is_update();
            updates.extend(apart.iter().copied().filter(is_between).filter(is_update));
        }
        let without = |id: StepId| id < first && !updates.contains(&id);
        let never_written = !updates.is_empty() && self.content_after(location, without).1 != 0;
        let sums = if never_written { None } else { self.sums(&updates) };
        let mut subsets = Subsets { updates, sums, left_out: Vec::new(), found: false };
        self.search_subsets(first, waiter, &apart, 0, &mut subsets);
        self.apart = apart;
        subsets.found
    }

    /// Inserts a line if the step that waits is possible without the updates that are left out; otherwise tries to
    /// leave out more of them, from `from` on.
    fn search_subsets(
        &mut self,
        first: StepId,
        waiter: &Waiter,
        apart: &[StepId],
        from: usize,
        subsets: &mut Subsets,
    ) {
        let trace = &self.execution.model.trace;
        let left_out = &subsets.left_out;
        let is_out = |id: StepId| left_out.iter().any(|&out| trace.happens_before(out, id));
        if waiter.before.is_some_and(is_out) {
            return;
        }
        let is_kept = |id: StepId| id < first || (!trace.happens_before(first, id) && !is_out(id));
        let content = self.content_after(waiter.read.location, is_kept);
        let becomes = waiter.read.becomes(content);
        if becomes != Becomes::Blocked {
            let kept = apart.iter().filter(|&&id| !is_out(id));
            self.line.clear();
            self.line.extend(kept.map(|&id| trace.step(id).label));
            let effect = match becomes {
                Becomes::Exclusive => self.effect_of(&self.execution.pool.get(waiter.state).action),
                Becomes::Plain | Becomes::Blocked => Effect::Read,
            };
            let (thread, location) = (waiter.thread, waiter.read.location);
            self.line.push(Label { thread, location, effect, answer: 0 });
            self.nodes[first as usize].insert(&self.line);
            subsets.found = true;
            return;
        }
        for index in from..subsets.updates.len() {
            let update = subsets.updates[index];
            if !subsets.may_reach(index, content.0, &waiter.read) {
                return;
            }
            let trace = &self.execution.model.trace;
            if subsets.left_out.iter().any(|&out| trace.happens_before(out, update)) {
                continue;
            }
            subsets.left_out.push(update);
            self.search_subsets(first, waiter, apart, index + 1, subsets);
            subsets.left_out.pop();
        }
    }

    /// The sums that can be taken away by leaving out some of the updates from each of them on.
    fn sums(&self, updates: &[StepId]) -> Option<Vec<Vec<u128>>> {
        let mut sums = vec![vec![0]];
        for &id in updates.iter().rev() {
            let event = self.execution.graph.event(self.execution.model.trace.step(id).event);
            let Action::Rmw(rmw) = &self.execution.pool.get(event.saved).action else {
                return None;
            };
            let change = match rmw.op {
                RmwOp::Add => rmw.operand.0,
                RmwOp::Sub => rmw.operand.0.wrapping_neg(),
                _ => return None,
            };
            let later = sums.last().expect("the sums of nothing");
            let mut all: Vec<u128> = later.clone();
            all.extend(later.iter().map(|sum| sum.wrapping_add(change)));
            all.sort_unstable();
            all.dedup();
            if all.len() > MOST_SUMS {
                return None;
            }
            sums.push(all);
        }
        sums.reverse();
        Some(sums)
    }
}

impl Subsets {
    /// Whether leaving out some updates from `index` on may make the read possible, where it sees `value`
    /// otherwise.
    fn may_reach(&self, index: usize, value: Value, read: &PendingRead) -> bool {
        let Some(sums) = &self.sums else { return true };
        sums[index].iter().any(|sum| {
            let value = Value(value.0.wrapping_sub(*sum)).truncate(read.access.size);
            read.becomes((value, 0)) != Becomes::Blocked
        })
    }
}
