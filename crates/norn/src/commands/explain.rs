//! `norn explain`: see [`Explain`].

use super::limits::Limits;
use super::models;
use super::output::Format;
use super::progress::watched;
use super::terminal::{ColorChoice, print};
use clap::{ArgGroup, Args};
use norn::{CheckOptions, ModelChoice, TextStyle};
use std::path::PathBuf;
use std::process::ExitCode;

/// Looks for an execution of a program that is as asked for, and shows it, or proves that there is none under the
/// memory model.
#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("question").required(true).args(["outcome", "unordered"]),
    after_help = "Exit codes: 0 possible, 1 impossible, 2 bad usage or input, 3 inconclusive."
)]
pub(crate) struct Explain {
    /// C, C++ or LLVM IR files that make one program.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// What holds when all threads have ended: an expression as in C over global variables and their parts, such as
    /// 'x == 0 && queue.items[1] != 7'.
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    outcome: Option<String>,

    /// That accesses of two lines are not ordered: neither happens before the other. If they always are, the answer
    /// is what orders them.
    #[arg(long, num_args = 2, value_name = "FILE:LINE")]
    unordered: Option<Vec<String>>,

    /// The memory model.
    #[arg(
        long,
        default_value_t,
        value_name = "MODEL",
        help = format!("The memory model: {}, or a file in the cat language (`my.cat`)", models())
    )]
    model: ModelChoice,

    /// Let each loop go round, and each function call itself, at most N times.
    #[arg(long, value_name = "N")]
    unroll: Option<u32>,

    /// The function to start with.
    #[arg(long, value_name = "FUNCTION")]
    entry: Option<String>,

    /// Take it that data races do no harm.
    #[arg(long)]
    no_race_detection: bool,

    /// Take it that waits for condition variables end, and weak compare-exchanges fail, only for a reason.
    #[arg(long)]
    no_spurious_wakeups: bool,

    #[command(flatten)]
    limits: Limits,

    /// The form of the answer on standard output.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Print only the answer.
    #[arg(long, short)]
    quiet: bool,

    /// When to use colour.
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = ColorChoice::Auto)]
    color: ColorChoice,

    /// Flags for the compiler, after `--`.
    #[arg(last = true, value_name = "CFLAGS")]
    cflags: Vec<String>,
}

impl Explain {
    pub(crate) fn run(self) -> ExitCode {
        let options = CheckOptions {
            files: self.files,
            cflags: self.cflags,
            model: self.model,
            unroll: self.unroll,
            entry: self.entry,
            race_detection: !self.no_race_detection,
            spurious_wakeups: !self.no_spurious_wakeups,
            timeout: self.limits.timeout,
            max_executions: self.limits.max_executions,
            max_memory: self.limits.max_memory,
            clang: super::clang(),
            ..CheckOptions::default()
        };
        let result = watched(self.quiet, |control, progress| {
            match (self.unordered.as_deref(), &self.outcome) {
                (Some([first, second]), _) => {
                    norn::explain_unordered(&options, [first, second], control, progress)
                }
                (_, outcome) => {
                    let outcome = outcome.as_deref().unwrap_or("");
                    norn::explain(&options, outcome, control, progress)
                }
            }
        });
        let answer = match result {
            Ok(answer) => answer,
            Err(error) => return super::bad_input(&error),
        };
        match self.format {
            Format::Json => print(&format!("{}\n", answer.to_json())),
            Format::Text => {
                let style = TextStyle {
                    width: super::terminal::width(),
                    color: self.color.for_stdout(),
                    quiet: self.quiet,
                    reproducible: false,
                };
                print(&answer.render(style));
            }
        }
        ExitCode::from(answer.answer.exit_code())
    }
}
