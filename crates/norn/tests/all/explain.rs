//! `norn explain`: what is possible is shown, what is impossible is proved, and nothing is said that is neither.

use crate::support;
use norn::{Answer, CheckOptions, Control, Explanation, InputError};
use std::process::Command;

const STORE_BUFFERING: &str = "#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int a = -1, b = -1;
static struct { char tag; int cells[2]; } box;
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
    box.tag = 'k';
    pthread_create(&first, 0, one, 0);
    pthread_create(&second, 0, two, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    box.cells[1] = a + b;
}
";

fn explain(
    text: &str,
    outcome: &str,
    change: impl FnOnce(&mut CheckOptions),
) -> Result<Explanation, InputError> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("program.c");
    std::fs::write(&file, text).expect("to write");
    let mut options = CheckOptions { files: vec![file], ..support::options() };
    change(&mut options);
    norn::explain(&options, outcome, &Control::default(), &mut |_| {})
}

fn answer(text: &str, outcome: &str, model: &str) -> Answer {
    let set = |options: &mut CheckOptions| options.model = model.parse().expect("a model");
    explain(text, outcome, set).expect("an answer").answer
}

#[test]
fn store_buffering_depends_on_the_model() {
    let both = "a == 0 && b == 0";
    for (model, expected) in [
        ("sc", Answer::Impossible),
        ("tso", Answer::Possible),
        ("ra", Answer::Possible),
        ("c20", Answer::Possible),
    ] {
        assert_eq!(answer(STORE_BUFFERING, both, model), expected, "{model}");
        assert_eq!(answer(STORE_BUFFERING, "a == 2", model), Answer::Impossible, "{model}");
        for outcome in ["a == 1", "b == 1", "x == 1 && y == 1", "a && b"] {
            assert_eq!(answer(STORE_BUFFERING, outcome, model), Answer::Possible, "{outcome}");
        }
    }
}

/// Final values of parts, of what is written before there are threads and of what nobody writes.
#[test]
fn parts_have_names_and_values() {
    for (outcome, expected) in [
        ("box.tag == 'k' && box.cells[0] == 0 && box.cells[1] == 1", Answer::Possible),
        ("box.cells[1] == 3", Answer::Impossible),
        ("box.cells[1] < 0", Answer::Impossible),
        ("box.cells[1] != a + b", Answer::Impossible),
        ("&box.cells[1] > &box", Answer::Possible),
    ] {
        assert_eq!(answer(STORE_BUFFERING, outcome, "c20"), expected, "{outcome}");
    }
    let alone = "static signed char c = -3; static unsigned u = 1; const int k = 4;
        int main(void) { c -= 2; u -= 2; }";
    assert_eq!(answer(alone, "c == -5 && u == 4294967295 && k == 4", "c20"), Answer::Possible);
    assert_eq!(answer(alone, "c != -5 || u + 1 == 0", "c20"), Answer::Impossible);
}

#[test]
fn an_execution_is_shown_with_the_values_at_its_end() {
    let found = explain(STORE_BUFFERING, "a == 0 && b == 0", |_| {}).expect("an answer");
    let values: Vec<_> =
        found.values.iter().map(|one| (one.name.as_str(), one.value.as_str())).collect();
    assert_eq!(values, [("a", "0"), ("b", "0")]);
    let texts: Vec<&str> = found.trace.iter().map(|step| step.text.as_str()).collect();
    let reads = texts.iter().filter(|text| text.contains("= 0 (relaxed, initial)")).count();
    assert_eq!(reads, 2, "{texts:?}");
    let text = found.render(norn::TextStyle { reproducible: true, ..Default::default() });
    assert!(text.contains("at the end: a = 0, b = 0"), "{text}");
    assert!(text.contains("possible: `a == 0 && b == 0` holds at the end"), "{text}");
}

const TYPES: &str = "#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
struct node { struct node *next; int v; };
enum color { RED, GREEN = 3 };
static struct node n1, n2;
static bool done;
static char letter;
static enum color color;
static unsigned count;
static uint8_t small;
static void *all(void *arg) {
    n1.next = &n2;
    n2.v = -5;
    done = true;
    letter = 'k';
    color = GREEN;
    count--;
    small--;
    return arg;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, all, 0);
    pthread_join(thread, 0);
}
";

#[test]
fn values_at_the_end_are_written_as_their_types_have_them() {
    let outcome =
        "n1.next == &n2 && done && letter == 'k' && color == GREEN && n2.v == -5 && small == 255";
    let found = explain(TYPES, outcome, |_| {}).expect("an answer");
    let text = found.render(norn::TextStyle { quiet: true, ..Default::default() });
    let said = "at the end: n1.next = &n2, done = true, letter = 'k', color = GREEN, n2.v = -5,\n            small = 255";
    assert!(text.starts_with(said), "{text}");
    let numbers: Vec<&str> = found.values.iter().map(|one| one.value.as_str()).collect();
    assert_eq!(numbers[1..], ["1", "107", "3", "-5", "255"]);
    assert_eq!(answer(TYPES, "color == RED", "c20"), Answer::Impossible);
}

