//! Whether a graph of `po` and `rf` has a sequentially consistent run, decided exactly.
//!
//! `VerifySC` of "Stateless Model Checking under a Reads-Value-From Equivalence" (CAV 2021), with one
//! good write for each read: the accesses are put in a line one after the other, where each read
//! must see its source as the last write. The problem is NP-complete; what keeps it small here:
//!
//! 1. Saturation comes first ([`crate::saturate`]). What it orders need not be tried.
//! 2. A read that can be taken now is taken now, and nothing else is tried: it changes nothing for
//!    others. So is a write when it is the last one to its location.
//! 3. A write is not taken while a reader of the present value is missing, which would come too late.
//! 4. A set of taken accesses, with the present writes that still have readers to come, is looked at
//!    once: whatever led there, the rest is the same.
//!
//! A read-modify-write is taken as one step.

use crate::saturate::Saturation;
use norn_action::ThreadId;
use norn_graph::{EventId, EventKind, Graph};
use rustc_hash::FxHashSet;

/// The decision procedure, with its buffers.
#[derive(Clone, Debug, Default)]
pub struct VerifySc {
    order: Saturation,
    taken: Vec<u64>,
    /// The accesses in the order in which they were taken.
    line: Vec<u32>,
    /// Per location: the index of the present write, plus one; 0 is the initial one.
    present: Vec<u32>,
    /// Per write, plus one, and per location's initial write: readers still to come.
    readers: Vec<u32>,
    initial_readers: Vec<u32>,
    /// Per location: writes still to come.
    writes_left: Vec<u32>,
    failed: FxHashSet<Box<[u64]>>,
}

impl VerifySc {
    /// Gives `graph` a coherence order under which it is sequentially consistent. False, and nothing
    /// changed, if there is none.
    pub fn arrange(&mut self, graph: &mut Graph) -> bool {
        self.order.start(graph);
        self.add_program_order(graph);
        if !self.order.saturate() {
            return false;
        }
        if self.order.open_pair().is_none() {
            // All of coherence is forced, and with it all of the relation: it is acyclic.
            self.order.set_coherence(graph);
            return true;
        }
        self.prepare(graph);
        if !self.search() {
            return false;
        }
        self.set_coherence(graph);
        true
    }

    /// Whether some run has the access `first` after all that must come before `second`.
    pub(crate) fn may_follow(&mut self, graph: &Graph, first: EventId, second: EventId) -> bool {
        self.order.start(graph);
        self.add_program_order(graph);
        let b = self.order.index(first);
        for (t, &known) in graph.clock(0, second).iter().enumerate().take(graph.thread_count()) {
            if let Some(last) = last_access(graph, ThreadId(t as u32), known)
                && !self.order.add(self.order.index(last), b)
            {
                return false;
            }
        }
        if !self.order.saturate() {
            return false;
        }
        self.prepare(graph);
        self.order.open_pair().is_none() || self.search()
    }

    /// `po` with the edges of creation, joining and barriers, and `rf`.
    fn add_program_order(&mut self, graph: &Graph) {
        for b in 0..self.order.nodes.len() {
            let id = self.order.nodes[b].id;
            let clock = graph.clock(0, id);
            let known = clock.iter().enumerate().take(graph.thread_count());
            let last = known.filter_map(|(t, &known)| {
                let thread = ThreadId(t as u32);
                let known = if thread == id.thread() { id.position() } else { known };
                last_access(graph, thread, known)
            });
            self.order.append(last, b);
        }
    }

    fn prepare(&mut self, graph: &Graph) {
        let (nodes, locations) = (self.order.nodes.len(), graph.touched().len());
        self.taken.clear();
        self.taken.resize(nodes.div_ceil(64), 0);
        self.line.clear();
        self.failed.clear();
        for (list, length) in [
            (&mut self.present, locations),
            (&mut self.readers, nodes),
            (&mut self.initial_readers, locations),
            (&mut self.writes_left, locations),
        ] {
            list.clear();
            list.resize(length, 0);
        }
        for node in &self.order.nodes {
            match (node.read, node.source()) {
                (true, Some(source)) => self.readers[source] += 1,
                (true, None) => self.initial_readers[node.location as usize] += 1,
                (false, _) => self.writes_left[node.location as usize] += 1,
            }
        }
    }

