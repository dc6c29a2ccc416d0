//! Libraries: calls that become operations, and implementations that are compared with them.

use crate::support;
use norn::{CheckOptions, Control, InputError, Outcome, Verdict};

/// A client with an implementation in `tests/libraries`, and the library that it is one of.
const IMPLEMENTATIONS: [(&str, &str); 7] = [
    ("mutex.c", "mutex:lock=take,unlock=give"),
    ("spinlock.c", "spinlock:lock=spin,unlock=release"),
    (
        "rwlock.c",
        "rwlock:read_lock=enter_reader,read_unlock=leave_reader,write_lock=enter_writer,write_unlock=leave_writer",
    ),
    ("semaphore.c", "semaphore:wait=down,post=up"),
    ("channel.c", "channel:send=put,receive=get"),
    ("exchanger.c", "exchanger:exchange=meet"),
    ("register.c", "register:store=put,load=get"),
];

fn options(file: &str, flags: &[&str]) -> CheckOptions {
    let file = support::root().join("tests/libraries").join(file);
    let cflags = flags.iter().map(ToString::to_string).collect();
    CheckOptions { files: vec![file], cflags, jobs: 1, ..support::options() }
}

fn check(options: &CheckOptions) -> Result<Outcome, InputError> {
    norn::check(options, &Control::default(), &mut |_| {})
}

fn with(file: &str, flags: &[&str], library: &str) -> CheckOptions {
    let libraries = vec![library.parse().expect("a library")];
    CheckOptions { libraries, ..options(file, flags) }
}

fn against(file: &str, flags: &[&str], library: &str) -> CheckOptions {
    let against = vec![library.parse().expect("a library")];
    CheckOptions { against, ..options(file, flags) }
}

#[test]
fn implementations_end_as_their_libraries_allow() {
    for (file, library) in IMPLEMENTATIONS {
        let compared = check(&against(file, &[], library)).expect(file).report;
        assert_eq!(compared.verdict, Verdict::Verified, "{file}: {:?}", compared.violation);
        let specified = check(&with(file, &[], library)).expect(file).report;
        assert_eq!(specified.verdict, Verdict::Verified, "{file}");
        assert!(specified.executions <= compared.executions, "{file}");
        assert_eq!(specified.blocked, 0, "{file}");
    }
}

#[test]
fn wrong_implementations_are_told_apart() {
    for (file, library) in IMPLEMENTATIONS {
        let report = check(&against(file, &["-DWRONG"], library)).expect(file).report;
        assert_eq!(report.verdict, Verdict::Violation, "{file}");
        let message = report.violation.expect("a violation").message;
        // The spin lock that releases nothing leads to a race, the others end as they must not.
        let expected = if file == "spinlock.c" { "data race" } else { "no execution ends with" };
        assert!(message.contains(expected), "{file}: {message}");
    }
}

#[test]
fn examples_of_the_paper() {
    let counted = |options: &CheckOptions| {
        let report = check(options).expect("a report").report;
        assert_eq!(report.verdict, Verdict::Verified);
        (report.executions, report.blocked)
    };
    assert_eq!(counted(&with("lock2.c", &[], "mutex")), (2, 0));
    let counter = support::root().join("tests/libraries/counter.lib");
    assert_eq!(counted(&with("fai2.c", &[], &counter.display().to_string())), (2, 0));
    let mutex = "mutex:lock=fast_lock,unlock=fast_unlock";
    for (threads, orders) in [("-DN=2", 2), ("-DN=3", 6), ("-DN=4", 24)] {
        assert_eq!(counted(&with("lamport.c", &[threads], mutex)), (orders, 0), "{threads}");
    }
    assert_eq!(counted(&options("lamport.c", &["-DN=2"])).1, 0);
    let compared = check(&against("lamport.c", &["-DN=2"], mutex)).expect("a report").report;
    assert_eq!(compared.verdict, Verdict::Verified);
}

