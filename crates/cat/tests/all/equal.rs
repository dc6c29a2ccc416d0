//! The six models that are built in, written as files, allow the same executions as those that are built in.
//!
//! `NORN_FUZZ_SECONDS=600` compares random programs for as long as it is told, from the seed `NORN_FUZZ_SEED`.

use crate::support::{Seen, built_in, definition, litmus_tests, root, under};
use norn_cat::Definition;
use norn_litmus::{Program, Shape, generate, shrink};
use norn_models::ModelName;
use std::time::{Duration, Instant};

/// Random programs of each shape in an ordinary run.
const PROGRAMS: u64 = 60;

/// What differs, if anything does. Where a program races under rc11 or c20, a model that is built in promises
/// nothing but to find the race.
fn difference(definition: &Definition, model: ModelName, program: &Program) -> Option<String> {
    let (ours, theirs) = (under(definition, program), built_in(model, program));
    if ours.races != theirs.races {
        return Some(format!("races: {} instead of {}", ours.races, theirs.races));
    }
    if theirs.races {
        return None;
    }
    let missing = |a: &Seen, b: &Seen| {
        let all = a.complete.keys().chain(a.blocked.keys());
        let new = all.filter(|one| !b.complete.contains_key(*one) && !b.blocked.contains_key(*one));
        new.take(2).cloned().collect::<Vec<_>>().join("\n--\n")
    };
    (ours != theirs).then(|| {
        format!("missing:\n{}\nsuperfluous:\n{}", missing(&theirs, &ours), missing(&ours, &theirs))
    })
}

fn check(name: &str, definition: &Definition, model: ModelName, program: Program) {
    if difference(definition, model, &program).is_some() {
        let small = shrink(program, |smaller| difference(definition, model, smaller).is_some());
        let what = difference(definition, model, &small).expect("the shrunk program still fails");
        panic!("{name} under {}:\n{}\n{what}", definition.name(), norn_litmus::print(&small));
    }
}

/// Both as the definitions that the models are held to have it, and as they are provided.
#[test]
fn litmus_tests_have_the_same_executions() {
    let tests = litmus_tests(&root().join("tests/litmus"));
    assert!(tests.len() >= 467, "only {} tests", tests.len());
    for model in ModelName::ALL {
        let provided = Definition::built_in(model.name()).expect("a model");
        let held_to = definition(&format!("tests/litmus/models/{model}.cat"));
        for (name, program) in &tests {
            check(name, &provided, model, program.clone());
            check(name, &held_to, model, program.clone());
        }
    }
}

#[test]
fn random_programs_have_the_same_executions() {
    let shapes = [
        Shape { max_actions: 9, ..Shape::default() },
        Shape::seq_cst(),
        Shape::release_sequences(),
        Shape { max_actions: 8, ..Shape::locks() },
        Shape { max_actions: 8, ..Shape::joins() },
        Shape { max_actions: 8, ..Shape::awaits() },
        Shape { max_actions: 8, ..Shape::waiting() },
    ];
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seconds = number("NORN_FUZZ_SECONDS");
    let end = seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let first = number("NORN_FUZZ_SEED").unwrap_or(0);
    let models: Vec<_> = ModelName::ALL
        .map(|model| (model, Definition::built_in(model.name()).expect("a model")))
        .into();
    let mut seed = first;
    while end.map_or(seed < first + PROGRAMS, |end| Instant::now() < end) {
        for (index, shape) in shapes.iter().enumerate() {
            for (model, definition) in &models {
                let program = generate(seed, shape);
                check(&format!("seed {seed} of shape {index}"), definition, *model, program);
            }
        }
        seed += 1;
    }
    println!("{} programs from seed {first}", (seed - first) * shapes.len() as u64);
}
