//! Coherence that nobody chose: a graph of `po` and `rf` alone is consistent if *some* coherence order
//! makes it so.
//!
//! Explorers that do not branch on coherence still keep an order in the graph, a *witness*: the graph
//! with that order is consistent. A witness for a graph is one for every prefix of it, so taking events
//! back needs no undo; a new write at the end keeps it; and a new read within the model's floor keeps
//! it too. Only a read from a write below the floor raises the question whether another order would
//! do, and that is what [`Arrange`] answers, exactly.

use crate::Model;
use norn_graph::{EventId, Graph};

/// A model that finds coherence orders by itself.
pub trait Arrange: Model {
    /// The coherence order of `graph` is a witness for everything but `read`, which was just added,
    /// with its exclusive write right after its source if it is half of a read-modify-write. Makes it
    /// a witness for everything; false, and nothing changed, if there is none.
    fn arrange(&mut self, graph: &mut Graph, read: EventId) -> bool;
}
