//! Runs a plan on a machine: the one place where names of models become types.

use crate::plan::{Algorithm, Plan};
use norn_action::Machine;
use norn_explore::{Observer, Options, Summary, Trust};
use norn_models::{Model, ModelName, Pso, Ra, Rc11, Sc, Tso};

/// Explores everything the plan and the options ask for.
pub(crate) fn explore<M: Machine>(
    machine: &M,
    plan: &Plan,
    options: Options,
    observer: &mut impl Observer<M>,
) -> Summary {
    match plan.model() {
        ModelName::Sc => under::<M, Sc>(machine, plan, options, observer),
        ModelName::Tso => under::<M, Tso>(machine, plan, options, observer),
        ModelName::Pso => under::<M, Pso>(machine, plan, options, observer),
        ModelName::Ra => under::<M, Ra>(machine, plan, options, observer),
        ModelName::Rc11 => under::<M, Rc11>(machine, plan, options, observer),
    }
}

fn under<M: Machine, Mo: Model>(
    machine: &M,
    plan: &Plan,
    options: Options,
    observer: &mut impl Observer<M>,
) -> Summary {
    match plan.algorithm() {
        Algorithm::Trust => Trust::<M, Mo>::new(machine, options).run(observer),
    }
}
