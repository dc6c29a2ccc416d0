//! Norn's side: the sets of results and faults that its explorers find.
//!
//! An execution in which a thread failed need not be complete, whatever the others print after that; but
//! if they end the process, that thread may not have come to its fault yet.

use crate::interpret::Behaviour;
use norn_action::Action;
use norn_explore::{
    Bound, Explorer, Frontier, Observer, Options, Rf, Setup, Stop, Summary, Trust, Visit, search,
};
use norn_machine::{Config, Vm};
use norn_models::{Arrange, C20, ModelName, Pso, Ra, Rc11, Sc, Tso};
use norn_program::Program;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A way of searching.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// `--algorithm trust` with so many workers.
    Trust(usize),
    /// `--algorithm rf` with so many workers.
    Rf(usize),
    /// `--bound` so large that it leaves nothing out.
    Bound(u32),
    /// `trust`, stopped after so many executions, saved and taken up again for as many more as there
    /// were before, until it is over.
    Resumed(u64),
    /// `--any` with two workers: ends at the first violation.
    Any,
}

/// More executions than this are not waited for: many orders of locks, say, that are few states for the
/// interpreter.
const MOST_EXECUTIONS: u64 = 200_000;

/// What Norn found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Results and faults.
    pub behaviour: Behaviour,
    /// What was printed in executions in which a thread failed.
    pub beside_faults: BTreeSet<String>,
    /// What Norn cannot run, if the program needs it: it makes no promise then.
    pub declined: Option<String>,
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

    /// Explores the program, for some time at most.
    pub fn explore(&self, model: ModelName, search: Search, patience: Duration) -> Found {
        let config = Config { privatise: model.privatises(false), ..Config::default() };
        let vm = Vm::new(Arc::clone(&self.program), config);
        let deadline = Instant::now().checked_add(patience);
        let keep_going = search != Search::Any;
        let max_executions = Some(MOST_EXECUTIONS);
        let any = !keep_going;
        let options = Options { keep_going, any, deadline, max_executions, ..Options::default() };
        let hunt = Hunt { vm: &vm, options };
        match model {
            ModelName::Sc => hunt.under_sc(search),
            ModelName::Tso => hunt.under::<Tso>(search),
            ModelName::Pso => hunt.under::<Pso>(search),
            ModelName::Ra => hunt.under::<Ra>(search),
            ModelName::Rc11 => hunt.under::<Rc11>(search),
            ModelName::C20 => hunt.under::<C20>(search),
        }
    }
}

/// Collects what executions print.
struct Witness<'v> {
    vm: &'v Vm,
    results: BTreeSet<String>,
    beside_faults: BTreeSet<String>,
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
}

struct Hunt<'v> {
    vm: &'v Vm,
    options: Options,
}

impl Hunt<'_> {
    fn under_sc(&self, search: Search) -> Found {
        match search {
            Search::Bound(preemptions) => {
                let bound = Bound { preemptions, strict: false };
                let explorer = || Trust::<Vm, Sc, _>::bounded(self.vm, self.options.clone(), bound);
                self.run(1, explorer)
            }
            other => self.under::<Sc>(other),
        }
    }

    fn under<Mo: Arrange>(&self, search: Search) -> Found {
        let trust = || Trust::<Vm, Mo>::new(self.vm, self.options.clone());
        match search {
            Search::Trust(jobs) => self.run(jobs, trust),
            Search::Rf(jobs) => self.run(jobs, || Rf::<Vm, Mo>::new(self.vm, self.options.clone())),
            Search::Any => self.run(2, trust),
            Search::Resumed(step) => self.in_stages::<Mo>(step),
            Search::Bound(_) => unreachable!("a bound on preemptions is for sc"),
        }
    }

    fn witness(&self) -> Witness<'_> {
        Witness { vm: self.vm, results: BTreeSet::new(), beside_faults: BTreeSet::new() }
    }

    fn run<E: Explorer<Vm>>(&self, jobs: usize, explorer: impl Fn() -> E) -> Found {
        let (summary, witnesses) =
            norn_explore::search_with(jobs, &self.options, explorer, || self.witness());
        found(&summary, witnesses)
    }

    fn in_stages<Mo: Arrange>(&self, first: u64) -> Found {
        let mut saved: Option<String> = None;
        let mut all = Vec::new();
        for stage in 0.. {
            let options = Options { max_executions: Some(first << stage), ..self.options.clone() };
            let mut kept = None;
            let mut keeper = |frontier: &Frontier<_>, _: &[&Witness<'_>], _: bool| {
                kept = Some(serde_json::to_string(frontier).expect("a frontier can be written"));
            };
            let read = |text: &String| serde_json::from_str(text).expect("a frontier");
            let resume = saved.as_ref().map(read);
            let setup =
                Setup { jobs: 1, resume, keeper: Some((Duration::MAX, &mut keeper)), tick: None };
            let explorer = || Trust::<Vm, Mo>::new(self.vm, options.clone());
            let (summary, witnesses) = match search(&options, explorer, || self.witness(), setup) {
                Ok(both) => both,
                Err(mismatch) => return failed(format!("what was saved does not fit: {mismatch}")),
            };
            all.extend(witnesses);
            saved = kept;
            if saved.is_none() || summary.stopped == Some(Stop::Deadline) {
                return found(&summary, all);
            }
        }
        unreachable!("a search ends")
    }
}

fn found(summary: &Summary, witnesses: Vec<Witness<'_>>) -> Found {
    let (mut results, mut beside_faults) = (BTreeSet::new(), BTreeSet::new());
    for witness in witnesses {
        results.extend(witness.results);
        beside_faults.extend(witness.beside_faults);
    }
    let faults = summary.violations.iter().map(|violation| violation.fault.kind.name()).collect();
    let declined = summary.unsupported.first().map(|what| what.message.clone());
    let failure = match (summary.stopped, summary.is_bounded()) {
        (Some(Stop::Deadline), _) => Some("the search takes too long".to_owned()),
        (_, true) => Some("the bound left something out".to_owned()),
        _ => None,
    };
    let too_large =
        summary.stopped == Some(Stop::MaxExecutions) && summary.executions >= MOST_EXECUTIONS;
    Found { behaviour: Behaviour { results, faults }, beside_faults, declined, too_large, failure }
}

fn failed(failure: String) -> Found {
    Found { failure: Some(failure), ..Found::default() }
}
