//! `norn replay`: see [`Replay`].

use super::output::Output;
use super::terminal::print;
use clap::Args;
use norn::{Control, Walk};
use std::io::{BufRead, IsTerminal, Read};
use std::path::PathBuf;
use std::process::ExitCode;

/// Runs the program into the violation that `norn check --trace` has written, and shows it with what the program prints.
/// Nothing is searched. The program must be the same; a changed one, or a file of another version of norn, is refused.
#[derive(Debug, Args)]
#[command(after_help = "Exit codes: 1 the violation, 2 bad usage or input.")]
pub(crate) struct Replay {
    /// The file that `norn check --trace` has written.
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Go through the steps one by one, by commands on standard input: next, back, print NAME, where, help, quit.
    #[arg(long, conflicts_with_all = ["format", "quiet", "html", "graph", "sarif", "junit"])]
    step: bool,

    #[command(flatten)]
    output: Output,
}

/// Longer lines are no commands.
const LONGEST: u64 = 1 << 16;

impl Replay {
    pub(crate) fn run(self) -> ExitCode {
        if self.step {
            return self.walk();
        }
        self.output.of(std::slice::from_ref(&self.file), std::iter::empty(), |control, progress| {
            norn::replay(&self.file, super::clang(), control, progress)
        })
    }

    fn walk(&self) -> ExitCode {
        let control = Control::default();
        let outcome = match norn::replay(&self.file, super::clang(), &control, &mut |_| {}) {
            Ok(outcome) => outcome,
            Err(error) => return super::bad_input(&error),
        };
        let code = ExitCode::from(outcome.report.verdict.exit_code());
        let Some(violation) = &outcome.report.violation else { return code };
        let mut walk = Walk::new(violation, &outcome.sources);
        print(&walk.greeting());
        let mut input = std::io::stdin().lock();
        let prompt = if std::io::stdin().is_terminal() { "(norn) " } else { "" };
        loop {
            print(prompt);
            let mut line = Vec::new();
            match input.by_ref().take(LONGEST).read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => return code,
                Ok(_) => {}
            }
            match walk.answer(&String::from_utf8_lossy(&line)) {
                Some(answer) => print(&answer),
                None => return code,
            }
        }
    }
}
