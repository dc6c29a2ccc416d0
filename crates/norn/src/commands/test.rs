//! `norn test`: see [`Test`].

use super::terminal::print;
use clap::{Args, ValueEnum, ValueHint};
use norn::{Case, Ending, Runner, Tested};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Instant;

/// Checks files that say what is to be found in them: `// norn: expect violation data_race --model rc11`.
#[derive(Debug, Args)]
#[command(after_help = "Exit codes: 0 all as expected, 1 not all, 2 bad usage or input.")]
pub(crate) struct Test {
    /// Files, and folders of them.
    #[arg(required = true, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    paths: Vec<PathBuf>,

    /// Rewrite the lines of the files so that they say what was found.
    #[arg(long)]
    bless: bool,

    /// Check everything, also what has not changed since it was checked last.
    #[arg(long)]
    no_cache: bool,

    /// How many checks to make at the same time; as many as there are cores unless it is given. If there are fewer,
    /// each has several workers.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,

    /// Also write the results as a JUnit test report.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    junit: Option<PathBuf>,

    /// The form of the results on standard output.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = ResultFormat::Text)]
    format: ResultFormat,

    /// Print only what is not as expected, and the sum.
    #[arg(long, short)]
    quiet: bool,

    /// Also replay each violation that is found, which must lead to the same one. Implies --no-cache.
    #[arg(long)]
    replay: bool,

    /// Flags for the compiler, after `--`, for all files.
    #[arg(last = true, value_name = "CFLAGS")]
    cflags: Vec<String>,
}

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ResultFormat {
    /// For people.
    Text,
    /// Annotations for a workflow of GitHub, and the sum.
    Github,
}

impl Test {
    pub(crate) fn run(self) -> ExitCode {
        let began = Instant::now();
        let (tests, silent) = match norn::tests(&self.paths) {
            Ok(found) => found,
            Err(error) => return super::bad_input(&error),
        };
        let runner = match self.runner() {
            Ok(runner) => runner,
            Err(error) => return super::bad_input(&error),
        };
        let out = Mutex::new(());
        let all = runner.run(tests, |tested| {
            let _one_at_a_time = out.lock();
            print(&self.line(tested));
        });
        if let Err(error) = self.finish(&all) {
            return super::bad_input(&error);
        }
        let unmet = all.iter().filter(|tested| !tested.is_met()).count();
        let known = all.iter().filter(|tested| tested.known).count();
        print(&sum(all.len(), unmet, known, silent, began.elapsed().as_secs_f64()));
        let is_bad = unmet > 0 && !self.bless || all.iter().any(|tested| tested.found.is_err());
        ExitCode::from(u8::from(is_bad))
    }

    fn runner(&self) -> Result<Runner, norn::InputError> {
        if let Some(path) = &self.junit {
            norn::check_output(path, &[])?;
        }
        let norn = std::env::current_exe()
            .map_err(|cause| norn::InputError::Unreadable { path: "norn".into(), cause })?;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let jobs = self.jobs.map_or(cores, usize::from);
        Ok(Runner {
            norn,
            clang: super::clang(),
            cflags: self.cflags.clone(),
            cache: if self.no_cache { None } else { cache() },
            jobs,
            workers: (cores / jobs).max(1),
            replay: self.replay,
        })
    }

    /// What is printed when a test is over.
    fn line(&self, tested: &Tested) -> String {
        let is_met = tested.is_met();
        if self.format == ResultFormat::Github {
            return if is_met { String::new() } else { annotation(tested) };
        }
        if is_met && self.quiet {
            return String::new();
        }
        let (name, expected) = (name(tested), &tested.test.expectation);
        let known = if tested.known { ", known" } else { "" };
        match &tested.found {
            Ok(_) if is_met => format!("ok    {name} ({:.2} s{known})\n", tested.seconds),
            Ok(report) => {
                let found = norn::Expectation::of(report);
                format!("WRONG {name}\n      expected {expected}\n      found    {found}\n")
            }
            Err(why) => format!("WRONG {name}\n      {}\n", why.replace('\n', "\n      ")),
        }
    }