const POOL: &str = "#include <pthread.h>
#include <stdatomic.h>
struct node { int v; struct node *next; };
static struct node pool[3];
static _Atomic(struct node *) head;
static void *push(void *node) {
    atomic_store(&head, node);
    return 0;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, push, &pool[1]);
    atomic_store(&head, &pool[2]);
    pthread_join(thread, 0);
    pool[0].next = pool + 3;
}
";

#[test]
fn elements_and_structures_have_addresses() {
    for (outcome, expected) in [
        ("head == &pool[1]", Answer::Possible),
        ("head == &pool[2] && head == &pool[2].v", Answer::Possible),
        ("head == &pool[2].next", Answer::Impossible),
        ("head == &pool[0] || head == &pool", Answer::Impossible),
        ("pool[0].next == &pool[3]", Answer::Possible),
    ] {
        assert_eq!(answer(POOL, outcome, "c20"), expected, "{outcome}");
    }
    for (outcome, said) in [
        ("head == pool", "`pool` is an array; its address is `&pool[0]`"),
        ("head + 1 == &pool[2]", "nothing can be added to an address"),
        ("head == &pool[4]", "`pool[4]` is no number that is known"),
    ] {
        let refusal = explain(POOL, outcome, |_| {}).expect_err(outcome).to_string();
        assert!(refusal.contains(said), "{outcome}: {refusal}");
    }
}

/// In C, such a comparison is one with a large number, and may hold.
#[test]
fn no_proof_is_given_of_what_c_takes_for_another_number() {
    for outcome in ["count == -1", "!(-1 != count)", "1 && count < -(2 - 1)"] {
        let refusal = explain(TYPES, outcome, |_| {}).expect_err(outcome).to_string();
        assert!(refusal.contains("C compares it with 4294967295, not with -1"), "{refusal}");
    }
    let same = "count == 4294967295 && n2.v > -6 && small != -1";
    assert_eq!(answer(TYPES, same, "c20"), Answer::Possible);
}

/// What is cut, racy or fails is no proof; what is found there is still an execution.
#[test]
fn only_a_complete_search_of_a_right_program_proves() {
    let cut = explain(STORE_BUFFERING, "a == 2", |options| options.max_executions = Some(1));
    let cut = cut.expect("an answer");
    assert_eq!((cut.answer, cut.reasons.len()), (Answer::Inconclusive, 1));
    let short = explain(STORE_BUFFERING, "a == 2", |options| {
        options.timeout = Some(std::time::Duration::ZERO);
    });
    assert_eq!(short.expect("an answer").answer, Answer::Inconclusive);
    let interrupted = Control::default();
    interrupted.interrupt();
    let file = support::root().join("bench/programs/mpmc_queue.c");
    let options = CheckOptions { files: vec![file], ..support::options() };
    let stopped = norn::explain(&options, "1 == 2", &interrupted, &mut |_| {}).expect("an answer");
    assert_eq!(stopped.answer, Answer::Inconclusive);
    let racy = STORE_BUFFERING.replace("atomic_int x, y;", "int x, y;");
    let racy = racy.replace("atomic_store_explicit(&x, 1, memory_order_relaxed)", "x = 1");
    let racy = racy.replace("atomic_load_explicit(&y, memory_order_relaxed)", "y");
    let racy = racy.replace("atomic_store_explicit(&y, 1, memory_order_relaxed)", "y = 1");
    let racy = racy.replace("atomic_load_explicit(&x, memory_order_relaxed)", "x");
    let open = explain(&racy, "a == 2", |_| {}).expect("an answer");
    assert_eq!(open.answer, Answer::Inconclusive);
    assert!(open.faults[0].contains("data race"), "{:?}", open.faults);
    assert_eq!(answer(&racy, "a == 1", "c20"), Answer::Possible);
    let divides = explain(STORE_BUFFERING, "1 / (a - 1) == 5", |_| {}).expect("an answer");
    assert!(divides.answer == Answer::Inconclusive && divides.undefined);
}

const NAMESPACES: &str = "#include <atomic>
#include <thread>
std::atomic<int> x;
namespace one {
std::atomic<int> x;
static int hidden;
namespace inner { int cells[2]; }
}
namespace two { std::atomic<int> x; }
namespace { int nameless; }
struct Queue { static int count; };
int Queue::count = 5;
int main() {
    std::thread t([] { x.store(1); one::x.store(2); two::x.store(3); });
    one::hidden = 4;
    one::inner::cells[1] = 6;
    nameless = 7;
    t.join();
    return one::hidden + nameless + one::inner::cells[1];
}
";