#[test]
fn locks_of_libraries_do_what_those_of_posix_do() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("program.c");
    for body in [
        "lock(&m); x++; unlock(&m);",
        "lock(&m); x++; unlock(&m); lock(&n); y = x; unlock(&n);",
        "if (a) { lock(&m); lock(&n); } else { lock(&n); lock(&m); } x++; unlock(&m); unlock(&n);",
        "if (trylock(&m) == 0) { x++; unlock(&m); } lock(&n); y++; unlock(&n);",
        "lock(&m); unlock(&m); unlock(&m);",
        "lock(&m); x++; if (!a) { y = x; unlock(&m); }",
        // Giving a lock back is a store, which may stay in a buffer.
        "if (a) { lock(&m); S(v); unlock(&m); x = L(w); } else { lock(&n); S(w); unlock(&n); y = L(v); }",
    ] {
        let text = format!(
            "#include <pthread.h>
             #include <stdatomic.h>
             #define S(x) atomic_store_explicit(&x, 1, memory_order_relaxed)
             #define L(x) atomic_load_explicit(&x, memory_order_relaxed)
             static atomic_int v, w;
             static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
             static int x, y;
             static int lock(pthread_mutex_t *l) {{ return pthread_mutex_lock(l); }}
             static int trylock(pthread_mutex_t *l) {{ return pthread_mutex_trylock(l); }}
             static int unlock(pthread_mutex_t *l) {{ return pthread_mutex_unlock(l); }}
             static void *work(void *a) {{ {body} return 0; }}
             int main(void) {{
                 pthread_t t[3];
                 for (long i = 0; i < 3; i++) pthread_create(&t[i], 0, work, (void *)(i % 2));
                 for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
                 lock(&m); trylock(&n); unlock(&n); unlock(&m);
             }}"
        );
        std::fs::write(&file, text).expect("to write");
        for model in ["sc", "tso", "pso", "rc11", "c20"] {
            let posix = CheckOptions {
                files: vec![file.clone()],
                model: model.parse().expect("a model"),
                keep_going: true,
                jobs: 1,
                // Specifications may tell threads apart.
                symmetry: false,
                ..support::options()
            };
            let libraries = vec!["mutex".parse().expect("a library")];
            let library = CheckOptions { libraries, ..posix.clone() };
            let posix = check(&posix).expect("a report").report;
            let library = check(&library).expect("a report").report;
            assert_eq!(posix.verdict, library.verdict, "{body} under {model}");
            if posix.verdict == Verdict::Verified {
                let counts = |report: &norn::Report| (report.executions, report.blocked);
                assert_eq!(counts(&posix), counts(&library), "{body} under {model}");
            }
        }
    }
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let refused = |options: &CheckOptions| match check(options) {
        Ok(outcome) => panic!("{:?}", outcome.report.verdict),
        Err(error) => error.to_string(),
    };
    let missing = refused(&with("mutex.c", &[], "mutex:lock=nobody"));
    assert!(missing.contains("calls no function `nobody`"), "{missing}");
    let none = refused(&with("mutex.c", &[], "mutex"));
    assert!(none.contains("none of the functions"), "{none}");
    let unknown = refused(&with("mutex.c", &[], "mutex:seize=take"));
    assert!(unknown.contains("no operation `seize`"), "{unknown}");
    let arguments = refused(&with("mutex.c", &[], "register:store=take"));
    assert!(arguments.contains("takes 1 arguments"), "{arguments}");
    let result = refused(&with("register.c", &[], "mutex:init=get"));
    assert!(result.contains("has a result"), "{result}");
    let nothing = refused(&against("lock2.c", &[], "mutex"));
    assert!(nothing.contains("nothing to compare"), "{nothing}");
    for text in ["mutexx", "mutex:size=3", "mutex:lock=", "mutex:lock"] {
        assert!(text.parse::<norn::LibraryChoice>().is_err(), "{text}");
    }
    let text = "mutex:lock=take,unlock=give,size=1";
    assert_eq!(text.parse::<norn::LibraryChoice>().expect("a library").to_string(), text);
}

