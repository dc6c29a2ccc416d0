//! Random changes to a graph, and a literal record of what they should have led to.

use norn_action::{Address, Image, Mode, ObjectKind, Place, ThreadId, Value};
use norn_graph::{Event, EventId, EventKind, Graph, LocationId, Locations};
use std::collections::BTreeSet;
use std::sync::Arc;

const THREADS: u32 = 4;
const LOCATIONS: u64 = 3;
const BASE: u64 = 0x1000;

/// Numbers from a seed (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) % limit as u64) as usize
    }
}

/// One event, in the order of insertion.
#[derive(Clone, Debug, PartialEq)]
struct Line {
    id: EventId,
    kind: EventKind,
    location: LocationId,
    /// Reads: where from.
    source: EventId,
    value: u64,
}

/// What a graph should be.
#[derive(Clone, Debug, Default)]
struct Record {
    lines: Vec<Line>,
    coherence: Vec<Vec<EventId>>,
}

impl Record {
    fn length(&self, thread: u32) -> u32 {
        self.lines.iter().filter(|line| line.id.thread().0 == thread).count() as u32
    }

    /// All that is `porf`-before an event, and the event itself.
    fn before(&self, id: EventId) -> BTreeSet<EventId> {
        let mut found = BTreeSet::new();
        let mut left = vec![id];
        while let Some(id) = left.pop() {
            if !id.is_real() || !found.insert(id) {
                continue;
            }
            let line = self.lines.iter().find(|line| line.id == id).expect("an event of the graph");
            left.push(line.source);
            left.push(match id.position() {
                // The main thread starts the others, one after the other.
                0 if id.thread() == ThreadId::MAIN => EventId::NONE,
                0 => EventId::new(ThreadId::MAIN, id.thread().0),
                position => EventId::new(id.thread(), position - 1),
            });
        }
        found
    }
}

struct Pair {
    graph: Graph,
    locations: Locations,
    ids: Vec<LocationId>,
    record: Record,
    next_value: u64,
}

impl Pair {
    /// The main thread publishes the locations and starts the others.
    fn new() -> Pair {
        let mut graph = Graph::new(2);
        let mut locations = Locations::default();
        let image = Image {
            start: Address(BASE),
            size: 16 * LOCATIONS,
            kind: ObjectKind::Global,
            read_only: false,
            bytes: Vec::new(),
            undefined: Vec::new(),
            place: Place::NONE,
        };
        graph.add_publish(ThreadId::MAIN, Arc::from([image]), Place::NONE);
        for thread in 1..=THREADS {
            let event = Event::new(EventKind::Spawn, Mode::Plain, Place::NONE);
            graph.add_spawn(ThreadId::MAIN, event, ThreadId(thread));
        }
        let ids = (0..LOCATIONS).map(|i| locations.intern(Address(BASE + 16 * i), 4)).collect();
        let mut record = Record::default();
        for &id in graph.order() {
            let kind = graph.event(id).kind;
            let (location, source) = (LocationId::NONE, EventId::NONE);
            record.lines.push(Line { id, kind, location, source, value: 0 });
        }
        record.coherence = vec![Vec::new(); LOCATIONS as usize];
        Pair { graph, locations, ids, record, next_value: 1 }
    }

    fn add(&mut self, random: &mut Random) {
        let thread = 1 + random.below(THREADS as usize) as u32;
        let index = random.below(LOCATIONS as usize);
        let location = self.ids[index];
        let modes = [Mode::Plain, Mode::Relaxed, Mode::SeqCst];
        let mode = modes[random.below(modes.len())];
        let position = self.record.length(thread);
        let id = EventId::new(ThreadId(thread), position);
        let co = &mut self.record.coherence[index];
        let at = random.below(co.len() + 1);
        let mut event = Event::new(EventKind::Read, mode, Place::NONE);
        event.location = location;
        let (source, value) = match random.below(3) {
            0 => {
                event.kind = EventKind::Fence;
                event.location = LocationId::NONE;
                event.mode = Mode::SeqCst;
                assert_eq!(self.graph.add_other(ThreadId(thread), event), id);
                (EventId::NONE, 0)
            }
            1 => {
                assert!(self.graph.touch(location, &self.locations));
                let source = at.checked_sub(1).map_or(EventId::INIT, |at| co[at]);
                assert_eq!(self.graph.add_read(ThreadId(thread), event, source), id);
                let from = self.record.lines.iter().find(|line| line.id == source);
                (source, from.map_or(0, |line| line.value))
            }
            _ => {
                assert!(self.graph.touch(location, &self.locations));
                event.kind = EventKind::Write;
                event.value = Value::from(self.next_value);
                assert_eq!(self.graph.add_write(ThreadId(thread), event, at as u32 + 1), id);
                co.insert(at, id);
                self.next_value += 1;
                (EventId::NONE, self.next_value - 1)
            }
        };
        let kind = event.kind;
        self.record.lines.push(Line { id, kind, location: event.location, source, value });
    }

