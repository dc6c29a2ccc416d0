//! Families of programs whose number of executions is known.

use crate::support::run;
use norn_models::ModelName;

fn litmus(locations: &str, threads: &[String]) -> norn_litmus::Program {
    let mut text = format!("C family\n\n{{ {locations} }}\n\n");
    for (index, body) in threads.iter().enumerate() {
        text += &format!(
            "P{index} (atomic_int* x, atomic_int* y, atomic_int* z, mutex* m) {{ {body} }}\n\n"
        );
    }
    text += "exists (x=0)\n";
    norn_litmus::read(&text).expect("a litmus test")
}

const LOCATIONS: &str = "[x] = 0; [y] = 0; [z] = 0; mutex m;";

fn factorial(n: u64) -> u64 {
    (1..=n).product()
}

#[test]
fn writers_and_a_reader_are_the_factorial_of_all() {
    for n in 1..=5u64 {
        let mut threads: Vec<String> = (1..=n)
            .map(|value| format!("atomic_store_explicit(x, {value}, memory_order_release);"))
            .collect();
        let reader = "int r0 = atomic_load_explicit(x, memory_order_acquire);".to_owned();
        for place in [0, threads.len()] {
            let mut all = threads.clone();
            all.insert(place, reader.clone());
            for model in ModelName::ALL {
                let found = run(&litmus(LOCATIONS, &all), model);
                assert_eq!(found.executions, factorial(n + 1), "{n} writers under {model}");
                assert_eq!(found.summary.blocked + found.summary.figures.stale, 0);
            }
        }
        threads.clear();
    }
}

#[test]
fn fetch_adds_are_the_factorial_of_the_threads() {
    for n in 1..=6u64 {
        let add = "int r0 = atomic_fetch_add_explicit(x, 1, memory_order_relaxed);".to_owned();
        let program = litmus(LOCATIONS, &vec![add; n as usize]);
        for model in ModelName::ALL {
            let found = run(&program, model);
            assert_eq!(found.executions, factorial(n), "{n} threads under {model}");
            assert_eq!(found.summary.blocked + found.summary.figures.stale, 0);
        }
    }
}

#[test]
fn locking_threads_are_their_factorial_and_never_block() {
    for n in 1..=6u64 {
        let program =
            litmus(LOCATIONS, &vec!["spin_lock(m); spin_unlock(m);".to_owned(); n as usize]);
        for model in ModelName::ALL {
            let found = run(&program, model);
            assert_eq!(found.executions, factorial(n), "{n} threads under {model}");
            assert_eq!(found.summary.blocked, 0, "{n} threads under {model}");
            assert_eq!(found.summary.figures.stale, 0, "{n} threads under {model}");
            assert!(found.summary.violations.is_empty());
        }
    }
}

#[test]
fn semaphores_are_no_worse_than_locks() {
    let takes = "await_ne_fetch_sub(x, 0, 1); atomic_fetch_add(x, 1);".to_owned();
    let reads = "await_ge_fetch_add(x, 0, 1); atomic_fetch_sub(x, 1);".to_owned();
    let writes = "await_eq_fetch_sub(x, 0, 100); atomic_fetch_add(x, 100);".to_owned();
    let four = |thread: &String| vec![thread.clone(); 4];
    let mixed = vec![writes.clone(), reads.clone(), writes, reads];
    for (initial, threads, expected) in
        [(1, four(&takes), 24), (2, four(&takes), 648), (0, mixed, 48)]
    {
        let program = litmus(&format!("[x] = {initial};"), &threads);
        for model in ModelName::ALL {
            let found = run(&program, model);
            let counted = (found.executions, found.summary.blocked, found.summary.figures.stale);
            assert_eq!(counted, (expected, 0, 0), "{threads:?} under {model}");
        }
    }
}

#[test]
fn locks_in_opposite_orders_deadlock_once() {
    let bodies = [
        "spin_lock(m); spin_lock(k); spin_unlock(k); spin_unlock(m);",
        "spin_lock(k); spin_lock(m); spin_unlock(m); spin_unlock(k);",
    ];
    let text = format!(
        "C abba\n{{ mutex m; mutex k; [x] = 0; }}\nP0 (mutex* m, mutex* k) {{ {} }}\nP1 (mutex* m, mutex* k) {{ {} }}\nexists (x=0)\n",
        bodies[0], bodies[1]
    );
    let program = norn_litmus::read(&text).expect("a litmus test");
    for model in ModelName::ALL {
        let found = run(&program, model);
        assert_eq!(found.executions, 2, "{model}");
        assert_eq!(found.summary.blocked, 1, "{model}");
        assert_eq!(found.summary.violations.len(), 1, "{model}");
    }
}
