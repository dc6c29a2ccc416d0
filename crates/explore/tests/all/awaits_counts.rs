//! The programs of the paper's figures, and families whose number of traces is known.

use norn_explore::{Awaits, Conflicts, Explorer, Options, Summary};
use norn_litmus::{LitmusMachine, read};
use norn_models::Sc;

fn explore(threads: &[&str], conflicts: Conflicts) -> Summary {
    explore_from("[x] = 0; [y] = 0; [z] = 0;", threads, conflicts)
}

fn explore_from(initial: &str, threads: &[&str], conflicts: Conflicts) -> Summary {
    let mut text = format!("C figure\n\n{{ {initial} mutex m; }}\n\n");
    for (index, body) in threads.iter().enumerate() {
        text += &format!(
            "P{index} (atomic_int* x, atomic_int* y, atomic_int* z, mutex* m) {{ {body} }}\n\n"
        );
    }
    let machine = LitmusMachine::new(read(&(text + "exists (x=0)\n")).expect("a litmus test"));
    let options = Options { keep_going: true, ..Options::default() };
    Awaits::<_, Sc>::new(&machine, options, conflicts).run(&mut ())
}

/// Complete executions, those in which somebody waits, and those that were cut off.
fn numbers(summary: &Summary) -> [u64; 3] {
    [summary.executions, summary.blocked, summary.figures.stale]
}

fn weak(threads: &[&str]) -> [u64; 3] {
    numbers(&explore(threads, Conflicts::Weak))
}

/// Figure 1: a network that sorts three numbers in two rounds.
#[test]
fn a_sorting_network_is_one_trace() {
    let sort = |a: &str, b: &str| {
        format!(
            "int r0 = atomic_load({a}); int r1 = atomic_load({b}); \
             if (r0 > r1) {{ atomic_store({a}, r1); atomic_store({b}, r0); }}"
        )
    };
    let p = format!(
        "{first} atomic_store(y, 1); int r9 = await_eq(y, 2); {second}",
        first = sort("x", "z"),
        second = "int r2 = atomic_load(x); int r3 = atomic_load(z); \
                  if (r2 > r3) { atomic_store(x, r3); atomic_store(z, r2); }"
    );
    let q = format!("int r8 = await_eq(y, 1); {} atomic_store(y, 2);", sort("z", "w"));
    let text = |body: &str| {
        format!("(atomic_int* w, atomic_int* x, atomic_int* y, atomic_int* z) {{ {body} }}")
    };
    let program = format!(
        "C sort\n\n{{ [w] = 1; [x] = 3; [y] = 0; [z] = 2; }}\n\nP0 {}\n\nP1 {}\n\nexists (x=1)\n",
        text(&p),
        text(&q)
    );
    let machine = LitmusMachine::new(read(&program).expect("a litmus test"));
    let options = Options { keep_going: true, ..Options::default() };
    let found = Awaits::<_, Sc>::new(&machine, options, Conflicts::Weak).run(&mut ());
    assert_eq!(numbers(&found), [1, 0, 0]);
}

/// Figure 2: a loop as an assumption (b) and as a wait (c).
#[test]
fn a_wait_has_no_trace_in_which_it_comes_too_early() {
    let q = "atomic_store(x, 1);";
    assert_eq!(
        weak(&["int r0 = atomic_load(x); assume(r0 == 1); atomic_store(y, 1);", q]),
        [1, 1, 0]
    );
    assert_eq!(weak(&["int r0 = await_eq(x, 1); atomic_store(y, 1);", q]), [1, 0, 0]);
}

/// Figure 3: two threads that write both variables.
#[test]
fn two_writes_each_are_four_traces() {
    let threads =
        ["atomic_store(x, 1); atomic_store(y, 1);", "atomic_store(x, 2); atomic_store(y, 2);"];
    assert_eq!(weak(&threads), [4, 0, 0]);
}

/// Figure 4: a wait that two writes satisfy, the initial one among them.
#[test]
fn a_wait_is_reversed_with_the_write_before_which_it_was_possible() {
    let threads =
        ["atomic_store(x, 1); atomic_store(x, 0);", "int r0 = await_eq(x, 0); atomic_store(y, 1);"];
    assert_eq!(weak(&threads), [2, 0, 0]);
}

/// Figure 5: which updates come before a wait has to be found among their subsets. In the other execution the
/// thread waits for ever.
#[test]
fn updates_are_left_out_until_a_wait_is_possible() {
    let add = |amount: u32| format!("atomic_fetch_add(x, {amount});");
    let (p, r) = (add(1), add(3));
    let threads = [&p, &p, &r, "int r0 = await_eq(x, 3); atomic_store(y, 1);"];
    assert_eq!(weak(&threads), [1, 1, 0]);
}

/// Figure 6 (b): the loop goes round without an effect if it reads more than 4.
#[test]
fn an_iteration_without_effect_is_an_assumption() {
    let p = "int r0 = atomic_load(x); assume(r0 < 5); int r1 = atomic_load(y); \
             if (r0 == 4) { atomic_store(z, 1); }";
    let found =
        explore_from("[x] = 5; [y] = 0; [z] = 0;", &[p, "atomic_store(x, 4);"], Conflicts::Weak);
    assert_eq!(numbers(&found), [1, 1, 0]);
}

/// Updates of one location are one trace; as many as their orders if someone looks at their answers.
#[test]
fn updates_commute_unless_their_answers_are_looked_at() {
    let factorials = [1, 1, 2, 6, 24, 120, 720];
    for (n, orders) in factorials.into_iter().enumerate().skip(1) {
        let blind = vec!["atomic_fetch_add(x, 1);"; n];
        assert_eq!(weak(&blind), [1, 0, 0], "{n} threads");
        let standard = explore(&blind, Conflicts::Standard);
        assert_eq!(numbers(&standard), [orders, 0, 0], "{n} threads");
        let looked_at = vec!["int r0 = atomic_fetch_add(x, 1);"; n];
        assert_eq!(weak(&looked_at), [orders, 0, 0], "{n} threads");
    }
}

/// Additions and subtractions commute, and so do bits that are set; not the one with the other.
#[test]
fn only_updates_of_one_kind_commute() {
    let (add, sub) = ("atomic_fetch_add(x, 1);", "atomic_fetch_sub(x, 1);");
    let (or, xor) = ("atomic_fetch_or(x, 1);", "atomic_fetch_xor(x, 1);");
    assert_eq!(weak(&[add, sub, add]), [1, 0, 0]);
    assert_eq!(weak(&[or, or, or]), [1, 0, 0]);
    assert_eq!(weak(&[add, or]), [2, 0, 0]);
    assert_eq!(weak(&[or, xor]), [2, 0, 0]);
    assert_eq!(weak(&[add, "int r0 = atomic_load(x);", add]), [4, 0, 0]);
    assert_eq!(weak(&[add, "int r0 = atomic_exchange(x, 1);"]), [2, 0, 0]);
}

/// Locks are taken in every order, and nobody is found waiting.
#[test]
fn critical_sections_in_every_order() {
    let section = "spin_lock(m); atomic_store(x, 1); spin_unlock(m);";
    for (n, orders) in [1, 1, 2, 6, 24, 120].into_iter().enumerate().skip(1) {
        assert_eq!(weak(&vec![section; n]), [orders, 0, 0], "{n} threads");
    }
}
