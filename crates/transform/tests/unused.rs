//! Which read-modify-writes are marked as those whose answers nobody looks at, and which functions do not look at what they
//! are given.

use norn_action::Place;
use norn_frontend::{Options, load};
use norn_machine::runtime_functions;
use norn_program::Program;
use norn_transform::{Changed, MarkUnused, apply, standard};
use std::collections::BTreeSet;
use std::path::Path;

/// A program of this folder, and its lines that end with a mark.
fn program(name: &str, mark: &str) -> (Program, BTreeSet<u32>) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name);
    let text = std::fs::read_to_string(&file).expect("the program");
    let marked = (1..).zip(text.lines()).filter(|(_, line)| line.ends_with(mark));
    let marked = marked.map(|(number, _)| number).collect();
    let provided = |name: &str| runtime_functions().iter().any(|entry| entry.0 == name);
    let options = Options { clang: None, flags: &["-w".to_owned()], provided };
    let mut program = load(&[file], &options).expect("loadable").program;
    standard(&mut program).expect("passes make well-formed programs");
    (program, marked)
}

#[test]
fn updates_that_nobody_asks_for_their_answers_are_marked() {
    let (mut program, wanted) = program("unused.c", "// unused");
    let line = |&pc: &u32| program.location(Place(pc)).map_or(0, |location| location.line);
    let marked: BTreeSet<u32> = program.unused.iter().map(line).collect();
    assert_eq!(marked, wanted);
    assert_eq!(apply(&MarkUnused, &mut program), Ok(Changed::No));
}

#[test]
fn functions_that_do_not_look_at_their_argument_are_marked() {
    let (mut program, wanted) = program("ignoring.c", "// ignoring");
    let line = |location| program.source.get(location).map_or(0, |location| location.line);
    let functions = program.ignoring.iter().map(|id| &program.functions[id.index()]);
    let marked: BTreeSet<u32> = functions.map(|function| line(function.location)).collect();
    assert_eq!(marked, wanted);
    assert_eq!(apply(&MarkUnused, &mut program), Ok(Changed::No));
}
