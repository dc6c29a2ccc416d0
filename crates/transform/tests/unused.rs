//! Which read-modify-writes are marked as those whose answers nobody looks at.

use norn_action::Place;
use norn_frontend::{Options, load};
use norn_machine::runtime_functions;
use norn_transform::{Changed, MarkUnused, apply, standard};
use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn updates_that_nobody_asks_for_their_answers_are_marked() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/unused.c");
    let text = std::fs::read_to_string(&file).expect("the program");
    let wanted: BTreeSet<u32> = (1..)
        .zip(text.lines())
        .filter(|(_, line)| line.ends_with("// unused"))
        .map(|(number, _)| number)
        .collect();
    let provided = |name: &str| runtime_functions().iter().any(|entry| entry.0 == name);
    let options = Options { clang: None, flags: &["-w".to_owned()], provided };
    let mut program = load(&[file], &options).expect("loadable").program;
    standard(&mut program).expect("passes make well-formed programs");
    let line = |&pc: &u32| program.location(Place(pc)).map_or(0, |location| location.line);
    let marked: BTreeSet<u32> = program.unused.iter().map(line).collect();
    assert_eq!(marked, wanted);
    assert_eq!(apply(&MarkUnused, &mut program), Ok(Changed::No));
}
