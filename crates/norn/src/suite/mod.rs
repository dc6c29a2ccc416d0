//! Folders of tests: files that say what a check of them finds ([`crate::expect`]).
//!
//! Each check is a process of its own, so that nothing that one does can change another, and all cores have
//! something to do. What a check said is kept ([`kept`]), and as long as nothing changes that it depends on, it is not
//! made again.

mod kept;

use crate::error::InputError;
use crate::expect::{BadExpectation, Expectation, expectations};
use crate::litmus;
use kept::Cache;
use norn_report::Report;
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Instant, SystemTime};

/// Files of these kinds can be tests.
const EXTENSIONS: [&str; 8] = ["c", "cc", "cpp", "cxx", "c++", "C", "ll", "litmus"];

/// One check of a file, and what it should find.
#[derive(Clone, Debug)]
pub struct Test {
    /// The file.
    pub path: PathBuf,
    /// What it says.
    pub expectation: Expectation,
}

/// What came of a test.
#[derive(Clone, Debug)]
pub struct Tested {
    /// The test.
    pub test: Test,
    /// What the check said, or why there was none.
    pub found: Result<Report, String>,
    /// Whether that was known from an earlier run.
    pub known: bool,
    /// How long it took.
    pub seconds: f64,
}

impl Tested {
    /// Whether it is as expected.
    pub fn is_met(&self) -> bool {
        self.found.as_ref().is_ok_and(|report| self.test.expectation.is_met(report))
    }
}

/// The tests in these files and folders, and how many files in the folders say nothing. There is at least one.
pub fn tests(paths: &[PathBuf]) -> Result<(Vec<Test>, usize), InputError> {
    let (mut tests, mut silent) = (Vec::new(), 0);
    for path in paths {
        let before = tests.len();
        let files = if path.is_dir() { files_in(path)? } else { vec![path.clone()] };
        for file in files {
            let said = read(&file)?;
            silent += usize::from(said.is_empty());
            let test = |expectation| Test { path: file.clone(), expectation };
            tests.extend(said.into_iter().map(test));
        }
        if tests.len() == before {
            return Err(InputError::Refused(format!(
                "{} does not say what is to be found; write a line such as `// norn: expect verified` or \
                 `// norn: expect violation data_race` into a file",
                path.display()
            )));
        }
    }
    Ok((tests, silent))
}

/// What a file says.
fn read(file: &Path) -> Result<Vec<Expectation>, InputError> {
    let text = std::fs::read(file)
        .map_err(|cause| InputError::Unreadable { path: file.to_owned(), cause })?;
    expectations(&String::from_utf8_lossy(&text)).map_err(|BadExpectation { line, what }| {
        InputError::Refused(format!("{}:{line}: {what}", file.display()))
    })
}

/// All files of a folder and of the folders in it that can be tests, sorted. Links to folders are not followed: they
/// may lead back.
fn files_in(folder: &Path) -> Result<Vec<PathBuf>, InputError> {
    let unreadable = |cause| InputError::Unreadable { path: folder.to_owned(), cause };
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let is_folder = entry.file_type().map_err(unreadable)?.is_dir();
        let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
        if !is_hidden {
            entries.push((entry.path(), is_folder));
        }
    }
    entries.sort();
    let mut files = Vec::new();
    for (path, is_folder) in entries {
        let extension = path.extension().and_then(|extension| extension.to_str());
        if is_folder {
            files.extend(files_in(&path)?);
        } else if extension.is_some_and(|extension| EXTENSIONS.contains(&extension)) {
            files.push(path);
        }
    }
    Ok(files)
}

/// How tests are run.
#[derive(Clone, Debug)]
pub struct Runner {
    /// The command that checks.
    pub norn: PathBuf,
    /// The compiler to use; `None`: the usual names are tried.
    pub clang: Option<PathBuf>,
    /// Flags for the compiler, in front of those of a test.
    pub cflags: Vec<String>,
    /// Where results are kept, if they are.
    pub cache: Option<PathBuf>,
    /// How many checks are made at the same time.
    pub jobs: usize,
    /// How many workers each of them has.
    pub workers: usize,
    /// Whether a violation must be found again when its trace is replayed. What is kept is then not looked at.
    pub replay: bool,
}

