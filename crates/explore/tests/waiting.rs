//! Random programs whose threads wait: what the explorer visits is what the oracle enumerates, each
//! exactly once, and somebody who waits for ever is reported exactly if there is one.

mod support;

use norn_litmus::Shape;
use norn_models::ModelName;
use support::differential::{check_many, difference};

#[test]
fn programs_with_awaits() {
    check_many(&Shape::awaits(), &ModelName::ALL);
}

#[test]
fn programs_with_semaphores() {
    check_many(&Shape::semaphores(), &ModelName::ALL);
}

#[test]
fn programs_with_joins() {
    check_many(&Shape::joins(), &ModelName::ALL);
}

#[test]
fn programs_with_everything_that_waits() {
    check_many(&Shape::waiting(), &ModelName::ALL);
}

/// The executions of `threads` over `x`, `y` and mutexes `m` and `n`, which the oracle must confirm.
fn executions(threads: &[&str], model: ModelName) -> u64 {
    let mut text = String::from("C t\n{ }\n");
    for (number, body) in threads.iter().enumerate() {
        let parameters = "atomic_int* x, atomic_int* y, spinlock_t* m, spinlock_t* n";
        text.push_str(&format!("P{number} ({parameters}) {{ {body} }}\n"));
    }
    let program = norn_litmus::read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    if let Some(what) = difference(&program, model) {
        panic!("under {model}: {what}\n{text}");
    }
    support::run(&program, model).executions
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

#[test]
fn programs_with_many_locks() {
    check_many(&Shape { max_actions: 10, ..Shape::locks() }, &ModelName::ALL);
}
