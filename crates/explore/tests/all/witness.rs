//! Every violation is a witness: running the program with its decisions leads to it again, and the
//! oracle finds its graph consistent.

use crate::support::differential::canonical;
use norn_explore::{Explorer, Options, Trust, Violation, replays};
use norn_litmus::{LitmusMachine, Program, Shape, generate};
use norn_models::{ModelName, ModelVisitor, Named};

/// Finds the violations of a program, and whether each replays.
struct Violations<'m>(&'m LitmusMachine);

impl ModelVisitor for Violations<'_> {
    type Output = Vec<(Violation, bool)>;

    fn visit<Mo: Named>(self) -> Self::Output {
        let options = Options { keep_going: true, ..Options::default() };
        let summary = Trust::<_, Mo>::new(self.0, options).run(&mut ());
        let again = |violation: Violation| {
            let same = replays::<_, Mo>(self.0, &violation).expect("the graph fits the program");
            (violation, same)
        };
        summary.violations.into_iter().map(again).collect()
    }
}

/// Checks the violations of `program` and returns how many there are.
fn check(program: &Program, model: ModelName) -> usize {
    let machine = LitmusMachine::new(program.clone());
    let found = model.with(Violations(&machine));
    let oracle = norn_oracle::Model::from_name(model.name()).expect("the oracle knows all models");
    for (violation, replayed) in &found {
        let what = violation.fault.kind();
        let text = || norn_litmus::print(program);
        assert!(replayed, "{what} under {model} does not replay:\n{}", text());
        let graph = canonical(&machine, &violation.graph, &violation.locations);
        let consistent = norn_oracle::is_consistent(oracle, &graph);
        assert!(consistent, "{what} under {model} is not consistent:\n{}", text());
    }
    found.len()
}

#[test]
fn violations_of_random_programs_replay_and_are_consistent() {
    let shapes = [Shape::default(), Shape::locks(), Shape::waiting()];
    for shape in shapes {
        let found: usize = (0..500)
            .map(|seed| generate(seed, &shape))
            .map(|program| ModelName::ALL.map(|model| check(&program, model)).iter().sum::<usize>())
            .sum();
        assert!(found >= 25, "only {found} violations");
    }
}
