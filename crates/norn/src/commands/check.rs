//! `norn check`: see [`Check`].

use super::limits::Limits;
use super::models;
use super::output::Output;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueHint};
use norn::{
    AlgorithmName, BoardOptions, BoundName, CheckOptions, InputError, LibraryChoice, Log,
    ModelChoice, Outcome, parse_duration,
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

    /// The memory model.
    #[arg(
        long,
        default_value_t,
        value_name = "MODEL",
        help = format!("The memory model: {}, or a file in the cat language (`my.cat`)", models())
    )]
    model: ModelChoice,

    /// Take what functions do from the specification of a library instead of running them: one that comes with
    /// norn (`norn list libraries`) or a file, and which functions are its operations, as in
    /// `mutex:lock=my_lock,unlock=my_unlock`. Can be given several times.
    #[arg(long, value_name = "LIBRARY")]
    library: Vec<LibraryChoice>,

    /// Compare functions with the specification of a library: does every execution end as it may with the library
    /// itself? What is compared are the global variables of the client.
    #[arg(long, value_name = "LIBRARY")]
    against: Vec<LibraryChoice>,

    /// How to search.
    #[arg(long, default_value = "auto", value_name = "ALGORITHM", value_parser = algorithms())]
    algorithm: AlgorithmName,

    /// Let each loop go round, and each function call itself, at most N times; what lies behind is not
    /// looked at.
    #[arg(long, value_name = "N")]
    unroll: Option<u32>,

    /// Look only at executions with at most K preemptions, or, with `auto`, at those with 0, 1, 2 …
    /// until there are no others. Needs `--model sc`.
    #[arg(long, value_name = "K")]
    bound: Option<BoundName>,

    /// Ignore violations in executions that need more preemptions and were looked at on the way.
    #[arg(long, requires = "bound")]
    strict_bound: bool,

    /// Number of workers; as many as there are cores unless it is given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,

    /// With several workers, report the violation that is found first. Without this, it is the one that
    /// a single worker would find first.
    #[arg(long, conflicts_with = "keep_going")]
    any: bool,

    /// Save the search in this file every 30 seconds and when it is stopped; `norn resume` goes on.
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,

    /// How often to save it, such as 10s or 5m.
    #[arg(long, value_name = "DURATION", value_parser = parse_duration, requires = "checkpoint",
        default_value = "30s")]
    checkpoint_interval: Duration,

    /// Search by other processes: each `norn worker DIR`, on any machine that sees the directory, takes parts of the
    /// search. If the check is ended, the same command goes on. With the feature `nats` also `nats://host`.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    board: Option<PathBuf>,

    /// With --board: how long a worker works on a part before it says what came of it.
    #[arg(long, value_name = "DURATION", value_parser = parse_duration, requires = "board", default_value = "2s")]
    slice: Duration,

    /// With --board: how long a process may be silent before another one takes over its part.
    #[arg(long, value_name = "DURATION", value_parser = parse_duration, requires = "board", default_value = "15s")]
    lease: Duration,

    /// The function to start with.
    #[arg(long, value_name = "FUNCTION")]
    entry: Option<String>,

    /// Count all executions and report every distinct violation, instead of stopping at the first.
    #[arg(long)]
    keep_going: bool,

    /// Do not report data races.
    #[arg(long)]
    no_race_detection: bool,

    /// Do not report livelocks: threads that wait in a loop for a value that never comes.
    #[arg(long)]
    no_liveness: bool,

    /// Take it that waits for condition variables end, and weak compare-exchanges fail, only for a reason.
    #[arg(long)]
    no_spurious_wakeups: bool,

    /// Look at all executions that differ only by which of several threads that are alike does what, instead of at one
    /// of them.
    #[arg(long)]
    no_symmetry: bool,

    /// Leave out the locks of critical sections that do not depend on each other, instead of looking at all orders in which
    /// they are taken.
    #[arg(long)]
    lock_reduction: bool,

    /// Also let a thread that freed memory get the same address again when it allocates as much, to find
    /// code that takes a new object for an old one (ABA).
    #[arg(long)]
    reuse_memory: bool,

    /// Also show where the executions come from: at which lines the search branched most.
    #[arg(long, conflicts_with = "checkpoint")]
    profile: bool,

    /// Write how long the parts of the check took to this file: a trace for a browser if it ends in .json, text
    /// otherwise.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    log: Option<PathBuf>,

    /// Write the first violation to this file; `norn replay` shows it again.
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,

    /// Also write a page for a browser with all executions of a small program or litmus test, a thousand at the most, each
    /// with what it ends in and what is wrong with it.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    explore_html: Option<PathBuf>,

    /// If something is wrong, look for a violation of the same kind with fewer steps and fewer thread switches, and
    /// report the shortest that is found.
    #[arg(long)]
    minimise: bool,

    /// If something is wrong, look for stronger memory orders that mend it: one access of the execution at a time,
    /// then pairs, then more. Each is checked by a full search; the smallest and weakest is printed.
    #[arg(long)]
    suggest: bool,

    /// How long to go on for --minimise, then for --suggest, after a violation was found, and then for --explore-html.
    #[arg(long, value_name = "DURATION", value_parser = parse_duration, default_value = "60s")]
    effort: Duration,

    #[command(flatten)]
    limits: Limits,

    #[command(flatten)]
    output: Output,

    /// Flags for the compiler, after `--`.
    #[arg(last = true, value_name = "CFLAGS")]
    cflags: Vec<String>,
}

