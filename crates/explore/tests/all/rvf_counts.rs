//! Programs whose number of maximal traces under `rvf` is known.

use crate::support::{explore, explore_by, explore_rf};
use norn_explore::{Aids, Algorithm, Summary};
use norn_litmus::{LitmusMachine, read};
use norn_models::ModelName;

fn machine(threads: &[String]) -> LitmusMachine {
    let mut text = "C family\n\n{ [x] = 0; [y] = 0; mutex m; mutex k; }\n\n".to_owned();
    for (index, body) in threads.iter().enumerate() {
        text += &format!(
            "P{index} (atomic_int* x, atomic_int* y, mutex* m, mutex* k) {{ {body} }}\n\n"
        );
    }
    LitmusMachine::new(read(&(text + "exists (x=0)\n")).expect("a litmus test"))
}

fn rvf(threads: &[String]) -> Summary {
    let machine = machine(threads);
    explore_by(Algorithm::Rvf(Aids::default()), &machine, ModelName::Sc, &mut ())
}

fn store(to: &str, value: u32) -> String {
    format!("atomic_store_explicit({to}, {value}, memory_order_seq_cst);")
}

fn load(register: u32, from: &str) -> String {
    format!("int r{register} = atomic_load_explicit({from}, memory_order_seq_cst);")
}

/// Figure 1 of the paper: execution graphs, reads-from relations and values.
#[test]
fn one_value_is_one_trace() {
    let both = store("x", 1) + &store("y", 1);
    let threads = [both.clone(), both.clone() + &load(0, "x"), both + &load(0, "y")];
    let machine = machine(&threads);
    assert_eq!(explore(&machine, ModelName::Sc, &mut ()).executions, 98);
    assert_eq!(explore_rf(&machine, ModelName::Sc, &mut ()).executions, 9);
    assert_eq!(rvf(&threads).executions, 1);
}

/// Figure 6 of the paper: a write that is found below a node lets another of its reads be tried.
#[test]
fn a_signal_leads_to_the_second_trace() {
    let threads = [
        store("x", 1) + &load(0, "x") + &store("y", 1),
        store("x", 1) + &store("y", 1) + &load(0, "y") + &store("x", 2),
    ];
    let found = rvf(&threads);
    assert_eq!((found.executions, found.blocked, found.figures.stale), (2, 0, 0));
}

/// The programs of figure 13: one value for any number of writers and readers.
#[test]
fn many_writers_of_one_value_are_one_trace() {
    for n in 1..=8 {
        let threads = vec![store("x", 1) + &load(0, "x"); n];
        let found = rvf(&threads);
        assert_eq!((found.executions, found.figures.stale), (1, 0), "{n} threads");
    }
}

/// A lock that is taken reads from a release that is there, so orders of sections differ in which acquire causally
/// precedes which; all the more if what is read in them tells.
#[test]
fn sections_are_the_factorial_of_the_threads() {
    let count = load(0, "x") + "atomic_store_explicit(x, r0 + 1, memory_order_seq_cst);";
    for (n, factorial) in [(1, 1), (2, 2), (3, 6), (4, 24), (5, 120)] {
        for inside in ["", &count] {
            let section = format!("spin_lock(m); {inside} spin_unlock(m);");
            assert_eq!(rvf(&vec![section; n]).executions, factorial, "{n} threads: {inside}");
        }
    }
}

#[test]
fn locks_in_opposite_orders_deadlock_once() {
    let threads = [
        "spin_lock(m); spin_lock(k); spin_unlock(k); spin_unlock(m);".to_owned(),
        "spin_lock(k); spin_lock(m); spin_unlock(m); spin_unlock(k);".to_owned(),
    ];
    let found = rvf(&threads);
    assert_eq!((found.executions, found.blocked), (2, 1));
    assert_eq!(found.violations.len(), 1);
}

/// Signals work for reads that wait, too: without them there would be a node for each set of waiting threads.
#[test]
fn many_that_wait_for_one_are_one_trace() {
    let mut threads = vec!["await_eq_explicit(x, 1, memory_order_seq_cst);".to_owned(); 8];
    threads.push(store("x", 1));
    let found = rvf(&threads);
    assert_eq!((found.executions, found.blocked, found.figures.stale), (1, 0, 0));
}

/// The heart of `unverif`. A load gives nothing to the additions that wait for another addition.
#[test]
fn reads_that_give_nothing_are_not_tried_in_vain() {
    let count = "int r0 = atomic_fetch_add_explicit(x, 1, memory_order_seq_cst);".to_owned();
    for (n, squared_factorial) in [(1, 1), (2, 4), (3, 36), (4, 576)] {
        let found = rvf(&vec![count.clone() + &load(1, "x"); n]);
        assert_eq!((found.executions, found.figures.stale), (squared_factorial, 0), "{n} threads");
    }
}

/// Two that read both locations and write one each, as in `fib_bench`, and one that only looks.
#[test]
fn who_only_looks_lets_nobody_go_on() {
    let both = load(0, "x") + &load(1, "y");
    let sum = |to: &str| {
        both.clone() + &format!("atomic_store_explicit({to}, r0 + r1 + 1, memory_order_seq_cst);")
    };
    let threads = [sum("x"), sum("y"), both.clone()];
    let found = rvf(&threads);
    let by_source = explore_rf(&machine(&threads), ModelName::Sc, &mut ());
    assert_eq!((found.executions, found.figures.stale), (by_source.executions, 0));
}
