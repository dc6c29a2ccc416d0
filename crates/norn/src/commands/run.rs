//! `norn run`: see [`Run`].

use clap::Args;
use norn::CheckOptions;
use norn_action::{FaultKind, Place};
use norn_machine::{Vm, run::Outcome};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Run a program once: threads in turn, sequentially consistent, with its real output and exit code.
///
/// A program that fails ends as it would natively: 134 for a failed assertion or abort, 139 for a bad
/// access to memory, 136 for a division by zero, 1 for any other fault. Exit code 2 means that the
/// program could not be run, 3 that an assumption failed.
#[derive(Debug, Args)]
pub(crate) struct Run {
    /// C, C++ or LLVM IR files that make one program.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The function to start with.
    #[arg(long, value_name = "FUNCTION")]
    entry: Option<String>,

    /// An argument for the program; may be given several times.
    #[arg(long = "arg", value_name = "ARG", allow_hyphen_values = true)]
    arguments: Vec<String>,

    /// Flags for the compiler, after `--`.
    #[arg(last = true, value_name = "CFLAGS")]
    cflags: Vec<String>,
}

impl Run {
    pub(crate) fn run(self) -> ExitCode {
        let mut arguments = vec![self.files[0].display().to_string()];
        arguments.extend(self.arguments);
        let options = CheckOptions {
            files: self.files,
            cflags: self.cflags,
            entry: self.entry,
            clang: super::clang(),
            ..CheckOptions::default()
        };
        let mut stdout = std::io::BufWriter::new(std::io::stdout().lock());
        // A reader that went away does not change what the program does.
        let result = norn::run(&options, arguments, &mut |to_stderr, bytes| {
            let _ = if to_stderr {
                let _ = stdout.flush();
                std::io::stderr().write_all(bytes)
            } else {
                stdout.write_all(bytes)
            };
        });
        let _ = stdout.flush();
        match result {
            Ok((vm, outcome)) => ExitCode::from(finish(&vm, &outcome)),
            Err(error) => super::bad_input(&error),
        }
    }
}

/// Says how the run ended, if that is not by its own exit code.
fn finish(vm: &Vm, outcome: &Outcome) -> u8 {
    let place = |place: Place| match vm.format_place(place) {
        Some(text) => format!("{text}: "),
        None => String::new(),
    };
    match outcome {
        Outcome::Exit(code) => *code as u8,
        Outcome::Fault(fault) => {
            let said = norn::fault_sentence(vm, fault);
            eprintln!("{}{}: {said}", place(fault.place), fault.kind());
            native_code(fault.kind())
        }
        Outcome::Unsupported(what) => {
            eprintln!("error: {}{}", place(what.place), norn::obstacle_sentence(&what.what));
            super::BAD_INPUT
        }
        Outcome::Deadlock(threads) => {
            for (thread, at) in threads {
                eprintln!("{}deadlock: {thread} waits for ever", place(*at));
            }
            1
        }
        Outcome::Abandoned(at) => {
            eprintln!("{}an assumption failed", place(*at));
            3
        }
    }
}

/// The exit code that a shell shows for a program that dies of the fault.
fn native_code(kind: FaultKind) -> u8 {
    match kind {
        FaultKind::Assertion
        | FaultKind::ReachError
        | FaultKind::Abort
        | FaultKind::UncaughtException => 134,
        FaultKind::NullPointer | FaultKind::WildPointer | FaultKind::ReadOnlyWrite => 139,
        FaultKind::DivisionByZero => 136,
        _ => 1,
    }
}
