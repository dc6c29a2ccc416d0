//! Which calls the threads of a graph were in. Nobody keeps that while a search runs; who wants to know it
//! of one graph has the program run again along it.

use super::portable::PortableGraph;
use super::{Execution, ThreadNames};
use crate::search::Options;
use norn_action::{Machine, Place, ThreadId};
use norn_graph::{EventId, Graph};
use norn_models::Sc;
use rustc_hash::FxHashMap;

/// The calls under way in an execution, innermost first, each by the place of the call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Calls {
    events: FxHashMap<EventId, Vec<Place>>,
    ends: FxHashMap<ThreadId, Vec<Place>>,
}

impl Calls {
    /// Runs the program of `machine` along `graph`, as far as it goes: what does not run again has no calls,
    /// and takes nothing from what the graph shows. What it does along a graph, the graph says; any model will do.
    pub(crate) fn along<M: Machine>(machine: &M, graph: &Graph) -> Calls {
        let mut calls = Calls::default();
        follow(machine, graph, |id, event, thread| {
            let callers = machine.callers(thread);
            match event {
                Some(event) => calls.events.insert(event, callers),
                None => calls.ends.insert(id, callers),
            };
        });
        calls
    }

    /// Those in which `event` was done.
    pub fn at(&self, event: EventId) -> &[Place] {
        self.events.get(&event).map_or(&[], Vec::as_slice)
    }

    /// Those that `thread` is in where the execution ends.
    pub fn at_end(&self, thread: ThreadId) -> &[Place] {
        self.ends.get(&thread).map_or(&[], Vec::as_slice)
    }
}

/// Runs the program of `machine` along `graph`, and shows each thread before each of its events, and at the end.
pub(crate) fn follow<M: Machine>(
    machine: &M,
    graph: &Graph,
    mut look: impl FnMut(ThreadId, Option<EventId>, &M::Thread),
) {
    let mut execution = Execution::<M, Sc>::new(machine, &Options::default());
    execution.names = ThreadNames::of(graph);
    let followed = execution.rebuild_watched(&PortableGraph::of(graph), &mut |execution, event| {
        if let Some((thread, _)) = execution.visit(false).thread(event.thread()) {
            look(event.thread(), Some(event), thread);
        }
    });
    if followed.is_ok() {
        for (id, thread, _) in execution.visit(false).threads() {
            look(id, None, thread);
        }
    }
}
