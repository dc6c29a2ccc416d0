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

use norn_graph::{EventId, Graph, LocationId};

/// Scratch space of the search for a witness.
#[derive(Clone, Debug, Default)]
pub(crate) struct Forced {
    /// Per coherence index: whether the write comes after the source of the new read.
    reached: Vec<bool>,
    order: Vec<EventId>,
    blocks: Vec<Block>,
}

/// A plain write and the exclusive writes that follow it: a range of the coherence order.
#[derive(Clone, Copy, Debug)]
struct Block {
    start: usize,
    end: usize,
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
        let at = graph.event(source).other as usize;
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

    /// Tries all coherent orders of all locations until one satisfies `accept`; the first order must
    /// be coherent. False, and nothing changed, if none does.
    pub(crate) fn search(
        &mut self,
        graph: &mut Graph,
        hb: usize,
        accept: &mut dyn FnMut(&Graph) -> bool,
    ) -> bool {
        let locations: Vec<LocationId> = graph.touched().to_vec();
        let choices: Vec<Choices> = locations
            .into_iter()
            .filter_map(|location| self.choices(graph, hb, location))
            .collect();
        if choose(graph, &choices, accept) {
            return true;
        }
        for choice in &choices {
            graph.set_coherence(choice.location, &choice.original);
        }
        false
    }

    /// What is open at a location; none if nothing is.
    fn choices(&mut self, graph: &Graph, hb: usize, location: LocationId) -> Option<Choices> {
        let co = &graph.location(location).co;
        self.blocks.clear();
        let mut index = 0;
        while index < co.len() {
            let end = end_of_block(graph, co, index);
            self.blocks.push(Block { start: index, end });
            index = end;
        }
        // Exclusive writes that start from the initial write stay in front.
        if !co.is_empty() && is_exclusive(graph, co[0]) {
            self.blocks.remove(0);
        }
        let blocks: Vec<Vec<EventId>> =
            self.blocks.iter().map(|block| co[block.start..block.end].to_vec()).collect();
        let fixed = co.len() - blocks.iter().map(Vec::len).sum::<usize>();
        let before: Vec<Vec<usize>> = (0..blocks.len())
            .map(|to| {
                let forced = |from: &usize| {
                    let edge = |a: &EventId, b: &EventId| is_forced(graph, hb, *a, *b);
                    blocks[*from].iter().any(|a| blocks[to].iter().any(|b| edge(a, b)))
                };
                (0..to).filter(forced).collect()
            })
            .collect();
        let open = before.iter().enumerate().any(|(to, before)| before.len() < to);
        open.then(|| Choices { location, original: co.clone(), fixed, blocks, before })
    }
}

/// The blocks of a location whose order is not settled.
struct Choices {
    location: LocationId,
    original: Vec<EventId>,
    /// How many writes at the start stay where they are.
    fixed: usize,
    blocks: Vec<Vec<EventId>>,
    /// The blocks that must come before each.
    before: Vec<Vec<usize>>,
}

fn choose(graph: &mut Graph, choices: &[Choices], accept: &mut dyn FnMut(&Graph) -> bool) -> bool {
    let Some((first, rest)) = choices.split_first() else { return accept(graph) };
    let mut order = first.original[..first.fixed].to_vec();
    let mut placed = vec![false; first.blocks.len()];
    place(graph, first, rest, &mut order, &mut placed, accept)
}

fn place(
    graph: &mut Graph,
    choices: &Choices,
    rest: &[Choices],
    order: &mut Vec<EventId>,
    placed: &mut [bool],
    accept: &mut dyn FnMut(&Graph) -> bool,
) -> bool {
    if order.len() == choices.original.len() {
        graph.set_coherence(choices.location, order);
        return choose(graph, rest, accept);
    }
    for block in 0..placed.len() {
        if placed[block] || choices.before[block].iter().any(|&before| !placed[before]) {
            continue;
        }
        placed[block] = true;
        let length = order.len();
        order.extend_from_slice(&choices.blocks[block]);
        if place(graph, choices, rest, order, placed, accept) {
            return true;
        }
        order.truncate(length);
        placed[block] = false;
    }
    false
}

fn is_exclusive(graph: &Graph, write: EventId) -> bool {
    graph.event(write).is_exclusive()
}

fn end_of_block(graph: &Graph, co: &[EventId], start: usize) -> usize {
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

/// The last write in coherence order, other than its source, that `read` knows.
fn last_known(graph: &Graph, hb: usize, read: EventId) -> Option<usize> {
    let event = graph.event(read);
    let clock = graph.clock(hb, read);
    let co = &graph.location(event.location).co;
    co.iter().rposition(|&write| write != event.rf && knows(graph, clock, write))
}
