//! Random programs, each with a few features: Norn finds what the interpreter finds.

use norn_differential::{
    Check, Feature, Features, Program, Search, Settings, Verdict, compare, generate, load, print,
    unknown_to_interpreter,
};
use norn_models::ModelName;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// How long one search may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// Compares programs on two threads; what differs, as text.
fn differences(seeds: std::ops::Range<u64>, features: &Features, settings: &Settings) -> String {
    let next = AtomicU64::new(seeds.start);
    let text = Mutex::new(String::new());
    let worker = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds.end {
                break;
            }
            let program = generate(seed, features);
            if let Verdict::Different(difference) = compare(&program, settings) {
                let mut text = text.lock().expect("no worker panics");
                *text += &format!("seed {seed}: {difference}\n{}\n", print(&program));
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(worker);
        scope.spawn(worker);
    });
    text.into_inner().expect("no worker panics")
}

#[test]
fn results_and_faults_are_the_same_under_sc() {
    let settings = Settings { states: 5_000, checks: Check::quick(), ..Settings::default() };
    let text = differences(0..200, &Features::all(), &settings);
    assert!(text.is_empty(), "{text}");
}

/// What is taken back is noticed, or not, as it happens.
#[test]
fn tries_that_are_taken_back() {
    let features = Features::of(&[Feature::TakeBacks, Feature::Awaits, Feature::Mutexes]);
    let settings = Settings { states: 300, checks: Check::quick(), ..Settings::default() };
    let text = differences(50..150, &features, &settings);
    assert!(text.is_empty(), "{text}");
}

/// What a loop keeps counts where it is looked at, and nowhere else.
#[test]
fn loops_that_keep_what_they_see() {
    let features = Features::of(&[Feature::Kept, Feature::Plain, Feature::Loops, Feature::Helpers]);
    let settings = Settings { states: 300, checks: Check::quick(), ..Settings::default() };
    let text = differences(0..200, &features, &settings);
    assert!(text.is_empty(), "{text}");
}

/// Of threads that are alike, nothing is missed, and a good part of the programs is reduced.
#[test]
fn threads_that_are_alike() {
    let features =
        [Feature::Alike, Feature::Plain, Feature::Mutexes, Feature::TryLocks, Feature::Boxes];
    let rest = [Feature::Awaits, Feature::Loops, Feature::Semaphores, Feature::RwLocks];
    let features = Features::of(&[&features[..], &rest].concat());
    let checks = Check::all().into_iter().filter(|check| check.is_for_threads_that_are_alike());
    let settings = Settings { states: 1_500, checks: checks.collect(), ..Settings::default() };
    let text = differences(0..150, &features, &settings);
    assert!(text.is_empty(), "{text}");
    let programs = (0..60).map(|seed| generate(seed, &features)).filter(|program| program.alike);
    let is_reduced = |program: &Program| {
        let subject = load(program).expect("it compiles");
        let searches = [Search::Trust(1), Search::Alike(1)];
        let [all, reduced] =
            searches.map(|search| subject.explore(ModelName::Sc, search, PATIENCE));
        reduced.executions < all.executions
    };
    let (reduced, rest): (Vec<_>, Vec<_>) = programs.partition(is_reduced);
    assert!(reduced.len() > rest.len() / 2, "{} reduced, {} not", reduced.len(), rest.len());
}

/// Every way of searching, and the other models.
#[test]
fn every_search_finds_the_same() {
    let settings = Settings { states: 1_500, ..Settings::default() };
    let text = differences(1_000..1_040, &Features::all(), &settings);
    assert!(text.is_empty(), "{text}");
}

/// The interpreter knows what a real library on a real machine does, with all features.
#[test]
fn native_runs_do_nothing_unknown() {
    for seed in 0..40 {
        let program = generate(seed, &Features::all());
        match unknown_to_interpreter(&program, 5, 10_000) {
            Ok(None) => {}
            Ok(Some(text)) => panic!("seed {seed} printed {text:?}\n{}", print(&program)),
            Err(error) => panic!("seed {seed}: {error}"),
        }
    }
}
