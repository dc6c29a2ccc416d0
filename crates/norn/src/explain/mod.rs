//! `norn explain`: an execution that does what is asked for, or the proof that there is none.
//!
//! Every execution is looked at, as in a check that does not stop at violations, until one is found. That there is
//! none is proved only by a complete search of a program in which nothing is wrong: a race, or a thread that fails
//! and never comes to its end, leaves open what the program would do.

mod expression;
mod globals;

use crate::check::{CheckOptions, Job, Source};
use crate::control::Control;
use crate::error::InputError;
use crate::model::PlannedModel;
use crate::plan::Algorithm;
use crate::program::{self, Prepared};
use crate::program_names::ProgramNames;
use crate::search::Explored;
use crate::store::Witness;
use crate::tally::{Listener, Share, Tally};
use expression::Expression;
use globals::Variable;
use norn_action::{Claim, Fault, Place, ThreadId};
use norn_explore::{Observer, Position, Violation, Visit};
use norn_machine::{Config, Vm};
use norn_program::Program;
use norn_report::{Answer, Explanation, FinalValue, Format, ViolationReport};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Longer questions are refused.
const LONGEST: usize = 4000;

/// Looks for an execution at whose end `outcome` holds, an expression over global variables.
pub fn explain(
    options: &CheckOptions,
    outcome: &str,
    control: &Control,
    progress: &mut Listener<'_>,
) -> Result<Explanation, InputError> {
    let started = Instant::now();
    let refuse = |text: String| Err(InputError::Refused(text));
    if options.files.iter().any(|file| file.extension().is_some_and(|e| e == "litmus")) {
        return refuse("explain is for programs; a litmus test asks a question of its own".into());
    }
    if outcome.len() > LONGEST {
        return refuse(format!("--outcome is longer than {LONGEST} characters"));
    }
    let options =
        CheckOptions { keep_going: true, checkpoint: None, trace: None, ..options.clone() };
    // What is found ends the search, and must not look as if the user had.
    let own = Control::default();
    let model = PlannedModel::load(&options.model)?;
    let mut job = Job::new(&options, model, Source::Nothing, &own, started)?;
    // Every graph is looked at, whatever is equivalent, and the first that is found is the same each time.
    job.plan = job.plan.only(Algorithm::Trust).with_jobs(1);
    let Some(Prepared { program, config, .. }) = program::prepare(&job)? else {
        return Ok(explanation(&job, outcome, Answer::Inconclusive));
    };
    let (program, config) = (Arc::new(program), Config { meter: job.meter(), ..config });
    let mut resolve = |name: &str| globals::resolve(&program, name);
    let condition = Expression::read(outcome, &mut resolve)
        .map_err(|why| InputError::Refused(format!("--outcome: {why}")))?;
    let tally = Tally::new(progress);
    let watcher = || Seeker {
        program: &program,
        condition: &condition,
        own: &own,
        user: control.flag(),
        found: None,
        unsure: false,
        share: tally.share(),
    };
    let mut store = job.store(String::new())?;
    let (vm, explored) = program::explore(&job, &program, &config, &tally, &mut store, watcher)?;
    let Explored { mut summary, observers, .. } = explored;
    let unsure = observers.iter().any(|seeker| seeker.unsure);
    let found = observers.into_iter().find_map(|seeker| seeker.found);
    let names = ProgramNames::new(&vm);
    let faults = summary.violations.iter();
    let report =
        |violation: &Violation| ViolationReport::new(violation, job.plan.model().facts(), &names);
    let faults: Vec<String> = faults.map(|fault| report(fault).message).collect();
    summary.violations.clear();
    let (is_complete, reasons) = job.coverage(&summary);
    let answer = match &found {
        Some(_) => Answer::Possible,
        None if is_complete && faults.is_empty() && !unsure => Answer::Impossible,
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
        ..explanation(&job, outcome, answer)
    })
}

/// What is known before there was a search.
fn explanation(job: &Job<'_>, outcome: &str, answer: Answer) -> Explanation {
    Explanation {
        format: Format,
        answer,
        outcome: outcome.to_owned(),
        model: job.plan.model().name().to_owned(),
        files: job.options.files.iter().map(|file| file.display().to_string()).collect(),
        executions: 0,
        blocked: 0,
        seconds: job.seconds(),
        reasons: job.coverage(&job.nothing()).1,
        faults: Vec::new(),
        undefined: false,
        values: Vec::new(),
        trace: Vec::new(),
        execution: None,
    }
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

impl Witness for Seeker<'_, '_, '_> {
    type Seen = ();

    fn seen(_: &[&Self], (): &()) {}
}

impl Observer<Vm> for Seeker<'_, '_, '_> {
    fn execution(&mut self, execution: &Visit<'_, Vm>) {
        if self.found.is_some() {
            return;
        }
        let of = |variable: &Variable| variable.last_value(self.program, execution);
        match self.condition.value(&of) {
            Some(0) => {}
            None => self.unsure = true,
            Some(_) => {
                let values = self.values(execution);
                let claim = Claim::FinalState { outcome: String::new(), satisfies: true };
                let violation = Violation {
                    fault: Fault::new(claim, Place::NONE),
                    thread: ThreadId::MAIN,
                    event: None,
                    other: None,
                    waiting: Vec::new(),
                    graph: execution.graph.clone(),
                    locations: Arc::new(execution.locations.clone()),
                    after: 0,
                    beyond_bound: false,
                    at: Position::default(),
                };
                self.found = Some((violation, values));
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
