//! What each part of rc11 is there for, and what c20 leaves out of it: executions that only this part forbids, each beside one that
//! is a little weaker and allowed.
//!
//! Threads are separated by `|` and written as `W mode location value`, `R mode location` (into
//! `r0`, `r1`, …), `A mode location value` (fetch-and-add) and `F mode`.

use norn_litmus::read;
use norn_oracle::{Model, executions};

fn order(mode: &str) -> String {
    let name = match mode {
        "rlx" => "relaxed",
        "acq" => "acquire",
        "rel" => "release",
        "sc" => "seq_cst",
        other => panic!("no mode is called {other}"),
    };
    format!("memory_order_{name}")
}

fn statement(text: &str, next_register: &mut usize) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut target = || {
        *next_register += 1;
        format!("int r{}", *next_register - 1)
    };
    match words[..] {
        ["W", mode, x, value] => format!("atomic_store_explicit({x}, {value}, {});", order(mode)),
        ["R", mode, x] => format!("{} = atomic_load_explicit({x}, {});", target(), order(mode)),
        ["A", mode, x, value] => {
            format!("{} = atomic_fetch_add_explicit({x}, {value}, {});", target(), order(mode))
        }
        ["F", mode] => format!("atomic_thread_fence({});", order(mode)),
        _ => panic!("not a statement: {text}"),
    }
}

/// Whether a model allows an execution of `threads` that ends as `condition` says.
fn allows(model: Model, threads: &str, condition: &str) -> bool {
    let mut text = String::from("C t\n{ }\n");
    for (number, thread) in threads.split('|').enumerate() {
        let mut registers = 0;
        let body: Vec<String> =
            thread.split(';').map(|text| statement(text, &mut registers)).collect();
        let parameters = "atomic_int* x, atomic_int* y, atomic_int* z";
        text.push_str(&format!("P{number} ({parameters}) {{ {} }}\n", body.join(" ")));
    }
    text.push_str(&format!("exists ({condition})\n"));
    let program = read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let all = executions(&program, model).complete;
    program.condition.unwrap().answer(all.iter().map(|execution| &execution.state))
}

#[track_caller]
fn check(condition: &str, forbidden: &str, allowed: &str) {
    for model in [Model::Rc11, Model::C20] {
        assert!(!allows(model, forbidden, condition), "allowed: {forbidden}");
        assert!(allows(model, allowed, condition), "forbidden: {allowed}");
    }
}

#[test]
fn read_modify_writes_continue_a_release_sequence() {
    check(
        "2:r0=2 /\\ 2:r1=0",
        "W rlx x 1; W rel y 1 | A rlx y 1 | R acq y; R rlx x",
        "W rlx x 1; W rel y 1 | R rlx y; W rlx y 2 | R acq y; R rlx x",
    );
}

/// The one difference: in rc11 alone, later writes of the thread continue a release sequence.
#[test]
fn later_writes_of_the_thread_continue_a_release_sequence_until_2020() {
    let condition = "1:r0=2 /\\ 1:r1=0";
    let same_location = "W rlx x 1; W rel y 1; W rlx y 2 | R acq y; R rlx x";
    let other_location = "W rlx x 1; W rel z 1; W rlx y 2 | R acq y; R rlx x";
    assert!(!allows(Model::Rc11, same_location, condition));
    assert!(allows(Model::Rc11, other_location, condition));
    assert!(allows(Model::C20, same_location, condition));
}

/// A release fence still reaches all later writes, and read-modify-writes of any thread continue a sequence
/// also behind such a write.
#[test]
fn fences_and_read_modify_writes_make_up_for_it() {
    check(
        "1:r0=2 /\\ 1:r1=0",
        "W rlx x 1; F rel; W rel y 1; W rlx y 2 | R acq y; R rlx x",
        "W rlx x 1; F acq; W rlx y 1; W rlx y 2 | R acq y; R rlx x",
    );
    check(
        "1:r0=2 /\\ 1:r1=0",
        "W rlx x 1; W rel y 1; A rlx y 1 | R acq y; R rlx x",
        "W rlx x 1; W rlx y 1; A rlx y 1 | R acq y; R rlx x",
    );
}

#[test]
fn release_fences_synchronise() {
    check(
        "1:r0=1 /\\ 1:r1=0",
        "W rlx x 1; F rel; W rlx y 1 | R acq y; R rlx x",
        "W rlx x 1; F acq; W rlx y 1 | R acq y; R rlx x",
    );
}

#[test]
fn acquire_fences_synchronise() {
    check(
        "1:r0=1 /\\ 1:r1=0",
        "W rlx x 1; W rel y 1 | R rlx y; F acq; R rlx x",
        "W rlx x 1; W rel y 1 | R rlx y; F rel; R rlx x",
    );
}

/// psc-fence reaches over reads-from in the middle of a path between fences.
#[test]
fn seq_cst_fences_order_independent_reads() {
    check(
        "2:r0=1 /\\ 2:r1=0 /\\ 3:r0=1 /\\ 3:r1=0",
        "W rlx x 1 | W rlx y 1 | R rlx x; F sc; R rlx y | R rlx y; F sc; R rlx x",
        "W rlx x 1 | W rlx y 1 | R rlx x; F sc; R rlx y | R rlx y; F acq; R rlx x",
    );
}

/// A fence in one thread meets seq_cst accesses in the other.
#[test]
fn seq_cst_fences_and_accesses_agree() {
    check(
        "0:r0=0 /\\ 1:r0=0",
        "W rlx x 1; F sc; R rlx y | W sc y 1; R sc x",
        "W rlx x 1; F sc; R rlx y | W rel y 1; R acq x",
    );
}

/// Happens-before between different locations counts if program order leaves and enters it.
#[test]
fn synchronisation_between_seq_cst_accesses_counts() {
    check(
        "1:r0=1 /\\ 1:r1=0 /\\ 2:r0=0",
        "W sc x 1; W rel y 1 | R acq y; R sc z | W sc z 1; R sc x",
        "W sc x 1; W rlx y 1 | R acq y; R sc z | W sc z 1; R sc x",
    );
}

/// Happens-before within one location counts.
#[test]
fn reading_a_seq_cst_write_counts() {
    check(
        "1:r0=1 /\\ 1:r1=0 /\\ 2:r0=0",
        "W sc x 1 | R sc x; R sc z | W sc z 1; R sc x",
        "W sc x 1 | R rlx x; R sc z | W sc z 1; R sc x",
    );
}

/// Where happens-before between seq_cst accesses starts with synchronisation rather than program
/// order, it does not count: compilers to Power rely on it.
#[test]
fn synchronisation_that_starts_at_a_seq_cst_access_does_not_count() {
    for model in [Model::Rc11, Model::C20] {
        assert!(allows(
            model,
            "W sc x 1; W rel y 1 | A sc y 1; R rlx y | W sc y 3; R sc x",
            "1:r0=1 /\\ 1:r1=3 /\\ 2:r0=0",
        ));
    }
}
