//! Executions in canonical form, and a builder for those who make them elsewhere.
//!
//! Only reads, writes, fences and joins of litmus threads are events, numbered in program order within
//! their thread. A read-modify-write that writes is two events, the second right after the first; so
//! is a lock: an acquire read of 0 and a relaxed write. An unlock is a release write of 0. A failed
//! compare-exchange is a read with its failure mode. A thread that waits has no event for what it
//! waits at. Initial values are no events.

use norn_action::Mode;
use norn_litmus::{LocationId, Program};
use std::fmt;

/// An event: a litmus thread (0 for `P0`) and a position in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventId {
    /// The litmus thread.
    pub thread: u32,
    /// Its position among the thread's events.
    pub index: u32,
}

/// What an event is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Reads a value.
    Read,
    /// Writes a value.
    Write,
    /// Orders others.
    Fence,
    /// Comes after all events of another thread.
    Join,
}

/// An event's label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Event {
    /// What it is.
    pub kind: Kind,
    /// One half of a read-modify-write that did write.
    pub exclusive: bool,
    /// Where; `None` for fences and joins.
    pub location: Option<LocationId>,
    /// The value read or written; 0 for fences; the litmus thread that is joined.
    pub value: i32,
    /// Annotation, plain for joins; the halves of a read-modify-write have [`Mode::of_read`] and [`Mode::of_write`]
    /// of its mode.
    pub mode: Mode,
}

impl Event {
    /// The join of a litmus thread.
    pub(crate) fn join(thread: u32) -> Event {
        let (kind, value, mode) = (Kind::Join, thread as i32, Mode::Plain);
        Event { kind, exclusive: false, location: None, value, mode }
    }
}

/// An execution: `po`, `rf` and `co`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Graph {
    /// Per litmus thread, its events in program order.
    pub threads: Vec<Vec<Event>>,
    /// For each read, in order, the write it reads from; `None` is the initial value.
    pub rf: Vec<(EventId, Option<EventId>)>,
    /// For each location, its writes in coherence order, without the initial one.
    pub co: Vec<Vec<EventId>>,
}

impl Graph {
    /// The label of an event.
    pub fn event(&self, id: EventId) -> &Event {
        &self.threads[id.thread as usize][id.index as usize]
    }

    /// The execution up to coherence: `po` and `rf` only.
    pub fn without_co(&self) -> Graph {
        Graph { threads: self.threads.clone(), rf: self.rf.clone(), co: Vec::new() }
    }

    /// The execution with other names for the threads: `names[t]` for `t`. Values are left out, of which some may be
    /// names.
    pub fn renamed(&self, names: &[u32]) -> Graph {
        let name = |id: EventId| EventId { thread: names[id.thread as usize], ..id };
        let mut threads = vec![Vec::new(); self.threads.len()];
        for (thread, events) in self.threads.iter().enumerate() {
            let without_value = |event: &Event| Event { value: 0, ..*event };
            threads[names[thread] as usize] = events.iter().map(without_value).collect();
        }
        let mut rf: Vec<_> =
            self.rf.iter().map(|&(read, source)| (name(read), source.map(name))).collect();
        rf.sort();
        let co = self.co.iter().map(|writes| writes.iter().copied().map(name).collect()).collect();
        Graph { threads, rf, co }
    }

    /// The graph as text for people, with the names of `program`.
    pub fn describe(&self, program: &Program) -> String {
        Description { graph: self, program }.to_string()
    }
}

impl fmt::Display for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.thread, self.index)
    }
}

struct Description<'a> {
    graph: &'a Graph,
    program: &'a Program,
}

impl fmt::Display for Description<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |location: LocationId| &self.program.locations[location.index()].name;
        let source = |source: Option<EventId>| source.map_or("init".into(), |id| id.to_string());
        for (thread, events) in self.graph.threads.iter().enumerate() {
            for (index, event) in events.iter().enumerate() {
                let id = EventId { thread: thread as u32, index: index as u32 };
                let exclusive = if event.exclusive { " exclusive" } else { "" };
                write!(f, "  {id}: {:?}{exclusive} {}", event.kind, event.mode)?;
                if let Some(location) = event.location {
                    write!(f, " {} = {}", name(location), event.value)?;
                }
                if event.kind == Kind::Join {
                    write!(f, " of P{}", event.value)?;
                }
                if let Some((_, from)) = self.graph.rf.iter().find(|(read, _)| *read == id) {
                    write!(f, " from {}", source(*from))?;
                }
                writeln!(f)?;
            }
        }
        for (location, writes) in self.graph.co.iter().enumerate() {
            let writes: Vec<String> = writes.iter().map(EventId::to_string).collect();
            let name = &self.program.locations[location].name;
            writeln!(f, "  co {name}: init {}", writes.join(" "))?;
        }
        Ok(())
    }
}

/// Makes a [`Graph`] from an execution found elsewhere. Events of a thread are added in program
/// order; threads may be mixed.
#[derive(Clone, Debug)]
pub struct GraphBuilder {
    graph: Graph,
}

impl GraphBuilder {
    /// A graph without events.
    pub fn new(threads: usize, locations: usize) -> GraphBuilder {
        let threads = vec![Vec::new(); threads];
        let co = vec![Vec::new(); locations];
        GraphBuilder { graph: Graph { threads, rf: Vec::new(), co } }
    }

    fn add(&mut self, thread: usize, event: Event) -> EventId {
        let events = &mut self.graph.threads[thread];
        events.push(event);
        EventId { thread: thread as u32, index: events.len() as u32 - 1 }
    }

    /// A read and the write it reads from (`None`: the initial value). The name of a write is
    /// known before it is added: it counts the events of its thread.
    pub fn read(
        &mut self,
        thread: usize,
        location: LocationId,
        value: i32,
        mode: Mode,
        from: Option<EventId>,
    ) -> EventId {
        let location = Some(location);
        let event = Event { kind: Kind::Read, exclusive: false, location, value, mode };
        let id = self.add(thread, event);
        self.graph.rf.push((id, from));
        id
    }

    /// A write.
    pub fn write(
        &mut self,
        thread: usize,
        location: LocationId,
        value: i32,
        mode: Mode,
    ) -> EventId {
        let location = Some(location);
        self.add(thread, Event { kind: Kind::Write, exclusive: false, location, value, mode })
    }

    /// The write of a read-modify-write whose read is the thread's last event.
    pub fn exclusive_write(
        &mut self,
        thread: usize,
        location: LocationId,
        value: i32,
        mode: Mode,
    ) -> EventId {
        let read = self.graph.threads[thread].last_mut().expect("an exclusive read comes first");
        read.exclusive = true;
        let location = Some(location);
        self.add(thread, Event { kind: Kind::Write, exclusive: true, location, value, mode })
    }

    /// A fence.
    pub fn fence(&mut self, thread: usize, mode: Mode) -> EventId {
        let (kind, exclusive) = (Kind::Fence, false);
        self.add(thread, Event { kind, exclusive, location: None, value: 0, mode })
    }

    /// A join of litmus thread `joined`.
    pub fn join(&mut self, thread: usize, joined: usize) -> EventId {
        self.add(thread, Event::join(joined as u32))
    }

    /// The coherence order of a location, without the initial write.
    pub fn coherence(&mut self, location: LocationId, writes: impl IntoIterator<Item = EventId>) {
        self.graph.co[location.index()] = writes.into_iter().collect();
    }

    /// The graph in canonical form.
    pub fn build(mut self) -> Graph {
        self.graph.rf.sort_unstable();
        self.graph
    }
}
