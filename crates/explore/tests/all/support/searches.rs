//! Searches by any algorithm with several workers, in several lives, and up to limits: all find what one worker
//! finds in one go.

use super::slow::Slow;
use super::visits::{Visits, add_up, kinds};
use norn_action::Machine;
use norn_explore::{
    Explorer, Frontier, Options, Setup, Summary, Violation, replays, search, search_with,
};
use norn_litmus::LitmusMachine;
use norn_models::Sc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// All violations.
pub fn keep_going() -> Options {
    Options { keep_going: true, ..Options::default() }
}

/// Everything, with that many workers. With `coherence`, executions differ by it.
pub fn visit<M: Machine, E: Explorer<M>>(
    explorer: impl Fn() -> E,
    jobs: usize,
    coherence: bool,
) -> (Summary, Visits) {
    let observer = || Visits::new(coherence);
    let (summary, visits) = search_with(jobs, &keep_going(), explorer, observer);
    (summary, add_up(visits))
}

/// The numbers that must not depend on how the work is split.
pub fn numbers(summary: &Summary) -> [u64; 6] {
    let Summary { executions, blocked, figures, .. } = *summary;
    let bound = figures.bound.unwrap_or_default();
    [executions, blocked, figures.stale, bound.beyond, bound.blocked, bound.discarded]
}

/// Panics unless both searches found the same.
fn assert_same(expected: &(Summary, Visits), found: &(Summary, Visits), what: &str) {
    assert_eq!(numbers(&expected.0), numbers(&found.0), "{what}");
    assert_same_visits(expected, found, what);
}

/// The same, but for the numbers that are not about executions.
pub fn assert_same_visits(expected: &(Summary, Visits), found: &(Summary, Visits), what: &str) {
    found.1.assert_each_once(what);
    assert_eq!(expected.1, found.1, "{what}");
    let executions = |found: &Summary| (found.executions, found.blocked);
    assert_eq!(executions(&expected.0), executions(&found.0), "{what}");
    assert_eq!(kinds(&expected.0), kinds(&found.0), "{what}");
}

/// Compares one worker with three; true if more than one of the three had something to do.
pub fn compare_workers<M: Machine, E: Explorer<M>>(
    explorer: impl Fn() -> E,
    coherence: bool,
    what: &str,
) -> bool {
    let alone = visit(&explorer, 1, coherence);
    let observer = || Visits::new(coherence);
    let (together, three) = search_with(3, &keep_going(), explorer, observer);
    let shared = three.iter().filter(|visits| !visits.is_empty()).count() > 1;
    assert_same(&alone, &(together, add_up(three)), what);
    shared
}

/// One process that ends after it has saved the search so many times: what it saved last, if the
/// search was not over before, and otherwise what it found.
pub enum Life {
    Killed(String, Visits),
    Over(Summary, Visits),
}

/// One life, which goes on from what an earlier one saved.
pub fn live<E: Explorer<Slow>>(
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
    let setup = Setup { resume, keeper: Some((Duration::ZERO, &mut keeper)), ..Setup::of(jobs) };
    let observer = || Visits::new(coherence);
    let found = search(&options, || explorer(options.clone()), observer, setup);
    let (summary, visits) = found.expect("the graphs fit");
    match saved {
        Some((text, visits)) if interrupt.load(Ordering::Relaxed) => Life::Killed(text, visits),
        _ => Life::Over(summary, add_up(visits)),
    }
}

/// Runs a search in several lives, with other numbers of workers and saves in each. The number of lives.
pub fn compare_lives<E: Explorer<Slow>>(
    explorer: impl Fn(Options) -> E,
    coherence: bool,
    seed: u64,
    what: &str,
) -> usize {
    let expected = visit(|| explorer(keep_going()), 1, coherence);
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
                assert_same(&expected, &(summary, add_up(visits)), what);
                return lives;
            }
        }
    }
    panic!("{what}: the search does not come forward");
}

/// Stops a search at each number of executions, and goes on to the next one: with all violations, and up to the
/// first.
pub fn raise_limits<E: Explorer<Slow>>(
    explorer: impl Fn(Options) -> E,
    coherence: bool,
    seed: u64,
) {
    let what = format!("seed {seed}");
    let expected = visit(|| explorer(keep_going()), 1, coherence);
    let mut visits = Vec::new();
    let mut saved = None;
    for limit in 1.. {
        let (summary, seen);
        (summary, seen, saved) =
            up_to(limit, &keep_going(), &explorer, saved.as_deref(), coherence, seed);
        visits.extend(seen);
        if saved.is_none() {
            assert_same(&expected, &(summary, add_up(visits)), &what);
            break;
        }
        assert_eq!(summary.executions, limit, "{what}");
    }
    let mut saved = None;
    for limit in 1.. {
        let summary;
        (summary, _, saved) =
            up_to(limit, &Options::default(), &explorer, saved.as_deref(), coherence, seed);
        if saved.is_none() || !summary.violations.is_empty() {
            let found = !summary.violations.is_empty();
            assert_eq!(found, !expected.0.violations.is_empty(), "{what}: the first violation");
            return;
        }
    }
}

/// Goes on from what was saved, up to so many executions in all: what was found, and what is saved if there is more.
fn up_to<E: Explorer<Slow>>(
    limit: u64,
    options: &Options,
    explorer: impl Fn(Options) -> E,
    saved: Option<&str>,
    coherence: bool,
    seed: u64,
) -> (Summary, Vec<Visits>, Option<String>) {
    let options = Options { max_executions: Some(limit), ..options.clone() };
    let mut kept = None;
    let mut keeper = |frontier: &Frontier<_>, _: &[&Visits], _: bool| {
        kept = Some(serde_json::to_string(frontier).expect("text"));
    };
    let resume = saved.map(|text| serde_json::from_str(text).expect("a frontier"));
    let jobs = 1 + (seed + limit) as usize % 2;
    let setup = Setup { resume, keeper: Some((Duration::MAX, &mut keeper)), ..Setup::of(jobs) };
    let observer = || Visits::new(coherence);
    let found = search(&options, || explorer(options.clone()), observer, setup);
    let (summary, seen) = found.expect("the graphs fit");
    (summary, seen, kept)
}

/// What is reported first runs again under sc, and does not depend on the number of workers. True if there is
/// something.
pub fn compare_first_violations<E: Explorer<LitmusMachine>>(
    machine: &LitmusMachine,
    explorer: impl Fn() -> E,
    what: &str,
) -> bool {
    let first = |jobs| search_with(jobs, &Options::default(), &explorer, || ()).0.violations.pop();
    let say =
        |violation: &Violation| format!("{:?} {:?}", violation.fault, violation.graph.order());
    let alone = first(1);
    assert_eq!(alone.as_ref().map(say), first(3).as_ref().map(say), "{what}");
    if let Some(violation) = &alone {
        assert_eq!(replays::<_, Sc>(machine, violation), Ok(true), "{what}");
    }
    alone.is_some()
}
