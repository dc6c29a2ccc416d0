//! Norn's side: the sets of results and faults that its explorers find.
//!
//! An execution in which a thread failed need not be complete, whatever the others print after that; but
//! if they end the process, that thread may not have come to its fault yet.

use crate::interpret::Behaviour;
use norn_action::{Action, Lesson};
use norn_explore::{
    Aids, Algorithm, Bound, Conflicts, Explorer, ExplorerVisitor, Frontier, Observer, Options,
    Setup, Stop, Summary, Visit, search,
};
use norn_machine::{Config, Vm};
use norn_models::ModelName;
use norn_program::Program;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A way of searching.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// `--algorithm trust` with so many workers.
    Trust(usize),
    /// `--algorithm rf` with so many workers.
    Rf(usize),
    /// `--algorithm rvf` with so many workers.
    Rvf(usize),
    /// `--algorithm await` with so many workers.
    Await(usize),
    /// `--bound` so large that it leaves nothing out.
    Bound(u32),
    /// `trust`, stopped after so many executions, saved and taken up again for as many more as there
    /// were before, until it is over.
    Resumed(u64),
    /// Likewise, `rvf`.
    ResumedRvf(u64),
    /// Likewise, `await`.
    ResumedAwait(u64),
    /// `trust` with so many workers, where threads that are alike count once.
    Alike(usize),
    /// `--any` with two workers: ends at the first violation.
    Any,
}

/// More executions than this are not waited for: many orders of locks, say, that are few states for the
/// interpreter.
const MOST_EXECUTIONS: u64 = 200_000;
/// Likewise, executions in which somebody waits for ever.
const MOST_BLOCKED: u64 = 100_000;
/// A search that is ended by the clock and has come this often to an end, if only of executions in which
/// somebody waits for ever, has much to do. One that has not hangs.
const MANY_ENDS: u64 = 10_000;

/// What Norn found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Results and faults.
    pub behaviour: Behaviour,
    /// What was printed in executions in which a thread failed.
    pub beside_faults: BTreeSet<String>,
    /// What Norn cannot run, if the program needs it: it makes no promise then.
    pub declined: Option<String>,
    /// What the machine has to know before anything can be said.
    pub lessons: Vec<Lesson>,
    /// How many executions were visited.
    pub executions: u64,
    /// Whether there are more executions than are waited for.
    pub too_large: bool,
    /// Why the search came to no end.
    pub failure: Option<String>,
}

/// A program that is compiled.
pub struct Subject {
    program: Arc<Program>,
}

impl Subject {
    /// Compiles a file.
    pub fn load(file: &Path) -> Result<Subject, String> {
        let files = vec![file.to_owned()];
        let options = norn::CheckOptions { files, ..norn::CheckOptions::default() };
        let (program, _) = norn::load(&options).map_err(|error| error.to_string())?;
        Ok(Subject { program: Arc::new(program) })
    }

    /// Explores the program, for some time at most for each machine that it takes.
    pub fn explore(&self, model: ModelName, search: Search, patience: Duration) -> Found {
        let mut lessons = Vec::new();
        loop {
            let found = self.explore_once(model, search, patience, lessons.clone());
            if found.lessons.is_empty() {
                return found;
            }
            lessons.extend(found.lessons);
        }
    }

    /// Explores the program with a machine that knows `lessons`.
    fn explore_once(
        &self,
        model: ModelName,
        search: Search,
        patience: Duration,
        lessons: Vec<Lesson>,
    ) -> Found {
        let config = Config {
            privatise: model.about().privatises(false),
            races_have_meaning: !model.about().races,
            one_order: !model.about().races,
            lessons,
            symmetry: matches!(search, Search::Alike(_)),
            ..Config::default()
        };
        let vm = Vm::new(Arc::clone(&self.program), config);
        let deadline = Instant::now().checked_add(patience);
        let keep_going = search != Search::Any;
        let max_executions = Some(MOST_EXECUTIONS);
        let any = !keep_going;
        let interrupt = Some(Arc::default());
        let limits = Options { deadline, max_executions, interrupt, ..Options::default() };
        let symmetry = matches!(search, Search::Alike(_));
        let options = Options { keep_going, any, symmetry, ..limits };
        let hunt = Hunt { vm: &vm, model, options };
        match search {
            Search::Trust(jobs) | Search::Alike(jobs) => hunt.run(jobs, Algorithm::Trust),
            Search::Rf(jobs) => hunt.run(jobs, Algorithm::Rf),
            Search::Rvf(jobs) => hunt.run(jobs, Algorithm::Rvf(Aids::default())),
            Search::Await(jobs) => hunt.run(jobs, Algorithm::Await(Conflicts::default())),
            Search::Any => hunt.run(2, Algorithm::Trust),
            Search::Resumed(first) => hunt.in_stages(first, Algorithm::Trust),
            Search::ResumedRvf(first) => hunt.in_stages(first, Algorithm::Rvf(Aids::default())),
            Search::ResumedAwait(first) => {
                hunt.in_stages(first, Algorithm::Await(Conflicts::default()))
            }
            Search::Bound(preemptions) => {
                hunt.run(1, Algorithm::Bounded(Bound { preemptions, strict: false }))
            }
        }
    }
}

/// Collects what executions print.
struct Witness<'v> {
    vm: &'v Vm,
    results: BTreeSet<String>,
    beside_faults: BTreeSet<String>,
    blocked: u64,
    /// Set when there are too many.
    enough: Option<Arc<AtomicBool>>,
}

