//! Running a program here and natively, and comparing what is seen from outside.

// Each test uses a part of this.
#![allow(dead_code)]

use norn_frontend::{Options, load};
use norn_machine::run::{Outcome, run};
use norn_machine::{Config, Vm, runtime_functions};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// What a run looks like from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Standard output.
    pub output: String,
    /// Exit code, or why there is none.
    pub end: String,
}

fn provided(name: &str) -> bool {
    runtime_functions().iter().any(|entry| entry.0 == name)
}

/// Compiles with these flags, lowers and interprets.
pub fn interpret(files: &[PathBuf], flags: &[String]) -> Seen {
    interpret_with(None, files, flags)
}

/// The same with a certain compiler.
pub fn interpret_with(clang: Option<&Path>, files: &[PathBuf], flags: &[String]) -> Seen {
    let options = Options { clang, flags, provided };
    let loaded = match load(files, &options) {
        Ok(loaded) => loaded,
        Err(error) => return Seen { output: String::new(), end: format!("error: {error}") },
    };
    let vm = Vm::new(Arc::new(loaded.program), Config::default());
    let mut output = Vec::new();
    let outcome = run(&vm, &mut |is_error, bytes| {
        if !is_error {
            output.extend_from_slice(bytes);
        }
    });
    let end = match outcome {
        Outcome::Exit(code) => format!("exit {}", code & 0xff),
        other => format!("{other:?}"),
    };
    Seen { output: String::from_utf8_lossy(&output).into_owned(), end }
}

/// Compiles natively and runs; `None` if it does not end within `limit`.
pub fn native(file: &Path, flags: &[String], limit: Duration) -> Option<Seen> {
    let stem = file.file_stem().and_then(|s| s.to_str()).unwrap_or("program");
    let binary = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("native-{stem}"));
    let compiler = native_compiler();
    let status = Command::new(compiler)
        .args(["-w", "-O0", "-o"])
        .arg(&binary)
        .arg(file)
        .args(flags)
        .args(["-lm", "-lpthread"])
        .status()
        .expect("the native compiler runs");
    assert!(status.success(), "{compiler} failed on {}", file.display());
    let mut command = Command::new(&binary);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().expect("the program starts");
    let mut pipe = child.stdout.take().expect("its output is piped");
    let reader = std::thread::spawn(move || {
        let mut output = Vec::new();
        std::io::Read::read_to_end(&mut pipe, &mut output).map(|_| output)
    });
    let start = Instant::now();
    let status = loop {
        match child.try_wait().expect("the program can be waited for") {
            Some(status) => break status,
            None if start.elapsed() > limit => {
                child.kill().expect("the program can be ended");
                child.wait().expect("the program ends");
                return None;
            }
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    let output = reader.join().expect("the reader ends").expect("the output is readable");
    let output = String::from_utf8_lossy(&output).into_owned();
    let end = status.code().map_or("killed".to_owned(), |code| format!("exit {code}"));
    Some(Seen { output, end })
}

fn native_compiler() -> &'static str {
    let works = |name: &&&str| Command::new(name).arg("--version").output().is_ok();
    let names = ["clang", "clang-22", "clang-19", "clang-16", "clang-14", "gcc"];
    names.iter().find(works).expect("a C compiler is installed")
}

/// Runs `check` on every job with a few threads and fails with all complaints together.
pub fn for_all<T: Send>(jobs: Vec<T>, check: impl Fn(T) -> Result<(), String> + Sync) {
    let total = jobs.len();
    let queue = Mutex::new(jobs);
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, |n| n.get().min(8)) {
            scope.spawn(|| {
                loop {
                    let job = queue.lock().unwrap().pop();
                    let Some(job) = job else { break };
                    if let Err(failure) = check(job) {
                        failures.lock().unwrap().push(failure);
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "{} of {total} failed:\n{}", failures.len(), failures.join("\n"));
}

/// The repository's directory `tests/<name>`.
pub fn directory(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests").join(name)
}

/// The files of a directory with this extension, by name.
pub fn files(directory: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).expect("the directory exists");
    let mut files: Vec<_> = entries
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|e| e == extension))
        .collect();
    files.sort();
    files
}
