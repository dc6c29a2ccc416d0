//! C, C++ and LLVM IR: loading, checking and running them.

use crate::CheckOptions;
use crate::browse::browse;
use crate::check::{Findings, Job, Outcome, Source};
use crate::entry::entry_function;
use crate::error::InputError;
use crate::files::fingerprint;
use crate::library;
use crate::log::{Begun, Log};
use crate::loops;
use crate::minimise::minimise;
use crate::model::{PlannedModel, operations_of};
use crate::plan::Algorithm;
use crate::printed::Printed;
use crate::program_names::{ProgramNames, is_library};
use crate::replay::{Replay, SavedTrace};
use crate::resume::SavedCheck;
use crate::search::{self, Explored, Inputs};
use crate::sha256::sha256;
use crate::shared::coordinate;
use crate::store::{Store, Witness};
use crate::suggest::suggest;
use crate::tally::{Listener, Progress, Share, Tally};
use norn_action::{Action, Lesson, Place};
use norn_explore::{Observer, Stop, Summary, Visit};
use norn_frontend::{Compiled, FrontendError, Phase};
use norn_graph::Event;
use norn_machine::{Config, Vm};
use norn_program::Program;
use norn_report::{
    BranchKind, Branches, Browsed, Names, Part, Report, Sources, Spot, ViolationReport, Warning,
    WarningKind,
};
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Compiles and lowers the files of `options`, finds their entry, and runs the passes that every program
/// goes through. The second part is what is to be said of that.
pub fn load(options: &CheckOptions) -> Result<(Program, Vec<Warning>), InputError> {
    load_unless(options, &|| false)
}

/// The same, unless `stop` is true before it is done: [`FrontendError::Stopped`].
fn load_unless(
    options: &CheckOptions,
    stop: &dyn Fn() -> bool,
) -> Result<(Program, Vec<Warning>), InputError> {
    let front_end = norn_frontend::Options {
        clang: options.clang.as_deref(),
        flags: &options.cflags,
        provided: is_provided,
    };
    let log = &options.log;
    // Each phase ends when the next one begins.
    let mut current: Option<(Begun, Part)> = None;
    let mut turn = |next: Option<Part>| {
        if let Some((begun, part)) = current.take() {
            log.end(begun, || part);
        }
        current = next.map(|part| (log.begin(), part));
    };
    let mut tell = |phase: Phase<'_>| {
        turn(Some(match phase {
            Phase::Compile(file) => Part::Compile(file.display().to_string()),
            Phase::Read(file) => Part::Read(file.display().to_string()),
            Phase::Lower => Part::Lower,
        }));
    };
    let loaded = match &options.compiled {
        Some(compiled) => norn_frontend::load_compiled(compiled, is_provided, &mut tell)?,
        None => norn_frontend::load_unless(&options.files, &front_end, stop, &mut tell)?,
    };
    turn(Some(Part::Transform));
    let mut program = loaded.program;
    if let Some(entry) = &options.entry {
        program.main = Some(entry_function(&program, entry)?);
    }
    let said = |kind| move |message| warning(kind, message, None);
    let mut remarks: Vec<Warning> =
        loaded.warnings.into_iter().map(said(WarningKind::FrontEnd)).collect();
    let installed = library::install(&mut program, &options.libraries, &options.cflags)?;
    remarks.extend(installed.into_iter().map(said(WarningKind::Library)));
    norn_transform::standard(&mut program)?;
    turn(None);
    Ok((program, remarks))
}

/// Compiles the files of a check; none if the time was over before that was done.
pub(crate) fn compile(job: &Job<'_>) -> Result<Option<Vec<Compiled>>, InputError> {
    let CheckOptions { files, cflags, clang, .. } = job.options;
    let front_end =
        norn_frontend::Options { clang: clang.as_deref(), flags: cflags, provided: is_provided };
    match norn_frontend::compile_unless(files, &front_end, &|| job.is_over().is_some()) {
        Err(FrontendError::Stopped) => Ok(None),
        compiled => Ok(Some(compiled?)),
    }
}

