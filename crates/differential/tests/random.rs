//! Random programs, each with a few features: Norn finds what the interpreter finds.

use norn_differential::{
    Check, Feature, Features, Settings, Verdict, compare, generate, print, unknown_to_interpreter,
};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

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
