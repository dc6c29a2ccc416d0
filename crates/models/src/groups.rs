//! Accesses that are made in several parts, and whether the parts are one access.
//!
//! A program may access the same bytes in several sizes. Then the machine makes the larger accesses in parts,
//! each of its own location, and a graph has an event for each part ([`Role::FirstPart`]). The parts of one
//! access are a *group*. Which graphs with groups are executions, each model says by [`Model::whole`](crate::Model::whole):
//!
//! * Under models with one global order of accesses (`sc`, `tso`, `pso`) a group is one point of that order:
//!   the relation that the model wants to be acyclic stays so when each group is one node. That is exact. For
//!   the processors it is a store buffer whose entries go to memory in one piece, and a load that takes each
//!   byte, at one moment, from the newest entry of its own buffer that has it, or else from memory. (If
//!   the collapsed relation is acyclic, take the accesses in such an order: each part reads what the buffer or
//!   the memory then holds. In the other direction, a run is such an order.)
//! * The standards of C and C++ say nothing of accesses of several sizes, so that there is a graph that is surely
//!   an execution, one that surely is none, and something in between ([`weakly_whole`]). What is wrong in one of
//!   the last kind is reported as something that Norn cannot decide.

use norn_action::{Role, ThreadId};
use norn_graph::{Event, EventId, EventKind, Graph};

/// Whether the parts of each access are one access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whole {
    /// There is such an execution.
    Yes,
    /// There is none.
    No,
    /// The model does not say.
    Unclear,
}

/// The accesses of a graph that are made in several parts: the events of each, of which there are at least two.
/// What a read-modify-write does between its parts belongs to it.
#[derive(Clone, Debug, Default)]
pub struct Groups {
    members: Vec<Vec<EventId>>,
}

