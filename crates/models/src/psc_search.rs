//! A coherence order that satisfies `psc`, if happens-before leaves one.
//!
//! Trying the orders of the writes one after the other takes for ever when many writes are unordered. But
//! `psc` says only that the `seq_cst` events can be put in a line, and most of them stand in line already.
//! So two orders grow together: `line` over the `seq_cst` events, and `co` over the blocks of writes (see
//! [`crate::forced`]). They are linked by *ties*: "if the block `p` comes before the block `q`, then `x`
//! comes before `y`", one for each write at or after `x` and each write at or before `y`, of one location.
//! Read both ways, a tie propagates:
//!
//! ```text
//! p → q in co  implies  x → y in the line      y → x in the line  implies  q → p in co
//! ```
//!
//! When nothing more follows and a tie is open at both ends, both orders of its `x` and `y` are tried. When
//! none is, every coherence order that contains `co` will do: what it adds agrees with the line.

use crate::closure::Closure;
use crate::forced::{end_of_block, is_exclusive, is_forced};
use crate::psc::Psc;
use norn_graph::{Event, EventId, EventKind, Graph, LocationId};

/// "If the block `p` comes before the block `q`, `x` comes before `y`."
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Tie {
    x: u32,
    y: u32,
    p: u32,
    q: u32,
}

/// A plain write and the exclusive writes that follow it.
#[derive(Clone, Copy, Debug)]
struct Block {
    location: LocationId,
    /// Its part of the coherence order.
    start: u32,
    end: u32,
}

/// The two orders.
#[derive(Clone, Debug, Default)]
struct Orders {
    line: Closure,
    co: Closure,
}

/// The search, with its buffers.
#[derive(Clone, Debug, Default)]
pub(crate) struct PscSearch {
    blocks: Vec<Block>,
    ties: Vec<Tie>,
    orders: Orders,
}

impl PscSearch {
    /// Gives `graph`, which is coherent, an order that is coherent and satisfies `psc`. False, and
    /// nothing changed, if there is none.
    pub(crate) fn arrange(&mut self, psc: &mut Psc, graph: &mut Graph, hb: usize) -> bool {
        psc.collect(graph);
        self.ties.clear();
        self.collect_blocks(graph);
        let mut orders = std::mem::take(&mut self.orders);
        let found = self.start(psc, graph, hb, &mut orders) && self.decide(&mut orders);
        if found {
            self.set_coherence(graph, &orders.co);
        }
        self.orders = orders;
        debug_assert!(!found || psc.holds(graph), "the line contains psc");
        found
    }

    fn collect_blocks(&mut self, graph: &Graph) {
        self.blocks.clear();
        for &location in graph.touched() {
            let co = &graph.location(location).co;
            let mut start = 0;
            while start < co.len() {
                let end = end_of_block(graph, co, start);
                let (start_, end_) = (start as u32, end as u32);
                self.blocks.push(Block { location, start: start_, end: end_ });
                start = end;
            }
        }
    }

    /// What is settled, and the ties. False if that is cyclic.
    fn start(&mut self, psc: &Psc, graph: &Graph, hb: usize, orders: &mut Orders) -> bool {
        orders.co.start(self.blocks.len());
        for to in 0..self.blocks.len() {
            for from in 0..self.blocks.len() {
                if self.is_settled(graph, hb, from, to) && !orders.co.add(from, to) {
                    return false;
                }
            }
        }
        let events = psc.fences.len() + psc.accesses.len();
        orders.line.start(events);
        for x in 0..events {
            for y in 0..events {
                let settled = psc.settled_edge(graph, x, y);
                if (settled && !orders.line.add(x, y)) || !self.tie(psc, graph, hb, orders, x, y) {
                    return false;
                }
            }
        }
        self.ties.sort_unstable();
        self.ties.dedup();
        true
    }

    /// Whether a block comes before another one of its location in every coherent order.
    fn is_settled(&self, graph: &Graph, hb: usize, from: usize, to: usize) -> bool {
        let (first, second) = (self.blocks[from], self.blocks[to]);
        if from == to || first.location != second.location {
            return false;
        }
        let co = &graph.location(first.location).co;
        let part = |block: Block| &co[block.start as usize..block.end as usize];
        // Exclusive writes that start from the initial write have no place but the first.
        let starts = first.start == 0 && is_exclusive(graph, co[0]);
        starts
            || part(first).iter().any(|&a| part(second).iter().any(|&b| is_forced(graph, hb, a, b)))
    }

    /// Adds the ties from `x` to `y`; what one says in any case goes into the orders. False if that is
    /// cyclic.
    fn tie(
        &mut self,
        psc: &Psc,
        graph: &Graph,
        hb: usize,
        orders: &mut Orders,
        x: usize,
        y: usize,
    ) -> bool {
        let fences = psc.fences.len();
        let name = |node: usize| {
            if node < fences { psc.fences[node] } else { psc.accesses[node - fences] }
        };
        for p in after(graph, hb, name(x)) {
            for q in before(graph, hb, name(y), x >= fences) {
                if graph.event(p.by).location != graph.event(q.by).location {
                    continue;
                }
                // A write comes before its readers; the initial one comes before all others.
                let same = p.write == q.write;
                let settled =
                    if same { p.by == p.write && q.by != q.write } else { !p.write.is_real() };
                let holds = if settled {
                    orders.line.add(x, y)
                } else {
                    same || !q.write.is_real()
                        || self.tie_writes(graph, orders, (x, y), (p.write, q.write))
                };
                if !holds {
                    return false;
                }
            }
        }
        true
    }

