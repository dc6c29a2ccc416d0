//! Small graphs, and for each model the oldest write that the next access may read.

use norn_action::{Address, Image, Mode, ObjectKind, Place, ThreadId, Value};
use norn_graph::{Event, EventId, EventKind, Graph, LocationId, Locations};
use norn_models::{ModelName, ModelVisitor, Named, NewAccess};
use std::sync::Arc;

use Mode::{Acquire, Relaxed, Release, SeqCst};

/// A graph of up to four threads over four locations.
struct Draft<Mo> {
    graph: Graph,
    locations: Locations,
    model: Mo,
}

/// What happens, in this order. Writes come last in coherence order.
#[derive(Clone, Copy)]
enum Do {
    /// Thread, location, mode.
    Write(u32, u64, Mode),
    /// Thread, location, mode, and which write it reads: 0 is the initial one.
    Read(u32, u64, Mode, u32),
    /// A read-modify-write of the newest write.
    Rmw(u32, u64, Mode),
    /// Thread, mode.
    Fence(u32, Mode),
}

impl<Mo: Named> Draft<Mo> {
    fn new() -> Draft<Mo> {
        let mut draft = Draft {
            graph: Graph::new(Mo::LANES),
            locations: Locations::default(),
            model: Mo::new(),
        };
        let image = Image {
            start: Address(0x1000),
            size: 64,
            kind: ObjectKind::Global,
            read_only: false,
            bytes: Vec::new(),
            undefined: Vec::new(),
            place: Place::NONE,
        };
        let id = draft.graph.add_publish(ThreadId::MAIN, Arc::from([image]), Place::NONE);
        draft.model.added(&mut draft.graph, id);
        for thread in 1..=4 {
            let event = Event::new(EventKind::Spawn, Mode::Plain, Place::NONE);
            let id = draft.graph.add_spawn(ThreadId::MAIN, event, ThreadId(thread));
            draft.model.added(&mut draft.graph, id);
        }
        draft
    }

    fn location(&mut self, index: u64) -> LocationId {
        let id = self.locations.intern(Address(0x1000 + 16 * index), 4);
        assert!(self.graph.touch(id, &self.locations));
        id
    }

    fn added(&mut self, id: EventId) {
        self.model.added(&mut self.graph, id);
        assert!(self.model.holds(&self.graph, id), "the graph is consistent");
        self.graph.verify().expect("the graph is well-formed");
    }

    fn access(&mut self, kind: EventKind, location: LocationId, mode: Mode) -> Event {
        let mut event = Event::new(kind, mode, Place::NONE);
        event.location = location;
        event.value = Value::from(self.graph.len() as u64);
        event
    }

    fn step(&mut self, step: Do) {
        match step {
            Do::Write(thread, index, mode) => {
                let location = self.location(index);
                let event = self.access(EventKind::Write, location, mode);
                let at = self.graph.location(location).co.len() as u32 + 1;
                let id = self.graph.add_write(ThreadId(thread), event, at);
                self.added(id);
            }
            Do::Read(thread, index, mode, from) => {
                let location = self.location(index);
                let floor = self.floor(thread, index, mode, false);
                assert!(floor <= from, "the floor is {floor}");
                let event = self.access(EventKind::Read, location, mode);
                let source = self.graph.co_at(location, from);
                let id = self.graph.add_read(ThreadId(thread), event, source);
                self.added(id);
            }
            Do::Rmw(thread, index, mode) => {
                let location = self.location(index);
                let newest = self.graph.location(location).co.len() as u32;
                let source = self.graph.co_at(location, newest);
                let mut event = self.access(EventKind::Read, location, mode.of_read());
                event.flags = norn_graph::Flags::EXCLUSIVE;
                let id = self.graph.add_read(ThreadId(thread), event, source);
                self.added(id);
                let mut event = self.access(EventKind::Write, location, mode.of_write());
                event.flags = norn_graph::Flags::EXCLUSIVE;
                let id = self.graph.add_write(ThreadId(thread), event, newest + 1);
                self.added(id);
            }
            Do::Fence(thread, mode) => {
                let event = Event::new(EventKind::Fence, mode, Place::NONE);
                let id = self.graph.add_other(ThreadId(thread), event);
                self.added(id);
            }
        }
    }

    fn floor(&mut self, thread: u32, index: u64, mode: Mode, write: bool) -> u32 {
        let location = self.location(index);
        let thread = ThreadId(thread);
        let access = NewAccess { thread, location, write, locked: false, mode, mutex: false };
        self.model.floor(&self.graph, &access)
    }

    /// Whether a read by `thread` of the write with coherence index `from` is consistent: it is not
    /// below the floor, and the graph with it holds.
    fn allows(&mut self, thread: u32, index: u64, mode: Mode, from: u32) -> bool {
        if self.floor(thread, index, mode, false) > from {
            return false;
        }
        let location = self.location(index);
        let event = self.access(EventKind::Read, location, mode);
        let source = self.graph.co_at(location, from);
        let id = self.graph.add_read(ThreadId(thread), event, source);
        self.model.added(&mut self.graph, id);
        let holds = self.model.holds(&self.graph, id);
        self.graph.pop();
        holds
    }
}

