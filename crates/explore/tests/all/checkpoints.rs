//! A search that is saved and taken up again finds what it finds in one go.

use crate::parallel::program;
use crate::support::searches::{Life, compare_lives, keep_going, live, raise_limits, visit};
use crate::support::slow::Slow;
use crate::support::visits::add_up;
use norn_explore::{Bound, Explorer, Options, Rf, Trust};
use norn_models::{Pso, Ra, Rc11, Sc, Tso};

#[test]
fn nothing_is_lost_or_visited_twice() {
    let mut lives = 0;
    for seed in 0..60 {
        let machine = Slow::new(program(seed));
        let what = format!("seed {seed}");
        lives += compare_lives(|options| Trust::<_, Sc>::new(&machine, options), true, seed, &what);
        lives +=
            compare_lives(|options| Trust::<_, Pso>::new(&machine, options), true, seed, &what);
        lives += compare_lives(|options| Trust::<_, Ra>::new(&machine, options), true, seed, &what);
        lives +=
            compare_lives(|options| Trust::<_, Rc11>::new(&machine, options), true, seed, &what);
    }
    assert!(lives > 360, "only {lives} lives");
}

#[test]
fn no_reads_from_relation_is_lost_or_visited_twice() {
    let mut lives = 0;
    for seed in 0..60 {
        let machine = Slow::new(program(seed));
        let what = format!("seed {seed}");
        lives += compare_lives(|options| Rf::<_, Sc>::new(&machine, options), false, seed, &what);
        lives += compare_lives(|options| Rf::<_, Tso>::new(&machine, options), false, seed, &what);
        lives += compare_lives(|options| Rf::<_, Ra>::new(&machine, options), false, seed, &what);
        lives += compare_lives(|options| Rf::<_, Rc11>::new(&machine, options), false, seed, &what);
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
            lives += compare_lives(bounded, true, seed, &what);
        }
    }
    assert!(lives > 220, "only {lives} lives");
}

/// A search that was stopped at a number of executions goes on to a larger one.
#[test]
fn a_limit_on_executions_can_be_raised() {
    for seed in 0..40 {
        let machine = Slow::new(program(seed));
        raise_limits(|options| Trust::<_, Rc11>::new(&machine, options), true, seed);
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
