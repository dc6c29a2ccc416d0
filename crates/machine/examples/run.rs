//! Compiles C or C++ files and runs them once: `run FILE... [-- CLANG_FLAGS]`. With the environment
//! variable `LIST` set, prints the bytecode instead.

use norn_machine::run::{Outcome, run};
use norn_machine::{Config, Vm, runtime_functions};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let split = args.iter().position(|arg| arg == "--").unwrap_or(args.len());
    let files: Vec<PathBuf> = args[..split].iter().map(PathBuf::from).collect();
    let flags: Vec<String> = args[split..].iter().skip(1).cloned().collect();
    let provided = |name: &str| runtime_functions().iter().any(|entry| entry.0 == name);
    let options = norn_frontend::Options { clang: None, flags: &flags, provided };
    let loaded = match norn_frontend::load(&files, &options) {
        Ok(loaded) => loaded,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    };
    if std::env::var_os("LIST").is_some() {
        print!("{}", loaded.program);
        return ExitCode::SUCCESS;
    }
    let vm = Vm::new(Arc::new(loaded.program), Config::for_run());
    let outcome = run(&vm, &mut |error, bytes| {
        let written = if error {
            std::io::stderr().write_all(bytes)
        } else {
            std::io::stdout().write_all(bytes)
        };
        let _ = written;
    });
    let place = |place| vm.format_place(place).unwrap_or_else(|| "unknown place".into());
    match outcome {
        Outcome::Exit(code) => return ExitCode::from(code as u8),
        Outcome::Fault(fault) => {
            eprintln!("{}: {:?}", place(fault.place), fault.what);
        }
        Outcome::Unsupported(what) => eprintln!("{}: {:?}", place(what.place), what.what),
        Outcome::Deadlock(threads) => {
            for (thread, at) in threads {
                eprintln!("{thread} waits at {}", place(at));
            }
        }
        Outcome::Abandoned(at) => eprintln!("abandoned at {}", place(at)),
    }
    ExitCode::from(101)
}
