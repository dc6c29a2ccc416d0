//! An order in which the events of a graph can be read from top to bottom.
//!
//! The order always extends `po ∪ rf` (and spawns, joins and barriers). If these and `co` and `rb`
//! together have no cycle, it extends all of them, and the trace is an interleaving. Otherwise the
//! behaviour is a weak one: an event is placed although a `co` or `rb` edge says that another comes
//! first, as seldom as a greedy choice can, and the other remembers by what it was overtaken. Each step also
//! remembers what had to stand above it, and why it was chosen among those that could come next.

use crate::relevant::{Kept, first_unseen};
use crate::standing::{Because, Choice};
use norn_action::ThreadId;
use norn_explore::Violation;
use norn_graph::{EventId, EventKind, Graph, LocationId, What};

/// One step: an event, or the two halves of a read-modify-write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Placed {
    /// The event; of a read-modify-write the read.
    pub(crate) event: EventId,
    /// The write of a read-modify-write.
    pub(crate) write: Option<EventId>,
    /// What stands above this step because it must, each by its last event.
    pub(crate) after: Vec<(EventId, Because)>,
    /// Writes that stand above this step although memory has them in the other order.
    pub(crate) overtaken_by: Vec<(EventId, Because)>,
    /// Why it comes next and not a step of another thread.
    pub(crate) choice: Choice,
}

impl Placed {
    /// The event that the step is known by to others: of a read-modify-write the write.
    pub(crate) fn last(&self) -> EventId {
        self.write.unwrap_or(self.event)
    }
}

/// Puts the kept events in order.
pub(crate) fn linearise(violation: &Violation, kept: &Kept) -> Vec<Placed> {
    let graph = &violation.graph;
    let nodes = Nodes::of(graph, kept);
    let edges = edges(graph, &nodes);
    let late = |node: usize| {
        let (event, write) = nodes.list[node];
        let is = |id: Option<EventId>| id.is_some() && (id == Some(event) || id == write);
        if is(violation.event) { 2 } else { u8::from(is(violation.other)) }
    };
    let threads = graph.thread_count() as u32;
    let favourites = if nodes.list.len() <= MANY_STEPS { threads } else { 1 };
    let edges = Edges::new(nodes.list.len(), &edges);
    let attempts = (0..favourites).map(|thread| Scheduler::run(&nodes, &edges, thread, late));
    let best = attempts.min_by_key(|order| (order.broken, order.switches));
    let ids = |list: Vec<(usize, Because)>| {
        let last = |node: usize| nodes.list[node].1.unwrap_or(nodes.list[node].0);
        list.into_iter().map(|(node, because)| (last(node), because)).collect()
    };
    let place = |placement: Placement| {
        let Placement { node, after, overtaken_by, choice } = placement;
        let (event, write) = nodes.list[node];
        Placed { event, write, after: ids(after), overtaken_by: ids(overtaken_by), choice }
    };
    best.map_or_else(Vec::new, |order| order.placements.into_iter().map(place).collect())
}

/// Above this number of steps only one order is tried.
const MANY_STEPS: usize = 10_000;

/// The nodes in order.
struct Order {
    placements: Vec<Placement>,
    broken: usize,
    switches: usize,
}

/// A node in its place; see [`Placed`].
struct Placement {
    node: usize,
    after: Vec<(usize, Because)>,
    overtaken_by: Vec<(usize, Because)>,
    choice: Choice,
}

/// The steps, numbered thread by thread.
struct Nodes {
    list: Vec<(EventId, Option<EventId>)>,
    /// Per thread: the node of each event.
    of_event: Vec<Vec<usize>>,
}

impl Nodes {
    fn of(graph: &Graph, kept: &Kept) -> Nodes {
        let mut list: Vec<(EventId, Option<EventId>)> = Vec::new();
        let mut of_event = Vec::new();
        for thread in 0..graph.thread_count() {
            let mut own = Vec::new();
            for id in kept.thread(thread) {
                let event = graph.event(id);
                let joins = event.is_write() && event.is_exclusive() && id.position() > 0;
                if joins {
                    list.last_mut().expect("the exclusive read is there").1 = Some(id);
                } else {
                    list.push((id, None));
                }
                own.push(list.len() - 1);
            }
            of_event.push(own);
        }
        Nodes { list, of_event }
    }

    fn get(&self, id: EventId) -> Option<usize> {
        if !id.is_real() {
            return None;
        }
        self.of_event.get(id.thread().index())?.get(id.position() as usize).copied()
    }

