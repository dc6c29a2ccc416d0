//! What is recognised of loops: the data, its words, and whether the machine does what is said.

use crate::support;
use norn::{CheckOptions, Control, Outcome, Verdict};
use norn_report::loops::{Finding, LoopReport, Transformed, Why};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn transform(file: PathBuf) -> Transformed {
    let options = CheckOptions { files: vec![file], ..support::options() };
    norn::transform(&options).expect("a program").0
}

/// The loops of `tests/loops/loops.c`.
fn loops() -> Transformed {
    transform(support::root().join("tests/loops/loops.c"))
}

/// A finding and its causes, in one line.
fn summary(item: &LoopReport) -> String {
    let mut text = item.finding.name().to_owned();
    for cause in &item.causes {
        let reason = match cause.reason {
            Why::Writes { .. } => "writes",
            Why::Calls { .. } => "calls",
            Why::Runtime { .. } => "runtime",
            Why::CallsPointer => "calls_pointer",
            Why::Scope => "scope",
            Why::Changes { .. } => "changes",
            Why::Other => "other",
        };
        text += &format!(" {}{reason}", if cause.certain { "" } else { "~" });
    }
    text
}

fn line(item: &LoopReport) -> u32 {
    item.spot.as_ref().map_or(0, |spot| spot.line)
}

#[test]
fn loops_are_what_the_comments_say() {
    let path = support::root().join("tests/loops/loops.c");
    let text = std::fs::read_to_string(path).expect("the program");
    let mut expected: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for (number, line) in (1..).zip(text.lines()) {
        if let Some((_, comments)) = line.split_once("// loop: ") {
            let said = comments.split("loop: ").map(|one| one.trim().to_owned());
            expected.insert(number, said.collect());
        }
    }
    let mut found: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for item in &loops().loops {
        found.entry(line(item)).or_default().push(summary(item));
    }
    assert!(expected.len() > 15, "the comments were read");
    assert_eq!(found, expected);
}

#[test]
fn conditions_are_in_the_words_of_the_source() {
    let transformed = loops();
    let message = |function: &str, depth: u32| {
        let is_it = |item: &&LoopReport| {
            let spot = item.spot.as_ref().expect("a place");
            spot.function.as_deref() == Some(function) && item.depth == depth
        };
        transformed.loops.iter().find(is_it).expect("a loop").message.as_str()
    };
    let waits = |when: &str, what: &str| {
        format!("repeats without effect when {when}: it waits for another value of {what}")
    };
    let ends = |when: &str| {
        format!("repeats without effect when {when}: an execution in which it does ends there")
    };
    assert_eq!(message("test_and_set", 0), waits("atomic_exchange(&lock, 1) == 1", "lock"));
    assert_eq!(message("test_and_test_and_set", 1), waits("atomic_load(&lock) != 0", "lock"));
    assert_eq!(message("ticket", 0), waits("mine != atomic_load(&owner)", "owner"));
    assert_eq!(message("wait_for", 0), waits("atomic_load(&node->ready) == 0", "node->ready"));
    assert_eq!(
        message("wait_for_slot", 0),
        waits("atomic_load(&slots[i].ready) == 0", "slots[i].ready")
    );
    assert_eq!(message("wait_for_bit", 0), waits("(atomic_load(&word) & 4) != 0", "word"));
    assert_eq!(message("with_a_silent_call", 0), waits("is_free() == 0", "lock"));
    assert_eq!(
        message("increment_anew", 0),
        waits("atomic_compare_exchange(&x, atomic_load(&x)) fails", "x")
    );
    assert_eq!(
        message("increment", 0),
        "never repeats without effect: line 39 changes old, which the next iteration uses"
    );
    assert_eq!(message("with_a_store", 0), "never repeats without effect: line 67 writes y");
    assert_eq!(
        message("with_a_call", 0),
        "may repeat without effect, which is seen when it runs: line 85 calls try_lock, which may have an \
         effect in line 81"
    );
    assert_eq!(
        message("on_some_ways", 0),
        ends("atomic_load(&x) != 1 and atomic_load(&x) != 2")
            + "; on other ways round, line 114 writes y"
    );
    assert_eq!(
        message("counted_retry", 0),
        "never repeats without effect: line 127 changes tries, which the next iteration uses"
    );
    assert_eq!(
        message("that_may_fault", 0),
        ends(
            "(divided / atomic_load(&x)) == 2 (known only behind line 137, where something may go wrong)"
        )
    );
    assert_eq!(transformed.passes.dropped, ["never_called"]);
}

#[test]
fn what_is_recognised_follows_its_schema() {
    let schema = std::fs::read_to_string(support::root().join("docs/transform.schema.json"));
    let schema = serde_json::from_str(&schema.expect("the schema")).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let json = loops().to_json();
    let value: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let errors: Vec<String> =
        validator.iter_errors(&value).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    assert!(!validator.is_valid(&serde_json::json!({ "loops": 1 })), "it must be able to refuse");
    let again: Transformed = serde_json::from_str(&json).expect("it reads back");
    assert_eq!(again, loops());
}

