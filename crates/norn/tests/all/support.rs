//! Programs that say in their first line what a check of them finds, and what tests share.

use norn::CheckOptions;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The top of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

/// All C and C++ files in a directory, sorted.
pub fn programs(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).expect("a directory of programs");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "c" || e == "cpp"))
        .collect();
    files.sort();
    files
}

/// What is not said otherwise, with the compiler that the environment names.
pub fn options() -> CheckOptions {
    let clang = std::env::var_os("NORN_CLANG").map(PathBuf::from);
    CheckOptions { clang, ..CheckOptions::default() }
}

/// What the program printed is known only in a replay.
pub fn forget_output(violation: &mut norn::ViolationReport) {
    for step in &mut violation.trace {
        (step.printed, step.printed_after) = (None, None);
    }
}

/// The options that a program names.
pub fn options_of(path: &Path, text: &str) -> CheckOptions {
    let mut options = CheckOptions { files: vec![path.to_owned()], ..self::options() };
    let line = text.lines().find_map(|line| line.strip_prefix("// norn-options: "));
    for setting in line.unwrap_or("").split_whitespace() {
        match setting.split_once('=') {
            Some(("unroll", bound)) => options.unroll = Some(bound.parse().expect("a number")),
            Some(("model", model)) => options.model = model.parse().expect("a model"),
            Some(("race_detection", "no")) => options.race_detection = false,
            Some(("liveness", "no")) => options.liveness = false,
            Some(("reuse_memory", "yes")) => options.reuse_memory = true,
            _ => panic!("{}: unknown option {setting}", path.display()),
        }
    }
    options
}

/// Compares files with their first lines, which say everything; what is wrong must be so again when its trace is
/// replayed. With `BLESS=1` in the environment, lines that differ are rewritten.
pub fn compare(files: &[PathBuf]) {
    for path in files {
        let text = std::fs::read_to_string(path).expect("a program");
        let first = text.lines().next().and_then(|line| line.strip_prefix("// norn: "));
        let says_everything = first.is_some_and(|said| !said.starts_with("expect "));
        assert!(says_everything, "{} does not begin with what is found", path.display());
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_norn"));
    command.args(["test", "--quiet", "--replay", "--jobs", "1"]).args(files);
    if std::env::var_os("BLESS").is_some() {
        command.arg("--bless");
    }
    let output = command.output().expect("to run norn");
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "\n{text}");
    // Each file is one check.
    assert!(text.contains(&format!(" of {} checks ", files.len())), "{text}");
}

/// Whether a command is there. If it is not, says so: the test cannot be made.
pub fn is_there(command: &str) -> bool {
    let is_there = Command::new(command).arg("--version").output().is_ok();
    if !is_there {
        eprintln!("skipped: there is no {command} (`make test-tools` installs it)");
    }
    is_there
}