/// Refuses a program that does not say where it starts.
fn require_entry(program: &Program) -> Result<(), InputError> {
    match program.main {
        Some(_) => Ok(()),
        None => Err(InputError::Refused(
            "the program has no function `main`; name the one to start with by --entry".into(),
        )),
    }
}

fn is_provided(name: &str) -> bool {
    norn_machine::runtime_functions().binary_search_by_key(&name, |(known, _)| known).is_ok()
}

/// Runs the program of `options` once.
pub fn run(
    options: &CheckOptions,
    arguments: Vec<String>,
    sink: &mut norn_machine::run::Sink<'_>,
) -> Result<(Vm, norn_machine::run::Outcome), InputError> {
    let (program, _) = load(options)?;
    require_entry(&program)?;
    let config = Config { arguments, ..Config::for_run() };
    let vm = Vm::new(Arc::new(program), config);
    let outcome = norn_machine::run::run(&vm, sink);
    Ok((vm, outcome))
}

/// A program that is ready to be searched.
pub(crate) struct Prepared {
    pub(crate) program: Program,
    /// How it is run, except for what stops it.
    pub(crate) config: Config,
    /// What is to be said of how it was made.
    pub(crate) remarks: Vec<Warning>,
}

/// Loads the program of a check; none if the time was over before that was done.
pub(crate) fn prepare(job: &Job<'_>) -> Result<Option<Prepared>, InputError> {
    let (program, remarks) = match load_unless(job.options, &|| job.is_over().is_some()) {
        Err(InputError::Program(FrontendError::Stopped)) => return Ok(None),
        loaded => loaded?,
    };
    require_entry(&program)?;
    let model = job.plan.model();
    if let PlannedModel::Loaded(definition) = model {
        definition.set_operations(operations_of(&program, &job.options.libraries)?);
    }
    let config = Config {
        privatise: model.privatises(!job.options.race_detection),
        races_have_meaning: !model.reports_races() || !job.options.race_detection,
        one_order: model.has_one_order(),
        unroll: job.options.unroll,
        spurious: job.options.spurious_wakeups,
        reuse_memory: job.options.reuse_memory,
        symmetry: job.options.uses_symmetry(),
        capture_output: false,
        ..Config::default()
    };
    Ok(Some(Prepared { program, config, remarks }))
}

/// Checks a program.
pub(crate) fn check(job: &Job<'_>, progress: &mut Listener<'_>) -> Result<Outcome, InputError> {
    let Some(Prepared { program, config, remarks }) = prepare(job)? else {
        return Ok(job.stopped_early());
    };
    // Nothing is known of what a model from a file makes of fewer locks.
    let is_known = matches!(job.plan.model(), PlannedModel::Named(_));
    let lock_reduction = job.options.leaves_out_locks() && is_known;
    let config = Config { lock_reduction, ..config };
    let program = Arc::new(program);
    let fingerprint = fingerprint(&(&program, &config));
    if let Source::Trace(replay) = job.source {
        replay.check_program(&fingerprint)?;
        let config = Config { lessons: replay.lessons().to_vec(), ..config };
        return again(job, replay, program, config);
    }
    let config = Config { meter: job.meter(), ..config };
    let mut searched = search(job, &program, &config, fingerprint.clone(), progress)?;
    let minimised = if job.options.minimise && !searched.summary.violations.is_empty() {
        minimise(job, &mut searched, progress)?
    } else {
        Vec::new()
    };
    let begun = job.options.log.begin();
    let Searched { vm, algorithm, summary, .. } = &searched;
    let names = ProgramNames::new(vm);
    let mut warnings = remarks;
    warnings.extend(searched.endings.warnings(&names));
    warnings.extend(searched.remark.clone());
    let is_asked = job.options.loops && summary.violations.is_empty();
    let loops = is_asked.then(|| loops::of_program(&program));
    let branches = searched.branches.clone();
    let findings =
        Findings { warnings, loops, branches, progress: searched.progress, ..Findings::default() };
    let mut report = job.report(summary, *algorithm, &names, findings);
    for (violation, minimised) in report.violations_mut().zip(minimised) {
        violation.minimised = Some(minimised);
    }
    if let Some(path) = &job.options.trace {
        let message = report.violation.as_ref().map_or("", |violation| &violation.message);
        let lessons = &searched.lessons;
        let saved = summary.violations.first();
        let saved = saved.map(|found| SavedTrace::new(job, found, message, &fingerprint, lessons));
        SavedTrace::leave(saved.as_ref(), path)?;
    }
    if job.options.suggest && !summary.violations.is_empty() {
        let suggestion = suggest(job, &program, &config, &searched);
        report.seconds += suggestion.seconds;
        report.suggestion = Some(suggestion);
    }
    let browsed =
        if job.options.browse { Some(browse(job, vm, &names, None, progress)?) } else { None };
    let sources = read_sources(&report, browsed.as_ref());
    job.options.log.end(begun, || Part::Report);
    Ok(Outcome { report, sources, browsed })
}

