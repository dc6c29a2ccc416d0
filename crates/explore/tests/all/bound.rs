//! Bounded search: what is visited and needs at most K preemptions is what the oracle's interleavings
//! give with at most K, each exactly once.
//!
//! `NORN_FUZZ_SECONDS=600` runs for as long as it is told, on fresh seeds from `NORN_FUZZ_SEED`
//! (default: the time). A failure is shrunk and printed as a litmus test.

use crate::support::differential::{canonical, for_each_seed};
use norn_action::FaultKind;
use norn_explore::{Bound, Explorer, Observer, Options, Summary, Trust, Violation, Visit};
use norn_litmus::{LitmusMachine, Program, Shape, generate, shrink};
use norn_models::Sc;
use norn_oracle::Interleavings;

/// Programs of each shape in an ordinary run.
const PROGRAMS: u64 = 800;

/// Collects complete executions in the oracle's form.
struct Collect<'m> {
    machine: &'m LitmusMachine,
    within: Vec<norn_oracle::Graph>,
    beyond: Vec<norn_oracle::Graph>,
}

impl Observer<LitmusMachine> for Collect<'_> {
    fn execution(&mut self, execution: &Visit<'_, LitmusMachine>) {
        let list = if execution.beyond_bound { &mut self.beyond } else { &mut self.within };
        list.push(canonical(self.machine, execution.graph, execution.locations));
    }
}

fn keep_going() -> Options {
    Options { keep_going: true, ..Options::default() }
}

fn bounded<'m>(machine: &'m LitmusMachine, preemptions: u32) -> (Summary, Collect<'m>) {
    let mut collect = Collect { machine, within: Vec::new(), beyond: Vec::new() };
    let bound = Bound { preemptions, strict: false };
    let summary = Trust::<_, Sc, _>::bounded(machine, keep_going(), bound).run(&mut collect);
    (summary, collect)
}

/// What differs between the search with bound `k` and the interleavings, if anything does.
fn difference(program: &Program, oracle: &Interleavings, k: u32) -> Option<String> {
    let machine = LitmusMachine::new(program.clone());
    let (summary, found) = bounded(&machine, k);
    let is_within = |needed: usize| needed <= k as usize;
    let expected = oracle.complete.iter().filter(|(_, s)| is_within(s.preemptions));
    let visits = found.within.len() + found.beyond.len();
    let beyond = found.beyond.len();
    let comparison = norn_oracle::compare(expected.map(|(graph, _)| graph.clone()), found.within);
    if !comparison.is_exact() {
        return Some(comparison.report(program));
    }
    let all = oracle.complete.iter().filter(|(_, s)| !is_within(s.preemptions));
    let comparison = norn_oracle::compare(all.map(|(graph, _)| graph.clone()), found.beyond);
    if !comparison.extra.is_empty() || !comparison.duplicates.is_empty() {
        return Some(format!("beyond the bound: {}", comparison.report(program)));
    }
    if (summary.executions, summary.figures.bound.unwrap_or_default().beyond)
        != (visits as u64, beyond as u64)
    {
        return Some("the numbers are not those of the visits".to_owned());
    }
    if summary.figures.bound.unwrap_or_default().discarded == 0 && visits != oracle.complete.len() {
        return Some("nothing was discarded and something is missing".to_owned());
    }
    if summary.figures.bound.unwrap_or_default().discarded == 0
        && summary.figures.bound.unwrap_or_default().blocked > 0
    {
        return Some("nothing was discarded and something is blocked by it".to_owned());
    }
    // A thread that is blocked at the end has no further events, so that leaving it earlier is free;
    // the interleavings count that. So there may be deadlocks here that they put beyond K.
    let deadlock = oracle.deadlocks.values().any(|s| is_within(s.preemptions));
    let reported = |v: &Violation| {
        matches!(v.fault.kind(), FaultKind::Deadlock | FaultKind::Livelock) && !v.beyond_bound
    };
    let stuck = summary.violations.iter().any(reported);
    if (deadlock && !stuck) || (stuck && oracle.deadlocks.is_empty()) {
        return Some(format!("deadlock: {stuck}"));
    }
    None
}

fn check(seed: u64, shape: &Shape) {
    let program = generate(seed, shape);
    let oracle = norn_oracle::interleavings(&program);
    for k in 0..=3 {
        if difference(&program, &oracle, k).is_some() {
            let again = |p: &Program| difference(p, &norn_oracle::interleavings(p), k);
            let small = shrink(program.clone(), |smaller| again(smaller).is_some());
            let what = again(&small).expect("the shrunk program still fails");
            panic!("seed {seed}, K = {k}:\n{}\n{what}", norn_litmus::print(&small));
        }
    }
}

/// Under sc modes mean nothing; fences are events and nothing else.
fn shape() -> Shape {
    Shape { fences: false, max_actions: 11, ..Shape::seq_cst() }
}

#[test]
fn programs_of_two_to_four_threads() {
    for_each_seed(PROGRAMS, |seed| check(seed, &shape()));
}

#[test]
fn programs_of_few_threads_that_do_more() {
    let shape = Shape { max_threads: 3, max_locations: 2, max_actions: 12, ..shape() };
    for_each_seed(PROGRAMS, |seed| check(seed, &shape));
}

#[test]
fn programs_with_fences() {
    for_each_seed(PROGRAMS / 2, |seed| {
        check(seed, &Shape { fences: true, max_actions: 10, ..shape() })
    });
}

#[test]
fn programs_with_locks() {
    let shape = Shape { max_mutexes: 2, max_actions: 10, ..shape() };
    for_each_seed(PROGRAMS, |seed| check(seed, &shape));
}

#[test]
fn programs_of_four_threads_and_a_lock() {
    let shape = Shape { min_threads: 4, max_mutexes: 1, rmws: false, max_actions: 11, ..shape() };
    for_each_seed(PROGRAMS, |seed| check(seed, &shape));
}

#[test]
fn programs_with_assumptions() {
    let shape = Shape { assumes: true, max_mutexes: 1, max_actions: 10, ..shape() };
    for_each_seed(PROGRAMS / 2, |seed| check(seed, &shape));
}

#[test]
fn programs_that_wait_for_values() {
    let shape = Shape { awaits: true, max_actions: 9, ..shape() };
    for_each_seed(PROGRAMS, |seed| check(seed, &shape));
}

#[test]
fn programs_with_semaphores_and_locks() {
    let shape = Shape { semaphores: true, max_mutexes: 1, max_actions: 9, ..shape() };
    for_each_seed(PROGRAMS, |seed| check(seed, &shape));
}

#[test]
fn programs_that_join() {
    let shape = Shape { joins: true, awaits: true, max_mutexes: 1, max_actions: 9, ..shape() };
    for_each_seed(PROGRAMS, |seed| check(seed, &shape));
}
