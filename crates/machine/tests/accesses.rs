//! Which runtime functions access memory of the program is a list. Here each is called with pointers to nothing: who
//! follows one of these fails for that, who is listed does not.

use norn_action::{FaultKind, Place};
use norn_machine::run::{Outcome, run};
use norn_machine::{Config, Vm, may_access, runtime_functions};
use std::sync::Arc;

/// Pointers to nothing, with small numbers among them for those that ask for an alignment or a length.
const ARGUMENTS: [[u64; 6]; 4] = [
    [80_000; 6],
    [80_000, 96_000, 8, 8, 8, 8],
    [80_000, 16, 8, 8, 8, 8],
    [80_000, 1, 80_000, 8, 8, 8],
];

/// Calls a function.
fn call(name: &str, arguments: &[u64]) -> Outcome {
    let file = std::env::temp_dir().join(format!("norn-accesses-{}.ll", std::process::id()));
    let wild: Vec<String> = arguments.iter().map(|number| format!("i64 {number}")).collect();
    let wild = wild.join(", ");
    let text = format!(
        "declare i64 @{name}(...)\ndefine i32 @main() {{\n  call i64 (...) @{name}({wild})\n  ret i32 0\n}}\n"
    );
    std::fs::write(&file, text).expect("to write");
    let provided = |name: &str| runtime_functions().iter().any(|entry| entry.0 == name);
    let options = norn_frontend::Options { clang: None, flags: &[], provided };
    let loaded =
        norn_frontend::load(std::slice::from_ref(&file), &options).expect("a loadable program");
    std::fs::remove_file(&file).expect("the file can be removed");
    let vm = Vm::new(Arc::new(loaded.program), Config::for_run());
    run(&vm, &mut |_, _| {})
}

#[test]
fn who_is_said_to_access_nothing_does_not() {
    use FaultKind::*;
    let mut wrong = Vec::new();
    for (name, _) in runtime_functions() {
        let outcomes = ARGUMENTS.map(|arguments| call(name, &arguments));
        let follows = outcomes.iter().any(|outcome| match outcome {
            // What is called at the end of the process has no place.
            Outcome::Fault(fault) if fault.place != Place::NONE => matches!(
                fault.kind(),
                NullPointer | WildPointer | OutOfBounds | InvalidFree | UseAfterFree | InvalidSync
            ),
            _ => false,
        });
        let ends = outcomes.iter().all(|outcome| matches!(outcome, Outcome::Exit(_)));
        if may_access(name) && ends || !may_access(name) && follows {
            wrong.push(format!("{name}: {outcomes:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
