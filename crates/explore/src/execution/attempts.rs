//! Tries that a thread would take back if they failed ([`Wait::Attempt`]).
//!
//! A thread subtracts from a word, finds that there was too little, adds again, waits until there is more, and tries once
//! more. Where nobody can tell, such tries are not made: the thread waits until one succeeds. Here is why that is enough, and
//! what is looked at to know that nobody can tell.
//!
//! Take any execution of the program, and all tries out of it that failed. What is left is an execution in which all succeed at
//! once if everybody who is left does the same as before. A try that failed has put back what it took, or is under way.
//! So at each location, whoever is left reads a value that differs by what the failed tries of others have taken just then.
//! That changes nothing if, at each location at which there are tries,
//!
//! 1. all accesses are tries, or read-modify-writes that add a number whatever they find and whose answers nobody looks at;
//!    any other is ordered with respect to the tries of all other threads: it comes before the thread has
//!    done what it does last before it tries, or after the try has succeeded. In each run of what is left it then is where
//!    there are no failed tries (the order of what is left is within that of the execution);
//! 2. tries all take, or all give: so a try that needs a large number (or a small one) and succeeded where others had taken
//!    something succeeds all the more where they have not. One that needs a certain number does so if no write of
//!    an execution goes beyond it. Numbers are small enough not to wrap around.
//!
//! A try that is left thus succeeds as before. Whatever is wrong with the execution is wrong with what is left (fewer events are
//! ordered, see [`super::rounds`]), or a thread waits for ever there as here: where a try fails for ever, the thread does not come
//! out of its loop, and where it waits for something after a failure, that is just what the try needs.
//!
//! Both conditions are looked at when an execution has ended, at all accesses and all tries that threads stand before. If
//! an execution as the program has it violated one of them, so does what is left of it up to there, which is looked at; then
//! the search begins again with tries that are made ([`Lesson::AttemptsShow`]).

use super::{Execution, Finding};
use norn_action::{Action, Compare, Lesson, Machine, Rmw, Test, ThreadId, Value, Wait};
use norn_graph::{Event, EventId, LocationId};
use norn_models::Model;
use smallvec::SmallVec;

/// A try that was made with success, or before which a thread stands.
#[derive(Clone, Copy, Debug)]
struct Try {
    thread: ThreadId,
    location: LocationId,
    /// How many events the thread had before.
    position: u32,
    /// Whether it was made.
    made: bool,
    change: i128,
    success: Test,
    size: u8,
}

