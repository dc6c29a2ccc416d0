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

/// Also where events are left out, an execution under sc is shown as an interleaving of the others.
#[test]
fn what_is_left_out_breaks_no_order() {
    let mut shortened = 0;
    for seed in 0..30 {
        for mut violation in executions::<Sc>(seed) {
            for id in violation.graph.order().to_vec() {
                violation.event = Some(id);
                let kept = Kept::of(&violation);
                let order = linearise(&violation, &kept);
                assert!(order.iter().all(|placed| placed.overtaken_by.is_empty()), "seed {seed}");
                check_kept(&violation, &kept, &order);
                shortened += usize::from(order.len() < violation.graph.len());
            }
        }
    }
    assert!(shortened > 200, "only {shortened} were shortened");
}

/// Kept writes stand in coherence order, and no kept read stands below a newer one than it saw.
fn check_kept(violation: &Violation, kept: &Kept, order: &[Placed]) {
    let graph = &violation.graph;
    let at = positions(order);
    let is_kept = |id: &EventId| kept.contains(*id);
    for &location in graph.touched() {
        let co: Vec<EventId> =
            graph.location(location).co.iter().copied().filter(is_kept).collect();
        assert!(co.windows(2).all(|pair| at(pair[0]) < at(pair[1])), "{co:?}");
        for id in graph.order().iter().copied().filter(is_kept) {
            let event = graph.event(id);
            if event.is_read() && event.location == location && first_unseen(graph, id).is_some() {
                let seen = if event.rf.is_real() { graph.co_index(event.rf) } else { 0 };
                let newer = co.iter().filter(|&&write| graph.co_index(write) > seen);
                newer.for_each(|&write| assert!(at(id) < at(write), "{id} {write}"));
            }
        }
    }
}
