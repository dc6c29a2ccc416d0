//! Memory models: which writes a new read may read, which coherence places a new write may take,
//! and whether a graph that was consistent still is after one more event.
//!
//! In general a model is asked of each write whether a new access may read from it (or be placed after
//! it), by [`Model::holds`] of the graph with the event in it. All models here share a shape that makes the
//! options cheap to find: they are the writes from a *floor* upwards in coherence order, since what the
//! access knows already it cannot go behind. The floor comes from clocks; nothing is tried and
//! rejected. Only `rc11` and `c20` need more, the `psc` axiom, which `holds` checks where the new event can
//! break it.
//!
//! A new model is one file and one line in `registry.rs`. A model that is no type of its own, because it was read
//! from a file, implements [`Model`] but not [`Named`].

mod about;
mod arrange;
mod backward;
mod c11;
mod c20;
mod closure;
mod floor;
mod forced;
mod groups;
mod hardware;
mod instead;
mod psc;
mod psc_search;
mod pso;
mod ra;
mod race;
mod rc11;
mod registry;
mod saturate;
mod sc;
mod tso;
mod verify_sc;
pub mod vsc;

pub use about::{About, Delay, Facts, Instead};
pub use arrange::{Arrange, Witnessed};
pub use c11::{C11, Sequences};
pub use c20::C20;
pub use floor::coherence_floor;
pub use groups::{Groups, Whole, is_interleaving};
pub use instead::instead;
pub use pso::Pso;
pub use ra::Ra;
pub use race::race_with;
use race::unseen_initialisation;
pub use rc11::Rc11;
pub use registry::{InterleavingVisitor, ModelName, ModelVisitor, RfVisitor};
pub use sc::Sc;
pub use tso::Tso;
pub use verify_sc::VerifySc;

use norn_action::{Mode, ThreadId};
use norn_graph::{EventId, Graph, LocationId};

/// A memory access that is about to be added at the end of a thread.
#[derive(Clone, Copy, Debug)]
pub struct NewAccess {
    /// The thread.
    pub thread: ThreadId,
    /// The location.
    pub location: LocationId,
    /// Whether it writes.
    pub write: bool,
    /// Half of a read-modify-write that succeeds.
    pub locked: bool,
    /// Its annotation.
    pub mode: Mode,
    /// An access of a mutex.
    pub mutex: bool,
}

/// A memory model. Instances hold scratch space and what the model was made of; each worker has its own.
pub trait Model: Clone + Send {
    /// How many clock lanes it needs; lane 0 is `porf`.
    const LANES: usize;
    /// The lane of happens-before.
    const HB: usize;
    /// Whether the floor of a read depends on its being part of a successful read-modify-write.
    const LOCKED_MATTERS: bool = false;
    /// Whether accesses may race of which none is plain.
    const ATOMICS_RACE: bool = false;
    /// Whether nobody who comes after a read-modify-write, by `porf`, may read what is older than it in coherence order.
    const UPDATES_ARE_SEEN: bool = false;

    /// Whether every consistent graph is an interleaving of its threads.
    const INTERLEAVES: bool = false;

    /// Whether data races are violations.
    fn reports_races(&self) -> bool;

    /// Says that data races are not reported, so that racy programs have a meaning too.
    fn races_are_ignored(&mut self) {}

    /// A coherence index (the initial write is 0) below which the access may neither read nor be placed.
    /// Of those from here on it may read from, or be placed right after, those that [`Model::holds`]
    /// says yes to, which need not be an interval; but the newest must be among them unless the graph
    /// has none at all, or executions are missed.
    ///
    /// This is the fast path of that question: what a model can rule out here is never tried. Most find
    /// an exact floor by clocks.
    fn floor(&mut self, graph: &Graph, access: &NewAccess) -> u32 {
        let _ = (graph, access);
        0
    }

    /// Completes the clocks of an event that was just added. Lanes above 0 are those of
    /// its program-order predecessor when this is called.
    fn added(&mut self, graph: &mut Graph, event: EventId) {
        let _ = (graph, event);
    }

    /// Whether the graph is consistent, given that it was before `event` was added at its floor or
    /// above.
    fn holds(&mut self, graph: &Graph, event: EventId) -> bool {
        let _ = (graph, event);
        true
    }

    /// Whether `first` comes before `second` in every run that has this graph.
    fn ordered(&mut self, graph: &Graph, first: EventId, second: EventId) -> bool;

    /// Whether the parts of accesses that are made in parts are one access each, in a consistent graph.
    fn whole(&mut self, graph: &Graph, groups: &Groups) -> Whole {
        let _ = (graph, groups);
        Whole::Unclear
    }

    /// What the access `event`, the newest of its thread, races with: another access, or the event that made
    /// the object known if its initialisation does not happen before `event`.
    #[inline]
    fn race(&mut self, graph: &Graph, event: EventId) -> Option<EventId> {
        race_with(graph, Self::HB, event).or_else(|| unseen_initialisation(graph, Self::HB, event))
    }
}

/// A model that is known by its name: it needs nothing to be made.
pub trait Named: Model {
    /// What is known of it without running it.
    const ABOUT: About;

    /// A fresh instance.
    fn new() -> Self;
}

/// A model under which a graph is consistent exactly if some interleaving of its threads has it.
pub trait Interleaving: Named {}
