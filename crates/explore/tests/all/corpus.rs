//! Everything that is known of litmus tests and random programs, for every algorithm and model: the answers to
//! litmus tests that another tool computed, and what the oracle enumerates. What an algorithm visits must be
//! that, each exactly once, also on a machine that cannot save its threads.
//!
//! A new algorithm is one line: in `corpus!`, with what it promises in [`crate::support::engine`].

use crate::support::corpus as directory;
use crate::support::differential::check_many_by;
use crate::support::engine::{AWAIT, Distinguishes, Engine, On, RF, TRUST};
use crate::support::table::check_all;
use norn_explore::Summary;
use norn_litmus::{LitmusMachine, Program, Shape};
use norn_models::ModelName;
use std::collections::BTreeSet;

/// Random programs of each shape on a machine that cannot save its threads.
const FORGETFUL_PROGRAMS: u64 = 120;

macro_rules! corpus {
    ($($module:ident: $engine:expr;)*) => {
        /// All algorithms.
        pub(crate) const ENGINES: &[Engine] = &[$($engine),*];

        $(mod $module {
            use super::*;

            #[test]
            fn all_answers_to_litmus_tests_are_reproduced() {
                check_all(|row, program| $engine.check_row(On::Saving, row, program));
            }

            #[test]
            fn all_answers_are_reproduced_without_saving_threads() {
                check_all(|row, program| $engine.check_row(On::Forgetful, row, program));
            }

            #[test]
            fn programs_with_everything_but_locks() {
                random($engine, &Shape::default(), Vain::Never);
            }

            #[test]
            fn programs_of_sequentially_consistent_accesses() {
                random($engine, &Shape::seq_cst(), Vain::Never);
            }

            #[test]
            fn programs_with_release_sequences() {
                let shape = Shape::release_sequences();
                random_under($engine, &shape, &[ModelName::Rc11, ModelName::C20], Vain::Never);
            }

            #[test]
            fn programs_with_locks() {
                random($engine, &Shape { max_actions: 8, ..Shape::locks() }, Vain::Never);
            }

            #[test]
            fn programs_with_many_locks() {
                random($engine, &Shape { max_actions: 10, ..Shape::locks() }, Vain::Maybe);
            }

            #[test]
            fn programs_with_assumptions() {
                let shape = Shape { assumes: true, max_actions: 8, ..Shape::default() };
                random($engine, &shape, Vain::Never);
            }

            #[test]
            fn programs_with_joins() {
                random($engine, &Shape::joins(), Vain::Never);
            }

            #[test]
            fn programs_with_semaphores() {
                random($engine, &Shape::semaphores(), Vain::Maybe);
            }

            /// Reads that are displaced from several objects at once.
            #[test]
            fn programs_with_a_semaphore_and_locks() {
                let (max_threads, max_locations) = (3, 1);
                let shape =
                    Shape { max_threads, max_locations, max_mutexes: 2, ..Shape::semaphores() };
                random($engine, &Shape { max_actions: 9, ..shape }, Vain::Maybe);
            }

            #[test]
            fn programs_with_awaits() {
                random($engine, &Shape::awaits(), Vain::Maybe);
            }

            #[test]
            fn programs_with_everything_that_waits() {
                random($engine, &Shape::waiting(), Vain::Maybe);
            }

            #[test]
            fn programs_of_all_kinds_without_saving_threads() {
                random_forgetful($engine);
            }
        })*
    };
}

corpus! {
    trust: TRUST;
    rf: RF;
    awaits: AWAIT;
}

/// Whether explorations may turn out to be in vain. Only an algorithm that does not choose coherence, and so
/// never waits for a write that another graph has, promises that none is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Vain {
    Never,
    Maybe,
}

fn random(engine: Engine, shape: &Shape, vain: Vain) {
    random_under(engine, shape, &ModelName::ALL, vain);
}

/// Random programs of a shape, under those of the models that the algorithm knows.
fn random_under(engine: Engine, shape: &Shape, models: &[ModelName], vain: Vain) {
    let models: Vec<ModelName> = engine.models().filter(|model| models.contains(model)).collect();
    let never_vain = vain == Vain::Never && engine.distinguishes == Distinguishes::Relations;
    check_many_by(engine.programs, shape, &models, &|program, model| {
        let in_vain = never_vain.then(|| in_vain(engine, program, model)).flatten();
        in_vain.or_else(|| engine.difference(On::Saving, program, model))
    });
}

