//! Coherence that nobody chose: a graph of `po` and `rf` alone is consistent if *some* coherence order
//! makes it so.
//!
//! Explorers that do not branch on coherence still keep an order in the graph, a *witness*: the graph
//! with that order is consistent. A witness for a graph is one for every prefix of it, so taking events
//! back needs no undo; a new write at the end keeps it; and a new read within the model's floor keeps
//! it too. Only a read from a write below the floor raises the question whether another order would
//! do, and that is what [`Arrange`] answers, exactly.

use crate::{About, Groups, Model, Named, NewAccess, Whole};
use norn_action::ThreadId;
use norn_graph::{EventId, Graph, LocationId};

/// A model that finds coherence orders by itself.
pub trait Arrange: Named {
    /// Whether that takes no search: whether there is an order is seen from what is forced.
    const IS_CHEAP: bool = false;

    /// The coherence order of `graph` is a witness for everything but `read`, which was just added,
    /// with its exclusive write right after its source if it is half of a read-modify-write. Makes it
    /// a witness for everything; false, and nothing changed, if there is none.
    fn arrange(&mut self, graph: &mut Graph, read: EventId) -> bool;

    /// Whether `source` is plainly overwritten for the end of `thread`: it happens before a write to the
    /// location that happens before that. Then no coherence order lets the next access read it; that
    /// is seen without looking for one.
    #[inline]
    fn is_overwritten(
        &self,
        graph: &Graph,
        thread: ThreadId,
        location: LocationId,
        source: EventId,
    ) -> bool {
        let clock = graph.clock_before_next(Self::HB, thread);
        let co = &graph.location(location).co;
        let known = co.iter().rfind(|&&write| Graph::within(clock, write));
        known.is_some_and(|&write| {
            write != source
                && (!source.is_real() || Graph::within(graph.clock(Self::HB, write), source))
        })
    }

    /// Takes out of `sources` what [`Arrange::arrange`] would refuse to the new read
    /// `access`, as far as that is seen for all of them at once. The order of the others stays. `floor` is
    /// that of the access, and not 0.
    #[inline]
    fn retain_readable(
        &mut self,
        graph: &Graph,
        access: &NewAccess,
        floor: u32,
        sources: &mut Vec<EventId>,
    ) {
        let _ = (graph, access, floor, sources);
    }

    /// Whether it is easily seen that no other coherence order than the present one can be consistent. If
    /// the present one is not, there is none.
    #[inline]
    fn has_no_choice(&self, graph: &Graph) -> bool {
        let _ = graph;
        false
    }

    /// Whether `first` comes before `second`, which is no access, whatever the coherence order is.
    fn always_ordered(&mut self, graph: &Graph, first: EventId, second: EventId) -> bool;
}

/// A model for graphs whose coherence order is a witness only: what is said to be ordered does not
/// depend on it.
#[derive(Clone, Debug)]
pub struct Witnessed<Mo>(Mo);

impl<Mo: Arrange> Named for Witnessed<Mo> {
    const ABOUT: About = Mo::ABOUT;

    fn new() -> Self {
        Witnessed(Mo::new())
    }
}

impl<Mo: Arrange> Model for Witnessed<Mo> {
    const LANES: usize = Mo::LANES;
    const HB: usize = Mo::HB;
    const LOCKED_MATTERS: bool = Mo::LOCKED_MATTERS;
    const UPDATES_ARE_SEEN: bool = Mo::UPDATES_ARE_SEEN;

    fn reports_races(&self) -> bool {
        Self::ABOUT.races
    }

    fn races_are_ignored(&mut self) {
        self.0.races_are_ignored();
    }

    #[inline]
    fn floor(&mut self, graph: &Graph, access: &NewAccess) -> u32 {
        self.0.floor(graph, access)
    }

    #[inline]
    fn added(&mut self, graph: &mut Graph, event: EventId) {
        self.0.added(graph, event);
    }

    #[inline]
    fn holds(&mut self, graph: &Graph, event: EventId) -> bool {
        self.0.holds(graph, event)
    }

    fn ordered(&mut self, graph: &Graph, first: EventId, second: EventId) -> bool {
        self.0.ordered(graph, first, second) && self.0.always_ordered(graph, first, second)
    }

    /// By the witness, which is one of the executions.
    fn whole(&mut self, graph: &Graph, groups: &Groups) -> Whole {
        self.0.whole(graph, groups)
    }
}

impl<Mo: Arrange> Witnessed<Mo> {
    /// See [`Arrange::is_overwritten`].
    #[inline]
    pub fn is_overwritten(
        &self,
        graph: &Graph,
        thread: ThreadId,
        location: LocationId,
        source: EventId,
    ) -> bool {
        self.0.is_overwritten(graph, thread, location, source)
    }

    /// See [`Arrange::retain_readable`].
    #[inline]
    pub fn retain_readable(
        &mut self,
        graph: &Graph,
        access: &NewAccess,
        floor: u32,
        sources: &mut Vec<EventId>,
    ) {
        self.0.retain_readable(graph, access, floor, sources);
    }

    /// See [`Arrange::has_no_choice`].
    #[inline]
    pub fn has_no_choice(&self, graph: &Graph) -> bool {
        self.0.has_no_choice(graph)
    }

    /// See [`Arrange::arrange`].
    #[inline]
    pub fn arrange(&mut self, graph: &mut Graph, read: EventId) -> bool {
        self.0.arrange(graph, read)
    }
}
