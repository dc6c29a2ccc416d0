//! The coherence edges that happens-before forces: `writes-before` of "Effective Stateless Model
//! Checking for C/C++ Concurrency" (POPL 2018), and the saturated coherence of "Optimal Stateless Model
//! Checking under the Release-Acquire Semantics" (OOPSLA 2018).
//!
//! ```text
//! forced = [W] ; rf? ; hb ; (rf^-1)? ; [W]   between different writes to one location
//! ```
//!
//! The halves of a read-modify-write are neighbours in coherence order, so writes form *blocks*: a
//! plain write and the chain of exclusive writes that follows it. A coherence order of blocks that
//! contains `forced` is coherent, whichever it is: a cycle of `hb ; eco` alternates between `hb`, which
//! `forced` covers, and `eco`, which is the order itself. So there is a witness exactly if `forced` is
//! acyclic on blocks, and edges of different locations have nothing to do with each other.

use norn_graph::{EventId, Graph};

/// Scratch space of the search for a witness.
#[derive(Clone, Debug, Default)]
pub(crate) struct Forced {
    /// Per coherence index: whether the write comes after the source of the new read.
    reached: Vec<bool>,
    order: Vec<EventId>,
}

impl Forced {
    /// Makes the coherence order of the location of `read` coherent, given that it was before `read`
    /// was added. False, and nothing changed, if that cannot be.
    pub(crate) fn arrange(&mut self, graph: &mut Graph, hb: usize, read: EventId) -> bool {
        let event = graph.event(read);
        let (location, source) = (event.location, event.rf);
        let co = &graph.location(location).co;
        let Some(last) = last_known(graph, hb, read) else { return true };
        if !source.is_real() {
            return false;
        }
        let at = graph.event(source).co_index() as usize;
        if last < at {
            return true;
        }
        let start = (0..=at).rev().find(|&i| !is_exclusive(graph, co[i])).unwrap_or(0);
        if is_exclusive(graph, co[start]) {
            // The chain that starts from the initial write has no place but the first.
            return false;
        }
        self.reached.clear();
        self.reached.resize(co.len(), false);
        let mut index = start;
        while index <= last {
            let end = end_of_block(graph, co, index);
            let first = index == start;
            if first || self.is_reached(graph, hb, co, start, index..end) {
                self.reached[index..end].fill(true);
                let from = if first { at + 1 } else { index };
                if (from..end).any(|i| knows(graph, graph.clock(hb, read), co[i])) {
                    return false;
                }
            }
            index = end;
        }
        self.order.clear();
        let (reached, end) = (&self.reached, index);
        self.order.extend_from_slice(&co[..start]);
        self.order.extend((start..end).filter(|&i| !reached[i]).map(|i| co[i]));
        self.order.extend((start..end).filter(|&i| reached[i]).map(|i| co[i]));
        self.order.extend_from_slice(&co[end..]);
        graph.set_coherence(location, &self.order);
        true
    }

    /// Whether a forced edge leads from what is reached so far, at `start` or later, into the block.
    fn is_reached(
        &self,
        graph: &Graph,
        hb: usize,
        co: &[EventId],
        start: usize,
        block: std::ops::Range<usize>,
    ) -> bool {
        let before = start..block.start;
        block.into_iter().any(|to| {
            before.clone().any(|from| self.reached[from] && is_forced(graph, hb, co[from], co[to]))
        })
    }
}

pub(crate) fn is_exclusive(graph: &Graph, write: EventId) -> bool {
    graph.event(write).is_exclusive()
}

pub(crate) fn end_of_block(graph: &Graph, co: &[EventId], start: usize) -> usize {
    let mut end = start + 1;
    while end < co.len() && is_exclusive(graph, co[end]) {
        end += 1;
    }
    end
}

/// Whether `clock` knows the write or one of its readers.
fn knows(graph: &Graph, clock: &[u32], write: EventId) -> bool {
    Graph::within(clock, write)
        || graph
            .readers(write, graph.event(write).location)
            .any(|reader| Graph::within(clock, reader))
}

/// `forced` between two writes of one location.
pub(crate) fn is_forced(graph: &Graph, hb: usize, from: EventId, to: EventId) -> bool {
    let location = graph.event(to).location;
    knows(graph, graph.clock(hb, to), from)
        || graph.readers(to, location).any(|reader| knows(graph, graph.clock(hb, reader), from))
}

/// Whether every two neighbours in coherence order are in the same block, or ordered because one of the
/// earlier block is forced to come before the later one: then there is no other order.
pub(crate) fn is_total(graph: &Graph, hb: usize) -> bool {
    is_total_by(graph, |from, to| is_forced(graph, hb, from, to))
}

/// The same with less: what the threads see of one location one after the other, which all models keep.
pub(crate) fn is_total_by_threads(graph: &Graph) -> bool {
    is_total_by(graph, |from, to| is_seen_before(graph, from, to))
}

fn is_total_by(graph: &Graph, forced: impl Fn(EventId, EventId) -> bool) -> bool {
    graph.touched().iter().all(|&location| {
        let co = &graph.location(location).co;
        let mut start = 0;
        (1..co.len()).all(|at| {
            is_exclusive(graph, co[at]) || {
                let block = std::mem::replace(&mut start, at)..at;
                block.rev().any(|earlier| forced(co[earlier], co[at]))
            }
        })
    })
}

/// Whether some thread writes or reads `from` before it writes or reads `to`.
fn is_seen_before(graph: &Graph, from: EventId, to: EventId) -> bool {
    let location = graph.event(to).location;
    let uses = |write: EventId| std::iter::once(write).chain(graph.readers(write, location));
    uses(to).any(|later| {
        uses(from).any(|e| e.thread() == later.thread() && e.position() < later.position())
    })
}

/// The last write in coherence order, other than its source, that `read` knows.
fn last_known(graph: &Graph, hb: usize, read: EventId) -> Option<usize> {
    let event = graph.event(read);
    let clock = graph.clock(hb, read);
    let co = &graph.location(event.location).co;
    co.iter().rposition(|&write| write != event.rf && knows(graph, clock, write))
}
