//! Programs whose number of executions is known, each with its expectation in the file.

use norn_bench::{Algorithm, Mark, Wanted, count, expectations, programs};
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Checks the expectations in the programs of a folder but the slow ones; returns how many.
fn check(folder: &str) -> usize {
    let mut checked = 0;
    for entry in std::fs::read_dir(root().join(folder)).expect("the programs") {
        let file = entry.expect("a file").path();
        if file.extension().is_none_or(|extension| extension != "c") {
            continue;
        }
        let text = std::fs::read_to_string(&file).expect("the program");
        let lines = expectations(&text).expect("expectations");
        for expected in lines.iter().filter(|line| !line.slow) {
            let what = format!("{} {expected:?}", file.display());
            let (flags, search) = (expected.flags(), expected.search());
            let counted = count(&file, &flags, expected.model, search, expected.limit);
            let counted = counted.expect(&what);
            assert_eq!(counted.complaints, Vec::<String>::new(), "{what}");
            assert_eq!(counted.summary.executions, expected.executions, "{what}");
            assert_eq!(counted.summary.blocked, expected.blocked, "{what}");
            // With rvf it depends on the order in which reads are tried.
            if !matches!(search.algorithm, Algorithm::Rvf(_)) {
                assert_eq!(counted.summary.figures.stale, expected.stale, "{what}");
            }
            checked += 1;
        }
    }
    checked
}

#[test]
fn programs_have_as_many_executions_as_they_say() {
    let checked = check("tests/counts");
    assert!(checked >= 20, "only {checked} expectations");
}

#[test]
fn the_harness_reads_all_benchmarks() {
    let programs = programs(&root().join("bench/programs")).expect("programs");
    let tasks = Wanted::default().tasks(&programs).expect("tasks");
    let lines: usize = programs.iter().map(|program| program.lines.len()).sum();
    assert_eq!(tasks.len(), lines);
    let peers = tasks.iter().filter(|task| task.line.as_ref().is_some_and(|l| l.has(Mark::Peer)));
    assert_eq!(peers.count(), 5, "rows to compare with the speed of a peer");
}

#[test]
fn benchmarks_have_as_many_executions_as_they_say() {
    let checked = check("bench/programs");
    assert!(checked >= 40, "only {checked} expectations");
}

/// Peak resident memory of a run of its own over `limit` executions, in KiB.
fn peak(limit: u64) -> u64 {
    let output = Command::new(env!("CARGO_BIN_EXE_norn-bench"))
        .args(["count", "--limit", &limit.to_string()])
        .arg(root().join("bench/programs/fib_bench.c"))
        .args(["--", "-DN=6"])
        .output()
        .expect("norn-bench runs");
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(text.starts_with(&format!("{limit} executions")), "{text}");
    let words: Vec<&str> = text.split_whitespace().collect();
    let at = words.iter().position(|word| *word == "KiB").expect("the peak");
    words[at - 1].parse().expect("a number")
}

#[test]
fn memory_does_not_grow_with_the_number_of_executions() {
    let (few, many) = (peak(10_000), peak(1_000_000));
    assert!(many as f64 <= few as f64 * 1.2, "{few} KiB for 10,000 and {many} KiB for 1,000,000");
}
