//! Families of programs whose number of executions is known, for every algorithm and model.

use crate::corpus::ENGINES;
use crate::support::differential::Collect;
use crate::support::engine::{Distinguishes, Engine, On, RF, TRUST};
use norn_explore::Summary;
use norn_litmus::{LitmusMachine, Program};
use norn_models::ModelName;
use norn_oracle::Graph;
use std::collections::BTreeSet;

fn litmus(locations: &str, threads: &[String]) -> Program {
    let mut text = format!("C family\n\n{{ {locations} }}\n\n");
    for (index, body) in threads.iter().enumerate() {
        text += &format!(
            "P{index} (atomic_int* x, atomic_int* y, mutex* m, mutex* k) {{ {body} }}\n\n"
        );
    }
    text += "exists (x=0)\n";
    norn_litmus::read(&text).expect("a litmus test")
}

const LOCATIONS: &str = "[x] = 0; [y] = 0; mutex m; mutex k;";

fn explore(engine: Engine, program: &Program, model: ModelName) -> Summary {
    engine.explore(On::Saving, &LitmusMachine::new(program.clone()), model, &mut ())
}

/// Under every model, that many executions, nothing in vain and nothing wrong.
fn check(engine: Engine, program: &Program, executions: u64) {
    for model in engine.models() {
        let found = explore(engine, program, model);
        let what = || format!("{engine:?} under {model}:\n{}", norn_litmus::print(program));
        let counted = (found.executions, found.blocked, found.figures.stale);
        assert_eq!(counted, (executions, 0, 0), "{}", what());
        assert!(found.violations.is_empty(), "{}", what());
    }
}

fn factorial(n: u64) -> u64 {
    (1..=n).product()
}

/// A reader reads each of the writers or none; graphs also tell the orders of the writers apart.
#[test]
fn writers_and_a_reader() {
    for &engine in ENGINES {
        let (most, count): (u64, fn(u64) -> u64) = match engine.distinguishes {
            Distinguishes::Graphs => (5, |n| factorial(n + 1)),
            Distinguishes::Relations => (10, |n| n + 1),
        };
        for n in 1..=most {
            let mut threads: Vec<String> = (1..=n)
                .map(|value| format!("atomic_store_explicit(x, {value}, memory_order_release);"))
                .collect();
            threads.push("int r0 = atomic_load_explicit(x, memory_order_acquire);".to_owned());
            check(engine, &litmus(LOCATIONS, &threads), count(n));
            threads.rotate_right(1);
            check(engine, &litmus(LOCATIONS, &threads), count(n));
        }
    }
}

#[test]
fn fetch_adds_are_the_factorial_of_the_threads() {
    for n in 1..=6 {
        let add = "int r0 = atomic_fetch_add_explicit(x, 1, memory_order_relaxed);".to_owned();
        let program = litmus(LOCATIONS, &vec![add; n as usize]);
        ENGINES.iter().for_each(|&engine| check(engine, &program, factorial(n)));
    }
}

#[test]
fn locking_threads_are_their_factorial_and_never_block() {
    for n in 1..=6 {
        let section = "spin_lock(m); spin_unlock(m);".to_owned();
        let program = litmus(LOCATIONS, &vec![section; n as usize]);
        ENGINES.iter().for_each(|&engine| check(engine, &program, factorial(n)));
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
        check(TRUST, &litmus(&format!("[x] = {initial};"), &threads), expected);
    }
}

#[test]
fn locks_in_opposite_orders_deadlock_once() {
    let threads = [
        "spin_lock(m); spin_lock(k); spin_unlock(k); spin_unlock(m);".to_owned(),
        "spin_lock(k); spin_lock(m); spin_unlock(m); spin_unlock(k);".to_owned(),
    ];
    let program = litmus(LOCATIONS, &threads);
    for &engine in ENGINES {
        for model in engine.models() {
            let found = explore(engine, &program, model);
            let counted = (found.executions, found.blocked, found.violations.len());
            assert_eq!(counted, (2, 1, 1), "{engine:?} under {model}");
            if engine.distinguishes == Distinguishes::Relations {
                assert_eq!(found.figures.stale, 0, "{engine:?} under {model}");
            }
        }
    }
}

