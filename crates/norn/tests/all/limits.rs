//! Limits on time and memory hold, whatever the program does, and end in a report.

use crate::support;
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// Far more executions than anybody can visit.
const ENDLESS: &str = "bench/programs/fib_bench.c";

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
    let start = Instant::now();
    let mut command = Command::new(env!("CARGO_BIN_EXE_norn"));
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
    let cases: [(&[&str], f64); 3] = [(&endless, 1.0), (&endless, 3.0), (&[&computes], 2.0)];
    for (arguments, limit) in cases {
        let timeout = format!("{limit}s");
        let (report, seconds) = check(&[&["--timeout", &timeout], arguments].concat());
        assert_eq!(reason(&report), Some("timeout"), "{arguments:?}");
        // The process takes some time to start, and the machine may be busy.
        assert!(seconds >= limit && seconds < limit * 1.02 + 0.2, "{seconds} s instead of {limit}");
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
