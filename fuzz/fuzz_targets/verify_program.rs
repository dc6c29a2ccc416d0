//! What the verifier accepts, the machine runs without a panic and to an end. The bytes say how a program
//! is damaged and what its threads get for answers.

#![no_main]

#[path = "../../crates/machine/tests/damage/mod.rs"]
mod damage;

use damage::{Bytes, damage, load, run_if_accepted};
use norn_program::Program;
use std::path::Path;
use std::sync::LazyLock;

/// Has threads, loops, calls, tables and variables of all kinds.
static PROGRAM: LazyLock<Program> = LazyLock::new(|| {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests");
    load(&tests.join("threads/once_and_keys.c"))
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut bytes = Bytes(bytes);
    let mut program = PROGRAM.clone();
    damage(&mut program, &mut bytes);
    run_if_accepted(program, &mut bytes);
});
