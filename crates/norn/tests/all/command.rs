//! The command as scripts see it: exit codes, what goes to which stream, JSON.

use crate::support;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

fn norn(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_norn"));
    command.current_dir(support::root()).args(arguments).output().expect("to run norn")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("text")
}

fn json(arguments: &[&str]) -> (Value, i32) {
    let output = norn(&[&["check", "--format", "json"], arguments].concat());
    assert_eq!(text(&output.stderr), "", "nothing but the report");
    let report = serde_json::from_slice(&output.stdout).expect("one JSON object");
    (report, output.status.code().expect("an exit code"))
}

fn temporary(name: &str, content: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, content).expect("to write a file");
    path.display().to_string()
}

#[test]
fn exit_codes_follow_the_verdict() {
    let cases: [(&[&str], &str, i32); 4] = [
        (&["examples/peterson/fixed.c"], "verified", 0),
        (&["examples/peterson/buggy.c"], "violation", 1),
        (&["examples/rwlock/fixed.c", "--max-executions", "3"], "inconclusive", 3),
        (&["tests/litmus/T0000.litmus"], "verified", 0),
    ];
    for (arguments, verdict, code) in cases {
        let (report, exit) = json(arguments);
        assert_eq!((report["verdict"].as_str(), exit), (Some(verdict), code), "{arguments:?}");
    }
}

/// Where an execution stands for several last values, the condition is asked of each.
#[test]
fn conditions_are_asked_of_all_final_states() {
    let test = "C last\n{ }\nP0 (atomic_int* x) { *x = 1; }\nP1 (atomic_int* x) { *x = 2; }\n\
                forall (x=1)\n";
    let test = temporary("last.litmus", test);
    for (algorithm, said) in [
        ("trust", "no, 1 of 2 executions satisfy it"),
        ("rf", "no, 1 of 2 final states satisfy it"),
        ("rvf", "no, 1 of 2 final states satisfy it"),
    ] {
        let output = norn(&["check", "--model", "sc", "--algorithm", algorithm, &test]);
        let report = text(&output.stdout);
        assert!(report.contains(said), "{algorithm}: {report}");
        assert_eq!(output.status.code(), Some(1), "{algorithm}");
    }
}

#[test]
fn reports_follow_the_schema() {
    let schema = std::fs::read_to_string(support::root().join("docs/report.schema.json"));
    let schema: Value = serde_json::from_str(&schema.expect("the schema")).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let cases: [&[&str]; 18] = [
        &["examples/seqlock/buggy.c", "--minimise"],
        &["examples/rcu_publish/buggy.c", "--suggest"],
        &["examples/ticket_lock/buggy.c", "--suggest"],
        &["examples/peterson/fixed.c"],
        &["examples/dekker/buggy.c", "--keep-going"],
        &["examples/mcs_lock/buggy.c"],
        &["examples/rcu_publish/buggy.c", "--no-race-detection"],
        &["tests/faults/deadlock.c"],
        &["tests/faults/deadlock_lost_signal.c"],
        &["tests/faults/invalid_sync_barrier.c"],
        &["tests/faults/livelock.c"],
        &["tests/faults/use_after_free.c"],
        &["tests/faults/uninitialised_read.c"],
        &["tests/faults/mixed_size.c"],
        &["tests/faults/memory_leak.c"],
        &["tests/faults/unroll.c", "--unroll", "2"],
        &["examples/litmus/SB.litmus"],
        &["examples/litmus/SB.litmus", "--model", "sc"],
    ];
    for arguments in cases {
        let (report, _) = json(arguments);
        let errors: Vec<String> = validator
            .iter_errors(&report)
            .map(|error| format!("{}: {error}", error.instance_path))
            .collect();
        assert!(errors.is_empty(), "{arguments:?}: {errors:#?}");
    }
    let broken = serde_json::json!({ "verdict": "perhaps" });
    assert!(!validator.is_valid(&broken), "the schema must be able to refuse");
}

