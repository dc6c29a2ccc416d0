//! Families of programs whose number of reads-from relations is known.

use crate::support::differential::Collect;
use crate::support::{explore, explore_rf};
use norn_explore::Summary;
use norn_litmus::{LitmusMachine, Program};
use norn_models::ModelName;
use norn_oracle::Graph;
use std::collections::BTreeSet;

fn litmus(threads: &[String]) -> Program {
    let mut text = "C family\n\n{ [x] = 0; [y] = 0; mutex m; mutex k; }\n\n".to_owned();
    for (index, body) in threads.iter().enumerate() {
        text += &format!(
            "P{index} (atomic_int* x, atomic_int* y, mutex* m, mutex* k) {{ {body} }}\n\n"
        );
    }
    text += "exists (x=0)\n";
    norn_litmus::read(&text).expect("a litmus test")
}

fn run(threads: &[String], model: ModelName) -> Summary {
    explore_rf(&LitmusMachine::new(litmus(threads)), model, &mut ())
}

/// Under every model, that many executions and nothing in vain.
fn check(threads: &[String], executions: u64) {
    for model in ModelName::ALL {
        let found = run(threads, model);
        assert_eq!(found.executions, executions, "{threads:?} under {model}");
        assert_eq!((found.blocked, found.figures.stale), (0, 0), "{threads:?} under {model}");
        assert!(found.violations.is_empty());
    }
}

fn factorial(n: u64) -> u64 {
    (1..=n).product()
}

#[test]
fn a_reader_reads_each_writer_or_none() {
    for n in 1..=10 {
        let mut threads: Vec<String> = (1..=n)
            .map(|value| format!("atomic_store_explicit(x, {value}, memory_order_release);"))
            .collect();
        threads.push("int r0 = atomic_load_explicit(x, memory_order_acquire);".to_owned());
        check(&threads, n + 1);
        threads.rotate_right(1);
        check(&threads, n + 1);
    }
}

#[test]
fn fetch_adds_are_the_factorial_of_the_threads() {
    for n in 1..=6 {
        let add = "int r0 = atomic_fetch_add_explicit(x, 1, memory_order_relaxed);".to_owned();
        check(&vec![add; n as usize], factorial(n));
    }
}

#[test]
fn locking_threads_are_their_factorial_and_never_block() {
    for n in 1..=6 {
        let section = "spin_lock(m); spin_unlock(m);".to_owned();
        check(&vec![section; n as usize], factorial(n));
    }
}

#[test]
fn locks_in_opposite_orders_deadlock_once() {
    let threads = [
        "spin_lock(m); spin_lock(k); spin_unlock(k); spin_unlock(m);".to_owned(),
        "spin_lock(k); spin_lock(m); spin_unlock(m); spin_unlock(k);".to_owned(),
    ];
    for model in ModelName::ALL {
        let found = run(&threads, model);
        assert_eq!((found.executions, found.blocked, found.figures.stale), (2, 1, 0), "{model}");
        assert_eq!(found.violations.len(), 1, "{model}");
    }
}

/// A branch without the waiting read is visited only where it finds something.
#[test]
fn many_that_wait_for_one_are_one_execution() {
    let mut threads = vec!["await_eq_explicit(x, 1, memory_order_acquire);".to_owned(); 8];
    threads.push("atomic_store_explicit(x, 1, memory_order_release);".to_owned());
    check(&threads, 1);
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
    check(&threads, 4);
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
    assert_eq!(run(&threads, ModelName::Sc).executions, 4);
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
        let threads = exponential_bug(n);
        let machine = LitmusMachine::new(litmus(&threads));
        let mut collect = Collect::new(&machine);
        assert_eq!(explore(&machine, ModelName::Ra, &mut collect).executions, graphs);
        let distinct: BTreeSet<Graph> = collect.complete.iter().map(Graph::without_co).collect();
        assert_eq!(distinct.len() as u64, relations);
        assert_eq!(run(&threads, ModelName::Ra).executions, relations);
    }
}
