//! Release-acquire: `hb = (po ∪ rf)+`; `hb ; eco` irreflexive; atomicity. Every access counts as
//! release or acquire whatever its annotation; a plain access may still race.

use crate::floor::coherence_floor;
use crate::forced::Forced;
use crate::groups::weakly_whole;
use crate::{About, Arrange, Delay, Groups, Model, Named, NewAccess, Whole};
use norn_graph::{EventId, Graph};

/// The model `ra`.
#[derive(Clone, Debug, Default)]
pub struct Ra {
    forced: Forced,
}

impl Named for Ra {
    const ABOUT: About = About {
        name: "ra",
        summary: "release-acquire: every access synchronises, but there is no global order",
        delay: Delay::Unordered,
        races: true,
        publishes_in_order: true,
    };

    fn new() -> Ra {
        Ra::default()
    }
}

impl Model for Ra {
    const LANES: usize = 1;
    const HB: usize = 0;
    const UPDATES_ARE_SEEN: bool = true;

    fn reports_races(&self) -> bool {
        Self::ABOUT.races
    }

    #[inline]
    fn floor(&mut self, graph: &Graph, access: &NewAccess) -> u32 {
        let clock = graph.clock_before_next(0, access.thread);
        coherence_floor(graph, access.location, |event| Graph::within(clock, event))
    }

    fn ordered(&mut self, graph: &Graph, first: EventId, second: EventId) -> bool {
        Graph::within(graph.clock(0, second), first)
    }

    fn whole(&mut self, graph: &Graph, groups: &Groups) -> Whole {
        weakly_whole(graph, groups, Self::HB)
    }
}

impl Arrange for Ra {
    const IS_CHEAP: bool = true;

    fn arrange(&mut self, graph: &mut Graph, read: EventId) -> bool {
        self.forced.arrange(graph, Self::HB, read)
    }

    /// Happens-before does not depend on coherence.
    fn always_ordered(&mut self, graph: &Graph, first: EventId, second: EventId) -> bool {
        self.ordered(graph, first, second)
    }
}
