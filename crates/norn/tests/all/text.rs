//! What people see: text reports at 80 columns without colour.

use crate::support;
use norn::{CheckOptions, Control, ModelName, Report, Sources, TextStyle};
use norn_report::Involved;
use std::path::Path;

/// The report of a program, with the paths of the repository cut off.
fn report(file: &str, change: impl FnOnce(&mut CheckOptions)) -> String {
    // How many executions come before a violation depends on the number of workers.
    let files = vec![support::root().join(file)];
    let mut options = CheckOptions { files, jobs: 1, ..support::options() };
    change(&mut options);
    let outcome = norn::check(&options, &Control::default(), &mut |_| {}).expect("a report");
    let prefix = format!("{}/", support::root().display());
    let json = outcome.report.to_json().replace(&prefix, "");
    let mut report = serde_json::from_str(&json).expect("reports survive being written and read");
    let mut sources = Sources::default();
    if let Ok(text) = std::fs::read_to_string(support::root().join(file)) {
        leave_macros(&mut report, &text);
        sources.insert(file, text);
    }
    let style = TextStyle { reproducible: true, ..TextStyle::default() };
    let text = norn::render(&report, &sources, style);
    for line in text.lines() {
        let is_source = line.contains(" | ");
        assert!(is_source || line.chars().count() <= 80, "{file}: too wide: {line}");
    }
    text
}

/// Moves columns inside an `assert` to its beginning. Compilers differ in where an access stands that is
/// part of a macro's argument: up to clang 19 where the macro does, in clang 22 where the argument does.
fn leave_macros(report: &mut Report, source: &str) {
    let lines: Vec<&str> = source.lines().collect();
    let leave = |line: u32, column: &mut u32| {
        let text = lines.get(line as usize - 1).copied().unwrap_or_default();
        let start = text.find("assert(").map_or(u32::MAX, |start| start as u32 + 1);
        *column = start.min(*column);
    };
    if let Some(violation) = &mut report.violation {
        if let (Some(line), Some(column)) = (violation.line, &mut violation.column) {
            leave(line, column);
        }
        for Involved { spot, .. } in &mut violation.involved {
            leave(spot.line, &mut spot.column);
        }
    }
}

fn snapshot(file: &str, change: impl FnOnce(&mut CheckOptions)) {
    let stem = file.replace(['/', '.'], "_");
    let text = report(file, change);
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(stem, text);
    });
}

#[test]
fn violations() {
    for file in [
        "examples/treiber_stack/buggy.c",
        "examples/peterson/buggy.c",
        "examples/rcu_publish/buggy.c",
        "tests/faults/assertion.c",
        "tests/faults/data_race.c",
        "tests/faults/deadlock.c",
        "tests/faults/assertion_names.c",
        "tests/faults/assertion_values.c",
        "tests/faults/deadlock_itself.c",
        "tests/faults/deadlock_lost_signal.c",
        "tests/faults/deadlock_readers.c",
        "tests/faults/invalid_join_detached.c",
        "tests/faults/division_by_zero.c",
        "tests/faults/invalid_sync_barrier.c",
        "tests/faults/invalid_sync_destroyed_by_other.c",
        "tests/faults/livelock.c",
        "tests/faults/null_pointer.c",
        "tests/faults/out_of_bounds.c",
        "tests/faults/unlock_not_held.c",
        "tests/faults/use_after_free.c",
        "tests/faults/use_after_free_own.c",
        "tests/faults/uninitialised_read.c",
    ] {
        snapshot(file, |_| {});
    }
}

#[test]
fn proofs_warnings_and_limits() {
    for file in [
        "examples/treiber_stack/fixed.c",
        "tests/faults/memory_leak.c",
        "tests/faults/mixed_size.c",
        "tests/faults/nonzero_exit.c",
        "tests/faults/unknown_function.c",
    ] {
        snapshot(file, |_| {});
    }
    snapshot("tests/faults/unroll.c", |options| options.unroll = Some(2));
    snapshot("examples/rwlock/fixed.c", |options| options.max_executions = Some(3));
}

#[test]
fn litmus_tests() {
    snapshot("examples/litmus/SB.litmus", |_| {});
    snapshot("examples/litmus/MP.litmus", |_| {});
    snapshot("examples/litmus/2+2W.litmus", |options| options.model = ModelName::Pso.into());
}

/// Two files with a static variable of one name each, which threads pass to each other, and memory that both
/// allocate in the same line.
#[test]
fn objects_of_two_files_have_different_names() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (one, two) = (directory.join("one.c"), directory.join("two.c"));
    let half = "#include <stdatomic.h>\n#include <stdlib.h>\nstatic atomic_int count;\n\
        atomic_int *made_by_NAME;\n\
        void NAME(void) { count = 1; made_by_NAME = malloc(4); *made_by_NAME = 2; }\n";
    let rest = "#include <assert.h>\n#include <pthread.h>\n\
        void two(void);\n\
        static void *other(void *arg) { two(); return arg; }\n\
        int main(void) {\n    pthread_t t;\n    pthread_create(&t, 0, other, 0);\n    one();\n    \
        pthread_join(t, 0);\n    assert(count == 2);\n    return 0;\n}\n";
    std::fs::write(&one, half.replace("NAME", "one") + rest).expect("to write a file");
    std::fs::write(&two, half.replace("NAME", "two")).expect("to write a file");
    let options = CheckOptions { files: vec![one, two], jobs: 1, ..support::options() };
    let outcome = norn::check(&options, &Control::default(), &mut |_| {}).expect("a report");
    let execution = outcome.report.violation.expect("a violation").execution;
    let mut names: Vec<String> = execution.objects.into_iter().map(|object| object.name).collect();
    for name in ["one.c:count", "two.c:count", "heap:one.c:5", "heap:two.c:5"] {
        assert!(names.contains(&name.to_owned()), "{name}: {names:?}");
    }
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
}

#[test]
fn many_threads_are_named_in_a_column() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("many.c");
    let program = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n\
        atomic_int x;\n\
        static void *worker(void *arg) { int seen = x; x = seen + 1; return arg; }\n\
        int main(void) {\n    pthread_t t[5];\n    for (int i = 0; i < 5; i++)\n        \
        pthread_create(&t[i], 0, worker, 0);\n    for (int i = 0; i < 5; i++)\n        \
        pthread_join(t[i], 0);\n    assert(x == 5);\n    return 0;\n}\n";
    std::fs::write(&file, program).expect("to write a file");
    let text = report(&file.display().to_string(), |_| {});
    assert!(text.contains("thread 5 (worker)"), "{text}");
    assert!(text.lines().any(|line| line.trim_start().starts_with("#  line  thread")), "{text}");
}
