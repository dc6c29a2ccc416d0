//! The formats of other tools, as the command writes them.

use crate::support;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn temporary(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn check(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_norn"));
    command.current_dir(support::root()).arg("check").args(arguments);
    command.output().expect("to run norn")
}

fn written(option: &str, name: &str, arguments: &[&str]) -> String {
    let path = temporary(name);
    let file = path.to_str().expect("a name");
    let output = check(&[arguments, &[option, file]].concat());
    assert!(output.status.code().is_some_and(|code| code != 2), "{output:?}");
    std::fs::read_to_string(path).expect("the file")
}

fn list<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    value[name].as_array().unwrap_or_else(|| panic!("no {name} in {value}"))
}

/// Places name lines of files that are there; the steps of all threads together are numbered from 1.
#[test]
fn sarif_has_a_flow_per_thread() {
    for example in ["peterson", "dekker", "mcs_lock", "rcu_publish", "treiber_stack"] {
        let file = format!("examples/{example}/buggy.c");
        let text = written("--sarif", &format!("{example}.sarif"), &[&file]);
        let log: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(log["version"], "2.1.0");
        let run = &list(&log, "runs")[0];
        let rules = list(&run["tool"]["driver"], "rules");
        let results = list(run, "results");
        assert!(!results.is_empty(), "{example}");
        for result in results {
            let index = result["ruleIndex"].as_u64().expect("an index") as usize;
            assert_eq!(rules[index]["id"], result["ruleId"], "{example}");
            check_place(&list(result, "locations")[0]);
            let flows = list(&list(result, "codeFlows")[0], "threadFlows");
            let steps = flows.iter().flat_map(|flow| list(flow, "locations"));
            let mut numbers: Vec<u64> =
                steps.map(|step| step["executionOrder"].as_u64().expect("a number")).collect();
            numbers.sort_unstable();
            let all: Vec<u64> = (1..=numbers.len() as u64).collect();
            assert_eq!(numbers, all, "{example}");
            let ids = flows.iter().map(|flow| flow["id"].as_str().expect("a name"));
            let mut ids: Vec<&str> = ids.collect();
            let count = ids.len();
            ids.sort_unstable();
            ids.dedup();
            assert_eq!(ids.len(), count, "{example}: each thread once");
        }
    }
}

fn check_place(location: &Value) {
    let place = &location["physicalLocation"];
    let file = place["artifactLocation"]["uri"].as_str().expect("a file");
    let source = std::fs::read_to_string(support::root().join(file)).expect("the source");
    let line = place["region"]["startLine"].as_u64().expect("a line");
    assert!((1..=source.lines().count() as u64).contains(&line), "{location}");
}

#[test]
fn sarif_of_what_is_not_wrong_has_no_result() {
    let text = written("--sarif", "right.sarif", &["examples/peterson/fixed.c"]);
    let log: Value = serde_json::from_str(&text).expect("JSON");
    let run = &log["runs"][0];
    assert!(list(run, "results").is_empty());
    assert_eq!(run["properties"]["verdict"], "verified");
    let few = ["examples/rwlock/fixed.c", "--max-executions", "3"];
    let log: Value = serde_json::from_str(&written("--sarif", "few.sarif", &few)).expect("JSON");
    let notes = list(&log["runs"][0]["invocations"][0], "toolExecutionNotifications");
    assert!(notes.iter().any(|note| note["descriptor"]["id"] == "max_executions"), "{notes:?}");
}

#[test]
fn junit_tells_wrong_from_undecided() {
    for (name, arguments, said) in [
        ("right", &["examples/peterson/fixed.c"][..], "failures=\"0\" errors=\"0\""),
        ("wrong", &["examples/peterson/buggy.c"], "failures=\"1\" errors=\"0\""),
        (
            "few",
            &["examples/rwlock/fixed.c", "--max-executions", "3"],
            "failures=\"0\" errors=\"1\"",
        ),
    ] {
        let text = written("--junit", &format!("{name}.xml"), arguments);
        assert!(text.contains(said), "{text}");
        assert!(text.ends_with("</testsuites>\n"), "{text}");
    }
}

/// A schema that `make test-tools` gets. If it is not there, says so: the test cannot be made.
fn schema(name: &str) -> Option<PathBuf> {
    let path = temporary("../schemas").join(name);
    let is_there = path.exists();
    if !is_there {
        eprintln!("skipped: there is no {name} (`make test-tools` gets it)");
    }
    is_there.then_some(path)
}