    /// The first node after `write` in coherence order. Writes that are left out are passed over: those on both
    /// sides of them are ordered none the less.
    fn next(&self, graph: &Graph, location: LocationId, write: EventId) -> Option<usize> {
        let index = if write.is_real() { graph.co_index(write) } else { 0 };
        let later = &graph.location(location).co[index as usize..];
        later.iter().find_map(|&write| self.get(write))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Edge {
    from: usize,
    to: usize,
    because: Because,
}

fn edges(graph: &Graph, nodes: &Nodes) -> Vec<Edge> {
    let mut edges = Vec::new();
    let mut add = |from: Option<usize>, to: Option<usize>, because: Because| {
        if let (Some(from), Some(to)) = (from, to)
            && from != to
        {
            edges.push(Edge { from, to, because });
        }
    };
    for (thread, own) in nodes.of_event.iter().enumerate() {
        for pair in own.windows(2) {
            add(Some(pair[0]), Some(pair[1]), Because::ProgramOrder);
        }
        let spawn = graph.spawned_by(ThreadId(thread as u32));
        add(nodes.get(spawn), own.first().copied(), Because::Spawn);
    }
    let is_arrival = |id: &&EventId| graph.event(**id).kind == EventKind::Arrive;
    let arrivals: Vec<EventId> = graph.order().iter().filter(is_arrival).copied().collect();
    for &id in graph.order() {
        let event = graph.event(id);
        match event.what() {
            What::Read(source, _) => {
                add(nodes.get(source), nodes.get(id), Because::ReadsFrom);
                if first_unseen(graph, id).is_some() {
                    let next = nodes.next(graph, event.location, source);
                    add(nodes.get(id), next, Because::FromRead);
                }
            }
            What::Write(_) => {
                let next = nodes.next(graph, event.location, id);
                add(nodes.get(id), next, Because::Coherence);
            }
            What::Join(target) => {
                let last = nodes.of_event.get(target.index()).and_then(|own| own.last().copied());
                add(last, nodes.get(id), Because::Join);
            }
            What::Leave { barrier, round } => {
                for &other in &arrivals {
                    if graph.event(other).arrives_at(barrier, round) {
                        add(nodes.get(other), nodes.get(id), Because::Barrier);
                    }
                }
            }
            _ => {}
        }
    }
    edges
}

/// The edges by both of their ends. Those that are causal may not be broken.
struct Edges {
    after: Vec<Vec<(usize, Because)>>,
    before: Vec<Vec<(usize, Because)>>,
}

impl Edges {
    fn new(nodes: usize, list: &[Edge]) -> Edges {
        let mut edges = Edges { after: vec![Vec::new(); nodes], before: vec![Vec::new(); nodes] };
        for edge in list {
            edges.after[edge.from].push((edge.to, edge.because));
            edges.before[edge.to].push((edge.from, edge.because));
        }
        edges
    }
}

struct Scheduler<'e> {
    edges: &'e Edges,
    /// Per node: unplaced predecessors by causal and by breakable edges.
    waits: Vec<(u32, u32)>,
    threads: Vec<u32>,
    /// Per thread: its nodes that are not placed yet.
    rest: Vec<std::ops::Range<usize>>,
    placed: Vec<bool>,
    overtaken: Vec<Vec<(usize, Because)>>,
    current: u32,
}

impl<'e> Scheduler<'e> {
    /// Places all nodes; where there is a choice, `favourite` goes first.
    fn run(
        nodes: &Nodes,
        edges: &'e Edges,
        favourite: u32,
        late: impl Fn(usize) -> u8 + Copy,
    ) -> Order {
        let mut scheduler = Scheduler::new(nodes, edges);
        let mut order = Order { placements: Vec::new(), broken: 0, switches: 0 };
        while let Some((node, choice)) = scheduler.pick(favourite, late) {
            order.switches += usize::from(scheduler.threads[node] != scheduler.current);
            let placement = scheduler.place(node, choice);
            order.broken += placement.overtaken_by.len();
            order.placements.push(placement);
        }
        order
    }

    fn new(nodes: &Nodes, edges: &'e Edges) -> Scheduler<'e> {
        let count = nodes.list.len();
        let waits = edges.before.iter().map(|list| {
            let causal = list.iter().filter(|edge| edge.1.is_causal()).count();
            (causal as u32, (list.len() - causal) as u32)
        });
        let range = |own: &Vec<usize>| match (own.first(), own.last()) {
            (Some(&first), Some(&last)) => first..last + 1,
            _ => 0..0,
        };
        Scheduler {
            edges,
            waits: waits.collect(),
            threads: nodes.list.iter().map(|(id, _)| id.thread().0).collect(),
            rest: nodes.of_event.iter().map(range).collect(),
            placed: vec![false; count],
            overtaken: vec![Vec::new(); count],
            current: 0,
        }
    }

    /// The next node: one that breaks the fewest edges, late ones last; then the favourite thread
    /// and the one that moved last go first. `None` when all are placed. Only the first of what
    /// is left of each thread can be next.
    fn pick(&self, favourite: u32, late: impl Fn(usize) -> u8) -> Option<(usize, Choice)> {
        let keys = || {
            let heads = self.rest.iter().filter(|rest| !rest.is_empty()).map(|rest| rest.start);
            heads.filter(|&n| self.waits[n].0 == 0).map(|n| {
                let thread = self.threads[n];
                (self.waits[n].1, late(n), thread != favourite, thread != self.current, n)
            })
        };
        let best = keys().min()?;
        let second = keys().filter(|key| *key != best).min();
        let choice = match second {
            None => Choice::OnlyOne,
            Some(second) if second.0 != best.0 => Choice::FewestOvertaken,
            Some(second) if second.1 != best.1 => Choice::FailingLater,
            Some(second) if second.2 != best.2 => Choice::PreferredThread,
            Some(second) if second.3 != best.3 => Choice::SameThread,
            Some(_) => Choice::LowestThread,
        };
        Some((best.4, choice))
    }

    /// Puts `node` in its place.
    fn place(&mut self, node: usize, choice: Choice) -> Placement {
        self.placed[node] = true;
        self.current = self.threads[node];
        self.rest[self.current as usize].start += 1;
        for &(to, because) in self.edges.after[node].iter().filter(|edge| !self.placed[edge.0]) {
            let waits = &mut self.waits[to];
            if because.is_causal() {
                waits.0 -= 1;
            } else {
                waits.1 -= 1;
            }
        }
        let mut after = Vec::new();
        for &(from, because) in &self.edges.before[node] {
            if self.placed[from] {
                after.push((from, because));
            } else {
                self.overtaken[from].push((node, because));
            }
        }
        let overtaken_by = std::mem::take(&mut self.overtaken[node]);
        Placement { node, after, overtaken_by, choice }
    }
}

#[cfg(test)]
mod tests;
