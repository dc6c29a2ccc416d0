//! `norn explain --unordered`: what is not ordered is shown, what is always ordered is proved with what orders it, and
//! lines that are not reached are told from both.

use crate::support;
use norn::{Answer, CheckOptions, Control, Explanation, InputError, Ordering};
use norn_action::{Mode, RmwOp};
use norn_litmus::{Expr, LocationKind, Program, Shape, Statement, StatementKind, generate};
use norn_oracle::{EventId, Model, executions, is_unordered};
use std::process::Command;

fn explain(
    text: &str,
    lines: [u32; 2],
    change: impl FnOnce(&mut CheckOptions),
) -> Result<Explanation, InputError> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("program.c");
    std::fs::write(&file, text).expect("to write");
    let mut options = CheckOptions { files: vec![file], ..support::options() };
    change(&mut options);
    let lines = lines.map(|line| format!("program.c:{line}"));
    let lines = lines.each_ref().map(String::as_str);
    norn::explain_unordered(&options, lines, &Control::default(), &mut |_| {})
}

/// The answer for the lines that end in `// 1` and `// 2`, with what orders them in words.
fn asked(text: &str, model: &str) -> (Answer, Ordering, Vec<Vec<String>>) {
    let line = |mark: &str| {
        let at = text.lines().position(|line| line.trim_end().ends_with(mark));
        at.expect("a line with that mark") as u32 + 1
    };
    let set = |options: &mut CheckOptions| options.model = model.parse().expect("a model");
    let found = explain(text, [line("// 1"), line("// 2")], set).expect("an answer");
    let pair = found.unordered.expect("it was asked for");
    let chains = pair.chains.into_iter().map(|chain| {
        let link = |link: norn::Link| format!("{:?}: {}", link.by, link.text);
        chain.links.into_iter().map(link).collect()
    });
    (found.answer, pair.ordering, chains.collect())
}

/// A program of two threads; `one` and `two` are their statements, `main` is done after they were joined.
fn threads(one: &str, two: &str, main: &str) -> String {
    format!(
        "#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int flag, other;
static int data, *box;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *first(void *arg) {{
{one}
    return arg;
}}
static void *second(void *arg) {{
{two}
    return arg;
}}
int main(void) {{
    pthread_t a, b;
    data = 7; // main
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    {main}
}}
"
    )
}

fn message_passing(store: &str, load: &str) -> String {
    threads(
        &format!("    data = 1; // 1\n    {store};"),
        &format!("    if ({load})\n        data = 2; // 2"),
        "",
    )
}

const RELEASE: &str = "atomic_store_explicit(&flag, 1, memory_order_release)";
const ACQUIRE: &str = "atomic_load_explicit(&flag, memory_order_acquire)";

#[test]
fn message_passing_depends_on_the_orders() {
    let (answer, ordering, chains) = asked(&message_passing(RELEASE, ACQUIRE), "c20");
    assert_eq!((answer, ordering), (Answer::Impossible, Ordering::FirstBeforeSecond));
    let expected = [
        "Nothing: store data = 1",
        "ProgramOrder: store flag = 1 (release)",
        "Read: load flag = 1 (acquire)",
        "ProgramOrder: store data = 2",
    ];
    assert_eq!(chains, [expected]);
    let relaxed = |text: &str| text.replace("release", "relaxed").replace("acquire", "relaxed");
    for (store, load) in
        [(relaxed(RELEASE), ACQUIRE.to_owned()), (RELEASE.to_owned(), relaxed(ACQUIRE))]
    {
        let text = message_passing(&store, &load);
        assert_eq!(asked(&text, "c20").1, Ordering::Unordered);
        // Whoever reads comes after, where there is nothing else to go by.
        assert_eq!(asked(&text, "sc").1, Ordering::FirstBeforeSecond);
    }
    let fences = message_passing(
        "atomic_thread_fence(memory_order_release); atomic_store_explicit(&flag, 1, memory_order_relaxed)",
        "atomic_load_explicit(&flag, memory_order_relaxed)",
    );
    assert_eq!(asked(&fences, "c20").1, Ordering::Unordered);
    let both = fences.replace(
        "        data = 2;",
        "        atomic_thread_fence(memory_order_acquire), data = 2;",
    );
    let (answer, ordering, chains) = asked(&both, "c20");
    assert_eq!((answer, ordering), (Answer::Impossible, Ordering::FirstBeforeSecond));
    assert!(chains[0].contains(&"Synchronises: fence (acquire)".to_owned()), "{chains:?}");
}