#[test]
fn a_client_that_misuses_the_library_is_told_so() {
    let mut options = with("lock2.c", &[], "mutex:lock=unlock,unlock=lock");
    options.keep_going = false;
    let report = check(&options).expect("a report").report;
    let message = report.violation.expect("a violation").message;
    assert!(message.contains("wrong use of `mutex.unlock`"), "{message}");
}

/// Checks files with these texts, all of which are compiled.
fn check_files(
    texts: &[(&str, &str)],
    change: impl FnOnce(&mut CheckOptions),
) -> Result<norn::Report, InputError> {
    let folder = tempfile::tempdir().expect("a folder");
    let mut files = Vec::new();
    for (name, text) in texts {
        let file = folder.path().join(name);
        std::fs::write(&file, text).expect("to write");
        if name.ends_with(".c") {
            files.push(file);
        }
    }
    let mut options = CheckOptions { files, jobs: 1, ..support::options() };
    change(&mut options);
    Ok(check(&options)?.report)
}

const MUTEX: &str = "mutex:lock=take,unlock=give";

#[test]
fn every_copy_of_a_function_is_replaced() {
    let header = "static inline void take(int *m) {} static inline void give(int *m) {}";
    let one = "#include \"lock.h\"\nstatic int m; void other(void);
        int main(void) { take(&m); give(&m); other(); }";
    let two =
        "#include \"lock.h\"\nstatic int m; void other(void) { take(&m); take(&m); give(&m); }";
    let texts = [("lock.h", header), ("one.c", one), ("two.c", two)];
    let with = |options: &mut CheckOptions| options.libraries = vec![MUTEX.parse().unwrap()];
    let report = check_files(&texts, with).expect("a report");
    let message = report.violation.expect("a deadlock").message;
    assert!(message.contains("deadlock"), "{message}");
}

#[test]
fn what_is_not_called_is_not_replaced_in_silence() {
    let text = "__attribute__((always_inline)) inline void take(int *m) {}
        extern inline void take(int *m); static int m; int main(void) { take(&m); take(&m); }";
    let with = |options: &mut CheckOptions| {
        options.libraries = vec!["mutex:lock=take".parse().unwrap()];
    };
    let error = check_files(&[("one.c", text)], with).expect_err("a refusal").to_string();
    assert!(error.contains("calls no function `take`"), "{error}");
    let optimised = |options: &mut CheckOptions| {
        options.libraries = vec!["mutex:lock=take".parse().unwrap()];
        options.cflags = vec!["-O2".to_owned()];
    };
    let error = check_files(&[("one.c", text)], optimised).expect_err("a refusal").to_string();
    assert!(error.contains("-O2"), "{error}");
    let twice = |options: &mut CheckOptions| {
        options.libraries = vec!["mutex:lock=take,unlock=take".parse().unwrap()];
    };
    let text = "static void take(int *m) {} static int m; int main(void) { take(&m); }";
    let error = check_files(&[("one.c", text)], twice).expect_err("a refusal").to_string();
    assert!(error.contains("named twice"), "{error}");
}

#[test]
fn objects_need_not_be_written_before_they_are_made() {
    let text = "#include <stdlib.h>
        void make(int *m); void take(int *m); void give(int *m);
        int main(void) { int *m = malloc(4); make(m); take(m); give(m); free(m); }";
    let with = |options: &mut CheckOptions| {
        options.libraries = vec!["mutex:init=make,lock=take,unlock=give".parse().unwrap()];
    };
    let report = check_files(&[("one.c", text)], with).expect("a report");
    assert_eq!(report.verdict, Verdict::Verified, "{:?}", report.violation);
}

