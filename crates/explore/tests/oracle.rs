//! Random programs: what the explorer visits is what the oracle enumerates, each exactly once.
//!
//! `NORN_FUZZ_SECONDS=600` runs for as long as it is told, on fresh seeds from `NORN_FUZZ_SEED`
//! (default: the time). A failure is shrunk and printed as a litmus test.

mod support;

use norn_action::FaultKind;
use norn_explore::{Execution, Observer, Summary};
use norn_litmus::{LitmusMachine, Program, Shape, generate, shrink};
use norn_models::ModelName;
use norn_oracle::Model;
use support::explore;
use support::fuzz::canonical;

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
    let comparison = norn_oracle::compare(
        expected.complete.into_iter().map(|execution| execution.graph),
        collect.complete,
    );
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

/// Runs a shape under the models.
fn check_many(shape: &Shape, models: &[ModelName]) {
    support::fuzz::for_each_seed(PROGRAMS, |seed| check(seed, shape, models));
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
