//! Partial store order: writes to different locations may be reordered as well, unless a release
//! store, a release fence, a full barrier or a read-modify-write keeps them in order.

use crate::backward::{Between, End, Preserved};
use crate::forced::is_total_by_threads;
use crate::hardware::{HardwareOrder, overwritten_in_thread};
use crate::{Arrange, Model, NewAccess};
use norn_action::ThreadId;
use norn_graph::{EventId, Graph, LocationId};

/// The model `pso`.
#[derive(Clone, Debug, Default)]
pub struct Pso {
    order: HardwareOrder,
}

impl Preserved for Pso {
    #[inline]
    fn holds(earlier: End, later: End, between: Between) -> bool {
        let ppo = !earlier.write;
        let storestore =
            earlier.write && later.write && (between.release_fence || later.mode.is_release());
        let implied = (earlier.write && later.locked)
            || earlier.locked
            || (earlier.write && earlier.mode.is_seq_cst());
        ppo || storestore || implied || between.full
    }
}

impl Model for Pso {
    const LANES: usize = 1;
    const HB: usize = 0;
    const RACES: bool = false;
    const LOCKED_MATTERS: bool = true;

    fn new() -> Pso {
        Pso::default()
    }

    fn floor(&mut self, graph: &Graph, access: &NewAccess) -> u32 {
        self.order.floor::<Pso>(graph, access)
    }

    fn ordered(&mut self, graph: &Graph, first: EventId, second: EventId) -> bool {
        self.order.before::<Pso>(graph, first, second)
    }
}

impl Arrange for Pso {
    fn arrange(&mut self, graph: &mut Graph, read: EventId) -> bool {
        self.order.arrange::<Pso>(graph, read)
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
        self.order.retain_readable::<Pso>(graph, access, floor, sources);
    }

    fn has_no_choice(&self, graph: &Graph) -> bool {
        is_total_by_threads(graph)
    }

    fn always_ordered(&mut self, graph: &Graph, first: EventId, second: EventId) -> bool {
        self.order.always_before::<Pso>(graph, first, second)
    }
}
