//! Counting the executions of one program: the one place that starts a search.

use nix::time::{ClockId, clock_gettime};
use norn_action::Lesson;
use norn_explore::{
    Aids, Bound, Conflicts, Explorer, ExplorerVisitor, Options, Stop, Summary, search_with,
};
use norn_machine::{Config, Vm};
use norn_models::ModelName;
use norn_models::vsc::Heuristics;
use norn_program::Program;
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Algorithm {
    /// Every execution graph once.
    Trust,
    /// Every reads-from relation once.
    Rf,
    /// Every combination of values that are read, with these aids; only under sc.
    Rvf(RvfAids),
    /// Every order of conflicting accesses once; only under sc.
    Await,
    /// The same where fetch-adds do not commute.
    AwaitStandard,
    /// Every execution graph with at most that many preemptions once; only under sc.
    Bound(u32),
}

/// What `rvf` does without, to see what it is worth. Each is a word behind the name: `rvf:no-signals`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct RvfAids {
    /// No closure before the search of VerifySC.
    pub no_closure: bool,
    /// No guidance by the trace that is known.
    pub no_guidance: bool,
    /// No backtrack signals.
    pub no_signals: bool,
}

impl RvfAids {
    fn aids(self) -> Aids {
        let verify = Heuristics { closure: !self.no_closure, guidance: !self.no_guidance };
        Aids { verify, signals: !self.no_signals }
    }

    fn words(self) -> String {
        let words = [
            (self.no_closure, "no-closure"),
            (self.no_guidance, "no-guidance"),
            (self.no_signals, "no-signals"),
        ];
        words.iter().filter(|word| word.0).map(|word| format!(":{}", word.1)).collect()
    }

    fn parse(text: &str) -> Option<RvfAids> {
        let mut aids = RvfAids::default();
        for word in text.split(':') {
            match word {
                "no-closure" => aids.no_closure = true,
                "no-guidance" => aids.no_guidance = true,
                "no-signals" => aids.no_signals = true,
                _ => return None,
            }
        }
        Some(aids)
    }
}

impl Algorithm {
    /// Whether it works under the model.
    pub fn supports(self, model: ModelName) -> bool {
        self.explorer().supports(model)
    }

    fn explorer(self) -> norn_explore::Algorithm {
        match self {
            Algorithm::Trust => norn_explore::Algorithm::Trust,
            Algorithm::Rf => norn_explore::Algorithm::Rf,
            Algorithm::Rvf(aids) => norn_explore::Algorithm::Rvf(aids.aids()),
            Algorithm::Await => norn_explore::Algorithm::Await(Conflicts::Weak),
            Algorithm::AwaitStandard => norn_explore::Algorithm::Await(Conflicts::Standard),
            Algorithm::Bound(preemptions) => {
                norn_explore::Algorithm::Bounded(Bound { preemptions, strict: false })
            }
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Algorithm::Trust => f.write_str("trust"),
            Algorithm::Rf => f.write_str("rf"),
            Algorithm::Rvf(aids) => write!(f, "rvf{}", aids.words()),
            Algorithm::Await => f.write_str("await"),
            Algorithm::AwaitStandard => f.write_str("await:standard"),
            Algorithm::Bound(preemptions) => write!(f, "bound:{preemptions}"),
        }
    }
}

impl FromStr for Algorithm {
    type Err = String;

    fn from_str(text: &str) -> Result<Algorithm, String> {
        match (text, text.strip_prefix("bound:").map(str::parse)) {
            ("trust", _) => Ok(Algorithm::Trust),
            ("rf", _) => Ok(Algorithm::Rf),
            ("rvf", _) => Ok(Algorithm::Rvf(RvfAids::default())),
            ("await", _) => Ok(Algorithm::Await),
            ("await:standard", _) => Ok(Algorithm::AwaitStandard),
            (_, Some(Ok(preemptions))) => Ok(Algorithm::Bound(preemptions)),
            _ => match text.strip_prefix("rvf:").and_then(RvfAids::parse) {
                Some(aids) => Ok(Algorithm::Rvf(aids)),
                None => Err(format!("`{text}` is none of trust, rf, rvf, await, bound:K")),
            },
        }
    }
}

/// How executions are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Search {
    /// What is counted.
    pub algorithm: Algorithm,
    /// How many workers there are.
    pub jobs: usize,
}

/// What was counted, and what it took.
#[derive(Debug)]
pub struct Counted {
    /// The numbers of the search.
    pub summary: Summary,
    /// What is wrong with the program or could not be run, a sentence each.
    pub complaints: Vec<String>,
    /// Seconds until there was a program to run.
    pub load_seconds: f64,
    /// Seconds of the search.
    pub seconds: f64,
    /// Seconds of the search that all its workers together spent on a processor.
    pub cpu_seconds: f64,
}

