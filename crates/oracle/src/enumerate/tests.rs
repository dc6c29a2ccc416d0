use super::*;
use norn_litmus::{Shape, generate, print, read};
use std::collections::BTreeSet;

fn counts(text: &str) -> [usize; 5] {
    let program = read(text).unwrap();
    Model::ALL.map(|model| executions(&program, model).complete.len())
}

#[test]
fn n_additions_have_n_factorial_executions() {
    let mut text = String::from("C t\n{ }\n");
    for number in 0..4 {
        text.push_str(&format!("P{number} (atomic_int* x) {{ atomic_fetch_add(x, 1); }}\n"));
    }
    assert_eq!(counts(&text), [24; 5]);
}

#[test]
fn n_critical_sections_have_n_factorial_executions_and_none_blocked() {
    let mut text = String::from("C t\n{ }\n");
    for number in 0..4 {
        text.push_str(&format!("P{number} (spinlock_t* m) {{ spin_lock(m); spin_unlock(m); }}\n"));
    }
    assert_eq!(counts(&text), [24; 5]);
    let program = read(&text).unwrap();
    for model in Model::ALL {
        assert!(executions(&program, model).blocked.is_empty());
    }
}

#[test]
fn values_do_not_come_from_nowhere() {
    let text = "C t\n{ }\n\
        P0 (atomic_int* x, atomic_int* y) { int r0 = atomic_load_explicit(x, memory_order_relaxed); \
        atomic_store_explicit(y, r0, memory_order_relaxed); }\n\
        P1 (atomic_int* x, atomic_int* y) { int r0 = atomic_load_explicit(y, memory_order_relaxed); \
        atomic_store_explicit(x, r0, memory_order_relaxed); }\n";
    let program = read(text).unwrap();
    for model in Model::ALL {
        let all = executions(&program, model).complete;
        assert!(all.iter().all(|execution| execution.state.memory == [0, 0]));
        assert_eq!(all.len(), 3);
    }
}

#[test]
fn both_outcomes_of_a_compare_exchange() {
    let text = "C t\n{ }\nP0 (atomic_int* x) { *x = 1; }\n\
        P1 (atomic_int* x) { int r0 = 1; int r1 = atomic_compare_exchange_strong(x, &r0, 7); }\n";
    let program = read(text).unwrap();
    let states: BTreeSet<_> = (executions(&program, Model::Rc11).complete.into_iter())
        .map(|execution| (execution.state.registers[1].clone(), execution.state.memory))
        .collect();
    assert_eq!(states, BTreeSet::from([(vec![0, 0], vec![1]), (vec![1, 1], vec![7])]));
}

/// Stronger models allow fewer executions, and none repeats itself.
#[test]
fn models_are_ordered_by_strength() {
    for seed in 0..100 {
        let program = generate(seed, &Shape::default());
        let graphs = |model| -> BTreeSet<Graph> {
            let all = executions(&program, model).complete;
            let set: BTreeSet<Graph> =
                all.iter().map(|execution| execution.graph.clone()).collect();
            assert_eq!(set.len(), all.len(), "duplicates under {model:?}\n{}", print(&program));
            set
        };
        let [sc, tso, pso, ra, rc11] = Model::ALL.map(graphs);
        let text = || print(&program);
        assert!(sc.is_subset(&tso) && tso.is_subset(&pso), "{}", text());
        assert!(sc.is_subset(&ra) && sc.is_subset(&rc11), "{}", text());
    }
}

/// Cutting candidates short changes nothing: the axioms alone give the same executions.
#[test]
fn what_is_cut_short_is_implied_by_the_axioms() {
    let small = |shape| Shape { max_actions: 6, ..shape };
    for shape in [small(Shape::default()), small(Shape::locks())] {
        for seed in 0..150 {
            let program = generate(seed, &shape);
            for model in Model::ALL {
                let sets = [true, false].map(|prune| {
                    let Enumeration { complete, blocked, .. } = enumerate(&program, model, prune);
                    [complete, blocked].map(BTreeSet::from_iter)
                });
                assert_eq!(sets[0], sets[1], "{model:?}\n{}", print(&program));
            }
        }
    }
}
