//! Several workers find what one finds.

use crate::support::searches::{compare_workers, keep_going, visit};
use crate::support::slow::Slow;
use norn_explore::{Bound, Explorer, Options, Rf, Setup, Trust, Violation, search, search_with};
use norn_litmus::{LitmusMachine, Shape, generate};
use norn_models::{Ra, Rc11, Sc, Tso};

/// Programs of all kinds.
pub(crate) fn program(seed: u64) -> LitmusMachine {
    let shape = match seed % 3 {
        0 => Shape::default(),
        1 => Shape::locks(),
        _ => Shape::waiting(),
    };
    LitmusMachine::new(generate(seed, &shape))
}

/// How many of the searches were shared.
fn count(shared: impl IntoIterator<Item = bool>) -> usize {
    shared.into_iter().filter(|&shared| shared).count()
}

#[test]
fn three_workers_visit_each_execution_of_random_programs_once() {
    let mut shared = 0;
    for seed in 0..150 {
        let machine = Slow::new(program(seed));
        let what = format!("seed {seed}");
        shared += count([
            compare_workers(|| Trust::<_, Sc>::new(&machine, keep_going()), true, &what),
            compare_workers(|| Trust::<_, Rc11>::new(&machine, keep_going()), true, &what),
        ]);
    }
    assert!(shared > 60, "only {shared} of 300 searches were shared");
}

#[test]
fn three_workers_visit_each_reads_from_relation_once() {
    let mut shared = 0;
    for seed in 0..150 {
        let machine = Slow::new(program(seed));
        let what = format!("seed {seed}");
        shared += count([
            compare_workers(|| Rf::<_, Sc>::new(&machine, keep_going()), false, &what),
            compare_workers(|| Rf::<_, Tso>::new(&machine, keep_going()), false, &what),
            compare_workers(|| Rf::<_, Ra>::new(&machine, keep_going()), false, &what),
            compare_workers(|| Rf::<_, Rc11>::new(&machine, keep_going()), false, &what),
        ]);
    }
    assert!(shared > 100, "only {shared} of 600 searches were shared");
}

#[test]
fn three_workers_visit_what_one_visits_within_a_bound() {
    let mut shared = 0;
    for seed in 0..150 {
        let machine = Slow::new(program(seed));
        for preemptions in 0..3 {
            let bound = Bound { preemptions, strict: false };
            let what = format!("seed {seed}, bound {preemptions}");
            let search = || Trust::<_, Sc, _>::bounded(&machine, keep_going(), bound);
            shared += count([compare_workers(search, true, &what)]);
        }
    }
    assert!(shared > 60, "only {shared} of 450 searches were shared");
}

/// A violation with its graph.
fn first<E: Explorer<LitmusMachine>>(explorer: impl Fn() -> E, jobs: usize) -> Option<String> {
    let (summary, _) = search_with(jobs, &Options::default(), explorer, || ());
    summary.violations.first().map(|violation| {
        let Violation { fault, graph, .. } = violation;
        let events = graph.order().iter().map(|&id| {
            let event = graph.event(id);
            format!("{id} {:?} {:?}", event.rf, event.value)
        });
        format!("{} {:?} {}", fault.kind(), fault.place, events.collect::<Vec<_>>().join("; "))
    })
}

/// Programs with races: whatever the number of workers, the first violation is the one that a single
/// worker finds first.
#[test]
fn the_first_violation_does_not_depend_on_the_workers() {
    let mut found = 0;
    for seed in 0..800 {
        let machine = LitmusMachine::new(generate(seed, &Shape::default()));
        let trust = || Trust::<_, Rc11>::new(&machine, Options::default());
        let rf = || Rf::<_, Rc11>::new(&machine, Options::default());
        let bound = Bound { preemptions: 1, strict: false };
        let bounded = || Trust::<_, Sc, _>::bounded(&machine, Options::default(), bound);
        let alone = (first(trust, 1), first(rf, 1), first(bounded, 1));
        found += u32::from(alone.0.is_some());
        for jobs in [2, 3] {
            let together = (first(trust, jobs), first(rf, jobs), first(bounded, jobs));
            assert_eq!(alone, together, "seed {seed} with {jobs} workers");
        }
    }
    assert!(found > 50, "only {found} programs have a violation");
}

#[test]
fn a_limit_on_executions_is_exact() {
    let machine = LitmusMachine::new(generate(11, &Shape::seq_cst()));
    let (all, _) = visit(|| Trust::<_, Sc>::new(&machine, keep_going()), 1, true);
    for limit in 1..all.executions {
        let options = Options { max_executions: Some(limit), ..Options::default() };
        for jobs in [1, 3] {
            let trust = || Trust::<_, Sc>::new(&machine, options.clone());
            let found = search(&options, trust, || (), Setup::of(jobs));
            let (summary, _) = found.expect("nothing to go on from");
            assert_eq!(summary.executions, limit, "{jobs} workers");
        }
    }
}
