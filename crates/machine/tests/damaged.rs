//! What the verifier accepts, the machine runs without a panic, whatever became of the program.

mod damage;

use damage::{Bytes, damage, load, run_if_accepted};
use norn_program::Program;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// Programs of `tests` that have something of everything in them.
const PROGRAMS: &[&str] = &[
    "run/complex_struct.c",
    "run/computed_goto.c",
    "run/float_convert.c",
    "run/int128.c",
    "run/malloc_family.c",
    "run/many_args.c",
    "run/printf_strings.c",
    "run/constructors.c",
    "run/switch_sparse.c",
    "run/varargs.c",
    "threads/atomics.c",
    "threads/barrier.c",
    "threads/condition.c",
    "threads/once_and_keys.c",
];

/// How often each program is damaged; `NORN_DAMAGES=100000` does it more often.
fn damages() -> u64 {
    std::env::var("NORN_DAMAGES").ok().and_then(|text| text.parse().ok()).unwrap_or(500)
}

#[test]
fn damaged_programs_are_refused_or_run() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    let damages = damages();
    let mut accepted = 0;
    let mut panicked = Vec::new();
    for name in PROGRAMS {
        let program = load(&directory.join(name));
        for seed in 0..damages {
            match catch_unwind(AssertUnwindSafe(|| damage_and_run(&program, seed))) {
                Ok(runs) => accepted += u64::from(runs),
                Err(_) => panicked.push(format!("{name}, seed {seed}")),
            }
        }
    }
    assert!(panicked.is_empty(), "the machine panicked: {panicked:#?}");
    let all = PROGRAMS.len() as u64 * damages;
    assert!((all / 4..all).contains(&accepted), "{accepted} of {all} accepted shows little");
}

/// What the runtime keeps in shared memory, such as the number of functions to be called at exit, may be anything
/// if a program writes where it should not.
#[test]
fn answers_may_be_anything() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    for name in PROGRAMS.iter().chain(&["differential/atexit_in_thread.c"]) {
        let program = load(&directory.join(name));
        for seed in 0..100 {
            let mut bytes: Vec<u8> = random(seed).take(512).collect();
            assert!(run_if_accepted(program.clone(), &mut Bytes(&bytes)), "{name}");
            // Mostly large numbers.
            bytes.chunks_mut(4).for_each(|four| four.copy_from_slice(&[3, 3, seed as u8, 0]));
            assert!(run_if_accepted(program.clone(), &mut Bytes(&bytes)), "{name}");
        }
    }
}

/// `extern int stderr;` without the header that knows better.
#[test]
fn a_stream_that_is_no_pointer_holds_no_handle() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    let mut program = load(&directory.join("run/constructors.c"));
    let global = program.globals.iter_mut().find(|global| global.size >= 4).expect("a global");
    (global.name, global.size) = ("stderr".to_owned(), 4);
    global.bytes.clear();
    assert!(run_if_accepted(program, &mut Bytes(&[])));
}

fn damage_and_run(program: &Program, seed: u64) -> bool {
    let bytes: Vec<u8> = random(seed).take(512).collect();
    let mut bytes = Bytes(&bytes);
    let mut program = program.clone();
    damage(&mut program, &mut bytes);
    run_if_accepted(program, &mut bytes)
}

/// Bytes that look random, by xorshift.
fn random(seed: u64) -> impl Iterator<Item = u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    std::iter::repeat_with(move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    })
}
