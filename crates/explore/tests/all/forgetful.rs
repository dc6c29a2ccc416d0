//! A machine that cannot save its threads is explored like one that can, with the execution run again whenever
//! the search has gone back. See also [`crate::corpus`].

use crate::parallel::program;
use crate::support::explore;
use crate::support::searches::{compare_workers, keep_going};
use crate::support::slow::Slow;
use norn_action::Forgetful;
use norn_explore::{Bound, Rf, Trust};
use norn_litmus::{LitmusMachine, Shape, generate};
use norn_models::{C20, ModelName, Ra, Sc};

#[test]
fn workers_hand_executions_over_as_the_answers_that_led_to_them() {
    let mut shared = 0;
    for seed in 0..60 {
        let machine = Forgetful(Slow::new(program(seed)));
        let what = format!("seed {seed}");
        let bound = Bound { preemptions: 1, strict: false };
        let searches = [
            compare_workers(|| Trust::<_, Sc>::new(&machine, keep_going()), true, &what),
            compare_workers(|| Trust::<_, C20>::new(&machine, keep_going()), true, &what),
            compare_workers(|| Rf::<_, Ra>::new(&machine, keep_going()), false, &what),
            compare_workers(
                || Trust::<_, Sc, _>::bounded(&machine, keep_going(), bound),
                true,
                &what,
            ),
        ];
        shared += searches.into_iter().filter(|&shared| shared).count();
    }
    assert!(shared > 40, "only {shared} of 240 searches were shared");
}

/// Where every way down leads to an execution, there is one run for each of them.
#[test]
fn the_program_is_run_once_per_backtrack() {
    let shape = Shape { rmws: false, ..Shape::default() };
    let mut all = 0;
    for seed in 0..200 {
        let machine = Forgetful(Slow::new(LitmusMachine::new(generate(seed, &shape))));
        let summary = explore(&machine, ModelName::Sc, &mut ());
        assert_eq!(machine.0.starts(), summary.executions, "seed {seed}");
        all += summary.executions;
    }
    assert!(all > 1000, "only {all} executions");
}
