//! What reads wait for in loops that keep what they see in memory that only their thread uses.

use norn_action::{Action, Saving, ThreadId, Value};
use norn_frontend::{Options, load};
use norn_machine::{Config, Thread, Vm, runtime_functions};
use norn_transform::standard;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// The line of the first load of a thread, and what it may see.
fn first_load(vm: &Vm, mut thread: Thread, mut action: Action) -> (u32, String) {
    loop {
        match &action {
            Action::Load(access, wait) => {
                let place = vm.program().location(access.place).expect("a line");
                let passes = |value: &u64| {
                    let value = Value::from(*value);
                    wait.as_ref().is_none_or(|(test, _)| test.holds(value, access.size))
                };
                let seen: Vec<String> = (0..4).filter(passes).map(|v| v.to_string()).collect();
                return (place.line, seen.join(" "));
            }
            action if action.is_final() => panic!("no load: {action:?}"),
            _ => action = vm.resume(&mut thread, Value::ZERO),
        }
    }
}

#[test]
fn what_is_written_again_before_it_is_read_does_not_count() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kept.c");
    let provided = |name: &str| runtime_functions().iter().any(|entry| entry.0 == name);
    let options = Options { clang: None, flags: &["-w".to_owned()], provided };
    let mut program = load(std::slice::from_ref(&file), &options).expect("loadable").program;
    standard(&mut program).expect("passes make well-formed programs");
    let vm = Vm::new(Arc::new(program), Config::default());
    let (mut main, mut action) = vm.start();
    let mut found = BTreeSet::new();
    let mut started = 0;
    while !action.is_final() {
        let mut answer = 0;
        if let Action::Spawn { .. } = action {
            started += 1;
            answer = started;
            let (thread, first) = vm.spawn(&main, ThreadId(started));
            found.insert(first_load(&vm, thread, first));
        }
        action = vm.resume(&mut main, Value::from(u64::from(answer)));
    }
    let text = std::fs::read_to_string(&file).expect("the program");
    let wanted = (1..).zip(text.lines()).filter_map(|(number, line)| {
        let (_, seen) = line.split_once("// sees ")?;
        Some((number, seen.to_owned()))
    });
    assert_eq!(found, wanted.collect());
    assert_eq!(started, 8);
}
