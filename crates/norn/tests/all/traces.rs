//! Traces are of the check that was asked for, and nothing else is replayed.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const WRONG: &str = "#include <assert.h>\nint main(void) {\n    assert(0);\n}\n";
const RIGHT: &str = "#include <assert.h>\nint main(void) {\n    assert(1);\n}\n";

fn norn(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_norn"));
    command.current_dir(folder).args(arguments).output().expect("to run norn")
}

/// What it says when it refuses something.
fn refusal(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{text}");
    text
}

/// A folder with a wrong program and the trace of what is wrong with it.
fn wrong() -> (tempfile::TempDir, PathBuf, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let (program, trace) = (folder.path().join("a.c"), folder.path().join("t.json"));
    std::fs::write(&program, WRONG).expect("to write");
    let found = norn(folder.path(), &["check", "a.c", "--trace", "t.json"]);
    assert_eq!(found.status.code(), Some(1), "{found:?}");
    (folder, program, trace)
}

#[test]
fn a_trace_that_was_edited_or_is_of_another_program_is_refused() {
    let (folder, program, trace) = wrong();
    let replay = || norn(folder.path(), &["replay", "t.json"]);
    assert_eq!(replay().status.code(), Some(1));
    let text = std::fs::read_to_string(&trace).expect("a trace");
    std::fs::write(&trace, text.replace("assertion", "abort")).expect("to write");
    assert!(refusal(&replay()).contains("it is damaged (its checksum"));
    std::fs::write(&trace, &text[..text.len() / 2]).expect("to write");
    assert!(refusal(&replay()).contains("it is not a trace of norn"));
    std::fs::write(&trace, text).expect("to write");
    std::fs::write(&program, RIGHT).expect("to write");
    assert!(refusal(&replay()).contains("not what they were"));
}

#[test]
fn what_an_earlier_check_left_goes_when_nothing_is_wrong() {
    let (folder, program, trace) = wrong();
    let graph = folder.path().join("g.svg");
    let check = ["check", "a.c", "--trace", "t.json", "--graph", "g.svg"];
    assert_eq!(norn(folder.path(), &check).status.code(), Some(1));
    assert!(trace.exists() && graph.exists());
    std::fs::write(&program, RIGHT).expect("to write");
    assert_eq!(norn(folder.path(), &check).status.code(), Some(0));
    assert!(!trace.exists() && !graph.exists());
}

#[test]
fn two_things_in_one_file_are_refused() {
    let (folder, _, _) = wrong();
    let path = folder.path().join("p.html");
    let whole = path.to_str().expect("a path");
    for options in [
        ["--html", "p.html", "--explore-html", "p.html"],
        ["--html", "p.html", "--explore-html", whole],
        ["--html", "./p.html", "--sarif", "p.html"],
        ["--junit", "p.svg", "--graph", "p.svg"],
        ["--trace", "p.json", "--log", "p.json"],
        ["--checkpoint", "p.json", "--trace", "p.json"],
    ] {
        let said = refusal(&norn(folder.path(), &[&["check", "a.c"], &options[..]].concat()));
        assert!(said.contains("is to hold two things; write each to a file of its own"), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
    let twice = ["replay", "t.json", "--html", "p.html", "--junit", "p.html"];
    assert!(refusal(&norn(folder.path(), &twice)).contains("two things"));
    let apart = ["check", "a.c", "--html", "p.html", "--explore-html", "q.html"];
    assert_eq!(norn(folder.path(), &apart).status.code(), Some(1));
    // A terminal takes everything.
    let devices = ["check", "a.c", "--html", "/dev/null", "--junit", "/dev/null"];
    assert_eq!(norn(folder.path(), &devices).status.code(), Some(1));
}

#[test]
fn files_that_cannot_be_written_or_are_read_are_refused_before_the_search() {
    let (folder, program, _) = wrong();
    for option in ["--trace", "--html"] {
        let over = norn(folder.path(), &["check", "a.c", option, "./a.c"]);
        assert!(refusal(&over).contains("is read; write to another file"), "{option}");
        let nowhere = norn(folder.path(), &["check", "a.c", option, "no/such/folder"]);
        assert!(refusal(&nowhere).contains("cannot write"), "{option}");
    }
    let over = norn(folder.path(), &["replay", "t.json", "--html", "t.json"]);
    assert!(refusal(&over).contains("is read"));
    assert_eq!(std::fs::read_to_string(program).expect("the program"), WRONG);
}
