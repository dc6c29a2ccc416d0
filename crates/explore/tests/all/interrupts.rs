//! A search that is stopped in the midst of what a thread computes, and taken up again, finds what it finds in one
//! go.

use crate::parallel::program;
use crate::support::tiring::{Tiring, compare_stops};
use norn_explore::{Awaits, Bound, Conflicts, Rf, Rvf, Trust};
use norn_litmus::{LitmusMachine, Shape, generate};
use norn_models::{Ra, Rc11, Sc};

#[test]
fn trust_loses_nothing() {
    let lives = (0..200).map(|seed| {
        let (machine, what) = (Tiring::new(program(seed)), format!("seed {seed}"));
        let bound = Bound { preemptions: 1, strict: false };
        let bounded = |options| Trust::<_, Sc, _>::bounded(&machine, options, bound);
        compare_stops(&machine, |options| Trust::<_, Sc>::new(&machine, options), true, seed, &what)
            + compare_stops(
                &machine,
                |options| Trust::<_, Rc11>::new(&machine, options),
                true,
                seed,
                &what,
            )
            + compare_stops(&machine, bounded, true, seed, &what)
    });
    let lives: usize = lives.sum();
    assert!(lives > 1000, "only {lives} lives");
}

#[test]
fn rf_loses_nothing() {
    let lives = (0..200).map(|seed| {
        let (machine, what) = (Tiring::new(program(seed)), format!("seed {seed}"));
        compare_stops(&machine, |options| Rf::<_, Sc>::new(&machine, options), false, seed, &what)
            + compare_stops(
                &machine,
                |options| Rf::<_, Ra>::new(&machine, options),
                false,
                seed,
                &what,
            )
    });
    let lives: usize = lives.sum();
    assert!(lives > 1000, "only {lives} lives");
}

fn waiting(seed: u64) -> Tiring {
    let shape = match seed % 3 {
        0 => Shape::default(),
        1 => Shape::locks(),
        _ => Shape::waiting(),
    };
    Tiring::new(LitmusMachine::new(generate(seed, &shape)))
}

#[test]
fn rvf_loses_nothing() {
    let lives = (0..400).map(|seed| {
        let (machine, what) = (waiting(seed), format!("seed {seed}"));
        compare_stops(&machine, |options| Rvf::<_, Sc>::new(&machine, options), false, seed, &what)
    });
    let lives: usize = lives.sum();
    assert!(lives > 1000, "only {lives} lives");
}

#[test]
fn await_loses_nothing() {
    let lives = (0..400).map(|seed| {
        let (machine, what) = (waiting(seed), format!("seed {seed}"));
        let new = |options| Awaits::<_, Sc>::new(&machine, options, Conflicts::Standard);
        compare_stops(&machine, new, true, seed, &what)
    });
    let lives: usize = lives.sum();
    assert!(lives > 1000, "only {lives} lives");
}
