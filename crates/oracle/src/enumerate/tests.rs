use super::*;
use norn_litmus::{Shape, generate, print, read};
use std::collections::BTreeSet;

const MODELS: usize = Model::ALL.len();

fn counts(text: &str) -> [usize; MODELS] {
    let program = read(text).unwrap();
    Model::ALL.map(|model| executions(&program, model).complete.len())
}

#[test]
fn n_additions_have_n_factorial_executions() {
    let mut text = String::from("C t\n{ }\n");
    for number in 0..4 {
        text.push_str(&format!("P{number} (atomic_int* x) {{ atomic_fetch_add(x, 1); }}\n"));
    }
    assert_eq!(counts(&text), [24; MODELS]);
}

#[test]
fn n_critical_sections_have_n_factorial_executions_and_none_blocked() {
    let mut text = String::from("C t\n{ }\n");
    for number in 0..4 {
        text.push_str(&format!("P{number} (spinlock_t* m) {{ spin_lock(m); spin_unlock(m); }}\n"));
    }
    assert_eq!(counts(&text), [24; MODELS]);
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

/// Complete and blocked executions of threads over `x`, `y` and an `int d`.
fn waits(initial: &str, threads: &[&str]) -> [(usize, usize); MODELS] {
    let mut text = format!("C t\n{{ {initial} }}\n");
    for (number, body) in threads.iter().enumerate() {
        let parameters = "atomic_int* x, atomic_int* y, int* d";
        text.push_str(&format!("P{number} ({parameters}) {{ {body} }}\n"));
    }
    let program = read(&text).unwrap();
    Model::ALL.map(|model| {
        let Enumeration { complete, blocked, .. } = executions(&program, model);
        assert!(complete.iter().all(|execution| !execution.racy));
        (complete.len(), blocked.len())
    })
}

#[test]
fn an_await_reads_what_passes_and_may_miss_it() {
    // Either order of the stores, and the last one may be the wrong one.
    let threads = ["*x = 1;", "*x = 2;", "int r0 = await_eq(x, 1);"];
    assert_eq!(waits("", &threads), [(2, 1); MODELS]);
    // What is there already passes; only one of the two later ones does.
    assert_eq!(waits("x = 3;", &["*x = 1;", "await_ge(x, 2);", "*x = 2;"]), [(4, 1); MODELS]);
}

#[test]
fn semaphores_let_as_many_pass_as_they_count() {
    let section = "await_ne_fetch_sub(x, 0, 1); atomic_fetch_add(x, 1);";
    assert_eq!(waits("x = 1;", &[section; 3]), [(6, 0); MODELS]);
    assert_eq!(waits("x = 0;", &[section; 2]), [(0, 1); MODELS]);
    assert_eq!(waits("x = 1;", &["await_ne_fetch_sub(x, 0, 1);"; 3]), [(0, 3); MODELS]);
}

#[test]
fn a_join_comes_after_the_whole_thread() {
    assert_eq!(waits("", &["*d = 1;", "join(P0); int r0 = *d;"]), [(1, 0); MODELS]);
    // Also through a thread that does nothing else.
    assert_eq!(waits("", &["*d = 1;", "join(P0);", "join(P1); int r0 = *d;"]), [(1, 0); MODELS]);
    assert_eq!(waits("", &["await_eq(x, 1);", "join(P0); *x = 1;"]), [(0, 1); MODELS]);
}

#[test]
fn a_join_is_a_full_fence_of_the_hardware_only() {
    let relaxed = |a, b, between| {
        format!(
            "atomic_store_explicit({a}, 1, memory_order_relaxed); {between} \
             int r0 = atomic_load_explicit({b}, memory_order_relaxed);"
        )
    };
    let threads = [relaxed("x", "y", "join(P2);"), relaxed("y", "x", "join(P3);")];
    let threads = [&threads[0], &threads[1], "", ""];
    assert_eq!(waits("", &threads).map(|(complete, _)| complete), [3, 3, 3, 4, 4, 4]);
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
        let [sc, tso, pso, ra, rc11, c20] = Model::ALL.map(graphs);
        let text = || print(&program);
        assert!(sc.is_subset(&tso) && tso.is_subset(&pso), "{}", text());
        assert!(sc.is_subset(&ra) && sc.is_subset(&rc11) && rc11.is_subset(&c20), "{}", text());
    }
}

/// What rc11 allows, c20 allows too, and some programs tell them apart.
#[test]
fn c20_is_weaker_than_rc11() {
    let mut differ = 0;
    for seed in 0..1500 {
        let program = generate(seed, &Shape::release_sequences());
        let graphs = |model| -> BTreeSet<Graph> {
            executions(&program, model).complete.into_iter().map(|found| found.graph).collect()
        };
        let (rc11, c20) = (graphs(Model::Rc11), graphs(Model::C20));
        assert!(rc11.is_subset(&c20), "{}", print(&program));
        differ += usize::from(rc11 != c20);
    }
    assert!(differ >= 5, "only {differ} programs differ");
}

/// Cutting candidates short changes nothing: the axioms alone give the same executions.
#[test]
fn what_is_cut_short_is_implied_by_the_axioms() {
    let small = |shape| Shape { max_actions: 6, ..shape };
    let shapes = [Shape::default(), Shape::locks(), Shape::semaphores(), Shape::waiting()];
    for shape in shapes.map(small) {
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
