//! Runs a plan on a machine.

use crate::InputError;
use crate::estimator::Estimator;
use crate::model::PlannedModel;
use crate::plan::{BoundName, Plan};
use crate::store::{Store, Witness};
use crate::tally::Tally;
use norn_action::Machine;
use norn_explore::{
    Algorithm, Bound, Explorer, ExplorerVisitor, Frontier, Observer, Options, Setup, Summary,
    Trust, deepen,
};
use serde::Serialize;

/// What a search is given, apart from the explorer.
pub(crate) struct Inputs<'j, 'p, 'f, M, C, W> {
    pub(crate) machine: &'j M,
    pub(crate) plan: &'j Plan,
    pub(crate) options: &'j Options,
    pub(crate) tally: &'j Tally<'p, 'f>,
    pub(crate) store: &'j mut Store<C, W>,
}

type Found<O> = Result<(Summary, Vec<O>), InputError>;

/// Explores everything that is asked for. Each worker has an observer of its own; they come back with
/// the summary.
pub(crate) fn explore<M, C, O>(
    mut inputs: Inputs<'_, '_, '_, M, C, O::Seen>,
    observer: impl Fn() -> O,
) -> Found<O>
where
    M: Machine,
    C: Serialize + Clone,
    O: Observer<M> + Witness + Send,
    O::Seen: Default,
{
    let (plan, machine, options) = (inputs.plan, inputs.machine, inputs.options);
    let first = inputs.store.saved_bound().unwrap_or(0);
    let mut by = |algorithm: Algorithm| {
        let visitor = Search { inputs: &mut inputs, observer: &observer };
        match plan.model() {
            PlannedModel::Named(model) => algorithm
                .with(*model, machine, options, visitor)
                .expect("a plan has an algorithm that supports its model"),
            // A plan has no other algorithm for it.
            PlannedModel::Loaded(definition) => {
                visitor.visit(|| Trust::under(definition.instance(), machine, options.clone()))
            }
        }
    };
    let strict = plan.strict_bound();
    let found = match plan.bound() {
        None => by(plan.algorithm().explorer()),
        Some(BoundName::Preemptions(preemptions)) => {
            by(Algorithm::Bounded(Bound { preemptions, strict }))
        }
        Some(BoundName::Auto) => {
            let at = |preemptions| by(Algorithm::Bounded(Bound { preemptions, strict }));
            let (found, observers) = deepen(first, at)?;
            Ok((found.summary, observers))
        }
    };
    match plan.model().objection() {
        Some(objection)
            if found.as_ref().is_ok_and(|(summary, _)| summary.violations.is_empty()) =>
        {
            Err(objection)
        }
        _ => found,
    }
}

/// Searches with whatever explorer it is handed.
struct Search<'s, 'j, 'p, 'f, M, C, W, F> {
    inputs: &'s mut Inputs<'j, 'p, 'f, M, C, W>,
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
        let Inputs { plan, options, tally, store, .. } = self.inputs;
        let resume = store.frontier()?;
        if let Some(frontier) = &resume {
            tally.start_from(Frontier::executions(frontier));
        }
        let mut estimator = Estimator::new(explorer().into_probe(1), tally);
        let mut tick = || estimator.tick();
        let interval = store.interval();
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
        };
        let found = norn_explore::search(options, explorer, self.observer, setup);
        found.map_err(|mismatch| self.inputs.store.mismatch(&mismatch))
    }
}
