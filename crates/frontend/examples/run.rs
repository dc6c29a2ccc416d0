//! Compiles, lowers and interprets the files given: a look at one program.

use norn_frontend::{Options, load};
use norn_machine::run::{Outcome, run};
use norn_machine::{Config, Vm, runtime_functions};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (flags, files): (Vec<_>, Vec<_>) = args.into_iter().partition(|a| a.starts_with('-'));
    let inputs: Vec<_> = files.into_iter().map(PathBuf::from).collect();
    let provided = |name: &str| runtime_functions().iter().any(|entry| entry.0 == name);
    let loaded = match load(&inputs, &Options { clang: None, flags: &flags, provided }) {
        Ok(loaded) => loaded,
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(2);
        }
    };
    let program = Arc::new(loaded.program);
    let vm = Vm::new(program.clone(), Config::default());
    let outcome = run(&vm, &mut |is_error, bytes| {
        let _ = if is_error {
            std::io::stderr().write_all(bytes)
        } else {
            std::io::stdout().write_all(bytes)
        };
    });
    let place = |place| program.format_place(place).unwrap_or_default();
    match outcome {
        Outcome::Exit(code) => std::process::exit(code),
        Outcome::Fault(fault) => {
            eprintln!("{}: {:?}", place(fault.place), fault.what)
        }
        Outcome::Unsupported(what) => {
            eprintln!("{}: not supported: {:?}", place(what.place), what.what)
        }
        other => eprintln!("{other:?}"),
    }
    std::process::exit(2);
}
