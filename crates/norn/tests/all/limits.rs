//! Limits on time and memory hold, whatever the program does, and end in a report.

use crate::support;
use serde_json::Value;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

/// Far more executions than anybody can visit.
const ENDLESS: &str = "bench/programs/fib_bench.c";

/// More numbers to choose from than anybody can try, all but one of them right.
const CHOOSES: &str = "
#include <assert.h>
#include <norn.h>
int main(void) {
    int r = norn_choose(-2147483647 - 1, 2147483647);
    assert(r != 12345);
}
";

/// A thread that stores for ever.
const STORES: &str = "
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
static void *count(void *unused) {
    for (int i = 0;; i++) atomic_store(&x, i);
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, count, 0);
    pthread_join(thread, 0);
}
";

/// A thread that computes for long before it does anything that others can see.
const COMPUTES: &str = "
#include <stdatomic.h>
atomic_int x;
int main(void) {
    volatile long sum = 0;
    for (long i = 0; i < 90000000; i++) sum += i;
    atomic_store(&x, (int)sum);
}
";

/// A thread that takes memory in every step of an endless loop.
const TAKES_IN_STEPS: &str = "
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
atomic_int x;
static void *take(void *unused) {
    for (;;) {
        memset(malloc(1 << 16), 1, 1 << 16);
        atomic_fetch_add(&x, 1);
    }
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, take, 0);
    atomic_store(&x, 5);
    pthread_join(thread, 0);
}
";

/// One that takes it all before its first step.
const TAKES_AT_ONCE: &str = "
#include <stdlib.h>
#include <string.h>
int main(void) {
    for (long i = 0; i < 90000000; i++) memset(malloc(1 << 12), 1, 1 << 12);
}
";

fn file(name: &str, content: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, content).expect("to write a file");
    path.display().to_string()
}

/// The report, and the seconds from outside.
fn check(arguments: &[&str]) -> (Value, f64) {
    run(&mut Command::new(env!("CARGO_BIN_EXE_norn")), arguments)
}

fn run(command: &mut Command, arguments: &[&str]) -> (Value, f64) {
    let start = Instant::now();
    command.current_dir(support::root()).args(["check", "--format", "json"]).args(arguments);
    let output = command.output().expect("to run norn");
    let seconds = start.elapsed().as_secs_f64();
    let report = serde_json::from_slice(&output.stdout);
    (report.unwrap_or_else(|_| panic!("{output:?}")), seconds)
}

/// The reason that a report gives first.
fn reason(report: &Value) -> Option<&str> {
    report["reasons"][0]["kind"].as_str()
}

#[test]
fn time() {
    let computes = file("computes.c", COMPUTES);
    let endless = ["--keep-going", ENDLESS, "--", "-DN=9"];
    let chooses = file("chooses.c", CHOOSES);
    let cases: [(&[&str], f64); 4] =
        [(&endless, 1.0), (&endless, 3.0), (&[&computes], 2.0), (&[&chooses], 1.0)];
    for (arguments, limit) in cases {
        let timeout = format!("{limit}s");
        let (report, seconds) = check(&[&["--timeout", &timeout], arguments].concat());
        assert_eq!(reason(&report), Some("timeout"), "{arguments:?}");
        // The process takes some time to start, and the machine may be busy.
        assert!(seconds >= limit && seconds < limit * 1.02 + 0.2, "{seconds} s instead of {limit}");
    }
}

/// A script that is called instead of the compiler.
fn compiler(name: &str, script: &str) -> String {
    let path = file(name, &format!("#!/bin/sh\n{script}\n"));
    let executable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&path, executable).expect("to make it executable");
    path
}

/// The time of the compiler counts, and it does not outlive the check.
#[test]
fn time_of_the_compiler() {
    let pid = file("slow_clang.pid", "");
    let slow = compiler("slow_clang", &format!("echo $$ > {pid}\nexec sleep 60"));
    let program = file("never_compiled.c", "int main(void) { return 0; }\n");
    let mut command = Command::new(env!("CARGO_BIN_EXE_norn"));
    let (report, seconds) = run(command.env("NORN_CLANG", slow), &["--timeout", "1s", &program]);
    assert_eq!(reason(&report), Some("timeout"));
    assert!((1.0..1.22).contains(&seconds), "{seconds} s instead of 1");
    let pid = std::fs::read_to_string(pid).expect("it was started");
    assert!(!Path::new("/proc").join(pid.trim()).exists(), "the compiler is still there");
}

