//! Checkpoints that were damaged: accidents are refused by the checksum; whatever else a checkpoint says, whoever
//! goes on from it gets an error, or a result, but no panic.

use crate::damage::{damage, parsed, printed};
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

/// Where the checkpoint of a search that was stopped early lies.
fn checkpoint(name: &str, options: &[&str]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("damaged-{name}.norn"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_norn"));
    let program = support::root().join("bench/programs/fib_bench.c");
    command.arg("check").arg(program).arg("--checkpoint").arg(&path).args(options);
    command.args(["--jobs", "1", "--max-executions", "20", "--", "-DN=3"]);
    assert_eq!(command.output().expect("to run norn").status.code(), Some(3));
    path
}

/// The checksum of a content: FNV-1a, 128 bits.
fn checksum(content: &str) -> String {
    let add = |hash: u128, byte: u8| {
        (hash ^ u128::from(byte)).wrapping_mul(0x0100_0000_0000_0000_0000_013b)
    };
    format!("{:032x}", content.bytes().fold(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d, add))
}

/// The checkpoint with a content, as if nothing had happened to it.
fn sealed(kept: &Value, content: &Value) -> String {
    let content = printed(content);
    format!(
        "{{\"norn_checkpoint\":{},\"version\":{},\"checksum\":\"{}\",\"content\":{content}}}",
        kept["norn_checkpoint"],
        kept["version"],
        checksum(&content)
    )
}

/// A number below `count` from a sequence that looks random.
fn below(state: &mut u64, count: usize) -> usize {
    *state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
    ((*state >> 33) as usize) % count.max(1)
}

/// Goes on from what is written to the file; false if that is refused.
fn go_on(path: &Path, checkpoint: impl AsRef<[u8]>) -> bool {
    std::fs::write(path, checkpoint).expect("to write");
    let options = ResumeOptions {
        jobs: 1,
        timeout: Some(Duration::from_secs(5)),
        max_executions: Some(200),
        ..ResumeOptions::default()
    };
    resume(path, &options, &Control::default(), &mut |_| {}).is_ok()
}

const SEARCHES: [(&str, &[&str]); 6] = [
    ("trust", &["--algorithm", "trust"]),
    ("bound", &["--model", "sc", "--bound", "3"]),
    ("rf", &["--algorithm", "rf"]),
    ("await", &["--algorithm", "await", "--model", "sc"]),
    ("rvf", &["--algorithm", "rvf", "--model", "sc"]),
    ("rf-ra", &["--algorithm", "rf", "--model", "ra"]),
];

/// Whatever a checkpoint says, with a checksum that fits, leads to an error or to a result.
#[test]
fn damaged_checkpoints_lead_to_errors() {
    let mut panicked = Vec::new();
    for (name, options) in SEARCHES {
        let path = checkpoint(name, options);
        let kept = parsed(&std::fs::read_to_string(&path).expect("the checkpoint"));
        assert!(go_on(&path, sealed(&kept, &kept["content"])), "{name}: nothing is wrong with it");
        let mut errors = 0;
        for seed in 0..damages() {
            let (mut state, mut content) = (seed, kept["content"].clone());
            damage(&mut content["frontier"], &mut |count| below(&mut state, count));
            match catch_unwind(AssertUnwindSafe(|| go_on(&path, sealed(&kept, &content)))) {
                Ok(went_on) => errors += u32::from(!went_on),
                Err(_) => panicked.push(format!("{name}, seed {seed}")),
            }
        }
        assert!(errors > 0, "{name}: nothing was refused");
    }
    assert!(panicked.is_empty(), "{panicked:#?}");
}

/// A byte that changes, or an end that is missing, is found by the checksum.
#[test]
fn accidents_are_refused() {
    let path = checkpoint("accident", &["--algorithm", "trust"]);
    let kept = std::fs::read(&path).expect("the checkpoint");
    let mut state = 1;
    for _ in 0..200 {
        let mut bytes = kept.clone();
        let at = below(&mut state, bytes.len());
        bytes[at] ^= 1 << below(&mut state, 8);
        assert!(!go_on(&path, &bytes), "byte {at}");
        assert!(!go_on(&path, &kept[..at]), "{at} bytes");
    }
    let mut number = String::from_utf8(kept).expect("text");
    number = number.replacen("\"executions\":20", "\"executions\":21", 1);
    std::fs::write(&path, number).expect("to write");
    let mut command = Command::new(env!("CARGO_BIN_EXE_norn"));
    let output = command.arg("resume").arg(&path).output().expect("to run norn");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("it is damaged (its checksum is that of another content)"), "{said}");
}