impl Groups {
    /// Those of a graph.
    pub fn of(graph: &Graph) -> Groups {
        let mut members: Vec<Vec<EventId>> = Vec::new();
        for t in 0..graph.thread_count() as u32 {
            let mut inside = false;
            for (position, event) in graph.thread_events(ThreadId(t)).iter().enumerate() {
                let id = EventId::new(ThreadId(t), position as u32);
                if is_part(event) {
                    if event.flags.role() == Role::FirstPart {
                        members.push(Vec::new());
                        inside = true;
                    }
                    if let (true, Some(group)) = (inside, members.last_mut()) {
                        let next = group.last().map_or(id.position(), |last| last.position() + 1);
                        let all = (next..=id.position()).map(|at| EventId::new(ThreadId(t), at));
                        group.extend(all);
                    }
                } else if event.is_read() || event.is_write() {
                    inside = false;
                }
            }
        }
        members.retain(|group| group.len() > 1);
        Groups { members }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Gives the events of each group, which are named by their stamps in `node` unless something larger
    /// contains them, one name.
    pub fn join(&self, graph: &Graph, node: &mut [u32]) {
        for group in &self.members {
            let name = node[graph.event(group[0]).stamp as usize];
            group.iter().for_each(|&id| node[graph.event(id).stamp as usize] = name);
        }
    }

    /// The name of each event by its stamp, where the events of a group have one.
    pub(crate) fn nodes(&self, graph: &Graph) -> Vec<u32> {
        let mut node: Vec<u32> = (0..graph.len() as u32).collect();
        self.join(graph, &mut node);
        node
    }
}

fn is_part(event: &Event) -> bool {
    (event.is_read() || event.is_write()) && event.flags.is_like(Role::Part)
}

/// Whether `po ∪ rf ∪ co ∪ rb` is acyclic where events with the same `node` are one, and nothing comes
/// after the nodes in `last`.
pub fn is_interleaving(graph: &Graph, node: &[u32], last: &[u32]) -> bool {
    is_acyclic(graph, node, last, for_each_edge)
}

/// Likewise, of the relation that `edges` gives the edges of.
pub(crate) fn is_acyclic(
    graph: &Graph,
    node: &[u32],
    last: &[u32],
    edges: impl FnOnce(&Graph, &mut dyn FnMut(EventId, EventId)),
) -> bool {
    let mut before = vec![0u32; node.len()];
    let mut after: Vec<Vec<u32>> = vec![Vec::new(); node.len()];
    edges(graph, &mut |from, to| {
        let name = |id: EventId| node[graph.event(id).stamp as usize];
        let (from, to) = (name(from), name(to));
        if from != to {
            after[from as usize].push(to);
            before[to as usize] += 1;
        }
    });
    if last.iter().any(|&node| !after[node as usize].is_empty()) {
        return false;
    }
    let mut ready: Vec<u32> = (0..node.len() as u32).filter(|&n| before[n as usize] == 0).collect();
    let mut done = 0;
    while let Some(next) = ready.pop() {
        done += 1;
        for &later in &after[next as usize] {
            before[later as usize] -= 1;
            if before[later as usize] == 0 {
                ready.push(later);
            }
        }
    }
    done == node.len()
}

fn for_each_edge(graph: &Graph, edge: &mut dyn FnMut(EventId, EventId)) {
    for &id in graph.order() {
        let event = graph.event(id);
        if id.position() > 0 {
            edge(EventId::new(id.thread(), id.position() - 1), id);
        } else if graph.spawned_by(id.thread()).is_real() {
            edge(graph.spawned_by(id.thread()), id);
        }
        if event.is_read() && event.rf.is_real() {
            edge(event.rf, id);
        }
        coherence_edges(graph, id, edge);
        if matches!(event.kind, EventKind::Join | EventKind::Leave) {
            for (t, &count) in graph.clock(0, id).iter().enumerate() {
                if count > 0 && t != id.thread().index() {
                    edge(EventId::new(ThreadId(t as u32), count - 1), id);
                }
            }
        }
    }
}

/// The edges of `co` and `rb` to the next write.
pub(crate) fn coherence_edges(graph: &Graph, id: EventId, edge: &mut dyn FnMut(EventId, EventId)) {
    let event = graph.event(id);
    match event.kind {
        EventKind::Read => {
            let co = &graph.location(event.location).co;
            if let Some(&next) = co.get(graph.co_index(event.rf) as usize)
                && next != EventId::new(id.thread(), id.position() + 1)
            {
                edge(id, next);
            }
        }
        EventKind::Write => {
            let co = &graph.location(event.location).co;
            if let Some(&next) = co.get(event.co_index() as usize + 1) {
                edge(id, next);
            }
        }
        _ => {}
    }
}

/// What can be said of groups under a model of C, whose lane of happens-before is `hb`.
///
/// *Yes* if there is an interleaving in which each group is one step: every model has these. *No* if a group,
/// taken as one event that happens before and after all that its parts do, breaks coherence (`hb ; eco?`
/// irreflexive, with `hb` closed under groups), or if two groups see each other in both orders. All that is
/// used of an access of a large size here is that it synchronises and reads as one: whatever a standard would
/// say of it, it would say that.
pub(crate) fn weakly_whole(graph: &Graph, groups: &Groups, hb: usize) -> Whole {
    if is_interleaving(graph, &groups.nodes(graph), &[]) {
        return Whole::Yes;
    }
    let before = Before::of(graph, groups, hb);
    if before.breaks_coherence(graph) || groups.tear_each_other(graph) {
        return Whole::No;
    }
    Whole::Unclear
}

impl Groups {
    fn tear_each_other(&self, graph: &Graph) -> bool {
        let precedes = |one: &[EventId], other: &[EventId]| {
            one.iter().any(|&a| other.iter().any(|&b| is_eco(graph, a, b)))
        };
        self.members.iter().enumerate().any(|(i, one)| {
            let mut others = self.members[i + 1..].iter();
            others.any(|other| precedes(one, other) && precedes(other, one))
        })
    }
}

/// Whether `a` comes before `b` in the order of accesses to one location.
fn is_eco(graph: &Graph, a: EventId, b: EventId) -> bool {
    let (x, y) = (graph.event(a), graph.event(b));
    let is_access = |event: &Event| event.is_read() || event.is_write();
    let rank = |event: &Event| match event.is_write() {
        true => 2 * (event.co_index() + 1),
        false => 2 * graph.co_index(event.rf) + 1,
    };
    is_access(x) && is_access(y) && x.location == y.location && rank(x) < rank(y)
}

/// Happens-before where each group is one event: for each stamp, which stamps come before it.
struct Before {
    rows: Vec<Vec<bool>>,
}

impl Before {
    fn of(graph: &Graph, groups: &Groups, hb: usize) -> Before {
        let n = graph.len();
        let stamp = |id: EventId| graph.event(id).stamp as usize;
        let mut rows = vec![vec![false; n]; n];
        for &id in graph.order() {
            for &other in graph.order() {
                rows[stamp(id)][stamp(other)] =
                    other != id && Graph::within(graph.clock(hb, id), other);
            }
        }
        // Whoever comes before one part comes before all; likewise after. Then what follows from that.
        for group in &groups.members {
            let inside = |index: usize| group.iter().any(|&id| stamp(id) == index);
            let earlier: Vec<usize> = (0..n)
                .filter(|&i| !inside(i) && group.iter().any(|&id| rows[stamp(id)][i]))
                .collect();
            let later: Vec<usize> = (0..n)
                .filter(|&i| !inside(i) && group.iter().any(|&id| rows[i][stamp(id)]))
                .collect();
            for &id in group {
                earlier.iter().for_each(|&i| rows[stamp(id)][i] = true);
                later.iter().for_each(|&i| rows[i][stamp(id)] = true);
            }
            for &after in &later {
                earlier.iter().for_each(|&i| rows[after][i] = true);
            }
        }
        Before { rows }
    }

    /// Whether an event comes before itself, or an access after one that it precedes by `eco`.
    fn breaks_coherence(&self, graph: &Graph) -> bool {
        (0..self.rows.len()).any(|i| self.rows[i][i])
            || graph.order().iter().any(|&a| {
                graph.order().iter().any(|&b| {
                    let (x, y) = (graph.event(a).stamp as usize, graph.event(b).stamp as usize);
                    self.rows[x][y] && is_eco(graph, a, b)
                })
            })
    }
}