#[test]
fn names_of_cpp_are_those_of_the_source() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("program.cpp");
    std::fs::write(&file, NAMESPACES).expect("to write");
    let options = CheckOptions { files: vec![file], ..support::options() };
    let ask = |outcome: &str| norn::explain(&options, outcome, &Control::default(), &mut |_| {});
    for (outcome, expected) in [
        ("x == 1 && one::x == 2 && two::x == 3", Answer::Possible),
        ("one::x == 3", Answer::Impossible),
        ("one::hidden == 4 && hidden == 4", Answer::Possible),
        ("one::inner::cells[1] == 6 && inner::cells[0] == 0", Answer::Possible),
        ("&one::inner::cells[1] > &one::inner::cells", Answer::Possible),
        ("&one::inner::cells[0] != &one::inner::cells", Answer::Impossible),
        ("nameless == 7 && Queue::count == 5", Answer::Possible),
    ] {
        let found = ask(outcome).unwrap_or_else(|error| panic!("{outcome}: {error}"));
        assert_eq!(found.answer, expected, "{outcome}");
    }
    let refusal = ask("three::x == 1").expect_err("there is none").to_string();
    assert!(refusal.contains("no global variable `three::x`"), "{refusal}");
    let without = NAMESPACES.replace("std::atomic<int> x;\nnamespace one", "namespace one");
    std::fs::write(&options.files[0], without.replace("x.store(1); one", "one")).expect("to write");
    let refusal = ask("x == 1").expect_err("there are two").to_string();
    assert!(refusal.contains("several variables `x`: one::x, two::x"), "{refusal}");
}

#[test]
fn what_cannot_be_asked_is_refused_with_a_sentence() {
    for (outcome, said) in [
        ("a = 1", "an operator is missing"),
        ("nothing == 1", "no global variable `nothing`"),
        ("box == 1", "a part of the variable is called `box.tag`"),
        ("box.lid == 1", "a part of the variable is called"),
        ("", "a value is missing"),
        ("&a + 1 == &b", "nothing can be added to an address"),
        ("a->b == 1", "pointers are compared, not followed"),
    ] {
        let refusal = explain(STORE_BUFFERING, outcome, |_| {}).expect_err(outcome).to_string();
        assert!(refusal.contains(said), "{outcome}: {refusal}");
    }
    for fields in ["unsigned a : 3; unsigned b : 5;", "int a : 3;", "int x; _Bool a : 1;"] {
        let text = format!("struct {{ {fields} }} s; int main(void) {{ s.a = 1; }}");
        let refusal = explain(&text, "s.a == 1", |_| {}).expect_err(fields).to_string();
        assert!(refusal.contains("a bit-field cannot be asked for"), "{refusal}");
    }
    let float = explain("double d; int main(void) { d = 1; }", "d == 1", |_| {});
    assert!(float.expect_err("a refusal").to_string().contains("floating-point"));
    let litmus = support::root().join("examples/litmus/SB.litmus");
    let options = CheckOptions { files: vec![litmus], ..support::options() };
    let refusal = norn::explain(&options, "1", &Control::default(), &mut |_| {});
    assert!(refusal.expect_err("a refusal").to_string().contains("explain is for programs"));
}

#[test]
fn the_command_says_it_by_its_exit_code_and_as_json() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("a.c"), STORE_BUFFERING).expect("to write");
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_norn"));
        command.current_dir(folder.path()).arg("explain").args(arguments).output().expect("norn")
    };
    let code = |arguments: &[&str]| run(arguments).status.code();
    assert_eq!(code(&["a.c", "--outcome", "!a && !b"]), Some(0));
    assert_eq!(code(&["a.c", "--outcome", "!a && !b", "--model", "sc"]), Some(1));
    assert_eq!(code(&["a.c", "--outcome", "a == 7", "--max-executions", "1"]), Some(3));
    assert_eq!(code(&["a.c", "--outcome", "c == 7"]), Some(2));
    assert_eq!(code(&["a.c"]), Some(2));
    let schema = std::fs::read_to_string(support::root().join("docs/explain.schema.json"));
    let schema: serde_json::Value =
        serde_json::from_str(&schema.expect("the schema")).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    for outcome in ["-a < 0", "a == 7"] {
        let output = run(&["a.c", "--outcome", outcome, "--format", "json"]);
        let json = serde_json::from_slice(&output.stdout).expect("JSON");
        assert!(validator.is_valid(&json), "{json}");
    }
}

/// A search that begins again, because bytes turn out to be accessed in several sizes, is judged by its last run.
#[test]
fn a_search_that_begins_again_counts_from_there() {
    let text = "#include <pthread.h>
static union { int whole; short halves[2]; } box;
static int seen = -1;
static void *one(void *arg) { box.whole = 0x10001; return arg; }
int main(void) {
    pthread_t first;
    pthread_create(&first, 0, one, 0);
    pthread_join(first, 0);
    seen = box.halves[1];
}
";
    assert_eq!(answer(text, "seen == 1", "sc"), Answer::Possible);
    assert_eq!(answer(text, "seen == 0", "sc"), Answer::Impossible);
    let set = |options: &mut CheckOptions| options.model = "sc".parse().expect("a model");
    let found = explain(text, "seen == 2", set).expect("an answer");
    assert_eq!((found.answer, found.executions), (Answer::Impossible, 1));
}
