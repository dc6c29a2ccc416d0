use super::*;
use crate::{Model, executions, is_consistent};
use norn_litmus::{Shape, generate, print, read};
use std::collections::BTreeSet;

fn run(threads: &[&str]) -> Interleavings {
    let mut text = String::from("C t\n{ }\n");
    for (number, body) in threads.iter().enumerate() {
        let parameters = "atomic_int* x, atomic_int* y, spinlock_t* m, spinlock_t* n";
        text.push_str(&format!("P{number} ({parameters}) {{ {body} }}\n"));
    }
    interleavings(&read(&text).unwrap())
}

fn preemptions(result: &Interleavings) -> Vec<usize> {
    let mut all: Vec<usize> = result.complete.values().map(|s| s.preemptions).collect();
    all.sort_unstable();
    all
}

#[test]
fn store_buffering_needs_a_preemption_only_when_both_reads_are_late() {
    let body = |a, b| format!("*{a} = 1; int r0 = *{b};");
    let result = run(&[&body("x", "y"), &body("y", "x")]);
    // Either thread first, or both stores before both loads.
    assert_eq!(preemptions(&result), [0, 0, 1]);
}

#[test]
fn a_switch_at_a_taken_mutex_is_no_preemption() {
    let result = run(&["spin_lock(m); *x = 1; spin_unlock(m);", "spin_lock(m); spin_unlock(m);"]);
    assert_eq!(preemptions(&result), [0, 0]);
    assert!(result.deadlocks.is_empty());
}

#[test]
fn mutexes_in_different_orders_deadlock() {
    let first = "spin_lock(m); spin_lock(n); spin_unlock(n); spin_unlock(m);";
    let second = "spin_lock(n); spin_lock(m); spin_unlock(m); spin_unlock(n);";
    let result = run(&[first, second]);
    assert_eq!((result.complete.len(), result.deadlocks.len()), (2, 1));
    assert_eq!(run(&[first, first]).deadlocks.len(), 0);
}

#[test]
fn a_failed_assumption_is_neither_complete_nor_a_deadlock() {
    let result = run(&["*x = 1;", "int r0 = *x; assume(r0);"]);
    assert_eq!((result.complete.len(), result.abandoned.len(), result.deadlocks.len()), (1, 1, 0));
}

/// How many random programs of each shape: `NORN_PROGRAMS`, if set.
fn programs() -> u64 {
    std::env::var("NORN_PROGRAMS").map_or(150, |text| text.parse().expect("a number"))
}

/// The graphs of interleavings are exactly those that satisfy the axioms of sc.
#[test]
fn interleavings_are_the_axiomatic_executions() {
    let assumes = Shape { assumes: true, ..Shape::locks() };
    let mixed = Shape { assumes: true, ..Shape::waiting() };
    let waiting = [Shape::awaits(), Shape::semaphores(), Shape::joins(), Shape::waiting(), mixed];
    let others = [Shape::default(), Shape::seq_cst(), Shape::locks(), assumes];
    for shape in others.into_iter().chain(waiting) {
        for seed in 0..programs() {
            let program = generate(seed, &shape);
            let operational = interleavings(&program);
            let axiomatic = executions(&program, Model::Sc);
            let pairs = [
                (&operational.complete, &axiomatic.complete),
                (&operational.deadlocks, &axiomatic.blocked),
                (&operational.abandoned, &axiomatic.abandoned),
            ];
            for (operational, axiomatic) in pairs {
                let found: BTreeSet<_> = axiomatic.iter().map(|e| (&e.graph, &e.state)).collect();
                assert_eq!(found.len(), axiomatic.len(), "duplicates\n{}", print(&program));
                let expected: BTreeSet<_> =
                    operational.iter().map(|(graph, s)| (graph, &s.state)).collect();
                assert_eq!(found, expected, "{}", print(&program));
            }
            assert!(operational.complete.keys().all(|graph| is_consistent(Model::Sc, graph)));
        }
    }
}

/// Every schedule on its own, without merging states.
fn fewest_preemptions(state: &State, last: Option<usize>, fewest: &mut BTreeMap<Graph, usize>) {
    let threads = || (0..state.threads.len()).filter(|&thread| state.can_move(thread));
    for thread in threads() {
        let mut next = state.clone();
        next.preemptions += usize::from(threads().any(|t| Some(t) == last && t != thread));
        next.take_step(thread);
        fewest_preemptions(&next, Some(thread), fewest);
    }
    if threads().count() == 0 {
        let found = fewest.entry(state.graph.clone()).or_insert(usize::MAX);
        *found = state.preemptions.min(*found);
    }
}

#[test]
fn merging_states_keeps_the_fewest_preemptions() {
    let small = |shape| Shape { max_actions: 7, max_threads: 3, ..shape };
    let mut most = 0;
    for shape in [Shape::default(), Shape::locks(), Shape::waiting()].map(small) {
        for seed in 0..200 {
            let program = generate(seed, &shape);
            let mut expected = BTreeMap::new();
            fewest_preemptions(&State::new(&program), None, &mut expected);
            let Interleavings { complete, deadlocks, .. } = interleavings(&program);
            let found: BTreeMap<Graph, usize> = (complete.into_iter().chain(deadlocks))
                .map(|(graph, scheduled)| (graph, scheduled.preemptions))
                .collect();
            most = found.values().copied().fold(most, usize::max);
            assert_eq!(found, expected, "{}", print(&program));
        }
    }
    assert!(most >= 2, "no program needed more than {most} preemptions");
}
