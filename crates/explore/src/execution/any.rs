//! An execution as the search around it sees it, whatever its machine and its model are.

use super::{Execution, Mismatch, Order, PortableGraph, ThreadNames};
use norn_action::{Machine, Obstacle, Place, ThreadId, Unsupported};
use norn_graph::{Graph, Locations};
use norn_models::Model;

/// An execution.
pub(crate) trait AnyExecution {
    /// Shares names and locations with other workers.
    fn connect(&mut self, names: &ThreadNames, locations: &Locations);

    /// Starts the main thread.
    fn begin(&mut self);

    /// Builds a graph by running the program again; with its locations. What is at hand is forgotten, and so is
    /// what is wrong with the graph.
    fn rebuilt(&mut self, graph: &PortableGraph) -> Result<(Graph, Locations), Mismatch>;

    /// For algorithms that look at one order of a set of events and speak of all: whether a section is atomic, or
    /// the parts of an access are one step, depends on the order. True if there is no point in going on: of sections,
    /// what does not depend on them can still be found.
    fn refuse_groups(&mut self) -> bool;

    /// In debug builds: the graph keeps its invariants.
    fn check_graph(&self);

    /// The graph.
    fn graph(&self) -> &Graph;

    /// How many events were added, and how many there were at most at a time.
    fn size(&self) -> (u64, usize);
}

impl<M: Machine, Mo: Model> AnyExecution for Execution<'_, M, Mo> {
    fn connect(&mut self, names: &ThreadNames, locations: &Locations) {
        self.names = names.clone();
        self.order = Order::default();
        self.locations = locations.clone();
    }

    fn begin(&mut self) {
        let main = self.pool.start(self.machine, &mut self.locations);
        self.current.push(main);
        self.arrived(ThreadId::MAIN);
    }

    fn rebuilt(&mut self, graph: &PortableGraph) -> Result<(Graph, Locations), Mismatch> {
        self.rebuild(graph)?;
        self.found.clear();
        Ok((self.graph.clone(), self.locations.clone()))
    }

    fn refuse_groups(&mut self) -> bool {
        if self.machine.has_sections() {
            self.unsupported(Unsupported::new(Obstacle::SectionsUnderRf, Place::NONE));
        }
        if self.machine.has_groups() {
            self.unsupported(Unsupported::new(Obstacle::PartsUnderRf, Place::NONE));
        }
        self.machine.has_groups()
    }

    #[inline]
    fn check_graph(&self) {
        if cfg!(debug_assertions)
            && let Err(broken) = self.graph.verify()
        {
            panic!("the graph is broken: {broken}");
        }
    }

    fn graph(&self) -> &Graph {
        &self.graph
    }

    fn size(&self) -> (u64, usize) {
        (self.events, self.largest_graph)
    }
}
