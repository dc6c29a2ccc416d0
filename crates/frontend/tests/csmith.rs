//! Random programs from csmith, with fixed seeds, compute the same checksum here as natively.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use support::{directory, for_all, interpret, native};

/// Seeds of the programs; `NORN_CSMITH=first..last` asks for others.
fn seeds() -> Vec<u32> {
    let asked = std::env::var("NORN_CSMITH").ok();
    let range = asked.as_deref().and_then(|text| {
        let (first, last) = text.split_once("..")?;
        Some((first.parse().ok()?, last.parse().ok()?))
    });
    let (first, last): (u32, u32) = range.unwrap_or((1, 301));
    (first..last).collect()
}

fn generate(seed: u32) -> PathBuf {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("csmith-{seed}.c"));
    let output = Command::new("csmith")
        .args(["--seed", &seed.to_string(), "--max-funcs", "5", "--concise", "--no-packed-struct"])
        .output()
        .expect("csmith runs");
    assert!(output.status.success(), "csmith failed");
    std::fs::write(&file, output.stdout).expect("the program can be written");
    file
}

#[test]
fn checksums_are_those_of_native_runs() {
    if Command::new("csmith").arg("--version").output().is_err() {
        eprintln!("csmith is not installed: nothing is compared");
        return;
    }
    let include = [format!("-I{}", directory("csmith").display()), "-w".to_owned()];
    for_all(seeds(), |seed| {
        let file = generate(seed);
        // A program that does not end quickly says nothing.
        let Some(expected) = native(&file, &include, Duration::from_secs(1)) else { return Ok(()) };
        for level in ["-O0", "-O2"] {
            let mut flags = include.to_vec();
            flags.push(level.to_owned());
            let found = interpret(std::slice::from_ref(&file), &flags);
            if found != expected {
                let lines = found.output.lines().zip(expected.output.lines());
                let first = lines.into_iter().find(|(a, b)| a != b);
                return Err(format!("seed {seed} {level}: {first:?}, {}", found.end));
            }
        }
        Ok(())
    });
}
