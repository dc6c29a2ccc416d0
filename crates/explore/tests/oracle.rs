//! Random programs: what the explorer visits is what the oracle enumerates, each exactly once.
//!
//! `NORN_FUZZ_SECONDS=600` runs for as long as it is told, on fresh seeds from `NORN_FUZZ_SEED`
//! (default: the time). A failure is shrunk and printed as a litmus test.

mod support;

use norn_action::FaultKind;
use norn_explore::{Execution, Observer, Summary};
use norn_graph::{EventId, EventKind, Graph, Locations};
use norn_litmus::{LitmusMachine, Program, Shape, generate, shrink};
use norn_models::ModelName;
use norn_oracle::{GraphBuilder, Model};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use support::explore;

/// Programs of each shape in an ordinary run.
const PROGRAMS: u64 = 1500;

/// Collects the complete executions in the oracle's form.
struct Collect<'m> {
    machine: &'m LitmusMachine,
    complete: Vec<norn_oracle::Graph>,
}

impl Observer<LitmusMachine> for Collect<'_> {
    fn execution(&mut self, execution: &Execution<'_, LitmusMachine>) {
        self.complete.push(canonical(self.machine, execution.graph, execution.locations));
    }
}

/// The graph without the main thread, in the oracle's form.
fn canonical(machine: &LitmusMachine, graph: &Graph, locations: &Locations) -> norn_oracle::Graph {
    let program = machine.program();
    let mut builder = GraphBuilder::new(program.threads.len(), program.locations.len());
    let name = |id: EventId| {
        id.is_real()
            .then(|| norn_oracle::EventId { thread: id.thread().0 - 1, index: id.position() })
    };
    for &id in graph.order() {
        let thread = id.thread().index();
        if thread == 0 {
            continue;
        }
        let event = graph.event(id);
        let location =
            || machine.location(locations.info(event.location).address).expect("a shared location");
        let value = LitmusMachine::number(event.value);
        match event.kind {
            EventKind::Read => {
                builder.read(thread - 1, location(), value, event.mode, name(event.rf))
            }
            EventKind::Write if event.is_exclusive() => {
                builder.exclusive_write(thread - 1, location(), value, event.mode)
            }
            EventKind::Write => builder.write(thread - 1, location(), value, event.mode),
            EventKind::Fence => builder.fence(thread - 1, event.mode),
            other => panic!("{other:?} in a litmus thread"),
        };
    }
    for &id in graph.touched() {
        let location = machine.location(locations.info(id).address).expect("a shared location");
        builder.coherence(location, graph.location(id).co.iter().filter_map(|&w| name(w)));
    }
    builder.build()
}

fn has(summary: &Summary, kind: FaultKind) -> bool {
    summary.violations.iter().any(|violation| violation.fault.kind == kind)
}

/// What differs between the explorer and the oracle, if anything does.
fn difference(program: &Program, model: ModelName) -> Option<String> {
    let machine = LitmusMachine::new(program.clone());
    let mut collect = Collect { machine: &machine, complete: Vec::new() };
    let summary = explore(&machine, model, &mut collect);
    let oracle = Model::from_name(model.name()).expect("the oracle knows all models");
    let expected = norn_oracle::executions(program, oracle);
    let racy = expected.complete.iter().any(|execution| execution.racy);
    let mut comparison = norn_oracle::compare(
        expected.complete.into_iter().map(|execution| execution.graph),
        collect.complete,
    );
    if racy && model == ModelName::Rc11 {
        // A race is reported; what else a racy program may do is not promised (see `rc11`).
        comparison.missing.clear();
    }
    if !comparison.is_exact() {
        return Some(comparison.report(program));
    }
    if racy && !has(&summary, FaultKind::DataRace) {
        return Some("a race was missed".to_owned());
    }
    let stuck = has(&summary, FaultKind::Deadlock);
    if stuck && expected.blocked.is_empty() {
        return Some("a deadlock that does not exist was reported".to_owned());
    }
    if model == ModelName::Sc {
        let deadlocks = !norn_oracle::interleavings(program).deadlocks.is_empty();
        if deadlocks != stuck {
            return Some(format!("deadlock: {stuck} instead of {deadlocks}"));
        }
    }
    None
}

fn check(seed: u64, shape: &Shape, models: &[ModelName]) {
    let program = generate(seed, shape);
    for &model in models {
        if difference(&program, model).is_some() {
            let small = shrink(program, |smaller| difference(smaller, model).is_some());
            let what = difference(&small, model).expect("the shrunk program still fails");
            panic!("seed {seed} under {model}:\n{}\n{what}", norn_litmus::print(&small));
        }
    }
}

/// Runs a shape for a fixed number of programs, or for as long as the environment says.
fn check_many(shape: &Shape, models: &[ModelName]) {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    match number("NORN_FUZZ_SECONDS") {
        None => (0..PROGRAMS).for_each(|seed| check(seed, shape, models)),
        Some(seconds) => {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970");
            let first = number("NORN_FUZZ_SEED").unwrap_or(now.as_nanos() as u64);
            let end = Instant::now() + Duration::from_secs(seconds);
            let mut done = 0;
            while Instant::now() < end {
                check(first.wrapping_add(done), shape, models);
                done += 1;
            }
            println!("{done} programs from seed {first}");
        }
    }
}

#[test]
fn programs_with_everything_but_locks() {
    check_many(&Shape::default(), &ModelName::ALL);
}

#[test]
fn programs_of_sequentially_consistent_accesses() {
    check_many(&Shape::seq_cst(), &ModelName::ALL);
}

#[test]
fn programs_with_locks() {
    check_many(&Shape { max_actions: 8, ..Shape::locks() }, &ModelName::ALL);
}

#[test]
fn programs_with_assumptions() {
    check_many(&Shape { assumes: true, max_actions: 8, ..Shape::default() }, &ModelName::ALL);
}
