//! Threads that are alike: of the executions that are the same up to exchanging them, exactly one is visited, and
//! nothing that is wrong is missed.

use crate::corpus::faults;
use crate::support::differential::{Collect, check_many_by, defines_races, has};
use crate::support::explore_with;
use crate::support::searches::{compare_lives, compare_workers, keep_going};
use crate::support::slow::Slow;
use norn_action::FaultKind;
use norn_explore::{Algorithm, Observer, Options, Summary, Trust};
use norn_litmus::{LitmusMachine, Program, Shape, generate};
use norn_models::{ModelName, Rc11, Sc};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};

/// Which threads of a program there are, and how often.
type Pattern = &'static [usize];

const PAIR: Pattern = &[0, 0];
const THREE: Pattern = &[0, 0, 0];
const FOUR: Pattern = &[0, 0, 0, 0];
const PAIR_AND_OTHER: Pattern = &[0, 0, 1];
const AROUND_ANOTHER: Pattern = &[0, 1, 0];
const TWO_PAIRS: Pattern = &[0, 1, 0, 1];
const THREE_AND_OTHER: Pattern = &[1, 0, 0, 0];

/// The program with these of its threads.
fn repeated(program: &Program, pattern: Pattern) -> Program {
    let count = program.threads.len();
    let threads = pattern.iter().map(|&index| program.threads[index % count].clone()).collect();
    Program { threads, observed: Vec::new(), filter: None, condition: None, ..program.clone() }
}

/// All ways to exchange threads that are alike.
fn exchanges(program: &Program) -> Vec<Vec<u32>> {
    let threads = &program.threads;
    let mut all: Vec<Vec<u32>> = vec![Vec::new()];
    for thread in threads {
        let alike = |other: usize| threads[other] == *thread;
        let extended = all.iter().flat_map(|names| {
            let free = (0..threads.len() as u32).filter(|name| !names.contains(name));
            free.filter(|&name| alike(name as usize)).map(|name| [&names[..], &[name]].concat())
        });
        all = extended.collect();
    }
    all
}

/// What stands for all that an execution can be exchanged for.
fn class(graph: &norn_oracle::Graph, exchanges: &[Vec<u32>]) -> norn_oracle::Graph {
    exchanges.iter().map(|names| graph.renamed(names)).min().expect("itself")
}

fn compare(
    what: &str,
    program: &Program,
    expected: &[norn_oracle::Graph],
    visited: &[norn_oracle::Graph],
) -> Option<String> {
    let exchanges = exchanges(program);
    let expected: BTreeSet<_> = expected.iter().map(|graph| class(graph, &exchanges)).collect();
    let mut seen: BTreeMap<norn_oracle::Graph, u32> = BTreeMap::new();
    for graph in visited {
        *seen.entry(class(graph, &exchanges)).or_default() += 1;
    }
    if let Some((graph, count)) = seen.iter().find(|(_, count)| **count > 1) {
        return Some(format!("{what}: visited {count} times:\n{}", graph.describe(program)));
    }
    if let Some(graph) = expected.iter().find(|graph| !seen.contains_key(graph)) {
        return Some(format!("{what}: missed:\n{}", graph.describe(program)));
    }
    let wrong = seen.keys().find(|graph| !expected.contains(graph))?;
    Some(format!("{what}: none of the oracle's:\n{}", wrong.describe(program)))
}

/// Explores a program to the end, or until there are too many executions to compare.
fn explore(
    machine: &LitmusMachine,
    model: ModelName,
    symmetry: bool,
    observer: &mut dyn Observer<LitmusMachine>,
) -> Summary {
    let max_executions = Some(MOST);
    let options = Options { keep_going: true, symmetry, max_executions, ..Options::default() };
    explore_with(Algorithm::Trust, machine, model, &options, observer)
}