/// Checks that are right, wrong in many ways, undecided, and of a litmus test.
fn checks() -> Vec<Vec<String>> {
    let faults = support::programs(&support::root().join("tests/faults"));
    let faults = faults.iter().step_by(8).map(|path| vec![path.display().to_string()]);
    let others: [&[&str]; 5] = [
        &["examples/peterson/fixed.c"],
        &["examples/dekker/buggy.c", "--keep-going"],
        &["examples/rwlock/fixed.c", "--max-executions", "3"],
        &["examples/ttas_lock/fixed.c", "--unroll", "1"],
        &["tests/litmus/T0000.litmus"],
    ];
    let others = others.iter().map(|all| all.iter().map(|&word| word.to_owned()).collect());
    faults.chain(others).collect()
}

#[test]
fn sarif_is_as_its_schema_says() {
    let Some(path) = schema("sarif.json") else { return };
    let text = std::fs::read_to_string(path).expect("the schema");
    let schema: Value = serde_json::from_str(&text).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let wrong = serde_json::json!({ "version": "2.1.0", "runs": [{ "tool": {} }] });
    assert!(!validator.is_valid(&wrong), "the schema must refuse something");
    for arguments in checks() {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let log = written("--sarif", "valid.sarif", &arguments);
        let log: Value = serde_json::from_str(&log).expect("JSON");
        let errors = validator.iter_errors(&log);
        let errors: Vec<String> =
            errors.map(|error| format!("{}: {error}", error.instance_path)).collect();
        assert!(errors.is_empty(), "{arguments:?}: {errors:#?}");
    }
}

#[test]
fn junit_is_as_its_schema_says() {
    let Some(schema) = schema("junit.xsd") else { return };
    if !support::is_there("xmllint") {
        return;
    }
    let validate = |path: &Path| {
        let mut command = Command::new("xmllint");
        command.args(["--noout", "--schema"]).arg(&schema).arg(path);
        command.output().expect("to run xmllint")
    };
    let path = temporary("invalid.xml");
    std::fs::write(&path, "<testsuites><testcase/></testsuites>").expect("to write");
    assert!(!validate(&path).status.success(), "the schema must refuse something");
    for arguments in checks() {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        written("--junit", "valid.xml", &arguments);
        let output = validate(&temporary("valid.xml"));
        assert!(output.status.success(), "{arguments:?}: {output:?}");
    }
    let path = temporary("suite.xml");
    let mut command = Command::new(env!("CARGO_BIN_EXE_norn"));
    command.current_dir(support::root()).args(["test", "--no-cache", "tests/projects", "--junit"]);
    assert!(command.arg(&path).output().expect("to run norn").status.success());
    let output = validate(&path);
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn github_gets_one_line_for_each_violation() {
    let output = check(&["examples/dekker/buggy.c", "--format", "github"]);
    let text = String::from_utf8(output.stdout).expect("text");
    let first = text.lines().next().expect("a line");
    assert!(first.starts_with("::error file=examples/dekker/buggy.c,line="), "{text}");
    assert!(first.contains("%0A1. "), "the steps: {text}");
    assert_eq!(text.lines().filter(|line| line.starts_with("::")).count(), 1, "{text}");
    assert_eq!(output.status.code(), Some(1));
}

/// `error[KIND]: FILE:LINE: MESSAGE` is what the problem matcher looks for.
#[test]
fn the_problem_matcher_fits_what_is_printed() {
    let path = support::root().join("integrations/github/problem-matcher.json");
    let text = std::fs::read_to_string(path).expect("the matcher");
    let matcher: Value = serde_json::from_str(&text).expect("JSON");
    let pattern = &matcher["problemMatcher"][0]["pattern"][0];
    assert_eq!(pattern["regexp"], r"^error\[(\w+)\]: (.+?):(\d+): (.+)$");
    let output = check(&["examples/dekker/buggy.c", "--quiet"]);
    let text = String::from_utf8(output.stdout).expect("text");
    let line = text.lines().next().expect("a line");
    let (kind, rest) = line.split_once("]: ").expect("a kind");
    assert_eq!(kind, "error[data_race");
    let mut parts = rest.splitn(3, ':');
    assert_eq!(parts.next(), Some("examples/dekker/buggy.c"));
    assert!(parts.next().is_some_and(|line| line.parse::<u32>().is_ok()), "{line}");
    assert!(parts.next().is_some_and(|message| message.starts_with(" data race")), "{line}");
}