    /// Writes what is to be written.
    fn finish(&self, all: &[Tested]) -> Result<(), norn::InputError> {
        if self.bless {
            let rewritten = bless(all)?;
            print(&rewritten.iter().map(|path| format!("rewrote {path}\n")).collect::<String>());
        }
        if let Some(path) = &self.junit {
            let cases: Vec<Case> = all.iter().map(case).collect();
            norn::write_output(path, Some(norn::junit("norn test", &cases)))?;
        }
        Ok(())
    }
}

/// The file, with the options of the check.
fn name(tested: &Tested) -> String {
    let options = tested.test.expectation.options.iter().map(|option| format!(" {option}"));
    format!("{}{}", tested.test.path.display(), options.collect::<String>())
}

/// What is not as expected, in a sentence.
fn difference(tested: &Tested) -> String {
    let expected = &tested.test.expectation;
    match &tested.found {
        Ok(report) => format!("expected {expected}, found {}", norn::Expectation::of(report)),
        Err(why) => format!("expected {expected}, but there is no result: {why}"),
    }
}

fn annotation(tested: &Tested) -> String {
    let file = tested.test.path.display().to_string();
    norn::annotation(&file, tested.test.expectation.line + 1, &difference(tested))
}

/// The sum of all.
fn sum(all: usize, unmet: usize, known: usize, silent: usize, seconds: f64) -> String {
    let mut text = format!("{} of {all} checks are as expected", all - unmet);
    if known > 0 {
        text += &format!(", {known} of them known from before");
    }
    if silent > 0 {
        let files = if silent == 1 { "file says" } else { "files say" };
        text += &format!("; {silent} {files} nothing");
    }
    text + &format!(" ({seconds:.2} s)\n")
}

/// Where results are kept: the folder for caches that the environment names.
fn cache() -> Option<PathBuf> {
    let named = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let home = || named("HOME").map(|home| Path::new(&home).join(".cache"));
    let folder = named("XDG_CACHE_HOME").map(PathBuf::from).or_else(home)?;
    Some(folder.join("norn").join("tests"))
}

fn case(tested: &Tested) -> Case {
    let ending = match &tested.found {
        Ok(_) if tested.is_met() => Ending::Passed,
        Ok(_) => Ending::Failed("unexpected".to_owned(), difference(tested)),
        Err(_) => Ending::Undecided("no_result".to_owned(), difference(tested)),
    };
    Case {
        name: name(tested),
        file: tested.test.path.display().to_string(),
        ending,
        seconds: tested.seconds,
        output: String::new(),
    }
}

/// Rewrites the lines that say something else than was found; the files that have such.
fn bless(all: &[Tested]) -> Result<Vec<String>, norn::InputError> {
    let mut rewritten = Vec::new();
    let mut files: BTreeMap<&Path, Vec<&Tested>> = BTreeMap::new();
    for tested in all.iter().filter(|tested| !tested.is_met()) {
        files.entry(&tested.test.path).or_default().push(tested);
    }
    for (path, wrong) in files {
        let unreadable = |cause| norn::InputError::Unreadable { path: path.to_owned(), cause };
        let text = std::fs::read_to_string(path).map_err(unreadable)?;
        let said = norn::expectations(&text).unwrap_or_default();
        if wrong.iter().any(|tested| !said.contains(&tested.test.expectation)) {
            let path = path.display();
            return Err(norn::InputError::Refused(format!(
                "{path} was changed while it was checked and is left as it is; run it again"
            )));
        }
        let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
        for tested in wrong {
            let Ok(report) = &tested.found else { continue };
            let line = &mut lines[tested.test.expectation.line];
            let end = line.split_off(line.trim_end_matches(['\r', '\n']).len());
            *line = tested.test.expectation.blessed(line.trim_end(), report) + &end;
        }
        let blessed = lines.concat();
        if blessed != text {
            norn::write_output(path, Some(blessed))?;
            rewritten.push(path.display().to_string());
        }
    }
    Ok(rewritten)
}
