//! `bound`: preemption-bounded search on top of `trust`, under sc.
//!
//! Marmanis, Kokologiannakis, Vafeiadis, "Reconciling Preemption Bounding with DPOR", TACAS 2023:
//! line 5 of Algorithm 1 discards a graph that needs too many preemptions. Every complete
//! execution that some interleaving realises with at most `k` preemptions is still visited, once.
//! Where this differs from the text, and why the result stays the same:
//!
//! 1. There is no slack. The paper compares the least number of preemptions of the whole graph with
//!    `k` plus at most the number of threads less two, because the graph may contain events that are
//!    deleted on the way to an execution within the bound. Here only the part of the graph that is
//!    never deleted is looked at ([`settled`]), and compared with `k` itself. That part is a
//!    prefix of every execution that the graph leads to, and preemptions are monotone in prefixes
//!    (Lemma 1), so nothing within the bound is lost. The argument depends neither on the order in
//!    which threads are scheduled nor on their number, and so holds for parked threads and ghosts.
//!    The price: what is not settled was added by maximal steps and may need one more preemption for
//!    each of its threads (Lemma 2), so that executions beyond the bound are visited also where there
//!    are two threads only, which have no slack in the paper.
//! 2. A switch at an operation that waits (a lock that is taken, a thread that has not ended, a
//!    barrier that is not full) is no preemption. Lemma 1 then needs care: a missing event may be
//!    what makes the thread wait. [`Fewest`](preemptions) counts such a switch in a part of
//!    a graph only if no missing event can do that.
//! 3. The predicate is decided by a search only where two upper bounds do not answer it: the number of
//!    places where threads can have been cut ([`cuts`]), and a certificate that the whole graph
//!    can be run within the bound, which grows with the graph ([`segments`]).
//! 4. A graph of which everything is settled is looked at when a thread is taken up again, not
//!    while it goes on.
//!
//! The road not taken: the slack of the paper, min(N − 2, threads with deletable events). Its proof
//! needs the steps from the kept part to the whole graph in the order of the threads, which parking
//! does not give, and N, which is not known before all threads are started. It is not measured.

mod cuts;
mod preemptions;
mod runs;
mod segments;
mod settled;
mod steps;

use crate::search::{Options, Stop, Summary};
use crate::trust::{Prune, Trust, Waits};
use cuts::Cuts;
use norn_action::Machine;
use norn_graph::{EventId, Graph};
use norn_models::Interleaving;
use preemptions::Fewest;
use segments::Segments;
use settled::Settled;

/// What a bounded search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// How many preemptions an execution may need.
    pub preemptions: u32,
    /// Ignore violations in graphs that need more.
    pub strict: bool,
}

/// Discards graphs whose settled part needs more than the allowed number of preemptions.
pub struct Bounded {
    bound: Bound,
    settled: Settled,
    cuts: Cuts,
    segments: Segments,
    fewest: Fewest,
    open: Option<Open>,
    discarded: u64,
    blocked: u64,
}

/// A graph that was kept last, and has not been followed by another.
struct Open {
    depth: usize,
    length: u32,
    discarded: bool,
}

impl Bounded {
    /// For a search with that bound.
    pub fn new(bound: Bound) -> Bounded {
        Bounded {
            bound,
            settled: Settled::default(),
            cuts: Cuts::default(),
            segments: Segments::new(bound.preemptions),
            fewest: Fewest::default(),
            open: None,
            discarded: 0,
            blocked: 0,
        }
    }

    /// Whether there is a certificate that the graph can be run within the bound.
    #[inline]
    fn is_certain(&mut self, graph: &Graph, waits: &dyn Waits) -> bool {
        let bound = self.bound.preemptions;
        let certain = graph.len() as u32 <= bound
            || !self.cuts.are_more_than(bound, graph)
            || self.segments.cover(graph);
        debug_assert!(!certain || !self.is_beyond(graph, waits), "a wrong certificate");
        certain
    }

    /// Whether the settled part can be run within the bound.
    #[inline]
    fn has_run(&mut self, graph: &Graph, waits: &dyn Waits) -> bool {
        let bound = self.bound.preemptions;
        if !self.fewest.part_at_most(graph, self.settled.counts(), bound, waits) {
            return false;
        }
        self.settled.is_good(graph);
        self.segments.found(graph, self.fewest.limit(), self.fewest.cuts());
        true
    }

    /// All that could follow the open graph has been tried.
    fn close(&mut self) {
        if self.open.take().is_some_and(|open| open.discarded) {
            self.blocked += 1;
        }
    }

    fn close_here(&mut self) {
        if self.open.as_ref().is_some_and(|open| open.depth == self.settled.depth()) {
            self.close();
        }
    }
}

impl Prune for Bounded {
    type Part = Vec<EventId>;

    fn part(&self, depth: usize) -> Vec<EventId> {
        self.settled.part(depth)
    }

