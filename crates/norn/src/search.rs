//! Runs a plan on a machine: the one place where names of models become types.

use crate::plan::{Algorithm, Plan};
use norn_action::Machine;
use norn_explore::{Observer, Options, Summary};
use norn_models::{Model, ModelName, Pso, Ra, Rc11, Sc, Tso};

/// Explores everything the plan and the options ask for. Each worker has an observer of its own; they
/// come back with the summary.
pub(crate) fn explore<M: Machine, O: Observer<M> + Send>(
    machine: &M,
    plan: &Plan,
    options: &Options,
    observer: impl Fn() -> O + Sync,
) -> (Summary, Vec<O>) {
    match plan.model() {
        ModelName::Sc => under::<M, Sc, O>(machine, plan, options, observer),
        ModelName::Tso => under::<M, Tso, O>(machine, plan, options, observer),
        ModelName::Pso => under::<M, Pso, O>(machine, plan, options, observer),
        ModelName::Ra => under::<M, Ra, O>(machine, plan, options, observer),
        ModelName::Rc11 => under::<M, Rc11, O>(machine, plan, options, observer),
    }
}

fn under<M: Machine, Mo: Model, O: Observer<M> + Send>(
    machine: &M,
    plan: &Plan,
    options: &Options,
    observer: impl Fn() -> O + Sync,
) -> (Summary, Vec<O>) {
    match plan.algorithm() {
        Algorithm::Trust => {
            norn_explore::search::<M, Mo, O>(machine, options, plan.jobs(), observer)
        }
    }
}