/// The algorithms that there are, for the help and for refusals.
fn algorithms() -> impl TypedValueParser<Value = AlgorithmName> {
    let names = AlgorithmName::ALL.map(AlgorithmName::name);
    PossibleValuesParser::new(names).try_map(|name| name.parse::<AlgorithmName>())
}

impl Check {
    pub(crate) fn run(self) -> ExitCode {
        let options = self.options();
        for path in self.log.iter().chain(&self.explore_html) {
            if let Err(error) = norn::check_output(path, &options.files) {
                return super::bad_input(&error);
            }
        }
        let others = [&self.log, &self.explore_html, &self.trace, &self.checkpoint];
        let others = others.into_iter().flatten();
        let code = self.output.of(&options.files, others, |control, progress| {
            let mut outcome = norn::check(&options, control, progress)?;
            self.write_executions(&mut outcome)?;
            Ok(outcome)
        });
        match self.write_log(&options.log) {
            Ok(()) => code,
            Err(error) => super::bad_input(&error),
        }
    }

    fn write_executions(&self, outcome: &mut Outcome) -> Result<(), InputError> {
        let (Some(path), Outcome { report, sources, browsed }) = (&self.explore_html, outcome)
        else {
            return Ok(());
        };
        let page = browsed.as_mut().map(|browsed| norn::browse_page(report, sources, browsed));
        norn::write_output(path, page)?;
        if let Some(browsed) = browsed
            && let Some(not_shown) = browsed.not_shown()
        {
            let (path, shown) = (path.display(), browsed.executions.len());
            eprintln!("warning: {path} shows {shown} executions. {not_shown}");
        }
        Ok(())
    }

    fn write_log(&self, log: &Log) -> Result<(), InputError> {
        let Some(path) = &self.log else { return Ok(()) };
        let is_trace = path.extension().is_some_and(|extension| extension == "json");
        let format = if is_trace { norn::chrome_trace } else { norn::log_text };
        norn::write_output(path, Some(format(&log.entries())))
    }

    fn options(&self) -> CheckOptions {
        CheckOptions {
            files: self.files.clone(),
            cflags: self.cflags.clone(),
            model: self.model.clone(),
            libraries: self.library.clone(),
            against: self.against.clone(),
            algorithm: self.algorithm,
            bound: self.bound,
            strict_bound: self.strict_bound,
            jobs: self.jobs.map_or(0, usize::from),
            any: self.any,
            checkpoint: self.checkpoint.clone(),
            checkpoint_interval: self.checkpoint_interval,
            trace: self.trace.clone(),
            unroll: self.unroll,
            entry: self.entry.clone(),
            keep_going: self.keep_going,
            race_detection: !self.no_race_detection,
            liveness: !self.no_liveness,
            symmetry: !self.no_symmetry,
            lock_reduction: self.lock_reduction,
            reuse_memory: self.reuse_memory,
            spurious_wakeups: !self.no_spurious_wakeups,
            timeout: self.limits.timeout,
            max_executions: self.limits.max_executions,
            max_memory: self.limits.max_memory,
            minimise: self.minimise,
            suggest: self.suggest,
            browse: self.explore_html.is_some(),
            loops: self.output.writes_page(),
            effort: self.effort,
            clang: super::clang(),
            profile: self.profile,
            log: self.log.as_ref().map_or_else(Log::default, |_| Log::start()),
            board: self.board.as_ref().map(|directory| BoardOptions {
                directory: directory.clone(),
                slice: self.slice,
                lease: self.lease,
            }),
            compiled: None,
        }
    }
}
