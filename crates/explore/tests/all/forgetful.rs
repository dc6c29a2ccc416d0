//! A machine that cannot save its threads is explored like one that can: every comparison with the oracle
//! and every answer to a litmus test, with the execution run again whenever the search has gone back.

use crate::litmus::compare;
use crate::parallel;
use crate::rf_oracle::difference_of_relations;
use crate::support::differential::{Collect, check_many_by, difference_of_graphs};
use crate::support::slow::Slow;
use crate::support::table::check_all;
use crate::support::{explore, explore_rf, run_on};
use norn_action::Forgetful;
use norn_explore::{Bound, Rf, Trust};
use norn_litmus::{LitmusMachine, Program, Shape, generate};
use norn_models::{C20, ModelName, Ra, Sc};

/// Programs of each shape in an ordinary run.
const PROGRAMS: u64 = 120;

fn graphs(program: &Program, model: ModelName) -> Option<String> {
    let litmus = LitmusMachine::new(program.clone());
    let machine = Forgetful(LitmusMachine::new(program.clone()));
    let mut collect = Collect::new(&litmus);
    let summary = explore(&machine, model, &mut collect);
    difference_of_graphs(program, model, collect, &summary)
}

fn relations(program: &Program, model: ModelName) -> Option<String> {
    let litmus = LitmusMachine::new(program.clone());
    let machine = Forgetful(LitmusMachine::new(program.clone()));
    let mut collect = Collect::new(&litmus);
    let summary = explore_rf(&machine, model, &mut collect);
    difference_of_relations(program, model, collect, &summary)
}

fn shapes() -> [Shape; 8] {
    [
        Shape::default(),
        Shape::seq_cst(),
        Shape { max_actions: 8, ..Shape::locks() },
        Shape { assumes: true, max_actions: 8, ..Shape::default() },
        Shape::awaits(),
        Shape::semaphores(),
        Shape::joins(),
        Shape::waiting(),
    ]
}

#[test]
fn execution_graphs_are_those_of_the_oracle() {
    for shape in shapes() {
        check_many_by(PROGRAMS, &shape, &ModelName::ALL, graphs);
    }
}

#[test]
fn reads_from_relations_are_those_of_the_oracle() {
    for shape in shapes() {
        check_many_by(PROGRAMS, &shape, &ModelName::ALL, relations);
    }
}

#[test]
fn all_answers_to_litmus_tests_are_reproduced() {
    check_all(|row, program| {
        let litmus = LitmusMachine::new(program.clone());
        let machine = Forgetful(LitmusMachine::new(program.clone()));
        compare(row, run_on(&machine, &litmus, row.model))
    });
}

#[test]
fn workers_hand_executions_over_as_the_answers_that_led_to_them() {
    let mut shared = 0;
    for seed in 0..60 {
        let machine = Forgetful(Slow::new(parallel::program(seed)));
        let what = format!("seed {seed}");
        let options = parallel::keep_going;
        let bound = Bound { preemptions: 1, strict: false };
        let searches = [
            parallel::compare(|| Trust::<_, Sc>::new(&machine, options()), true, &what),
            parallel::compare(|| Trust::<_, C20>::new(&machine, options()), true, &what),
            parallel::compare(|| Rf::<_, Ra>::new(&machine, options()), false, &what),
            parallel::compare(
                || Trust::<_, Sc, _>::bounded(&machine, options(), bound),
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
