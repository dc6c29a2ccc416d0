//! RC11: Lahav, Vafeiadis, Kang, Hur, Dreyer, "Repairing Sequential Consistency in C/C++11",
//! PLDI 2017, with `porf` acyclic, over a choice of release sequences ([`Sequences`]): those of the paper
//! make `rc11`, those of C++20 make `c20`, and nothing else differs.
//!
//! Two lanes beside `porf`. `hb` of an event is its happens-before clock. `view` of a write is what an
//! acquire read of it synchronises with: the join of `hb` over the heads of the release sequences that
//! the write is in.
//!
//! * A head in the write's own thread is the write itself, the latest release fence before it or, where
//!   later stores continue a sequence, a release write to its location before it; the latest of these
//!   has the largest clock.
//! * A read-modify-write continues the release sequences of the write that it reads.
//!
//! Coherence (`hb ; eco?` irreflexive) and atomicity are the floor and the explorers' handling of
//! exclusive writes. `psc` is in its own file.
//!
//! Most programs use `seq_cst` everywhere. In a graph in which every pair of conflicting accesses is
//! `seq_cst` or ordered by `hb`, both models are sequential consistency (the DRF theorem of the paper, which
//! holds graph by graph: an edge of `rf ∪ co ∪ rb` between such accesses is in `hb` or in `scb`). So
//! while all accesses are `seq_cst`, plain or of mutexes, the floor is that of `sc`, which is exact, and
//! `psc` need not be looked at. Plain accesses that race are reported and end the promise.

use crate::floor::coherence_floor;
use crate::forced::{Forced, is_total};
use crate::groups::weakly_whole;
use crate::psc::Psc;
use crate::psc_search::PscSearch;
use crate::sc::ScOrder;
use crate::{About, Arrange, Delay, Groups, Model, Named, NewAccess, VerifySc, Whole};
use norn_action::{Mode, Role};
use norn_graph::{Event, EventId, EventKind, Graph};
use std::fmt::Debug;
use std::marker::PhantomData;

/// Which writes belong to a release sequence, beside its head and the read-modify-writes that continue it.
pub trait Sequences: Clone + Debug + Default + Send {
    /// The name of the model that they make.
    const NAME: &'static str;
    /// See [`About::summary`].
    const SUMMARY: &'static str;
    /// Whether the later stores of the heading thread to the location do.
    const LATER_STORES: bool;
}

const HB: usize = 1;
const VIEW: usize = 2;

/// The memory model of C and C++ with the release sequences `S`.
#[derive(Clone, Debug, Default)]
pub struct C11<S> {
    psc: Psc,
    search: PscSearch,
    order: ScOrder,
    forced: Forced,
    verify: VerifySc,
    races_are_ignored: bool,
    sequences: PhantomData<S>,
}

impl<S: Sequences> C11<S> {
    /// Whether the graph, with `access` added, is one in which the model is sequential consistency.
    #[inline]
    fn is_sequential(&self, graph: &Graph, access: &NewAccess) -> bool {
        let strong = match access.mode {
            Mode::SeqCst => true,
            Mode::Plain => true,
            _ => access.mutex,
        };
        strong && graph.weak_count() == 0 && !self.races_are_ignored
    }
}

impl<S: Sequences> Named for C11<S> {
    const ABOUT: About = About {
        name: S::NAME,
        summary: S::SUMMARY,
        delay: Delay::Modes,
        races: true,
        publishes_in_order: true,
    };

    fn new() -> C11<S> {
        C11::default()
    }
}

impl<S: Sequences> Model for C11<S> {
    const LANES: usize = 3;
    const HB: usize = HB;

    fn reports_races(&self) -> bool {
        Self::ABOUT.races
    }

    fn races_are_ignored(&mut self) {
        self.races_are_ignored = true;
    }

    #[inline]
    fn floor(&mut self, graph: &Graph, access: &NewAccess) -> u32 {
        if graph.seq_cst_count() > 0 && self.is_sequential(graph, access) {
            return self.order.floor(graph, access.thread, access.location);
        }
        let clock = graph.clock_before_next(HB, access.thread);
        coherence_floor(graph, access.location, |event| Graph::within(clock, event))
    }

