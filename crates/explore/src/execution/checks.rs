//! What can be wrong with an access to shared memory or with a free.

use super::stance::overlap;
use super::{Execution, Finding};
use norn_action::{
    Access, Action, Address, BadAccess, BadFree, ConstantWrite, Cut, End, Fault, Image, Lesson,
    Machine, Miss, Mode, NO_STATE, ObjectKind, Obstacle, Place, Role, ThreadId, Unsupported, Wrong,
};
use norn_graph::{Event, EventId, EventKind, Graph, LocationId, Objects, What};
use norn_models::Model;
use std::sync::Arc;

/// Addresses below this are null pointers with an offset.
const NULL_PAGE: u64 = 4096;

/// An access that is no further than this, or than the size of the object, behind an object was meant
/// to be in it.
const NEAR: u64 = 1 << 16;

impl<M: Machine, Mo: Model> Execution<'_, M, Mo> {
    /// Makes the location of an access known; false if it lies in no object.
    #[inline]
    pub(crate) fn touch(&mut self, id: LocationId) -> bool {
        if self.graph.location_if_any(id).is_some() {
            return true;
        }
        overlap(&self.graph, &self.locations, id).is_none() && self.graph.touch(id, &self.locations)
    }

    /// Why the pending access of `thread` cannot be taken, if its bytes are accessed in other units.
    fn mixed_sizes(&self, access: &Access, id: LocationId) -> Option<Unsupported> {
        let graph = &self.graph;
        let other = overlap(graph, &self.locations, id)?;
        let event = graph.order().iter().map(|&id| graph.event(id)).find(|e| e.location == other);
        Some(Unsupported {
            what: Obstacle::MixedSizes(access.size, self.locations.info(other).size),
            place: access.place,
            other: event.map(|event| event.place),
        })
    }

    /// Where the pending access, and those of the graph that it overlaps, must be made in parts so that they
    /// are in the same units, as far as the machine does not do so already.
    fn cuts(&self, access: &Access, id: LocationId) -> Vec<Cut> {
        let within = |start: Address, size: u8, cut: u64| {
            start.0 < cut && cut < start.0.saturating_add(size.into())
        };
        let mut cuts = Vec::new();
        let mut divide = |start: Address, size: u8, place: Place, others: (Address, u8)| {
            for cut in [others.0.0, others.0.0 + u64::from(others.1)] {
                if within(start, size, cut) {
                    cuts.push(Cut { place, at: (cut % 16) as u8 });
                }
            }
        };
        let own = (access.address, access.size);
        for &other in &self.locations.info(id).overlaps {
            if self.graph.location_if_any(other).is_none() {
                continue;
            }
            let info = self.locations.info(other);
            divide(access.address, access.size, access.place, (info.address, info.size));
            for event in self.graph.order().iter().map(|&id| self.graph.event(id)) {
                if event.location == other {
                    divide(info.address, info.size, event.place, own);
                }
            }
        }
        cuts.sort_unstable();
        cuts.dedup();
        cuts.retain(|&cut| !self.machine.is_cut(cut));
        cuts
    }

    /// Why nothing can be said of the bytes at `address`, if another thread keeps an object there to
    /// itself: it was reached by an address that nobody saw being handed out.
    fn disguised(&mut self, address: Address, place: Place) -> Option<Unsupported> {
        self.some_thread(|machine, thread| {
            machine.keeps_private(thread, address).then_some(Obstacle::Disguised)
        })
        .map(|what| Unsupported::new(what, place))
    }

    /// The first answer that some thread, in its present state, has.
    fn some_thread<T>(&mut self, answer: impl Fn(&M, &M::Thread) -> Option<T>) -> Option<T> {
        let Execution { pool, machine, current, .. } = self;
        pool.bring(machine, current);
        self.started().find_map(|thread| {
            let state = self.pool.thread(self.machine, thread, self.state(thread));
            answer(self.machine, state)
        })
    }

    /// The pending access of `thread` cannot be taken: reports why, and lets the thread end there.
    #[cold]
    pub(crate) fn fault_access(&mut self, thread: ThreadId) -> bool {
        let paused = self.pool.get(self.state(thread));
        let location = paused.location;
        let (access, write) = match &paused.action {
            Action::Store(access, _) => (*access, true),
            Action::Load(access, _) => (*access, false),
            Action::Rmw(rmw) => (rmw.access, true),
            _ => unreachable!("only accesses fault"),
        };
        let unsupported = self
            .mixed_sizes(&access, location)
            .or_else(|| self.disguised(access.address, access.place));
        if let Some(what) = unsupported {
            let cuts = self.cuts(&access, location);
            if !cuts.is_empty() {
                let lessons = cuts.into_iter().map(Lesson::Cut).collect();
                self.found.push(Finding::Lessons(lessons));
            }
            return self.end_thread(thread, access.place, Action::Unsupported(Arc::new(what)));
        }
        let Access { address, size, place, .. } = access;
        let miss = match miss(self.graph.objects(), address) {
            // What only one thread knew, and is over.
            Miss::NoObject => self
                .some_thread(|machine, thread| machine.ended(thread, address))
                .map_or(Miss::NoObject, Miss::Over),
            known => known,
        };
        let what = BadAccess { address, size: size.into(), writes: Some(write), miss };
        self.fail(thread, Fault::new(what, place))
    }

    /// Ends `thread` with `fault`.
    pub(crate) fn fail(&mut self, thread: ThreadId, fault: Fault) -> bool {
        self.end_thread(thread, fault.place, Action::Fail(Arc::new(fault)))
    }

    /// Looks for what is wrong with an access that was just added.
    #[inline]
    pub(crate) fn check_access(&mut self, id: EventId) {
        let graph = &self.graph;
        let event = graph.event(id);
        let state = graph.location(event.location);
        let may_race = Mo::ATOMICS_RACE && self.model.reports_races();
        if state.is_simple() && !may_race && !graph.objects().any_freed() {
            return;
        }
        self.check_closely(id);
    }

    fn check_closely(&mut self, id: EventId) {
        let graph = &self.graph;
        let event = graph.event(id);
        let resolved = &graph.location(event.location).resolved;
        if event.is_write() && resolved.read_only {
            let address = self.locations.info(event.location).address;
            self.report(id, None, ConstantWrite::Store(address));
        }
        if self.model.reports_races() && !self.ignores_races {
            let race = self.model.race(&self.graph, id);
            if let Some(other) = race.or_else(|| self.race_while_waiting(id)) {
                self.report(id, Some(other), Wrong::Race);
            }
        }
        if self.graph.objects().any_freed() {
            self.check_alive(id);
        }
    }

    /// A plain write that a read that waits has raced with before it got its value. It is one event, that of the try that
    /// succeeds; those before it failed, and were accesses as well. The first of them may come as soon as the thread
    /// has come there, so what happens before the last one because of what that reads does not happen before all of
    /// them. (What the objects of the runtime do inside is no access of the program.)
    fn race_while_waiting(&mut self, id: EventId) -> Option<EventId> {
        let Execution { graph, model, .. } = self;
        let event = graph.event(id);
        let location = graph.location(event.location);
        if !event.waits() || !location.has_plain() || event.flags.role() != Role::Data {
            return None;
        }
        let begun = match id.position() {
            0 => graph.spawned_by(id.thread()),
            position => EventId::new(id.thread(), position - 1),
        };
        let mut plain =
            location.co.iter().copied().filter(|&write| {
                write.thread() != id.thread() && !graph.event(write).mode.is_atomic()
            });
        plain.find(|&write| {
            let is_before = begun.is_real() && model.ordered(graph, write, begun);
            !is_before && !model.ordered(graph, id, write)
        })
    }

    /// Looks for what is wrong with any event.
    pub(crate) fn check_event(&mut self, id: EventId) {
        let event = self.graph.event(id);
        match event.kind {
            EventKind::Read | EventKind::Write => self.check_access(id),
            EventKind::Free => self.check_free(id, Address(event.value.low())),
            _ => {}
        }
    }

    #[cold]
    fn check_alive(&mut self, id: EventId) {
        let graph = &self.graph;
        let start = graph.location(graph.event(id).location).resolved.start;
        let Some(free) = graph.objects().freed_by(start) else { return };
        if self.model.ordered(graph, id, free) || ends_wait(graph.event(id)) {
            return;
        }
        let end = end_by(graph, free);
        self.report(id, Some(free), end);
    }

    /// Looks for threads that wait for something in an object whose life has ended: none of their events shows
    /// it. Whoever waits for a condition variable may find late that it was woken.
    #[cold]
    pub(super) fn check_waiting(&mut self) {
        for t in 0..self.current.len() as u32 {
            let thread = ThreadId(t);
            if self.state(thread) == NO_STATE || self.is_blocked(thread) {
                continue;
            }
            let access = match self.action(thread) {
                Action::Load(access, _) => *access,
                Action::Rmw(rmw) => rmw.access,
                _ => continue,
            };
            let objects = self.graph.objects();
            let Some((image, _)) = objects.find(access.address) else { continue };
            let Some(free) = objects.freed_by(image.start) else { continue };
            if access.role != Role::Condition {
                let fault = Fault::new(end_by(&self.graph, free), access.place);
                self.violate(fault, thread, None, Some(free), Vec::new());
            }
        }
    }

    #[cold]
    fn report(&mut self, id: EventId, other: Option<EventId>, what: impl Into<Wrong>) {
        let fault = Fault::new(what, self.graph.event(id).place);
        self.violate(fault, id.thread(), Some(id), other, Vec::new());
    }

    /// Ends the life of an object, after looking at whether that is allowed.
    pub(crate) fn extend_free(
        &mut self,
        thread: ThreadId,
        address: Address,
        by: Option<ObjectKind>,
        place: Place,
    ) -> bool {
        if let Err(action) = self.freeable(address, by, place) {
            return self.end_thread(thread, place, action);
        }
        let mut event = Event::free(address, by.is_none(), place);
        event.saved = self.state(thread);
        let id = self.graph.add_free(thread, event);
        self.added(id);
        self.count_event();
        self.check_free(id, address);
        self.advance(thread, event.saved, norn_action::Value::ZERO);
        true
    }

    /// The size of the object that a free at `place` would end; what becomes of the thread instead if it must not.
    pub(crate) fn freeable(
        &mut self,
        address: Address,
        by: Option<ObjectKind>,
        place: Place,
    ) -> Result<u64, Action> {
        let fault = |what: BadFree| Err(Action::Fail(Arc::new(Fault::new(what, place))));
        let objects = self.graph.objects();
        let valid = objects
            .find(address)
            .map(|(image, _)| image)
            .filter(|image| image.start == address && (by.is_none() || image.kind.is_heap()));
        let Some(image) = valid else {
            if let Some(what) = self.disguised(address, place) {
                return Err(Action::Unsupported(Arc::new(what)));
            }
            return fault(BadFree::NotAllocated(address));
        };
        if objects.freed_by(address).is_some() {
            return fault(BadFree::Twice(address));
        }
        match by {
            Some(by) if by != image.kind => {
                fault(BadFree::Mismatch { address, from: image.kind, by })
            }
            _ => Ok(image.size),
        }
    }

    /// Every access to the object must come before its end, and so must its beginning.
    fn check_free(&mut self, free: EventId, start: Address) {
        let graph = &self.graph;
        if self.model.reports_races()
            && !self.ignores_races
            && let Some((_, publisher)) = graph.objects().find(start)
            && !self.model.ordered(graph, publisher, free)
        {
            self.report(free, Some(publisher), Wrong::Race);
        }
        let graph = &self.graph;
        let late = graph.order().iter().copied().find(|&id| {
            let event = graph.event(id);
            matches!(event.kind, EventKind::Read | EventKind::Write)
                && graph.location(event.location).resolved.start == start
                && !ends_wait(event)
                && !self.model.ordered(graph, id, free)
        });
        if let Some(access) = late {
            let end = end_by(&self.graph, free);
            self.report(access, Some(free), end);
        }
    }
}

