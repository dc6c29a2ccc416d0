//! Counts the executions of one C program: `norn-bench FILE MODEL JOBS [CFLAGS]`.

use norn_explore::{Options, search};
use norn_machine::{Config, Vm};
use norn_models::{Pso, Ra, Rc11, Sc, Tso};
use std::path::PathBuf;
use std::sync::Arc;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let options = norn_frontend::Options {
        clang: None,
        flags: &arguments[4..],
        provided: |name| norn_machine::runtime_functions().iter().any(|(known, _)| *known == name),
    };
    let loaded = norn_frontend::load(&[PathBuf::from(&arguments[1])], &options)
        .unwrap_or_else(|error| panic!("{error}"));
    let config = Config { capture_output: false, ..Config::default() };
    let vm = Vm::new(Arc::new(loaded.program), config);
    let options = Options { keep_going: true, ..Options::default() };
    let jobs = arguments[3].parse().expect("a number");
    let (summary, _) = match arguments[2].as_str() {
        "sc" => search::<_, Sc, ()>(&vm, &options, jobs, || ()),
        "tso" => search::<_, Tso, ()>(&vm, &options, jobs, || ()),
        "pso" => search::<_, Pso, ()>(&vm, &options, jobs, || ()),
        "ra" => search::<_, Ra, ()>(&vm, &options, jobs, || ()),
        _ => search::<_, Rc11, ()>(&vm, &options, jobs, || ()),
    };
    println!(
        "{} executions, {} blocked, {} stale, {} events, largest {}",
        summary.executions, summary.blocked, summary.stale, summary.events, summary.largest_graph
    );
    for violation in &summary.violations {
        println!(
            "{}: {} ({:?})",
            violation.fault.kind,
            violation.fault.message,
            vm.format_place(violation.fault.place)
        );
    }
    for what in &summary.unsupported {
        println!("unsupported: {} ({:?})", what.message, vm.format_place(what.place));
    }
}
