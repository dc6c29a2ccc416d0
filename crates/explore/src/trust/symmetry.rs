//! Threads that are alike: of executions that differ only by which of them does what, one is visited.
//!
//! "Alike" is the machine's word ([`norn_action::Action::Spawn`]): exchanging two such threads in an execution gives an
//! execution. One of each set of executions that are the same up to such exchanges is *sorted*, and only sorted
//! graphs are gone on from. After "SPORE: Combining Symmetry and Partial Order Reduction" (Kokologiannakis, Marmanis,
//! Vafeiadis, PLDI 2024), whose idea it is to treat the order of such threads as one more dependency.
//!
//! Let `t` and `u` be alike, `t` started first. They are *the same before `k`* if each of their first `k` events is the
//! same in both: a read from the same write, the same answer, a fence. A write is never the same as another. A
//! graph is sorted if for all such `t`, `u` and `k`:
//!
//! 1. if `u` has an event `k`, `t` has one, and it was added first;
//! 2. if both are writes to one location, that of `t` comes first in coherence order;
//! 3. if both are choices, the answer of `u` is not greater;
//! 4. if both are reads, that of `t` does not depend on that of `u` (`porf`), and reads from an older write or the same,
//!    unless a read of one like them, between them and the same before `k`, is what the source of `u`'s depends on.
//!
//! Why exactly one of each set is sorted: among threads that are the same before `k`, 2 and 3 are total orders
//! up to being the same, and so is 4: it takes, again and again, the one with the oldest source of those whose source does
//! not depend on a read that is not taken yet. (Where a read never depends on what comes before its source in coherence
//! order, as under all models but those with relaxed accesses, that is the order of the sources.) Accesses of
//! different locations, such as those of objects that each thread has for itself, and everything else that threads do,
//! put them into no order: then more than one is visited.
//!
//! Why none is lost: `trust` reaches each consistent graph if dependencies are acyclic, consistency is closed under
//! dependency, and a graph to which the next event is added so that it is maximal is consistent. Let event `k` of `u`
//! depend on event `k` of `t` in addition. With 4 that is acyclic: a cycle would need a read of `t` that depends on the
//! read of `u` with the same number, since what is the same before that depends on the same. A part of a sorted graph that
//! has all that its events depend on is sorted: 2 to 4 speak of what is there, and of what comes between. And what is added
//! maximally is sorted: the newest write is read, which is not older; a write comes last; the first answer is the
//! least. So it suffices to count these dependencies wherever a revisit asks for them, and to add nothing that
//! is not sorted. 1 holds because the first thread that can move does ([`Trust::next`]), and what is the same before
//! `k` can move or not alike.
//!
//! A read-modify-write that reads what one like it has read, the same before, finds it taken for good: that read is not
//! tried.

use super::Trust;
use super::prune::Prune;
use crate::execution::{Becomes, Execution, PendingRead, PendingWrite};
use norn_action::{Machine, ThreadId};
use norn_graph::{Event, EventId, EventKind, Graph};
use norn_models::Model;

impl<M: Machine, Mo: Model, P: Prune> Trust<'_, M, Mo, P> {
    /// Whether the graph stays sorted if the pending read of `thread` reads from `source`.
    #[inline]
    pub(super) fn allows_read(
        &self,
        thread: ThreadId,
        read: &PendingRead,
        source: EventId,
        becomes: Becomes,
    ) -> bool {
        !self.execution.has_twins || is_sorted(&self.execution.graph, thread, read, source, becomes)
    }

    /// Whether the graph stays sorted if the pending choice of `thread` gets this answer.
    pub(super) fn allows_answer(&self, thread: ThreadId, answer: u64) -> bool {
        let graph = &self.execution.graph;
        !self.execution.has_twins
            || peers(graph, thread)
                .all(|(_, event)| event.kind != EventKind::Choose || answer <= event.value.low())
    }

    /// The least coherence index that the pending write of `thread` may stand right after, in a graph that stays
    /// sorted.
    #[inline]
    pub(super) fn write_floor(&mut self, thread: ThreadId, write: &PendingWrite) -> u32 {
        let floor = self.execution.write_floor(thread, write);
        if !self.execution.has_twins {
            return floor;
        }
        let graph = &self.execution.graph;
        let writes = peers(graph, thread)
            .filter(|(_, event)| event.is_write() && event.location == write.location);
        writes.map(|(id, _)| graph.co_index(id)).fold(floor, u32::max)
    }

    /// Finds what the pending write of `thread` depends on.
    #[inline]
    pub(super) fn look_for_causes(&mut self, thread: ThreadId) {
        if self.execution.has_twins {
            close(&self.execution.graph, thread, &mut self.causes.0);
        }
    }
}

