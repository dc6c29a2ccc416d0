//! The harness from its command line to its records and plots.

use norn_bench::{Outcome, Record};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// Two threads of one atomic increment each, N times: C(2N, N) executions.
const PROGRAM: &str = r#"
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *add(void *unused) {
    for (int i = 0; i < N; i++)
        atomic_fetch_add(&x, 1);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    add(NULL);
    return 0;
}
"#;

/// A folder with the program, which says these lines of itself.
fn folder(lines: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let header: String = lines.iter().map(|line| format!("// norn: {line}\n")).collect();
    std::fs::write(folder.path().join("adders.c"), header + PROGRAM).expect("a program");
    folder
}

fn bench(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_norn-bench"));
    command.arg("run").arg("--programs").arg(folder).arg("--record").arg(folder);
    command.args(arguments).output().expect("norn-bench runs")
}

fn record(folder: &Path, name: &str) -> Record {
    Record::read(&folder.join(format!("{name}.json"))).expect("a record")
}

#[test]
fn a_run_is_recorded_and_plotted() {
    let lines = [
        "model=sc N=2 executions=6 growth paper=6 source=\"arithmetic\"",
        "model=sc N=3 executions=20 growth",
        "model=sc N=4 executions=70 growth",
    ];
    let folder = folder(&lines);
    let plots = folder.path().join("plots");
    let arguments = ["--algorithm", "trust", "--algorithm", "rf", "--note", "a test", "--plots"];
    let arguments: Vec<&str> = arguments.into_iter().chain(plots.to_str()).collect();
    let output = bench(folder.path(), &arguments);
    assert!(output.status.success(), "{output:?}");

    let record = record(folder.path(), "results");
    assert_eq!(record.note.as_deref(), Some("a test"));
    assert!(record.machine.clang.starts_with("clang "), "{:?}", record.machine);
    let found: Vec<(u32, &str, u64)> = record
        .rows
        .iter()
        .map(|row| {
            let measured = row.measured().expect("a finished row");
            assert!(measured.complete && measured.peak_kib > 0 && measured.seconds > 0.0);
            assert!(row.process_seconds().expect("a time") > measured.seconds);
            (row.size.expect("a size"), row.algorithm.as_str(), measured.executions)
        })
        .collect();
    let all = [(2, 6), (3, 20), (4, 70)];
    let expected: Vec<(u32, &str, u64)> =
        all.iter().flat_map(|(n, count)| ["trust", "rf"].map(|name| (*n, name, *count))).collect();
    assert_eq!(found, expected);
    assert_eq!(record.rows[0].reference.source.as_deref(), Some("arithmetic"));

    let text = std::fs::read_to_string(folder.path().join("results.md")).expect("a table");
    assert!(text.contains("| adders | 4 | sc | trust |"), "{text}");
    for name in ["adders.svg", "trust-against-rf.svg"] {
        let first = std::fs::read_to_string(plots.join(name)).expect("a plot");
        std::fs::remove_file(plots.join(name)).expect("removed");
        let again = Command::new(env!("CARGO_BIN_EXE_norn-bench"))
            .arg("plot")
            .arg(folder.path().join("results.json"))
            .arg("--plots")
            .arg(&plots)
            .status();
        assert!(again.expect("norn-bench runs").success());
        assert_eq!(std::fs::read_to_string(plots.join(name)).expect("a plot"), first);
    }
}

#[test]
fn peers_are_run_on_the_same_files() {
    let folder = folder(&["model=sc N=2 executions=6", "model=sc N=3 executions=20"]);
    let (script, log) = (folder.path().join("peer.sh"), folder.path().join("log"));
    let text =
        format!("#!/bin/sh\necho \"$@\" >>{}\nsleep 0.2\ntest \"$2\" -lt 3\n", log.display());
    std::fs::write(&script, text).expect("a script");
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).expect("executable");
    let peer = format!("fake={} {{flags}} {{size}} {{model}} {{file}}", script.display());
    let output = bench(folder.path(), &["--peer", &peer, "--name", "peers"]);
    assert!(output.status.success(), "{output:?}");

    let file = folder.path().join("adders.c");
    let calls = std::fs::read_to_string(&log).expect("the calls");
    let expected = [2, 3].map(|n| format!("-DN={n} {n} sc {}\n", file.display())).concat();
    assert_eq!(calls, expected);
    let record = record(folder.path(), "peers");
    let codes: Vec<Option<i32>> = record.rows.iter().map(|row| row.peers[0].exit_code).collect();
    assert_eq!(codes, [Some(0), Some(1)]);
    for row in &record.rows {
        assert!(row.peers[0].seconds.expect("a time") >= 0.2);
        let ours = row.process_seconds().expect("a time");
        let ratio = row.peers[0].ratio(ours).expect("a ratio");
        assert!((ratio * ours - row.peers[0].seconds.expect("a time")).abs() < 1e-9);
    }
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(text.lines().nth(1).expect("a row").ends_with('×'), "{text}");
    assert!(text.lines().nth(2).expect("a row").ends_with("× (exit 1)"), "{text}");
}

#[test]
fn a_row_that_takes_too_long_says_so() {
    let folder = folder(&["model=sc N=30 executions=118264581564861424"]);
    let output = bench(folder.path(), &["--timeout", "1.5"]);
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(text.contains("> 1.5"), "{text}");
    let record = record(folder.path(), "results");
    assert_eq!(record.rows[0].outcome, Outcome::TimedOut(1.5));
}

#[test]
fn another_number_than_expected_fails() {
    let folder = folder(&["model=sc N=2 executions=7"]);
    let output = bench(folder.path(), &[]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stderr).expect("text");
    assert!(text.contains("adders(2), sc, trust: 6 executions, but 7 are expected"), "{text}");
}

#[test]
fn a_program_that_cannot_be_compiled_is_a_failed_row() {
    let folder = folder(&["model=sc executions=1"]);
    let output = bench(folder.path(), &[]);
    assert_eq!(output.status.code(), Some(1));
    let Outcome::Failed(why) = &record(folder.path(), "results").rows[0].outcome else {
        panic!("N is not defined")
    };
    assert!(why.contains("clang"), "{why}");
}

#[test]
fn instructions_are_counted_where_there_is_valgrind() {
    let folder = folder(&["model=sc N=4 executions=70 bar=100000", "model=sc N=3 executions=20"]);
    let output = bench(folder.path(), &["--instructions", "marked"]);
    assert!(output.status.success(), "{output:?}");
    let rows = record(folder.path(), "results").rows;
    assert_eq!(rows[1].instructions, None, "it is not marked");
    if Command::new("valgrind").arg("--version").output().is_ok() {
        let each = rows[0].instructions.expect("a number");
        assert!((500..1_000_000).contains(&each), "{each} instructions");
    } else {
        let text = String::from_utf8(output.stderr).expect("text");
        assert!(text.contains("valgrind is not installed"), "{text}");
        assert_eq!(rows[0].instructions, None);
    }
}