impl Observer<Vm> for Witness<'_> {
    fn execution(&mut self, execution: &Visit<'_, Vm>) {
        let failed = execution.threads().any(|(_, _, action)| matches!(action, Action::Fail(_)));
        let results = if failed { &mut self.beside_faults } else { &mut self.results };
        // If several threads come to the end of the process, each may be the one that is first.
        for (_, thread, action) in execution.threads() {
            if matches!(action, Action::Exit(_)) {
                let (output, _) = self.vm.take_output(&mut thread.clone());
                results.insert(String::from_utf8_lossy(&output).into_owned());
            }
        }
    }

    fn wants_order(&self) -> bool {
        false
    }

    fn blocked(&mut self, _: &Visit<'_, Vm>) {
        self.blocked += 1;
        if self.blocked >= MOST_BLOCKED
            && let Some(enough) = &self.enough
        {
            enough.store(true, Ordering::Relaxed);
        }
    }
}

/// A search of a program.
struct Hunt<'v> {
    vm: &'v Vm,
    model: ModelName,
    options: Options,
}

impl Hunt<'_> {
    /// Visits everything in one go.
    fn run(&self, jobs: usize, algorithm: Algorithm) -> Found {
        let stage = Stage { vm: self.vm, options: &self.options, jobs, resume: None };
        match self.visit(algorithm, stage) {
            Ok((summary, witnesses, _)) => found(&summary, witnesses),
            Err(why) => failed(why),
        }
    }

    /// Stops after so many executions, goes on for twice as many, and so on until it is over.
    fn in_stages(&self, first: u64, algorithm: Algorithm) -> Found {
        let mut saved: Option<String> = None;
        let mut all = Vec::new();
        for stage in 0.. {
            let options = Options { max_executions: Some(first << stage), ..self.options.clone() };
            let stage = Stage { vm: self.vm, options: &options, jobs: 1, resume: saved };
            let (summary, witnesses, kept) = match self.visit(algorithm, stage) {
                Ok(reached) => reached,
                Err(why) => return failed(why),
            };
            all.extend(witnesses);
            saved = kept;
            let is_over = matches!(summary.stopped, Some(Stop::Deadline | Stop::Interrupt));
            if saved.is_none() || is_over {
                return found(&summary, all);
            }
        }
        unreachable!("a search ends")
    }

    fn visit<'v>(&'v self, algorithm: Algorithm, stage: Stage<'v, '_>) -> Reached<'v> {
        let options = stage.options;
        let reached = algorithm.with(self.model, self.vm, options, stage);
        reached.unwrap_or_else(|| Err(format!("{algorithm:?} does not support {}", self.model)))
    }
}

/// How far a search came: what it found, and what is needed to go on, if it was stopped.
type Reached<'v> = Result<(Summary, Vec<Witness<'v>>, Option<String>), String>;

/// A search, or one more part of it.
struct Stage<'v, 'o> {
    vm: &'v Vm,
    options: &'o Options,
    jobs: usize,
    resume: Option<String>,
}

impl<'v> ExplorerVisitor<Vm> for Stage<'v, '_> {
    type Output = Reached<'v>;

    fn visit<E: Explorer<Vm>>(self, explorer: impl Fn() -> E) -> Reached<'v> {
        let Stage { vm, options, jobs, resume } = self;
        let mut kept = None;
        let mut keeper = |frontier: &Frontier<E::Saved>, _: &[&Witness<'v>], _: bool| {
            kept = Some(serde_json::to_string(frontier).expect("a frontier can be written"));
        };
        let resume = resume.map(|text| serde_json::from_str(&text).expect("a frontier"));
        let setup = Setup { resume, keeper: Some((Duration::MAX, &mut keeper)), ..Setup::of(jobs) };
        let witness = || Witness {
            vm,
            results: BTreeSet::new(),
            beside_faults: BTreeSet::new(),
            blocked: 0,
            enough: options.interrupt.clone(),
        };
        match search(options, explorer, witness, setup) {
            Ok((summary, witnesses)) => Ok((summary, witnesses, kept)),
            Err(mismatch) => Err(format!("what was saved does not fit: {mismatch}")),
        }
    }
}

fn found(summary: &Summary, witnesses: Vec<Witness<'_>>) -> Found {
    let (mut results, mut beside_faults) = (BTreeSet::new(), BTreeSet::new());
    for witness in witnesses {
        results.extend(witness.results);
        beside_faults.extend(witness.beside_faults);
    }
    let faults = summary.violations.iter().map(|violation| violation.fault.kind().name()).collect();
    let declined = summary.unsupported.first().map(|what| norn::obstacle_sentence(&what.what));
    let ends = summary.executions + summary.blocked + summary.figures.stale;
    let too_large = match summary.stopped {
        Some(Stop::Deadline) => ends >= MANY_ENDS,
        Some(Stop::Interrupt) => true,
        Some(_) => summary.executions >= MOST_EXECUTIONS,
        None => false,
    };
    let failure = match (summary.stopped, summary.is_bounded()) {
        (Some(Stop::Deadline), _) if !too_large => Some("the search takes too long".to_owned()),
        (_, true) => Some("the bound left something out".to_owned()),
        _ => None,
    };
    let divides = summary.stopped == Some(Stop::Lesson);
    let lessons = if divides { summary.lessons.clone() } else { Vec::new() };
    let behaviour = Behaviour { results, faults };
    let executions = summary.executions;
    Found { behaviour, beside_faults, declined, lessons, executions, too_large, failure }
}

fn failed(failure: String) -> Found {
    Found { failure: Some(failure), ..Found::default() }
}
