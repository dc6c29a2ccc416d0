//! Multi-threaded C and C++ programs of `tests/threads`: what a run prints, and its exit code, are
//! those of the natively compiled program. The programs are deterministic under every schedule.

use norn_machine::run::{Outcome, run};
use norn_machine::{Config, Vm, runtime_functions};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/threads")
}

fn load(file: &Path) -> Vm {
    let provided = |name: &str| runtime_functions().iter().any(|entry| entry.0 == name);
    let options = norn_frontend::Options { clang: None, flags: &[], provided };
    let loaded = norn_frontend::load(&[file.to_owned()], &options).expect("a loadable program");
    Vm::new(Arc::new(loaded.program), Config::for_run())
}

/// What a run prints to standard output, and how it ends.
fn run_here(file: &Path) -> (String, Outcome) {
    let vm = load(file);
    let mut out = Vec::new();
    let outcome = run(&vm, &mut |error, bytes| {
        if !error {
            out.extend_from_slice(bytes);
        }
    });
    (String::from_utf8_lossy(&out).into_owned(), outcome)
}

fn native_compiler(file: &Path) -> Option<&'static str> {
    let names: &[&str] = match file.extension()?.to_str()? {
        "c" => &["clang", "gcc", "clang-22", "clang-19", "clang-16", "clang-14"],
        "cpp" => &["clang++", "g++", "clang++-22", "clang++-19", "clang++-16", "clang++-14"],
        _ => return None,
    };
    let works = |name: &&&str| Command::new(name).arg("--version").output().is_ok();
    Some(names.iter().find(works).expect("a native compiler"))
}

fn run_natively(file: &Path, compiler: &str) -> (String, i32) {
    let stem = file.file_stem().expect("a name").to_string_lossy();
    let binary = std::env::temp_dir().join(format!("norn-threads-{}-{stem}", std::process::id()));
    let status =
        Command::new(compiler).args(["-w", "-pthread", "-o"]).arg(&binary).arg(file).status();
    assert!(status.expect("the compiler starts").success(), "{} does not compile", file.display());
    let output = Command::new(&binary).output().expect("the program starts");
    std::fs::remove_file(&binary).expect("the program can be removed");
    (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code().unwrap_or(-1))
}

#[test]
fn runs_agree_with_native_ones() {
    let mut files: Vec<_> = std::fs::read_dir(directory())
        .expect("the directory of programs")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    assert!(files.len() >= 14, "programs are missing");
    let mut wrong = Vec::new();
    for file in files {
        let Some(compiler) = native_compiler(&file) else { continue };
        let (expected, code) = run_natively(&file, compiler);
        let (printed, outcome) = run_here(&file);
        let same = matches!(outcome, Outcome::Exit(here) if here & 0xff == code);
        if printed != expected || !same {
            wrong.push(format!("{}: {outcome:?}, printed\n{printed}", file.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Programs of `tests/threads/faults` say in their first line what is wrong with them.
#[test]
fn faults_are_found() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for entry in std::fs::read_dir(directory().join("faults")).expect("the directory") {
        let file = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&file).expect("a text");
        let expected = text.lines().next().and_then(|line| line.strip_prefix("// ")).unwrap_or("");
        let (_, outcome) = run_here(&file);
        let found = match &outcome {
            Outcome::Fault(fault) => fault.kind().name(),
            Outcome::Deadlock(_) => "deadlock",
            Outcome::Unsupported(_) => "unsupported",
            Outcome::Abandoned(_) => "abandoned",
            Outcome::Exit(_) => "exit",
        };
        if found != expected {
            wrong.push(format!("{}: {outcome:?}", file.display()));
        }
        count += 1;
    }
    assert!(count >= 20, "programs are missing");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