/// A search of a program that is over.
pub(crate) struct Searched {
    pub(crate) vm: Vm,
    pub(crate) algorithm: Algorithm,
    pub(crate) summary: Summary,
    /// What the machine had to know from the start.
    pub(crate) lessons: Vec<Lesson>,
    endings: Endings,
    branches: Option<Vec<Branches>>,
    progress: Progress,
    /// What is to be said of how the search was kept.
    remark: Option<Warning>,
}

/// Searches a program, which `fingerprint` tells from others where the search is kept.
pub(crate) fn search(
    job: &Job<'_>,
    program: &Arc<Program>,
    config: &Config,
    fingerprint: String,
    progress: &mut Listener<'_>,
) -> Result<Searched, InputError> {
    let mut store = job.store(fingerprint)?;
    let tally = Tally::new(progress);
    if let Some(board) = &job.options.board {
        let hash = sha256(&(program, &Config { meter: None, ..config.clone() }));
        let shared = coordinate(job, board, hash, &mut tally.share())?;
        job.is_left.store(!shared.is_over, Ordering::Relaxed);
        *job.set_aside.lock().expect("nobody panics with the lock") = shared.set_aside;
        if let Some(frontier) = shared.frontier {
            store.begin_with(frontier, shared.seen, shared.lessons);
            tally.start_over();
        }
    }
    let number = Cell::new(0);
    let watcher = || Watcher {
        share: tally.share(),
        endings: Endings::default(),
        branches: job.options.profile.then(BTreeMap::new),
        log: &job.options.log,
        // One after the other for each search.
        worker: number.replace(number.get() + 1) % job.plan.jobs(),
        begun: Begun::default(),
    };
    let (vm, explored) = explore(job, program, config, &tally, &mut store, watcher)?;
    let Explored { summary, observers, algorithm } = explored;
    let watchers: Vec<&Watcher<'_, '_, '_>> = observers.iter().collect();
    let endings = Watcher::seen(&watchers, store.seen_before());
    let (lessons, progress) = (store.lessons().to_vec(), tally.now());
    let remark = store.remark(summary.stopped.is_some());
    let branches =
        job.options.profile.then(|| Watcher::branches(&observers, &ProgramNames::new(&vm)));
    Ok(Searched { vm, algorithm, summary, lessons, endings, branches, progress, remark })
}

