//! `rvf` with several workers, in several lives, and on a machine that cannot save its threads.

use crate::rvf_oracle::difference_of_values;
use crate::support::differential::{Collect, check_many_by};
use crate::support::explore_by;
use crate::support::slow::Slow;
use crate::support::visits::{Visits, add_up, kinds};
use norn_action::Forgetful;
use norn_explore::{
    Aids, Algorithm, Frontier, Options, Rvf, Setup, Summary, Violation, replays, search,
    search_with,
};
use norn_litmus::{LitmusMachine, Program, Shape, generate};
use norn_models::{ModelName, Sc};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

fn program(seed: u64) -> LitmusMachine {
    let shape = match seed % 4 {
        0 => Shape::default(),
        1 => Shape::locks(),
        2 => Shape::seq_cst(),
        _ => Shape::waiting(),
    };
    LitmusMachine::new(generate(seed, &shape))
}

fn keep_going() -> Options {
    Options { keep_going: true, ..Options::default() }
}

/// What must not depend on how the work is split.
fn numbers(summary: &Summary) -> ([u64; 3], Vec<String>) {
    let Summary { executions, blocked, figures, .. } = *summary;
    ([executions, blocked, figures.stale], kinds(summary))
}

fn visit(machine: &Slow, jobs: usize) -> (Summary, Vec<Visits>) {
    let explorer = || Rvf::<_, Sc>::new(machine, keep_going());
    search_with(jobs, &keep_going(), explorer, || Visits::new(false))
}

#[test]
fn three_workers_visit_each_class_once() {
    let mut shared = 0;
    for seed in 0..300 {
        let machine = Slow::new(program(seed));
        let (alone, one) = visit(&machine, 1);
        let (together, three) = visit(&machine, 3);
        shared += u32::from(three.iter().filter(|visits| !visits.is_empty()).count() > 1);
        let three = add_up(three);
        three.assert_each_once(&format!("seed {seed}"));
        assert_eq!(add_up(one), three, "seed {seed}");
        assert_eq!(numbers(&alone), numbers(&together), "seed {seed}");
    }
    assert!(shared > 20, "only {shared} of 300 searches were shared");
}

/// Who does not look at sources and coherence is shown the events alone: that makes no difference otherwise.
#[test]
fn what_is_found_does_not_depend_on_who_looks() {
    for seed in 0..400 {
        let machine = Slow::new(program(seed));
        let explorer = || Rvf::<_, Sc>::new(&machine, keep_going());
        let (unseen, _) = search_with(1, &keep_going(), explorer, || ());
        let (seen, _) = visit(&machine, 1);
        assert_eq!(numbers(&unseen), numbers(&seen), "seed {seed}");
    }
}

/// One process that ends after it has saved the search so many times: what it saved last, or what it found,
/// and what it saw.
fn live(
    machine: &Slow,
    jobs: usize,
    resume: Option<&str>,
    saves: u64,
) -> (Result<Summary, String>, Visits) {
    let interrupt = Arc::new(AtomicBool::new(false));
    let options = Options { interrupt: Some(Arc::clone(&interrupt)), ..keep_going() };
    let (mut saved, mut count) = (None, 0);
    let mut keeper = |frontier: &Frontier<_>, visits: &[&Visits], _: bool| {
        count += 1;
        if count <= saves {
            let text = serde_json::to_string(frontier).expect("text");
            saved = Some((text, add_up(visits.iter().copied().cloned())));
        }
        if count >= saves {
            interrupt.store(true, Ordering::Relaxed);
        }
    };
    let resume = resume.map(|text| serde_json::from_str(text).expect("what was saved"));
    let setup = Setup { jobs, resume, keeper: Some((Duration::ZERO, &mut keeper)), tick: None };
    let explorer = || Rvf::<_, Sc>::new(machine, options.clone());
    let found = search(&options, explorer, || Visits::new(false), setup);
    let (summary, visits) = found.expect("the graphs fit");
    match saved {
        Some((text, visits)) if interrupt.load(Ordering::Relaxed) => (Err(text), visits),
        _ => (Ok(summary), add_up(visits)),
    }
}

#[test]
fn nothing_is_lost_or_visited_twice() {
    let mut lives = 0;
    for seed in 0..120 {
        let machine = Slow::new(program(seed));
        let (expected, one) = visit(&machine, 1);
        let (mut saved, mut visits) = (None::<String>, Vec::new());
        let summary = loop {
            let life = visits.len() as u64;
            let (jobs, saves) = (1 + (seed + life) % 3, 1 + (seed + 7 * life) % 11);
            let (found, seen) = live(&machine, jobs as usize, saved.as_deref(), saves);
            visits.push(seen);
            match found {
                Ok(summary) => break summary,
                Err(text) => saved = Some(text),
            }
            assert!(life < 10_000, "seed {seed}: the search does not come forward");
        };
        lives += visits.len();
        let all = add_up(visits);
        all.assert_each_once(&format!("seed {seed}"));
        assert_eq!(add_up(one), all, "seed {seed}");
        assert_eq!(numbers(&expected), numbers(&summary), "seed {seed}");
    }
    assert!(lives > 180, "only {lives} lives");
}

/// A search that is stopped at each number of executions goes on to the next one.
#[test]
fn a_limit_on_executions_is_exact_and_can_be_raised() {
    for seed in 0..60 {
        let machine = Slow::new(program(seed));
        let (expected, one) = visit(&machine, 1);
        let (mut saved, mut visits) = (None::<String>, Vec::new());
        for limit in 1.. {
            let options = Options { max_executions: Some(limit), ..keep_going() };
            let mut kept = None;
            let mut keeper = |frontier: &Frontier<_>, _: &[&Visits], _: bool| {
                kept = Some(serde_json::to_string(frontier).expect("text"));
            };
            let resume = saved.as_ref().map(|text| serde_json::from_str(text).expect("a frontier"));
            let jobs = 1 + (seed + limit) as usize % 2;
            let keeper = Some((Duration::MAX, &mut keeper as _));
            let setup = Setup { jobs, resume, keeper, tick: None };
            let explorer = || Rvf::<_, Sc>::new(&machine, options.clone());
            let found = search(&options, explorer, || Visits::new(false), setup);
            let (summary, seen) = found.expect("the graphs fit");
            visits.extend(seen);
            saved = kept;
            if saved.is_none() {
                assert_eq!(numbers(&expected), numbers(&summary), "seed {seed}");
                break;
            }
            assert_eq!(summary.executions, limit, "seed {seed}");
        }
        let all = add_up(visits);
        all.assert_each_once("a raised limit");
        assert_eq!(add_up(one), all, "seed {seed}");
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

/// What is reported runs again, and does not depend on the number of workers.
#[test]
fn the_first_violation_is_the_same_with_more_workers_and_replays() {
    let mut found = 0;
    for seed in 0..400 {
        let machine = LitmusMachine::new(generate(seed, &Shape::waiting()));
        let first = |jobs| {
            let explorer = || Rvf::<_, Sc>::new(&machine, Options::default());
            search_with(jobs, &Options::default(), explorer, || ()).0.violations.pop()
        };
        let say =
            |violation: &Violation| format!("{:?} {:?}", violation.fault, violation.graph.order());
        let alone = first(1);
        assert_eq!(alone.as_ref().map(say), first(3).as_ref().map(say), "seed {seed}");
        if let Some(violation) = alone {
            found += 1;
            assert_eq!(replays::<_, Sc>(&machine, &violation), Ok(true), "seed {seed}");
        }
    }
    assert!(found > 50, "only {found} programs have a violation");
}
