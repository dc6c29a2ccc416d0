//! One check, from files to a report.

use crate::control::{Control, MemoryWatch};
use crate::error::InputError;
use crate::files::check_output;
use crate::library::LibraryChoice;
use crate::log::Log;
use crate::model::{ModelChoice, PlannedModel};
use crate::plan::{Algorithm, AlgorithmName, BoundName, Plan};
use crate::replay::Replay;
use crate::resume::SavedCheck;
use crate::shared::{self, BoardOptions};
use crate::store::{Kept, Store};
use crate::tally::{Listener, Progress};
use crate::{against, litmus, memory, program};
use norn_action::{Address, Place};
use norn_explore::{Options, Stop, Summary};
use norn_frontend::Compiled;
use norn_graph::Graph;
use norn_machine::Meter;
use norn_report::loops::LoopReport;
use norn_report::{
    Assumption, Branches, Browsed, Coverage, Estimate as ReportedEstimate, Format, Names, Question,
    Reason, Report, Sources, Spot, Verdict, ViolationReport, Warning, WarningKind,
    obstacle_sentence,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How long to go on after a violation was found.
pub const EFFORT: Duration = Duration::from_secs(60);

/// What to check and how.
#[derive(Clone, Debug)]
pub struct CheckOptions {
    /// C, C++ and LLVM IR files that make one program, or one litmus test.
    pub files: Vec<PathBuf>,
    /// Flags for the compiler.
    pub cflags: Vec<String>,
    /// The memory model.
    pub model: ModelChoice,
    /// Libraries whose functions are not run.
    pub libraries: Vec<LibraryChoice>,
    /// Libraries that functions are compared with.
    pub against: Vec<LibraryChoice>,
    /// The algorithm.
    pub algorithm: AlgorithmName,
    /// The preemption bound.
    pub bound: Option<BoundName>,
    /// Ignore violations in executions beyond the bound.
    pub strict_bound: bool,
    /// How many workers search; 0 for as many as the machine has cores.
    pub jobs: usize,
    /// Report the violation that is found first instead of the one that one worker alone would find.
    pub any: bool,
    /// Save the search here, now and then and when it is stopped.
    pub checkpoint: Option<PathBuf>,
    /// How often.
    pub checkpoint_interval: Duration,
    /// Write the first violation here, so that it can be replayed.
    pub trace: Option<PathBuf>,
    /// How often a loop may go round.
    pub unroll: Option<u32>,
    /// The function to start with instead of `main`.
    pub entry: Option<String>,
    /// Go on after a violation.
    pub keep_going: bool,
    /// Report data races.
    pub race_detection: bool,
    /// Report threads that wait in a loop for a value that never comes.
    pub liveness: bool,
    /// Let waits for condition variables end, and weak compare-exchanges fail, for no reason.
    pub spurious_wakeups: bool,
    /// Look at one of the executions that differ only by which of several threads that are alike does what.
    pub symmetry: bool,
    /// Leave out the locks of critical sections that do not depend on each other.
    pub lock_reduction: bool,
    /// Let a thread that freed memory get it again when it allocates as much.
    pub reuse_memory: bool,
    /// Give up after that time.
    pub timeout: Option<Duration>,
    /// Give up after that many complete executions.
    pub max_executions: Option<u64>,
    /// Give up when that many bytes of memory are used; `None`: three quarters of what the machine has.
    pub max_memory: Option<u64>,
    /// Look for a shorter execution that shows the same kind of violation.
    pub minimise: bool,
    /// Look for stronger memory orders that mend what is wrong.
    pub suggest: bool,
    /// Look for all executions, to be browsed.
    pub browse: bool,
    /// Say what is recognised of the loops, if nothing is wrong.
    pub loops: bool,
    /// How long to go on after the check, for what was asked for beyond it.
    pub effort: Duration,
    /// The compiler to use; `None`: the usual names are tried.
    pub clang: Option<PathBuf>,
    /// Count where the search branches.
    pub profile: bool,
    /// Where it is written when the parts of the check began and ended.
    pub log: Log,
    /// Let other processes search, on a board.
    pub board: Option<BoardOptions>,
    /// The files in the form that is read, if they were compiled before.
    pub compiled: Option<Vec<Compiled>>,
}

impl Default for CheckOptions {
    fn default() -> CheckOptions {
        CheckOptions {
            files: Vec::new(),
            cflags: Vec::new(),
            model: ModelChoice::default(),
            libraries: Vec::new(),
            against: Vec::new(),
            algorithm: AlgorithmName::Auto,
            bound: None,
            strict_bound: false,
            jobs: 0,
            any: false,
            checkpoint: None,
            checkpoint_interval: Duration::from_secs(30),
            trace: None,
            unroll: None,
            entry: None,
            keep_going: false,
            race_detection: true,
            liveness: true,
            spurious_wakeups: true,
            symmetry: true,
            lock_reduction: false,
            reuse_memory: false,
            timeout: None,
            max_executions: None,
            max_memory: None,
            minimise: false,
            suggest: false,
            browse: false,
            loops: false,
            effort: EFFORT,
            clang: None,
            profile: false,
            log: Log::default(),
            board: None,
            compiled: None,
        }
    }
}

impl CheckOptions {
    /// Whether one of the executions that differ only by which of several threads that are alike does what stands for
    /// all. Several processes do not agree on which.
    pub(crate) fn uses_symmetry(&self) -> bool {
        self.symmetry && self.board.is_none()
    }

    /// Whether locks of critical sections that do not depend on each other are left out: where only the verdict is wanted,
    /// not the executions, and one process searches all of them in one go: what it learns on the way is for all.
    pub(crate) fn leaves_out_locks(&self) -> bool {
        self.lock_reduction
            && self.board.is_none()
            && self.bound.is_none()
            && self.checkpoint.is_none()
            && !(self.browse || self.minimise || self.suggest)
    }

    /// What a verdict rests on because these options say so.
    fn assumptions(&self) -> Vec<Assumption> {
        let entry = self.entry.clone().map(|function| Assumption::Entry { function });
        let unroll = self.unroll.map(|times| Assumption::Unroll { times });
        let bound = self.bound.map(|bound| Assumption::Bound {
            preemptions: match bound {
                BoundName::Preemptions(most) => Some(most),
                BoundName::Auto => None,
            },
        });
        let told = [
            (!self.race_detection, Assumption::NoRaceDetection),
            (!self.liveness, Assumption::NoLiveness),
            (!self.spurious_wakeups, Assumption::NoSpuriousWakeups),
            (self.reuse_memory, Assumption::ReuseMemory),
        ];
        let told = told.into_iter().filter_map(|(is_so, assumption)| is_so.then_some(assumption));
        entry.into_iter().chain(unroll).chain(bound).chain(told).collect()
    }
}

/// The report and the source text that it points into.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The report.
    pub report: Report,
    /// The text of the files that it mentions.
    pub sources: Sources,
    /// The executions, if they were asked for.
    pub browsed: Option<Browsed>,
}

