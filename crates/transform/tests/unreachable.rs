//! Which functions are dropped, and that nobody misses them.

use norn_frontend::{Options, load};
use norn_machine::run::{Outcome, run};
use norn_machine::{Config, Vm, runtime_functions};
use norn_program::{
    FunctionId, Global, Instruction, LocationId, Operand, Program, ProgramBuilder, Register,
};
use norn_transform::{Changed, DropUnreachable, apply, standard};
use std::path::Path;
use std::sync::Arc;

/// What a function of a test program does.
enum Body {
    Nothing,
    Calls(&'static str),
    Names(&'static str),
    /// Names an address as the second cell of a constant.
    NamesInPair(&'static str),
    Passes(&'static str),
}

use Body::{Calls, Names, NamesInPair, Nothing, Passes};

fn program(functions: &[(&str, Body)], in_global: Option<&str>) -> Program {
    let mut builder = ProgramBuilder::new();
    for (name, _) in functions {
        builder.declare_function(name, 0, 0, false);
    }
    let id = |name: &str| {
        let index = functions.iter().position(|function| function.0 == name);
        FunctionId(index.expect("a function of that name") as u32)
    };
    let address = |name: &str| Program::function_address(id(name));
    for (name, body) in functions {
        let mut f = builder.define(id(name));
        let pair = f.registers(2);
        match body {
            Nothing => f.emit(Instruction::Move { dst: pair, src: pair.into() }),
            Calls(other) => f.call(id(other), &[], 0, pair),
            Names(other) => {
                let src = f.constant(address(other));
                f.emit(Instruction::Move { dst: pair, src });
            }
            NamesInPair(other) => {
                let src = f.program().constant_cells(&[7, address(other)]);
                f.emit(Instruction::MoveMany { count: 2, dst: pair, src });
            }
            Passes(other) => {
                let argument = f.constant(address(other));
                f.call_external("puts", &[argument], 0, pair);
            }
        }
        f.ret(0, Operand::from(Register(0)));
        f.finish();
    }
    if let Some(name) = in_global {
        // Packed, so that the address is not where addresses usually are, and without the zeros at its end.
        let bytes = [&[1, 2, 3][..], &address(name).to_le_bytes()[..5]].concat();
        builder.declare_global(Global {
            name: "table".into(),
            source_name: None,
            address: 0,
            size: 11,
            align: 1,
            bytes,
            constant: true,
            thread_local: false,
            kind: None,
            location: LocationId::NONE,
        });
    }
    builder.program().main = functions.iter().any(|f| f.0 == "main").then(|| id("main"));
    builder.finish().expect("a well-formed program")
}

/// The names of the functions that are still there.
fn kept(program: &Program) -> Vec<&str> {
    let is_dropped = |pc: u32| matches!(program.code[pc as usize], Instruction::Unsupported { .. });
    let kept = program.functions.iter().filter(|function| !is_dropped(function.entry));
    kept.map(|function| function.name.as_str()).collect()
}

#[test]
fn calls_and_addresses_keep_functions() {
    let functions = [
        ("main", Calls("called")),
        ("called", Names("named")),
        ("named", NamesInPair("paired")),
        ("paired", Passes("passed")),
        ("passed", Nothing),
        ("lost", Calls("lost_too")),
        ("lost_too", Calls("called")),
        ("listed", Calls("below_listed")),
        ("below_listed", Nothing),
    ];
    let mut program = program(&functions, Some("listed"));
    let addresses = program.constants.clone();
    assert_eq!(apply(&DropUnreachable, &mut program), Ok(Changed::Yes));
    let expected = ["main", "called", "named", "paired", "passed", "listed", "below_listed"];
    assert_eq!(kept(&program), expected);
    assert_eq!(program.constants, addresses);
    assert_eq!(apply(&DropUnreachable, &mut program), Ok(Changed::No), "a second time");
}

#[test]
fn constructors_and_destructors_are_kept() {
    let functions = [("main", Nothing), ("first", Nothing), ("last", Nothing), ("lost", Nothing)];
    let mut program = program(&functions, None);
    program.constructors.push(FunctionId(1));
    program.destructors.push(FunctionId(2));
    standard(&mut program).expect("a well-formed program");
    assert_eq!(kept(&program), ["main", "first", "last"]);
}

#[test]
fn without_main_everything_is_kept() {
    let mut program = program(&[("f", Nothing), ("g", Nothing)], None);
    assert_eq!(apply(&DropUnreachable, &mut program), Ok(Changed::No));
}

fn behaviour(program: Program) -> (Vec<u8>, String) {
    let vm = Vm::new(Arc::new(program), Config::default());
    let mut output = Vec::new();
    let outcome = run(&vm, &mut |_, bytes| output.extend_from_slice(bytes));
    match outcome {
        Outcome::Exit(code) => (output, format!("exit {code}")),
        other => (output, format!("{other:?}")),
    }
}

#[test]
fn programs_behave_as_before() {
    let names = [
        "function_pointers.c",
        "function_table_struct.c",
        "return_function_pointer.c",
        "constructors.c",
        "callbacks.c",
        "computed_goto.c",
        "qsort_bsearch.c",
        "classes.cpp",
        "containers.cpp",
        "functions.cpp",
        "templates.cpp",
    ];
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/run");
    for (name, level) in names.iter().flat_map(|name| [(name, "-O0"), (name, "-O2")]) {
        let mut flags = vec!["-w".to_owned(), level.to_owned()];
        flags.extend(name.ends_with(".cpp").then(|| "-std=c++17".to_owned()));
        let provided = |name: &str| runtime_functions().iter().any(|entry| entry.0 == name);
        let options = Options { clang: None, flags: &flags, provided };
        let mut program = load(&[directory.join(name)], &options).expect("loadable").program;
        let expected = behaviour(program.clone());
        standard(&mut program).expect("a well-formed program");
        assert_eq!(behaviour(program), expected, "{name} {level}");
    }
}