/// Headers of Norn are where nobody else can put any, and not longer than they are needed.
#[test]
fn the_folder_of_headers_is_private_and_goes_away() {
    let seen = file("headers.txt", "");
    let script = format!(
        "while [ \"$1\" != -I ]; do shift; done\n\
         stat -c '%a %n' \"$2\" > {seen}; ls \"$2\" >> {seen}; exit 1"
    );
    let spy = compiler("spying_clang", &script);
    let program = file("spied_on.c", "int main(void) { return 0; }\n");
    let mut command = Command::new(env!("CARGO_BIN_EXE_norn"));
    let child = command.env("NORN_CLANG", spy).args(["check", &program]).stderr(Stdio::null());
    let mut child = child.spawn().expect("to run norn");
    let pid = child.id().to_string();
    assert_eq!(child.wait().expect("an end").code(), Some(2));
    let text = std::fs::read_to_string(seen).expect("what was seen");
    let (folder, headers) = text.split_once('\n').expect("lines");
    let (mode, folder) = folder.split_once(' ').expect("two words");
    assert_eq!((mode, headers), ("700", "norn.h\nnorn_templates.h\n"));
    assert!(!folder.contains(&pid), "{folder} can be guessed from {pid}");
    assert!(!Path::new(folder).exists(), "{folder} is still there");
}

/// Both algorithms give up on a thread that goes on for ever; `auto` is `rf` under ra.
#[test]
fn steps_of_a_thread() {
    let program = file("stores.c", STORES);
    let (report, _) = check(&["--model", "ra", "--timeout", "5m", &program]);
    assert_eq!(report["algorithm"], "rf");
    assert_eq!(reason(&report), Some("unsupported"));
    let message = report["reasons"][0]["message"].as_str().expect("a message");
    let steps = format!("a thread took {} steps", norn_explore::MAX_THREAD_EVENTS);
    assert!(message.starts_with(&steps), "{message}");
}

/// The page of limits has the numbers of the code.
#[test]
fn the_page_says_the_same() {
    let page = support::root().join("docs/limits.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let thousands = |number: usize| format!("{},{:03}", number / 1000, number % 1000);
    let steps = norn_explore::MAX_THREAD_EVENTS as usize;
    let config = norn_machine::Config::default();
    for expected in [
        format!("More than {} threads", thousands(norn_action::ThreadId::MOST)),
        format!("more than {} visible steps", thousands(steps)),
        format!("After {} million iterations", config.step_limit / 1_000_000),
        format!("deeper than {}", thousands(config.depth_limit)),
    ] {
        assert!(page.contains(&expected), "{expected}");
    }
}

#[test]
fn memory() {
    let programs =
        [file("takes_in_steps.c", TAKES_IN_STEPS), file("takes_at_once.c", TAKES_AT_ONCE)];
    for program in &programs {
        for megabytes in [60, 200] {
            let limit = format!("{megabytes}M");
            let (report, _) = check(&["--max-memory", &limit, "--timeout", "60s", program]);
            assert_eq!(reason(&report), Some("memory"), "{program}");
            let peak = report["peak_memory_bytes"].as_f64().expect("a number");
            let part = peak / f64::from(megabytes << 20);
            assert!((0.97..1.05).contains(&part), "{program}: {part} of {limit}");
        }
    }
}

/// What cannot be visited is at least counted, about.
#[test]
fn a_search_that_is_stopped_tells_how_much_there_is() {
    let (report, _) = check(&["--timeout", "1s", "--keep-going", ENDLESS, "--", "-DN=6"]);
    let estimate = &report["estimate"];
    let executions = estimate["executions"].as_f64().expect("a number");
    // `norn check --keep-going` visits 8,149,079 of them to the end. A second of a slow build, on a machine
    // that may be busy, gives the order of magnitude.
    assert!((5e5..1.5e8).contains(&executions), "{estimate}");
    assert!(estimate["error"].as_f64().is_some_and(|error| error > 0.0), "{estimate}");
}
