//! Threads that are alike are looked at once, and what tells threads apart is seen.

use crate::support;
use norn::{
    AlgorithmName, BoundName, CheckOptions, Control, ModelChoice, Report, ResumeOptions, check,
    resume,
};
use norn_models::ModelName;
use norn_report::Assumption;
use std::path::{Path, PathBuf};

/// What a program of two threads or more is made of: the body of their function, and of `main`.
fn program(body: &str, main: &str) -> String {
    format!(
        "#include <assert.h>
         #include <pthread.h>
         #include <stdatomic.h>
         #include <stdint.h>
         #include <stdlib.h>
         atomic_int x, y;
         atomic_uintptr_t address;
         pthread_barrier_t barrier;
         pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
         static void *run(void *argument) {{ {body} return 0; }}
         int main(void) {{ pthread_t t[12]; (void)t; {main} }}"
    )
}

const TWO: &str = "for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, run, 0);
                   for (int i = 0; i < 2; i++) pthread_join(t[i], 0);";

fn run(options: CheckOptions) -> Report {
    check(&options, &Control::default(), &mut |_| {}).expect("a report").report
}

fn of_file(file: &Path, symmetry: bool) -> CheckOptions {
    let model = "c20".parse().expect("a model");
    let (files, algorithm) = (vec![file.to_owned()], "trust".parse().expect("an algorithm"));
    let options = CheckOptions { files, model, algorithm, keep_going: true, ..support::options() };
    // Orders of locks that do not matter would be no part of the factor.
    CheckOptions { symmetry, lock_reduction: false, ..options }
}

/// How many executions a program has without and with the reduction, under which the verdict is the same, and whether there were
/// threads that are alike.
fn counts(name: &str, text: &str) -> (u64, u64, bool) {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("program.c");
    std::fs::write(&file, text).expect("a file");
    let [all, reduced] = [false, true].map(|symmetry| run(of_file(&file, symmetry)));
    assert_eq!(all.verdict, reduced.verdict, "{name}");
    let kinds = |report: &Report| {
        let mut kinds: Vec<_> =
            report.violations().map(|violation| violation.kind.clone()).collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    };
    assert_eq!(kinds(&all), kinds(&reduced), "{name}");
    assert!(!all.up_to_symmetry && all.without_symmetry.is_none(), "{name}");
    if let Some(others) = reduced.without_symmetry {
        assert_eq!(others, all.executions as f64, "{name}");
    }
    (all.executions, reduced.executions, reduced.up_to_symmetry)
}

#[test]
fn threads_of_one_function_are_looked_at_once() {
    let bodies = [
        ("an increment", "atomic_fetch_add(&x, 1);", 2, 1),
        ("a lock", "pthread_mutex_lock(&mutex); x++; pthread_mutex_unlock(&mutex);", 2, 1),
        ("two stores", "atomic_store(&x, 1); atomic_store(&y, 1);", 4, 2),
        ("a message", "if (atomic_exchange(&x, 1)) atomic_store(&y, 1);", 2, 1),
        ("memory of its own", "int *p = malloc(4); *p = atomic_fetch_add(&x, 1); free(p);", 2, 1),
        ("an assertion", "assert(atomic_fetch_add(&x, 1) == 0);", 2, 1),
    ];
    for (name, body, all, reduced) in bodies {
        assert_eq!(counts(name, &program(body, TWO)), (all, reduced, true), "{name}");
    }
    let numbered = TWO.replace("run, 0", "run, (void *)(intptr_t)i");
    let ignored = counts("a number", &program("atomic_fetch_add(&x, 1);", &numbered));
    assert_eq!(ignored, (2, 1, true), "an argument that nobody looks at");
}