    /// Extends the line to all accesses. False if that cannot be; then the line is as it was.
    fn search(&mut self) -> bool {
        let length = self.line.len();
        self.take_what_is_free();
        if self.line.len() == self.order.nodes.len() {
            return true;
        }
        let key = self.key();
        if !self.failed.contains(&key) {
            for a in 0..self.order.nodes.len() {
                if self.can_take(a) {
                    let before = self.line.len();
                    self.take(a);
                    if self.search() {
                        return true;
                    }
                    self.take_back(before);
                }
            }
            self.failed.insert(key);
        }
        self.take_back(length);
        false
    }

    /// Takes all that can be taken now without closing a way.
    fn take_what_is_free(&mut self) {
        let mut changed = true;
        while changed {
            changed = false;
            for a in 0..self.order.nodes.len() {
                let node = self.order.nodes[a];
                let free = match node.read {
                    true => node.partner().is_none() || self.is_last_write(node.location),
                    false => self.is_last_write(node.location),
                };
                if free && self.can_take(a) {
                    self.take(a);
                    changed = true;
                }
            }
        }
    }

    fn is_last_write(&self, location: u32) -> bool {
        self.writes_left[location as usize] == 1
    }

    /// Whether the access can come next. The write of a read-modify-write comes with its read.
    fn can_take(&self, a: usize) -> bool {
        let is_taken = self.taken[a / 64] >> (a % 64) & 1 == 1;
        let ready = |(before, taken): (&u64, &u64)| before & !taken == 0;
        if is_taken || !self.order.predecessors(a).iter().zip(&self.taken).all(ready) {
            return false;
        }
        let node = self.order.nodes[a];
        let present = self.present[node.location as usize];
        if node.read {
            let sees = node.source().map_or(0, |source| source as u32 + 1) == present;
            sees && (node.partner().is_none() || self.readers_left(node.location) == 1)
        } else {
            self.readers_left(node.location) == 0
        }
    }

    /// How many readers of the present write to a location are still to come.
    fn readers_left(&self, location: u32) -> u32 {
        match self.present[location as usize] {
            0 => self.initial_readers[location as usize],
            write => self.readers[write as usize - 1],
        }
    }

    fn take(&mut self, a: usize) {
        let node = self.order.nodes[a];
        self.taken[a / 64] |= 1 << (a % 64);
        self.line.push(a as u32);
        if node.read {
            match node.source() {
                Some(source) => self.readers[source] -= 1,
                None => self.initial_readers[node.location as usize] -= 1,
            }
            if let Some(write) = node.partner() {
                self.take(write);
            }
        } else {
            self.present[node.location as usize] = a as u32 + 1;
            self.writes_left[node.location as usize] -= 1;
        }
    }

    fn take_back(&mut self, length: usize) {
        while self.line.len() > length {
            let a = self.line.pop().expect("longer than `length`") as usize;
            self.taken[a / 64] &= !(1 << (a % 64));
            let node = self.order.nodes[a];
            if node.read {
                match node.source() {
                    Some(source) => self.readers[source] += 1,
                    None => self.initial_readers[node.location as usize] += 1,
                }
            } else {
                self.writes_left[node.location as usize] += 1;
                let earlier = self.line.iter().rev().copied().find(|&other| {
                    let other = &self.order.nodes[other as usize];
                    !other.read && other.location == node.location
                });
                self.present[node.location as usize] = earlier.map_or(0, |other| other + 1);
            }
        }
    }

    /// What the rest depends on: the accesses taken, and the present writes that have readers left.
    fn key(&self) -> Box<[u64]> {
        let present = (0..self.present.len() as u32).map(|location| {
            let wanted = self.readers_left(location) > 0;
            if wanted { u64::from(self.present[location as usize]) + 1 } else { 0 }
        });
        self.taken.iter().copied().chain(present).collect()
    }

    fn set_coherence(&self, graph: &mut Graph) {
        for l in 0..self.order.writes.len() {
            let order: Vec<EventId> = self
                .line
                .iter()
                .map(|&a| &self.order.nodes[a as usize])
                .filter(|node| !node.read && node.location == l as u32)
                .map(|node| node.id)
                .collect();
            let location = graph.touched()[l];
            graph.set_coherence(location, &order);
        }
    }
}

/// The last access among the first `count` events of a thread.
fn last_access(graph: &Graph, thread: ThreadId, count: u32) -> Option<EventId> {
    let is_access =
        |id: &EventId| matches!(graph.event(*id).kind, EventKind::Read | EventKind::Write);
    (0..count).rev().map(|position| EventId::new(thread, position)).find(is_access)
}
