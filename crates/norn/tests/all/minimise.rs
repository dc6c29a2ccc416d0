//! `--minimise`: what is reported is of the same kind, nowhere longer, and can be replayed.

use crate::support;
use norn::{CheckOptions, Control, Outcome};
use norn_report::{Length, Minimised};
use std::path::{Path, PathBuf};
use std::time::Duration;

fn check(options: &CheckOptions) -> Outcome {
    norn::check(options, &Control::default(), &mut |_| {}).expect("a report")
}

/// Whether something is wrong with a program.
fn is_wrong(path: &Path) -> bool {
    std::fs::read_to_string(path).expect("a program").starts_with("// norn: violation")
}

/// Compares what is found with and without it, and replays the shorter one. Whether it is shorter.
fn compare(path: &Path, keep_going: bool) -> bool {
    let text = std::fs::read_to_string(path).expect("a program");
    let folder = tempfile::tempdir().expect("a folder");
    let trace = folder.path().join("trace.json");
    // One worker finds the same each time.
    let options = CheckOptions { keep_going, jobs: 1, ..support::options_of(path, &text) };
    let first = check(&options).report;
    let trace_to = Some(trace.clone());
    let mut short = check(&CheckOptions { minimise: true, trace: trace_to, ..options }).report;
    let name = path.display();
    let counts = |report: &norn::Report| (report.verdict, report.violations().count());
    assert_eq!(counts(&first), counts(&short), "{name}");
    let mut is_shorter = false;
    for (first, short) in first.violations().zip(short.violations_mut()) {
        assert_eq!(first.kind, short.kind, "{name}");
        let (before, now) = (Length::of(first), Length::of(short));
        let said = short.minimised.take().expect("what was saved");
        assert_eq!((said.first, said.now), (before, now), "{name}");
        assert!(now.is_within(before) && said.compared > 0, "{name}: {before:?} {now:?}");
        if keep_going {
            assert_eq!((&first.file, first.line), (&short.file, short.line), "{name}");
        }
        is_shorter |= now < before;
    }
    let clang = support::options().clang;
    let again = norn::replay(&trace, clang, &Control::default(), &mut |_| {}).expect("a replay");
    let mut replayed = again.report.violation.expect("a violation");
    support::forget_output(&mut replayed);
    let short = short.violation.expect("a violation");
    assert_eq!((replayed.message, replayed.trace), (short.message, short.trace), "{name}");
    is_shorter
}

#[test]
fn of_faults_no_kind_changes_and_nothing_grows() {
    let mut programs = support::programs(&support::root().join("tests/faults"));
    programs.retain(|path| is_wrong(path));
    assert!(programs.len() > 60, "only {}", programs.len());
    programs.iter().for_each(|path| _ = compare(path, false));
}

#[test]
fn of_examples_no_kind_changes_and_nothing_grows() {
    let mut programs: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(support::root().join("examples")).expect("the examples") {
        programs.extend(support::programs(&entry.expect("an entry").path()));
    }
    programs.retain(|path| is_wrong(path));
    let shorter = programs.iter().filter(|path| compare(path, false)).count();
    assert!(shorter >= 4, "only {shorter} of {} are shorter", programs.len());
}

#[test]
fn with_keep_going_each_of_the_list_stays_where_it_is() {
    for example in ["examples/dekker/buggy.c", "examples/rwlock/buggy.c", "tests/faults/deadlock.c"]
    {
        compare(&support::root().join(example), true);
    }
}

/// The assertion fails in an interleaving, and in an execution with as many steps and fewer switches in which a store
/// is delayed.
const PLAIN: &str = "#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int a, b;
static void *one(void *arg) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    a = atomic_load_explicit(&y, memory_order_relaxed);
    return arg;
}
static void *two(void *arg) {
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    b = atomic_load_explicit(&x, memory_order_relaxed);
    return arg;
}
int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, one, 0);
    pthread_create(&second, 0, two, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(a == 1);
}
";

#[test]
fn an_interleaving_is_plainer_than_a_delayed_store() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("plain.c");
    std::fs::write(&file, PLAIN).expect("to write");
    for model in ["sc", "tso", "c20"] {
        let options = CheckOptions {
            files: vec![file.clone()],
            model: model.parse().expect("a model"),
            jobs: 1,
            minimise: true,
            ..support::options()
        };
        let violation = check(&options).report.violation.expect("a violation");
        let notes: Vec<_> = violation.trace.iter().filter_map(|step| step.note.as_ref()).collect();
        assert!(notes.is_empty(), "{model}: {notes:?}");
    }
}

#[test]
fn what_there_was_no_time_for_is_said() {
    let file = support::root().join("examples/seqlock/buggy.c");
    let options = CheckOptions { files: vec![file], minimise: true, ..support::options() };
    let effort = Duration::ZERO;
    let report = check(&CheckOptions { effort, ..options.clone() }).report;
    let short = report.violation.expect("a violation").minimised.expect("what was saved");
    assert!(short.now.is_within(short.first) && !short.complete, "{short:?}");
    let report = check(&options).report;
    let Minimised { complete, compared, .. } =
        report.violation.expect("a violation").minimised.expect("what was saved");
    assert!(complete && compared > 1);
}