#[test]
fn a_mutex_orders_either_way_and_shows_both() {
    let section = |mark: &str| {
        format!(
            "    pthread_mutex_lock(&lock);\n    data++; // {mark}\n    pthread_mutex_unlock(&lock);"
        )
    };
    for model in ["sc", "tso", "pso", "ra", "rc11", "c20"] {
        let (answer, ordering, chains) = asked(&threads(&section("1"), &section("2"), ""), model);
        assert_eq!((answer, ordering), (Answer::Impossible, Ordering::EitherWay), "{model}");
        assert_eq!(chains.len(), 2);
        for chain in chains {
            assert!(chain.contains(&"Read: lock lock".to_owned()), "{model}: {chain:?}");
        }
    }
}

#[test]
fn starting_and_joining_order() {
    let text = threads("    data = 1; // 1", "", "data = 2; // 2");
    let (_, ordering, chains) = asked(&text, "c20");
    assert_eq!(ordering, Ordering::FirstBeforeSecond);
    assert_eq!(
        chains[0],
        ["Nothing: store data = 1", "Join: join thread 1", "ProgramOrder: store data = 2"]
    );
    // What the main thread did before there were others is no event of a search, and is seen all the same.
    let text = text.replace("// main", "// 2").replace("data = 2; // 2", "");
    let (_, ordering, chains) = asked(&text, "c20");
    assert_eq!(ordering, Ordering::SecondBeforeFirst);
    assert!(chains[0].contains(&"Start: store data = 1".to_owned()), "{chains:?}");
}

/// Memory that one thread alone knows is no event of a search either.
#[test]
fn private_memory_can_be_asked_for() {
    let own = "    int *mine = malloc(sizeof *mine);\n    *mine = 3; // 1\n    free(mine);";
    let text = threads(own, "    data = 1; // 2", "");
    let (answer, ordering, _) = asked(&text, "c20");
    assert_eq!((answer, ordering), (Answer::Possible, Ordering::Unordered));
    // Also if the other one is no event of a search either.
    let both = threads(own, &own.replace("// 1", "// 2"), "");
    assert_eq!(asked(&both, "c20").1, Ordering::Unordered);
    let published = "    int *mine = malloc(sizeof *mine);\n    *mine = 3; // 1\n    box = mine;
    atomic_store_explicit(&flag, 1, memory_order_release);";
    let used =
        "    if (atomic_load_explicit(&flag, memory_order_acquire))\n        data = *box; // 2";
    let text = threads(published, used, "free(box);");
    assert_eq!(asked(&text, "c20").1, Ordering::FirstBeforeSecond);
    assert_eq!(asked(&text.replace("release", "relaxed"), "c20").1, Ordering::Unordered);
}

/// Also what a function of the library accesses there, whatever it is called.
#[test]
fn functions_of_the_library_access_what_they_are_given() {
    let own = "    unsigned seed = 1;\n    rand_r(&seed); // 1";
    let text = threads(own, "    sched_yield();\n    data = 1; // 2", "");
    let (answer, ordering, _) = asked(&text, "c20");
    assert_eq!((answer, ordering), (Answer::Possible, Ordering::Unordered));
    // That one accesses nothing.
    let line = text.lines().position(|line| line.contains("sched_yield")).expect("a line");
    let refusal = explain(&text, [8, line as u32 + 1], |_| {}).expect_err("no access").to_string();
    assert!(refusal.contains("accesses no memory that is known"), "{refusal}");
}

/// A loop that waits reads often; only its last read comes after what it waits for.
#[test]
fn the_reads_of_a_wait_count() {
    let wait = "    while (!atomic_load_explicit(&flag, memory_order_acquire)) // 2\n        ;";
    let text = threads(&format!("    data = 1; // 1\n    {RELEASE};"), wait, "");
    assert_eq!(asked(&text, "c20").1, Ordering::Unordered);
    let after = text.replace(" // 2\n        ;", "\n        ;\n    data = 2; // 2");
    assert_eq!(asked(&after, "c20").1, Ordering::FirstBeforeSecond);
}

