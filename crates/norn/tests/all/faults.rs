//! Every kind of fault, each with a program that has it and a near twin that has not.

use crate::support;
use norn::Verdict;
use std::collections::BTreeSet;

/// Kinds of violations that some program must show.
const KINDS: [&str; 21] = [
    "abort",
    "assertion",
    "data_race",
    "deadlock",
    "division_by_zero",
    "double_free",
    "invalid_free",
    "invalid_join",
    "invalid_sync",
    "livelock",
    "null_pointer",
    "out_of_bounds",
    "reach_error",
    "read_only_write",
    "uncaught_exception",
    "undefined_behaviour",
    "uninitialised_read",
    "unlock_not_held",
    "use_after_free",
    "use_after_return",
    "wild_pointer",
];

#[test]
fn faults_are_found_and_their_twins_are_clean() {
    let programs = support::programs(&support::root().join("tests/faults"));
    support::compare(&programs);
}

#[test]
fn every_kind_has_a_program_and_every_program_a_twin() {
    let programs = support::programs(&support::root().join("tests/faults"));
    let mut kinds = BTreeSet::new();
    for path in &programs {
        let stem = path.file_stem().and_then(|stem| stem.to_str()).expect("a name");
        let text = std::fs::read_to_string(path).expect("a program");
        let expectation = text.lines().next().unwrap_or("").to_owned();
        if stem.ends_with("_not") {
            assert!(expectation.starts_with("// norn: verified"), "{stem}: {expectation}");
            assert!(!expectation.contains("warning="), "{stem}: {expectation}");
            continue;
        }
        let twin = path
            .with_file_name(format!("{stem}_not"))
            .with_extension(path.extension().expect("an extension"));
        assert!(programs.contains(&twin), "{stem} has no twin");
        if let Some(rest) = expectation.strip_prefix("// norn: violation ") {
            kinds.insert(rest.split(' ').next().unwrap_or("").to_owned());
        }
    }
    assert_eq!(kinds.iter().map(String::as_str).collect::<Vec<_>>(), KINDS);
}

/// The limits of a search, on a program that has more executions than they allow.
#[test]
fn limits_are_inconclusive_and_say_why() {
    use norn::{CheckOptions, Control};
    use norn_report::Reason;
    let file = support::root().join("examples/rwlock/fixed.c");
    let options = CheckOptions { files: vec![file], ..support::options() };
    let few = CheckOptions { max_executions: Some(5), ..options.clone() };
    let short = CheckOptions { timeout: Some(std::time::Duration::ZERO), ..options.clone() };
    let small = CheckOptions { max_memory: Some(1), ..options };
    for (options, reason) in
        [(few, Reason::MaxExecutions), (short, Reason::Timeout), (small, Reason::Memory)]
    {
        let outcome = norn::check(&options, &Control::default(), &mut |_| {});
        let report = outcome.expect("a report").report;
        assert_eq!((report.verdict, report.reasons), (Verdict::Inconclusive, vec![reason]));
    }
    let interrupted = Control::default();
    interrupted.interrupt();
    let file = support::root().join("examples/rwlock/fixed.c");
    let options = CheckOptions { files: vec![file], ..support::options() };
    let report = norn::check(&options, &interrupted, &mut |_| {}).expect("a report").report;
    assert_eq!(report.reasons, vec![Reason::Interrupted]);
}
