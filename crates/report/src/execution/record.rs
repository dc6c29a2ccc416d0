//! From a graph to a value.

use super::{
    Action, Barrier, Event, EventName, Execution, Location, Object, Read, Source, Storage, Thread,
    Value, Write,
};
use crate::describe::Describer;
use crate::names::Spot;
use norn_action::{Address, ObjectKind, Place, ThreadId};
use norn_explore::{Calls, Violation};
use norn_graph::{EventId, Graph, LocationId, What};
use norn_models::{Facts, Instead};
use std::collections::HashMap;

/// Up to how many events it is asked of each read what else it could have read: each question costs a copy of the graph.
const ASKED: usize = 1000;

/// The execution that shows `violation`, which was found under a model of which `model` is known.
pub(crate) fn record(violation: &Violation, model: Facts, describer: &Describer<'_>) -> Execution {
    let recorder = Recorder::new(violation, model, describer);
    let threads = 0..violation.graph.thread_count() as u32;
    Execution {
        threads: threads.map(|thread| recorder.thread(ThreadId(thread))).collect(),
        objects: recorder.objects.iter().map(|&start| recorder.object(start)).collect(),
        locations: recorder.locations.iter().map(|&id| recorder.location(id)).collect(),
    }
}

impl From<EventId> for EventName {
    fn from(id: EventId) -> EventName {
        EventName { thread: id.thread().0, index: id.position() }
    }
}

struct Recorder<'r> {
    violation: &'r Violation,
    graph: &'r Graph,
    describer: &'r Describer<'r>,
    hb: usize,
    instead: Option<Instead>,
    calls: Calls,
    /// The first bytes of all objects, ascending.
    objects: Vec<Address>,
    /// The locations of all accesses, by address.
    locations: Vec<LocationId>,
    indices: HashMap<LocationId, usize>,
}

