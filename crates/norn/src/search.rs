//! Runs a plan on a machine: the one place where names of models become types.

use crate::plan::{Algorithm, BoundName, Plan};
use norn_action::Machine;
use norn_explore::{Bound, Observer, Options, Rf, Summary, Trust, deepen};
use norn_models::{Arrange, ModelName, Pso, Ra, Rc11, Sc, Tso};

/// Explores everything the plan and the options ask for. Each worker has an observer of its own; they
/// come back with the summary.
pub(crate) fn explore<M: Machine, O: Observer<M> + Send>(
    machine: &M,
    plan: &Plan,
    options: &Options,
    observer: impl Fn() -> O + Sync,
) -> (Summary, Vec<O>) {
    if let Some(bound) = plan.bound() {
        return within(machine, bound, plan.strict_bound(), options, observer);
    }
    match plan.model() {
        ModelName::Sc => under::<M, Sc, O>(machine, plan, options, observer),
        ModelName::Tso => under::<M, Tso, O>(machine, plan, options, observer),
        ModelName::Pso => under::<M, Pso, O>(machine, plan, options, observer),
        ModelName::Ra => under::<M, Ra, O>(machine, plan, options, observer),
        ModelName::Rc11 => under::<M, Rc11, O>(machine, plan, options, observer),
    }
}

/// A bounded search, which a plan makes sure is under sc.
fn within<M: Machine, O: Observer<M>>(
    machine: &M,
    bound: BoundName,
    strict: bool,
    options: &Options,
    observer: impl Fn() -> O,
) -> (Summary, Vec<O>) {
    match bound {
        BoundName::Auto => {
            let (found, observer) = deepen(machine, options, strict, observer);
            (found.summary, vec![observer])
        }
        BoundName::Preemptions(preemptions) => {
            let mut observer = observer();
            let bound = Bound { preemptions, strict };
            let search = Trust::<M, Sc, _>::bounded(machine, options.clone(), bound);
            (search.run(&mut observer), vec![observer])
        }
    }
}

fn under<M: Machine, Mo: Arrange, O: Observer<M> + Send>(
    machine: &M,
    plan: &Plan,
    options: &Options,
    observer: impl Fn() -> O + Sync,
) -> (Summary, Vec<O>) {
    match plan.algorithm() {
        Algorithm::Trust => {
            norn_explore::search::<M, Mo, O>(machine, options, plan.jobs(), observer)
        }
        Algorithm::Rf => {
            let mut observer = observer();
            let summary = Rf::<M, Mo>::new(machine, options.clone()).run(&mut observer);
            (summary, vec![observer])
        }
    }
}
