//! Programs on which Norn and the interpreter of `norn-differential` once differed.
//!
//! Their first lines say what is right by the standards, whether Norn is right or not.

use crate::support;
use std::path::{Path, PathBuf};

/// Those on which Norn is still wrong; who mends one takes it out.
const NOT_YET: [&str; 1] = ["timed_lock_of_own_mutex"];

/// Those whose check does not even end.
const ENDLESS: [&str; 1] = ["destructor_rounds"];

#[test]
fn differences_that_were_mended_stay_mended() {
    let programs = support::programs(&support::root().join("tests/differential"));
    let is_one_of = |list: &[&str], path: &Path| {
        let stem = path.file_stem().and_then(|stem| stem.to_str()).expect("a name");
        list.contains(&stem)
    };
    let ending = programs.iter().filter(|path| !is_one_of(&ENDLESS, path));
    let (open, mended): (Vec<_>, Vec<_>) = ending.partition(|path| is_one_of(&NOT_YET, path));
    let mended: Vec<_> = mended.into_iter().cloned().collect();
    let differences = support::compare(&mended);
    assert!(differences.is_empty(), "\n{differences}");
    // An expectation that is known to be right must not be overwritten.
    if std::env::var_os("BLESS").is_none() {
        let good = |path: &&&PathBuf| support::compare(&[(**path).clone()]).is_empty();
        let good: Vec<_> = open.iter().filter(good).collect();
        assert!(good.is_empty(), "no longer wrong: {good:?}");
    }
}