#[test]
fn livelocks_are_not_reported_if_nobody_wants_to_know() {
    for algorithm in ["trust", "rf"] {
        let arguments = ["tests/faults/livelock.c", "--algorithm", algorithm];
        let (report, _) = json(&arguments);
        assert_eq!(report["violation"]["kind"], "livelock", "{algorithm}");
        let (report, _) = json(&[&arguments[..], &["--no-liveness"]].concat());
        assert_eq!(report["verdict"], "verified", "{algorithm}");
        assert_ne!(report["blocked"], 0, "{algorithm}");
        // Threads that wait for each other are another matter.
        let (report, _) = json(&["tests/faults/deadlock.c", "--no-liveness"]);
        assert_eq!(report["violation"]["kind"], "deadlock", "{algorithm}");
    }
}

#[test]
fn fields_that_scripts_rely_on() {
    let (report, _) = json(&["examples/litmus/SB.litmus", "--model", "sc"]);
    assert_eq!(
        report["outcomes"],
        serde_json::json!(["0:r0=0;1:r0=1", "0:r0=1;1:r0=0", "0:r0=1;1:r0=1"])
    );
    assert_eq!((&report["model"], &report["algorithm"]), (&"sc".into(), &"trust".into()));
    assert_eq!((&report["executions"], &report["blocked"]), (&3.into(), &0.into()));
    assert!(report["peak_memory_bytes"].as_u64().is_some_and(|bytes| bytes > 1 << 20));
    let (report, _) = json(&["tests/faults/data_race.c"]);
    let violation = &report["violation"];
    assert_eq!(violation["kind"], "data_race");
    assert_eq!(violation["file"], "tests/faults/data_race.c");
    assert_eq!((&violation["line"], &violation["thread"]), (&19.into(), &2.into()));
    let places: Vec<_> = violation["involved"].as_array().expect("places").iter().collect();
    assert_eq!(places.len(), 2, "a race has two sides");
    assert!(violation["trace"].as_array().is_some_and(|steps| steps.len() >= 4));
}

#[test]
fn a_violation_has_the_whole_execution() {
    let (report, _) = json(&["tests/faults/data_race.c"]);
    let violation = &report["violation"];
    assert_eq!((&report["format"], &violation["format"]), (&2.into(), &2.into()));
    let execution = &violation["execution"];
    let threads = execution["threads"].as_array().expect("threads");
    assert_eq!(threads[0]["name"], "main");
    let list = |value: &Value, key: &str| value[key].as_array().expect("a list").clone();
    let events: Vec<Value> = threads.iter().flat_map(|thread| list(thread, "events")).collect();
    let find = |name: &Value| events.iter().find(|event| event["id"] == *name);
    let steps = list(violation, "trace");
    let of_events = || steps.iter().filter(|step| !step["event"].is_null());
    assert!(of_events().count() >= 4, "steps are events");
    for step in of_events() {
        let event = find(&step["event"]).expect("an event of the execution");
        assert_eq!(event["at"]["line"], step["line"]);
        assert!(step["why"]["choice"].is_string(), "{step}");
    }
    let failing = of_events().filter(|step| step["failing"] == true);
    for step in failing {
        let location = find(&step["event"]).expect("an event")["location"].as_u64();
        let location = &execution["locations"][location.expect("an access") as usize];
        assert_eq!((&location["name"], &location["type"]), (&step["variable"], &"int".into()));
        let object = location["object"].as_u64().expect("it is part of an object");
        assert_eq!(execution["objects"][object as usize]["storage"], "global");
    }
}