/// Searches a program for whoever looks on.
pub(crate) fn explore<O>(
    job: &Job<'_>,
    program: &Arc<Program>,
    config: &Config,
    tally: &Tally<'_, '_>,
    store: &mut Store<SavedCheck, O::Seen>,
    watcher: impl Fn() -> O,
) -> Result<(Vm, Explored<O>), InputError>
where
    O: Observer<Vm> + Witness + Send,
    O::Seen: Default,
{
    let options = job.search_options();
    let config = Config { halt: Some(Arc::clone(&job.halt)), ..config.clone() };
    loop {
        let lessons = store.lessons().to_vec();
        let plan = job.plan.clone().after(&lessons, job.options.algorithm);
        let vm = Vm::new(Arc::clone(program), Config { lessons, ..config.clone() });
        let log = &job.options.log;
        let inputs = Inputs { machine: &vm, plan: &plan, options: &options, tally, log, store };
        let mut explored = search::explore(inputs, &watcher)?;
        let summary = &mut explored.summary;
        if summary.stopped == Some(Stop::Lesson) {
            summary.stopped = job.is_over();
            if summary.stopped.is_none() && store.is_part() {
                return Err(store.too_early());
            }
            if summary.stopped.is_none() {
                // Bytes are accessed in several sizes, say: once more, with all of them in the same units.
                store.begin_again(&summary.lessons);
                tally.start_over();
                continue;
            }
        }
        return Ok((vm, explored));
    }
}

/// Shows a violation that was found before.
fn again(
    job: &Job<'_>,
    replay: &Replay,
    program: Arc<Program>,
    config: Config,
) -> Result<Outcome, InputError> {
    let vm = &Vm::new(Arc::clone(&program), config.clone());
    let violation = replay.run(vm, job.plan.model())?;
    // It is run once more to see what it prints: a check does not keep that.
    let printing = Vm::new(program, Config { capture_output: true, ..config });
    let printed = Printed::along(&printing, &violation);
    let violations = vec![violation];
    let stopped = Some(Stop::Violation);
    let summary = Summary { violations, stopped, ..Summary::default() };
    let (names, algorithm) = (ProgramNames::new(vm), job.plan.algorithm());
    let mut report = job.report(&summary, algorithm, &names, Findings::default());
    report.violations_mut().for_each(|violation| printed.tell(&mut violation.trace));
    let sources = read_sources(&report, None);
    Ok(Outcome { report, sources, browsed: None })
}

/// Looks at how executions end, and if that is asked for, where they come from and when.
pub(crate) struct Watcher<'t, 'p, 'f> {
    share: Share<'t, 'p, 'f>,
    pub(crate) endings: Endings,
    /// How often another branch was taken.
    branches: Option<BTreeMap<(Place, BranchKind), u64>>,
    log: &'t Log,
    worker: usize,
    /// When the task at hand was taken up.
    begun: Begun,
}

impl<'t, 'p, 'f> Watcher<'t, 'p, 'f> {
    /// One who looks at nothing but the ends.
    pub(crate) fn of_ends(tally: &'t Tally<'p, 'f>, log: &'t Log) -> Self {
        let (share, endings) = (tally.share(), Endings::default());
        Watcher { share, endings, branches: None, log, worker: 0, begun: Begun::default() }
    }

    fn branches(watchers: &[Self], names: &ProgramNames<'_>) -> Vec<Branches> {
        let counts = watchers.iter().flat_map(|watcher| watcher.branches.iter().flatten());
        Branches::by_line(counts.map(|(&(place, kind), &taken)| (names.spot(place), kind, taken)))
    }
}

/// What is worth a warning about how executions ended.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Endings {
    /// Where memory was allocated that is never freed: the most bytes at a time.
    #[serde(with = "pairs")]
    leaks: BTreeMap<Place, u64>,
    /// The least exit code that is not zero.
    exit_code: Option<i32>,
}

/// Keys of JSON objects are text, so a map is written as a list.
mod pairs {
    use super::{BTreeMap, Place};
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(
        map: &BTreeMap<Place, u64>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(map)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<BTreeMap<Place, u64>, D::Error> {
        Ok(Vec::deserialize(deserializer)?.into_iter().collect())
    }
}

impl Witness for Watcher<'_, '_, '_> {
    type Seen = Endings;

