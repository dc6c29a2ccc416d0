//! Compares what the explorer visits with what the oracle enumerates.
//!
//! `NORN_FUZZ_SECONDS=600` runs for as long as it is told, on fresh seeds from `NORN_FUZZ_SEED`
//! (default: the time). A failure is shrunk and printed as a litmus test.

use super::engine::Distinguishes;
use norn_action::{Action, FaultKind, Machine};
use norn_explore::{Observer, Summary, Visit};
use norn_graph::{EventId, EventKind, Graph, Locations};
use norn_litmus::{LitmusMachine, Program, Shape, generate, shrink};
use norn_models::ModelName;
use norn_oracle::{GraphBuilder, Model, is_consistent};
use std::collections::BTreeSet;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Collects the executions in the oracle's form.
pub struct Collect<'m> {
    pub machine: &'m LitmusMachine,
    pub complete: Vec<norn_oracle::Graph>,
    /// Somebody waits for ever, and no assumption failed.
    pub stuck: Vec<norn_oracle::Graph>,
}

impl<'m> Collect<'m> {
    pub fn new(machine: &'m LitmusMachine) -> Collect<'m> {
        Collect { machine, complete: Vec::new(), stuck: Vec::new() }
    }
}

impl<M: Machine> Observer<M> for Collect<'_> {
    fn execution(&mut self, execution: &Visit<'_, M>) {
        self.complete.push(canonical(self.machine, execution.graph, execution.locations));
    }

    fn blocked(&mut self, execution: &Visit<'_, M>) {
        if !execution.threads().any(|(_, _, action)| matches!(action, Action::Abandon(_))) {
            self.stuck.push(canonical(self.machine, execution.graph, execution.locations));
        }
    }
}

/// The graph without the main thread and without reads that wait, in the oracle's form.
pub fn canonical(
    machine: &LitmusMachine,
    graph: &Graph,
    locations: &Locations,
) -> norn_oracle::Graph {
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
        if event.is_blocked() {
            continue;
        }
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
            EventKind::Join => builder.join(thread - 1, event.target().index() - 1),
            other => panic!("{other:?} in a litmus thread"),
        };
    }
    for &id in graph.touched() {
        let location = machine.location(locations.info(id).address).expect("a shared location");
        builder.coherence(location, graph.location(id).co.iter().filter_map(|&w| name(w)));
    }
    builder.build()
}

pub fn has(summary: &Summary, kind: FaultKind) -> bool {
    summary.violations.iter().any(|violation| violation.fault.kind() == kind)
}

/// Whether all executions of a racy program are looked at. Under rc11 and c20 plain accesses are taken for
/// sequentially consistent ones as long as they do not race.
pub fn defines_races(model: ModelName) -> bool {
    !matches!(model, ModelName::Rc11 | ModelName::C20)
}

/// What differs between what was visited and what the oracle enumerates, in the terms of an algorithm.
pub fn difference_from_oracle(
    distinguishes: Distinguishes,
    program: &Program,
    model: ModelName,
    collect: Collect<'_>,
    summary: &Summary,
) -> Option<String> {
    let oracle = Model::from_name(model.name()).expect("the oracle knows all models");
    let expected = norn_oracle::executions(program, oracle);
    let racy = expected.complete.iter().any(|execution| execution.racy);
    let named = |graph: &norn_oracle::Graph| match distinguishes {
        Distinguishes::Graphs => graph.clone(),
        Distinguishes::Relations => graph.without_co(),
    };
    let distinct =
        |graphs: Vec<norn_oracle::Graph>| graphs.iter().map(named).collect::<BTreeSet<_>>();
    let is_witness = |graph: &&norn_oracle::Graph| is_consistent(oracle, graph);
    if distinguishes == Distinguishes::Relations
        && let Some(wrong) = collect.complete.iter().find(|graph| !is_witness(graph))
    {
        return Some(format!("the coherence order is no witness:\n{}", wrong.describe(program)));
    }
    let complete = expected.complete.into_iter().map(|execution| execution.graph).collect();
    let mut comparison =
        norn_oracle::compare(distinct(complete), collect.complete.iter().map(named));
    if racy && !defines_races(model) {
        // A race is reported; what else a racy program may do is not promised (see `c11`).
        comparison.missing.clear();
    }
    if !comparison.is_exact() {
        return Some(comparison.report(program));
    }
    if racy && !has(summary, FaultKind::DataRace) {
        return Some("a race was missed".to_owned());
    }
    if racy && !defines_races(model) {
        return None;
    }
    let blocked: Vec<norn_oracle::Graph> = match model {
        ModelName::Sc => norn_oracle::interleavings(program).deadlocks.into_keys().collect(),
        _ => expected.blocked.into_iter().map(|execution| execution.graph).collect(),
    };
    let somebody_waits = !blocked.is_empty();
    let reported = has(summary, FaultKind::Deadlock) || has(summary, FaultKind::Livelock);
    if reported != somebody_waits {
        return Some(format!("somebody waits for ever: {reported} instead of {somebody_waits}"));
    }
    let comparison = norn_oracle::compare(distinct(blocked), collect.stuck.iter().map(named));
    (!comparison.is_exact()).then(|| format!("waiting: {}", comparison.report(program)))
}

/// What differs between an explorer and the oracle.
pub type Difference<'d> = &'d dyn Fn(&Program, ModelName) -> Option<String>;

fn check(seed: u64, shape: &Shape, models: &[ModelName], difference: Difference<'_>) {
    let program = generate(seed, shape);
    for &model in models {
        if difference(&program, model).is_some() {
            let small = shrink(program, |smaller| difference(smaller, model).is_some());
            let what = difference(&small, model).expect("the shrunk program still fails");
            panic!("seed {seed} under {model}:\n{}\n{what}", norn_litmus::print(&small));
        }
    }
}

/// Compares that many random programs of a shape under the models.
pub fn check_many_by(
    programs: u64,
    shape: &Shape,
    models: &[ModelName],
    difference: Difference<'_>,
) {
    for_each_seed(programs, |seed| check(seed, shape, models, difference));
}

/// Runs `check` for that many seeds, or for as long as the environment says.
pub fn for_each_seed(programs: u64, check: impl Fn(u64)) {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    match number("NORN_FUZZ_SECONDS") {
        None => (0..programs).for_each(check),
        Some(seconds) => {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970");
            let first = number("NORN_FUZZ_SEED").unwrap_or(now.as_nanos() as u64);
            let end = Instant::now() + Duration::from_secs(seconds);
            let mut done = 0;
            while Instant::now() < end {
                check(first.wrapping_add(done));
                done += 1;
            }
            println!("{done} programs from seed {first}");
        }
    }
}