/// Whether a thread finds by this read that it waits for a condition variable no more. That may come late:
/// who has woken all of them may destroy the variable at once, and free its memory.
fn ends_wait(event: &Event) -> bool {
    event.kind == EventKind::Read
        && event.mode == Mode::Acquire
        && event.flags.is_like(Role::Condition)
        && !event.is_blocked()
}

/// What an access to `address` finds, which is wholly in no object.
fn miss(objects: &Objects, address: Address) -> Miss {
    if address.0 < NULL_PAGE {
        Miss::Null
    } else if let Some((image, _)) = objects.find(address) {
        Miss::Past(image.into())
    } else if let Some(image) = before_start(objects, address) {
        Miss::Before(image.into())
    } else if let Some(image) = near(objects.nearest_below(address), address) {
        Miss::Past(image.into())
    } else {
        Miss::NoObject
    }
}

/// The object that an address lies before the start of, if it is nearer to that than to the end of another.
fn before_start(objects: &Objects, address: Address) -> Option<&Image> {
    let image = objects.nearest_above(address)?;
    let distance = image.start.0 - address.0;
    let past = |image: &Image| address.0.saturating_sub(image.start.0 + image.size);
    let closer = objects.nearest_below(address).is_none_or(|image| past(image) >= distance);
    (distance < NEAR && closer).then_some(image)
}

fn near(image: Option<&Image>, address: Address) -> Option<&Image> {
    let reach = |image: &Image| image.size + image.size.max(NEAR);
    image.filter(|image| address.0 - image.start.0 < reach(image))
}

/// How the life of an object ends that `free` ends.
fn end_by(graph: &Graph, free: EventId) -> End {
    let scope = matches!(graph.event(free).what(), What::Free { scope: true, .. });
    if scope { End::Return } else { End::Free }
}