/// What a pending write depends on.
#[derive(Default)]
pub(super) struct Causes(Vec<u32>);

impl Causes {
    /// That of `thread` as a clock, after [`Trust::look_for_causes`].
    #[inline]
    pub(super) fn of<'c, M: Machine, Mo: Model>(
        &'c self,
        execution: &'c Execution<'_, M, Mo>,
        thread: ThreadId,
    ) -> &'c [u32] {
        match execution.has_twins {
            true => &self.0,
            false => execution.graph.clock_before_next(0, thread),
        }
    }
}

/// Whether the end of this execution shows that threads that are alike are told apart: by what somebody does after
/// waiting for one of them and before waiting for the next, or by what they return. That cannot be seen when they are
/// started. It is seen in some execution that is visited, if in any: up to the first such wait exchanging them made no
/// difference.
pub(super) fn are_told_apart<M: Machine, Mo: Model>(execution: &Execution<'_, M, Mo>) -> bool {
    let graph = &execution.graph;
    let threads = (0..graph.thread_count() as u32).map(ThreadId);
    let mut pairs = threads.filter_map(|thread| Some((earlier(graph, thread).next()?, thread)));
    pairs.any(|(twin, thread)| {
        let results = [twin, thread].map(|thread| execution.action(thread).result());
        matches!(results, [Some(a), Some(b)] if a != b) || is_between_joins(graph, twin, thread)
    })
}

/// Whether somebody waits for one of two threads and then does something else without having waited for the other, or
/// somebody else than the one who started them waits: that may be one of them, who knows then which it is not.
fn is_between_joins(graph: &Graph, one: ThreadId, other: ThreadId) -> bool {
    let ends = |event: &Event| event.joins(one) || event.joins(other);
    let parent = graph.spawned_by(one).thread();
    (0..graph.thread_count() as u32).map(ThreadId).any(|thread| {
        let events = graph.thread_events(thread);
        let Some(first) = events.iter().position(ends) else { return false };
        if thread != parent {
            return true;
        }
        let mut later = events[first + 1..].iter();
        let next = later.find(|event| event.kind != EventKind::Join || ends(event));
        next.is_some_and(|event| !ends(event))
    })
}

/// How many executions a complete one stands for: all that it can be exchanged for, if it is known to be the only one of
/// them that is visited. That is known where each two threads that are alike are the same to their ends or differ first in what
/// items 2 to 4 of the head of this file put in order. Those that are the same to their ends have written nothing, so exchanging
/// them changes nothing; what any other exchange leads to is another execution, since the writes of a location are in one order.
pub(super) fn stands_for<M: Machine, Mo: Model>(execution: &Execution<'_, M, Mo>) -> Option<u128> {
    let graph = &execution.graph;
    let mut all: u128 = 1;
    for thread in (0..graph.thread_count() as u32).map(ThreadId) {
        // One more place among those that are alike, of which those of the ones that are the same lead to nothing new.
        let (mut places, mut same_places) = (1, 1);
        for twin in earlier(graph, thread) {
            places += 1;
            same_places += u128::from(are_the_same(graph, twin, thread)?);
        }
        all = all.checked_mul(places)? / same_places;
    }
    Some(all)
}

