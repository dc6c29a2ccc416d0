//! `--suggest`: what it says mends the program does, is no more than was needed, and is never a guess.

use crate::support;
use norn::{CheckOptions, Control, Report, Verdict};
use norn_report::{AccessKind, Fix, OrderChange, Suggestion};
use std::path::Path;

fn check(file: &Path, change: impl FnOnce(&mut CheckOptions)) -> Report {
    let mut options = CheckOptions { files: vec![file.to_owned()], ..support::options() };
    change(&mut options);
    norn::check(&options, &Control::default(), &mut |_| {}).expect("a report").report
}

fn suggestion(file: &Path, change: impl FnOnce(&mut CheckOptions)) -> Suggestion {
    let report = check(file, |options| {
        options.suggest = true;
        change(options);
    });
    assert_eq!(report.verdict, Verdict::Violation, "{}", file.display());
    report.suggestion.expect("a suggestion")
}

/// Checks a text with these changes made in it.
fn mended(text: &str, changes: &[OrderChange]) -> Verdict {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for OrderChange { spot, from, to, .. } in changes {
        let (old, new) = (format!("memory_order_{from}"), format!("memory_order_{to}"));
        let mut statement = lines[spot.line as usize - 1..].iter_mut();
        let line = statement.find(|line| line.contains(&old)).expect("the order");
        *line = line.replacen(&old, &new, 1);
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mended.c");
    std::fs::write(&file, lines.join("\n") + "\n").expect("to write");
    check(&file, |_| {}).verdict
}

/// The lines of a program without comments, with and without its orders.
fn code(text: &str) -> (Vec<String>, Vec<String>) {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let lines: Vec<String> = lines.map(str::to_owned).collect();
    let strength = |line: &str| {
        ["relaxed", "acquire", "release", "acq_rel", "seq_cst"]
            .iter()
            .fold(line.to_owned(), |line, order| {
                line.replace(&format!("memory_order_{order}"), "#")
            })
    };
    let bare = lines.iter().map(|line| strength(line)).collect();
    (lines, bare)
}

fn cost(order: &str) -> u32 {
    match order {
        "seq_cst" => 3,
        "acq_rel" => 2,
        _ => 1,
    }
}

/// How many orders two programs differ in, and how strong those of the second are.
fn difference(buggy: &[String], fixed: &[String]) -> (usize, u32) {
    let orders = |line: &str| -> Vec<String> {
        let parts = line.split("memory_order_").skip(1);
        let word = |part: &str| {
            part.split(|c: char| c != '_' && !c.is_alphabetic()).next().map(str::to_owned)
        };
        parts.filter_map(word).collect()
    };
    let pairs = buggy
        .iter()
        .zip(fixed)
        .flat_map(|(old, new)| orders(old).into_iter().zip(orders(new)).collect::<Vec<_>>());
    let new: Vec<String> = pairs.filter(|(old, new)| old != new).map(|(_, new)| new).collect();
    (new.len(), new.iter().map(|order| cost(order)).sum())
}

#[test]
fn examples_whose_orders_are_too_weak_are_mended_as_their_authors_did_or_by_less() {
    let mut mended_examples = Vec::new();
    for entry in std::fs::read_dir(support::root().join("examples")).expect("the examples") {
        let folder = entry.expect("an entry").path();
        let (buggy, fixed) = (folder.join("buggy.c"), folder.join("fixed.c"));
        let (Ok(text), Ok(other)) =
            (std::fs::read_to_string(&buggy), std::fs::read_to_string(fixed))
        else {
            continue;
        };
        let ((lines, bare), (fixed_lines, fixed_bare)) = (code(&text), code(&other));
        if bare != fixed_bare {
            continue;
        }
        let Suggestion { found, changes, undecided, .. } = suggestion(&buggy, |_| {});
        let (size, strength) = difference(&lines, &fixed_lines);
        let own: u32 = changes.iter().map(|change| cost(&change.to.to_string())).sum();
        assert!(!changes.is_empty() && changes.len() <= size, "{changes:?}");
        assert!(own <= strength, "{changes:?}");
        assert_eq!((found, undecided), (Fix::Smallest, 0), "{changes:?}");
        assert_eq!(mended(&text, &changes), Verdict::Verified, "{changes:?}");
        // None of them can be left out.
        for one in 0..changes.len() {
            let mut fewer = changes.clone();
            fewer.remove(one);
            assert_eq!(mended(&text, &fewer), Verdict::Violation, "{fewer:?}");
        }
        mended_examples.push(folder.file_name().expect("a name").to_owned());
    }
    mended_examples.sort();
    assert_eq!(mended_examples, ["double_checked", "ms_queue", "peterson", "rcu_publish"]);
}

#[test]
fn what_no_order_mends_has_no_fix() {
    let faults = support::root().join("tests/faults");
    for file in [
        support::root().join("examples/ticket_lock/buggy.c"),
        support::root().join("examples/ttas_lock/buggy.c"),
        faults.join("data_race.c"),
        faults.join("deadlock.c"),
    ] {
        let found = suggestion(&file, |_| {});
        assert_eq!((found.found, found.changes), (Fix::None, vec![]), "{}", file.display());
    }
}

/// A search that is cut is no proof, whatever cuts it.
#[test]
fn a_search_that_was_cut_is_no_fix() {
    let file = support::root().join("examples/peterson/buggy.c");
    let few = suggestion(&file, |options| options.max_executions = Some(3));
    assert_eq!((few.found, few.changes), (Fix::Unknown, vec![]));
    assert!(few.undecided > 0);
    let short = suggestion(&file, |options| options.effort = std::time::Duration::ZERO);
    assert_eq!((short.found, short.tried, short.out_of_time), (Fix::Unknown, 0, true));
    // All violations are looked at, and all go.
    let all = suggestion(&file, |options| options.keep_going = true);
    assert_eq!(all.found, Fix::Smallest);
}

const VALUE: &str = "#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag;
static int data;
static void put(memory_order order) { atomic_store_explicit(&flag, 1, order); }
#define GET(x) atomic_load_explicit(&x, memory_order_relaxed)
static void *writer(void *a) { data = 1; put(memory_order_relaxed); return a; }
static void *reader(void *a) { if (GET(flag)) assert(data == 1); return a; }
int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, writer, 0);
    pthread_create(&two, 0, reader, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
}
";

