//! The steps of a violation as a drawing: a lane for each thread, and the relations between steps as arrows.
//!
//! A drawing is made once and written as Graphviz text or as SVG.

mod dot;
mod svg;

use crate::ViolationReport;
use crate::execution::{Action, EventName, Source};
use std::collections::HashMap;

/// A relation between events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Relation {
    ProgramOrder,
    ReadsFrom,
    Coherence,
    ReadsBefore,
    HappensBefore,
}

impl Relation {
    const ALL: [Relation; 5] = [
        Relation::ProgramOrder,
        Relation::ReadsFrom,
        Relation::Coherence,
        Relation::ReadsBefore,
        Relation::HappensBefore,
    ];

    /// As the field writes it.
    fn name(self) -> &'static str {
        match self {
            Relation::ProgramOrder => "po",
            Relation::ReadsFrom => "rf",
            Relation::Coherence => "co",
            Relation::ReadsBefore => "fr",
            Relation::HappensBefore => "hb",
        }
    }

    fn colour(self) -> &'static str {
        match self {
            Relation::ProgramOrder => "#7b8390",
            Relation::ReadsFrom => "#1b7f45",
            Relation::Coherence => "#a4590a",
            Relation::ReadsBefore => "#b3261e",
            Relation::HappensBefore => "#5a3fb5",
        }
    }

    fn is_dashed(self) -> bool {
        matches!(self, Relation::ReadsBefore | Relation::HappensBefore)
    }
}

/// A step.
#[derive(Debug)]
struct Node {
    lane: usize,
    line: Option<u32>,
    text: String,
    failing: bool,
}

/// An arrow between two steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Edge {
    from: usize,
    to: usize,
    relation: Relation,
}

/// What is drawn. The nodes are in the order in which they are read.
#[derive(Debug)]
struct Drawing {
    title: String,
    lanes: Vec<String>,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
}

/// A violation for Graphviz.
pub fn dot(violation: &ViolationReport) -> String {
    dot::write(&Drawing::of(violation))
}

/// A violation as an SVG picture.
pub fn svg(violation: &ViolationReport) -> String {
    svg::write(&Drawing::of(violation))
}

impl Drawing {
    fn of(violation: &ViolationReport) -> Drawing {
        let mut threads: Vec<u32> = violation.trace.iter().map(|step| step.thread).collect();
        threads.sort_unstable();
        threads.dedup();
        let lane = |thread| threads.binary_search(&thread).expect("every step has a lane");
        let name = |&thread: &u32| {
            let step = violation.trace.iter().find(|step| step.thread == thread);
            step.map_or_else(String::new, |step| step.thread_name.clone())
        };
        let nodes = violation.trace.iter().map(|step| Node {
            lane: lane(step.thread),
            line: step.spot.as_ref().map(|spot| spot.line).filter(|&line| line > 0),
            text: format!("{} {}", step.number, step.text),
            failing: step.failing,
        });
        let nodes: Vec<Node> = nodes.collect();
        let edges = edges(violation, &nodes);
        let title = violation.message.clone();
        Drawing { title, lanes: threads.iter().map(name).collect(), nodes, edges }
    }
}

/// The relations between the steps that are shown, each pair once, program order between neighbours only.
fn edges(violation: &ViolationReport, nodes: &[Node]) -> Vec<Edge> {
    let mut shown: HashMap<EventName, usize> = HashMap::new();
    for (index, step) in violation.trace.iter().enumerate() {
        shown.extend(step.event.into_iter().chain(step.write).map(|event| (event, index)));
    }
    let mut edges = Vec::new();
    let mut add = |relation, from: Option<&usize>, to: Option<&usize>| {
        if let (Some(&from), Some(&to)) = (from, to)
            && from != to
        {
            edges.push(Edge { from, to, relation });
        }
    };
    for (index, node) in nodes.iter().enumerate() {
        let above = nodes[..index].iter().rposition(|above| above.lane == node.lane);
        add(Relation::ProgramOrder, above.as_ref(), Some(&index));
    }
    for location in &violation.execution.locations {
        let writes: Vec<&usize> = location.co.iter().filter_map(|id| shown.get(id)).collect();
        for pair in writes.windows(2) {
            add(Relation::Coherence, Some(pair[0]), Some(pair[1]));
        }
    }
    for (&id, index) in &shown {
        let Some(event) = violation.execution.event(id) else { continue };
        for earlier in event.hb.iter().filter(|earlier| earlier.thread != id.thread) {
            add(Relation::HappensBefore, shown.get(earlier), Some(index));
        }
        let Action::Read(read) = &event.action else { continue };
        let co = &violation.execution.locations[read.location].co;
        let after = match read.from {
            Source::Event(source) => {
                add(Relation::ReadsFrom, shown.get(&source), Some(index));
                co.iter().position(|&write| write == source).map_or(0, |place| place + 1)
            }
            _ => 0,
        };
        let newer = co[after..].iter().find_map(|write| shown.get(write));
        add(Relation::ReadsBefore, Some(index), newer);
    }
    edges.sort_unstable();
    edges.dedup();
    edges
}

#[cfg(test)]
mod tests;