/// Explores the program in `file` to the end (or to `limit` executions), compiled with `flags`.
pub fn count(
    file: &Path,
    flags: &[String],
    model: ModelName,
    search: Search,
    limit: Option<u64>,
) -> Result<Counted, String> {
    let start = Instant::now();
    let program = load(file, flags)?;
    let load_seconds = start.elapsed().as_secs_f64();
    let options = Options { keep_going: true, max_executions: limit, ..Options::default() };
    let (start, cpu) = (Instant::now(), cpu_seconds());
    let explorer = search.algorithm.explorer();
    let mut lessons = Vec::new();
    let (vm, summary) = loop {
        let vm = machine(&program, model, lessons.clone());
        let count = Count { options: &options, jobs: search.jobs };
        let Some(summary) = explorer.with(model, &vm, &options, count) else {
            return Err(format!("{} does not work under {model}", search.algorithm));
        };
        if summary.stopped != Some(Stop::Lesson) {
            break (vm, summary);
        }
        lessons.extend(summary.lessons);
    };
    let (seconds, cpu_seconds) = (start.elapsed().as_secs_f64(), cpu_seconds() - cpu);
    let complaints = complaints(&vm, &summary);
    Ok(Counted { summary, complaints, load_seconds, seconds, cpu_seconds })
}

fn load(file: &Path, flags: &[String]) -> Result<Arc<Program>, String> {
    let options = norn_frontend::Options {
        clang: None,
        flags,
        provided: |name| norn_machine::runtime_functions().iter().any(|(known, _)| *known == name),
    };
    let mut loaded =
        norn_frontend::load(&[file.to_path_buf()], &options).map_err(|error| error.to_string())?;
    norn_transform::standard(&mut loaded.program).map_err(|error| error.to_string())?;
    Ok(Arc::new(loaded.program))
}

/// The machine that knows `lessons` from the start.
fn machine(program: &Arc<Program>, model: ModelName, lessons: Vec<Lesson>) -> Vm {
    let about = model.about();
    let config = Config {
        capture_output: false,
        privatise: about.privatises(false),
        races_have_meaning: !about.races,
        one_order: !about.races,
        lessons,
        ..Config::default()
    };
    Vm::new(Arc::clone(program), config)
}

/// The time that this process has spent on processors, without that of the compiler it started.
fn cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID).expect("a clock of every process");
    Duration::from(time).as_secs_f64()
}

fn complaints(vm: &Vm, summary: &Summary) -> Vec<String> {
    let place = |place| vm.format_place(place).unwrap_or_default();
    let wrong = summary.violations.iter().map(|violation| {
        let fault = &violation.fault;
        let said = norn::fault_sentence(vm, fault);
        format!("{}: {}: {said}", place(fault.place), fault.kind())
    });
    let unsupported = summary
        .unsupported
        .iter()
        .map(|what| format!("{}: {}", place(what.place), norn::obstacle_sentence(&what.what)));
    wrong.chain(unsupported).collect()
}

/// Visits everything.
struct Count<'o> {
    options: &'o Options,
    jobs: usize,
}

impl ExplorerVisitor<Vm> for Count<'_> {
    type Output = Summary;

    fn visit<E: Explorer<Vm>>(self, explorer: impl Fn() -> E) -> Summary {
        search_with(self.jobs, self.options, explorer, || ()).0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn algorithms_are_read_as_they_are_printed() {
        let without = RvfAids { no_closure: true, no_guidance: false, no_signals: true };
        let await_ = [Algorithm::Await, Algorithm::AwaitStandard];
        let rvf = [RvfAids::default(), without].map(Algorithm::Rvf);
        for algorithm in [Algorithm::Trust, Algorithm::Rf, Algorithm::Bound(2)]
            .into_iter()
            .chain(rvf)
            .chain(await_)
        {
            assert_eq!(algorithm.to_string().parse(), Ok(algorithm));
        }
        assert!("rvf:no-luck".parse::<Algorithm>().is_err());
        assert!("bound".parse::<Algorithm>().is_err());
        assert!("bound:few".parse::<Algorithm>().is_err());
    }

    #[test]
    fn a_bound_needs_sc() {
        assert!(Algorithm::Bound(1).supports(ModelName::Sc));
        assert!(!Algorithm::Bound(1).supports(ModelName::Rc11));
        let search = Search { algorithm: Algorithm::Bound(1), jobs: 1 };
        let refusal = count(Path::new("missing.c"), &[], ModelName::Ra, search, None);
        assert!(refusal.is_err());
    }
}