#[test]
fn events_say_through_which_calls_they_came() {
    let program = temporary(
        "calls.c",
        "#include <pthread.h>
#include <stdlib.h>
static int x;
static void store(int value) { x = value; }
static inline __attribute__((always_inline)) void inlined(int value) { store(value); }
static void *worker(void *unused) { inlined(1); return unused; }
int main(void) {
    pthread_t thread;
    free(malloc(8));
    pthread_create(&thread, 0, worker, 0);
    int seen = x;
    pthread_join(thread, 0);
    return seen;
}
",
    );
    let (report, _) = json(&[&program]);
    let threads = &report["violation"]["execution"]["threads"];
    let events = threads[1]["events"].as_array().expect("events");
    let write = events.iter().find(|event| event["kind"] == "write").expect("a write");
    let frame = |spot: &Value| (spot["function"].clone(), spot["line"].clone());
    let callers: Vec<_> = write["callers"].as_array().expect("calls").iter().map(frame).collect();
    assert_eq!(frame(&write["at"]), ("store".into(), 4.into()));
    assert_eq!(callers, [("inlined".into(), 5.into()), ("worker".into(), 6.into())]);
}

#[test]
fn bad_usage_and_bad_input_are_exit_code_2_with_a_message() {
    let broken_c = temporary("broken.c", "int main(void) { return x; }\n");
    let broken_litmus = temporary("broken.litmus", "C broken\n{ }\nP0 (atomic_int* x) { oops }\n");
    let no_main = temporary("no_main.c", "int f(void) { return 0; }\n");
    let broken_ll = temporary("broken.ll", "define i32 @main() {\n  ret i32\n");
    let cases: &[(&[&str], &str)] = &[
        (&["check"], "FILE"),
        (&["check", "missing.c"], "missing.c"),
        (&["check", "missing.litmus"], "missing.litmus"),
        (&["check", &broken_c], "broken.c:1"),
        (&["check", &broken_litmus], "broken.litmus:3"),
        (&["check", &broken_ll], "broken.ll:"),
        (&["check", &no_main], "--entry"),
        (&["check", &no_main, "--entry", "g"], "`g`"),
        (&["check", "x.c", "--model", "arm"], "sc, tso, pso, ra, rc11 and c20"),
        (&["check", "x.c", "--algorithm", "dpor"], "auto, trust, rf, rvf, await"),
        (&["check", "x.c", "--algorithm", "rvf"], "--model sc"),
        (&["check", "x.c", "--algorithm", "await"], "--model sc"),
        (&["check", "x.c", "--bound", "2"], "--bound"),
        (&["check", "x.c", "--timeout", "soon"], "10m"),
    ];
    for (arguments, expected) in cases {
        let output = norn(arguments);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(message.contains(expected), "{arguments:?}: {message}");
        assert_eq!(text(&output.stdout), "", "{arguments:?}");
    }
}

#[test]
fn another_entry_can_be_checked() {
    let file = temporary("entry.c", "#include <assert.h>\nvoid test(void) { assert(0); }\n");
    let (report, code) = json(&[&file, "--entry", "test"]);
    assert_eq!((&report["violation"]["kind"], code), (&"assertion".into(), 1));
}

#[test]
fn compiler_flags_follow_two_dashes() {
    let file =
        temporary("flags.c", "#include <assert.h>\nint main(void) { assert(N == 3); return 0; }\n");
    assert_eq!(json(&[&file, "--", "-DN=3"]).1, 0);
    assert_eq!(json(&[&file, "--", "-DN=4"]).1, 1);
}

#[test]
fn workers_do_not_change_what_is_found() {
    let numbers = |jobs: &str| {
        let (report, _) = json(&["bench/programs/mpmc_queue.c", "--jobs", jobs]);
        (report["executions"].clone(), report["blocked"].clone())
    };
    assert_eq!(numbers("1"), numbers("3"));
}

#[test]
fn colour_only_when_asked_and_quiet_is_short() {
    let plain = norn(&["check", "tests/faults/data_race.c"]);
    assert!(!text(&plain.stdout).contains('\x1b'), "a pipe gets no colour");
    let colourful = norn(&["check", "tests/faults/data_race.c", "--color", "always"]);
    assert!(text(&colourful.stdout).contains('\x1b'));
    let quiet = norn(&["check", "--quiet", "tests/faults/data_race.c"]);
    assert_eq!(text(&quiet.stdout).lines().count(), 2);
    assert_eq!(text(&plain.stderr), "", "no progress when piped");
}

