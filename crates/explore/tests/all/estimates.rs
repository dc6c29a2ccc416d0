//! The guessed number of executions is about the real one.

use crate::parallel::program;
use crate::support::searches::{keep_going, numbers, visit};
use norn_explore::{Bound, Explorer, Trust};
use norn_litmus::LitmusMachine;
use norn_models::{Rc11, Sc, Tso};

/// Enough probes that a biased guess would be noticed in a small program.
const PROBES: u32 = 3000;

macro_rules! check {
    ($search:expr, $what:expr) => {{
        let (summary, _) = visit(|| $search, 1, true);
        let mut probe = $search.into_probe(7);
        (0..PROBES).for_each(|_| probe.probe());
        let executions = numbers(&summary)[0] as f64;
        match probe.estimate() {
            None => assert_eq!(executions, 0.0, "{}", $what),
            Some(estimate) => {
                let off = (estimate.executions - executions).abs();
                // Six standard errors, and something for rare branches of a large weight.
                let allowed = 6.0 * estimate.error + 0.02 * executions;
                assert!(off <= allowed, "{}: {estimate:?} for {executions}", $what);
            }
        }
        executions
    }};
}

#[test]
fn guesses_are_right_on_average() {
    let mut largest: f64 = 0.0;
    for seed in 0..60 {
        let machine = program(seed);
        let what = format!("seed {seed}");
        largest = largest.max(check!(Trust::<_, Sc>::new(&machine, keep_going()), what));
        largest = largest.max(check!(Trust::<_, Tso>::new(&machine, keep_going()), what));
        largest = largest.max(check!(Trust::<_, Rc11>::new(&machine, keep_going()), what));
        let bound = Bound { preemptions: 1, strict: false };
        check!(Trust::<_, Sc, _>::bounded(&machine, keep_going(), bound), what);
    }
    assert!(largest > 50.0, "the programs are too small to say anything: {largest}");
}

/// Threads that race with each other in some branches, at events that others do not have.
const RACES: &str = "C races
{ }
P0 (int* x, atomic_int* y) { atomic_store(y, 1); int r0 = atomic_load(y); *x = 1; atomic_store(y, 3); }
P1 (int* x, atomic_int* y) { int r0 = atomic_load(y); int r1 = atomic_load(y); if (r0 == 1) { *x = 2; } }
P2 (int* x, atomic_int* y) { int r0 = atomic_load(y); if (r0 != 3) { int r1 = *x; } atomic_store(y, 2); }
";

/// What a branch that was only counted finds wrong is not looked for in another one, whose graph may be smaller.
#[test]
fn what_is_wrong_in_one_branch_is_left_with_it() {
    let machine = LitmusMachine::new(norn_litmus::read(RACES).expect("a litmus test"));
    let mut probe = Trust::<_, Rc11>::new(&machine, keep_going()).into_probe(7);
    (0..PROBES).for_each(|_| probe.probe());
    assert!(probe.estimate().is_some());
}