    fn added(&mut self, graph: &mut Graph, id: EventId) {
        graph.clock_includes_self(HB, id);
        let event = *graph.event(id);
        match event.kind {
            EventKind::Read if event.mode.is_acquire() && event.rf.is_real() => {
                graph.join_clock(HB, id, VIEW, event.rf);
                if event.flags.is_like(Role::WriteLock) {
                    after_readers(graph, id);
                }
            }
            EventKind::Fence if event.mode.is_acquire() => acquire_fence(graph, id),
            EventKind::Write => set_view::<S>(graph, id),
            _ => {}
        }
    }

    #[inline]
    fn holds(&mut self, graph: &Graph, event: EventId) -> bool {
        (graph.weak_count() == 0 && !self.races_are_ignored) || self.psc.holds_after(graph, event)
    }

    fn ordered(&mut self, graph: &Graph, first: EventId, second: EventId) -> bool {
        Graph::within(graph.clock(HB, second), first)
    }

    fn whole(&mut self, graph: &Graph, groups: &Groups) -> Whole {
        weakly_whole(graph, groups, HB)
    }
}

impl<S: Sequences> Arrange for C11<S> {
    /// Happens-before decides all but `psc`; for that, see [`crate::psc_search`].
    fn arrange(&mut self, graph: &mut Graph, read: EventId) -> bool {
        if graph.weak_count() == 0 && !self.races_are_ignored {
            return !self.order.is_overwritten(graph, read) && self.verify.arrange(graph);
        }
        let location = graph.event(read).location;
        let original = graph.location(location).co.clone();
        if !self.forced.arrange(graph, HB, read) {
            return false;
        }
        let C11 { psc, search, .. } = self;
        let found = psc.holds(graph) || search.arrange(psc, graph, HB);
        if !found {
            graph.set_coherence(location, &original);
        }
        found
    }

    fn has_no_choice(&self, graph: &Graph) -> bool {
        graph.weak_count() == 0 && !self.races_are_ignored && is_total(graph, 0)
    }

    /// Happens-before does not depend on coherence.
    fn always_ordered(&mut self, graph: &Graph, first: EventId, second: EventId) -> bool {
        self.ordered(graph, first, second)
    }
}

/// A writer that takes a reader-writer lock comes after all readers that left it since the last writer
/// did. Leaving is a relaxed read-modify-write, so that it orders nothing for later readers.
fn after_readers(graph: &mut Graph, writer: EventId) {
    let mut write = graph.event(writer).rf;
    let is_reader = |write: &Event| write.is_exclusive() && write.flags.is_like(Role::ReadLock);
    while write.is_real() && is_reader(graph.event(write)) {
        graph.join_clock(HB, writer, HB, write);
        write = graph.event(EventId::new(write.thread(), write.position() - 1)).rf;
    }
}

/// An acquire fence synchronises with what the atomic reads before it have read.
fn acquire_fence(graph: &mut Graph, fence: EventId) {
    for position in (0..fence.position()).rev() {
        let id = EventId::new(fence.thread(), position);
        let event = *graph.event(id);
        if event.kind == EventKind::Fence && event.mode.is_acquire() {
            break;
        }
        if event.is_read() && event.mode.is_atomic() && event.rf.is_real() {
            graph.join_clock(HB, fence, VIEW, event.rf);
        }
    }
}

fn set_view<S: Sequences>(graph: &mut Graph, write: EventId) {
    graph.clear_clock(VIEW, write);
    let event = *graph.event(write);
    if !event.mode.is_atomic() {
        return;
    }
    let head = if event.mode.is_release() { Some(write) } else { earlier_head::<S>(graph, write) };
    if let Some(head) = head {
        graph.join_clock(VIEW, write, HB, head);
    }
    if event.is_exclusive() {
        let read = EventId::new(write.thread(), write.position() - 1);
        let source = graph.event(read).rf;
        if source.is_real() {
            graph.join_clock(VIEW, write, VIEW, source);
        }
    }
}

/// The latest event before `write` in its thread that heads a release sequence with it: a release fence
/// or, where later stores belong to a sequence, a release write to its location.
fn earlier_head<S: Sequences>(graph: &Graph, write: EventId) -> Option<EventId> {
    let location = graph.event(write).location;
    (0..write.position()).rev().map(|position| EventId::new(write.thread(), position)).find(|&id| {
        let event = graph.event(id);
        event.mode.is_release()
            && match event.kind {
                EventKind::Fence => true,
                EventKind::Write => S::LATER_STORES && event.location == location,
                _ => false,
            }
    })
}