/// A queue lock, whose nodes belong to the client.
const QUEUE_LOCK: &str = "#include <pthread.h>
#include <stdatomic.h>
struct node { _Atomic(struct node *) next; atomic_int locked; };
typedef _Atomic(struct node *) lock_t;
static lock_t l;
static struct node nodes[2];
static atomic_int counter;
static void take(lock_t *l, struct node *n) {
    n->next = 0;
    n->locked = 1;
    struct node *before = atomic_exchange(l, n);
    if (!before) return;
    before->next = n;
    while (n->locked) ;
}
static void give(lock_t *l, struct node *n) {
    struct node *mine = n;
    if (!n->next) {
        if (atomic_compare_exchange_strong(l, &mine, 0)) return;
        while (!n->next) ;
    }
    n->next->locked = 0;
}
static void *work(void *arg) {
    struct node *n = arg;
    take(&l, n);
    counter = counter + ADDED;
    give(&l, n);
    return 0;
}
int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, &nodes[i]);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
}";

#[test]
fn what_belongs_to_the_implementation_is_not_compared() {
    let report = check_files(&[("one.c", QUEUE_LOCK)], |options| {
        options.against = vec![MUTEX.parse().unwrap()];
        options.cflags = vec!["-DADDED=1".to_owned()];
    });
    let report = report.expect("a report");
    assert_eq!(report.verdict, Verdict::Verified, "{:?}", report.violation);
    let compared = report.warnings.iter().find(|warning| warning.message.contains("compared by"));
    assert!(compared.is_some_and(|warning| warning.message.contains("`counter`;")), "{compared:?}");
}

/// Axioms of a library hold beside those of any model, and what they forbid is found without them.
#[test]
fn axioms_hold_beside_those_of_the_model() {
    let library = support::root().join("tests/libraries/ordered.lib").display().to_string();
    let text = std::fs::read_to_string(&library).expect("the library");
    let (operations, _) = text.split_once("axioms").expect("axioms");
    let without = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("unordered.lib");
    std::fs::write(&without, operations).expect("a file");
    for model in ["c20", "rc11", "ra", "tso", "pso"] {
        let model: norn::ModelChoice = model.parse().expect("a model");
        let under = |library: &str| {
            let mut options =
                CheckOptions { model: model.clone(), ..with("ordered.c", &[], library) };
            options.keep_going = true;
            check(&options).expect("a report").report
        };
        let plain = under(&without.display().to_string());
        assert_eq!(plain.verdict, Verdict::Violation, "{model}");
        let ordered = under(&library);
        assert_eq!(ordered.verdict, Verdict::Verified, "{model}: {:?}", ordered.violation);
        assert_eq!((ordered.executions, ordered.blocked), (3, 0), "{model}");
        assert!(ordered.model.contains("with ordered"), "{}", ordered.model);
    }
}

#[test]
fn axioms_that_an_explorer_cannot_use_are_refused() {
    let queue = support::root().join("tests/libraries/queue.lib").display().to_string();
    let refused = |library: &str| match check(&with("ordered.c", &[], library)) {
        Ok(outcome) => panic!("{:?}", outcome.report.verdict),
        Err(error) => error.to_string(),
    };
    let message = refused(&queue);
    assert!(
        message.contains("first-in-first-out") && message.contains("prefix-closed"),
        "{message}"
    );
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("axioms.lib");
    let said = |axioms: &str| {
        let text = format!(
            "library a;\nvoid store(*r, v) {{ write r = v; }}\naxioms {{\n  {axioms}\n}}\n"
        );
        std::fs::write(&file, text).expect("a file");
        refused(&file.display().to_string())
    };
    let unknown = said("empty [load]");
    assert!(unknown.contains("axioms.lib:4:10: nothing is called `load`"), "{unknown}");
    let file_of_its_own = said("include \"x.cat\"");
    assert!(file_of_its_own.contains("axioms.lib:4:3"), "{file_of_its_own}");
    let unfinished = said("acyclic [store] |");
    assert!(unfinished.contains("axioms.lib:5:1"), "{unfinished}");
}
