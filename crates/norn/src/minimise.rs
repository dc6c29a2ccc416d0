//! `--minimise`: of the violations of a kind, the one that is read fastest.
//!
//! The program is searched again by the algorithm that found the first one, without stopping at violations, and each
//! of the same kind is compared with the shortest so far. With `--keep-going` there is a list of violations, and each
//! is compared only with those at the same places, so that the list stays what it is. What is longer than the first
//! one in anything (steps, switches, events) is never taken. Of those with as many steps, the one is taken in which fewer
//! of them stand where they could not stand in an interleaving: that takes longer to understand than one more switch.

use crate::check::{CheckOptions, Job};
use crate::error::InputError;
use crate::program::Searched;
use crate::program_names::ProgramNames;
use crate::search::{self, Explored, Inputs};
use crate::store::{Store, Witness};
use crate::tally::{Listener, Share, Tally};
use norn_explore::{Observer, Options, Violation};
use norn_machine::Vm;
use norn_models::Facts;
use norn_report::{Length, Minimised, Verdict, ViolationReport};

/// Replaces each violation of a search by the shortest of its kind that is found, and says what that has brought.
pub(crate) fn minimise(
    job: &Job<'_>,
    searched: &mut Searched,
    progress: &mut Listener<'_>,
) -> Result<Vec<Minimised>, InputError> {
    let options = CheckOptions {
        timeout: job.time_left(Some(job.options.effort)),
        checkpoint: None,
        ..job.options.clone()
    };
    let job = job.alike(&options);
    let plan = job.plan.clone().only(searched.algorithm).with_jobs(1);
    let search_options = Options { keep_going: true, every: true, ..job.search_options() };
    let tally = Tally::new(progress);
    let measure = |violation: &Violation| measure(&searched.vm, plan.model().facts(), violation);
    let targets = || -> Vec<Target> {
        let first = searched.summary.violations.iter();
        first.map(|violation| Target::new(violation.clone(), measure(violation))).collect()
    };
    let inputs = Inputs {
        machine: &searched.vm,
        plan: &plan,
        options: &search_options,
        tally: &tally,
        log: &job.options.log,
        store: &mut Store::new((), String::new(), None, None)?,
    };
    let watcher = || Shortest {
        vm: &searched.vm,
        facts: plan.model().facts(),
        same_places: options.keep_going,
        targets: targets(),
        share: tally.share(),
    };
    let Explored { summary, observers, .. } = search::explore(inputs, watcher)?;
    // No violation is kept in it, so that it says whether all was seen.
    let complete = job.decide(&summary).0 == Verdict::Verified;
    let mut all = Vec::new();
    let mut shortest = Vec::new();
    // There is one worker.
    for target in observers.into_iter().flat_map(|one| one.targets) {
        let Target { first, measure, best, compared } = target;
        let (now, violation) = best.unwrap_or((measure, first));
        all.push(Minimised { first: measure.length, now: now.length, compared, complete });
        shortest.push(violation);
    }
    searched.summary.violations = shortest;
    Ok(all)
}

/// How much there is to read, what matters most first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Measure {
    steps: usize,
    /// Those that could not stand where they stand in an interleaving.
    surprises: usize,
    length: Length,
}

fn measure(vm: &Vm, facts: Facts, violation: &Violation) -> Measure {
    // Many are measured, and it does not matter here what reads could have read instead.
    let facts = Facts { instead: None, ..facts };
    let report = ViolationReport::new(violation, facts, &ProgramNames::new(vm));
    let surprises = report.trace.iter().filter(|step| step.note.is_some()).count();
    let length = Length::of(&report);
    Measure { steps: length.steps, surprises, length }
}

/// A violation that is to be shorter.
struct Target {
    first: Violation,
    measure: Measure,
    /// The shortest one so far, if it is another one.
    best: Option<(Measure, Violation)>,
    compared: u64,
}

impl Target {
    fn new(first: Violation, measure: Measure) -> Target {
        Target { first, measure, best: None, compared: 0 }
    }

    fn is_like(&self, other: &Violation, same_places: bool) -> bool {
        let (own, other_key) = (self.first.key(), other.key());
        let is_same = if same_places { own == other_key } else { own.0 == other_key.0 };
        is_same && (self.first.beyond_bound || !other.beyond_bound)
    }
}

/// Looks at all violations of a search.
struct Shortest<'v, 't, 'p, 'f> {
    vm: &'v Vm,
    facts: Facts,
    same_places: bool,
    targets: Vec<Target>,
    share: Share<'t, 'p, 'f>,
}

impl Witness for Shortest<'_, '_, '_, '_> {
    type Seen = ();

    fn seen(_: &[&Self], (): &()) {}
}

impl Observer<Vm> for Shortest<'_, '_, '_, '_> {
    fn violation(&mut self, violation: &Violation) {
        for target in &mut self.targets {
            if !target.is_like(violation, self.same_places) {
                continue;
            }
            target.compared += 1;
            // What has more events is not taken, and to measure it costs something.
            if violation.graph.len() > target.first.graph.len() {
                continue;
            }
            let shortest = target.best.as_ref().map_or(target.measure, |(best, _)| *best);
            let now = measure(self.vm, self.facts, violation);
            if now < shortest && now.length.is_within(target.measure.length) {
                target.best = Some((now, violation.clone()));
            }
        }
    }

    fn wants_order(&self) -> bool {
        false
    }

    fn progress(&mut self, executions: u64, blocked: u64) {
        self.share.report(executions, blocked);
    }
}