#[test]
fn twelve_increments_are_one_execution() {
    let main = TWO.replace("i < 2", "i < 12");
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("program.c");
    std::fs::write(&file, program("atomic_fetch_add(&x, 1);", &main)).expect("a file");
    let report = run(of_file(&file, true));
    assert_eq!((report.executions, report.without_symmetry), (1, Some(479_001_600.0)));
    assert!(report.assumptions.contains(&Assumption::Symmetry));
    assert!(report.to_json().contains("\"without_symmetry\": 479001600.0"));
}

/// Who begins with an algorithm that does not know of such threads tries the one that does.
#[test]
fn auto_finds_the_algorithm_that_counts_them_once() {
    let main = TWO.replace("i < 2", "i < 8");
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("program.c");
    std::fs::write(&file, program("atomic_fetch_add(&x, 1);", &main)).expect("a file");
    // Under pso, keeping the handles of threads is something that others can see.
    for model in ModelName::ALL.into_iter().filter(|&model| model != ModelName::Pso) {
        let options = of_file(&file, true);
        let model = ModelChoice::Named(model);
        let report = run(CheckOptions { model, algorithm: AlgorithmName::Auto, ..options });
        assert_eq!((report.executions, report.algorithm.as_str()), (1, "trust"));
    }
}

/// Where it is not done, nothing says that it is, and all are counted.
#[test]
fn where_it_is_not_done_all_are_counted() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("program.c");
    std::fs::write(&file, program("atomic_fetch_add(&x, 1);", TWO)).expect("a file");
    let sc = || CheckOptions { model: ModelChoice::Named(ModelName::Sc), ..of_file(&file, true) };
    let bounded = run(CheckOptions { bound: Some(BoundName::Preemptions(9)), ..sc() });
    assert_eq!((bounded.executions, bounded.up_to_symmetry), (2, false), "a bound");
    let rf = run(CheckOptions { algorithm: AlgorithmName::Rf, ..sc() });
    assert_eq!((rf.executions, rf.up_to_symmetry), (2, false), "rf");
}

/// A search that was stopped and goes on visits what is left, and knows what that stands for.
#[test]
fn a_search_that_goes_on_knows_what_it_has_seen() {
    let directory = tempfile::tempdir().expect("a directory");
    let (file, checkpoint) =
        (directory.path().join("program.c"), directory.path().join("checkpoint"));
    let body = "atomic_store(&x, 1); atomic_store(&y, 1); if (atomic_load(&x)) atomic_load(&y);";
    std::fs::write(&file, program(body, &TWO.replace("i < 2", "i < 3"))).expect("a file");
    let [all, whole] = [false, true].map(|symmetry| run(of_file(&file, symmetry)));
    assert_eq!(whole.without_symmetry, Some(all.executions as f64));
    assert!(whole.executions > 20 && whole.executions < all.executions);
    let (max_executions, saved) = (Some(10), Some(checkpoint.clone()));
    let begun =
        run(CheckOptions { max_executions, checkpoint: saved, jobs: 1, ..of_file(&file, true) });
    assert_eq!((begun.executions, begun.up_to_symmetry), (10, true));
    let resumed = resume(
        &checkpoint,
        &ResumeOptions { jobs: 2, ..ResumeOptions::default() },
        &Control::default(),
        &mut |_| {},
    );
    let report = resumed.expect("a report").report;
    assert_eq!(report.executions, whole.executions);
    assert_eq!(report.without_symmetry, whole.without_symmetry);
}

/// `norn transform` says what tells threads apart.
#[test]
fn who_asks_is_told_why_threads_are_not_alike() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("program.c");
    let told = |body: &str, main: &str| {
        std::fs::write(&file, program(body, main)).expect("a file");
        let options = CheckOptions { files: vec![file.clone()], ..support::options() };
        norn::transform(&options).expect("a program").0.threads
    };
    let add = "atomic_fetch_add(&x, 1);";
    assert!(told(add, TWO).is_some_and(|threads| threads.alike));
    let id = told("if (pthread_self() == 1) y = 2;", TWO).expect("threads");
    assert_eq!(id.told_apart_by, ["the program calls pthread_self"]);
    let address = told("int l; address = (uintptr_t)&l;", TWO).expect("threads");
    assert!(!address.alike && address.told_apart_by[0].starts_with("addresses are converted"));
    assert_eq!(told(add, "run(0);"), None, "no thread is started");
}

