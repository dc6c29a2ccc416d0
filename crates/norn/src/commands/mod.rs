//! The subcommands, one file each.

mod cancel;
mod check;
mod completions;
mod disasm;
mod explain;
mod flags;
mod init;
mod limits;
mod list;
mod man;
mod merge;
mod model;
mod output;
mod progress;
mod replay;
mod resume;
mod run;
mod split;
mod status;
mod terminal;
mod test;
mod transform;
mod worker;

use clap::{Parser, Subcommand};
use norn::ModelName;
use std::path::PathBuf;
use std::process::ExitCode;

/// The models that there are, for the help.
fn models() -> String {
    ModelName::ALL.map(ModelName::name).join(", ")
}

/// Exit code for bad usage or input.
const BAD_INPUT: u8 = 2;

/// Checks concurrent C and C++ programs: every behaviour of every thread, under a memory model.
#[derive(Debug, Parser)]
#[command(name = "norn", version, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Look at every behaviour of a program, and prove it correct or show what is wrong.
    Check(Box<check::Check>),
    /// Go on with a check that was saved by `check --checkpoint`.
    Resume(resume::Resume),
    /// Join a search that `check --board` coordinates, from any machine that sees its directory.
    Worker(worker::Worker),
    /// Show how far the search in a directory is.
    Status(status::Status),
    /// End the search in a directory.
    Cancel(cancel::Cancel),
    /// Split a saved search into parts that can be gone on with anywhere.
    Split(split::Split),
    /// Put all parts of a saved search together again.
    Merge(merge::Merge),
    /// Show a violation that was written by `check --trace` again, without searching for it.
    Replay(replay::Replay),
    /// Show an execution that ends as asked for, or prove that there is none.
    Explain(explain::Explain),
    /// Check files that say what is to be found in them, and compare.
    Test(test::Test),
    /// Write a first test and a workflow for CI into the current project.
    Init(init::Init),
    /// Run a program once: threads in turn, sequentially consistent, with its real output.
    Run(run::Run),
    /// Show which loops of a program wait, under which conditions, and why others do not.
    Transform(transform::Transform),
    /// Print the bytecode of a program.
    Disasm(disasm::Disasm),
    /// List memory models, algorithms and supported functions.
    List(list::List),
    /// Look at memory models: can they be searched under, what tells two of them apart?
    Model(model::Model),
    /// Print a completion script for a shell.
    Completions(completions::Completions),
    /// Print the manual page.
    #[command(hide = true)]
    Man(man::Man),
}

impl Cli {
    /// What the command line asks for.
    pub(crate) fn of_command_line() -> Cli {
        Cli::parse_from(flags::behind(std::env::args_os()))
    }

    /// Does what is asked for.
    pub(crate) fn run(self) -> ExitCode {
        match self.command {
            Command::Check(check) => check.run(),
            Command::Resume(resume) => resume.run(),
            Command::Worker(worker) => worker.run(),
            Command::Status(status) => status.run(),
            Command::Cancel(cancel) => cancel.run(),
            Command::Split(split) => split.run(),
            Command::Merge(merge) => merge.run(),
            Command::Replay(replay) => replay.run(),
            Command::Explain(explain) => explain.run(),
            Command::Test(test) => test.run(),
            Command::Init(init) => init.run(),
            Command::Run(run) => run.run(),
            Command::Transform(transform) => transform.run(),
            Command::Disasm(disasm) => disasm.run(),
            Command::List(list) => list.run(),
            Command::Model(model) => model.run(),
            Command::Completions(completions) => completions.run(),
            Command::Man(man) => man.run(),
        }
    }
}

/// The compiler that the environment names.
fn clang() -> Option<PathBuf> {
    std::env::var_os("NORN_CLANG").map(PathBuf::from)
}

/// Says what is wrong with the input and how to go on.
fn bad_input(error: &norn::InputError) -> ExitCode {
    eprintln!("error: {error}");
    ExitCode::from(BAD_INPUT)
}