/// What threads did before they waited for ever, they did.
#[test]
fn executions_that_do_not_end_are_looked_at() {
    let stuck = threads(
        "    data = 1; // 1\n    pthread_mutex_lock(&lock);\n    pthread_mutex_lock(&lock);",
        "    data = 2; // 2\n    pthread_mutex_lock(&lock);\n    pthread_mutex_lock(&lock);",
        "",
    );
    let (answer, ordering, _) = asked(&stuck, "c20");
    assert_eq!((answer, ordering), (Answer::Possible, Ordering::Unordered));
    // A lock that is never taken is no access.
    let never = threads(
        "    pthread_mutex_lock(&lock); // 1\n    pthread_mutex_lock(&other_lock);",
        "    data = 2;\n    norn_assume(0);\n    data = 3; // 2",
        "",
    );
    let never = never.replace(
        "static atomic_int",
        "#include <norn.h>\nstatic pthread_mutex_t other_lock;\nstatic atomic_int",
    );
    assert_eq!(asked(&never, "c20").1, Ordering::SecondNotReached);
}

/// Atomic objects of C++ are accessed in headers; the line is the one of the call.
#[test]
fn functions_of_headers_count_where_they_are_called() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("program.cpp");
    let text = "#include <atomic>
#include <thread>
static int data;
static std::atomic<int> flag;
int main() {
    std::thread t([] {
        data = 1;
        flag.store(1, std::memory_order_release);
    });
    if (flag.load(std::memory_order_acquire))
        data = 2;
    t.join();
    flag.store(3);
}
";
    std::fs::write(&file, text).expect("to write");
    let options = CheckOptions { files: vec![file], ..support::options() };
    for (lines, expected) in [
        ([7, 11], Ordering::FirstBeforeSecond),
        ([8, 10], Ordering::Unordered),
        ([13, 8], Ordering::SecondBeforeFirst),
    ] {
        let lines = lines.map(|line| format!("program.cpp:{line}"));
        let asked = lines.each_ref().map(String::as_str);
        let found = norn::explain_unordered(&options, asked, &Control::default(), &mut |_| {});
        let pair = found.expect("an answer").unordered.expect("it was asked for");
        assert_eq!(pair.ordering, expected, "{lines:?}");
    }
}

#[test]
fn lines_that_do_not_meet_are_told_apart() {
    let same = threads("    data = 1; // 1\n    data = 2; // 2", "", "");
    assert_eq!(asked(&same, "c20").1, Ordering::SameThread);
    let either = threads(
        "    if (atomic_exchange(&flag, 1) == 0)\n        data = 1; // 1",
        "    if (atomic_exchange(&flag, 1) == 0)\n        other = 2; // 2",
        "",
    );
    assert_eq!(asked(&either, "c20").1, Ordering::NeverBoth);
    let dead = threads("    if (flag == 5)\n        data = 1; // 1", "    data = 2; // 2", "");
    assert_eq!(asked(&dead, "c20").1, Ordering::FirstNotReached);
}

#[test]
fn what_cannot_be_asked_is_refused_and_what_is_cut_proves_nothing() {
    let text = message_passing(RELEASE, ACQUIRE);
    let refusal =
        |lines: [u32; 2]| explain(&text, lines, |_| {}).expect_err("a refusal").to_string();
    let said = refusal([1, 8]);
    assert!(
        said.contains("program.c:1 accesses no memory that is known; nearby: lines 8, 9, 13"),
        "{said}"
    );
    assert!(refusal([8, 999]).contains("accesses no memory"));
    let set = |options: &mut CheckOptions| options.max_executions = Some(1);
    let cut = explain(&text, [8, 14], set).expect("an answer");
    assert_eq!((cut.answer, cut.reasons.len()), (Answer::Inconclusive, 1));
    let wrong = threads("    data = 1; // 1\n    other = 1 / (int)flag;", "", "data = 2; // 2");
    assert_eq!(asked(&wrong, "c20").0, Answer::Inconclusive);
}