/// Nothing is left out where threads differ, or where something tells which is which.
#[test]
fn threads_that_are_told_apart_are_not_alike() {
    let add = "atomic_fetch_add(&x, 1);";
    let bodies = [
        ("an id", "if (pthread_self() == 1) y = 2; atomic_fetch_add(&x, 1);", TWO),
        ("an address", "int l; address = (uintptr_t)&l; atomic_fetch_add(&x, 1);", TWO),
        (
            "an order of addresses",
            "int *p = malloc(4), *q = (int *)atomic_load(&address); x = p < q;",
            TWO,
        ),
        ("a result", "return (void *)(intptr_t)atomic_fetch_add(&x, 1);", TWO),
        (
            "a barrier",
            "int r = atomic_fetch_add(&x, 1); if (pthread_barrier_wait(&barrier)) assert(r == 0);",
            "pthread_barrier_init(&barrier, 0, 2);
             for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, run, 0);
             for (int i = 0; i < 2; i++) pthread_join(t[i], 0);",
        ),
        (
            "arguments",
            "x = argument != 0; atomic_fetch_add(&y, 1);",
            "for (intptr_t i = 0; i < 2; i++) pthread_create(&t[i], 0, run, (void *)i);
             for (int i = 0; i < 2; i++) pthread_join(t[i], 0);",
        ),
        (
            "something between the starts",
            add,
            "pthread_create(&t[0], 0, run, 0); x = 5; pthread_create(&t[1], 0, run, 0);
             for (int i = 0; i < 2; i++) pthread_join(t[i], 0);",
        ),
        (
            "something between the joins",
            "assert(atomic_fetch_add(&x, 1) < 7);",
            "for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, run, 0);
             pthread_join(t[0], 0); x = 6; pthread_join(t[1], 0);",
        ),
        (
            "one that nobody waits for",
            "atomic_fetch_add(&x, 1);",
            "for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, run, 0);
             pthread_join(t[0], 0); y = x;",
        ),
        (
            "one that waits for the other",
            "if (atomic_fetch_add(&x, 1)) { pthread_t other; while (!(other = atomic_load(&address))); \
             assert(other != 0); pthread_join(other, 0); }",
            "pthread_create(&t[0], 0, run, 0); pthread_create(&t[1], 0, run, 0);
             atomic_store(&address, t[0]);",
        ),
    ];
    for (name, body, main) in bodies {
        let (all, reduced, is_reduced) = counts(name, &program(body, main));
        assert!(all > 1 && !is_reduced, "{name}: {all}");
        assert_eq!(all, reduced, "{name}");
    }
}

/// Whatever is found without the reduction is found with it, in the programs of other tests that have few executions.
#[test]
fn nothing_is_missed() {
    let root = support::root();
    let mut files: Vec<PathBuf> = support::programs(&root.join("tests/threads"));
    files.extend(support::programs(&root.join("bench/programs")));
    let mut reduced = 0;
    for file in files {
        let report = |symmetry| {
            let options = of_file(&file, symmetry);
            // Of several workers, one may be ahead of the one that finds the first violation.
            let (max_executions, jobs) = (Some(1000), 1);
            let options = CheckOptions { max_executions, jobs, keep_going: false, ..options };
            check(&options, &Control::default(), &mut |_| {}).map(|outcome| outcome.report)
        };
        let Ok(all) = report(false) else { continue };
        let some = report(true).expect("a report");
        if all.reasons.is_empty() {
            assert_eq!(all.verdict, some.verdict, "{}", file.display());
            assert!(some.executions <= all.executions, "{}", file.display());
            reduced += usize::from(some.executions < all.executions);
        }
    }
    assert!(reduced >= 5, "only {reduced} searches were reduced");
}
