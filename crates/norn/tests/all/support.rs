//! Programs that carry their expectation in their first line.
//!
//! ```text
//! // norn: verified executions=6
//! // norn: violation data_race line=12
//! // norn: inconclusive unroll
//! ```
//!
//! Kinds of warnings follow as `warning=memory_leak`. A second line `// norn-options: unroll=2 model=sc
//! race_detection=no` sets options. With `BLESS=1` in the environment, first lines that differ are rewritten.

use norn::{CheckOptions, Control, Outcome, Report, Verdict};
use norn_report::Reason;
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

/// Checks one file with the options it names. What is wrong must be so again when its trace is replayed.
pub fn check(path: &Path) -> Outcome {
    let text = std::fs::read_to_string(path).expect("a program");
    let folder = tempfile::tempdir().expect("a folder");
    let trace = folder.path().join("trace.json");
    let options = CheckOptions { trace: Some(trace.clone()), ..options_of(path, &text) };
    let control = Control::default();
    let unless_failed = |result: Result<Outcome, norn::InputError>| match result {
        Ok(outcome) => outcome,
        Err(error) => panic!("{}: {error}", path.display()),
    };
    let outcome = unless_failed(norn::check(&options, &control, &mut |_| {}));
    if let Some(violation) = &outcome.report.violation {
        let again =
            unless_failed(norn::replay(&trace, self::options().clang, &control, &mut |_| {}));
        assert_eq!(again.report.violation.as_ref(), Some(violation), "{}", path.display());
    }
    outcome
}

fn options_of(path: &Path, text: &str) -> CheckOptions {
    let mut options = CheckOptions { files: vec![path.to_owned()], ..self::options() };
    let line = text.lines().find_map(|line| line.strip_prefix("// norn-options: "));
    for setting in line.unwrap_or("").split_whitespace() {
        match setting.split_once('=') {
            Some(("unroll", bound)) => options.unroll = Some(bound.parse().expect("a number")),
            Some(("model", model)) => options.model = model.parse().expect("a model"),
            Some(("race_detection", "no")) => options.race_detection = false,
            Some(("reuse_memory", "yes")) => options.reuse_memory = true,
            _ => panic!("{}: unknown option {setting}", path.display()),
        }
    }
    options
}

/// Compares files with their first lines; the differences as text, empty if there are none.
pub fn compare(files: &[PathBuf]) -> String {
    let bless = std::env::var_os("BLESS").is_some();
    let mut differences = String::new();
    for path in files {
        let found = format!("// norn: {}", summary(&check(path).report));
        let text = std::fs::read_to_string(path).expect("a program");
        let expected = text.lines().next().unwrap_or("");
        if found == expected {
            continue;
        }
        if bless {
            let rest = text.split_once('\n').map_or("", |(_, rest)| rest);
            std::fs::write(path, format!("{found}\n{rest}")).expect("to write the program");
        }
        differences += &format!("{}\n  expected {expected}\n  found    {found}\n", path.display());
    }
    if bless { String::new() } else { differences }
}

/// A report in one line.
pub fn summary(report: &Report) -> String {
    let mut text = match (&report.violation, report.verdict) {
        (Some(violation), _) => match violation.line {
            Some(line) => format!("violation {} line={line}", violation.kind),
            None => format!("violation {}", violation.kind),
        },
        (None, Verdict::Verified) => format!("verified executions={}", report.executions),
        (None, _) => {
            let reasons: Vec<&str> = report.reasons.iter().map(reason).collect();
            format!("inconclusive {}", reasons.join(","))
        }
    };
    for warning in &report.warnings {
        let place = warning.spot.as_ref().map_or(String::new(), |spot| format!(":{}", spot.line));
        let other = warning.other.as_ref().map_or(String::new(), |spot| format!(":{}", spot.line));
        text += &format!(" warning={}{place}{other}", warning.kind.name());
    }
    text
}

fn reason(reason: &Reason) -> &'static str {
    match reason {
        Reason::Unroll => "unroll",
        Reason::Bound { .. } => "bound",
        Reason::Timeout => "timeout",
        Reason::Memory => "memory",
        Reason::MaxExecutions => "max_executions",
        Reason::Interrupted => "interrupted",
        Reason::Unsupported { .. } => "unsupported",
    }
}

/// Whether a command is there. If it is not, says so: the test cannot be made.
pub fn is_there(command: &str) -> bool {
    let is_there = Command::new(command).arg("--version").output().is_ok();
    if !is_there {
        eprintln!("skipped: there is no {command} (`make test-tools` installs it)");
    }
    is_there
}