/// Registers of optimised code have no names; what becomes of the loop is the same.
#[test]
fn a_value_without_a_name_is_followed() {
    let files = vec![program("increment.c", INCREMENT, "atomic_store(&x, 2);")];
    let options = CheckOptions { files, cflags: vec!["-O1".into()], ..support::options() };
    let transformed = norn::transform(&options).expect("a program").0;
    let [item] = &transformed.loops[..] else { panic!("{transformed:#?}") };
    assert_eq!(summary(item), "refused changes", "{}", item.message);
}

/// Keeps in a local variable what it has read.
const INCREMENT: &str =
    "int old = atomic_load(&x); while (!atomic_compare_exchange_strong(&x, &old, old + 1)) ;";

/// A program whose main thread goes through `waiting` while another one does `other`.
fn program(name: &str, waiting: &str, other: &str) -> PathBuf {
    let text = format!(
        "#include <pthread.h>\n#include <stdatomic.h>\natomic_int lock = 1, x, y;\n\
         static int is_free(void) {{ return atomic_load(&lock) == 0; }}\n\
         static void *other(void *unused) {{ {other} return unused; }}\n\
         int main(void) {{\n    pthread_t t;\n    pthread_create(&t, 0, other, 0);\n    \
         {waiting}\n    pthread_join(t, 0);\n    return 0;\n}}\n"
    );
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("to write a program");
    path
}

fn check(options: CheckOptions) -> Outcome {
    norn::check(&options, &Control::default(), &mut |_| {}).expect("a check")
}

/// No execution is lost to an await, some are to an assume, and what is refused goes round until it is cut.
#[test]
fn the_machine_does_what_is_said() {
    let unlock = "atomic_store(&lock, 0);";
    let steps = "atomic_store(&x, 3); atomic_store(&x, 1);";
    let cases = [
        ("tas.c", "while (atomic_exchange(&lock, 1)) ;", unlock, Finding::Await),
        ("load.c", "while (atomic_load(&lock)) ;", unlock, Finding::Await),
        ("bit.c", "while (atomic_load(&lock) & 1) ;", unlock, Finding::Await),
        ("call.c", "while (!is_free()) ;", unlock, Finding::Await),
        ("variable.c", "int n = 1; while (atomic_load(&x) != n) ;", steps, Finding::Await),
        (
            "exchange.c",
            "int e; do e = 0; while (!atomic_compare_exchange_strong(&lock, &e, 1));",
            unlock,
            Finding::Await,
        ),
        (
            "two.c",
            "for (;;) { int v = atomic_load(&x); if (v == 1) break; if (v == 2) atomic_store(&y, 1); }",
            steps,
            Finding::Assume,
        ),
        (
            "tries.c",
            "for (int n = 0; n < 1000; n++) if (!atomic_exchange(&lock, 1)) break;",
            unlock,
            Finding::Tries,
        ),
        (
            "tries_by_call.c",
            "int left = 1000; while (left-- > 0) if (is_free()) { atomic_store(&y, 1); break; }",
            unlock,
            Finding::Tries,
        ),
        ("not_looked_at.c", "for (int n = 0; atomic_load(&lock); n++) ;", unlock, Finding::Await),
        // All that is said is that it may be one: the machine sees that it is not.
        (
            "effects.c",
            "for (int n = 0; n < 4; n++) atomic_exchange(&lock, n & 1);",
            unlock,
            Finding::Refused,
        ),
        ("store.c", "while (atomic_load(&lock)) atomic_store(&y, 1);", unlock, Finding::Refused),
        (
            "count.c",
            "int n = 0; while (atomic_load(&lock)) n++; if (n) y = n;",
            unlock,
            Finding::Refused,
        ),
    ];
    for (name, waiting, other, expected) in cases {
        let file = program(name, waiting, other);
        let transformed = transform(file.clone());
        let [item] = &transformed.loops[..] else { panic!("{name}: {transformed:#?}") };
        assert_eq!(item.finding, expected, "{name}: {}", item.message);
        let unroll = Some(3);
        let report = check(CheckOptions { files: vec![file], unroll, ..support::options() }).report;
        let found = (report.verdict, report.blocked > 0);
        match expected {
            Finding::Await | Finding::Tries => {
                assert_eq!(found, (Verdict::Verified, false), "{name}")
            }
            Finding::Assume => assert_eq!(found, (Verdict::Verified, true), "{name}"),
            Finding::Open | Finding::Refused => {
                assert_eq!(report.verdict, Verdict::Inconclusive, "{name}");
                let about = report.warnings.iter().find_map(|warning| warning.about_loop.as_ref());
                assert_eq!(about, Some(item), "{name}: the report tells why");
            }
        }
    }
}

/// A recursion that is cut is no loop.
#[test]
fn a_cut_recursion_has_no_loop() {
    let body = "int n = atomic_load(&x); if (n < 100) { atomic_store(&x, n + 1); other(unused); }";
    let file = program("recursion.c", "", body);
    let report =
        check(CheckOptions { files: vec![file], unroll: Some(2), ..support::options() }).report;
    assert_eq!(report.verdict, Verdict::Inconclusive);
    assert!(report.warnings.iter().all(|warning| warning.about_loop.is_none()));
}
