//! A search that is dealt out in parts finds what it finds in one go, whatever part is searched first.

use crate::parallel::program;
use crate::support::searches::{keep_going, numbers};
use norn_explore::{
    Bound, Explorer, Frontier, Options, SavedSummary, Setup, Slice, Sliced, Summary, Trust, search,
    slice,
};
use norn_litmus::LitmusMachine;
use norn_models::{Rc11, Sc};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The search after so many executions, if it is not over by then.
fn after<E: Explorer<LitmusMachine>>(
    executions: u64,
    options: &Options,
    explorer: &impl Fn(Options) -> E,
) -> Option<String> {
    let options = Options { max_executions: Some(executions), ..options.clone() };
    let mut kept = None;
    let mut keeper = |frontier: &Frontier<_>, _: &[&()], _: bool| {
        kept = Some(serde_json::to_string(frontier).expect("text"));
    };
    let keeper = Some((Duration::MAX, &mut keeper as _));
    let setup = Setup { keeper, ..Setup::of(1) };
    search(&options, || explorer(options.clone()), || (), setup).expect("nothing to go on from");
    kept
}

/// Goes on with a part to its end.
fn finish<E: Explorer<LitmusMachine>>(
    part: Frontier<E::Saved>,
    options: &Options,
    explorer: &impl Fn(Options) -> E,
) -> Frontier<E::Saved> {
    let hurry = Arc::new(AtomicBool::new(false));
    let time = Duration::from_secs(600);
    let setup = Slice { jobs: 1, part: Some(part), threads: Vec::new(), time, hurry };
    let done: Sliced<_, ()> =
        slice(options, || explorer(options.clone()), || (), setup).expect("the part fits");
    assert!(!done.is_void(), "all threads were met before");
    done.left
}

/// What a search that goes on from here finds.
fn resume<E: Explorer<LitmusMachine>>(
    frontier: Frontier<E::Saved>,
    options: &Options,
    explorer: &impl Fn(Options) -> E,
) -> Summary {
    let setup = Setup { resume: Some(frontier), ..Setup::of(2) };
    search(options, || explorer(options.clone()), || (), setup).expect("the frontier fits").0
}

fn text(summary: &SavedSummary) -> String {
    serde_json::to_string(summary).expect("text")
}

/// The kind, place and graph of each violation.
fn violations(summary: &Summary) -> Vec<String> {
    let say = |one: &norn_explore::Violation| {
        let order = one.graph.order().iter();
        let reads: Vec<_> = order.map(|&id| (id, one.graph.event(id).rf)).collect();
        format!("{:?} {reads:?}", one.fault)
    };
    summary.violations.iter().map(say).collect()
}

/// An order of so many things that looks random.
fn shuffled<T>(mut things: Vec<T>, seed: u64) -> Vec<T> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    for index in (1..things.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        things.swap(index, state as usize % (index + 1));
    }
    things
}

/// Deals a search out after each number of executions, finishes some of the parts, merges all in several orders and
/// goes on. The number of merges.
fn deal_and_merge<E: Explorer<LitmusMachine>>(
    options: &Options,
    explorer: impl Fn(Options) -> E,
    seed: u64,
) -> usize {
    let alone = resume_nothing(options, &explorer);
    let mut merges = 0;
    for executions in 1..6 {
        let Some(saved) = after(executions, options, &explorer) else { break };
        let read = || serde_json::from_str::<Frontier<E::Saved>>(&saved).expect("a frontier");
        let count = 2 + (seed + executions) as usize % 4;
        for finished in [1_u64, 2, 5, u64::MAX] {
            let parts = || {
                let dealt = read().deal(count).into_iter().enumerate();
                let done = |(index, part)| match finished >> (count - 1 - index) & 1 {
                    1 => finish(part, options, &explorer),
                    _ => part,
                };
                dealt.map(done).collect::<Vec<_>>()
            };
            let what = format!("seed {seed} after {executions} in {count} parts, {finished:b}");
            let merge = |order| Frontier::merge(shuffled(parts(), order), options.keep_going);
            let merged = merge(seed).expect("parts of one search");
            let again = merge(seed + 1).expect("parts of one search");
            assert_eq!(text(merged.summary()), text(again.summary()), "{what}");
            let found = resume(merged, options, &explorer);
            assert_eq!(violations(&alone), violations(&found), "{what}");
            if alone.stopped.is_none() {
                assert_eq!(numbers(&alone), numbers(&found), "{what}");
            }
            merges += 1;
        }
    }
    merges
}

fn resume_nothing<E: Explorer<LitmusMachine>>(
    options: &Options,
    explorer: &impl Fn(Options) -> E,
) -> Summary {
    search(options, || explorer(options.clone()), || (), Setup::of(1)).expect("nothing").0
}

#[test]
fn parts_add_up_to_the_whole() {
    let mut merges = 0;
    for seed in 0..60 {
        let machine = program(seed);
        let options = keep_going();
        merges +=
            deal_and_merge(&options, |options| Trust::<_, Rc11>::new(&machine, options), seed);
        merges += deal_and_merge(&options, |options| Trust::<_, Sc>::new(&machine, options), seed);
        let bound = Bound { preemptions: 1, strict: false };
        let bounded = |options| Trust::<_, Sc, _>::bounded(&machine, options, bound);
        merges += deal_and_merge(&options, bounded, seed);
    }
    assert!(merges > 300, "only {merges} merges");
}

/// Two parts that met threads that the other did not know took them in orders of their own.
#[test]
fn parts_that_met_different_threads_are_not_merged() {
    type Tasks = Frontier<serde_json::Value>;
    let save = |seed| {
        let machine = program(seed);
        after(1, &keep_going(), &|options| Trust::<_, Rc11>::new(&machine, options))
    };
    let saved = (0..).find_map(save).expect("a program with more executions");
    let with = |name: &str| {
        let text = saved.replacen("]],\"tasks\"", &format!("],{name}],\"tasks\""), 1);
        assert_ne!(text, saved);
        serde_json::from_str::<Tasks>(&text).expect("a frontier")
    };
    let plain = || serde_json::from_str::<Tasks>(&saved).expect("a frontier");
    assert!(Frontier::merge(vec![plain(), with("[1,0]"), plain()], true).is_ok());
    assert!(Frontier::merge(vec![with("[1,0]"), with("[1,0]")], true).is_ok());
    assert!(Frontier::merge(vec![with("[1,0]"), with("[2,0]")], true).is_err());
}
