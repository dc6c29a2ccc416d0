//! What can be wrong with an access to shared memory or with a free.

use super::Execution;
use super::stance::overlap;
use norn_action::{
    Access, Action, Address, Fault, FaultKind, Image, Machine, Mode, NO_STATE, ObjectKind, Place,
    Role, ThreadId, Unsupported,
};
use norn_graph::{Event, EventId, EventKind, Graph, LocationId, Objects, What};
use norn_models::{Model, race_with};
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
        let sizes = (access.size, self.locations.info(other).size);
        Some(Unsupported {
            message: format!(
                "accesses of {} and {} bytes overlap; shared memory must always be accessed in the \
                 same units",
                sizes.0, sizes.1
            ),
            place: access.place,
            other: event.map(|event| event.place),
        })
    }

    /// Why nothing can be said of the bytes at `address`, if another thread keeps an object there to
    /// itself: it was reached by an address that nobody saw being handed out.
    fn disguised(&mut self, address: Address, place: Place) -> Option<Unsupported> {
        let Execution { pool, machine, current, .. } = self;
        pool.bring(machine, current);
        let mut threads = self.started();
        let keeps = |thread: ThreadId| {
            let state = self.pool.thread(self.machine, thread, self.state(thread));
            self.machine.keeps_private(state, address)
        };
        threads.any(keeps).then(|| Unsupported {
            message:
                "a thread reaches an object of another one by an address that was handed over \
                      in disguise (xored, in parts); hand over the pointer as it is"
                    .to_owned(),
            place,
            other: None,
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
            return self.end_thread(thread, access.place, Action::Unsupported(Arc::new(what)));
        }
        let objects = self.graph.objects();
        let what = if write { "write" } else { "read" };
        let (kind, detail) = if access.address.0 < NULL_PAGE {
            (FaultKind::NullPointer, "through a null pointer".to_owned())
        } else if let Some((image, _)) = objects.find(access.address) {
            let over = access.address.0 + u64::from(access.size) - image.start.0 - image.size;
            (FaultKind::OutOfBounds, format!("reaches {over} bytes past the end of its object"))
        } else if let Some(text) = before_start(objects, access.address) {
            (FaultKind::OutOfBounds, text)
        } else if let Some(image) = near(objects.nearest_below(access.address), access.address) {
            (FaultKind::OutOfBounds, format!("is past the end of an object of {} bytes", image))
        } else {
            (FaultKind::WildPointer, format!("at {} is to no object", access.address))
        };
        let message = format!("{what} of {} bytes {detail}", access.size);
        self.fail(thread, Fault::new(kind, message, access.place))
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
        if state.is_simple() && !graph.objects().any_freed() {
            return;
        }
        self.check_closely(id);
    }

    fn check_closely(&mut self, id: EventId) {
        let graph = &self.graph;
        let event = graph.event(id);
        let resolved = &graph.location(event.location).resolved;
        if event.is_write() && resolved.read_only {
            self.report(id, None, FaultKind::ReadOnlyWrite, "writes read-only memory");
        }
        let graph = &self.graph;
        if Mo::ABOUT.races && !self.ignores_races {
            if let Some(other) = race_with(graph, Mo::HB, id) {
                self.report(id, Some(other), FaultKind::DataRace, "races with another access");
            } else if let Some(publisher) = unseen_initialisation(graph, Mo::HB, id) {
                let message = "is not ordered after the initialisation of the object it accesses";
                self.report(id, Some(publisher), FaultKind::DataRace, message);
            }
        }
        if self.graph.objects().any_freed() {
            self.check_alive(id);
        }
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
        let (kind, message) = freed_kind(graph, free);
        self.report(id, Some(free), kind, message);
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
                let (kind, message) = freed_kind(&self.graph, free);
                let fault = Fault::new(kind, message, access.place);
                self.violate(fault, thread, None, Some(free), Vec::new());
            }
        }
    }

    #[cold]
    fn report(&mut self, id: EventId, other: Option<EventId>, kind: FaultKind, message: &str) {
        let place = self.graph.event(id).place;
        let fault = Fault::new(kind, message, place);
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
        let fault =
            |kind, message: String| Err(Action::Fail(Arc::new(Fault::new(kind, message, place))));
        let objects = self.graph.objects();
        let valid = objects
            .find(address)
            .map(|(image, _)| image)
            .filter(|image| image.start == address && (by.is_none() || image.kind.is_heap()));
        let Some(image) = valid else {
            if let Some(what) = self.disguised(address, place) {
                return Err(Action::Unsupported(Arc::new(what)));
            }
            let message = format!("{address} is not the start of allocated memory");
            return fault(FaultKind::InvalidFree, message);
        };
        if objects.freed_by(address).is_some() {
            return fault(FaultKind::DoubleFree, "the memory is freed a second time".to_owned());
        }
        match by.and_then(|by| image.kind.mismatch(by)) {
            Some(text) => fault(FaultKind::InvalidFree, text.to_owned()),
            None => Ok(image.size),
        }
    }

    /// Every access to the object must come before its end, and so must its beginning.
    fn check_free(&mut self, free: EventId, start: Address) {
        let graph = &self.graph;
        if Mo::ABOUT.races
            && !self.ignores_races
            && let Some((_, publisher)) = graph.objects().find(start)
            && !self.model.ordered(graph, publisher, free)
        {
            let message = "is not ordered after the initialisation of the object that it ends";
            self.report(free, Some(publisher), FaultKind::DataRace, message);
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
            let (kind, message) = freed_kind(&self.graph, free);
            self.report(access, Some(free), kind, message);
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

/// That an address lies before the start of an object, if it is nearer to that than to the end of another.
fn before_start(objects: &Objects, address: Address) -> Option<String> {
    let image = objects.nearest_above(address)?;
    let distance = image.start.0 - address.0;
    let past = |image: &Image| address.0.saturating_sub(image.start.0 + image.size);
    let closer = objects.nearest_below(address).is_none_or(|image| past(image) >= distance);
    (distance < NEAR && closer).then(|| {
        format!("is {distance} bytes before the start of an object of {} bytes", image.size)
    })
}

fn near(image: Option<&Image>, address: Address) -> Option<u64> {
    let reach = |image: &Image| image.size + image.size.max(NEAR);
    image.filter(|image| address.0 - image.start.0 < reach(image)).map(|image| image.size)
}

fn freed_kind(graph: &Graph, free: EventId) -> (FaultKind, &'static str) {
    if matches!(graph.event(free).what(), What::Free { scope: true, .. }) {
        (FaultKind::UseAfterReturn, "accesses a local variable whose function may have returned")
    } else {
        (FaultKind::UseAfterFree, "accesses memory that may have been freed")
    }
}

/// The event that published the object of `id`, if its initialisation does not happen before `id`.
#[inline]
fn unseen_initialisation(graph: &Graph, hb: usize, id: EventId) -> Option<EventId> {
    let resolved = &graph.location(graph.event(id).location).resolved;
    let publisher = resolved.published_by;
    (!Graph::within(graph.clock(hb, id), publisher)).then_some(publisher)
}