#[test]
fn run_prints_what_the_program_prints_and_exits_as_it_exits() {
    let file = temporary(
        "hello.c",
        "#include <stdio.h>\nint main(int n, char **a) { printf(\"%d %s\\n\", n, a[1]); return 7; }\n",
    );
    let output = norn(&["run", &file, "--arg", "-x"]);
    assert_eq!((text(&output.stdout), output.status.code()), ("2 -x\n", Some(7)));
}

#[test]
fn lists_completions_and_manual() {
    let list = norn(&["list"]);
    for name in ["rc11", "c20", "trust", "pthread_mutex_lock", "malloc"] {
        assert!(text(&list.stdout).contains(name), "{name}");
    }
    let completions = norn(&["completions", "bash"]);
    assert!(text(&completions.stdout).contains("--max-executions"));
    let manual = norn(&["man", "check"]);
    assert!(text(&manual.stdout).contains("keep\\-going"));
    let disassembly = norn(&["disasm", "examples/peterson/fixed.c"]);
    assert!(text(&disassembly.stdout).contains("function main"));
}

/// The page of supported functions is what the command lists.
#[test]
fn the_page_of_functions_is_up_to_date() {
    let list = norn(&["list", "functions"]);
    let page = support::root().join("docs/functions.md");
    let text = std::fs::read_to_string(&page).expect("the page");
    let (head, _) = text.split_once("```text\n").expect("a list");
    let new = format!("{head}```text\n{}```\n", self::text(&list.stdout));
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&page, &new).expect("to write the page");
    }
    assert!(new == text || std::env::var_os("BLESS").is_some(), "run with BLESS=1 to update");
}

#[test]
fn every_distinct_violation_is_reported_when_asked() {
    let file = temporary(
        "two_races.c",
        "#include <pthread.h>\nint x, y;\n\
         static void *f(void *p) {\n    x = 1;\n    y = 1;\n    return p;\n}\n\
         int main(void) {\n    pthread_t t;\n    pthread_create(&t, 0, f, 0);\n\
         \x20   x = 2;\n    y = 2;\n    pthread_join(t, 0);\n    return 0;\n}\n",
    );
    let count = |report: &Value| report["more_violations"].as_array().map(Vec::len);
    assert_eq!(count(&json(&[&file]).0), Some(0));
    let (report, code) = json(&[&file, "--keep-going"]);
    assert_eq!((count(&report), code), (Some(1), 1));
    assert_ne!(report["violation"]["line"], report["more_violations"][0]["line"]);
    assert!(report["executions"].as_u64() > Some(1), "all executions are counted");
}

/// A signal stops the search, which then says what it covered.
#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_search_with_a_report() {
    let file = temporary(
        "long.c",
        "#include <pthread.h>\n#include <stdatomic.h>\natomic_int x;\n\
         static void *f(void *p) { for (int i = 0; i < 9; i++) x++; return p; }\n\
         int main(void) { pthread_t t[4]; for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, f, 0);\n\
         for (int i = 0; i < 4; i++) pthread_join(t[i], 0); return 0; }\n",
    );
    let mut command = Command::new(env!("CARGO_BIN_EXE_norn"));
    command.args(["check", "--format", "json", "--timeout", "2m", &file]);
    let child = command.stdout(std::process::Stdio::piped()).spawn().expect("to run norn");
    // Long enough to be past compilation; the search itself would take days.
    std::thread::sleep(std::time::Duration::from_secs(3));
    let signal = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(signal.expect("to send a signal").success());
    let output = child.wait_with_output().expect("an end");
    let report: Value = serde_json::from_slice(&output.stdout).expect("a report");
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(report["reasons"][0]["kind"], "interrupted");
    assert!(report["executions"].as_u64() > Some(0), "something was covered");
}

