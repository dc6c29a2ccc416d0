//! A search that is saved and taken up again finds what it finds in one go.

use crate::parallel::{keep_going, numbers, program, visit};
use crate::support::slow::Slow;
use crate::support::visits::{Visits, add_up, kinds};
use norn_explore::{Bound, Explorer, Frontier, Options, Rf, Setup, Summary, Trust, search};
use norn_models::{Pso, Ra, Rc11, Sc, Tso};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// One process that ends after it has saved the search so many times: what it saved last, if the
/// search was not over before, and otherwise what it found.
enum Life {
    Killed(String, Visits),
    Over(Summary, Visits),
}

fn live<E: Explorer<Slow>>(
    explorer: &impl Fn(Options) -> E,
    jobs: usize,
    resume: Option<&str>,
    saves: u64,
    coherence: bool,
) -> Life {
    let interrupt = Arc::new(AtomicBool::new(false));
    let options = Options { interrupt: Some(Arc::clone(&interrupt)), ..keep_going() };
    let mut saved = None;
    let mut count = 0;
    let mut keeper = |frontier: &Frontier<E::Saved>, visits: &[&Visits], _: bool| {
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
    let observer = || Visits::new(coherence);
    let found = search(&options, || explorer(options.clone()), observer, setup);
    let (summary, visits) = found.expect("the graphs fit");
    match saved {
        Some((text, visits)) if interrupt.load(Ordering::Relaxed) => Life::Killed(text, visits),
        _ => Life::Over(summary, add_up(visits)),
    }
}

/// Runs a search in several lives, with other numbers of workers and saves in each.
fn compare<E: Explorer<Slow>>(
    explorer: impl Fn(Options) -> E,
    coherence: bool,
    seed: u64,
    what: &str,
) -> usize {
    let (expected, one) = visit(|| explorer(keep_going()), 1, coherence);
    let mut saved: Option<String> = None;
    let mut visits = Vec::new();
    for life in 0..10_000 {
        let (jobs, saves) = (1 + (seed + life) % 3, 1 + (seed + 7 * life) % 11);
        match live(&explorer, jobs as usize, saved.as_deref(), saves, coherence) {
            Life::Killed(text, seen) => {
                saved = Some(text);
                visits.push(seen);
            }
            Life::Over(summary, seen) => {
                visits.push(seen);
                let lives = visits.len();
                let all = add_up(visits);
                all.assert_each_once(what);
                assert_eq!(one, all, "{what}");
                assert_eq!(numbers(&expected), numbers(&summary), "{what}");
                assert_eq!(kinds(&expected), kinds(&summary), "{what}");
                return lives;
            }
        }
    }
    panic!("{what}: the search does not come forward");
}

#[test]
fn nothing_is_lost_or_visited_twice() {
    let mut lives = 0;
    for seed in 0..60 {
        let machine = Slow::new(program(seed));
        let what = format!("seed {seed}");
        lives += compare(|options| Trust::<_, Sc>::new(&machine, options), true, seed, &what);
        lives += compare(|options| Trust::<_, Pso>::new(&machine, options), true, seed, &what);
        lives += compare(|options| Trust::<_, Ra>::new(&machine, options), true, seed, &what);
        lives += compare(|options| Trust::<_, Rc11>::new(&machine, options), true, seed, &what);
    }
    assert!(lives > 360, "only {lives} lives");
}

#[test]
fn no_reads_from_relation_is_lost_or_visited_twice() {
    let mut lives = 0;
    for seed in 0..60 {
        let machine = Slow::new(program(seed));
        let what = format!("seed {seed}");
        lives += compare(|options| Rf::<_, Sc>::new(&machine, options), false, seed, &what);
        lives += compare(|options| Rf::<_, Tso>::new(&machine, options), false, seed, &what);
        lives += compare(|options| Rf::<_, Ra>::new(&machine, options), false, seed, &what);
        lives += compare(|options| Rf::<_, Rc11>::new(&machine, options), false, seed, &what);
    }
    assert!(lives > 360, "only {lives} lives");
}

#[test]
fn nothing_is_lost_within_a_bound() {
    let mut lives = 0;
    for seed in 0..60 {
        let machine = Slow::new(program(seed));
        for preemptions in 0..3 {
            let what = format!("seed {seed}, bound {preemptions}");
            let bound = Bound { preemptions, strict: false };
            let bounded = |options| Trust::<_, Sc, _>::bounded(&machine, options, bound);
            lives += compare(bounded, true, seed, &what);
        }
    }
    assert!(lives > 220, "only {lives} lives");
}

/// A search that was stopped at a number of executions goes on to a larger one.
#[test]
fn a_limit_on_executions_can_be_raised() {
    for seed in 0..40 {
        let machine = Slow::new(program(seed));
        let trust = |options: &Options| Trust::<_, Rc11>::new(&machine, options.clone());
        let (expected, one) = visit(|| trust(&keep_going()), 1, true);
        let mut saved: Option<String> = None;
        let mut visits = Vec::new();
        for limit in 1.. {
            let options = Options { max_executions: Some(limit), ..keep_going() };
            let mut kept = None;
            let mut keeper = |frontier: &Frontier<_>, _: &[&Visits], _: bool| {
                kept = Some(serde_json::to_string(frontier).expect("text"));
            };
            let resume = saved.as_ref().map(|text| serde_json::from_str(text).expect("a frontier"));
            let jobs = 1 + (seed + limit) as usize % 2;
            let setup =
                Setup { jobs, resume, keeper: Some((Duration::MAX, &mut keeper)), tick: None };
            let observer = || Visits::new(true);
            let found = search(&options, || trust(&options), observer, setup);
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
        assert_eq!(one, all, "seed {seed}");
    }
}