fn in_vain(engine: Engine, program: &Program, model: ModelName) -> Option<String> {
    let stale = explore(engine, program, model).figures.stale;
    (stale > 0).then(|| format!("{stale} explorations died"))
}

fn explore(engine: Engine, program: &Program, model: ModelName) -> Summary {
    engine.explore(On::Saving, &LitmusMachine::new(program.clone()), model, &mut ())
}

fn random_forgetful(engine: Engine) {
    let shapes = [
        Shape::default(),
        Shape::seq_cst(),
        Shape { max_actions: 8, ..Shape::locks() },
        Shape { assumes: true, max_actions: 8, ..Shape::default() },
        Shape::awaits(),
        Shape::semaphores(),
        Shape::joins(),
        Shape::waiting(),
    ];
    let models: Vec<ModelName> = engine.models().collect();
    for shape in shapes {
        check_many_by(FORGETFUL_PROGRAMS, &shape, &models, &|program, model| {
            engine.difference(On::Forgetful, program, model)
        });
    }
}

/// A schedule of `w` for a read is inconsistent under ra only if `w` has a place in coherence order that it
/// cannot leave, as the write of a read-modify-write has: without these, no schedule of `rf` is in vain.
#[test]
fn no_schedule_dies_in_programs_of_reads_and_writes() {
    let shape = Shape { rmws: false, ..Shape::default() };
    check_many_by(RF.programs, &shape, &[ModelName::Ra], &|program, model| {
        let dead = explore(RF, program, model).figures.rf.unwrap_or_default().dead;
        let died = (dead > 0).then(|| format!("{dead} schedules died"));
        died.or_else(|| in_vain(RF, program, model))
            .or_else(|| RF.difference(On::Saving, program, model))
    });
}

/// The kinds of what is wrong with a program.
pub(crate) fn faults(summary: &Summary) -> BTreeSet<String> {
    summary.violations.iter().map(|violation| violation.fault.kind().to_string()).collect()
}

/// How a search differs from one by execution graphs, in what it must not.
fn against_graphs(engine: Engine, program: &Program, model: ModelName) -> Result<(), String> {
    let (ours, graphs) =
        (engine.run(On::Saving, program, model), TRUST.run(On::Saving, program, model));
    let (found, expected) = (faults(&ours.summary), faults(&graphs.summary));
    if found != expected {
        return Err(format!("found {found:?} instead of {expected:?}"));
    }
    let (ours_too, theirs) = (&ours.summary, &graphs.summary);
    if ours_too.executions > theirs.executions || ours_too.blocked > theirs.blocked {
        return Err(format!("{} executions of {}", ours_too.executions, theirs.executions));
    }
    if ours.outcomes != graphs.outcomes {
        return Err(format!("outcomes {:?} instead of {:?}", ours.outcomes, graphs.outcomes));
    }
    Ok(())
}

/// Whoever does not tell all graphs apart finds what those find who do, in no more executions.
#[test]
fn never_worse_than_execution_graphs() {
    let others = ENGINES.iter().filter(|engine| engine.distinguishes != Distinguishes::Graphs);
    others.for_each(|&engine| compare_with_graphs(engine));
}

fn compare_with_graphs(engine: Engine) {
    let mut wrong = Vec::new();
    let mut tests = 0;
    for entry in std::fs::read_dir(directory()).expect("the litmus tests") {
        let path = entry.expect("a file").path();
        if path.extension().is_none_or(|extension| extension != "litmus") {
            continue;
        }
        tests += 1;
        let text = std::fs::read_to_string(&path).expect("the test");
        let program = norn_litmus::read(&text).expect("a litmus test");
        for model in engine.models() {
            if let Err(difference) = against_graphs(engine, &program, model) {
                wrong.push(format!("{} under {model}: {difference}", path.display()));
            }
        }
    }
    assert!(tests >= 467, "only {tests} tests");
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}
