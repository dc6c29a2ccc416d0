//! Sequential consistency: `po ∪ rf ∪ co ∪ rb` acyclic.
//!
//! A new event has no successors but those that its own coherence edge gives it: a read of `w` comes
//! before the write after `w`, a write before the write that it is placed in front of. So the
//! addition closes a cycle exactly if that write already comes before the thread's last event.
//! All predecessors of an event are, in each thread, a prefix of program order: one number a
//! thread, found by a backward search that starts from the `porf` clock and adds what the coherence
//! order and from-reads bring in.

use crate::forced::{is_forced, is_total};
use crate::groups::is_interleaving;
use crate::{
    About, Arrange, Delay, Groups, Interleaving, Model, Named, NewAccess, VerifySc, Whole,
};
use norn_action::ThreadId;
use norn_graph::{EventId, Graph, LocationId};

/// The model `sc`.
#[derive(Clone, Debug, Default)]
pub struct Sc {
    order: ScOrder,
    verify: VerifySc,
}

/// The backward search, with its buffers.
#[derive(Clone, Debug, Default)]
pub(crate) struct ScOrder {
    reach: Vec<u32>,
    done: Vec<u32>,
}

impl ScOrder {
    /// The floor of a new access: the last write to `location` that comes before the end of
    /// `thread`.
    #[inline]
    pub(crate) fn floor(&mut self, graph: &Graph, thread: ThreadId, location: LocationId) -> u32 {
        let co = &graph.location(location).co;
        let Some(&last) = co.last() else { return 0 };
        let clock = graph.clock_before_next(0, thread);
        if Graph::within(clock, last) || self.search(graph, clock, last) {
            return co.len() as u32;
        }
        co.iter().rposition(|&write| Graph::within(&self.reach, write)).map_or(0, |i| i as u32 + 1)
    }

    /// Whether `first` comes before `second`.
    pub(crate) fn before(&mut self, graph: &Graph, first: EventId, second: EventId) -> bool {
        let clock = graph.clock(0, second);
        Graph::within(clock, first) || self.search(graph, clock, first)
    }

    /// Whether the source of `read` is overwritten before `read` under every coherence order, as far
    /// as the edges show that [`is_forced`]. Cheaper than to look for an order in vain.
    pub(crate) fn is_overwritten(&mut self, graph: &Graph, read: EventId) -> bool {
        let event = graph.event(read);
        self.search_by(graph, graph.clock(0, read), |_| false, include_forced_predecessors);
        let co = &graph.location(event.location).co;
        let known = |&&write: &&EventId| write != event.rf && Graph::within(&self.reach, write);
        co.iter()
            .filter(known)
            .any(|&write| !event.rf.is_real() || is_forced(graph, 0, event.rf, write))
    }

    /// Extends the prefix `start` to all predecessors; stops early, with true, at `goal`.
    fn search(&mut self, graph: &Graph, start: &[u32], goal: EventId) -> bool {
        self.search_by(graph, start, |reach| Graph::within(reach, goal), include_predecessors)
    }

    /// Extends the prefix `start` by what `include` adds for each write; stops early, with true, when
    /// it is `enough`.
    #[inline]
    fn search_by(
        &mut self,
        graph: &Graph,
        start: &[u32],
        enough: impl Fn(&[u32]) -> bool,
        include: impl Fn(&Graph, EventId, &mut [u32]) -> bool,
    ) -> bool {
        let ScOrder { reach, done } = self;
        reach.clear();
        reach.extend_from_slice(start);
        done.clear();
        done.resize(reach.len(), 0);
        let mut changed = true;
        while changed {
            changed = false;
            for t in 0..graph.thread_count() {
                while done[t] < reach[t] {
                    let id = EventId::new(ThreadId(t as u32), done[t]);
                    done[t] += 1;
                    if graph.event(id).is_write() {
                        changed |= include(graph, id, reach);
                    }
                }
            }
            if enough(reach) {
                return true;
            }
        }
        false
    }
}

/// Adds what comes before a write by `co` and `rb`: the write before it, and that one's readers.
#[inline]
fn include_predecessors(graph: &Graph, write: EventId, reach: &mut [u32]) -> bool {
    let event = graph.event(write);
    let previous = graph.co_at(event.location, event.co_index());
    let mut changed = false;
    let mut include = |id: EventId| {
        if !Graph::within(reach, id) {
            changed = true;
            for (a, b) in reach.iter_mut().zip(graph.clock(0, id)) {
                *a = (*a).max(*b);
            }
        }
    };
    if previous.is_real() {
        include(previous);
    }
    graph.readers(previous, event.location).for_each(&mut include);
    changed
}

/// Adds what comes before a write under every coherence order: the writes that [`is_forced`] puts
/// before it, and their readers.
fn include_forced_predecessors(graph: &Graph, write: EventId, reach: &mut [u32]) -> bool {
    let event = graph.event(write);
    let mut changed = false;
    let mut include = |id: EventId| {
        if !Graph::within(reach, id) {
            changed = true;
            for (a, b) in reach.iter_mut().zip(graph.clock(0, id)) {
                *a = (*a).max(*b);
            }
        }
    };
    let earlier = &graph.location(event.location).co[..event.co_index() as usize];
    graph.readers(EventId::INIT, event.location).for_each(&mut include);
    for &previous in earlier.iter().filter(|&&previous| is_forced(graph, 0, previous, write)) {
        include(previous);
        graph.readers(previous, event.location).for_each(&mut include);
    }
    changed
}

impl Named for Sc {
    const ABOUT: About = About {
        name: "sc",
        summary: "sequential consistency: threads interleave, every read sees the last write",
        delay: Delay::Never,
        races: false,
        publishes_in_order: true,
    };

    fn new() -> Sc {
        Sc::default()
    }
}

impl Model for Sc {
    const LANES: usize = 1;
    const HB: usize = 0;
    const UPDATES_ARE_SEEN: bool = true;
    const INTERLEAVES: bool = true;

    fn reports_races(&self) -> bool {
        Self::ABOUT.races
    }

    #[inline]
    fn floor(&mut self, graph: &Graph, access: &NewAccess) -> u32 {
        self.order.floor(graph, access.thread, access.location)
    }

    fn ordered(&mut self, graph: &Graph, first: EventId, second: EventId) -> bool {
        self.order.before(graph, first, second)
    }

    fn whole(&mut self, graph: &Graph, groups: &Groups) -> Whole {
        match is_interleaving(graph, &groups.nodes(graph), &[]) {
            true => Whole::Yes,
            false => Whole::No,
        }
    }
}

impl Interleaving for Sc {}

impl Arrange for Sc {
    fn arrange(&mut self, graph: &mut Graph, read: EventId) -> bool {
        !self.order.is_overwritten(graph, read) && self.verify.arrange(graph)
    }

    fn has_no_choice(&self, graph: &Graph) -> bool {
        is_total(graph, 0)
    }

    fn always_ordered(&mut self, graph: &Graph, first: EventId, second: EventId) -> bool {
        Graph::within(graph.clock(0, second), first)
            || !self.verify.may_follow(graph, first, second)
    }
}
