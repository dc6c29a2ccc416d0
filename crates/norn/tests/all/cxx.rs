//! Programs over the C++ library: what a check finds stands in their first lines, and those with nothing wrong print what
//! they print on the machine.

use crate::support;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn programs() -> Vec<PathBuf> {
    support::programs(&support::root().join("tests/cxx"))
}

#[test]
fn cxx_programs_have_the_verdict_in_their_first_line() {
    let files = programs();
    assert!(files.len() >= 60, "{} programs", files.len());
    let mut command = Command::new(env!("CARGO_BIN_EXE_norn"));
    let output = command.args(["test", "--quiet", "--no-cache"]).args(&files).output();
    let output = output.expect("to run norn");
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "\n{text}");
    assert!(text.contains(&format!(" of {} checks ", files.len())), "{text}");
}

#[test]
fn cxx_programs_print_what_they_print_on_the_machine() {
    let compiler = std::env::var("NORN_CLANG").unwrap_or_else(|_| "clang".to_owned());
    if !support::is_there(&compiler) {
        return;
    }
    let directory = tempfile::tempdir().expect("a directory");
    let files: Vec<PathBuf> =
        programs().into_iter().filter(|path| has_nothing_wrong(path)).collect();
    let halves = files.chunks(files.len().div_ceil(2));
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let half = |half: &[PathBuf]| -> Vec<String> {
            half.iter().filter_map(|path| differs(&compiler, path, directory.path())).collect()
        };
        let threads: Vec<_> = halves.map(|files| scope.spawn(move || half(files))).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("no panic")).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn has_nothing_wrong(path: &Path) -> bool {
    std::fs::read_to_string(path).expect("a program").starts_with("// norn: expect verified")
}

/// What a run by Norn prints, if that is not what one on the machine does.
fn differs(compiler: &str, path: &Path, directory: &Path) -> Option<String> {
    let native = directory.join(path.file_stem().expect("a name"));
    let mut command = Command::new(compiler);
    command.args(["-std=c++20", "-pthread", "-w", "-o"]).arg(&native).arg(path);
    let compiled = command.args(["-lstdc++", "-lm"]).status().expect("to run the compiler");
    assert!(compiled.success(), "{}", path.display());
    let expected = printed(Command::new(&native));
    let mut norn = Command::new(env!("CARGO_BIN_EXE_norn"));
    norn.arg("run").arg(path).args(["--", "-std=c++20"]);
    let found = printed(norn);
    (expected != found)
        .then(|| format!("{}:\nexpected {expected:?}\nfound    {found:?}", path.display()))
}

/// The exit code and what is printed.
fn printed(mut command: Command) -> (Option<i32>, String) {
    let output = command.stdin(Stdio::null()).output().expect("to run it");
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}
