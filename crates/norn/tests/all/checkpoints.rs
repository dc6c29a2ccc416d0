//! Searches that are interrupted, killed and taken up again.

use crate::support;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Enough executions to be interrupted.
const PROGRAM: &str = "bench/programs/fib_bench.c";

fn temporary(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&path);
    path
}

fn norn() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_norn"));
    command.current_dir(support::root()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// `norn check` of the program with `size`, saved in `file` many times a second.
fn check(file: &Path, size: u32, options: &[&str]) -> Command {
    let mut command = norn();
    command.args(["check", PROGRAM, "--format", "json", "--checkpoint"]).arg(file);
    command.args(["--checkpoint-interval", "20ms"]).args(options);
    command.args(["--", &format!("-DN={size}")]);
    command
}

fn resume(file: &Path, options: &[&str]) -> Command {
    let mut command = norn();
    command.args(["resume", "--format", "json"]).arg(file).args(options);
    command
}

/// The report of a process that came to its end.
fn report(child: Child) -> (Value, i32) {
    let output = child.wait_with_output().expect("to wait");
    let errors = String::from_utf8_lossy(&output.stderr);
    let code = output.status.code().unwrap_or_else(|| panic!("no exit code: {errors}"));
    let report = serde_json::from_slice(&output.stdout);
    (report.unwrap_or_else(|_| panic!("exit code {code}: {errors}")), code)
}

fn run(mut command: Command) -> (Value, i32) {
    report(command.spawn().expect("to run norn"))
}

fn totals(report: &Value) -> [u64; 4] {
    ["executions", "blocked", "beyond_bound", "bound_blocked"]
        .map(|name| report[name].as_u64().expect("a number"))
}

/// Waits for the end of the process, but not longer than `time`; whether it has ended.
fn ends_within(child: &mut Child, time: Duration) -> bool {
    let start = Instant::now();
    while start.elapsed() < time {
        if child.try_wait().expect("to look").is_some() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    false
}

/// A number from a sequence that looks random (splitmix64).
fn mixed(index: u64) -> u64 {
    let mut x = index.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// Kills a check again and again, until one of its lives comes to its end; how often it was killed.
fn kill_until_done(file: &Path, size: u32, options: &[&str], expected: ([u64; 4], i32)) -> u32 {
    let mut kills = 0;
    loop {
        let mut command = if file.exists() {
            let jobs = ["1", "2", "3"][mixed(u64::from(kills)) as usize % 3];
            resume(file, &["--jobs", jobs])
        } else {
            check(file, size, options)
        };
        let mut child = command.spawn().expect("to run norn");
        let time = Duration::from_millis(60 + mixed(u64::from(kills) + 77) % 240);
        if ends_within(&mut child, time) {
            let (report, code) = report(child);
            assert_eq!((totals(&report), code), expected);
            return kills;
        }
        child.kill().expect("to kill");
        child.wait().expect("to wait");
        kills += 1;
        assert!(kills < 2000, "the check does not come forward");
    }
}

/// The searches that are interrupted here: options, and what they find in one go.
fn searches() -> Vec<(Vec<&'static str>, u32)> {
    vec![
        (vec!["--algorithm", "trust"], 5),
        (vec!["--algorithm", "rf"], 5),
        (vec!["--model", "sc", "--bound", "6"], 5),
    ]
}

/// `NORN_KILLS=500` kills more often.
#[test]
fn nothing_is_lost_or_counted_twice_when_a_check_is_killed() {
    let wanted = std::env::var("NORN_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(50);
    for (number, (options, size)) in searches().into_iter().enumerate() {
        let file = temporary(&format!("killed{number}.norn"));
        let mut alone = norn();
        alone.args(["check", PROGRAM, "--format", "json"]).args(&options);
        alone.args(["--", &format!("-DN={size}")]);
        let (report, code) = run(alone);
        let expected = (totals(&report), code);
        let mut kills = 0;
        let mut rounds = 0;
        while kills < wanted / 3 + 1 {
            let _ = std::fs::remove_file(&file);
            kills += kill_until_done(&file, size, &options, expected);
            rounds += 1;
            assert!(rounds < 300, "{options:?} is over before it can be killed");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_signal_saves_the_search_and_says_how_to_go_on() {
    for signal in ["-INT", "-TERM"] {
        let file = temporary(&format!("interrupted{signal}.norn"));
        // With six rounds, the assertion of the program fails. A busy machine may need longer to come to that.
        let mut times = [1, 2, 4, 8].into_iter();
        let (report, code) = loop {
            let time = Duration::from_secs(times.next().expect("a violation in eight seconds"));
            let mut command = check(&file, 6, &["--jobs", "2", "--keep-going"]);
            let mut child = command.spawn().expect("to run norn");
            assert!(!ends_within(&mut child, time), "the check is too short");
            let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
            assert!(sent.expect("to send a signal").success());
            let (report, code) = report(child);
            if report["violation"].is_object() {
                break (report, code);
            }
            assert_eq!((report["verdict"].as_str(), code), (Some("inconclusive"), 3));
        };
        assert_eq!((report["verdict"].as_str(), code), (Some("violation"), 1));
        assert_eq!(report["reasons"][0]["kind"], "interrupted");
        let warning = report["warnings"][0]["message"].as_str().expect("a message");
        assert!(warning.contains(&format!("norn resume {}", file.display())), "{warning}");
        let seen = report["executions"].as_u64().expect("a number");
        let (report, code) = run(resume(&file, &["--max-executions", &(seen + 10).to_string()]));
        assert_eq!((report["executions"].as_u64(), code), (Some(seen + 10), 1));
        assert_eq!(report["violation"]["kind"], "assertion");
        assert_eq!(report["reasons"][0]["kind"], "max_executions");
    }
}

/// The error message of a command that is refused.
fn refusal(mut command: Command) -> String {
    let output = command.output().expect("to run norn");
    let text = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(2), "{text}");
    text
}

#[test]
fn what_does_not_fit_is_refused() {
    let program = temporary("changing.c");
    let text = std::fs::read_to_string(support::root().join(PROGRAM)).expect("the program");
    std::fs::write(&program, &text).expect("to write");
    let file = temporary("changing.norn");
    let mut command = norn();
    command.arg("check").arg(&program).arg("--checkpoint").arg(&file);
    command.args(["--max-executions", "100", "--", "-DN=4"]);
    assert_eq!(command.output().expect("to run norn").status.code(), Some(3));

    let kept = std::fs::read_to_string(&file).expect("the checkpoint");
    std::fs::write(&program, text.replace("144", "143")).expect("to write");
    assert!(refusal(resume(&file, &[])).contains("the program is not the one"), "changed program");
    std::fs::write(&program, &text).expect("to write");

    let other = temporary("other.norn");
    let version = format!("\"version\":\"{}\"", env!("CARGO_PKG_VERSION"));
    assert!(kept.contains(&version));
    std::fs::write(&other, kept.replace(&version, "\"version\":\"0.0.1\"")).expect("to write");
    assert!(refusal(resume(&other, &[])).contains("norn 0.0.1"), "another version");
    std::fs::write(&other, &kept[..kept.len() / 2]).expect("to write");
    assert!(refusal(resume(&other, &[])).contains("not a checkpoint"), "half a file");
    std::fs::write(&other, kept.replace("\"order\":[[0,0]", "\"order\":[[0,1]")).expect("to write");
    assert!(refusal(resume(&other, &[])).contains("damaged"), "wrong content");
    assert!(refusal(resume(Path::new("no/such/file"), &[])).contains("cannot read"), "no file");

    let mut nowhere = norn();
    nowhere.args(["check", PROGRAM, "--checkpoint", "no/such/directory/file"]);
    assert!(refusal(nowhere).contains("cannot write"), "no directory");
    let (report, code) = run(resume(&file, &["--jobs", "2"]));
    assert_eq!((report["executions"].as_u64(), code), (Some(34_205), 0));
}

/// A thread that computes for long, and then finds that something is wrong.
const LONG: &str = "
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
static void *other(void *unused) { atomic_store(&x, 2); return unused; }
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    atomic_store(&x, 1);
    unsigned h = 1;
    for (unsigned i = 0; i < 6000000; i++) h = h * 1664525u + 1013904223u;
    assert(h == 12345);
    pthread_join(thread, 0);
}
";

/// Whoever goes on with a search runs threads to where they would have come. What is wrong there is found, also
/// where they were stopped in the midst of a computation.
#[test]
fn what_an_interrupted_thread_arrives_at_is_not_lost() {
    let program = temporary("long.c");
    std::fs::write(&program, LONG).expect("to write");
    for algorithm in ["trust", "rf", "rvf", "await"] {
        let file = temporary(&format!("long-{algorithm}.norn"));
        let start = |options: &[&str]| {
            let mut command = norn();
            command.arg("check").arg(&program).args(["--format", "json", "--model", "sc"]);
            command.args(["--jobs", "1", "--algorithm", algorithm]).args(options);
            command
        };
        let began = Instant::now();
        assert_eq!(run(start(&[])).1, 1, "{algorithm}");
        let whole = began.elapsed().as_secs_f64();
        for part in [0.6, 0.8] {
            let time = format!("{}ms", (whole * part * 1000.0) as u64);
            let path = file.to_str().expect("a name");
            let (_, code) = run(start(&["--timeout", &time, "--checkpoint", path]));
            // A machine that is faster now than it was may have found it.
            if code == 3 && file.exists() {
                assert_eq!(run(resume(&file, &["--jobs", "2"])).1, 1, "{algorithm} after {time}");
            }
        }
    }
}