/// Two files with one name; both are named so that they can be told apart, here and in the chain.
#[test]
fn files_are_named_by_as_much_of_their_path_as_it_takes() {
    let folder = tempfile::tempdir().expect("a folder");
    let main = "#include <pthread.h>\nvoid put(void);\nextern int data;
static void *first(void *arg) {\n    put();\n    return arg;\n}
int main(void) {\n    pthread_t a;\n    pthread_create(&a, 0, first, 0);
    pthread_join(a, 0);\n    data = 2;\n}\n";
    for (path, text) in
        [("a/work.c", main), ("b/work.c", "int data;\nvoid put(void) { data = 1; }\n")]
    {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("to make it");
        std::fs::write(path, text).expect("to write");
    }
    let run = |arguments: [&str; 2]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_norn"));
        command.current_dir(folder.path()).args(["explain", "a/work.c", "b/work.c", "--unordered"]);
        let output = command.args(arguments).output().expect("norn");
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8_lossy(&text).into_owned())
    };
    let whole = folder.path().join("b/work.c").display().to_string();
    for second in [&whole, "b/work.c", "./b/work.c", "a/../b/work.c"] {
        let (code, text) = run(["a/work.c:12", &format!("{second}:2")]);
        assert_eq!(code, Some(1), "{second}: {text}");
        assert!(text.contains("  b/work.c:2 ") && text.contains("  a/work.c:12 "), "{text}");
    }
    let (code, text) = run(["a/work.c:12", "work.c:2"]);
    assert!(code == Some(2) && text.contains("may be any of a/work.c, b/work.c"), "{text}");
    let elsewhere = folder.path().join("c/work.c").display().to_string();
    let (code, text) = run(["a/work.c:12", &format!("{elsewhere}:2")]);
    assert!(code == Some(2) && text.contains("no file"), "{text}");
}

#[test]
fn the_command_takes_two_places_and_writes_json() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("a.c"), message_passing(RELEASE, ACQUIRE)).expect("to write");
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_norn"));
        command.current_dir(folder.path()).arg("explain").args(arguments).output().expect("norn")
    };
    let code = |arguments: &[&str]| run(arguments).status.code();
    assert_eq!(code(&["a.c", "--unordered", "a.c:8", "a.c:14"]), Some(1));
    assert_eq!(code(&["--unordered", "a.c:8", "a.c:9", "a.c"]), Some(1));
    assert_eq!(code(&["a.c", "--unordered", "a.c:8", "a.c:13"]), Some(0));
    assert_eq!(code(&["a.c", "--unordered", "a.c:8"]), Some(2));
    assert_eq!(code(&["a.c", "--unordered", "a.c:8", "b.c:9"]), Some(2));
    assert_eq!(code(&["a.c", "--unordered", "a.c:8", "a.c:13", "--outcome", "data"]), Some(2));
    let schema = std::fs::read_to_string(support::root().join("docs/explain.schema.json"));
    let schema: serde_json::Value =
        serde_json::from_str(&schema.expect("the schema")).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    for line in ["a.c:14", "a.c:13"] {
        let output = run(&["a.c", "--unordered", "a.c:8", line, "--format", "json"]);
        let json = serde_json::from_slice(&output.stdout).expect("JSON");
        assert!(validator.is_valid(&json), "{json}");
    }
}

