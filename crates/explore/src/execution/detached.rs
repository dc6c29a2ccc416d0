//! A part of an execution as a value of its own, which another worker can take up.

use super::pool::KeptState;
use super::{Execution, Pool};
use norn_action::{Machine, NO_STATE, StateId, ThreadId};
use norn_graph::{EventKind, Graph};
use norn_models::Model;
use rustc_hash::FxHashMap;

/// A graph with the states of its threads, outside of any pool. It names states by their indices.
pub(crate) struct Detached<M: Machine> {
    pub graph: Graph,
    states: Vec<KeptState<M>>,
    current: Vec<StateId>,
}

impl<M: Machine, Mo: Model> Execution<'_, M, Mo> {
    /// Makes a detached graph the one at hand, where nothing is kept any more.
    pub(crate) fn attach(&mut self, start: Detached<M>) {
        self.locations.catch_up();
        let ids = self.pool.import(self.machine, start.states);
        let rename = |state: StateId| if state == NO_STATE { state } else { ids[state as usize] };
        let threads = (0..start.graph.thread_count() as u32).map(ThreadId);
        let all: Vec<u32> = threads.map(|thread| start.graph.thread_len(thread)).collect();
        self.graph.copy_restricted(&start.graph, &all);
        for index in 0..self.graph.len() {
            let id = self.graph.order()[index];
            let event = self.graph.event(id);
            let saved = rename(event.saved);
            self.has_twins |= event.kind == EventKind::Spawn && event.twin().is_some();
            self.graph.set_saved(id, saved);
        }
        self.current.clear();
        self.current.extend(start.current.into_iter().map(rename));
        self.half = None;
        self.order.learn(&self.names, self.current.len());
        // Where a thread stands need not have been known before: its computation may have been interrupted when
        // the search was saved.
        for thread in (0..self.current.len() as u32).map(ThreadId) {
            if self.state(thread) != NO_STATE {
                self.arrived(thread);
            }
        }
    }
}

/// Copies the first `length` events of a graph and the states that they name.
pub(crate) fn detach<M: Machine>(
    graph: &Graph,
    current: &[StateId],
    length: u32,
    lanes: usize,
    pool: &Pool<M>,
) -> Detached<M> {
    let kept: Vec<u32> = (0..graph.thread_count() as u32)
        .map(|t| {
            let events = graph.thread_events(ThreadId(t));
            events.partition_point(|event| event.stamp < length) as u32
        })
        .collect();
    let mut part = Graph::new(lanes);
    part.copy_restricted(graph, &kept);
    let mut standing: Vec<StateId> = Vec::with_capacity(kept.len());
    states_of_part(graph, current, &kept, &part, &mut standing);
    if standing.is_empty() {
        // Not even the main thread has an event.
        standing.extend(current.first());
    }
    export(part, standing, pool)
}

/// The states of the threads in `part`, which has the first `kept` events of each thread of `graph`.
pub(crate) fn states_of_part(
    graph: &Graph,
    current: &[StateId],
    kept: &[u32],
    part: &Graph,
    states: &mut Vec<StateId>,
) {
    states.clear();
    for (t, &count) in kept.iter().enumerate() {
        let id = ThreadId(t as u32);
        let started = t == 0 || part.spawned_by(id).is_real();
        states.push(match graph.thread_events(id).get(count as usize) {
            _ if !started => NO_STATE,
            Some(deleted) => deleted.saved,
            None => current[t],
        });
    }
}

/// Copies the states that the graph names, and renames them there.
fn export<M: Machine>(mut graph: Graph, mut current: Vec<StateId>, pool: &Pool<M>) -> Detached<M> {
    let mut names: FxHashMap<StateId, StateId> = FxHashMap::default();
    let mut all = Vec::new();
    let mut rename = |state: StateId| match state {
        NO_STATE => NO_STATE,
        state => *names.entry(state).or_insert_with(|| {
            all.push(state);
            all.len() as StateId - 1
        }),
    };
    for state in &mut current {
        *state = rename(*state);
    }
    for index in 0..graph.len() {
        let id = graph.order()[index];
        let saved = rename(graph.event(id).saved);
        graph.set_saved(id, saved);
    }
    let renamed = |state: StateId| names[&state];
    let states = all.iter().map(|&state| pool.export(state, &renamed)).collect();
    Detached { graph, states, current }
}
