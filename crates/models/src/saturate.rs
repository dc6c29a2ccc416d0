//! Saturation: the order that every witness must contain, for models whose consistency is one acyclic
//! relation over memory accesses (`sc`, `tso`, `pso`).
//!
//! The relation starts from the part that does not depend on coherence, is kept transitively closed
//! as a bit matrix, and grows by these rules until nothing changes. For a read `r` of `w` and another
//! write `v` to the location:
//!
//! ```text
//! v → r  implies  v → w          w → v  implies  r → v
//! ```
//!
//! and if `r` is half of a read-modify-write with the write `u`:
//!
//! ```text
//! v → u  implies  v → w          w → v  implies  u → v
//! ```
//!
//! The initial write is before all others. Coherence edges are edges of the relation in all three
//! models, so two writes are ordered by every witness if they are ordered here. A cycle means that
//! there is no witness; the converse does not hold, and [`Saturation::decide`] and
//! [`crate::verify_sc`] search where the rules leave pairs open.

use crate::closure::Closure;
use norn_action::ThreadId;
use norn_graph::{Event, EventId, EventKind, Graph};

/// No access.
const NONE: u32 = u32::MAX;

/// A memory access.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub id: EventId,
    /// Reads: the index of the write read from; [`NONE`] for the initial one, and for writes.
    source: u32,
    /// Exclusive reads: the index of their write; otherwise [`NONE`].
    partner: u32,
    pub read: bool,
    /// Which of the graph's touched locations it accesses.
    pub location: u32,
}

impl Node {
    /// The index of the write read from.
    pub(crate) fn source(&self) -> Option<usize> {
        (self.source != NONE).then_some(self.source as usize)
    }

    /// The index of the exclusive write of this exclusive read.
    pub(crate) fn partner(&self) -> Option<usize> {
        (self.partner != NONE).then_some(self.partner as usize)
    }
}

/// The relation, over the memory accesses of a graph in insertion order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Saturation {
    pub nodes: Vec<Node>,
    /// The writes of each touched location.
    pub writes: Vec<Vec<u32>>,
    index_of: Vec<Vec<u32>>,
    order: Closure,
    /// Row `l` has the writes of the touched location `l`.
    writes_at: Vec<u64>,
}

impl Saturation {
    /// Starts over with the accesses of `graph` and an empty relation.
    pub(crate) fn start(&mut self, graph: &Graph) {
        self.nodes.clear();
        self.index_of.resize_with(self.index_of.len().max(graph.thread_count()), Vec::new);
        for (t, indices) in self.index_of.iter_mut().enumerate().take(graph.thread_count()) {
            indices.clear();
            indices.resize(graph.thread_len(ThreadId(t as u32)) as usize, NONE);
        }
        self.writes.clear();
        self.writes.resize_with(graph.touched().len(), Vec::new);
        for &id in graph.order() {
            let event = graph.event(id);
            if is_memory(event) {
                self.add_node(graph, id, event);
            }
        }
        self.order.start(self.nodes.len());
        let words = self.order.words();
        self.writes_at.clear();
        self.writes_at.resize(words * self.writes.len(), 0);
        for (l, writes) in self.writes.iter().enumerate() {
            let row = &mut self.writes_at[l * words..(l + 1) * words];
            writes.iter().for_each(|&write| row[write as usize / 64] |= 1 << (write % 64));
        }
    }

    fn add_node(&mut self, graph: &Graph, id: EventId, event: &Event) {
        let index = self.nodes.len() as u32;
        self.index_of[id.thread().index()][id.position() as usize] = index;
        let location = graph.touched().iter().position(|&other| other == event.location);
        let location = location.expect("an accessed location") as u32;
        let mut node = Node { id, source: NONE, partner: NONE, read: event.is_read(), location };
        if event.is_read() && event.rf.is_real() {
            node.source = self.index(event.rf) as u32;
        }
        if event.is_write() {
            self.writes[location as usize].push(index);
            if event.is_exclusive() {
                let read = self.index(EventId::new(id.thread(), id.position() - 1));
                self.nodes[read].partner = index;
            }
        }
        self.nodes.push(node);
    }

    /// The index of an access.
    pub(crate) fn index(&self, id: EventId) -> usize {
        self.index_of[id.thread().index()][id.position() as usize] as usize
    }

    /// Whether `a → b`.
    #[inline]
    pub(crate) fn is_before(&self, a: usize, b: usize) -> bool {
        self.order.is_before(a, b)
    }

