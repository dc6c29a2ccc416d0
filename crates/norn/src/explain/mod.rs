//! `norn explain`: an execution that does what is asked for, or the proof that there is none. Here for how executions
//! end; `unordered` asks for two accesses.
//!
//! Every execution is looked at, as in a check that does not stop at violations, until one is found. That there is
//! none is proved only by a complete search of a program in which nothing is wrong: a race, or a thread that fails
//! and never comes to its end, leaves open what the program would do.

mod expression;
mod globals;
mod lines;
mod unordered;

pub use unordered::explain_unordered;

use crate::check::{CheckOptions, Job, Source};
use crate::control::Control;
use crate::error::InputError;
use crate::litmus;
use crate::lookers::Lookers;
use crate::model::PlannedModel;
use crate::program::{self, Prepared};
use crate::program_names::ProgramNames;
use crate::search::Explored;
use crate::tally::{Listener, Share, Tally};
use expression::Expression;
use globals::Variable;
pub(crate) use globals::last_byte;
use norn_action::{Action, Claim, ThreadId};
use norn_explore::{Observer, Summary, Violation, Visit};
use norn_graph::What;
use norn_machine::{Config, Vm};
use norn_program::Program;
use norn_report::{Answer, Explanation, FinalValue, Format, Reason, Verdict, ViolationReport};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Why nothing is proved of a program that does not wait for its threads.
const EARLY: &str = "the process ends without a join of some thread, and is looked at only where that thread came to its \
                     end before";

/// Longer questions are refused.
const LONGEST: usize = 4000;

/// Refuses what no question can be asked of, and questions that are too long.
fn asks<'q>(
    options: &CheckOptions,
    flag: &str,
    mut question: impl Iterator<Item = &'q str>,
) -> Result<(), InputError> {
    let refuse = |text: String| Err(InputError::Refused(text));
    if options.files.iter().any(|file| litmus::is_test(file)) {
        return refuse("explain is for programs; a litmus test asks a question of its own".into());
    }
    if question.any(|part| part.len() > LONGEST) {
        return refuse(format!("{flag} is longer than {LONGEST} characters"));
    }
    Ok(())
}

/// The options of a search that looks at everything.
fn thorough(options: &CheckOptions) -> CheckOptions {
    CheckOptions { keep_going: true, checkpoint: None, trace: None, ..options.clone() }
}

/// A search of every graph, whatever is equivalent; the first that is found is the same each time.
fn begin<'o>(
    options: &'o CheckOptions,
    model: PlannedModel,
    own: &'o Control,
    started: Instant,
) -> Result<Job<'o>, InputError> {
    let mut job = Job::new(options, model, Source::Nothing, own, started)?;
    job.plan = job.plan.for_graphs().with_jobs(1);
    Ok(job)
}

/// What is wrong with the program, in sentences.
fn faults(summary: &Summary, report: impl Fn(&Violation) -> ViolationReport) -> Vec<String> {
    summary.violations.iter().map(|fault| report(fault).message).collect()
}

/// Looks for an execution at whose end `outcome` holds, an expression over global variables.
pub fn explain(
    options: &CheckOptions,
    outcome: &str,
    control: &Control,
    progress: &mut Listener<'_>,
) -> Result<Explanation, InputError> {
    let started = Instant::now();
    asks(options, "--outcome", std::iter::once(outcome))?;
    let options = thorough(options);
    // What is found ends the search, and must not look as if the user had.
    let own = Control::default();
    let model = PlannedModel::load(&options.model)?;
    let job = begin(&options, model, &own, started)?;
    let Some(Prepared { program, config, .. }) = program::prepare(&job)? else {
        let nothing = explanation(&job, Answer::Inconclusive);
        return Ok(Explanation { outcome: Some(outcome.to_owned()), ..nothing });
    };
    let (program, config) = (Arc::new(program), Config { meter: job.meter(), ..config });
    let mut resolve = |name: &str| globals::resolve(&program, name);
    let condition = Expression::read(outcome, &mut resolve)
        .map_err(|why| InputError::Refused(format!("--outcome: {why}")))?;
    let tally = Tally::new(progress);
    let lookers = Lookers::new();
    let watcher = || {
        lookers.add(Seeker {
            program: &program,
            condition: &condition,
            own: &own,
            user: control.flag(),
            found: None,
            unsure: false,
            early: false,
            share: tally.share(),
        })
    };
    let mut store = job.store(String::new())?;
    let (vm, explored) = program::explore(&job, &program, &config, &tally, &mut store, watcher)?;
    let Explored { mut summary, observers, .. } = explored;
    let observers: Vec<Seeker<'_, '_, '_>> = lookers.take(observers).collect();
    let unsure = observers.iter().any(|seeker| seeker.unsure);
    let early = observers.iter().any(|seeker| seeker.early);
    let found = observers.into_iter().find_map(|seeker| seeker.found);
    let names = ProgramNames::new(&vm);
    let report =
        |violation: &Violation| ViolationReport::new(violation, job.plan.model().facts(), &names);
    let faults = faults(&summary, report);
    summary.violations.clear();
    let (verdict, mut reasons) = job.decide(&summary);
    if early {
        reasons.push(Reason::Unsupported { message: EARLY.to_owned() });
    }
    let answer = match &found {
        Some(_) => Answer::Possible,
        None if verdict == Verdict::Verified && faults.is_empty() && !(unsure || early) => {
            Answer::Impossible
        }
        None => Answer::Inconclusive,
    };
    let shown = found.map(|(violation, values)| (report(&violation), values));
    let (shown, values) = shown.unzip();
    Ok(Explanation {
        executions: summary.executions,
        blocked: summary.blocked,
        reasons: if answer == Answer::Inconclusive { reasons } else { Vec::new() },
        faults: if answer == Answer::Inconclusive { faults } else { Vec::new() },
        undefined: unsure && answer == Answer::Inconclusive,
        values: values.unwrap_or_default(),
        trace: shown.as_ref().map_or_else(Vec::new, |shown| shown.trace.clone()),
        execution: shown.map(|shown| shown.execution),
        outcome: Some(outcome.to_owned()),
        ..explanation(&job, answer)
    })
}