    /// Takes the last event back, unless it is of the main thread, or read by one that was put in before it.
    fn pop(&mut self) {
        let last = self.record.lines.last().map(|line| line.id);
        let read = self.record.lines.iter().any(|line| Some(line.source) == last);
        if !read && self.record.lines.len() > 1 + THREADS as usize {
            self.graph.pop();
            let id = self.record.lines.pop().expect("an event").id;
            self.record.coherence.iter_mut().for_each(|co| co.retain(|&write| write != id));
        }
    }

    /// Keeps what is `porf`-before an event, and the main thread, in a copy.
    fn restrict(&mut self, random: &mut Random) {
        let id = self.record.lines[random.below(self.record.lines.len())].id;
        let mut kept_events = self.record.before(id);
        kept_events.extend((0..=THREADS).map(|position| EventId::new(ThreadId::MAIN, position)));
        let kept: Vec<u32> = (0..=THREADS)
            .map(|t| kept_events.iter().filter(|id| id.thread().0 == t).count() as u32)
            .collect();
        let mut copy = Graph::new(2);
        copy.copy_restricted(&self.graph, &kept);
        self.graph = copy;
        self.record.lines.retain(|line| kept_events.contains(&line.id));
        let gone = |write: &EventId| kept_events.contains(write);
        self.record.coherence.iter_mut().for_each(|co| co.retain(gone));
    }

    /// Takes the last event of a thread back if it is a read, and puts it in again where it was, with
    /// another source.
    fn read_again(&mut self, random: &mut Random) {
        let thread = 1 + random.below(THREADS as usize) as u32;
        let Some(position) = self.record.length(thread).checked_sub(1) else { return };
        let id = EventId::new(ThreadId(thread), position);
        let stamp = self.record.lines.iter().position(|line| line.id == id).expect("an event");
        if self.record.lines[stamp].kind != EventKind::Read {
            return;
        }
        let location = self.record.lines[stamp].location;
        let index = self.ids.iter().position(|&id| id == location).expect("a location");
        let event = self.graph.take_out(id);
        assert!(self.graph.touch(location, &self.locations));
        let co = &self.record.coherence[index];
        let source = [EventId::INIT].iter().chain(co).nth(random.below(co.len() + 1)).copied();
        let source = source.expect("one of them");
        assert_eq!(self.graph.reinsert_read(ThreadId(thread), event, source, stamp as u32), id);
        let from = self.record.lines.iter().find(|line| line.id == source);
        let value = from.map_or(0, |line| line.value);
        self.record.lines[stamp] = Line { source, value, ..self.record.lines[stamp].clone() };
    }

    fn compare(&self) {
        let Pair { graph, record, .. } = self;
        graph.verify().expect("the invariants hold");
        let order: Vec<EventId> = record.lines.iter().map(|line| line.id).collect();
        assert_eq!(graph.order(), order);
        for line in &record.lines {
            let event = graph.event(line.id);
            assert_eq!(event.kind, line.kind);
            if event.is_read() {
                assert_eq!((event.rf, event.value.low()), (line.source, line.value));
            }
            let before = record.before(line.id);
            for other in order.iter().copied() {
                let within = Graph::within(graph.clock(0, line.id), other);
                assert_eq!(within, before.contains(&other), "{other} before {}", line.id);
            }
        }
        for (&id, co) in self.ids.iter().zip(&record.coherence) {
            let accessed = record.lines.iter().any(|line| line.location == id);
            assert_eq!(graph.location_if_any(id).is_some(), accessed);
            if accessed {
                assert_eq!(&graph.location(id).co, co);
                self.compare_readers(id, co);
            }
        }
        let seq_cst = order.iter().filter(|id| graph.event(**id).mode.is_seq_cst()).count();
        assert_eq!(graph.seq_cst_count() as usize, seq_cst);
    }

    fn compare_readers(&self, location: LocationId, co: &[EventId]) {
        for (index, &write) in [EventId::INIT].iter().chain(co).enumerate() {
            assert_eq!(self.graph.co_at(location, index as u32), write);
            assert_eq!(self.graph.co_index(write), index as u32);
            let listed: BTreeSet<EventId> = self.graph.readers(write, location).collect();
            let reads = self.record.lines.iter().filter(|line| {
                line.kind == EventKind::Read && line.location == location && line.source == write
            });
            assert_eq!(listed, reads.map(|line| line.id).collect());
        }
    }
}

#[test]
fn graphs_are_what_was_done_to_them() {
    for seed in 0..300 {
        let mut random = Random(seed);
        let mut pair = Pair::new();
        for _ in 0..60 {
            match random.below(10) {
                0 => pair.pop(),
                1 => pair.restrict(&mut random),
                2 => pair.read_again(&mut random),
                _ => pair.add(&mut random),
            }
            pair.compare();
        }
    }
}
