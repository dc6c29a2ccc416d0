//! Random programs: the reads-from relations that `rf` visits are those of the oracle's executions,
//! each exactly once.
//!
//! `NORN_FUZZ_SECONDS` and `NORN_FUZZ_SEED` as for the other explorers.

mod support;

use norn_action::FaultKind;
use norn_explore::Summary;
use norn_litmus::{LitmusMachine, Program, Shape, generate, shrink};
use norn_models::ModelName;
use norn_oracle::{Graph, Model, is_consistent};
use std::collections::BTreeSet;
use support::explore_rf;
use support::graphs::{Collect, check_seeds};

/// Programs of each shape in an ordinary run.
const PROGRAMS: u64 = 1000;

fn has(summary: &Summary, kind: FaultKind) -> bool {
    summary.violations.iter().any(|violation| violation.fault.kind == kind)
}

/// What differs between the explorer and the oracle, if anything does.
fn difference(program: &Program, model: ModelName) -> Option<String> {
    let machine = LitmusMachine::new(program.clone());
    let mut collect = Collect { machine: &machine, complete: Vec::new() };
    let summary = explore_rf(&machine, model, &mut collect);
    let oracle = Model::from_name(model.name()).expect("the oracle knows all models");
    let expected = norn_oracle::executions(program, oracle);
    let racy = expected.complete.iter().any(|execution| execution.racy);
    if let Some(wrong) = collect.complete.iter().find(|graph| !is_consistent(oracle, graph)) {
        return Some(format!("the coherence order is no witness:\n{}", wrong.describe(program)));
    }
    let classes: BTreeSet<Graph> =
        expected.complete.iter().map(|execution| execution.graph.without_co()).collect();
    let visited = collect.complete.iter().map(Graph::without_co);
    let mut comparison = norn_oracle::compare(classes, visited);
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
    if summary.stale > 0 {
        return Some("an exploration died".to_owned());
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

fn check_many(shape: &Shape) {
    check_seeds(PROGRAMS, |seed| check(seed, shape, &ModelName::ALL));
}

#[test]
fn programs_with_everything_but_locks() {
    check_many(&Shape::default());
}

#[test]
fn programs_of_sequentially_consistent_accesses() {
    check_many(&Shape::seq_cst());
}

#[test]
fn programs_with_locks() {
    check_many(&Shape { max_actions: 8, ..Shape::locks() });
}

#[test]
fn programs_with_assumptions() {
    check_many(&Shape { assumes: true, max_actions: 8, ..Shape::default() });
}
