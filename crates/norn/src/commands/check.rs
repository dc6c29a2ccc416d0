//! `norn check`: see [`Check`].

use super::progress::ProgressLine;
use super::terminal::{ColorChoice, print};
use clap::{Args, ValueEnum};
use norn::{
    AlgorithmName, BoundName, CheckOptions, Control, ModelName, TextStyle, parse_duration,
    parse_size,
};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Exit codes: 0 verified, 1 violation, 2 bad usage or input, 3 inconclusive (a limit or bound was
/// reached, or something that is not supported; the report says which).
#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 verified, 1 violation, 2 bad usage or input, 3 inconclusive."
)]
pub(crate) struct Check {
    /// C, C++ or LLVM IR files that make one program, or one litmus test.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The memory model: sc, tso, pso, ra or rc11.
    #[arg(long, default_value = "rc11", value_name = "MODEL")]
    model: ModelName,

    /// How to search: auto, trust, rf, await or rvf.
    #[arg(long, default_value = "auto", value_name = "ALGORITHM")]
    algorithm: AlgorithmName,

    /// Let each loop go round at most N times; what lies behind is not looked at.
    #[arg(long, value_name = "N")]
    unroll: Option<u32>,

    /// Look only at executions with at most K preemptions, or, with `auto`, at those with 0, 1, 2 …
    /// until there are no others. Needs `--model sc`.
    #[arg(long, value_name = "K")]
    bound: Option<BoundName>,

    /// Ignore violations in executions that need more preemptions and were looked at on the way.
    #[arg(long, requires = "bound")]
    strict_bound: bool,

    /// Number of workers.
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: u16,

    /// The function to start with.
    #[arg(long, value_name = "FUNCTION")]
    entry: Option<String>,

    /// Count all executions and report every distinct violation, instead of stopping at the first.
    #[arg(long)]
    keep_going: bool,

    /// Do not report data races.
    #[arg(long)]
    no_race_detection: bool,

    /// Give up after this time, such as 90s, 10m or 1h30m.
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    timeout: Option<Duration>,

    /// Give up after this many complete executions.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_executions: Option<u64>,

    /// Give up when this much memory is used, such as 512M or 2G.
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    max_memory: Option<u64>,

    /// The form of the report on standard output.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Print only the verdict and one line for each violation.
    #[arg(long, short)]
    quiet: bool,

    /// When to use colour.
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = ColorChoice::Auto)]
    color: ColorChoice,

    /// Flags for the compiler, after `--`.
    #[arg(last = true, value_name = "CFLAGS")]
    cflags: Vec<String>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// For people.
    Text,
    /// One object, described by docs/report.schema.json.
    Json,
}

impl Check {
    pub(crate) fn run(self) -> ExitCode {
        let control = Control::default();
        super::terminal::stop_on_signals(&control);
        let mut line = ProgressLine::new(self.quiet);
        let result = norn::check(&self.options(), &control, &mut |executions, blocked| {
            line.update(executions, blocked);
        });
        line.clear();
        let outcome = match result {
            Ok(outcome) => outcome,
            Err(error) => return super::bad_input(&error),
        };
        match self.format {
            Format::Json => print(&format!("{}\n", outcome.report.to_json())),
            Format::Text => {
                let style = TextStyle {
                    width: super::terminal::width(),
                    color: self.color.for_stdout(),
                    quiet: self.quiet,
                    reproducible: false,
                };
                print(&norn::render(&outcome.report, &outcome.sources, style));
            }
        }
        ExitCode::from(outcome.report.verdict.exit_code())
    }

    fn options(&self) -> CheckOptions {
        CheckOptions {
            files: self.files.clone(),
            cflags: self.cflags.clone(),
            model: self.model,
            algorithm: self.algorithm,
            bound: self.bound,
            strict_bound: self.strict_bound,
            jobs: usize::from(self.jobs),
            unroll: self.unroll,
            entry: self.entry.clone(),
            keep_going: self.keep_going,
            race_detection: !self.no_race_detection,
            timeout: self.timeout,
            max_executions: self.max_executions,
            max_memory: self.max_memory,
            clang: super::clang(),
        }
    }
}