    fn tie_writes(
        &mut self,
        graph: &Graph,
        orders: &mut Orders,
        (x, y): (usize, usize),
        (p, q): (EventId, EventId),
    ) -> bool {
        let (from, to) = (self.block_of(graph, p), self.block_of(graph, q));
        if from == to {
            return graph.co_index(p) > graph.co_index(q) || orders.line.add(x, y);
        }
        if x == y {
            return orders.co.add(to, from);
        }
        self.ties.push(Tie { x: x as u32, y: y as u32, p: from as u32, q: to as u32 });
        true
    }

    fn block_of(&self, graph: &Graph, write: EventId) -> usize {
        let (location, index) = (graph.event(write).location, graph.co_index(write) - 1);
        let holds =
            |block: &Block| block.location == location && (block.start..block.end).contains(&index);
        self.blocks.iter().position(holds).expect("a block of the write")
    }

    /// Lets the ties propagate until nothing follows. False if there is a cycle.
    fn propagate(&self, orders: &mut Orders) -> bool {
        let mut changed = true;
        while changed {
            changed = false;
            for tie in &self.ties {
                let [x, y, p, q] = [tie.x, tie.y, tie.p, tie.q].map(|index| index as usize);
                if orders.co.is_before(p, q) && !orders.line.is_before(x, y) {
                    changed = true;
                    if !orders.line.add(x, y) {
                        return false;
                    }
                }
                if orders.line.is_before(y, x) && !orders.co.is_before(q, p) {
                    changed = true;
                    if !orders.co.add(q, p) {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Orders the events of all ties that are open. False if no way works.
    fn decide(&self, orders: &mut Orders) -> bool {
        if !self.propagate(orders) {
            return false;
        }
        let open = |order: &Closure, a: u32, b: u32| {
            let (a, b) = (a as usize, b as usize);
            !order.is_before(a, b) && !order.is_before(b, a)
        };
        let undecided =
            |tie: &&Tie| open(&orders.line, tie.x, tie.y) && open(&orders.co, tie.p, tie.q);
        let Some(tie) = self.ties.iter().find(undecided) else { return true };
        let (x, y) = (tie.x as usize, tie.y as usize);
        let mut other = orders.clone();
        if orders.line.add(x, y) && self.decide(orders) {
            return true;
        }
        if other.line.add(y, x) && self.decide(&mut other) {
            *orders = other;
            return true;
        }
        false
    }

    /// Gives the graph a coherence order that contains `order`, as near to its own as can be.
    fn set_coherence(&self, graph: &mut Graph, order: &Closure) {
        let mut blocks = self.blocks.as_slice();
        let mut first = 0;
        while let Some(block) = blocks.first() {
            let count = blocks.iter().take_while(|other| other.location == block.location).count();
            let co = graph.location(block.location).co.clone();
            let mut left: Vec<usize> = (first..first + count).collect();
            let mut sorted = Vec::with_capacity(co.len());
            while !left.is_empty() {
                let is_next = |&a: &usize| left.iter().all(|&b| !order.is_before(b, a));
                let at = left.iter().position(is_next).expect("no cycle");
                let next = self.blocks[left.remove(at)];
                sorted.extend_from_slice(&co[next.start as usize..next.end as usize]);
            }
            graph.set_coherence(block.location, &sorted);
            blocks = &blocks[count..];
            first += count;
        }
    }
}

/// The write that an access reads from or is.
#[derive(Clone, Copy, Debug)]
struct Seen {
    by: EventId,
    write: EventId,
}

/// What `psc` starts from at a `seq_cst` event: an access itself, or all accesses that a fence happens
/// before.
fn after(graph: &Graph, hb: usize, event: EventId) -> Vec<Seen> {
    if is_memory(graph.event(event)) {
        return vec![seen(graph, event)];
    }
    let is_after = |id: EventId| Graph::within(graph.clock(hb, id), event);
    memory(graph).filter(|&id| is_after(id)).map(|id| seen(graph, id)).collect()
}

/// What `psc` ends at: an access that writes, or the accesses that happen before a fence; only the writes
/// of these if it starts from an access.
fn before(graph: &Graph, hb: usize, event: EventId, only_writes: bool) -> Vec<Seen> {
    if is_memory(graph.event(event)) {
        let writes = graph.event(event).is_write();
        return if writes { vec![seen(graph, event)] } else { Vec::new() };
    }
    let clock = graph.clock(hb, event);
    memory(graph)
        .filter(|&id| Graph::within(clock, id) && (!only_writes || graph.event(id).is_write()))
        .map(|id| seen(graph, id))
        .collect()
}

fn seen(graph: &Graph, id: EventId) -> Seen {
    let event = graph.event(id);
    Seen { by: id, write: if event.is_read() { event.rf } else { id } }
}

fn memory(graph: &Graph) -> impl Iterator<Item = EventId> + '_ {
    graph.order().iter().copied().filter(|&id| is_memory(graph.event(id)))
}

fn is_memory(event: &Event) -> bool {
    matches!(event.kind, EventKind::Read | EventKind::Write)
}
