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
    ] {
        let text = format!(
            "#include <pthread.h>
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
        for model in ["sc", "tso", "rc11", "c20"] {
            let posix = CheckOptions {
                files: vec![file.clone()],
                model: model.parse().expect("a model"),
                keep_going: true,
                jobs: 1,
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
    assert!(missing.contains("no function `nobody`"), "{missing}");
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
