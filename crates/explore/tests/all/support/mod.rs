//! Running litmus programs with the explorer.
#![allow(dead_code)]

pub mod differential;
pub mod engine;
pub mod searches;
pub mod slow;
pub mod table;
pub mod tiring;
pub mod visits;

use norn_action::Machine;
use norn_explore::{
    Algorithm, Explorer, ExplorerVisitor, Observer, Options, Summary, Violation, Visit,
};
use norn_graph::{EventId, Graph};
use norn_litmus::LitmusMachine;
use norn_models::ModelName;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Where the litmus tests are.
pub fn corpus() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/litmus")
}

/// Collects how a program can end.
pub struct Outcomes<'m> {
    machine: &'m LitmusMachine,
    found: BTreeSet<String>,
}

/// The last value of a cell of four bytes.
pub fn last_value<M: Machine>(
    execution: &Visit<'_, M>,
    address: norn_action::Address,
) -> norn_action::Value {
    let graph = execution.graph;
    let touched =
        graph.touched().iter().find(|id| execution.locations.info(**id).address == address);
    match touched {
        Some(&id) => {
            let last = graph.location(id).co.last().copied().unwrap_or(EventId::INIT);
            graph.value_of(last, id)
        }
        None => graph.objects().resolve(address, 4).expect("a location").initial,
    }
}

/// Explores with the model of that name, to the end.
pub fn explore<M: Machine>(
    machine: &M,
    model: ModelName,
    observer: &mut dyn Observer<M>,
) -> Summary {
    explore_by(Algorithm::Trust, machine, model, observer)
}

/// Explores each reads-from relation with the model of that name, to the end.
pub fn explore_rf<M: Machine>(
    machine: &M,
    model: ModelName,
    observer: &mut dyn Observer<M>,
) -> Summary {
    explore_by(Algorithm::Rf, machine, model, observer)
}

/// Explores by any algorithm with the model of that name, to the end.
pub fn explore_by<M: Machine>(
    algorithm: Algorithm,
    machine: &M,
    model: ModelName,
    observer: &mut dyn Observer<M>,
) -> Summary {
    let options = Options { keep_going: true, ..Options::default() };
    explore_with(algorithm, machine, model, &options, observer)
}

/// Likewise, as the options say.
pub fn explore_with<M: Machine>(
    algorithm: Algorithm,
    machine: &M,
    model: ModelName,
    options: &Options,
    observer: &mut dyn Observer<M>,
) -> Summary {
    let summary = algorithm.with(model, machine, options, Alone(observer));
    summary.expect("the algorithm supports the model")
}

/// One explorer, without workers. It does not know whom it tells, so that it is compiled once for all of them.
struct Alone<'o, M>(&'o mut dyn Observer<M>);

impl<M: Machine> ExplorerVisitor<M> for Alone<'_, M> {
    type Output = Summary;

    fn visit<E: Explorer<M>>(mut self, explorer: impl Fn() -> E) -> Summary {
        explorer().run(&mut self)
    }
}

impl<M: Machine> Observer<M> for Alone<'_, M> {
    fn execution(&mut self, execution: &Visit<'_, M>) {
        self.0.execution(execution);
    }

    fn wants_ends(&self) -> bool {
        self.0.wants_ends()
    }

    fn other_end(&mut self, execution: &Visit<'_, M>) {
        self.0.other_end(execution);
    }

    fn blocked(&mut self, execution: &Visit<'_, M>) {
        self.0.blocked(execution);
    }

    fn violation(&mut self, violation: &Violation) {
        self.0.violation(violation);
    }

    fn progress(&mut self, executions: u64, blocked: u64) {
        self.0.progress(executions, blocked);
    }
}

/// The events of a thread that touch memory or are fences, by position.
pub fn memory_events(graph: &Graph, thread: norn_action::ThreadId) -> Vec<EventId> {
    (0..graph.thread_len(thread)).map(|position| EventId::new(thread, position)).collect()
}