/// Whether two threads are the same to their ends; none if they differ in something that puts them into no order.
fn are_the_same(graph: &Graph, one: ThreadId, other: ThreadId) -> Option<bool> {
    let length = same(graph, one, other) as usize;
    match [one, other].map(|thread| graph.thread_events(thread).get(length)) {
        [None, None] => Some(true),
        [Some(a), Some(b)] => {
            let is_in_order = (a.is_write() && b.is_write() && a.location == b.location)
                || (a.is_read() && b.is_read() && a.location == b.location && a.rf != b.rf)
                || (a.kind == EventKind::Choose && b.kind == EventKind::Choose);
            is_in_order.then_some(false)
        }
        _ => None,
    }
}

/// See item 4 of the head of this file.
fn is_sorted(
    graph: &Graph,
    thread: ThreadId,
    read: &PendingRead,
    source: EventId,
    becomes: Becomes,
) -> bool {
    let place = graph.co_index(source);
    let mut depends = false;
    for (id, event) in peers(graph, thread) {
        if !event.is_read() || event.location != read.location {
            continue;
        }
        if event.rf == source {
            if becomes == Becomes::Exclusive && event.is_exclusive() {
                return false;
            }
            continue;
        }
        depends |= source.is_real() && Graph::within(graph.clock(0, source), id);
        if !depends && place < graph.co_index(event.rf) {
            return false;
        }
    }
    true
}

/// Adds all that the events of a clock, and the pending write of `thread`, depend on.
fn close(graph: &Graph, thread: ThreadId, clock: &mut Vec<u32>) {
    clock.clear();
    clock.extend_from_slice(graph.clock_before_next(0, thread));
    for (id, _) in peers(graph, thread) {
        include(graph, id, clock);
    }
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for thread in (0..graph.thread_count() as u32).map(ThreadId) {
            let known = clock[thread.index()];
            if known == 0 {
                continue;
            }
            for twin in earlier(graph, thread) {
                let needed = known.min(same(graph, twin, thread) + 1).min(graph.thread_len(twin));
                if needed > 0 && clock[twin.index()] < needed {
                    include(graph, EventId::new(twin, needed - 1), clock);
                    changed = true;
                }
            }
        }
    }
}

/// Adds an event and all that comes before it. A read-modify-write is added as a whole.
fn include(graph: &Graph, id: EventId, clock: &mut [u32]) {
    let next = EventId::new(id.thread(), id.position() + 1);
    let whole = graph.event(id).is_read() && graph.has_exclusive_write(id);
    let id = if whole { next } else { id };
    for (into, &from) in clock.iter_mut().zip(graph.clock(0, id)) {
        *into = (*into).max(from);
    }
}

/// The threads that `thread` is like and that were started before it, the latest first.
fn earlier(graph: &Graph, thread: ThreadId) -> impl Iterator<Item = ThreadId> + '_ {
    let twin = |thread: &ThreadId| {
        let spawn = graph.spawned_by(*thread);
        if spawn.is_real() { graph.event(spawn).twin() } else { None }
    };
    std::iter::successors(twin(&thread), twin)
}

/// Of those that are the same as `thread` so far: their next event, if they have one.
fn peers(graph: &Graph, thread: ThreadId) -> impl Iterator<Item = (EventId, &Event)> + '_ {
    let length = graph.thread_len(thread);
    earlier(graph, thread).filter_map(move |twin| {
        let next = graph.thread_events(twin).get(length as usize)?;
        (same(graph, twin, thread) == length).then(|| (EventId::new(twin, length), next))
    })
}

/// How many events, from the first on, are the same in two threads.
fn same(graph: &Graph, one: ThreadId, other: ThreadId) -> u32 {
    let events = graph.thread_events(one).iter().zip(graph.thread_events(other));
    events.take_while(|(a, b)| is_same(a, b)).count() as u32
}

fn is_same(a: &Event, b: &Event) -> bool {
    a.kind == b.kind
        && match a.kind {
            EventKind::Read => a.rf == b.rf && a.location == b.location && a.flags == b.flags,
            EventKind::Choose => a.value == b.value,
            EventKind::Fence => true,
            _ => false,
        }
}
