//! The events of a graph as steps of VerifySC: one for each, but one for both halves of a
//! read-modify-write.

use norn_action::ThreadId;
use norn_graph::{Event, EventId, EventKind, Graph, LocationId};
use norn_models::vsc::{Good, Instance, NO_LOCATION, Op, Step};

/// The steps, and which events they are.
#[derive(Clone, Debug, Default)]
pub(super) struct Steps {
    pub instance: Instance,
    /// The event of each step, the first of two.
    events: Vec<EventId>,
    /// Per thread, the steps of its events.
    of: Vec<Vec<Op>>,
}

impl Steps {
    /// How many there are.
    pub(super) fn len(&self) -> u32 {
        self.events.len() as u32
    }

    /// The step of an event.
    pub(super) fn of(&self, id: EventId) -> Op {
        self.of[id.thread().index()][id.position() as usize]
    }

    /// The event by which a step writes.
    pub(super) fn write(&self, op: Op) -> EventId {
        let id = self.events[op as usize];
        let second = self.instance.step(op).reads;
        EventId::new(id.thread(), id.position() + u32::from(second))
    }

    /// The events of a line of steps. Steps that are no events are left out.
    pub(super) fn events<'s>(&'s self, line: &'s [Op]) -> impl Iterator<Item = EventId> + 's {
        line.iter().filter(|&&op| op < self.len()).flat_map(|&op| {
            let (first, step) = (self.events[op as usize], self.instance.step(op));
            let second = EventId::new(first.thread(), first.position() + 1);
            std::iter::once(first).chain((step.reads && step.writes).then_some(second))
        })
    }

    /// The last steps of all threads.
    pub(super) fn ends(&self) -> Vec<Op> {
        self.of.iter().filter_map(|ops| ops.last().copied()).collect()
    }

    /// The writes that the next event of `thread` may see.
    pub(super) fn visible(&self, graph: &Graph, thread: ThreadId, location: LocationId) -> Good {
        match self.before_next(graph, thread) {
            Some(op) => self.instance.visible(location.0, &[op]),
            None => self.instance.visible(location.0, &[]),
        }
    }

    /// Whether a step from `bound` on writes a location.
    #[inline]
    pub(super) fn has_write_from(&self, location: LocationId, bound: Op) -> bool {
        self.instance.writes_to(location.0).last().is_some_and(|&write| write >= bound)
    }

    /// The step that the next event of `thread` comes right after: its last, or the spawn.
    pub(super) fn before_next(&self, graph: &Graph, thread: ThreadId) -> Option<Op> {
        self.instance.last_of(thread.0).or_else(|| self.spawn(graph, thread))
    }

    fn spawn(&self, graph: &Graph, thread: ThreadId) -> Option<Op> {
        let spawn = graph.spawned_by(thread);
        spawn.is_real().then(|| self.of(spawn))
    }

    /// Adds the read `id`, or the read-modify-write of which it is the first half. It need not be in the graph
    /// yet.
    pub(super) fn add_read(&mut self, graph: &Graph, id: EventId, step: Step, good: &Good) {
        let after = if id.position() == 0 { self.spawn(graph, id.thread()) } else { None };
        let op = self.instance.push(step, after.as_slice(), good);
        self.name(id, op, 1 + usize::from(step.writes));
    }

    /// Adds an event of the graph that does not read.
    pub(super) fn add(&mut self, graph: &Graph, id: EventId) -> Op {
        let event = graph.event(id);
        let writes = event.is_write();
        let location = if writes { event.location.0 } else { NO_LOCATION };
        let step = Step { thread: id.thread().0, location, reads: false, writes };
        let after = self.before(graph, id, event);
        let op = self.instance.push(step, &after, &Good::default());
        self.name(id, op, 1);
        op
    }

    /// The steps of other threads that an event must come after.
    fn before(&self, graph: &Graph, id: EventId, event: &Event) -> Vec<Op> {
        let mut after = Vec::new();
        if id.position() == 0 {
            after.extend(self.spawn(graph, id.thread()));
        }
        match event.kind {
            EventKind::Join => after.extend(self.before_next(graph, event.target())),
            EventKind::Leave => {
                let threads = (0..graph.thread_count() as u32).map(ThreadId);
                let arrivals = threads.filter_map(|thread| graph.arrival(thread, event));
                after.extend(arrivals.map(|arrival| self.of(arrival)));
            }
            _ => {}
        }
        after
    }

    fn name(&mut self, id: EventId, op: Op, events: usize) {
        let thread = id.thread().index();
        if self.of.len() <= thread {
            self.of.resize_with(thread + 1, Vec::new);
        }
        self.of[thread].extend(std::iter::repeat_n(op, events));
        self.events.push(id);
    }

    /// Takes back all steps from `length` on.
    pub(super) fn cut(&mut self, length: u32) {
        while self.len() > length {
            let first = self.events.pop().expect("more steps than `length`");
            self.of[first.thread().index()].truncate(first.position() as usize);
            self.instance.pop();
        }
    }
}
