//! `--explore-html`: all executions are there, each with what is wrong with it.

use crate::support;
use norn::{AlgorithmName, CheckOptions, Control, Outcome};
use std::collections::BTreeSet;

fn browse(file: &str, change: impl FnOnce(&mut CheckOptions)) -> Outcome {
    let mut options = CheckOptions {
        files: vec![support::root().join(file)],
        algorithm: AlgorithmName::Trust,
        keep_going: true,
        browse: true,
        jobs: 1,
        ..support::options()
    };
    change(&mut options);
    norn::check(&options, &Control::default(), &mut |_| {}).expect("a report")
}

/// What is wrong with some execution is what a check that goes on finds, and no execution is left out.
#[test]
fn every_execution_is_shown_with_what_is_wrong_with_it() {
    for (file, is_wrong) in [
        ("examples/dekker/buggy.c", true),
        ("examples/peterson/buggy.c", true),
        ("examples/peterson/fixed.c", false),
        ("examples/double_checked/buggy.c", true),
        ("tests/faults/assertion.c", true),
        ("tests/faults/deadlock.c", true),
        ("tests/faults/livelock.c", true),
        ("tests/faults/use_after_free.c", true),
        ("examples/litmus/SB.litmus", true),
        ("examples/litmus/2+2W.litmus", true),
    ] {
        let Outcome { report, browsed, .. } = browse(file, |options| options.symmetry = false);
        let browsed = browsed.expect("it was asked for");
        assert_eq!(browsed.left_out, 0, "{file}");
        assert_eq!(browsed.because, [""; 0], "{file}");
        let usual = browse(file, |_| {}).browsed.expect("it was asked for");
        assert_eq!(
            usual.executions.len(),
            browsed.executions.len(),
            "{file}: all, if some are alike"
        );
        assert_eq!(browsed.executions.len() as u64, report.executions + report.blocked, "{file}");
        let ended = browsed.executions.iter().filter(|one| one.ends).count() as u64;
        assert_eq!(ended, report.executions, "{file}");
        let kinds = |kind: &str| -> BTreeSet<String> {
            let words = kind.split_whitespace().take(2);
            [words.collect::<Vec<_>>().join(" ")].into()
        };
        let shown: BTreeSet<String> = browsed
            .executions
            .iter()
            .flat_map(|one| &one.wrong)
            .flat_map(|text| kinds(text))
            .collect();
        let found: BTreeSet<String> =
            report.violations().flat_map(|one| kinds(&one.message)).collect();
        assert_eq!(shown, found, "{file}");
        assert_eq!(!found.is_empty(), is_wrong, "{file}");
        let outcomes: BTreeSet<&str> =
            browsed.executions.iter().filter(|one| one.ends).map(|one| &*one.outcome).collect();
        if file.ends_with(".litmus") {
            let known: BTreeSet<&str> = report.outcomes.iter().map(String::as_str).collect();
            assert_eq!(outcomes, known, "{file}");
        }
    }
}

/// Three threads that store three times each.
const MANY: &str = "#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *worker(void *arg) {
    for (int i = 0; i < 3; i++)
        atomic_store(&x, i);
    return arg;
}
int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, worker, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
}
";

/// A check may count threads that are alike once; whoever looks at all executions sees all.
#[test]
fn executions_that_differ_by_threads_that_are_alike_are_all_shown() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("alike.c");
    let text = "#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *worker(void *arg) { atomic_store(&x, 1); atomic_store(&x, 2); return arg; }
int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
}
";
    std::fs::write(&file, text).expect("to write");
    for (symmetry, counted) in [(false, 6), (true, 3)] {
        let Outcome { report, browsed, .. } = browse("", |options| {
            options.files = vec![file.clone()];
            options.symmetry = symmetry;
        });
        let browsed = browsed.expect("it was asked for");
        assert_eq!(
            (report.executions, browsed.executions.len(), browsed.left_out),
            (counted, 6, 0)
        );
    }
}

#[test]
fn what_is_left_out_is_said() {
    let few = browse("examples/litmus/SB.litmus", |options| options.max_executions = Some(2));
    let few = few.browsed.expect("it was asked for");
    assert_eq!(few.executions.len(), 2);
    assert!(few.because[0].contains("--max-executions"), "{:?}", few.because);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("many.c");
    std::fs::write(&file, MANY).expect("to write");
    let many = browse(file.to_str().expect("a name"), |options| options.symmetry = false);
    assert_eq!(many.report.executions, 1680);
    let Outcome { report, sources, browsed } = many;
    let mut many = browsed.expect("it was asked for");
    assert_eq!(many.executions.len(), 1000);
    assert!(many.because[0].contains("1000 at the most"), "{:?}", many.because);
    // What they have in common is written once.
    let alone: usize = many.executions.iter().map(|one| json(&one.view).len()).sum();
    let page = norn::browse_page(&report, &sources, &mut many);
    assert_eq!((many.executions.len(), many.left_out), (1000, 0));
    assert!(page.len() < alone / 4, "{} of {alone} bytes", page.len());
    assert!(page.contains("There may be others: a page shows 1000 at the most"));
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("it can be written")
}

/// A thousand executions of this one are 38 MB if each is written by itself.
#[test]
fn a_page_has_a_size_that_a_browser_can_take() {
    let file = support::root().join("bench/programs/safestack.c");
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("page.html");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_norn"));
    command.arg("check").arg(file).args(["--max-executions", "1000", "--explore-html"]).arg(&page);
    let output = command.output().expect("to run norn");
    let said = String::from_utf8_lossy(&output.stderr);
    let size = page.metadata().expect("a page").len();
    assert!(size < 10_000_000, "{size} bytes: {said}");
    assert!(said.contains("executions. "), "{said}");
}
