//! Programs on which Norn and the interpreter of `norn-differential` once differed.
//!
//! Their first lines say what is right by the standards.

use crate::support;

#[test]
fn differences_that_were_mended_stay_mended() {
    let programs = support::programs(&support::root().join("tests/differential"));
    support::compare(&programs);
}