    fn fits(part: &Vec<EventId>, graph: &Graph, revisits: bool) -> bool {
        let there = |id: EventId| graph.thread_len(id.thread()) > id.position();
        let is_write = |id: EventId| there(id) && graph.event(id).is_write();
        // The write of a revisit that is still to be made comes next in its thread.
        let is_last = |index: usize| revisits && index + 1 == part.len();
        let is_next = |id: EventId| graph.thread_len(id.thread()) == id.position();
        let fits = |(index, &id): (usize, &EventId)| {
            id == EventId::NONE || id.is_real() && (is_write(id) || is_last(index) && is_next(id))
        };
        part.iter().enumerate().all(fits) && !(revisits && part.is_empty()) && runs::has_run(graph)
    }

    fn take_part(&mut self, part: Vec<EventId>, graph: &Graph) {
        self.open = None;
        self.settled.take_part(part);
        self.cuts.begin();
        self.segments.restart(graph);
    }

    /// What follows the open graph decides whether it counts as blocked, and stays together.
    fn may_part(&self, depth: usize, length: u32) -> bool {
        let belongs =
            |open: &Open| depth > open.depth || (depth == open.depth && length >= open.length);
        !self.open.as_ref().is_some_and(belongs)
    }

    fn may_pause(&self) -> bool {
        self.open.is_none()
    }

    #[inline]
    fn keeps(&mut self, graph: &Graph, half: bool, waits: &dyn Waits) -> bool {
        if half {
            return true;
        }
        if !self.is_certain(graph, waits) && self.settled.look(graph) && !self.has_run(graph, waits)
        {
            self.discarded += 1;
            if let Some(open) = &mut self.open {
                open.discarded = true;
            }
            return false;
        }
        let (depth, length) = (self.settled.depth(), graph.len() as u32);
        self.open = Some(Open { depth, length, discarded: false });
        true
    }

    #[inline]
    fn cut(&mut self, length: u32) {
        self.settled.cut(length);
        self.cuts.cut(length);
        self.segments.cut(length);
        if self.open.as_ref().is_some_and(|open| length < open.length) {
            self.close_here();
        }
    }

    fn enter(&mut self) {
        self.settled.enter();
        self.cuts.enter(self.bound.preemptions);
        self.segments.enter();
    }

    fn leave(&mut self) {
        self.close_here();
        self.settled.leave();
        self.cuts.leave();
        self.segments.leave();
    }

    fn revisited(&mut self, graph: &Graph, write: EventId, read: EventId) {
        self.close_here();
        self.settled.revisited(write);
        self.cuts.restart();
        self.segments.revisited(graph, write, read);
    }

    fn ended(&mut self, graph: &Graph, waits: &dyn Waits) -> bool {
        self.open = None;
        !self.is_certain(graph, waits) && self.is_beyond(graph, waits)
    }

    fn is_beyond(&mut self, graph: &Graph, waits: &dyn Waits) -> bool {
        !self.fewest.all_at_most(graph, self.bound.preemptions, waits)
    }

    fn is_strict(&self) -> bool {
        self.bound.strict
    }

    fn finish(&mut self, summary: &mut Summary) {
        self.close();
        let figures = summary.figures.bound.get_or_insert_default();
        figures.preemptions = self.bound.preemptions;
        figures.discarded = self.discarded;
        figures.blocked = self.blocked;
    }
}

impl<'m, M: Machine, Mo: Interleaving> Trust<'m, M, Mo, Bounded> {
    /// A search for the executions that need few preemptions.
    pub fn bounded(machine: &'m M, options: Options, bound: Bound) -> Self {
        Trust::pruned(machine, options, Bounded::new(bound))
    }
}

/// What a search with a growing bound came to.
#[derive(Clone, Debug)]
pub struct Deepened {
    /// The last bound.
    pub preemptions: u32,
    /// What the search with the last bound found.
    pub summary: Summary,
    /// Whether that search was complete: the bound discarded nothing, nothing that was found was
    /// ignored, and nothing stopped it.
    pub complete: bool,
}

/// Searches with the bounds `first`, `first + 1` and so on, until one finds a violation, discards
/// nothing, or is stopped. What else `search` returns comes back from the last one.
pub fn deepen<T, E>(
    first: u32,
    mut search: impl FnMut(u32) -> Result<(Summary, T), E>,
) -> Result<(Deepened, T), E> {
    let mut preemptions = first;
    loop {
        let (summary, rest) = search(preemptions)?;
        let stopped = summary.stopped.is_some_and(|stop| stop != Stop::Violation);
        if !summary.is_bounded() || stopped || !summary.violations.is_empty() {
            let complete = !summary.is_bounded() && summary.stopped.is_none();
            return Ok((Deepened { preemptions, summary, complete }, rest));
        }
        preemptions += 1;
    }
}
