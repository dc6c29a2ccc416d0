//! `rvf` with several workers, in several lives, and on a machine that cannot save its threads.

use crate::rvf_oracle::difference_of_values;
use crate::support::differential::{Collect, check_many_by};
use crate::support::explore_by;
use crate::support::searches::{
    compare_first_violations, compare_lives, compare_workers, keep_going, numbers, raise_limits,
    visit,
};
use crate::support::slow::Slow;
use norn_action::Forgetful;
use norn_explore::{Aids, Algorithm, Options, Rvf, search_with};
use norn_litmus::{LitmusMachine, Program, Shape, generate};
use norn_models::{ModelName, Sc};

fn program(seed: u64) -> LitmusMachine {
    let shape = match seed % 4 {
        0 => Shape::default(),
        1 => Shape::locks(),
        2 => Shape::seq_cst(),
        _ => Shape::waiting(),
    };
    LitmusMachine::new(generate(seed, &shape))
}

#[test]
fn three_workers_visit_each_class_once() {
    let mut shared = 0;
    for seed in 0..300 {
        let machine = Slow::new(program(seed));
        let new = || Rvf::<_, Sc>::new(&machine, keep_going());
        shared += u32::from(compare_workers(new, false, &format!("seed {seed}")));
    }
    assert!(shared > 20, "only {shared} of 300 searches were shared");
}

/// Who does not look at sources and coherence is shown the events alone: that makes no difference otherwise.
#[test]
fn what_is_found_does_not_depend_on_who_looks() {
    for seed in 0..400 {
        let machine = Slow::new(program(seed));
        let new = || Rvf::<_, Sc>::new(&machine, keep_going());
        let (unseen, _) = search_with(1, &keep_going(), new, || ());
        let (seen, _) = visit(new, 1, false);
        assert_eq!(numbers(&unseen), numbers(&seen), "seed {seed}");
    }
}

#[test]
fn nothing_is_lost_or_visited_twice() {
    let lives = (0..120).map(|seed| {
        let machine = Slow::new(program(seed));
        let new = |options| Rvf::<_, Sc>::new(&machine, options);
        compare_lives(new, false, seed, &format!("seed {seed}"))
    });
    let lives: usize = lives.sum();
    assert!(lives > 180, "only {lives} lives");
}

#[test]
fn a_limit_on_executions_is_exact_and_can_be_raised() {
    for seed in 0..60 {
        let machine = Slow::new(program(seed));
        raise_limits(|options| Rvf::<_, Sc>::new(&machine, options), false, seed);
    }
}

fn forgetful(program: &Program, model: ModelName) -> Option<String> {
    let litmus = LitmusMachine::new(program.clone());
    let machine = Forgetful(LitmusMachine::new(program.clone()));
    let mut collect = Collect::new(&litmus);
    let summary = explore_by(Algorithm::Rvf(Aids::default()), &machine, model, &mut collect);
    difference_of_values(program, &collect, &summary)
}

#[test]
fn values_are_those_of_the_oracle_if_threads_cannot_be_saved() {
    for shape in [Shape::default(), Shape::locks(), Shape::waiting(), Shape::joins()] {
        check_many_by(150, &shape, &[ModelName::Sc], &forgetful);
    }
}

#[test]
fn the_first_violation_is_the_same_with_more_workers_and_replays() {
    let mut found = 0;
    for seed in 0..400 {
        let machine = LitmusMachine::new(generate(seed, &Shape::waiting()));
        let new = || Rvf::<_, Sc>::new(&machine, Options::default());
        found += u32::from(compare_first_violations(&machine, new, &format!("seed {seed}")));
    }
    assert!(found > 50, "only {found} programs have a violation");
}