impl Runner {
    /// Runs all tests; `done` sees each when it is over, in any order. The results are in order.
    pub fn run(&self, tests: Vec<Test>, done: impl Fn(&Tested) + Sync) -> Vec<Tested> {
        let cache = self.cache.as_ref().filter(|_| !self.replay);
        let cache = cache.map(|folder| Cache::new(folder, self));
        let next = AtomicUsize::new(0);
        let results: Vec<Mutex<Option<Tested>>> = tests.iter().map(|_| Mutex::new(None)).collect();
        std::thread::scope(|scope| {
            for _ in 0..self.jobs.clamp(1, tests.len().max(1)) {
                scope.spawn(|| {
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(test) = tests.get(index) else { break };
                        let tested = self.run_one(test, cache.as_ref());
                        done(&tested);
                        *results[index].lock().expect("nobody panics") = Some(tested);
                    }
                });
            }
        });
        let results = results.into_iter();
        results.filter_map(|slot| slot.into_inner().expect("nobody panics")).collect()
    }

    fn run_one(&self, test: &Test, cache: Option<&Cache>) -> Tested {
        let began = Instant::now();
        let known = cache.and_then(|cache| cache.report(test));
        let (known, found) = match known {
            Some(report) => (true, Ok(report)),
            None => (false, self.check(test, cache)),
        };
        Tested { test: test.clone(), found, known, seconds: began.elapsed().as_secs_f64() }
    }

    /// Makes the check.
    fn check(&self, test: &Test, cache: Option<&Cache>) -> Result<Report, String> {
        let began = SystemTime::now();
        let key = cache.and_then(|cache| cache.key(test));
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let (headers, trace) = (folder.path().join("headers"), folder.path().join("trace"));
        let is_compiled = is_compiled(&test.path);
        let options = &test.expectation.options;
        let (options, cflags) =
            options.split_at(options.iter().position(|o| o == "--").unwrap_or(options.len()));
        let mut command = self.command("check", &test.path);
        if !options.iter().any(|option| option.split('=').next() == Some("--jobs")) {
            command.args(["--jobs", &self.workers.to_string()]);
        }
        command.args(options);
        let replays = self.replay && !litmus::is_test(&test.path);
        if replays {
            command.arg("--trace").arg(&trace);
        }
        command.arg("--").args(&self.cflags).args(cflags.iter().skip(1));
        if is_compiled {
            command.args(["-MD", "-MF"]).arg(&headers);
        }
        let report: Report = answer(&mut command)?;
        if let Some((cache, key)) = cache.zip(key) {
            cache.keep(test, key, began, is_compiled.then_some(&headers), &report);
        }
        if replays && report.violation.is_some() {
            let again: Report = answer(&mut self.command("replay", &trace))?;
            if again.violation != report.violation {
                return Err("another violation is found when its trace is replayed".to_owned());
            }
        }
        Ok(report)
    }

    fn command(&self, name: &str, file: &Path) -> Command {
        let mut command = Command::new(&self.norn);
        command.arg(name).arg(file).args(["--format", "json"]);
        if let Some(clang) = &self.clang {
            command.env("NORN_CLANG", clang);
        }
        command
    }
}

/// What a command prints, or why it does not.
fn answer<T: DeserializeOwned>(command: &mut Command) -> Result<T, String> {
    let output = command.output().map_err(|error| format!("cannot start a check: {error}"))?;
    serde_json::from_slice(&output.stdout).map_err(|_| {
        let said = String::from_utf8_lossy(&output.stderr);
        said.trim().trim_start_matches("error: ").to_owned()
    })
}

fn is_compiled(path: &Path) -> bool {
    !litmus::is_test(path) && path.extension().is_none_or(|extension| extension != "ll")
}
