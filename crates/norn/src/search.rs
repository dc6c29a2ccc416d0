//! Runs a plan on a machine.
//!
//! Where the plan leaves the algorithm open, several are tried. Which of them has the fewest executions is not
//! known before they have been visited, but a search that ends is worth more than any guess: each algorithm may
//! visit some thousands, the one of the plan first, and only if none of them comes to its end the one of the plan
//! starts again, without a limit. If that one has come to its end, but met what it cannot run or gave a thread up,
//! the others may still find something. So it costs a moment where nothing is gained, and where a coarser equivalence
//! has few classes the check ends there. How many executions there are does not depend on the machine, so
//! neither does the algorithm that ends, unless the time for a trial is over before.

use crate::InputError;
use crate::estimator::Estimator;
use crate::log::Log;
use crate::model::PlannedModel;
use crate::plan::{self, BoundName, Plan};
use crate::store::{Store, Witness};
use crate::tally::Tally;
use norn_action::Machine;
use norn_explore::{
    Algorithm, Bound, Explorer, ExplorerVisitor, Frontier, Observer, Options, Setup, Stop, Summary,
    Trust, deepen,
};
use norn_report::Part;
use serde::Serialize;
use std::time::{Duration, Instant};

/// A trial ends after that many executions, and after that time.
const TRIAL: u64 = 10_000;
const PATIENCE: Duration = Duration::from_secs(1);

/// What a search is given, apart from the explorer.
pub(crate) struct Inputs<'j, 'p, 'f, M, C, W> {
    pub(crate) machine: &'j M,
    pub(crate) plan: &'j Plan,
    pub(crate) options: &'j Options,
    pub(crate) tally: &'j Tally<'p, 'f>,
    pub(crate) log: &'j Log,
    pub(crate) store: &'j mut Store<C, W>,
}

type Found<O> = Result<(Summary, Vec<O>), InputError>;

/// What was found, and by which algorithm. Each worker has an observer of its own.
pub(crate) struct Explored<O> {
    pub(crate) summary: Summary,
    pub(crate) observers: Vec<O>,
    pub(crate) algorithm: plan::Algorithm,
}

/// Explores everything that is asked for.
pub(crate) fn explore<M, C, O>(
    mut inputs: Inputs<'_, '_, '_, M, C, O::Seen>,
    observer: impl Fn() -> O,
) -> Result<Explored<O>, InputError>
where
    M: Machine,
    C: Serialize + Clone,
    O: Observer<M> + Witness + Send,
    O::Seen: Default,
{
    if let Some(explored) = try_others(&mut inputs, &observer)? {
        return Ok(explored);
    }
    let (plan, options) = (inputs.plan, inputs.options);
    let first = inputs.store.saved_bound().unwrap_or(0);
    let name = plan.algorithm().name();
    let mut by = |algorithm: Algorithm| run(&mut inputs, &observer, (algorithm, name), options);
    let strict = plan.strict_bound();
    let (summary, observers) = match plan.bound() {
        None => by(plan.algorithm().explorer())?,
        Some(BoundName::Preemptions(preemptions)) => {
            by(Algorithm::Bounded(Bound { preemptions, strict }))?
        }
        Some(BoundName::Auto) => {
            let at = |preemptions| by(Algorithm::Bounded(Bound { preemptions, strict }));
            let (found, observers) = deepen(first, at)?;
            (found.summary, observers)
        }
    };
    if let Some(objection) = plan.model().objection()
        && summary.violations.is_empty()
    {
        return Err(objection);
    }
    Ok(Explored { summary, observers, algorithm: plan.algorithm() })
}

