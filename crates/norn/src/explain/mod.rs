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
use crate::model::PlannedModel;
use crate::program::{self, Prepared};
use crate::program_names::ProgramNames;
use crate::seek::{Ending, Seek, Sought};
use crate::tally::Listener;
use expression::Expression;
use globals::Variable;
pub(crate) use globals::{last_byte, qualified};
use norn_action::{Action, Claim, ThreadId};
use norn_explore::{Summary, Violation, Visit};
use norn_graph::What;
use norn_machine::{Config, Vm};
use norn_models::Facts;
use norn_program::Program;
use norn_report::{Answer, Explanation, FinalValue, Format, Reason, Verdict, ViolationReport};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

/// Why nothing is proved of a program that does not wait for its threads.
const EARLY: &str = "the process ends without a join of some thread, and is looked at only where that thread came to its \
                     end before";

/// Longer questions are refused.
const LONGEST: usize = 4000;

/// A question that is asked of all executions of a program.
struct Question {
    options: CheckOptions,
    ending: Ending,
    started: Instant,
}

impl Question {
    /// Refuses what no question can be asked of, and questions that are too long.
    fn new(
        options: &CheckOptions,
        flag: &str,
        texts: &[&str],
        control: &Control,
    ) -> Result<Question, InputError> {
        let refuse = |text: String| Err(InputError::Refused(text));
        if options.files.iter().any(|file| litmus::is_test(file)) {
            return refuse(
                "explain is for programs; a litmus test asks a question of its own".into(),
            );
        }
        if texts.iter().any(|text| text.len() > LONGEST) {
            return refuse(format!("{flag} is longer than {LONGEST} characters"));
        }
        let thorough =
            CheckOptions { keep_going: true, checkpoint: None, trace: None, ..options.clone() };
        let ending = Ending::new(control);
        Ok(Question { options: thorough, ending, started: Instant::now() })
    }

    /// A search of every graph, whatever is equivalent; the first that is found is the same each time.
    fn job(&self) -> Result<Job<'_>, InputError> {
        let model = PlannedModel::load(&self.options.model, &self.options.libraries)?;
        let control = self.ending.control();
        let mut job = Job::new(&self.options, model, Source::Nothing, control, self.started)?;
        job.plan = job.plan.for_graphs().with_jobs(1);
        Ok(job)
    }

    /// Looks at executions; the one who looked, and what the search says of itself.
    fn search<S: Seek>(
        &self,
        job: &Job<'_>,
        program: &Arc<Program>,
        config: Config,
        progress: &mut Listener<'_>,
        seek: impl Fn() -> S,
    ) -> Result<(S, Searched), InputError> {
        let sought = self.ending.search(job, program, config, progress, &seek)?;
        let Sought { vm, summary, seen, .. } = sought;
        // There is one worker.
        let seen = seen.into_iter().next().unwrap_or_else(seek);
        Ok((seen, Searched { vm, facts: job.plan.model().facts(), summary }))
    }
}

/// A search for an answer that is over.
struct Searched {
    vm: Vm,
    facts: Facts,
    summary: Summary,
}

impl Searched {
    fn report(&self, violation: &Violation) -> ViolationReport {
        ViolationReport::new(violation, self.facts, &ProgramNames::new(&self.vm))
    }

    /// What variables hold at the end of an execution, in words.
    fn values<'v>(
        &self,
        found: &Violation,
        ends: impl Iterator<Item = &'v (Variable, i128)>,
    ) -> Vec<FinalValue> {
        let names = ProgramNames::new(&self.vm);
        let word = |(variable, value): &(Variable, i128)| FinalValue {
            name: variable.name.clone(),
            value: value.to_string(),
            text: variable.text(&names, &found.graph, *value),
        };
        ends.map(word).collect()
    }

    /// The explanation, but for what is peculiar to the question. Where `doubts` are left, or something is wrong with the
    /// program, nothing is proved; those that are not said otherwise are reasons.
    fn explain(
        &mut self,
        job: &Job<'_>,
        found: Option<&Violation>,
        doubts: &[Doubt],
    ) -> Explanation {
        let violations = std::mem::take(&mut self.summary.violations);
        let faults: Vec<String> =
            violations.iter().map(|fault| self.report(fault).message).collect();
        let (verdict, mut reasons) = job.decide(&self.summary);
        let said = doubts.iter().filter_map(|doubt| doubt.0);
        reasons.extend(said.map(|text| Reason::Unsupported { message: text.to_owned() }));
        let is_proved = verdict == Verdict::Verified && faults.is_empty() && doubts.is_empty();
        let answer = match found {
            Some(_) => Answer::Possible,
            None if is_proved => Answer::Impossible,
            None => Answer::Inconclusive,
        };
        let shown = found.map(|found| self.report(found));
        let is_open = answer == Answer::Inconclusive;
        Explanation {
            executions: self.summary.executions,
            up_to_symmetry: self.summary.figures.alike.any,
            blocked: self.summary.blocked,
            reasons: if is_open { reasons } else { Vec::new() },
            faults: if is_open { faults } else { Vec::new() },
            trace: shown.as_ref().map_or_else(Vec::new, |shown| shown.trace.clone()),
            execution: shown.map(|shown| shown.execution),
            ..explanation(job, answer)
        }
    }
}

