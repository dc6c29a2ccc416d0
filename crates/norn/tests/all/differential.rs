//! Programs on which Norn and the interpreter of `norn-differential` once differed.
//!
//! Their first lines say what is right by the standards, whether Norn is right or not.

use crate::support;

/// Those on which Norn is still wrong; who mends one takes it out.
const NOT_YET: [&str; 13] = [
    "atexit_in_thread",
    "barrier_deadlock",
    "destructor_rounds",
    "exit_in_thread",
    "last_thread_exits",
    "publication_is_no_barrier",
    "publication_overtakes",
    "recursive_unlock",
    "serial_thread",
    "spurious_wakeup",
    "static_kinds",
    "timed_lock_of_own_mutex",
    "waiting_at_the_end",
];

#[test]
fn differences_that_were_mended_stay_mended() {
    let programs = support::programs(&support::root().join("tests/differential"));
    let is_open = |path: &&std::path::PathBuf| {
        let stem = path.file_stem().and_then(|stem| stem.to_str()).expect("a name");
        NOT_YET.contains(&stem)
    };
    let (open, mended): (Vec<_>, Vec<_>) = programs.iter().partition(is_open);
    let mended: Vec<_> = mended.into_iter().cloned().collect();
    let differences = support::compare(&mended);
    assert!(differences.is_empty(), "\n{differences}");
    // An expectation that is known to be right must not be overwritten.
    if std::env::var_os("BLESS").is_none() {
        let good = |path: &&&std::path::PathBuf| support::compare(&[(**path).clone()]).is_empty();
        let good: Vec<_> = open.iter().filter(good).collect();
        assert!(good.is_empty(), "no longer wrong: {good:?}");
    }
}