/// A litmus test as a program in C, with each statement in a line of its own, and these lines by thread.
fn in_c(program: &Program) -> Option<(String, Vec<Vec<u32>>)> {
    let name = |location: &norn_litmus::LocationId| &program.locations[location.index()].name;
    let number = |value: &Expr| match value {
        Expr::Const(number) => Some(*number),
        _ => None,
    };
    let order = |mode: Mode| format!("memory_order_{mode}");
    let line = |statement: &Statement| {
        Some(match &statement.kind {
            StatementKind::Load { location, mode, until: None, .. } => {
                format!("(void)atomic_load_explicit(&{}, {});", name(location), order(*mode))
            }
            StatementKind::Store { location, value, mode } => {
                let value = number(value)?;
                format!("atomic_store_explicit(&{}, {value}, {});", name(location), order(*mode))
            }
            StatementKind::Rmw { location, op, operand, mode, until: None, .. } => {
                let function = match op {
                    RmwOp::Exchange => "exchange",
                    RmwOp::Add => "fetch_add",
                    _ => return None,
                };
                let (operand, mode) = (number(operand)?, order(*mode));
                format!("(void)atomic_{function}_explicit(&{}, {operand}, {mode});", name(location))
            }
            StatementKind::Fence(mode) => format!("atomic_thread_fence({});", order(*mode)),
            StatementKind::Lock(mutex) => format!("pthread_mutex_lock(&{});", name(mutex)),
            StatementKind::Unlock(mutex) => format!("pthread_mutex_unlock(&{});", name(mutex)),
            StatementKind::Join(thread) => format!("pthread_join(t[{thread}], 0);"),
            _ => return None,
        })
    };
    let mut text =
        String::from("#include <pthread.h>\n#include <stdatomic.h>\nstatic pthread_t t[8];\n");
    for location in &program.locations {
        let (name, initial) = (&location.name, location.initial);
        text += &match location.kind {
            LocationKind::Mutex => {
                format!("static pthread_mutex_t {name} = PTHREAD_MUTEX_INITIALIZER;\n")
            }
            _ => format!("static atomic_int {name} = {initial};\n"),
        };
    }
    let mut lines = Vec::new();
    for (number, thread) in program.threads.iter().enumerate() {
        text += &format!("static void *p{number}(void *arg) {{\n");
        let mut own = Vec::new();
        for statement in &thread.body {
            text += &format!("    {}\n", line(statement)?);
            own.push(text.lines().count() as u32);
        }
        lines.push(own);
        text += "    return arg;\n}\n";
    }
    text += "int main(void) {\n";
    let joins = |thread: usize| -> Vec<usize> {
        let joined =
            program.threads[thread].body.iter().filter_map(|statement| match statement.kind {
                StatementKind::Join(thread) => Some(thread as usize),
                _ => None,
            });
        joined.collect()
    };
    // Who is joined by another thread must be known to it.
    let mut started: Vec<usize> = Vec::new();
    while started.len() < lines.len() {
        let can =
            |t: &usize| !started.contains(t) && joins(*t).iter().all(|of| started.contains(of));
        let next = (0..lines.len()).find(can)?;
        text += &format!("    pthread_create(&t[{next}], 0, p{next}, 0);\n");
        started.push(next);
    }
    let joined: Vec<usize> = (0..lines.len()).flat_map(joins).collect();
    for number in (0..lines.len()).filter(|number| !joined.contains(number)) {
        text += &format!("    pthread_join(t[{number}], 0);\n");
    }
    Some((text + "}\n", lines))
}

/// The events of each statement of a thread without branches.
fn events(thread: usize, body: &[Statement]) -> Vec<Vec<EventId>> {
    let mut index = 0;
    let of = |statement: &Statement| {
        let is_double =
            matches!(statement.kind, StatementKind::Rmw { .. } | StatementKind::Lock(_));
        let count = if is_double { 2 } else { 1 };
        index += count;
        (index - count..index).map(|index| EventId { thread: thread as u32, index }).collect()
    };
    body.iter().map(of).collect()
}

