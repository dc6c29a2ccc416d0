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

/// The frontier in a place where another thread was met first, so that all have the next id; none if something
/// was found, which stays where it is. Done on the text, since there are numbers of 128 bits in it.
fn elsewhere(frontier: &str) -> Option<String> {
    let (head, rest) = frontier.strip_prefix("{\"threads\":")?.split_once(",\"tasks\":")?;
    let mut threads: Vec<(u32, u32)> = serde_json::from_str(head).expect("a list");
    assert!(threads.iter().all(|thread| thread.0 == 0), "all are started by the main thread");
    threads.insert(0, (0, 1000));
    let head = serde_json::to_string(&threads).expect("text");
    let moved = format!("{{\"threads\":{head},\"tasks\":{rest}");
    moved.contains("\"violations\":[]").then_some(moved)
}

/// Likewise, for each task of `trust` alone.
fn scattered(frontier: &str) -> Option<Vec<String>> {
    let whole: serde_json::Value = serde_json::from_str(&elsewhere(frontier)?).expect("a frontier");
    let alone = |task: &serde_json::Value| {
        let mut one = whole.clone();
        one["tasks"] = vec![task.clone()].into();
        one.to_string()
    };
    Some(whole["tasks"].as_array().expect("a list").iter().map(alone).collect())
}

/// Programs in which nobody is named by number, as joins and locks of litmus tests do.
fn nameless(seeds: u64) -> impl Iterator<Item = (u64, Slow)> {
    let machines = (0..seeds).map(|seed| (seed, program(seed)));
    let nameless = machines.filter(|(_, machine)| {
        let text = norn_litmus::print(machine.program());
        !text.contains("join(") && !text.contains("spin_lock(")
    });
    nameless.map(|(seed, machine)| (seed, Slow::new(machine)))
}

/// A task is a value that means the same elsewhere: each is done alone, with other ids for the threads.
#[test]
fn tasks_travel_alone() {
    let mut tasks = 0;
    for (seed, machine) in nameless(50) {
        tasks += scatter(|options| Trust::<_, Sc>::new(&machine, options), seed);
        tasks += scatter(|options| Trust::<_, Rc11>::new(&machine, options), seed);
        let bound = Bound { preemptions: 1, strict: false };
        tasks += scatter(|options| Trust::<_, Sc, _>::bounded(&machine, options, bound), seed);
    }
    assert!(tasks > 10, "only {tasks} tasks");
}

fn scatter<E: Explorer<Slow>>(explorer: impl Fn(Options) -> E, seed: u64) -> usize {
    let (_, one) = visit(|| explorer(keep_going()), 1, true);
    let Life::Killed(saved, seen) = live(&explorer, 2, None, 1 + seed % 3, true) else { return 0 };
    let mut visits = vec![seen];
    let Some(pieces) = scattered(&saved) else { return 0 };
    for piece in &pieces {
        match live(&explorer, 1, Some(piece), u64::MAX, true) {
            Life::Over(_, seen) => visits.push(seen),
            Life::Killed(..) => panic!("nobody stops it"),
        }
    }
    let all = add_up(visits);
    all.assert_each_once(&format!("seed {seed}"));
    assert_eq!(one, all, "seed {seed}");
    pieces.len()
}

/// The nodes of `rf` are shared, so its tasks stay together; but the threads get other ids.
#[test]
fn shared_nodes_mean_the_same_elsewhere() {
    let mut searches = 0;
    for (seed, machine) in nameless(120) {
        let explorer = |options| Rf::<_, Rc11>::new(&machine, options);
        let (_, one) = visit(|| explorer(keep_going()), 1, false);
        let Life::Killed(saved, seen) = live(&explorer, 2, None, 1 + seed % 3, false) else {
            continue;
        };
        let Some(moved) = elsewhere(&saved) else { continue };
        let Life::Over(_, rest) = live(&explorer, 2, Some(&moved), u64::MAX, false) else {
            panic!("nobody stops it")
        };
        let all = add_up([seen, rest]);
        all.assert_each_once(&format!("seed {seed}"));
        assert_eq!(one, all, "seed {seed}");
        searches += 1;
    }
    assert!(searches > 5, "only {searches} searches");
}