/// Checks a program.
pub fn check(
    options: &CheckOptions,
    control: &Control,
    progress: &mut Listener<'_>,
) -> Result<Outcome, InputError> {
    go_on(options, Source::Nothing, control, progress, Instant::now())
}

/// What a check begins with.
#[derive(Clone, Copy)]
pub(crate) enum Source<'c> {
    /// Everything is still to do.
    Nothing,
    /// An earlier check that was saved.
    Checkpoint(&'c Kept<SavedCheck>),
    /// A violation that was found before: there is nothing to search.
    Trace(&'c Replay),
}

impl<'c> Source<'c> {
    fn checkpoint(self) -> Option<&'c Kept<SavedCheck>> {
        match self {
            Source::Checkpoint(kept) => Some(kept),
            Source::Nothing | Source::Trace(_) => None,
        }
    }
}

/// Checks a program, from the beginning or from where an earlier check was saved. Time counts since
/// `started`.
pub(crate) fn go_on(
    options: &CheckOptions,
    source: Source<'_>,
    control: &Control,
    progress: &mut Listener<'_>,
    started: Instant,
) -> Result<Outcome, InputError> {
    let model = PlannedModel::load(&options.model, &options.libraries)?;
    if let Some(kept) = source.checkpoint()
        && !kept.check.has_model(&model)
    {
        return Err(kept.refused(format!(
            "the model {model} is not the one that it was made with: its text was changed; start the check again"
        )));
    }
    if options.trace.is_some() && matches!(model, PlannedModel::Loaded(_)) {
        return Err(InputError::Refused("--trace needs a model that is built in".into()));
    }
    if let Some(path) = &options.trace {
        check_output(path, &options.files)?;
    }
    let job = Job::new(options, model, source, control, started)?;
    if options.files.is_empty() {
        return Err(InputError::Refused(
            "no file is given; name a .c, .cpp, .ll or .litmus file".into(),
        ));
    }
    if options.files.iter().any(|file| litmus::is_test(file)) {
        if !(options.libraries.is_empty() && options.against.is_empty()) {
            return Err(InputError::Refused(
                "--library and --against are for programs; a litmus test calls no functions".into(),
            ));
        }
        if options.board.is_some() {
            shared::refuse(options, &job.plan)?;
        }
        return litmus::check(&job, progress);
    }
    if !options.against.is_empty() {
        drop(job);
        return against::compare(options, control, progress, started);
    }
    if let (Some(board), None) = (&options.board, &options.compiled) {
        shared::refuse(options, &job.plan)?;
        let Some(compiled) = program::compile(&job)? else { return Ok(job.stopped_early()) };
        let options = CheckOptions { compiled: Some(compiled), ..options.clone() };
        let job = Job { options: &options, ..job };
        let outcome = program::check(&job, progress)?;
        if !job.is_left.load(Ordering::Relaxed) {
            // What was found counts more than what is left in a directory.
            let _ = board.remove();
        }
        return Ok(outcome);
    }
    program::check(&job, progress)
}

