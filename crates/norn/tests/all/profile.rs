//! What those ask for who wonder why a search is slow: `--profile` and `--log`.

use crate::support;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

fn check(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_norn"));
    command.current_dir(support::root()).arg("check").args(arguments);
    command.output().expect("to run norn")
}

/// Every execution but the first comes from a branch, also when several workers share the search.
#[test]
fn branches_add_up_to_the_executions() {
    for jobs in ["1", "3"] {
        let output = check(&[
            "examples/seqlock/fixed.c",
            "--profile",
            "--algorithm=trust",
            "--format=json",
            "--jobs",
            jobs,
        ]);
        let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
        let number = |name: &str| report[name].as_u64().expect("a number");
        let branches = report["branches"].as_array().expect("branches");
        let taken: Vec<u64> =
            branches.iter().map(|one| one["taken"].as_u64().expect("a number")).collect();
        let all: u64 = taken.iter().sum();
        assert_eq!(all + 1, number("executions") + number("blocked"), "{jobs} workers");
        assert!(taken.is_sorted_by(|a, b| a >= b), "{taken:?}");
        // Reads of the sequence number and of the data, and nothing else.
        for one in branches {
            assert_eq!(one["kind"], "read", "{one}");
            assert_eq!(one["file"], "examples/seqlock/fixed.c", "{one}");
        }
    }
}

#[test]
fn all_algorithms_say_where_they_branch() {
    for algorithm in ["trust", "rf", "rvf", "await"] {
        let model = ["--model", "sc", "--algorithm", algorithm];
        let output = check(&[&model[..], &["examples/peterson/fixed.c", "--profile"]].concat());
        let text = String::from_utf8(output.stdout).expect("text");
        assert!(text.starts_with("where the search branched ("), "{algorithm}: {text}");
        assert!(text.contains("  examples/peterson/fixed.c:15 (read)\n"), "{algorithm}: {text}");
    }
    let one = check(&["tests/litmus/T0000.litmus", "--profile"]);
    assert_eq!(one.status.code(), Some(2));
}

#[test]
fn the_log_has_all_parts() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("log.txt");
    let trace = path.with_extension("json");
    for path in [&path, &trace] {
        let file = path.to_str().expect("a name");
        let output = check(&["bench/programs/mpmc_queue.c", "--jobs=2", "--log", file]);
        assert_eq!(output.status.code(), Some(0));
    }
    let text = std::fs::read_to_string(path).expect("the log");
    for part in
        ["  compile bench/programs/mpmc_queue.c\n", "  transform\n", "    task of worker 1\n"]
    {
        assert!(text.contains(part), "{text}");
    }
    assert!(text.contains("  search by trust: 578 executions, 456 blocked; complete\n"), "{text}");
    let trace: Value =
        serde_json::from_str(&std::fs::read_to_string(trace).expect("the trace")).expect("JSON");
    let events = trace["traceEvents"].as_array().expect("a list");
    let spans: Vec<&Value> = events.iter().filter(|event| event["ph"] == "X").collect();
    let of = |kind: &str| spans.iter().filter(|span| span["cat"] == kind).count();
    assert_eq!((of("compile"), of("search"), of("report")), (1, 1, 1));
    // Tasks are parts of the search.
    let search = spans.iter().find(|span| span["cat"] == "search").expect("a search");
    let end = |span: &Value| span["ts"].as_f64().unwrap() + span["dur"].as_f64().unwrap();
    for task in spans.iter().filter(|span| span["cat"] == "task") {
        assert!(task["ts"].as_f64() >= search["ts"].as_f64(), "{task}");
        assert!(end(task) <= end(search) + 1.0, "{task}");
    }
}