/// The help offers the algorithms that there are.
#[test]
fn help_lists_the_algorithms() {
    let output = norn(&["check", "--help"]);
    let help = text(&output.stdout);
    let names = norn::AlgorithmName::ALL.map(norn::AlgorithmName::name).join(", ");
    assert!(help.contains(&format!("[possible values: {names}]")), "{help}");
}

/// A folder is no program, though a compiler takes one and says nothing.
#[test]
fn folders_are_no_programs() {
    for folder in ["examples", ".", "examples/dekker/"] {
        let output = norn(&["check", folder]);
        assert_eq!(output.status.code(), Some(2), "{folder}");
        let said = text(&output.stderr);
        assert!(said.contains(&format!("{folder}: is a directory")), "{said}");
    }
}

/// Half a report must not be taken for one.
#[test]
#[cfg(target_os = "linux")]
fn a_disk_that_is_full_is_noticed() {
    let full = || std::fs::File::options().write(true).open("/dev/full").expect("a full disk");
    for arguments in [&["check", "--format", "json", "examples/dekker/buggy.c"][..], &["list"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_norn"));
        let output = command.current_dir(support::root()).args(arguments).stdout(full()).output();
        let output = output.expect("to run norn");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).contains("cannot write to standard output"));
    }
}

/// What a check was told stands in its report.
#[test]
fn what_was_left_out_on_purpose_is_said() {
    let (report, _) = json(&["examples/dekker/fixed.c"]);
    assert_eq!((&report["assumptions"], &report["loops"]), (&Value::Null, &Value::Null));
    let told = ["examples/dekker/fixed.c", "--no-liveness", "--unroll", "9", "--entry", "main"];
    let (report, _) = json(&told);
    let told = serde_json::json!([
        { "kind": "entry", "function": "main" },
        { "kind": "unroll", "times": 9 },
        { "kind": "no_liveness" },
    ]);
    assert_eq!(report["assumptions"], told);
    let page = Path::new(env!("CARGO_TARGET_TMPDIR")).join("told.html").display().to_string();
    let (report, _) = json(&["examples/dekker/fixed.c", "--html", &page]);
    let waits = report["loops"].as_array().expect("its loops");
    assert_eq!(waits.iter().filter(|one| one["finding"] == "await").count(), 2, "{waits:?}");
    let (report, _) = json(&["examples/dekker/buggy.c", "--html", &page]);
    assert_eq!(report["loops"], Value::Null, "something is wrong");
}

/// Threads are called after their functions as the source has them.
#[test]
fn threads_of_cpp_have_plain_names() {
    let (report, _) = json(&["tests/faults/assertion_global_destructor.cpp"]);
    let names = report["violation"]["trace"].as_array().expect("steps").iter();
    let names: Vec<&Value> = names.map(|step| &step["thread_name"]).collect();
    assert!(names.iter().any(|name| **name == "thread 1 (work)"), "{names:?}");
}

/// A report is as wide as the terminal.
#[test]
#[cfg(target_os = "linux")]
fn text_fits_the_terminal() {
    if !support::is_there("script") {
        return;
    }
    for (columns, least, most) in [(60, 50, 60), (110, 81, 110), (50, 40, 50), (300, 81, 120)] {
        let norn = env!("CARGO_BIN_EXE_norn");
        let check = format!(
            "stty rows 24 cols {columns}; {norn} check --color never examples/rwlock/buggy.c"
        );
        let mut terminal = Command::new("script");
        terminal.args(["-qc", &check, "/dev/null"]).current_dir(support::root());
        terminal.env_remove("COLUMNS").stdin(std::process::Stdio::null());
        let output = terminal.output().expect("to run script");
        // What shows progress ends in a carriage return without a line feed.
        let lines = text(&output.stdout).split("\r\n").filter_map(|line| line.rsplit('\r').next());
        let widest = lines.map(|line| line.chars().count()).max().unwrap_or(0);
        assert!((least..=most).contains(&widest), "{columns}: {}", text(&output.stdout));
    }
}