    /// The accesses before `b`, as a bit set.
    pub(crate) fn predecessors(&self, b: usize) -> &[u64] {
        self.order.before(b)
    }

    /// Adds `a → b` and what follows by transitivity. False if that closes a cycle.
    pub(crate) fn add(&mut self, a: usize, b: usize) -> bool {
        self.order.add(a, b)
    }

    /// Adds all of `earlier` before `b`, which comes after all of them in insertion order and has nothing
    /// after it yet.
    #[inline]
    pub(crate) fn append(&mut self, earlier: impl Iterator<Item = EventId>, b: usize) {
        for id in earlier {
            let a = self.index(id);
            self.order.put_before(a, b);
        }
        self.order.close(b);
    }

    /// Applies the rules until nothing changes. False if there is a cycle.
    pub(crate) fn saturate(&mut self) -> bool {
        loop {
            let mut changed = false;
            for r in 0..self.nodes.len() {
                if !self.nodes[r].read {
                    continue;
                }
                match self.apply_rules(r) {
                    None => return false,
                    Some(grown) => changed |= grown,
                }
            }
            if !changed {
                return true;
            }
        }
    }

    /// The rules for one read: whether the relation grew; none if there is a cycle.
    fn apply_rules(&mut self, r: usize) -> Option<bool> {
        let node = self.nodes[r];
        let last = node.partner().unwrap_or(r);
        let mut changed = false;
        for word in 0..self.order.words() {
            let mut missing = self.missing(&node, r, last, word);
            while missing != (0, 0) {
                let from_source = missing.0 != 0;
                let bits = if from_source { missing.0 } else { missing.1 };
                let v = word * 64 + bits.trailing_zeros() as usize;
                let ordered = match node.source() {
                    Some(w) if from_source => self.add(v, w),
                    _ => self.add(last, v),
                };
                if !ordered {
                    return None;
                }
                changed = true;
                missing = self.missing(&node, r, last, word);
            }
        }
        Some(changed)
    }

    /// The other writes `v` among 64 for which the rules ask for `v → w`, and for `last → v`, and that
    /// are not yet there.
    #[inline]
    fn missing(&self, node: &Node, r: usize, last: usize, word: usize) -> (u64, u64) {
        let mut others = self.writes_at[node.location as usize * self.order.words() + word];
        for own in [node.source(), node.partner()].into_iter().flatten() {
            if own / 64 == word {
                others &= !(1 << (own % 64));
            }
        }
        let not_after = others & !self.order.after(last)[word];
        match node.source() {
            None => (0, not_after),
            Some(w) => {
                let known = self.order.before(r)[word] | self.order.before(last)[word];
                (
                    others & known & !self.order.before(w)[word],
                    not_after & self.order.after(w)[word],
                )
            }
        }
    }

    /// Orders all pairs of writes to the same location that are still open, by trying both ways.
    /// False if no total order works.
    pub(crate) fn decide(&mut self) -> bool {
        if !self.saturate() {
            return false;
        }
        let Some((a, b)) = self.open_pair() else { return true };
        let mut other = self.clone();
        if self.add(a, b) && self.decide() {
            return true;
        }
        if other.add(b, a) && other.decide() {
            *self = other;
            return true;
        }
        false
    }

    /// Two writes to one location that are not ordered.
    pub(crate) fn open_pair(&self) -> Option<(usize, usize)> {
        self.writes.iter().find_map(|writes| {
            writes.iter().enumerate().find_map(|(i, &a)| {
                let (a, later) = (a as usize, &writes[i + 1..]);
                let open =
                    |&&b: &&u32| !self.is_before(a, b as usize) && !self.is_before(b as usize, a);
                later.iter().find(open).map(|&b| (a, b as usize))
            })
        })
    }

    /// Gives the graph the coherence order that this total relation says.
    pub(crate) fn set_coherence(&self, graph: &mut Graph) {
        for (l, writes) in self.writes.iter().enumerate().filter(|(_, writes)| writes.len() > 1) {
            let rank =
                |a: u32| writes.iter().filter(|&&b| self.is_before(b as usize, a as usize)).count();
            let mut order: Vec<u32> = writes.clone();
            order.sort_by_cached_key(|&a| rank(a));
            let order: Vec<EventId> = order.iter().map(|&a| self.nodes[a as usize].id).collect();
            let location = graph.touched()[l];
            graph.set_coherence(location, &order);
        }
    }
}

fn is_memory(event: &Event) -> bool {
    matches!(event.kind, EventKind::Read | EventKind::Write)
}
