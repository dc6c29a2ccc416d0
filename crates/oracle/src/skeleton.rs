//! What the axioms need to know of an execution's events before `rf` and `co` are chosen.
//!
//! Events are numbered densely, thread by thread; the initial writes of the locations follow. They
//! have no thread, so they are in no `po`, and `ext` relates them to everything.

use crate::graph::{Event, EventId, Graph, Kind};
use crate::relation::{Relation, Set, all};
use norn_action::Mode;

/// Sets and relations that are fixed by the events' labels and program order.
pub struct Skeleton {
    /// Number of events, initial writes included.
    pub size: usize,
    /// Per thread, the number of its first event.
    pub starts: Vec<usize>,
    /// Number of the first initial write.
    pub init_start: usize,
    /// `R`
    pub reads: Set,
    /// `W`, initial writes included.
    pub writes: Set,
    /// `F`
    pub fences: Set,
    /// `IW`
    pub initial: Set,
    /// `A`: accesses that are not plain. Initial writes are not among them.
    pub atomic: Set,
    /// Acquire or stronger.
    pub acquire: Set,
    /// Release or stronger.
    pub release: Set,
    /// `SC`
    pub seq_cst: Set,
    /// `po`
    pub po: Relation,
    /// `loc`, on accesses.
    pub loc: Relation,
    /// `ext`
    pub ext: Relation,
    /// `rmw`: from the read to the write of a read-modify-write.
    pub rmw: Relation,
    /// Joins.
    pub joins: Set,
    /// `joined`: from every event of a thread to the join of that thread.
    pub joined: Relation,
}

impl Skeleton {
    /// The skeleton of threads' events over `locations` locations. Values do not matter, except
    /// those of joins.
    pub fn new<'a>(
        threads: impl Iterator<Item = &'a [Event]> + Clone,
        locations: usize,
    ) -> Skeleton {
        let init_start: usize = threads.clone().map(<[Event]>::len).sum();
        let size = init_start + locations;
        let mut skeleton = Skeleton {
            size,
            starts: Vec::new(),
            init_start,
            reads: 0,
            writes: 0,
            fences: 0,
            initial: 0,
            atomic: 0,
            acquire: 0,
            release: 0,
            seq_cst: 0,
            po: Relation::empty(size),
            loc: Relation::empty(size),
            ext: Relation::product(size, all(size), all(size)),
            rmw: Relation::empty(size),
            joins: 0,
            joined: Relation::empty(size),
        };
        let mut at_location = vec![0; locations];
        let mut next = 0;
        for events in threads.clone() {
            skeleton.starts.push(next);
            for (index, event) in events.iter().enumerate() {
                skeleton.label(next + index, event);
                if let Some(location) = event.location {
                    at_location[location.index()] |= 1 << (next + index);
                }
            }
            skeleton.order_thread(next, events);
            next += events.len();
        }
        for (location, accesses) in at_location.iter_mut().enumerate() {
            let init = init_start + location;
            skeleton.initial |= 1 << init;
            *accesses |= 1 << init;
            skeleton.loc = skeleton.loc.or(&Relation::product(size, *accesses, *accesses));
        }
        skeleton.writes |= skeleton.initial;
        for (number, event) in threads.flatten().enumerate().filter(|(_, e)| e.kind == Kind::Join) {
            skeleton.order_join(number, event.value as usize);
        }
        skeleton
    }

    /// Puts the join with that number after the events of `thread`.
    fn order_join(&mut self, number: usize, thread: usize) {
        let end = self.starts.get(thread + 1).copied().unwrap_or(self.init_start);
        (self.starts[thread]..end).for_each(|event| self.joined.add(event, number));
    }

    fn label(&mut self, number: usize, event: &Event) {
        let bit = 1 << number;
        let put = |set: &mut Set, condition: bool| *set |= if condition { bit } else { 0 };
        put(&mut self.reads, event.kind == Kind::Read);
        put(&mut self.writes, event.kind == Kind::Write);
        put(&mut self.fences, event.kind == Kind::Fence);
        put(&mut self.joins, event.kind == Kind::Join);
        put(&mut self.atomic, event.mode != Mode::Plain);
        let mode = event.mode;
        put(&mut self.acquire, matches!(mode, Mode::Acquire | Mode::AcqRel | Mode::SeqCst));
        put(&mut self.release, matches!(mode, Mode::Release | Mode::AcqRel | Mode::SeqCst));
        put(&mut self.seq_cst, mode == Mode::SeqCst);
    }

    fn order_thread(&mut self, start: usize, events: &[Event]) {
        let thread = start..start + events.len();
        for a in thread.clone() {
            (a + 1..thread.end).for_each(|b| self.po.add(a, b));
        }
        let set = thread.clone().fold(0, |set: Set, a| set | 1 << a);
        self.ext = self.ext.minus(&Relation::product(self.size, set, set));
        for (index, event) in events.iter().enumerate() {
            if event.exclusive && event.kind == Kind::Write {
                self.rmw.add(start + index - 1, start + index);
            }
        }
    }

    /// `M`: reads and writes.
    pub fn accesses(&self) -> Set {
        self.reads | self.writes
    }

    /// The number of an event.
    pub fn number(&self, id: EventId) -> usize {
        self.starts[id.thread as usize] + id.index as usize
    }

    /// `rf` and `co` of a graph with these events.
    pub fn relations(&self, graph: &Graph) -> (Relation, Relation) {
        let mut rf = Relation::empty(self.size);
        for &(read, from) in &graph.rf {
            let location = graph.event(read).location.expect("a read has a location");
            let from = from.map_or(self.init_start + location.index(), |id| self.number(id));
            rf.add(from, self.number(read));
        }
        let mut co = Relation::empty(self.size);
        for (location, writes) in graph.co.iter().enumerate() {
            let order: Vec<usize> = writes.iter().map(|&id| self.number(id)).collect();
            self.add_coherence(&mut co, location, &order);
        }
        (rf, co)
    }

    /// Adds the total order of a location's writes, the initial one first.
    pub fn add_coherence(&self, co: &mut Relation, location: usize, order: &[usize]) {
        for (index, &write) in order.iter().enumerate() {
            co.add(self.init_start + location, write);
            order[index + 1..].iter().for_each(|&later| co.add(write, later));
        }
    }
}
