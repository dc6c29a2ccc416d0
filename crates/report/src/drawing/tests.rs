//! On executions of random programs: the arrows are those of the execution, and texts cannot break what they stand in.

use super::*;
use crate::samples;
use crate::step::{Origin, Step};
use crate::{Names, Spot};
use norn_action::{Address, Place};
use norn_graph::Graph;
use norn_models::{ModelName, Rc11};

/// Names that mean something in both formats.
struct Hostile;

impl Names for Hostile {
    fn spot(&self, place: Place) -> Option<Spot> {
        Some(Spot { file: "test".into(), line: place.0, column: 0, function: None })
    }

    fn variable(&self, _: &Graph, address: Address, _: u8) -> String {
        format!("<v{}> & \"more\\\"", address.0)
    }
}

fn reports() -> impl Iterator<Item = ViolationReport> {
    (0..40)
        .flat_map(samples::executions::<Rc11>)
        .map(|violation| ViolationReport::new(&violation, ModelName::Rc11.facts(), &Hostile))
}

/// The steps that a step reads from, as it says itself.
fn sources(step: &Step) -> Option<usize> {
    let origin = match step {
        Step::Load(reading) => &reading.from,
        Step::Rmw(changing) => &changing.from,
        _ => return None,
    };
    match origin {
        Origin::Step(number) => Some(*number),
        _ => None,
    }
}

#[test]
fn arrows_are_the_relations_of_the_execution() {
    let mut arrows = [0; 5];
    for report in reports() {
        let drawing = Drawing::of(&report);
        for edge in &drawing.edges {
            arrows[edge.relation as usize] += 1;
        }
        let of = |relation| drawing.edges.iter().filter(move |edge| edge.relation == relation);
        let used = drawing.lanes.len();
        assert_eq!(of(Relation::ProgramOrder).count(), drawing.nodes.len() - used);
        let read: Vec<(usize, usize)> =
            of(Relation::ReadsFrom).map(|edge| (edge.from + 1, edge.to + 1)).collect();
        let told = report.trace.iter();
        let mut said: Vec<(usize, usize)> =
            told.filter_map(|step| Some((sources(&step.action)?, step.number))).collect();
        said.sort_unstable();
        assert_eq!(read, said, "{report:#?}");
    }
    assert!(arrows.iter().all(|&count| count > 20), "{arrows:?}");
}

#[test]
fn texts_stay_texts() {
    for report in reports() {
        let edges = Drawing::of(&report).edges.len();
        let (dot, svg) = (dot(&report), svg(&report));
        assert_eq!(dot.matches(" -> n").count(), edges);
        for line in dot.lines().filter(|line| line.contains("label=\"")) {
            let plain = line.replace("\\\\", "").replace("\\\"", "");
            assert_eq!(plain.matches('"').count() % 2, 0, "{line}");
        }
        assert_eq!(svg.matches("<path d=\"M").count(), edges + Relation::ALL.len());
        assert!(!svg.contains("<v") && !svg.contains("& ") && svg.contains("&lt;v"), "{svg}");
    }
}