/// Where the plan is open: the first algorithm that comes to an end within few executions, if one does. A search
/// that is kept in a file goes on for long anyway, and what goes on in it must not change.
fn try_others<M, C, O>(
    inputs: &mut Inputs<'_, '_, '_, M, C, O::Seen>,
    observer: &impl Fn() -> O,
) -> Result<Option<Explored<O>>, InputError>
where
    M: Machine,
    C: Serialize + Clone,
    O: Observer<M> + Witness + Send,
    O::Seen: Default,
{
    let (plan, all) = (inputs.plan, inputs.options);
    let is_short = all.max_executions.is_some_and(|most| most <= TRIAL);
    if is_short || inputs.store.is_kept() || plan.trials().next().is_none() {
        return Ok(None);
    }
    let mut incomplete = None;
    for algorithm in std::iter::once(plan.algorithm()).chain(plan.trials()) {
        let patience = Instant::now() + PATIENCE;
        let deadline = Some(all.deadline.map_or(patience, |deadline| deadline.min(patience)));
        let options = Options { max_executions: Some(TRIAL), deadline, ..all.clone() };
        let (summary, observers) =
            run(inputs, observer, (algorithm.explorer(), algorithm.name()), &options)?;
        let is_complete = summary.unsupported.is_empty() || !summary.violations.is_empty();
        let explored = Explored { summary, observers, algorithm };
        match explored.summary.stopped {
            Some(Stop::MaxExecutions) => {}
            Some(Stop::Deadline) if deadline != all.deadline => {}
            // The others would be stopped, too.
            Some(Stop::Interrupt | Stop::Deadline | Stop::Lesson) => return Ok(Some(explored)),
            Some(Stop::Violation) | None if is_complete => return Ok(Some(explored)),
            // Another one may be able to do what this one could not, or find a violation where this one gave up.
            Some(Stop::Violation) | None => {
                if algorithm == plan.algorithm() {
                    incomplete = Some(explored);
                }
            }
        }
        inputs.tally.start_over();
    }
    Ok(incomplete)
}

fn run<M, C, O>(
    inputs: &mut Inputs<'_, '_, '_, M, C, O::Seen>,
    observer: &impl Fn() -> O,
    (algorithm, name): (Algorithm, &str),
    options: &Options,
) -> Found<O>
where
    M: Machine,
    C: Serialize + Clone,
    O: Observer<M> + Witness + Send,
    O::Seen: Default,
{
    let (plan, machine, log) = (inputs.plan, inputs.machine, inputs.log);
    let begun = log.begin();
    let search = Search { inputs, options, observer };
    let found = match plan.model() {
        PlannedModel::Named(model) => {
            let found = if O::GRAPHS {
                algorithm.with_trust(*model, machine, options, search)
            } else {
                algorithm.with(*model, machine, options, search)
            };
            found.expect("a plan has an algorithm that supports its model")
        }
        // A plan has no other algorithm for it.
        PlannedModel::Loaded(definition) => {
            search.visit(|| Trust::under(definition.instance(), machine, options.clone()))
        }
    };
    if let Ok((summary, _)) = &found {
        log.end(begun, || Part::Search {
            algorithm: name.to_owned(),
            executions: summary.executions,
            blocked: summary.blocked,
            stopped: summary.stopped,
        });
    }
    found
}

/// Searches with whatever explorer it is handed.
struct Search<'s, 'j, 'p, 'f, M, C, W, F> {
    inputs: &'s mut Inputs<'j, 'p, 'f, M, C, W>,
    options: &'s Options,
    observer: &'s F,
}

impl<M, C, O, F> ExplorerVisitor<M> for Search<'_, '_, '_, '_, M, C, O::Seen, F>
where
    M: Machine,
    C: Serialize + Clone,
    O: Observer<M> + Witness + Send,
    O::Seen: Default,
    F: Fn() -> O,
{
    type Output = Found<O>;

    fn visit<E: Explorer<M>>(self, explorer: impl Fn() -> E) -> Found<O> {
        let Inputs { plan, tally, store, .. } = self.inputs;
        let resume = store.frontier()?;
        if let Some(frontier) = &resume {
            tally.start_from(Frontier::executions(frontier));
        }
        let mut estimator = Estimator::new(explorer().into_probe(1), tally);
        let mut tick = || estimator.tick();
        let (interval, is_part) = (store.interval(), store.is_part());
        let mut keep = |frontier: &Frontier<E::Saved>, witnesses: &[&O], _: bool| {
            let seen = O::seen(witnesses, store.seen_before());
            store.save(frontier, &seen);
        };
        let setup = Setup {
            jobs: plan.jobs(),
            resume,
            keeper: match interval {
                Some(interval) => Some((interval, &mut keep)),
                None => None,
            },
            tick: Some(&mut tick),
            to_the_end: is_part,
        };
        let found = norn_explore::search(self.options, explorer, self.observer, setup);
        found.map_err(|mismatch| self.inputs.store.mismatch(&mismatch))
    }
}
