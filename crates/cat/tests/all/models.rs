//! What is said of models by looking at small graphs.

use crate::support::{built_in, definition};
use norn_action::FaultKind;
use norn_cat::{Condition, Definition, Limits, conditions, difference};
use norn_models::ModelName;
use std::time::Instant;

fn within(size: usize, special: usize) -> Limits<'static> {
    Limits { size, special, is_over: &|| false }
}

fn model(text: &str) -> Definition {
    Definition::read("test.cat", text, &mut |_| None).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn the_models_that_are_built_in_can_be_searched_under() {
    for name in ModelName::ALL.map(ModelName::name) {
        let definition = Definition::built_in(name).expect("a model");
        let started = Instant::now();
        let held = conditions(&definition, within(3, 3)).unwrap_or_else(|broken| {
            panic!("{name}: {}: {}", broken.condition.name(), broken.explanation)
        });
        let quick = conditions(&definition, within(4, 1)).expect("the same");
        println!("{name}: {} and {} graphs, {:?}", held.graphs, quick.graphs, started.elapsed());
        assert!(held.graphs > 100 && !held.is_cut);
    }
}

#[test]
fn smallest_differences() {
    for (a, b, size) in [("rc11", "c20", 5), ("sc", "tso", 4), ("tso", "pso", 4), ("ra", "rc11", 4)] {
        let [one, other] = [a, b].map(|name| Definition::built_in(name).expect("a model"));
        let started = Instant::now();
        let (found, _) = difference([&one, &other], within(6, 6));
        let found = found.expect("they differ");
        println!("{a} {b}: {:?}\n{}", started.elapsed(), norn_litmus::print(&found.program));
        assert_eq!(found.size, size, "{a} and {b}");
    }
    let _ = (definition, built_in, FaultKind::DataRace, Condition::Acyclic, model);
}