/// Whether the last read may see the write with index `from` after some steps.
struct May<'s> {
    steps: &'s [Do],
    thread: u32,
    location: u64,
    mode: Mode,
    from: u32,
}

impl ModelVisitor for May<'_> {
    type Output = bool;

    fn visit<Mo: Named>(self) -> bool {
        let mut draft = Draft::<Mo>::new();
        self.steps.iter().for_each(|&step| draft.step(step));
        draft.allows(self.thread, self.location, self.mode, self.from)
    }
}

/// Under exactly these models the read of `location` by `thread` may see the initial value.
#[track_caller]
fn stale(steps: &[Do], (thread, location, mode): (u32, u64, Mode), models: &[ModelName]) {
    for model in ModelName::ALL {
        let may = model.with(May { steps, thread, location, mode, from: 0 });
        assert_eq!(may, models.contains(&model), "under {model}");
        let newest = steps.iter().filter(|step| match **step {
            Do::Write(_, index, _) | Do::Rmw(_, index, _) => index == location,
            _ => false,
        });
        let from = newest.count() as u32;
        assert!(
            model.with(May { steps, thread, location, mode, from }),
            "the newest write may always be read, under {model}"
        );
    }
}

const NONE: &[ModelName] = &[];

#[test]
fn a_thread_sees_its_own_writes() {
    stale(&[Do::Write(1, 0, Relaxed)], (1, 0, Relaxed), NONE);
}

#[test]
fn a_thread_does_not_go_back_behind_what_it_read() {
    let steps = [Do::Write(1, 0, Relaxed), Do::Read(2, 0, Relaxed, 1)];
    stale(&steps, (2, 0, Relaxed), NONE);
}

#[test]
fn store_buffering() {
    let steps = [Do::Write(1, 0, Release), Do::Write(2, 1, Release), Do::Read(1, 1, Acquire, 0)];
    let weak = [ModelName::Tso, ModelName::Pso, ModelName::Ra, ModelName::Rc11, ModelName::C20];
    stale(&steps, (2, 0, Acquire), &weak);
}

#[test]
fn store_buffering_of_sequentially_consistent_accesses() {
    let steps = [Do::Write(1, 0, SeqCst), Do::Write(2, 1, SeqCst), Do::Read(1, 1, SeqCst, 0)];
    let weak = [ModelName::Ra];
    // Under tso and pso a sequentially consistent store empties the buffer.
    stale(&steps, (2, 0, SeqCst), &weak);
}

#[test]
fn store_buffering_with_fences() {
    let steps = [
        Do::Write(1, 0, Relaxed),
        Do::Fence(1, SeqCst),
        Do::Write(2, 1, Relaxed),
        Do::Fence(2, SeqCst),
        Do::Read(1, 1, Relaxed, 0),
    ];
    // There are no fences in ra.
    stale(&steps, (2, 0, Relaxed), &[ModelName::Ra]);
}

#[test]
fn message_passing_by_relaxed_accesses() {
    let steps = [Do::Write(1, 0, Relaxed), Do::Write(1, 1, Relaxed), Do::Read(2, 1, Relaxed, 1)];
    stale(&steps, (2, 0, Relaxed), &[ModelName::Pso, ModelName::Rc11, ModelName::C20]);
}

#[test]
fn message_passing_by_release_and_acquire() {
    let steps = [Do::Write(1, 0, Relaxed), Do::Write(1, 1, Release), Do::Read(2, 1, Acquire, 1)];
    stale(&steps, (2, 0, Relaxed), NONE);
}

#[test]
fn a_release_sequence_goes_on_through_a_read_modify_write() {
    let steps = [
        Do::Write(1, 0, Relaxed),
        Do::Write(1, 1, Release),
        Do::Rmw(3, 1, Relaxed),
        Do::Read(2, 1, Acquire, 2),
    ];
    stale(&steps, (2, 0, Relaxed), NONE);
}

#[test]
fn a_release_sequence_goes_on_through_a_store_of_its_thread_before_cpp20_only() {
    let steps = [
        Do::Write(1, 0, Relaxed),
        Do::Write(1, 1, Release),
        Do::Write(1, 1, Relaxed),
        Do::Read(2, 1, Acquire, 2),
    ];
    stale(&steps, (2, 0, Relaxed), &[ModelName::C20]);
}

#[test]
fn independent_reads_of_independent_writes() {
    let steps = [
        Do::Write(1, 0, Release),
        Do::Write(2, 1, Release),
        Do::Read(3, 0, Acquire, 1),
        Do::Read(3, 1, Acquire, 0),
        Do::Read(4, 1, Acquire, 1),
    ];
    stale(&steps, (4, 0, Acquire), &[ModelName::Ra, ModelName::Rc11, ModelName::C20]);
}
