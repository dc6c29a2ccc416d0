//! Runs a plan on a machine: the one place where names of models become types.

use crate::InputError;
use crate::estimator::Estimator;
use crate::plan::{Algorithm, BoundName, Plan};
use crate::store::{Store, Witness};
use crate::tally::Tally;
use norn_action::Machine;
use norn_explore::{
    Bound, Explorer, Frontier, Observer, Options, Prune, Rf, Setup, Summary, Trust, deepen,
};
use norn_models::{Arrange, C20, Model, ModelName, Pso, Ra, Rc11, Sc, Tso};
use serde::Serialize;

/// What is searched and how, apart from the explorer.
pub(crate) struct Quest<'q, 'p, 'f, M, C, W> {
    pub(crate) machine: &'q M,
    pub(crate) plan: &'q Plan,
    pub(crate) options: &'q Options,
    pub(crate) tally: &'q Tally<'p, 'f>,
    pub(crate) store: &'q mut Store<C, W>,
}

type Found<O> = Result<(Summary, Vec<O>), InputError>;

/// Explores everything that is asked for. Each worker has an observer of its own; they come back with
/// the summary.
pub(crate) fn explore<M, C, O>(
    quest: Quest<'_, '_, '_, M, C, O::Seen>,
    observer: impl Fn() -> O,
) -> Found<O>
where
    M: Machine,
    C: Serialize + Clone,
    O: Observer<M> + Witness + Send,
    O::Seen: Default,
{
    if let Some(bound) = quest.plan.bound() {
        return within(quest, bound, observer);
    }
    match quest.plan.model() {
        ModelName::Sc => under::<M, Sc, C, O>(quest, observer),
        ModelName::Tso => under::<M, Tso, C, O>(quest, observer),
        ModelName::Pso => under::<M, Pso, C, O>(quest, observer),
        ModelName::Ra => under::<M, Ra, C, O>(quest, observer),
        ModelName::Rc11 => under::<M, Rc11, C, O>(quest, observer),
        ModelName::C20 => under::<M, C20, C, O>(quest, observer),
    }
}

/// A bounded search, which a plan makes sure is under sc.
fn within<M, C, O>(
    mut quest: Quest<'_, '_, '_, M, C, O::Seen>,
    bound: BoundName,
    observer: impl Fn() -> O,
) -> Found<O>
where
    M: Machine,
    C: Serialize + Clone,
    O: Observer<M> + Witness + Send,
    O::Seen: Default,
{
    let (machine, options, strict) = (quest.machine, quest.options, quest.plan.strict_bound());
    let mut frontier = quest.store.frontier()?;
    let first = frontier.as_ref().and_then(Frontier::bound).unwrap_or(0);
    let mut at = |preemptions| {
        let bound = Bound { preemptions, strict };
        let explorer = || Trust::<M, Sc, _>::bounded(machine, options.clone(), bound);
        let estimator = Estimator::new(explorer(), quest.tally, false);
        search(&mut quest, explorer, estimator, frontier.take(), &observer)
    };
    match bound {
        BoundName::Preemptions(preemptions) => at(preemptions),
        BoundName::Auto => {
            let (found, observers) = deepen(first, at)?;
            Ok((found.summary, observers))
        }
    }
}

fn under<M, Mo, C, O>(
    mut quest: Quest<'_, '_, '_, M, C, O::Seen>,
    observer: impl Fn() -> O,
) -> Found<O>
where
    M: Machine,
    Mo: Arrange,
    C: Serialize + Clone,
    O: Observer<M> + Witness + Send,
    O::Seen: Default,
{
    let (machine, options) = (quest.machine, quest.options);
    let trust = || Trust::<M, Mo>::new(machine, options.clone());
    match quest.plan.algorithm() {
        Algorithm::Trust => {
            let frontier = quest.store.frontier()?;
            let estimator = Estimator::new(trust(), quest.tally, false);
            search(&mut quest, trust, estimator, frontier, observer)
        }
        Algorithm::Rf => {
            let frontier = quest.store.frontier()?;
            let estimator = Estimator::new(trust(), quest.tally, true);
            let rf = || Rf::<M, Mo>::new(machine, options.clone());
            search(&mut quest, rf, estimator, frontier, observer)
        }
    }
}

fn search<M, E, Mo, P, C, O>(
    quest: &mut Quest<'_, '_, '_, M, C, O::Seen>,
    explorer: impl Fn() -> E,
    mut estimator: Estimator<'_, '_, '_, '_, M, Mo, P>,
    resume: Option<Frontier<E::Saved>>,
    observer: impl Fn() -> O,
) -> Found<O>
where
    M: Machine,
    E: Explorer<M>,
    Mo: Model,
    P: Prune,
    C: Serialize + Clone,
    O: Observer<M> + Witness + Send,
    O::Seen: Default,
{
    let store = &mut *quest.store;
    if let Some(frontier) = &resume {
        quest.tally.start_from(frontier.executions());
    }
    let interval = store.interval();
    let mut keep = |frontier: &Frontier<E::Saved>, witnesses: &[&O], _: bool| {
        let seen = O::seen(witnesses, store.seen_before());
        store.save(frontier, &seen);
    };
    let mut tick = || estimator.tick();
    let setup = Setup {
        jobs: quest.plan.jobs(),
        resume,
        keeper: match interval {
            Some(interval) => Some((interval, &mut keep)),
            None => None,
        },
        tick: Some(&mut tick),
    };
    let found = norn_explore::search(quest.options, explorer, observer, setup);
    found.map_err(|mismatch| quest.store.mismatch(&mismatch))
}