impl<M: Machine, Mo: Model> Execution<'_, M, Mo> {
    /// At the end of an execution: what the machine has to know about tries.
    #[inline(never)]
    pub(super) fn learn_of_attempts(&mut self) {
        let tries = self.tries();
        if !tries.is_empty() && !self.nobody_can_tell(&tries) {
            self.found.push(Finding::Lessons(vec![Lesson::AttemptsShow]));
        }
    }

    fn tries(&self) -> SmallVec<[Try; 8]> {
        let mut tries = SmallVec::new();
        for thread in self.started() {
            for (position, event) in self.graph.thread_events(thread).iter().enumerate() {
                if event.is_read() && event.is_exclusive() {
                    let action = &self.pool.get(event.saved).action;
                    tries.extend(self.try_of(
                        action,
                        event.location,
                        thread,
                        position,
                        !event.is_blocked(),
                    ));
                }
            }
            let location = self.pool.get(self.state(thread)).location;
            let length = self.graph.thread_len(thread) as usize;
            tries.extend(self.try_of(self.action(thread), location, thread, length, false));
        }
        tries
    }

    fn try_of(
        &self,
        action: &Action,
        location: LocationId,
        thread: ThreadId,
        position: usize,
        made: bool,
    ) -> Option<Try> {
        let Action::Rmw(rmw) = action else { return None };
        let (Some(Wait::Attempt), Some(success)) = (rmw.wait, rmw.test) else { return None };
        let (position, size) = (position as u32, rmw.access.size);
        let change = rmw.adds()?;
        Some(Try { thread, location, position, made, change, success, size })
    }

    fn nobody_can_tell(&mut self, tries: &[Try]) -> bool {
        let mut locations: SmallVec<[LocationId; 4]> =
            tries.iter().map(|one| one.location).collect();
        locations.sort_unstable();
        locations.dedup();
        locations.into_iter().all(|location| {
            let there = tries.iter().filter(|one| one.location == location).copied();
            let there: SmallVec<[Try; 8]> = there.collect();
            self.values_allow(location, &there) && self.accesses_allow(location, &there)
        })
    }

    /// The second condition.
    fn values_allow(&self, location: LocationId, tries: &[Try]) -> bool {
        let falls = tries[0].change < 0;
        let size = tries[0].size;
        let most = tries.iter().map(|one| one.change.abs()).max().unwrap_or_default();
        // Each thread has tried once at the most and not taken it back.
        let threads = self.started().count() as i128;
        let limit = (1i128 << (u32::from(size) * 8 - 1)) - most.saturating_mul(threads);
        let allows = |one: &Try, value: i128| match one.success.compare {
            Compare::Eq => {
                let wanted = Value(one.success.operand).signed(size);
                if falls { value <= wanted } else { value >= wanted }
            }
            Compare::Sgt | Compare::Sge => falls,
            Compare::Slt | Compare::Sle => !falls,
            _ => false,
        };
        let is_fine = |value: i128| {
            value.abs() < limit
                && tries.iter().all(|one| (one.change < 0) == falls && allows(one, value))
        };
        let Some(initial) = self.initial(location) else { return false };
        let writes = self.graph.order().iter().map(|&id| self.graph.event(id));
        let mut writes = writes.filter(|event| event.is_write() && event.location == location);
        is_fine(initial.signed(size)) && writes.all(|event| is_fine(event.value.signed(size)))
    }

    /// What a location holds at first, also if nobody has accessed it yet.
    fn initial(&self, location: LocationId) -> Option<Value> {
        if self.graph.location_if_any(location).is_some() {
            return Some(self.graph.value_of(EventId::INIT, location));
        }
        let info = self.locations.info(location);
        let resolved = self.graph.objects().resolve(info.address, info.size);
        resolved.filter(|resolved| resolved.undefined == 0).map(|resolved| resolved.initial)
    }

    /// The first condition.
    fn accesses_allow(&mut self, location: LocationId, tries: &[Try]) -> bool {
        let made = (0..self.graph.len()).all(|index| {
            let id = self.graph.order()[index];
            let event = self.graph.event(id);
            let accesses = (event.is_read() || event.is_write()) && event.location == location;
            // The second half of a read-modify-write is where the first is.
            let is_second = event.is_write() && event.is_exclusive();
            !accesses || is_second || self.only_adds(event) || self.is_apart(id, tries)
        });
        made && self.started().all(|thread| {
            let action = self.action(thread);
            let accesses = matches!(action, Action::Load(..) | Action::Store(..) | Action::Rmw(_));
            let is_there = self.pool.get(self.state(thread)).location == location;
            !(accesses && is_there) || is_attempt(action)
        })
    }

    /// Whether the event is a try, or adds a number without a look at what there is.
    fn only_adds(&self, event: &Event) -> bool {
        let Action::Rmw(rmw) = &self.pool.get(event.saved).action else { return false };
        rmw.wait == Some(Wait::Attempt) || (rmw.is_blind() && rmw.adds().is_some())
    }

    /// Whether an access is where no other thread tries in vain.
    fn is_apart(&mut self, id: EventId, tries: &[Try]) -> bool {
        tries.iter().all(|one| {
            one.thread == id.thread() || self.is_before(id, one) || self.is_behind(id, one)
        })
    }

    fn is_before(&mut self, id: EventId, one: &Try) -> bool {
        let last = match one.position.checked_sub(1) {
            Some(position) => EventId::new(one.thread, position),
            None => self.graph.spawned_by(one.thread),
        };
        last.is_real() && (last == id || self.model.ordered(&self.graph, id, last))
    }

    fn is_behind(&mut self, id: EventId, one: &Try) -> bool {
        // What a try writes stands right behind what it reads.
        let success = EventId::new(one.thread, one.position + 1);
        one.made && self.model.ordered(&self.graph, success, id)
    }
}

fn is_attempt(action: &Action) -> bool {
    matches!(action, Action::Rmw(Rmw { wait: Some(Wait::Attempt), .. }))
}
