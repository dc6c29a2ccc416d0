//! On executions of random programs: what is recorded is the graph, and it survives being written and read.

use super::*;
use crate::names::{Names, Spot};
use crate::{Choice, ViolationReport, samples};
use norn_action::{Address, Place};
use norn_explore::Violation;
use norn_graph::{EventId, Graph};
use norn_models::{Model, ModelName, Named, Rc11, Sc};
use std::collections::HashSet;

/// Addresses for names.
struct Plain;

impl Names for Plain {
    fn spot(&self, place: Place) -> Option<Spot> {
        Some(Spot { file: "test".into(), line: place.0, column: 0, function: None })
    }

    fn variable(&self, _: &Graph, address: Address, _: u8) -> String {
        address.to_string()
    }
}

fn reports<Mo: Named>(model: ModelName) -> impl Iterator<Item = (Violation, ViolationReport)> {
    (0..40).flat_map(samples::executions::<Mo>).map(move |violation| {
        let report = ViolationReport::new(&violation, model.facts(), &Plain);
        (violation, report)
    })
}

#[test]
fn a_violation_survives_being_written_and_read() {
    let mut count = 0;
    for (_, report) in reports::<Rc11>(ModelName::Rc11) {
        let text = serde_json::to_string(&report).expect("JSON");
        let read: ViolationReport = serde_json::from_str(&text).expect("what was written");
        assert_eq!(read, report);
        for step in &read.trace {
            assert_eq!(step.text, step.action.to_string(), "the words come from the value");
        }
        count += 1;
    }
    assert!(count > 100, "only {count} executions");
}

/// The events that happen before each event, from the reduced edges and program order.
fn closure(execution: &Execution, of: EventName) -> HashSet<EventName> {
    let mut before = HashSet::new();
    let mut open = vec![of];
    while let Some(name) = open.pop() {
        let event = execution.event(name).expect("an edge starts at an event");
        let above = name.index.checked_sub(1).map(|index| EventName { index, ..name });
        open.extend(event.hb.iter().copied().chain(above).filter(|&one| before.insert(one)));
    }
    before
}

fn check_relations(violation: &Violation, execution: &Execution, hb: usize) {
    let graph = &violation.graph;
    for &id in graph.order() {
        let before = closure(execution, id.into());
        for &other in graph.order() {
            let expected = other != id && Graph::within(graph.clock(hb, id), other);
            assert_eq!(before.contains(&other.into()), expected, "hb: {other} {id}");
        }
        let recorded = execution.event(id.into()).expect("every event is recorded");
        if let Action::Read(read) = &recorded.action {
            let source = graph.event(id).rf;
            let is_initial = source == EventId::INIT;
            let expected = if is_initial { Source::Initial } else { Source::Event(source.into()) };
            assert_eq!(read.from, expected);
        }
    }
    assert_eq!(execution.locations.len(), graph.touched().len());
    for location in &execution.locations {
        for &write in &location.co {
            let action = &execution.event(write).expect("an event").action;
            assert!(matches!(action, Action::Write(write)
                if execution.locations[write.location] == *location));
        }
    }
}

#[test]
fn the_relations_are_those_of_the_graph() {
    for (violation, report) in reports::<Rc11>(ModelName::Rc11) {
        check_relations(&violation, &report.execution, Rc11::HB);
    }
    for (violation, report) in reports::<Sc>(ModelName::Sc) {
        check_relations(&violation, &report.execution, Sc::HB);
    }
}

#[test]
fn every_step_says_why_it_stands_where_it_stands() {
    for (_, report) in reports::<Rc11>(ModelName::Rc11) {
        for step in &report.trace {
            assert!(step.why.after.iter().all(|after| after.step < step.number));
            let despite = step.why.despite.iter().filter_map(|despite| despite.step);
            assert!(despite.into_iter().all(|above| above < step.number));
            assert_eq!(step.note.is_some(), !step.why.despite.is_empty());
            assert_eq!(step.event.is_none(), step.why.choice == Choice::Outcome);
        }
    }
}

#[test]
fn names_of_events_are_read_as_they_are_written() {
    let name = EventName { thread: 12, index: 345 };
    assert_eq!(EventName::try_from(name.to_string()), Ok(name));
    for text in ["", "T1", "1.2", "T1.x", "T-1.2"] {
        assert!(EventName::try_from(text.to_owned()).is_err(), "{text}");
    }
}
