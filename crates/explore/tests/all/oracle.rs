//! Random programs: what the explorer visits is what the oracle enumerates, each exactly once.

use crate::support::differential::check_many;
use norn_litmus::Shape;
use norn_models::ModelName;

#[test]
fn programs_with_everything_but_locks() {
    check_many(&Shape::default(), &ModelName::ALL);
}

#[test]
fn programs_of_sequentially_consistent_accesses() {
    check_many(&Shape::seq_cst(), &ModelName::ALL);
}

#[test]
fn programs_with_locks() {
    check_many(&Shape { max_actions: 8, ..Shape::locks() }, &ModelName::ALL);
}

#[test]
fn programs_with_assumptions() {
    check_many(&Shape { assumes: true, max_actions: 8, ..Shape::default() }, &ModelName::ALL);
}

#[test]
fn programs_with_release_sequences() {
    check_many(&Shape::release_sequences(), &[ModelName::Rc11, ModelName::C20]);
}
