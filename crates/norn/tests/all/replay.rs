//! `norn replay`: the program's own output, and going through the steps by commands.

use crate::support;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

const PROGRAM: &str = "#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
static atomic_int x;
static struct { atomic_int a, b; } box;
static void *writer(void *arg) {
    printf(\"writing\\n\");
    atomic_store(&x, 5);
    atomic_store(&box.b, 7);
    printf(\"written\\n\");
    return arg;
}
int main(void) {
    pthread_t thread;
    puts(\"hello\");
    pthread_create(&thread, 0, writer, 0);
    pthread_join(thread, 0);
    fprintf(stderr, \"x is %d\\033[31m\\n\", atomic_load(&x));
    assert(x == 6);
}
";

/// Runs `norn` there with `input` on its standard input: the exit code, and what it printed.
fn norn(folder: &Path, arguments: &[&str], input: &str) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_norn"));
    command.current_dir(folder).args(arguments);
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = pipes.spawn().expect("to run norn");
    // It may have left before it has read everything.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("to wait");
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).into_owned())
}

/// A folder with the trace `t.json` of a program.
fn traced() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("a.c"), PROGRAM).expect("to write");
    let (code, text) = norn(folder.path(), &["check", "a.c", "--trace", "t.json"], "");
    assert_eq!(code, Some(1), "{text}");
    folder
}

#[test]
fn what_the_program_prints_stands_between_the_steps() {
    let folder = traced();
    let (code, text) = norn(folder.path(), &["replay", "t.json"], "");
    assert_eq!(code, Some(1), "{text}");
    let order = [
        "main prints: hello",
        "start thread 1",
        "thread 1 (writer) prints: writing",
        "store x = 5",
        "store box.b = 7",
        "thread 1 (writer) prints: written",
        "join thread 1",
        "main prints: x is 5?[31m",
        "assertion failed",
    ];
    let mut rest = text.as_str();
    for part in order {
        let at =
            rest.find(part).unwrap_or_else(|| panic!("{part} is missing, or too early:\n{text}"));
        rest = &rest[at + part.len()..];
    }
}

#[test]
fn steps_are_taken_and_taken_back() {
    let folder = traced();
    let walk = |input: &str| {
        let (code, text) = norn(folder.path(), &["replay", "t.json", "--step"], input);
        assert_eq!(code, Some(1), "{text}");
        text
    };
    let text = walk("where\nback\nnext\nn 1\nprint x\n\nprint x\nback\nprint x\nquit\nnext\n");
    let order = [
        "error[assertion]",
        "before the first step",
        "this is the beginning",
        "start thread 1",
        "store x = 5",
        "x = 5 (step 2)",
        "store box.b = 7",
        "x = 5 (step 2)",
        "back to\n   2  thread 1 (writer): a.c:9: store x = 5",
        "x = 5 (step 2)",
    ];
    let mut rest = text.as_str();
    for part in order {
        let at =
            rest.find(part).unwrap_or_else(|| panic!("{part} is missing, or too early:\n{text}"));
        rest = &rest[at + part.len()..];
    }
    assert!(!rest.contains("join"), "{text}");
    let text = walk("back 3\nprint x\nnext 99\nprint box\nwhere\nnext\n");
    assert!(text.contains("x = 0 (initial)"), "{text}");
    assert!(text.contains("box.b = 7 (step 3)"), "{text}");
    assert!(text.contains("in main at a.c:"), "{text}");
    assert_eq!(text.matches("this is the end: error[assertion]").count(), 2, "{text}");
    let text = walk("fly\nnext -1\nnext x\nprint nobody\nhelp\n\u{0}\n");
    assert!(text.contains("`fly` is no command"), "{text}");
    assert_eq!(text.matches("is no number of steps").count(), 2, "{text}");
    assert!(text.contains("is called `nobody`"), "{text}");
    assert!(text.contains("back [N]"), "{text}");
}

#[test]
fn every_example_can_be_walked_to_its_end_and_back() {
    let folder = tempfile::tempdir().expect("a folder");
    for entry in std::fs::read_dir(support::root().join("examples")).expect("the examples") {
        let file = entry.expect("an entry").path().join("buggy.c");
        if !file.exists() {
            continue;
        }
        let name = file.display().to_string();
        let (code, text) = norn(folder.path(), &["check", &name, "--trace", "t.json"], "");
        assert_eq!(code, Some(1), "{text}");
        let input = "next 9999\nprint\nwhere\nback 9999\nnext\n";
        let (code, text) = norn(folder.path(), &["replay", "t.json", "--step"], input);
        assert_eq!(code, Some(1), "{text}");
        assert!(text.contains("this is the end: error["), "{text}");
        assert!(text.contains("back to the beginning"), "{text}");
    }
}

#[test]
fn what_does_not_go_together_is_refused() {
    let folder = traced();
    for option in [
        ["--format", "json"],
        ["--html", "a.html"],
        ["--graph", "a.svg"],
        ["--sarif", "a.sarif"],
        ["--junit", "a.xml"],
    ] {
        let arguments = ["replay", "t.json", "--step", option[0], option[1]];
        assert_eq!(norn(folder.path(), &arguments, "").0, Some(2), "{option:?}");
    }
    assert_eq!(norn(folder.path(), &["replay", "no.json", "--step"], "").0, Some(2));
}
