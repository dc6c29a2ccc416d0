//! Which loops have a turn, which recursion becomes a loop, and of which reads one thing is asked.

use norn_action::Place;
use norn_frontend::{Options, load};
use norn_machine::runtime_functions;
use norn_program::Program;
use norn_transform::{Changed, LoopRecursion, MarkAsked, MarkTurns, apply, standard};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/turns.c")
}

fn program() -> Program {
    let provided = |name: &str| runtime_functions().iter().any(|entry| entry.0 == name);
    let options = Options { clang: None, flags: &["-w".to_owned()], provided };
    let mut program = load(&[file()], &options).expect("loadable").program;
    standard(&mut program).expect("passes make well-formed programs");
    program
}

/// The lines whose remark has a word.
fn marked(word: &str) -> BTreeSet<u32> {
    let text = std::fs::read_to_string(file()).expect("the program");
    let has = |line: &str| {
        let remark = line.split_once("// ").map_or("", |(_, remark)| remark);
        remark.split(", ").any(|part| part == word)
    };
    (1..).zip(text.lines()).filter(|(_, line)| has(line)).map(|(number, _)| number).collect()
}

fn line(program: &Program, pc: u32) -> u32 {
    program.location(Place(pc)).map_or(0, |location| location.line)
}

#[test]
fn loops_whose_first_try_stands_before_them_have_a_turn() {
    let mut program = program();
    let turns = program.loops.iter().filter_map(|item| Some((item, item.turn?)));
    let pcs = turns.flat_map(|(item, turn)| [item.header, turn.before]);
    let lines: BTreeSet<u32> = pcs.map(|pc| line(&program, pc)).collect();
    assert_eq!(lines, marked("turn"));
    assert_eq!(apply(&MarkTurns, &mut program), Ok(Changed::No));
}

#[test]
fn functions_that_wait_by_calling_themselves_are_loops() {
    let mut program = program();
    let starts = |pc: u32| program.functions.iter().any(|function| function.entry == pc);
    let heads = program.loops.iter().map(|item| item.header).filter(|&pc| starts(pc));
    let lines: BTreeSet<u32> = heads.map(|pc| line(&program, pc + 1)).collect();
    let wanted = marked("loop");
    assert_eq!(lines.len(), wanted.len(), "{lines:?}");
    assert_eq!(apply(&LoopRecursion, &mut program), Ok(Changed::No));
}

#[test]
fn reads_of_which_one_thing_is_asked_are_marked() {
    let mut program = program();
    let lines: BTreeSet<u32> =
        program.asked.iter().map(|asked| line(&program, asked.read)).collect();
    assert_eq!(lines, marked("asked"));
    assert_eq!(apply(&MarkAsked, &mut program), Ok(Changed::No));
}