/// What is known before there was a search.
fn explanation(job: &Job<'_>, answer: Answer) -> Explanation {
    Explanation {
        format: Format,
        answer,
        outcome: None,
        unordered: None,
        model: job.plan.model().name().to_owned(),
        files: job.options.files.iter().map(|file| file.display().to_string()).collect(),
        executions: 0,
        blocked: 0,
        seconds: job.seconds(),
        reasons: job.decide(&job.nothing()).1,
        faults: Vec::new(),
        undefined: false,
        values: Vec::new(),
        trace: Vec::new(),
        execution: None,
    }
}

/// Whether the process ended by itself while a thread was not joined.
fn ends_early(execution: &Visit<'_, Vm>) -> bool {
    let graph = execution.graph;
    let is_joined = |thread: ThreadId| {
        graph.order().iter().any(|&id| graph.event(id).what() == What::Join(thread))
    };
    let exits = execution.threads().any(|(_, _, action)| matches!(action, Action::Exit(_)));
    let left = |(thread, _, action): (ThreadId, _, &Action)| {
        !matches!(action, Action::Exit(_)) && thread != ThreadId::MAIN && !is_joined(thread)
    };
    exits && execution.threads().any(left)
}

/// Looks at the ends of executions.
struct Seeker<'s, 'p, 'f> {
    program: &'s Program,
    condition: &'s Expression<Variable>,
    /// Ends the search.
    own: &'s Control,
    /// Whether the user wants it to end.
    user: Arc<AtomicBool>,
    found: Option<(Violation, Vec<FinalValue>)>,
    /// Whether there was an end at which it is not known whether the condition holds.
    unsure: bool,
    /// Whether the process ended somewhere while others might still have been running.
    early: bool,
    share: Share<'s, 'p, 'f>,
}

impl Seeker<'_, '_, '_> {
    /// The variables of the condition, as they are at the end.
    fn values(&self, execution: &Visit<'_, Vm>) -> Vec<FinalValue> {
        let mut values: Vec<FinalValue> = Vec::new();
        self.condition.each(&mut |variable: &Variable| {
            let is_new = values.iter().all(|known| known.name != variable.name);
            if let Some(value) = variable.last_value(self.program, execution).filter(|_| is_new) {
                let value = value.to_string();
                values.push(FinalValue { name: variable.name.clone(), value });
            }
        });
        values
    }
}

impl Observer<Vm> for Seeker<'_, '_, '_> {
    fn execution(&mut self, execution: &Visit<'_, Vm>) {
        if self.found.is_some() {
            return;
        }
        self.early |= ends_early(execution);
        let of = |variable: &Variable| variable.last_value(self.program, execution);
        match self.condition.value(&of) {
            Some(0) => {}
            None => self.unsure = true,
            Some(_) => {
                let values = self.values(execution);
                let claim = Claim::FinalState { outcome: String::new(), satisfies: true };
                self.found = Some((Violation::at_end(execution, claim), values));
                self.own.interrupt();
            }
        }
    }

    fn progress(&mut self, executions: u64, blocked: u64) {
        if self.user.load(Ordering::Relaxed) {
            self.own.interrupt();
        }
        self.share.report(executions, blocked);
    }
}
