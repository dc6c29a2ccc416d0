//! Names for what events depend on, and the nodes that reads belong to.
//!
//! Two events have the same name if they and all that is `porf`-before them are the same. A name is a
//! hash of 128 bits over the names of the predecessor in program order, of the source of a read, of
//! what a join or barrier waits for, and over the answer of a choice; all else follows from these,
//! because threads are deterministic. The ids of threads are not part of it, so that names mean the same in
//! another process. A search would have to see about 2^60 events before two names
//! could be expected to be equal by accident.

use norn_action::ThreadId;
use norn_graph::{EventId, EventKind, Graph};

/// The owner of a read that belongs to no node.
pub(super) const NOBODY: u32 = u32::MAX;

/// Per event of the present graph: its name, and for reads their node.
#[derive(Clone, Debug, Default)]
pub(super) struct Prefixes {
    threads: Vec<Vec<Entry>>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    name: u128,
    owner: u32,
}

const START: u128 = 0x5bd1_e995_9e37_79b9_7f4a_7c15_85eb_ca6b;
const INITIAL: u128 = 0x2545_f491_4f6c_dd1d_c2b2_ae35_27d4_eb2f;
const CHILD: u128 = 0x94d0_49bb_1331_11eb_bf58_476d_1ce4_e5b9;
const WRITE: u128 = 0x1656_67b1_9e37_79f9_d6e8_feb8_6659_fd93;

impl Prefixes {
    /// Names an event that was just added. It belongs to nobody.
    #[inline]
    pub(super) fn record(&mut self, graph: &Graph, id: EventId) {
        let name = self.name_of_new(graph, id);
        let thread = id.thread().index();
        if self.threads.len() <= thread {
            self.threads.resize_with(thread + 1, Vec::new);
        }
        let entries = &mut self.threads[thread];
        entries.truncate(id.position() as usize);
        entries.push(Entry { name, owner: NOBODY });
    }

    fn name_of_new(&self, graph: &Graph, id: EventId) -> u128 {
        let event = graph.event(id);
        let before = self.before(graph, id);
        match event.kind {
            EventKind::Read => self.reading(before, event.rf),
            EventKind::Write => writing(before),
            EventKind::Choose => mix(before, event.value.0.wrapping_add(START)),
            EventKind::Join | EventKind::Leave => self.synchronised(graph, id, before),
            kind => mix(before, kind as u128),
        }
    }

    /// The name of what precedes `id` in program order.
    #[inline]
    pub(super) fn before(&self, graph: &Graph, id: EventId) -> u128 {
        if id.position() > 0 {
            return self.name(EventId::new(id.thread(), id.position() - 1));
        }
        let spawn = graph.spawned_by(id.thread());
        if spawn.is_real() { mix(self.name(spawn), CHILD) } else { START }
    }

    /// The name of an event.
    #[inline]
    pub(super) fn name(&self, id: EventId) -> u128 {
        self.threads[id.thread().index()][id.position() as usize].name
    }

    /// The name of a read of `source` that comes after what is called `before`.
    #[inline]
    pub(super) fn reading(&self, before: u128, source: EventId) -> u128 {
        mix(before, if source.is_real() { self.name(source) } else { INITIAL })
    }

    fn synchronised(&self, graph: &Graph, id: EventId, before: u128) -> u128 {
        let (old, new) = (graph.clock_before(0, id), graph.clock(0, id));
        let mut sum = 0u128;
        for (t, (&old, &new)) in old.iter().zip(new).enumerate() {
            if new > old && t != id.thread().index() {
                // A sum, so that the order of the ids does not matter.
                let last = self.name(EventId::new(ThreadId(t as u32), new - 1));
                sum = sum.wrapping_add(mix(START, last));
            }
        }
        mix(mix(before, graph.event(id).kind as u128), sum)
    }

    /// The node that a read belongs to.
    #[inline]
    pub(super) fn owner(&self, read: EventId) -> u32 {
        self.threads[read.thread().index()][read.position() as usize].owner
    }

    /// Makes a read belong to a node.
    #[inline]
    pub(super) fn set_owner(&mut self, read: EventId, owner: u32) {
        self.threads[read.thread().index()][read.position() as usize].owner = owner;
    }
}

/// The name of a write that comes after what is called `before`.
#[inline]
pub(super) fn writing(before: u128) -> u128 {
    mix(before, WRITE)
}

#[inline]
fn mix(a: u128, b: u128) -> u128 {
    let (a0, a1) = (a as u64, (a >> 64) as u64);
    let (b0, b1) = (b as u64, (b >> 64) as u64);
    let low = spread(a0.wrapping_mul(0x9fb2_1c65_1e98_df25) ^ b0.rotate_left(32));
    let high = spread(a1.wrapping_mul(0xa076_1d64_78bd_642f) ^ b1.rotate_left(17) ^ (a0 >> 7));
    u128::from(high) << 64 | u128::from(low)
}

/// A bijection that spreads every bit over all of them.
#[inline]
fn spread(x: u64) -> u64 {
    let x = (x ^ (x >> 32)).wrapping_mul(0xe703_7ed1_a0b4_28db);
    let x = (x ^ (x >> 29)).wrapping_mul(0x8ebc_6af0_9c88_c6e3);
    x ^ (x >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_depend_on_both_parts_and_their_order() {
        let names =
            [mix(1, 2), mix(2, 1), mix(1, 3), mix(3, 2), mix(mix(1, 2), 3), mix(1, mix(2, 3))];
        for (i, a) in names.iter().enumerate() {
            assert!(names[..i].iter().all(|b| a != b && *a as u64 != *b as u64));
        }
    }
}
