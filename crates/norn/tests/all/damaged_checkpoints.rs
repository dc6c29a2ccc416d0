//! Checkpoints that were damaged: whoever goes on from one gets an error, or a result, but no panic.
//! Not yet those of `rf`: their numbers of 128 bits do not survive being read as any JSON.

use crate::support;
use norn::{Control, ResumeOptions, resume};
use serde_json::Value;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// How often each checkpoint is damaged; `NORN_DAMAGES=1000` does it more often.
fn damages() -> u64 {
    std::env::var("NORN_DAMAGES").ok().and_then(|text| text.parse().ok()).unwrap_or(20)
}

/// A checkpoint of a search that was stopped early.
fn checkpoint(name: &str, options: &[&str]) -> (PathBuf, Value) {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("damaged-{name}.norn"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_norn"));
    let program = support::root().join("bench/programs/fib_bench.c");
    command.arg("check").arg(program).arg("--checkpoint").arg(&path).args(options);
    command.args(["--jobs", "1", "--max-executions", "20", "--", "-DN=3"]);
    assert_eq!(command.output().expect("to run norn").status.code(), Some(3));
    let text = std::fs::read_to_string(&path).expect("the checkpoint");
    (path, serde_json::from_str(&text).expect("JSON"))
}

/// A number below `count` from a sequence that looks random.
fn below(state: &mut u64, count: usize) -> usize {
    *state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
    ((*state >> 33) as usize) % count.max(1)
}

/// Numbers and lists of a value. About half of the lists are taken whole, of the others what is in them.
fn parts<'v>(value: &'v mut Value, found: &mut Vec<&'v mut Value>) {
    if value.is_number() || value.is_array() && found.len() % 2 == 1 {
        return found.push(value);
    }
    match value {
        Value::Object(fields) => fields.values_mut().for_each(|field| parts(field, found)),
        Value::Array(entries) => entries.iter_mut().for_each(|entry| parts(entry, found)),
        _ => {}
    }
}

fn damage(frontier: &mut Value, state: &mut u64) {
    let mut found = Vec::new();
    parts(frontier, &mut found);
    let index = below(state, found.len());
    match found.swap_remove(index) {
        Value::Array(entries) => {
            let entry = below(state, entries.len());
            match below(state, 3) {
                0 if !entries.is_empty() => drop(entries.remove(entry)),
                1 if !entries.is_empty() => entries.push(entries[entry].clone()),
                _ => entries.reverse(),
            }
        }
        number => {
            let before = number.as_u64().unwrap_or(0);
            let after = [before + 1, before.wrapping_sub(1) & 0xffff_ffff, 0, 7, 4_294_967_293];
            *number = after[below(state, after.len())].into();
        }
    }
}

/// Goes on from what is written to the file; false if that is refused.
fn go_on(path: &Path, checkpoint: &Value) -> bool {
    std::fs::write(path, checkpoint.to_string()).expect("to write");
    let options = ResumeOptions {
        jobs: 1,
        timeout: Some(Duration::from_secs(5)),
        max_executions: Some(200),
        ..ResumeOptions::default()
    };
    resume(path, &options, &Control::default(), &mut |_| {}).is_ok()
}

#[test]
fn damaged_checkpoints_lead_to_errors() {
    let searches: [(&str, &[&str]); 2] =
        [("trust", &["--algorithm", "trust"]), ("bound", &["--model", "sc", "--bound", "3"])];
    let mut panicked = Vec::new();
    for (name, options) in searches {
        let (path, kept) = checkpoint(name, options);
        assert!(go_on(&path, &kept), "{name}: the checkpoint itself is fine");
        let mut errors = 0;
        for seed in 0..damages() {
            let (mut state, mut value) = (seed, kept.clone());
            damage(&mut value["frontier"], &mut state);
            match catch_unwind(AssertUnwindSafe(|| go_on(&path, &value))) {
                Ok(went_on) => errors += u32::from(!went_on),
                Err(_) => panicked.push(format!("{name}, seed {seed}")),
            }
        }
        assert!(errors > 0, "{name}: nothing was refused");
    }
    assert!(panicked.is_empty(), "{panicked:#?}");
}
