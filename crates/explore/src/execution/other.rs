//! Actions that are neither reads nor writes: none of them branches, except a choice.

use super::Execution;
use super::stance::arrived;
use norn_action::{
    Action, Address, BadJoin, Barrier, Fault, Machine, Mode, NO_STATE, ObjectKind, Obstacle, Place,
    ThreadId, Unsupported, Value,
};
use norn_graph::{Event, EventId, EventKind};
use norn_models::Model;
use std::sync::Arc;

impl<M: Machine, Mo: Model> Execution<'_, M, Mo> {
    /// Takes the pending action of `thread`, which is neither an access nor a choice. False if that is beyond
    /// the limits.
    pub(crate) fn take_other(&mut self, thread: ThreadId) -> bool {
        let action = self.pool.get(self.state(thread)).action.clone();
        match action {
            Action::Fence(mode, place) => {
                let id = self.add_event(thread, Event::new(EventKind::Fence, mode, place));
                self.go_on(thread, id, Value::ZERO)
            }
            Action::Publish(images, place) => {
                let saved = self.state(thread);
                let id = self.graph.add_publish(thread, Arc::clone(&images), place);
                self.graph.set_saved(id, saved);
                self.added(id);
                self.count_event();
                self.go_on(thread, id, Value::ZERO)
            }
            Action::Spawn { index, like, place } => self.spawn(thread, index, like, place),
            Action::Join { thread: target, place } => self.join(thread, target, place),
            Action::Free { address, by, place } => self.extend_free(thread, address, by, place),
            Action::Measure { address, by, keeps, place } => {
                self.measure(thread, address, by, keeps, place)
            }
            Action::BarrierArrive(barrier) => {
                let id = self.add_event(thread, Event::arrive(&barrier));
                self.go_on(thread, id, Value::ZERO)
            }
            Action::BarrierLeave(barrier) => self.leave(thread, &barrier),
            Action::Last { place, .. } => self.outlive(thread, place),
            Action::Round { place, stores, .. } => {
                self.meets_round(thread, stores);
                let id = self.add_event(thread, Event::choice(0, false, place));
                self.go_on(thread, id, Value::ZERO)
            }
            other => unreachable!("{other:?} is not taken"),
        }
    }

    fn measure(
        &mut self,
        thread: ThreadId,
        address: Address,
        by: ObjectKind,
        keeps: bool,
        place: Place,
    ) -> bool {
        let size = match self.freeable(address, Some(by), place) {
            Ok(size) => size,
            Err(action) => return self.end_thread(thread, place, action),
        };
        let id = self.add_event(thread, Event::measure(address, keeps, place));
        self.go_on(thread, id, Value::from(size))
    }

    fn add_event(&mut self, thread: ThreadId, mut event: Event) -> EventId {
        event.saved = self.state(thread);
        let id = self.graph.add_other(thread, event);
        self.added(id);
        self.count_event();
        id
    }

    fn go_on(&mut self, thread: ThreadId, id: EventId, answer: Value) -> bool {
        let saved = self.graph.event(id).saved;
        self.advance(thread, saved, answer);
        true
    }

    fn spawn(&mut self, thread: ThreadId, index: u32, like: Option<u32>, place: Place) -> bool {
        let child = self.names.child(thread, index);
        if child.index() >= ThreadId::MOST {
            self.unsupported(Unsupported::new(Obstacle::TooManyThreads, place));
            return false;
        }
        let state = self.state(thread);
        let mut event = Event::new(EventKind::Spawn, Mode::Plain, place);
        event.saved = state;
        if let Some(like) = like.filter(|_| self.symmetry) {
            self.note_twin(thread, self.names.child(thread, like), &mut event);
        }
        let id = self.graph.add_spawn(thread, event, child);
        self.added(id);
        self.count_event();
        let Execution { pool, machine, locations, current, .. } = self;
        let started = pool.spawn(machine, (thread, state), current, child, locations);
        current.resize(current.len().max(child.index() + 1), NO_STATE);
        current[child.index()] = started;
        self.order.learn(&self.names, child.index() + 1);
        self.arrived(child);
        self.go_on(thread, id, Value::from(u64::from(child.0)))
    }

    /// Notes in its spawn that the next thread is like `twin`, unless whoever starts both did something else in between,
    /// which only one of them may know of.
    fn note_twin(&mut self, thread: ThreadId, twin: ThreadId, spawn: &mut Event) {
        let events = self.graph.thread_events(thread);
        let spawns = events.iter().rev().take_while(|event| event.kind == EventKind::Spawn);
        if spawns.map(Event::target).any(|child| child == twin) {
            spawn.set_twin(twin);
            self.has_twins = true;
        }
    }

    fn join(&mut self, thread: ThreadId, target: ThreadId, place: Place) -> bool {
        let state = self.state(target);
        if state == NO_STATE {
            return self.fail(thread, Fault::new(BadJoin::NoThread(target), place));
        }
        let graph = &self.graph;
        if graph.order().iter().any(|&id| graph.event(id).joins(target)) {
            return self.fail(thread, Fault::new(BadJoin::Joined(target), place));
        }
        let Some(value) = self.pool.get(state).action.result() else {
            unreachable!("a join is taken when its thread has ended")
        };
        let id = self.add_join(thread, target, place);
        self.go_on(thread, id, value)
    }

    fn add_join(&mut self, thread: ThreadId, target: ThreadId, place: Place) -> EventId {
        let id = self.add_event(thread, Event::join(target, place));
        let last = match self.graph.last_of(target) {
            EventId::NONE => self.graph.spawned_by(target),
            last => last,
        };
        if last.is_real() {
            self.graph.synchronise(id, last);
        }
        id
    }

    /// All other threads have ended: `thread` joins one of those that it has not joined, and is told
    /// how many are left then.
    fn outlive(&mut self, thread: ThreadId, place: Place) -> bool {
        let events = self.graph.thread_events(thread);
        let joined = |t: u32| events.iter().any(|event| event.joins(ThreadId(t)));
        let left: Vec<u32> = (0..self.current.len() as u32)
            .filter(|&t| t != thread.0 && self.state(ThreadId(t)) != NO_STATE && !joined(t))
            .collect();
        let id = match left.first() {
            Some(&target) => self.add_join(thread, ThreadId(target), place),
            // Nothing to wait for, but the thread goes on from here: a choice of one answer.
            None => self.add_event(thread, Event::choice(0, false, place)),
        };
        self.go_on(thread, id, Value::from(left.len().saturating_sub(1) as u64))
    }

    fn leave(&mut self, thread: ThreadId, barrier: &Barrier) -> bool {
        if arrived(&self.graph, barrier) > barrier.count as usize {
            let crowded = Obstacle::CrowdedBarrier(barrier.count);
            self.unsupported(Unsupported::new(crowded, barrier.place));
            return false;
        }
        let id = self.add_event(thread, Event::leave(barrier));
        let mut number = 0;
        for t in 0..self.graph.thread_count() {
            let other = ThreadId(t as u32);
            let mut events = self.graph.thread_events(other).iter();
            let arrival = events.position(|event| event.arrives_at(barrier.address, barrier.round));
            if let Some(position) = arrival {
                number += u64::from(t < thread.index());
                self.graph.synchronise(id, EventId::new(other, position as u32));
            }
        }
        self.go_on(thread, id, Value::from(number))
    }

    /// Answers the pending choice of `thread`.
    pub(crate) fn answer(&mut self, thread: ThreadId, answer: u64) -> bool {
        let state = self.state(thread);
        let Action::Choose { asked, place, .. } = self.pool.get(state).action else {
            unreachable!("the thread is paused at a choice")
        };
        let id = self.add_event(thread, Event::choice(answer, asked, place));
        self.go_on(thread, id, Value::from(answer))
    }
}
