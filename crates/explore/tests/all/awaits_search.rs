//! `await` with several workers, in several lives, and on a machine that cannot save its threads.

use crate::support::differential::{Collect, check_many_by, difference_from_oracle};
use crate::support::engine::Distinguishes;
use crate::support::searches::{
    compare_first_violations, compare_lives, compare_workers, keep_going, numbers, raise_limits,
};
use crate::support::slow::Slow;
use norn_action::{Forgetful, Machine};
use norn_explore::{Awaits, Conflicts, Explorer, Options, Summary, search_with};
use norn_litmus::{LitmusMachine, Program, Shape, generate};
use norn_models::{ModelName, Sc};

fn program(seed: u64) -> LitmusMachine {
    let shape = match seed % 4 {
        0 => Shape::default(),
        1 => Shape::locks(),
        2 => Shape::awaits(),
        _ => Shape::waiting(),
    };
    LitmusMachine::new(generate(seed, &shape))
}

fn explorer<M: Machine>(machine: &M, options: Options) -> Awaits<'_, M, Sc> {
    Awaits::new(machine, options, Conflicts::Standard)
}

/// Where updates commute, whoever comes first shows the order that it found.
fn count(machine: &Slow, jobs: usize) -> Summary {
    let explorer = || Awaits::<_, Sc>::new(machine, keep_going(), Conflicts::Weak);
    search_with(jobs, &keep_going(), explorer, || ()).0
}

#[test]
fn three_workers_visit_each_execution_once() {
    let mut shared = 0;
    for seed in 0..300 {
        let (machine, what) = (Slow::new(program(seed)), format!("seed {seed}"));
        let new = || explorer(&machine, keep_going());
        shared += u32::from(compare_workers(new, true, &what));
        assert_eq!(numbers(&count(&machine, 1)), numbers(&count(&machine, 3)), "{what}");
    }
    assert!(shared > 20, "only {shared} of 300 searches were shared");
}

#[test]
fn nothing_is_lost_or_visited_twice() {
    let lives = (0..120).map(|seed| {
        let machine = Slow::new(program(seed));
        compare_lives(|options| explorer(&machine, options), true, seed, &format!("seed {seed}"))
    });
    let lives: usize = lives.sum();
    assert!(lives > 180, "only {lives} lives");
}

#[test]
fn a_limit_on_executions_is_exact_and_can_be_raised() {
    for seed in 0..60 {
        let machine = Slow::new(program(seed));
        raise_limits(|options| explorer(&machine, options), true, seed);
    }
}

fn forgetful(program: &Program, model: ModelName) -> Option<String> {
    let litmus = LitmusMachine::new(program.clone());
    let machine = Forgetful(LitmusMachine::new(program.clone()));
    let mut collect = Collect::new(&litmus);
    let summary = explorer(&machine, keep_going()).run(&mut collect);
    difference_from_oracle(Distinguishes::Graphs, program, model, collect, &summary)
}

#[test]
fn graphs_are_those_of_the_oracle_if_threads_cannot_be_saved() {
    for shape in [Shape::default(), Shape::locks(), Shape::waiting(), Shape::joins()] {
        let shape = Shape { max_actions: 8, ..shape };
        check_many_by(100, &shape, &[ModelName::Sc], &forgetful);
    }
}

#[test]
fn the_first_violation_is_the_same_with_more_workers_and_replays() {
    let mut found = 0;
    for seed in 0..400 {
        let machine = LitmusMachine::new(generate(seed, &Shape::waiting()));
        let new = || explorer(&machine, Options::default());
        found += u32::from(compare_first_violations(&machine, new, &format!("seed {seed}")));
    }
    assert!(found > 50, "only {found} programs have a violation");
}