    fn seen(watchers: &[&Self], before: &Endings) -> Endings {
        let mut endings = before.clone();
        watchers.iter().for_each(|watcher| endings.add(&watcher.endings));
        endings
    }
}

impl Observer<Vm> for Watcher<'_, '_, '_> {
    fn execution(&mut self, execution: &Visit<'_, Vm>) {
        let objects = execution.graph.objects();
        for (image, _) in objects.iter().filter(|(image, _)| image.kind.is_heap()) {
            if objects.freed_by(image.start).is_none() {
                self.endings.leaks(image.place, image.size);
            }
        }
        for (_, thread, action) in execution.threads() {
            for (size, place) in thread.private_heap() {
                self.endings.leaks(place, size);
            }
            if let Action::Exit(code) = action
                && *code != 0
            {
                self.endings.exits(Some(*code));
            }
        }
    }

    fn wants_order(&self) -> bool {
        false
    }

    fn progress(&mut self, executions: u64, blocked: u64) {
        self.share.report(executions, blocked);
    }

    fn wants_branches(&self) -> bool {
        self.branches.is_some()
    }

    fn branch(&mut self, event: &Event) {
        if let Some(branches) = &mut self.branches {
            *branches.entry((event.place, BranchKind::of(event.kind))).or_default() += 1;
        }
    }

    fn task_begins(&mut self) {
        self.begun = self.log.begin();
    }

    fn task_ends(&mut self) {
        self.log.end(self.begun, || Part::Task(self.worker));
    }
}

impl Endings {
    /// Adds what was seen elsewhere. The order does not matter.
    pub(crate) fn add(&mut self, other: &Endings) {
        other.leaks.iter().for_each(|(&place, &size)| self.leaks(place, size));
        self.exits(other.exit_code);
    }

    /// The program ends with this code somewhere.
    fn exits(&mut self, code: Option<i32>) {
        self.exit_code = self.exit_code.into_iter().chain(code).min();
    }

    /// Memory that was allocated there is never freed.
    fn leaks(&mut self, place: Place, size: u64) {
        let most = self.leaks.entry(place).or_insert(size);
        *most = size.max(*most);
    }

    fn warnings(&self, names: &ProgramNames<'_>) -> Vec<Warning> {
        let mut warnings = Vec::new();
        for (&place, size) in &self.leaks {
            // What has no place was allocated by the runtime.
            if let Some(spot) = names.spot(place) {
                let message = format!("memory leak: {size} bytes allocated here are never freed");
                warnings.push(warning(WarningKind::MemoryLeak, message, Some(spot)));
            }
        }
        if let Some(code) = self.exit_code {
            let message = format!("the program ends with exit code {code} in some execution");
            warnings.push(warning(WarningKind::NonzeroExit, message, None));
        }
        warnings
    }
}

pub(crate) fn warning(kind: WarningKind, message: String, spot: Option<Spot>) -> Warning {
    Warning { kind, message, spot, other: None, about_loop: None }
}

/// The text of all files that the report shows lines of. A file that cannot be read is left out: the
/// report then names its lines without showing them.
pub(crate) fn read_sources(report: &Report, browsed: Option<&Browsed>) -> Sources {
    let mut sources = Sources::default();
    let executions = browsed.iter().flat_map(|browsed| &browsed.executions);
    let shown = report.violations().chain(executions.map(|one| &one.view));
    for Spot { file, .. } in shown.flat_map(ViolationReport::spots) {
        if !is_library(file)
            && sources.text(file).is_none()
            && let Ok(bytes) = std::fs::read(file)
        {
            sources.insert(file.as_str(), String::from_utf8_lossy(&bytes));
        }
    }
    sources
}