/// Random programs, against the happens-before that the oracle computes from its definition.
#[test]
fn it_is_what_the_oracle_says() {
    let shape = Shape {
        min_threads: 2,
        max_threads: 3,
        max_actions: 7,
        max_locations: 2,
        plain: false,
        dependencies: false,
        max_mutexes: 1,
        joins: true,
        ..Shape::default()
    };
    let (mut unordered, mut ordered) = (0, 0);
    let translated = (0..).filter_map(|seed| {
        let program = generate(seed, &shape);
        in_c(&program).map(|(text, lines)| (program, text, lines))
    });
    for (program, text, lines) in translated.take(40) {
        let events: Vec<_> =
            program.threads.iter().enumerate().map(|(t, of)| events(t, &of.body)).collect();
        let is_access = |t: usize, s: usize| {
            !matches!(
                program.threads[t].body[s].kind,
                StatementKind::Fence(_) | StatementKind::Join(_)
            )
        };
        let of =
            |t: usize| (0..lines[t].len()).filter(move |&s| is_access(t, s)).map(move |s| (t, s));
        let pairs = of(0).flat_map(|a| of(1).map(move |b| (a, b)));
        // The first ends of threads are hardly ever ordered, the last ones may be.
        let pairs: Vec<_> = pairs.collect();
        for (model, at) in [
            (Model::C20, 0),
            (Model::Rc11, pairs.len() / 2),
            (Model::Sc, pairs.len().saturating_sub(1)),
        ] {
            let Some(&(a, b)) = pairs.get(at) else { continue };
            let all = executions(&program, model);
            assert!(all.blocked.is_empty(), "one mutex cannot block");
            let all = all.complete;
            let expected = all.iter().any(|execution| {
                let of = |(thread, statement): (usize, usize)| events[thread][statement].iter();
                of(a).any(|&x| of(b).any(|&y| is_unordered(model, &execution.graph, x, y)))
            });
            let set =
                |options: &mut CheckOptions| options.model = model.name().parse().expect("a model");
            let found = explain(&text, [lines[a.0][a.1], lines[b.0][b.1]], set).expect("an answer");
            let answer = if expected { Answer::Possible } else { Answer::Impossible };
            assert_eq!(found.answer, answer, "{}: {a:?} and {b:?} of\n{text}", model.name());
            *(if expected { &mut unordered } else { &mut ordered }) += 1;
        }
    }
    assert!(unordered > 5 && ordered > 5, "{unordered} are not ordered, {ordered} are");
}

/// A wait that ends for no reason, and comes back to its loop, is not looked at; so nothing is proved of its line.
#[test]
fn waits_that_may_end_for_no_reason_leave_it_open() {
    let condition = "#include <pthread.h>
        static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t c;
        static int ready, late;
        static void *one(void *arg) {
            pthread_mutex_lock(&m); ready = 1; pthread_mutex_unlock(&m);
            late = 1; // 1
            pthread_cond_signal(&c);
            return arg;
        }
        static void *two(void *arg) {
            pthread_mutex_lock(&m);
            while (!ready)
                pthread_cond_wait(&c, &m); // 2
            pthread_mutex_unlock(&m);
            return arg;
        }
        int main(void) {
            pthread_t a, b; pthread_cond_init(&c, 0);
            pthread_create(&a, 0, one, 0); pthread_create(&b, 0, two, 0);
            pthread_join(a, 0); pthread_join(b, 0);
        }";
    assert_eq!(asked(condition, "c20").0, Answer::Inconclusive);
    let weak = threads(
        "data = 1; // 1
        atomic_store_explicit(&flag, 1, memory_order_release);",
        "if (atomic_load_explicit(&flag, memory_order_relaxed) == 1) {
            int one = 1;
            while (!atomic_compare_exchange_weak_explicit(&flag, &one, 2, memory_order_acquire, memory_order_relaxed)) // 2
                one = 1;
        }",
        "",
    );
    assert_eq!(asked(&weak, "c20").0, Answer::Inconclusive);
    let strong = weak.replace("exchange_weak", "exchange_strong");
    let (answer, ordering, _) = asked(&strong, "c20");
    assert_eq!((answer, ordering), (Answer::Impossible, Ordering::FirstBeforeSecond));
}

/// Pairs of one thread count for the direction.
#[test]
fn accesses_of_one_thread_are_ordered_too() {
    let text = "#include <pthread.h>
        static int x, y;
        static void both(void) {
            x = 2; // 2
        }
        static void *one(void *arg) {
            both();
            y = 1; // 1
            return arg;
        }
        int main(void) { pthread_t a; pthread_create(&a, 0, one, 0); pthread_join(a, 0); both(); }";
    let (answer, ordering, _) = asked(text, "c20");
    assert_eq!((answer, ordering), (Answer::Impossible, Ordering::EitherWay));
}

/// A search that begins again, because bytes turn out to be accessed in several sizes, is judged by its last run.
#[test]
fn a_search_that_begins_again_is_judged_by_its_last_run() {
    let text = "#include <pthread.h>
static union { int whole; short halves[2]; } box;
static int seen;
static void *one(void *arg) {
    box.whole = 0x10001; // 1
    return arg;
}
int main(void) {
    pthread_t first;
    pthread_create(&first, 0, one, 0);
    seen = box.halves[1]; // 2
    pthread_join(first, 0);
}
";
    assert_eq!(asked(text, "sc").0, Answer::Possible);
}
