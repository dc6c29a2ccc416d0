//! What is known of a model without running it.

use norn_graph::{EventId, Graph, Locations};

/// What a model is called, and what others must know of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct About {
    /// The name on the command line and in reports.
    pub name: &'static str,
    /// One line of explanation.
    pub summary: &'static str,
    /// Why reads may miss stores.
    pub delay: Delay,
    /// Whether data races on plain accesses are violations. If they are not, plain accesses have a meaning
    /// of their own.
    pub races: bool,
    /// Whether a store to an object that nobody else knows stays before the store that publishes it.
    pub publishes_in_order: bool,
}

impl About {
    /// Whether an object that one thread alone can reach may be kept out of the graph, with what was
    /// stored in it becoming its initial value when it is published.
    ///
    /// Where a store to such an object may be overtaken by the one that publishes it, it may not. Where
    /// races are errors, a reader to which the store is not ordered is reported; if they are ignored, that
    /// reader may see the object as it was before.
    pub const fn privatises(&self, ignore_races: bool) -> bool {
        self.publishes_in_order && !(self.races && ignore_races)
    }
}

/// What a read could have read instead: see [`crate::instead`].
pub type Instead = fn(&Graph, &Locations, EventId) -> Vec<EventId>;

/// What a report must know of the model that searched.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// Why reads may miss stores.
    pub delay: Delay,
    /// The lane of happens-before.
    pub hb: usize,
    /// Says what a read could have read instead, if that can be said.
    pub instead: Option<Instead>,
}

/// Why a read may miss a store that another thread has already done, or a store stay behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delay {
    /// It may not: there is one order of everything.
    Never,
    /// Each thread has a buffer for its stores.
    StoreBuffer,
    /// Each thread has one for each variable.
    StoreBuffers,
    /// Stores arrive everywhere in their own time.
    Unordered,
    /// The modes of the two accesses allow it.
    Modes,
    /// The model was read from a file, and only says that it may.
    Model,
}
