//! Programs whose threads wait and that once went wrong: how many executions each has, which the oracle confirms.

use crate::support::engine::{On, TRUST};
use norn_models::ModelName;

/// The executions of `threads` over `x`, `y` and mutexes `m` and `n`, which the oracle must confirm.
fn executions(threads: &[&str], model: ModelName) -> u64 {
    let mut text = String::from("C t\n{ }\n");
    for (number, body) in threads.iter().enumerate() {
        let parameters = "atomic_int* x, atomic_int* y, spinlock_t* m, spinlock_t* n";
        text.push_str(&format!("P{number} ({parameters}) {{ {body} }}\n"));
    }
    let program = norn_litmus::read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    if let Some(what) = TRUST.difference(On::Saving, &program, model) {
        panic!("under {model}: {what}\n{text}");
    }
    TRUST.run(On::Saving, &program, model).summary.executions
}

/// Under pso a join orders what its thread did, even if all of it is known already.
#[test]
fn a_join_of_a_thread_whose_last_write_was_read() {
    let relaxed = "atomic_store_explicit(x, 1, memory_order_relaxed); \
                   atomic_store_explicit(y, 1, memory_order_relaxed);";
    let joins = "int r0 = *y; join(P1); int r1 = *x;";
    for model in ModelName::ALL {
        assert_eq!(executions(&[joins, relaxed], model), 2, "{model}");
    }
}

/// But not what others did before the writes that its thread has read.
#[test]
fn a_join_of_a_thread_that_has_read_from_another() {
    let relaxed = "atomic_store_explicit(x, 1, memory_order_relaxed); \
                   atomic_store_explicit(y, 1, memory_order_relaxed);";
    let reads = "int r0 = atomic_load_explicit(y, memory_order_relaxed);";
    let joins = "join(P1); int r0 = atomic_load_explicit(x, memory_order_relaxed);";
    let counts = ModelName::ALL.map(|model| executions(&[relaxed, reads, joins], model));
    assert_eq!(counts, [3, 3, 4, 3, 4, 4]);
}

/// An await that was displaced must not read again what came before the write that displaced it.
#[test]
fn an_await_that_is_overtaken_by_a_write_that_passes_and_one_that_does_not() {
    let twice = "atomic_fetch_sub(x, 0); *x = 0;";
    for model in ModelName::ALL {
        assert_eq!(executions(&["*x = 1;", "await_ge(x, 1);", twice], model), 4, "{model}");
    }
}

/// A read-modify-write that waits and is displaced by a store must not be satisfied by a write that
/// does not come after that store.
#[test]
fn an_exchange_that_waits_among_stores() {
    let threads = ["await_eq_exchange(x, 0, 0);", "*x = 1;", "*x = 0;"];
    for model in ModelName::ALL {
        assert_eq!(executions(&threads, model), 4, "{model}");
    }
}

/// A displaced lock must not be taken again from a write that was there before it.
#[test]
fn a_lock_that_is_overtaken_by_a_section_with_a_read() {
    let section = "spin_lock(m); int r0 = *y; spin_unlock(m);";
    let threads = ["spin_lock(m); spin_unlock(m);", section, "*y = 1;"];
    for model in ModelName::ALL {
        assert_eq!(executions(&threads, model), 4, "{model}");
    }
}