/// What differs from what is visited without the reduction, which is compared with the oracle elsewhere. `known` counts searches
/// that say how many executions those that they visited stand for.
fn difference(program: &Program, model: ModelName, known: &AtomicU64) -> Option<String> {
    let machine = LitmusMachine::new(program.clone());
    let (mut all, mut reduced) = (Collect::new(&machine), Collect::new(&machine));
    let expected = explore(&machine, model, false, &mut all);
    if expected.stopped.is_some() {
        return None;
    }
    let summary = explore(&machine, model, true, &mut reduced);
    let others = summary.figures.alike.others();
    if let Some(others) = others
        && !has(&expected, FaultKind::DataRace)
        && others + u128::from(summary.executions) != u128::from(expected.executions)
    {
        return Some(format!(
            "{} executions and {others} others instead of {}",
            summary.executions, expected.executions
        ));
    }
    known.fetch_add(u64::from(others.is_some_and(|others| others > 0)), Ordering::Relaxed);
    let racy = has(&expected, FaultKind::DataRace);
    if faults(&summary) != faults(&expected) {
        return Some(format!("{:?} instead of {:?}", faults(&summary), faults(&expected)));
    }
    if racy && !defines_races(model) {
        return None;
    }
    compare("complete", program, &all.complete, &reduced.complete)
        .or_else(|| compare("waiting", program, &all.stuck, &reduced.stuck))
}

fn random(shape: &Shape, pattern: Pattern, max_actions: usize) {
    let (max_threads, min_threads) = (pattern.iter().max().expect("a thread") + 1, 1);
    let shape = Shape { min_threads, max_threads, max_actions, ..shape.clone() };
    let known = AtomicU64::new(0);
    check_many_by(PROGRAMS, &shape, &ModelName::ALL, &|program, model| {
        let program = repeated(program, pattern);
        difference(&program, model, &known)
            .map(|what| format!("{}\n{what}", norn_litmus::print(&program)))
    });
    assert!(known.into_inner() > PROGRAMS, "few searches say what they stand for");
}

/// Random programs of each shape in an ordinary run.
const PROGRAMS: u64 = 40;

/// Programs with more executions than this are left out.
const MOST: u64 = 1000;

macro_rules! patterns {
    ($($name:ident: $pattern:expr, $actions:expr;)*) => {$(
        mod $name {
            use super::*;

            #[test]
            fn programs_with_everything_but_locks() {
                random(&Shape::default(), $pattern, $actions);
            }

            #[test]
            fn programs_of_sequentially_consistent_accesses() {
                random(&Shape::seq_cst(), $pattern, $actions);
            }

            #[test]
            fn programs_with_locks() {
                random(&Shape::locks(), $pattern, $actions);
            }

            #[test]
            fn programs_with_assumptions() {
                random(&Shape { assumes: true, ..Shape::default() }, $pattern, $actions);
            }

            #[test]
            fn programs_with_everything_that_waits() {
                random(&Shape { joins: false, ..Shape::waiting() }, $pattern, $actions);
            }
        }
    )*};
}

patterns! {
    pair: PAIR, 6;
    three: THREE, 4;
    four: FOUR, 3;
    pair_and_other: PAIR_AND_OTHER, 6;
    around_another: AROUND_ANOTHER, 6;
    two_pairs: TWO_PAIRS, 5;
    three_and_other: THREE_AND_OTHER, 5;
}

/// A program of threads that are alike, and what else is in it.
fn slow(seed: u64) -> Slow {
    let shape = match seed % 3 {
        0 => Shape::default(),
        1 => Shape::locks(),
        _ => Shape { joins: false, ..Shape::waiting() },
    };
    let shape = Shape { min_threads: 1, max_threads: 2, max_actions: 5, ..shape };
    let program = generate(seed, &shape);
    let pattern = [PAIR_AND_OTHER, TWO_PAIRS, AROUND_ANOTHER][seed as usize / 3 % 3];
    Slow::new(LitmusMachine::new(repeated(&program, pattern)))
}

fn reduced() -> Options {
    Options { symmetry: true, ..keep_going() }
}

#[test]
fn three_workers_visit_what_one_visits() {
    let mut shared = 0;
    for seed in 0..60 {
        let machine = slow(seed);
        let what = format!("seed {seed}");
        let search = || Trust::<_, Rc11>::new(&machine, reduced());
        shared += usize::from(compare_workers(search, true, &what));
    }
    assert!(shared > 12, "only {shared} of 60 searches were shared");
}

#[test]
fn nothing_is_lost_or_visited_twice_when_a_search_is_saved() {
    for seed in 0..40 {
        let machine = slow(seed);
        let search = |options| Trust::<_, Sc>::new(&machine, Options { symmetry: true, ..options });
        compare_lives(search, true, seed, &format!("seed {seed}"));
    }
}
