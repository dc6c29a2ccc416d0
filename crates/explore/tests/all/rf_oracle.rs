//! Random programs: the reads-from relations that `rf` visits are those of the oracle's executions,
//! each exactly once, and its coherence orders are witnesses.

use crate::support::differential::{Collect, check_many_by, defines_races, has};
use crate::support::explore_rf;
use norn_action::FaultKind;
use norn_explore::Summary;
use norn_litmus::{LitmusMachine, Program, Shape};
use norn_models::ModelName;
use norn_oracle::{Graph, Model, is_consistent};
use std::collections::BTreeSet;

/// Programs of each shape in an ordinary run.
const PROGRAMS: u64 = 800;

/// What differs between `rf` and the oracle, if anything does.
fn difference(program: &Program, model: ModelName) -> Option<String> {
    let machine = LitmusMachine::new(program.clone());
    let mut collect = Collect::new(&machine);
    let summary = explore_rf(&machine, model, &mut collect);
    difference_of_relations(program, model, collect, &summary)
}

/// What differs between the reads-from relations that were visited and those of the oracle.
pub(crate) fn difference_of_relations(
    program: &Program,
    model: ModelName,
    collect: Collect<'_>,
    summary: &Summary,
) -> Option<String> {
    let oracle = Model::from_name(model.name()).expect("the oracle knows all models");
    let expected = norn_oracle::executions(program, oracle);
    let racy = expected.complete.iter().any(|execution| execution.racy);
    if let Some(wrong) = collect.complete.iter().find(|graph| !is_consistent(oracle, graph)) {
        return Some(format!("the coherence order is no witness:\n{}", wrong.describe(program)));
    }
    let complete = expected.complete.iter().map(|execution| execution.graph.without_co());
    let visited = collect.complete.iter().map(Graph::without_co);
    let mut comparison = norn_oracle::compare(complete.collect::<BTreeSet<_>>(), visited);
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
    let blocked: Vec<Graph> = match model {
        ModelName::Sc => norn_oracle::interleavings(program).deadlocks.into_keys().collect(),
        _ => expected.blocked.into_iter().map(|execution| execution.graph).collect(),
    };
    let reported = has(summary, FaultKind::Deadlock) || has(summary, FaultKind::Livelock);
    if reported == blocked.is_empty() {
        return Some(format!("somebody waits for ever: {reported} instead of {}", !reported));
    }
    let blocked: BTreeSet<Graph> = blocked.iter().map(Graph::without_co).collect();
    let comparison = norn_oracle::compare(blocked, collect.stuck.iter().map(Graph::without_co));
    (!comparison.is_exact()).then(|| format!("waiting: {}", comparison.report(program)))
}

/// As [`difference`], and no exploration is in vain.
fn difference_or_vain(program: &Program, model: ModelName) -> Option<String> {
    let machine = LitmusMachine::new(program.clone());
    let stale = explore_rf(&machine, model, &mut ()).figures.stale;
    (stale > 0).then(|| format!("{stale} explorations died")).or_else(|| difference(program, model))
}

/// As [`difference_or_vain`], and not even a schedule is in vain.
fn difference_or_dead(program: &Program, model: ModelName) -> Option<String> {
    let machine = LitmusMachine::new(program.clone());
    let dead = explore_rf(&machine, model, &mut ()).figures.rf.unwrap_or_default().dead;
    let died = (dead > 0).then(|| format!("{dead} schedules died"));
    died.or_else(|| difference_or_vain(program, model))
}

/// A schedule of `w` for a read is inconsistent under ra only if `w` has a place in coherence order that it
/// cannot leave, as the write of a read-modify-write has.
#[test]
fn programs_of_reads_and_writes() {
    let shape = Shape { rmws: false, ..Shape::default() };
    check_many_by(PROGRAMS, &shape, &[ModelName::Ra], difference_or_dead);
}

#[test]
fn programs_with_everything_but_locks() {
    check_many_by(PROGRAMS, &Shape::default(), &ModelName::ALL, difference_or_vain);
}

#[test]
fn programs_of_sequentially_consistent_accesses() {
    check_many_by(PROGRAMS, &Shape::seq_cst(), &ModelName::ALL, difference_or_vain);
}

#[test]
fn programs_with_release_sequences() {
    let models = [ModelName::Rc11, ModelName::C20];
    check_many_by(PROGRAMS, &Shape::release_sequences(), &models, difference_or_vain);
}

#[test]
fn programs_with_locks() {
    let shape = Shape { max_actions: 8, ..Shape::locks() };
    check_many_by(PROGRAMS, &shape, &ModelName::ALL, difference_or_vain);
}

#[test]
fn programs_with_assumptions() {
    let shape = Shape { assumes: true, max_actions: 8, ..Shape::default() };
    check_many_by(PROGRAMS, &shape, &ModelName::ALL, difference_or_vain);
}

#[test]
fn programs_with_joins() {
    check_many_by(PROGRAMS, &Shape::joins(), &ModelName::ALL, difference_or_vain);
}

#[test]
fn programs_with_semaphores() {
    check_many_by(PROGRAMS, &Shape::semaphores(), &ModelName::ALL, difference);
}

#[test]
fn programs_with_awaits() {
    check_many_by(PROGRAMS, &Shape::awaits(), &ModelName::ALL, difference);
}

#[test]
fn programs_with_everything_that_waits() {
    check_many_by(PROGRAMS, &Shape::waiting(), &ModelName::ALL, difference);
}