/// A branch without the waiting read is visited only where it finds something.
#[test]
fn many_that_wait_for_one_are_one_execution() {
    let mut threads = vec!["await_eq_explicit(x, 1, memory_order_acquire);".to_owned(); 8];
    threads.push("atomic_store_explicit(x, 1, memory_order_release);".to_owned());
    check(RF, &litmus(LOCATIONS, &threads), 1);
}

/// With two locks at stake, what one holds back from another is found by nobody but those who take
/// them in turn.
#[test]
fn sections_with_reads_in_between() {
    let reads =
        "spin_lock(m); int r0 = atomic_load_explicit(y, memory_order_acquire); spin_unlock(m);";
    let threads = [
        "spin_lock(m); spin_unlock(m);".to_owned(),
        reads.to_owned(),
        "atomic_store_explicit(y, 1, memory_order_release);".to_owned(),
    ];
    check(RF, &litmus(LOCATIONS, &threads), 4);
}

/// The source that a read is left with may be later than a write that another thread has yet to reach
/// through it: found only because the read stays open in all branches of its node.
#[test]
fn a_source_behind_another_source() {
    let threads = [
        "atomic_store_explicit(y, 1, memory_order_seq_cst);
         int r0 = atomic_load_explicit(x, memory_order_seq_cst);"
            .to_owned(),
        "atomic_store_explicit(x, 3, memory_order_seq_cst);
         atomic_store_explicit(y, 5, memory_order_seq_cst);
         int r0 = atomic_load_explicit(y, memory_order_seq_cst);
         if (r0 == 1) { atomic_store_explicit(x, 4, memory_order_seq_cst); }"
            .to_owned(),
    ];
    // The second thread reads its own write (the first then reads 0 or 3), or 1 (the first then reads
    // 3 or 4: 0 would put its store before that of 5).
    assert_eq!(explore(RF, &litmus(LOCATIONS, &threads), ModelName::Sc).executions, 4);
}

/// A store to `x` and `n` to `y` under a lock; a thread that adds to what it reads; one that looks. The
/// program is `bench/programs/exponential_bug.c`, of which a paper gives a smaller number.
fn exponential_bug(n: usize) -> [String; 3] {
    let load = |register: &str, from: &str| {
        format!("int {register} = atomic_load_explicit({from}, memory_order_acquire);")
    };
    let store = |to: &str, what: &str| {
        format!("atomic_store_explicit({to}, {what}, memory_order_release);")
    };
    let writer =
        format!("spin_lock(m); {} {} spin_unlock(m);", store("x", "1"), store("y", "1").repeat(n));
    let adder = |a: &str, b: &str| {
        let clear = format!("spin_lock(m); {} spin_unlock(m);", store("x", "0"));
        let add =
            format!("{} {} {}", load(b, "y"), store("y", &format!("{b} + 1")), store("x", "2"));
        format!("{clear} {} if ({a} > 0) {{ {add} }}", load(a, "x"))
    };
    let look = |a: &str, b: &str, then: &str, otherwise: &str| {
        let (x, y, two) = (load(a, "x"), load(b, "y"), store("y", "2"));
        let inner = format!("{y} if ({b} != 3) {{ {two} {then} }}");
        format!("{x} if ({a} > 1) {{ {inner} }} else {{ {otherwise} }}")
    };
    let (first, second) = (look("r2", "r3", "", ""), look("r4", "r5", "", ""));
    [
        writer.repeat(2),
        format!("{} {}", adder("r0", "r1"), adder("r2", "r3")),
        look("r0", "r1", &first, &second),
    ]
}

/// As many as there are among the execution graphs, which are as many as another tool counts.
#[test]
fn the_reads_from_relations_of_all_execution_graphs() {
    for (n, graphs, relations) in [(0, 352, 304), (1, 2246, 879), (2, 11444, 1934)] {
        let program = litmus(LOCATIONS, &exponential_bug(n));
        let machine = LitmusMachine::new(program.clone());
        let mut collect = Collect::new(&machine);
        let found = TRUST.explore(On::Saving, &machine, ModelName::Ra, &mut collect);
        assert_eq!(found.executions, graphs);
        let distinct: BTreeSet<Graph> = collect.complete.iter().map(Graph::without_co).collect();
        assert_eq!(distinct.len() as u64, relations);
        assert_eq!(explore(RF, &program, ModelName::Ra).executions, relations);
    }
}
