//! Runs the main thread of a file for a number of actions, for measuring what one costs:
//! `resume_cost FILE.ll ACTIONS [clone|keep [zero]]`. Threads are started but not run; the answer is 1
//! to everything, or with `zero` 0 to everything but the spawn. With `clone` the thread is also
//! saved at every action. With callgrind, take the difference of two lengths:
//!
//! ```text
//! valgrind --tool=callgrind --callgrind-out-file=/dev/null target/release/examples/resume_cost x.ll 10000
//! ```

use norn_action::{Saving, Value};
use norn_machine::{Config, Vm, runtime_functions};
use std::sync::Arc;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let provided = |name: &str| runtime_functions().iter().any(|entry| entry.0 == name);
    let options = norn_frontend::Options { clang: None, flags: &[], provided };
    let loaded = norn_frontend::load(&[args[1].clone().into()], &options).expect("loadable");
    let vm = Vm::new(Arc::new(loaded.program), Config::default());
    let count: u64 = args[2].parse().expect("a number");
    let (mut thread, mut action) = vm.start();
    let mut saved = thread.clone();
    let save = args.get(3).is_some_and(|arg| arg == "clone");
    let one = args.get(4).is_none();
    let mut taken = 0;
    while taken < count && !action.is_final() {
        if save {
            saved.clone_from(&thread);
        }
        action = vm.resume(&mut thread, Value(u128::from(taken == 1 || one)));
        taken += 1;
    }
    println!("{taken} actions, then {action:?}");
}