/// A check that is under way.
pub(crate) struct Job<'c> {
    pub(crate) options: &'c CheckOptions,
    pub(crate) plan: Plan,
    /// What it begins with.
    pub(crate) source: Source<'c>,
    control: &'c Control,
    /// Set when the search is stopped; the machine looks at it.
    pub(crate) halt: Arc<AtomicBool>,
    /// Looks after the memory for as long as the check goes on.
    watch: Option<MemoryWatch>,
    started: Instant,
    /// Whether something is left on the board.
    pub(crate) is_left: AtomicBool,
    /// The parts of the search that were set aside.
    pub(crate) set_aside: Mutex<Vec<String>>,
}

/// What a front end adds to the summary of a search.
#[derive(Default)]
pub(crate) struct Findings {
    pub(crate) outcomes: Vec<String>,
    pub(crate) question: Option<Question>,
    pub(crate) warnings: Vec<Warning>,
    pub(crate) loops: Option<Vec<LoopReport>>,
    pub(crate) branches: Option<Vec<Branches>>,
    pub(crate) progress: Progress,
}

impl<'c> Job<'c> {
    /// Plans a check under a model.
    pub(crate) fn new(
        options: &'c CheckOptions,
        model: PlannedModel,
        source: Source<'c>,
        control: &'c Control,
        started: Instant,
    ) -> Result<Job<'c>, InputError> {
        let plan = Plan::new(model, options.algorithm, options.bound)?;
        let plan = plan.with_jobs(options.jobs).with_strict_bound(options.strict_bound);
        let halt = Arc::<AtomicBool>::default();
        let watch = |limit| control.watch_memory(limit, Arc::clone(&halt));
        let watch = memory::limit(options.max_memory)?.map(watch);
        let plan = match options.board {
            Some(_) => plan.for_trust(options.algorithm),
            None => plan,
        };
        let (is_left, set_aside) = (AtomicBool::new(false), Mutex::default());
        Ok(Job { options, plan, source, control, watch, halt, started, is_left, set_aside })
    }
}