/// Why a complete search proves nothing, in words unless that is said elsewhere.
struct Doubt(Option<&'static str>);

/// Looks for an execution at whose end `outcome` holds, an expression over global variables.
pub fn explain(
    options: &CheckOptions,
    outcome: &str,
    control: &Control,
    progress: &mut Listener<'_>,
) -> Result<Explanation, InputError> {
    let question = Question::new(options, "--outcome", &[outcome], control)?;
    let job = question.job()?;
    let asked = Some(outcome.to_owned());
    let Some(Prepared { program, config, .. }) = program::prepare(&job)? else {
        return Ok(Explanation { outcome: asked, ..explanation(&job, Answer::Inconclusive) });
    };
    let program = Arc::new(program);
    let mut resolve = |name: &str| globals::resolve(&program, name);
    let condition = Expression::read(outcome, &mut resolve)
        .and_then(sensible)
        .map_err(|why| InputError::Refused(format!("--outcome: {why}")))?;
    let seek = || Ends {
        program: &program,
        condition: &condition,
        found: None,
        unsure: false,
        early: false,
    };
    let (seen, mut searched) = question.search(&job, &program, config, progress, seek)?;
    let (found, ends) = seen.found.unzip();
    let mut doubts = Vec::new();
    doubts.extend(seen.early.then_some(Doubt(Some(EARLY))));
    doubts.extend(seen.unsure.then_some(Doubt(None)));
    let values =
        found.iter().flat_map(|found| searched.values(found, ends.iter().flatten())).collect();
    let told = searched.explain(&job, found.as_ref(), &doubts);
    Ok(Explanation {
        outcome: asked,
        undefined: seen.unsure && told.answer == Answer::Inconclusive,
        values,
        ..told
    })
}

/// Refuses what C would take for another number than the one that is written.
fn sensible(condition: Expression<Variable>) -> Result<Expression<Variable>, String> {
    let mut wrong = None;
    condition.each_compared(&mut |compared, number| {
        if let Expression::Value(variable) = compared
            && let Some(other) = variable.compared_with(number)
        {
            let name = &variable.name;
            wrong.get_or_insert_with(|| {
                format!("`{name}` is never below zero; C compares it with {other}, not with {number}: write that")
            });
        }
    });
    if condition.moves_address(&Variable::is_pointer) {
        let why = "nothing can be added to an address, or taken from it: write `&a[2]` for `a + 2`";
        wrong.get_or_insert_with(|| why.to_owned());
    }
    wrong.map_or(Ok(condition), Err)
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
        up_to_symmetry: false,
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
struct Ends<'s> {
    program: &'s Program,
    condition: &'s Expression<Variable>,
    found: Option<(Violation, Vec<(Variable, i128)>)>,
    /// Whether there was an end at which it is not known whether the condition holds.
    unsure: bool,
    /// Whether the process ended somewhere while others might still have been running.
    early: bool,
}

impl Ends<'_> {
    /// The variables of the condition, as they are at the end.
    fn values(&self, execution: &Visit<'_, Vm>) -> Vec<(Variable, i128)> {
        let mut values: Vec<(Variable, i128)> = Vec::new();
        self.condition.each(&mut |variable: &Variable| {
            let is_new = values.iter().all(|(known, _)| known.name != variable.name);
            if let Some(value) = variable.last_value(self.program, execution).filter(|_| is_new) {
                values.push((variable.clone(), value));
            }
        });
        values
    }
}

impl Seek for Ends<'_> {
    fn execution(&mut self, execution: &Visit<'_, Vm>) -> ControlFlow<()> {
        if self.found.is_some() {
            return ControlFlow::Break(());
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
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }
}
