//! On every execution of random programs: the order extends `po ∪ rf`, and under sc all of the rest.

use super::*;
use crate::relevant::Kept;
use crate::samples::executions;
use norn_models::{Rc11, Sc};

/// Where each event stands in the order.
fn positions(order: &[Placed]) -> impl Fn(EventId) -> usize + '_ {
    |id| {
        let is = |placed: &Placed| placed.event == id || placed.write == Some(id);
        order.iter().position(is).expect("every event has a place")
    }
}

fn check_causality(violation: &Violation, order: &[Placed]) {
    let graph = &violation.graph;
    let at = positions(order);
    for &id in graph.order() {
        if id.position() > 0 {
            let before = EventId::new(id.thread(), id.position() - 1);
            assert!(at(before) <= at(id), "po: {before} {id}");
        }
        let event = graph.event(id);
        if event.is_read() && event.rf.is_real() {
            assert!(at(event.rf) <= at(id), "rf: {} {id}", event.rf);
        }
    }
}

/// Whether each read sees the last write above it, and the last write of each location is the last in
/// coherence order: the order is an interleaving.
fn is_interleaving(violation: &Violation, order: &[Placed]) -> bool {
    let graph = &violation.graph;
    let at = positions(order);
    graph.touched().iter().all(|&location| {
        let co = &graph.location(location).co;
        co.windows(2).all(|pair| at(pair[0]) < at(pair[1]))
    }) && graph.order().iter().all(|&id| match first_unseen(graph, id) {
        Some(newer) => at(id) < at(newer),
        None => true,
    })
}

#[test]
fn under_sc_every_trace_is_an_interleaving() {
    let mut count = 0;
    for seed in 0..60 {
        for violation in executions::<Sc>(seed) {
            let order = linearise(&violation, &Kept::of(&violation));
            check_causality(&violation, &order);
            assert!(is_interleaving(&violation, &order), "seed {seed}");
            assert!(order.iter().all(|placed| placed.overtaken_by.is_empty()), "seed {seed}");
            count += 1;
        }
    }
    assert!(count > 200, "only {count} executions");
}

#[test]
fn weak_behaviours_are_marked_and_only_they() {
    let mut weak = 0;
    for seed in 0..60 {
        for violation in executions::<Rc11>(seed) {
            let order = linearise(&violation, &Kept::of(&violation));
            check_causality(&violation, &order);
            let marked = order.iter().any(|placed| !placed.overtaken_by.is_empty());
            assert_eq!(marked, !is_interleaving(&violation, &order), "seed {seed}");
            weak += usize::from(marked);
        }
    }
    assert!(weak > 20, "only {weak} weak executions");
}