impl Job<'_> {
    fn deadline(&self) -> Option<Instant> {
        self.options.timeout.and_then(|timeout| self.started.checked_add(timeout))
    }

    /// The same check of a similar program, which begins now. It must not save anything.
    pub(crate) fn alike<'o>(&'o self, options: &'o CheckOptions) -> Job<'o> {
        Job {
            options,
            plan: self.plan.clone(),
            source: Source::Nothing,
            control: self.control,
            halt: Arc::clone(&self.halt),
            // The one of the first check looks after all of them.
            watch: None,
            started: Instant::now(),
            is_left: AtomicBool::new(false),
            set_aside: Mutex::default(),
        }
    }

    /// How much time there is, if at most `most` may be taken.
    pub(crate) fn time_left(&self, most: Option<Duration>) -> Option<Duration> {
        let left = self.deadline().map(|end| end.saturating_duration_since(Instant::now()));
        left.into_iter().chain(most).min()
    }

    /// What a search says, and why that is not the whole picture, if it is not.
    pub(crate) fn decide(&self, summary: &Summary) -> (Verdict, Vec<Reason>) {
        Verdict::decide(summary, self.looked_at())
    }

    /// What a verdict depends on, apart from the summary.
    fn looked_at(&self) -> Coverage {
        Coverage {
            interrupted_by: self.control.cause(),
            is_part: self.source.checkpoint().is_some_and(|kept| kept.part.is_some()),
            set_aside: self.set_aside.lock().expect("nobody panics with the lock").clone(),
        }
    }

    /// Stops the check as the user would.
    pub(crate) fn interrupt(&self) {
        self.control.interrupt();
    }

    /// The flag that stops it.
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        self.control.flag()
    }

    /// How long it has taken so far.
    pub(crate) fn seconds(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    /// A search that was stopped before it began.
    pub(crate) fn nothing(&self) -> Summary {
        Summary { stopped: self.is_over(), ..Summary::default() }
    }

    /// What the machine tells how much memory its program takes.
    pub(crate) fn meter(&self) -> Option<Meter> {
        self.watch.as_ref().map(MemoryWatch::meter)
    }

    /// Why there is no point in going on, if there is none.
    pub(crate) fn is_over(&self) -> Option<Stop> {
        if self.deadline().is_some_and(|deadline| Instant::now() >= deadline) {
            return Some(Stop::Deadline);
        }
        self.control.flag().load(Ordering::Relaxed).then_some(Stop::Interrupt)
    }

    /// The report of a check that was stopped before there was a program to search.
    pub(crate) fn stopped_early(&self) -> Outcome {
        let summary = self.nothing();
        let algorithm = self.plan.algorithm();
        let report = self.report(&summary, algorithm, &Nameless, Findings::default());
        Outcome { report, sources: Sources::default(), browsed: None }
    }

    /// The limits, as the explorer wants them.
    pub(crate) fn search_options(&self) -> Options {
        Options {
            keep_going: self.options.keep_going,
            every: false,
            again: false,
            any: self.options.any,
            symmetry: self.options.uses_symmetry(),
            ignore_races: !self.options.race_detection,
            ignore_livelocks: !self.options.liveness,
            max_executions: self.options.max_executions,
            deadline: self.deadline(),
            interrupt: Some(self.control.flag()),
            halt: Some(Arc::clone(&self.halt)),
        }
    }

    /// Where the search is kept.
    pub(crate) fn store<W: Serialize + DeserializeOwned + Default>(
        &self,
        program: String,
    ) -> Result<Store<SavedCheck, W>, InputError> {
        let path = self.options.checkpoint.clone();
        let path = path.map(|path| (path, self.options.checkpoint_interval));
        let check = SavedCheck::of(self.options, self.plan.model());
        Store::new(check, program, path, self.source.checkpoint())
    }

    /// Makes the report of a search by `algorithm`.
    pub(crate) fn report(
        &self,
        summary: &Summary,
        algorithm: Algorithm,
        names: &dyn Names,
        mut findings: Findings,
    ) -> Report {
        let (verdict, reasons) = self.decide(summary);
        let model = self.plan.model();
        let violations = summary.violations.iter();
        let mut violations =
            violations.map(|violation| ViolationReport::new(violation, model.facts(), names));
        findings.warnings.extend(unsupported_warnings(summary, names));
        if verdict == Verdict::Verified && summary.executions == 0 {
            findings.warnings.push(Warning {
                kind: WarningKind::NothingCompleted,
                message: "no execution ran to its end: each stopped in a failed assumption".into(),
                spot: None,
                other: None,
                about_loop: None,
            });
        }
        // Of a search that is over, the number is known.
        let estimate = findings.progress.estimate.filter(|_| summary.stopped.is_some());
        // A guess that was passed long ago says nothing.
        let estimate = estimate.filter(|guess| guess.executions > summary.executions as f64);
        let estimate = estimate.map(|estimate| ReportedEstimate {
            executions: estimate.executions,
            error: estimate.error,
            at_most: estimate.at_most,
        });
        let mut assumptions = self.options.assumptions();
        let alike = summary.figures.alike;
        if alike.any {
            assumptions.push(Assumption::Symmetry);
        }
        Report {
            format: Format,
            verdict,
            model: model.name().to_owned(),
            algorithm: algorithm.name().to_owned(),
            files: self.options.files.iter().map(|file| file.display().to_string()).collect(),
            executions: summary.executions,
            up_to_symmetry: alike.any,
            without_symmetry: alike
                .others()
                .filter(|_| alike.any)
                .map(|others| (others + u128::from(summary.executions)) as f64),
            blocked: summary.blocked,
            beyond_bound: summary.figures.bound.unwrap_or_default().beyond,
            bound_blocked: summary.figures.bound.unwrap_or_default().blocked,
            violation: violations.next(),
            more_violations: violations.collect(),
            reasons,
            outcomes: findings.outcomes,
            question: findings.question,
            assumptions,
            loops: findings.loops,
            warnings: findings.warnings,
            branches: findings.branches,
            seconds: self.seconds() + self.source.checkpoint().map_or(0.0, |kept| kept.seconds),
            estimate,
            suggestion: None,
            peak_memory_bytes: memory::peak(),
        }
    }
}

/// Names of a program that does not exist: nothing of it is ever asked for.
struct Nameless;

impl Names for Nameless {
    fn spot(&self, _: Place) -> Option<Spot> {
        None
    }

    fn variable(&self, _: &Graph, address: Address, _: u8) -> String {
        address.to_string()
    }
}

/// Where the things are that cannot be run, and where a loop was cut.
fn unsupported_warnings(summary: &Summary, names: &dyn Names) -> Vec<Warning> {
    let mut warnings: Vec<Warning> = (summary.unsupported.iter())
        .map(|what| Warning {
            kind: WarningKind::Unsupported,
            message: obstacle_sentence(&what.what),
            spot: names.spot(what.place),
            other: what.other.and_then(|place| names.spot(place)),
            about_loop: None,
        })
        .collect();
    if let Some(place) = summary.cut {
        warnings.push(Warning {
            kind: WarningKind::Unroll,
            message: "this loop or recursion reached the bound on its iterations (--unroll)".into(),
            spot: names.spot(place),
            other: None,
            about_loop: names.loop_at(place),
        });
    }
    warnings
}
