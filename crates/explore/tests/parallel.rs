//! Several workers find what one finds.

mod support;

use norn_action::Machine;
use norn_explore::{Execution, Observer, Options, Summary, search};
use norn_graph::EventId;
use norn_litmus::{LitmusMachine, Shape, generate};
use norn_models::{ModelName, Rc11, Sc};
use std::collections::BTreeMap;

/// A graph as text, and how often it was seen.
#[derive(Default)]
struct Seen(BTreeMap<String, u32>);

impl<M: Machine> Observer<M> for Seen {
    fn execution(&mut self, execution: &Execution<'_, M>) {
        let graph = execution.graph;
        let mut events: Vec<EventId> = graph.order().to_vec();
        events.sort();
        let mut text = String::new();
        for id in events {
            let event = graph.event(id);
            text += &format!("{id}:{:?}:{}:{:?};", event.kind, event.value, event.rf);
        }
        for &id in graph.touched() {
            text +=
                &format!("{}:{:?};", execution.locations.info(id).address, graph.location(id).co);
        }
        *self.0.entry(text).or_default() += 1;
    }
}

fn visits(machine: &LitmusMachine, model: ModelName, jobs: usize) -> (Summary, Seen) {
    let options = Options { keep_going: true, ..Options::default() };
    let (summary, seen) = match model {
        ModelName::Sc => search::<_, Sc, Seen>(machine, &options, jobs, Seen::default),
        _ => search::<_, Rc11, Seen>(machine, &options, jobs, Seen::default),
    };
    let mut all = Seen::default();
    for (graph, count) in seen.into_iter().flat_map(|seen| seen.0) {
        *all.0.entry(graph).or_default() += count;
    }
    (summary, all)
}

/// Reads are linked to their sources in the reader lists in another order in different workers, and
/// locations get other ids, so graphs are compared by what they mean.
#[test]
fn three_workers_visit_each_execution_of_random_programs_once() {
    for seed in 0..400 {
        let shape = match seed % 3 {
            0 => Shape::default(),
            1 => Shape::locks(),
            _ => Shape::waiting(),
        };
        let machine = LitmusMachine::new(generate(seed, &shape));
        for model in [ModelName::Sc, ModelName::Rc11] {
            let (alone, one) = visits(&machine, model, 1);
            let (together, three) = visits(&machine, model, 3);
            assert!(three.0.values().all(|&count| count == 1), "seed {seed}: visited twice");
            assert_eq!(normal(one), normal(three), "seed {seed} under {model}");
            assert_eq!(alone.executions, together.executions, "seed {seed}");
            assert_eq!(alone.blocked, together.blocked, "seed {seed}");
            assert_eq!(kinds(&alone), kinds(&together), "seed {seed}");
        }
    }
}

/// The texts with the parts of each graph sorted.
fn normal(seen: Seen) -> Vec<Vec<String>> {
    let parts = |text: &String| {
        let mut parts: Vec<String> = text.split(';').map(str::to_owned).collect();
        parts.sort();
        parts
    };
    let mut all: Vec<_> = seen.0.keys().map(parts).collect();
    all.sort();
    all
}

fn kinds(summary: &Summary) -> Vec<String> {
    let mut kinds: Vec<String> = summary
        .violations
        .iter()
        .map(|violation| format!("{} {:?}", violation.fault.kind, violation.fault.place))
        .collect();
    kinds.sort();
    kinds.dedup();
    kinds
}

/// Programs with races: whatever the number of workers, the first violation is the one that a single
/// worker finds first.
#[test]
fn the_first_violation_does_not_depend_on_the_workers() {
    let mut found = 0;
    for seed in 0..800 {
        let machine = LitmusMachine::new(generate(seed, &Shape::default()));
        let first = |jobs| {
            let options = Options::default();
            let (summary, _) = search::<_, Rc11, ()>(&machine, &options, jobs, || ());
            summary.violations.first().map(|violation| {
                let graph: Vec<String> = violation
                    .graph
                    .order()
                    .iter()
                    .map(|&id| {
                        format!(
                            "{id} {:?} {:?}",
                            violation.graph.event(id).rf.is_real(),
                            violation.graph.event(id).value
                        )
                    })
                    .collect();
                (violation.fault.kind, violation.fault.place, graph)
            })
        };
        let alone = first(1);
        found += u32::from(alone.is_some());
        for jobs in [2, 3] {
            assert_eq!(alone, first(jobs), "seed {seed} with {jobs} workers");
        }
    }
    assert!(found > 50, "only {found} programs have a violation");
}

#[test]
fn a_limit_on_executions_is_exact() {
    let machine = LitmusMachine::new(generate(11, &Shape::seq_cst()));
    let (all, _) = visits(&machine, ModelName::Sc, 1);
    for limit in 1..all.executions {
        let options = Options { max_executions: Some(limit), ..Options::default() };
        for jobs in [1, 3] {
            let (summary, _) = search::<_, Sc, ()>(&machine, &options, jobs, || ());
            assert_eq!(summary.executions, limit, "{jobs} workers");
        }
    }
}
