//! Total store order: only a write followed by a read of another location may be reordered, unless
//! a full barrier, a read-modify-write or the barrier of a `seq_cst` store keeps them apart.

use crate::backward::{Between, End, Preserved};
use crate::forced::is_total_by_threads;
use crate::hardware::{HardwareOrder, overwritten_in_thread};
use crate::{Arrange, Model, NewAccess};
use norn_action::ThreadId;
use norn_graph::{EventId, Graph, LocationId};

/// The model `tso`.
#[derive(Clone, Debug, Default)]
pub struct Tso {
    order: HardwareOrder,
}

impl Preserved for Tso {
    #[inline]
    fn holds(earlier: End, later: End, between: Between) -> bool {
        let ppo = !earlier.write || later.write;
        let implied = (earlier.write && later.locked && !later.write)
            || (earlier.locked && !later.write)
            || (earlier.write && earlier.mode.is_seq_cst() && !later.write);
        ppo || implied || between.full
    }
}

impl Model for Tso {
    const LANES: usize = 1;
    const HB: usize = 0;
    const RACES: bool = false;
    const LOCKED_MATTERS: bool = true;

    fn new() -> Tso {
        Tso::default()
    }

    fn floor(&mut self, graph: &Graph, access: &NewAccess) -> u32 {
        self.order.floor::<Tso>(graph, access)
    }

    fn ordered(&mut self, graph: &Graph, first: EventId, second: EventId) -> bool {
        self.order.before::<Tso>(graph, first, second)
    }
}

impl Arrange for Tso {
    fn arrange(&mut self, graph: &mut Graph, read: EventId) -> bool {
        self.order.arrange::<Tso>(graph, read)
    }

    fn is_overwritten(
        &self,
        graph: &Graph,
        thread: ThreadId,
        location: LocationId,
        source: EventId,
    ) -> bool {
        overwritten_in_thread(graph, thread, location, source)
    }

    fn retain_readable(
        &mut self,
        graph: &Graph,
        access: &NewAccess,
        floor: u32,
        sources: &mut Vec<EventId>,
    ) {
        self.order.retain_readable::<Tso>(graph, access, floor, sources);
    }

    fn has_no_choice(&self, graph: &Graph) -> bool {
        is_total_by_threads(graph)
    }

    fn always_ordered(&mut self, graph: &Graph, first: EventId, second: EventId) -> bool {
        self.order.always_before::<Tso>(graph, first, second)
    }
}
