//! Atomic sections: nobody else moves while a thread is in one.
//!
//! To the search a section is a lock around some events, which keeps sections apart from each other but
//! not from accesses outside of any. So it visits graphs in which a section is not atomic, and these are
//! dropped when they have ended, or when something is wrong with them. That leaves exactly the graphs
//! of atomic executions, each once: every one of them is also a graph without the sections.
//!
//! A graph that has an interleaving (`po ∪ rf ∪ co ∪ rb` is acyclic) must have one in which the sections
//! are in one piece: the relation stays acyclic when each section is taken as one event. In a graph that
//! has none, because the model is weaker, an event must not come between two events of a section: after
//! one and before another, by `porf` or by the order of accesses to one location.
//!
//! While a section has not ended, nothing outside comes after any of its events. What is wrong with a
//! graph in which something does may be right to report once the section has ended, so it is looked
//! for again then.

use norn_action::{Role, ThreadId};
use norn_graph::{Event, EventId, Graph};
use norn_models::{Groups, is_interleaving};

/// Whether the sections of a graph, in which the parts of accesses are `groups`, are atomic; `ended` says that
/// nobody will leave one any more.
pub(crate) fn are_atomic(graph: &Graph, groups: &Groups, ended: bool) -> bool {
    let mut sections = Sections::new(graph);
    if ended {
        sections.open.clear();
        sections.open_members.clear();
    }
    let alone: Vec<u32> = (0..graph.len() as u32).collect();
    if is_interleaving(graph, &alone, &[]) {
        groups.join(graph, &mut sections.node);
        is_interleaving(graph, &sections.node, &sections.open)
    } else {
        sections.nobody_between(graph)
    }
}

/// Which section each event is in.
struct Sections {
    /// By insertion order: a number that the events of a section, and no others, share.
    node: Vec<u32>,
    /// The events of each section.
    members: Vec<Vec<EventId>>,
    /// The numbers of the sections that have not ended, and which of `members` these are.
    open: Vec<u32>,
    open_members: Vec<usize>,
}

impl Sections {
    fn new(graph: &Graph) -> Sections {
        let mut node: Vec<u32> = (0..graph.len() as u32).collect();
        let mut members: Vec<Vec<EventId>> = Vec::new();
        let (mut open, mut open_members) = (Vec::new(), Vec::new());
        for t in 0..graph.thread_count() as u32 {
            let thread = ThreadId(t);
            let mut inside = false;
            for (position, event) in graph.thread_events(thread).iter().enumerate() {
                let id = EventId::new(thread, position as u32);
                if event.is_write() && event.flags.is_like(Role::EnterSection) {
                    inside = event.is_exclusive();
                    if inside {
                        members.push(Vec::new());
                    }
                } else if let (true, Some(section)) = (inside, members.last_mut()) {
                    let first = section.first().map_or(event.stamp, |&id| graph.event(id).stamp);
                    node[event.stamp as usize] = first;
                    section.push(id);
                }
            }
            if let (true, Some(Some(&first))) = (inside, members.last().map(|m| m.first())) {
                open.push(graph.event(first).stamp);
                open_members.push(members.len() - 1);
            }
        }
        Sections { node, members, open, open_members }
    }

    /// Whether no event comes between two events of a section.
    fn nobody_between(&self, graph: &Graph) -> bool {
        self.members.iter().enumerate().all(|(index, members)| {
            let is_open = self.open_members.contains(&index);
            let is_member = |id: &EventId| members.contains(id);
            let mut others = graph.order().iter().filter(|id| !is_member(id));
            !others.any(|&other| {
                members.iter().any(|&first| comes_before(graph, first, other))
                    && (is_open || members.iter().any(|&last| comes_before(graph, other, last)))
            })
        })
    }
}

/// Whether one event comes before another by `porf` or by the order of accesses to one location.
fn comes_before(graph: &Graph, first: EventId, second: EventId) -> bool {
    if Graph::within(graph.clock(0, second), first) {
        return true;
    }
    let (a, b) = (graph.event(first), graph.event(second));
    let is_access = |event: &Event| event.is_read() || event.is_write();
    is_access(a) && is_access(b) && a.location == b.location && rank(graph, a) < rank(graph, b)
}

/// Where an access stands among those to its location: a write, then those who read it.
fn rank(graph: &Graph, access: &Event) -> u32 {
    if access.is_write() { 2 * (access.co_index() + 1) } else { 2 * graph.co_index(access.rf) + 1 }
}