impl<'r> Recorder<'r> {
    fn new(violation: &'r Violation, model: Facts, describer: &'r Describer<'r>) -> Recorder<'r> {
        let graph = &violation.graph;
        let mut objects: Vec<Address> =
            graph.objects().iter().map(|(image, _)| image.start).collect();
        objects.sort_unstable();
        objects.dedup();
        let mut locations = graph.touched().to_vec();
        locations.sort_by_key(|&id| {
            let info = violation.locations.info(id);
            (info.address, info.size)
        });
        Recorder {
            violation,
            graph,
            describer,
            hb: model.hb,
            instead: model.instead.filter(|_| graph.len() <= ASKED),
            calls: describer.names().calls(violation),
            objects,
            indices: locations.iter().enumerate().map(|(index, &id)| (id, index)).collect(),
            locations,
        }
    }

    fn thread(&self, thread: ThreadId) -> Thread {
        let spawn = self.graph.spawned_by(thread);
        let events = (0..self.graph.thread_len(thread)).map(|at| EventId::new(thread, at));
        Thread {
            thread: thread.0,
            name: self.describer.thread(thread),
            started_by: spawn.is_real().then(|| spawn.into()),
            scaffolding: self.describer.names().is_scaffolding(thread),
            callers: self.callers(Place::NONE, self.calls.at_end(thread)),
            events: events.map(|id| self.event(id)).collect(),
        }
    }

    fn event(&self, id: EventId) -> Event {
        let place = self.graph.event(id).place;
        Event {
            id: id.into(),
            action: self.action(id),
            at: self.describer.names().spot(place),
            callers: self.callers(place, self.calls.at(id)),
            hb: self.happens_before(id),
        }
    }

    /// The functions around `place`: where it was inlined, and where these were called.
    fn callers(&self, place: Place, calls: &[Place]) -> Vec<Spot> {
        let names = self.describer.names();
        let of_call = |&call: &Place| names.spot(call).into_iter().chain(names.inlined(call));
        names.inlined(place).into_iter().chain(calls.iter().flat_map(of_call)).collect()
    }

    fn action(&self, id: EventId) -> Action {
        let event = self.graph.event(id);
        let named = |address: Address| (self.describer.start(address), address.to_string());
        let barrier = |address: Address, round: u32| {
            let (object, address) = named(address);
            Barrier { object, address, round }
        };
        match event.what() {
            What::Read(..) => Action::Read(self.read(id)),
            What::Write(_) => Action::Write(self.write(id)),
            What::Fence => Action::Fence { mode: event.mode },
            What::Spawn(thread) => Action::Spawn { target: thread.0 },
            What::Join(thread) => Action::Join { target: thread.0 },
            What::Publish => Action::Publish { objects: self.published_by(id) },
            What::Free { object, scope } => {
                let (object, address) = named(object);
                Action::Free { object, address, scope_end: scope }
            }
            What::Measure { object, keeps } => {
                let (object, address) = named(object);
                Action::Measure { object, address, reused: keeps }
            }
            What::Choose { answer, asked } => {
                Action::Choose { value: answer.to_string(), runtime: !asked }
            }
            What::Arrive { barrier: at, round } => Action::BarrierArrive(barrier(at, round)),
            What::Leave { barrier: at, round } => Action::BarrierLeave(barrier(at, round)),
            What::Fault => Action::Fault,
        }
    }

    fn read(&self, id: EventId) -> Read {
        let event = self.graph.event(id);
        Read {
            location: self.indices[&event.location],
            mode: event.mode,
            value: self.value(id),
            from: source(event.rf),
            role: event.flags.role().into(),
            exclusive: event.is_exclusive(),
            blocked: event.is_blocked(),
            instead: self.instead.map(|instead| {
                let sources = instead(self.graph, &self.violation.locations, id);
                sources.into_iter().map(source).collect()
            }),
        }
    }

    fn write(&self, id: EventId) -> Write {
        let event = self.graph.event(id);
        Write {
            location: self.indices[&event.location],
            mode: event.mode,
            value: self.value(id),
            role: event.flags.role().into(),
            exclusive: event.is_exclusive(),
        }
    }

    fn value(&self, id: EventId) -> Value {
        let event = self.graph.event(id);
        Value {
            text: self.describer.value(event.location, event.value, event.undefined.into()),
            bits: format!("{:#x}", event.value.0),
            undefined: event.undefined,
        }
    }

    /// See the header of [`super`] for which edges these are.
    fn happens_before(&self, id: EventId) -> Vec<EventName> {
        let clock = self.graph.clock(self.hb, id);
        let before = match id.position() {
            0 => &[],
            position => self.graph.clock(self.hb, EventId::new(id.thread(), position - 1)),
        };
        let is_new = |&thread: &usize| {
            thread != id.thread().index()
                && clock[thread] > before.get(thread).copied().unwrap_or(0)
        };
        let new: Vec<EventId> = (0..self.graph.thread_count())
            .filter(is_new)
            .map(|thread| EventId::new(ThreadId(thread as u32), clock[thread] - 1))
            .collect();
        let is_implied = |one: EventId| {
            let follows = |other: EventId| Graph::within(self.graph.clock(self.hb, other), one);
            new.iter().any(|&other| other != one && follows(other))
        };
        new.iter().filter(|&&one| !is_implied(one)).map(|&one| one.into()).collect()
    }

    fn published_by(&self, id: EventId) -> Vec<usize> {
        let objects = self.graph.objects().iter().filter(|(_, event)| *event == id);
        objects.filter_map(|(image, _)| self.objects.binary_search(&image.start).ok()).collect()
    }

    fn object(&self, start: Address) -> Object {
        let objects = self.graph.objects();
        let (image, published_by) = objects.find(start).expect("it is one of them");
        Object {
            name: self.describer.names().object(self.graph, start),
            storage: storage(image.kind),
            address: start.to_string(),
            size: image.size,
            read_only: image.read_only,
            at: self.describer.names().spot(image.place),
            published_by: published_by.into(),
            freed_by: objects.freed_by(start).map(EventName::from),
        }
    }

    fn location(&self, id: LocationId) -> Location {
        let info = self.violation.locations.info(id);
        let state = self.graph.location(id);
        let (names, start) = (self.describer.names(), state.resolved.start);
        let object = self.objects.binary_search(&start).ok();
        let initial = state.resolved.initial;
        Location {
            name: self.describer.variable(id),
            type_name: names.type_name(self.graph, info.address, info.size),
            address: info.address.to_string(),
            size: info.size,
            object,
            offset: object.map(|_| info.address.0 - start.0),
            initial: Value {
                text: self.describer.value(id, initial, state.resolved.undefined),
                bits: format!("{:#x}", initial.0),
                undefined: state.resolved.undefined as u8,
            },
            co: state.co.iter().map(|&write| write.into()).collect(),
        }
    }
}

fn source(write: EventId) -> Source {
    if write.is_real() { Source::Event(write.into()) } else { Source::Initial }
}

fn storage(kind: ObjectKind) -> Storage {
    match kind {
        ObjectKind::Global => Storage::Global,
        ObjectKind::ThreadLocal => Storage::ThreadLocal,
        ObjectKind::Stack => Storage::Stack,
        ObjectKind::Heap => Storage::Heap,
        ObjectKind::New => Storage::New,
        ObjectKind::NewArray => Storage::NewArray,
    }
}