const TEMPLATE: &str = "#include <atomic>
#include <cassert>
#include <thread>
template <class T> struct Box {
    std::atomic<T> v;
    void put(T t) { v.store(t, std::memory_order_relaxed); }
    T get() { return v.load(std::memory_order_relaxed); }
};
static Box<bool> one;
static Box<int> two;
static int data;
int main() {
    std::thread a([] { data = 1; one.put(true); two.put(1); });
    std::thread b([] {
        if (one.get()) assert(data == 1);
        if (two.get()) assert(data == 1);
    });
    a.join();
    b.join();
}
";

/// An order that is a value, one in a macro, and one in a template, which is many instructions.
#[test]
fn orders_are_those_of_the_source() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text, lines) in [("value.c", VALUE, [6, 9]), ("template.cpp", TEMPLATE, [6, 7])] {
        let file = folder.path().join(name);
        std::fs::write(&file, text).expect("to write");
        let Suggestion { found, mut changes, .. } = suggestion(&file, |_| {});
        changes.sort_by_key(|change| change.spot.line);
        let said: Vec<_> = changes
            .iter()
            .map(|change| (change.spot.line, change.access, change.to.to_string(), change.is_value))
            .collect();
        let expected = [
            (lines[0], AccessKind::Store, "release".to_owned(), name == "value.c"),
            (lines[1], AccessKind::Load, "acquire".to_owned(), false),
        ];
        assert_eq!((found, said), (Fix::Smallest, expected.to_vec()), "{name}");
    }
}

#[test]
fn litmus_tests_are_refused() {
    let file = support::root().join("examples/litmus/SB.litmus");
    let options = CheckOptions { files: vec![file], suggest: true, ..support::options() };
    let refusal = norn::check(&options, &Control::default(), &mut |_| {}).expect_err("a refusal");
    assert!(refusal.to_string().contains("--suggest is for programs"), "{refusal}");
}
