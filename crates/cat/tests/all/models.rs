//! What is said of models by looking at small graphs.

use crate::support::{definition, under};
use norn_cat::{Condition, Definition, Limits, conditions, difference};
use norn_litmus::{Program, Shape, generate};
use norn_models::ModelName;

fn within(size: usize, special: usize) -> Limits<'static> {
    Limits { size, special, is_over: &|| false }
}

fn model(text: &str) -> Definition {
    Definition::read("test.cat", text, &mut |_| None).unwrap_or_else(|error| panic!("{error}"))
}

const OTHERS: [&str; 3] =
    ["examples/models/sra.cat", "examples/models/rar.cat", "examples/models/coherence.cat"];

#[test]
fn good_models_can_be_searched_under() {
    let built_in = ModelName::ALL.map(|name| Definition::built_in(name.name()).expect("a model"));
    for definition in built_in.into_iter().chain(OTHERS.map(definition)) {
        for limits in [within(3, 3), within(4, 1)] {
            let held = conditions(&definition, limits).unwrap_or_else(|broken| {
                let (condition, why) = (broken.condition.name(), broken.explanation);
                panic!("{}: {condition}: {why}", definition.name())
            });
            assert!(held.graphs > 100 && !held.is_cut, "{held:?}");
        }
    }
}

#[test]
fn forms_that_show_conditions() {
    for name in ["sc", "ra", "rc11", "c20"] {
        let definition = Definition::built_in(name).expect("a model");
        assert!(definition.is_acyclic_by_form() && definition.is_prefix_closed_by_form(), "{name}");
    }
    for name in ["tso", "pso"] {
        let definition = Definition::built_in(name).expect("a model");
        assert!(
            !definition.is_acyclic_by_form() && definition.is_prefix_closed_by_form(),
            "{name}"
        );
    }
    assert!(!model("acyclic po | (co \\ (rf; po))").is_prefix_closed_by_form());
}

#[test]
fn counterexamples_are_found() {
    let broken = |text: &str, size| {
        let broken = conditions(&model(text), within(size, 1)).expect_err("a counterexample");
        (broken.condition, broken.explanation)
    };
    // Nothing forbids load buffering.
    let (condition, why) = broken("acyclic po-loc | rf | co | fr", 4);
    assert_eq!(condition, Condition::Acyclic, "{why}");
    assert_eq!(why.matches(": read").count(), 2, "{why}");
    // The model of the paper: who reads an initial value forbids others to do so.
    let initial = "let i = [IW]; rf\nacyclic po | rf | co | fr\nempty (i^-1; (IW * IW) \\ loc; i)";
    let (condition, why) = broken(initial, 3);
    assert_eq!(condition, Condition::Extensible, "{why}");
    // A read of the initial value is allowed only beside a write that nobody has read.
    let hidden = "acyclic po | rf | co | fr\nlet unread = W \\ (IW | domain(rf))\n\
                  empty [IW]; rf; [R \\ range((unread * R) & loc)]";
    let (condition, why) = broken(hidden, 3);
    assert!(matches!(condition, Condition::Extensible | Condition::PrefixClosed), "{why}");
    // The release sequences of the first C11: a store of another thread ends one, so that what synchronises can
    // come to do so no more.
    // The execution that shows it has six accesses; the form of the model raises the question at once.
    assert!(!definition("tests/models/c11.cat").is_prefix_closed_by_form());
}

/// A search notices, too, when a model does not let it go on.
#[test]
fn a_search_notices_that_it_is_stuck() {
    let definition = model("acyclic po | rf | co | fr\nempty rf; [R]; po; [R]");
    let program = norn_litmus::read(
        "C two\n{ [x] = 0; [y] = 0; }\nP0 (atomic_int* x, atomic_int* y) {\n  int r0 = atomic_load_explicit(x, \
         memory_order_relaxed);\n  int r1 = atomic_load_explicit(y, memory_order_relaxed);\n}\nexists (0:r0=0)\n",
    )
    .expect("a test");
    let stuck = std::panic::catch_unwind(|| under(&definition, &program));
    assert!(stuck.is_err() && definition.got_stuck());
}

/// Whether the models differ on the programs as the difference says, by searching.
fn confirm(one: &Definition, other: &Definition, program: &Program, by_race: bool) {
    let (a, b) = (under(one, program), under(other, program));
    if by_race {
        assert_ne!(a.races, b.races);
    } else {
        assert_ne!(a.complete, b.complete);
    }
}

#[test]
fn smallest_differences() {
    let pairs = [
        ("sc", "tso", 4),
        ("tso", "pso", 4),
        ("ra", "rc11", 4),
        ("examples/models/sra.cat", "ra", 4),
        ("examples/models/coherence.cat", "sc", 4),
    ];
    for (a, b, size) in pairs {
        let [one, other] =
            [a, b].map(|name| Definition::built_in(name).unwrap_or_else(|| definition(name)));
        let (found, _) = difference([&one, &other], within(4, 2));
        let found = found.unwrap_or_else(|| panic!("{a} and {b} differ"));
        assert_eq!(found.size, size, "{a} and {b}:\n{}", norn_litmus::print(&found.program));
        confirm(&one, &other, &found.program, found.by_race);
    }
}

#[test]
fn what_is_the_same_does_not_differ() {
    let [one, other] = ["crates/cat/models/tso.cat", "tests/litmus/models/tso.cat"].map(definition);
    let (found, _) = difference([&one, &other], within(4, 2));
    assert!(found.is_none(), "{}", norn_litmus::print(&found.expect("a test").program));
}

/// More executions under a weaker model, on random programs.
#[test]
fn other_models_lie_where_their_papers_say() {
    let [sra, rar, coherence] = OTHERS.map(definition);
    let [sc, ra, c20] =
        ["sc", "ra", "c20"].map(|name| Definition::built_in(name).expect("a model"));
    let shape = Shape { max_actions: 7, plain: false, fences: false, ..Shape::default() };
    for seed in 0..60 {
        let program = generate(seed, &shape);
        let weaker = |strong: &Definition, weak: &Definition| {
            let (strong, weak) = (under(strong, &program), under(weak, &program));
            let lost = strong.complete.keys().find(|one| !weak.complete.contains_key(*one));
            assert!(lost.is_none(), "seed {seed}: {}", norn_litmus::print(&program));
        };
        weaker(&sc, &sra);
        weaker(&sra, &ra);
        weaker(&c20, &rar);
        weaker(&rar, &coherence);
    }
}
