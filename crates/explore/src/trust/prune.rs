//! What a search leaves out on purpose.

use crate::execution::{Becomes, PendingRead, Pool, Rename};
use crate::search::Summary;
use norn_action::{Machine, Value};
use norn_graph::{Event, EventId, Graph};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// What the explorer knows of reads that wait.
pub trait Waits {
    /// Whether the thread of `read`, a read that waits, would go on if it read this value, of which
    /// these bytes were never written.
    fn goes_on(&self, read: &Event, content: (Value, u8)) -> bool;
}

impl<M: Machine> Waits for Pool<M> {
    fn goes_on(&self, read: &Event, content: (Value, u8)) -> bool {
        PendingRead::of(self.get(read.saved)).becomes(content) != Becomes::Blocked
    }
}

/// Decides which graphs a search does not go on from, and hears where the search is.
pub trait Prune: Send {
    /// What it remembers of a graph.
    type Part: Clone + Send + Serialize + DeserializeOwned + Rename;

    /// Whether what it discards does not depend on which of several threads that are alike does what.
    const KEEPS_SYMMETRY: bool = false;

    /// What it remembers of the graph at `depth`, counted from the first graph that was entered.
    fn part(&self, depth: usize) -> Self::Part;

    /// Whether what was saved of a graph fits it; it may come from a damaged file. A search that goes on with
    /// a revisit (`revisits`) has a frame for that.
    fn fits(part: &Self::Part, graph: &Graph, revisits: bool) -> bool {
        let _ = (part, graph, revisits);
        true
    }

    /// The search takes up a graph from elsewhere.
    fn take_part(&mut self, part: Self::Part, graph: &Graph);

    /// Whether what follows the first `length` events of the graph at `depth` may be searched elsewhere.
    #[inline]
    fn may_part(&self, depth: usize, length: u32) -> bool {
        let _ = (depth, length);
        true
    }

    /// Whether everything that is left may be searched elsewhere.
    #[inline]
    fn may_pause(&self) -> bool {
        true
    }

    /// Whether to go on from this graph. With `half`, the last event is the first half of a
    /// read-modify-write.
    fn keeps(&mut self, graph: &Graph, half: bool, waits: &dyn Waits) -> bool;

    /// The events of the graph from `length` on are about to be taken back.
    #[inline]
    fn cut(&mut self, length: u32) {
        let _ = length;
    }

    /// A copy of a part of this graph becomes the graph.
    #[inline]
    fn enter(&mut self) {}

    /// The graph that was there before [`Prune::enter`] is the graph again.
    #[inline]
    fn leave(&mut self) {}

    /// In the copy, `write` has become the source of `read` (which is missing if it waits again).
    #[inline]
    fn revisited(&mut self, graph: &Graph, write: EventId, read: EventId) {
        let _ = (graph, write, read);
    }

    /// The graph, which was kept, has ended. The same answer as of [`Prune::is_beyond`].
    #[inline]
    fn ended(&mut self, graph: &Graph, waits: &dyn Waits) -> bool {
        self.is_beyond(graph, waits)
    }

    /// Whether the graph itself is of the kind that this search is not for.
    #[inline]
    fn is_beyond(&mut self, graph: &Graph, waits: &dyn Waits) -> bool {
        let _ = (graph, waits);
        false
    }

    /// Whether violations in such graphs are ignored.
    #[inline]
    fn is_strict(&self) -> bool {
        false
    }

    /// Adds its numbers at the end.
    fn finish(&mut self, summary: &mut Summary) {
        let _ = summary;
    }
}

/// Discards nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Everything;

impl Prune for Everything {
    type Part = ();

    const KEEPS_SYMMETRY: bool = true;

    fn part(&self, _: usize) {}

    fn take_part(&mut self, (): (), _: &Graph) {}

    #[inline]
    fn keeps(&mut self, _: &Graph, _: bool, _: &dyn Waits) -> bool {
        true
    }
}
