//! Running litmus programs with the explorer.
#![allow(dead_code)]

pub mod differential;
pub mod slow;
pub mod table;
pub mod visits;

use norn_action::{FaultKind, Machine};
use norn_explore::{Algorithm, Explorer, ExplorerVisitor, Observer, Options, Summary, Visit};
use norn_graph::{EventId, Graph};
use norn_litmus::{LitmusMachine, LitmusThread, Program};
use norn_models::ModelName;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Where the litmus tests are.
pub fn corpus() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/litmus")
}

/// What was found.
pub struct Run {
    pub executions: u64,
    pub raced: bool,
    pub outcomes: BTreeSet<String>,
    pub summary: Summary,
}

struct Outcomes<'m> {
    machine: &'m LitmusMachine,
    found: BTreeSet<String>,
}

impl<M: Machine<Thread = LitmusThread>> Observer<M> for Outcomes<'_> {
    fn execution(&mut self, execution: &Visit<'_, M>) {
        let threads = execution.threads().map(|(_, thread, _)| thread);
        let state = self.machine.final_state(threads, |_, address| last_value(execution, address));
        self.found.insert(self.machine.program().outcome(&state));
    }
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

/// Explores `program` under `model`.
pub fn run(program: &Program, model: ModelName) -> Run {
    let machine = LitmusMachine::new(program.clone());
    run_on(&machine, &machine, model)
}

/// Explores the program of `litmus` as `machine` runs it.
pub fn run_on<M: Machine<Thread = LitmusThread>>(
    machine: &M,
    litmus: &LitmusMachine,
    model: ModelName,
) -> Run {
    let mut outcomes = Outcomes { machine: litmus, found: BTreeSet::new() };
    let summary = explore(machine, model, &mut outcomes);
    let raced = summary.violations.iter().any(|v| v.fault.kind() == FaultKind::DataRace);
    Run { executions: summary.executions, raced, outcomes: outcomes.found, summary }
}

/// Explores with the model of that name, to the end.
pub fn explore<M: Machine>(
    machine: &M,
    model: ModelName,
    observer: &mut impl Observer<M>,
) -> Summary {
    explore_by(Algorithm::Trust, machine, model, observer)
}

/// Explores each reads-from relation with the model of that name, to the end.
pub fn explore_rf<M: Machine>(
    machine: &M,
    model: ModelName,
    observer: &mut impl Observer<M>,
) -> Summary {
    explore_by(Algorithm::Rf, machine, model, observer)
}

/// Explores by any algorithm with the model of that name, to the end.
pub fn explore_by<M: Machine>(
    algorithm: Algorithm,
    machine: &M,
    model: ModelName,
    observer: &mut impl Observer<M>,
) -> Summary {
    let options = Options { keep_going: true, ..Options::default() };
    let summary = algorithm.with(model, machine, &options, Alone(observer));
    summary.expect("the algorithm supports the model")
}

/// One explorer, without workers.
struct Alone<'o, O>(&'o mut O);

impl<M: Machine, O: Observer<M>> ExplorerVisitor<M> for Alone<'_, O> {
    type Output = Summary;

    fn visit<E: Explorer<M>>(self, explorer: impl Fn() -> E) -> Summary {
        explorer().run(self.0)
    }
}

/// The events of a thread that touch memory or are fences, by position.
pub fn memory_events(graph: &Graph, thread: norn_action::ThreadId) -> Vec<EventId> {
    (0..graph.thread_len(thread)).map(|position| EventId::new(thread, position)).collect()
}
