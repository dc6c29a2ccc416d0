//! The command: `count` one program, `run` a selection of them, `plot` what was recorded.

use clap::{Args, Parser, Subcommand, ValueEnum};
use norn_bench::{
    Algorithm, Fit, Harness, Instructions, Mark, Measurement, Peer, Record, Row, Search, Wanted,
    count, end_with_us, figures, growths, programs, save, table,
};
use norn_models::ModelName;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

// As in the command `norn`, whose cost is measured here.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Measures Norn on programs with known numbers of executions.
#[derive(Debug, Parser)]
#[command(name = "norn-bench", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Counts the executions of one program, in this process.
    Count(CountArguments),
    /// Runs programs, each in a process of its own, and shows a row for each.
    ///
    /// Without --model, --algorithm and --size the runs are those in the lines `// norn:` of the
    /// programs. Each of these options takes the place of what the lines say.
    Run(Box<RunArguments>),
    /// Draws the plots of a record again.
    Plot {
        /// The record, a JSON file.
        record: PathBuf,
        /// Where to put the plots.
        #[arg(long, default_value = "bench/record/plots")]
        plots: PathBuf,
    },
}

#[derive(Debug, Args)]
struct CountArguments {
    /// A C, C++ or LLVM IR file.
    file: PathBuf,
    /// The memory model, as for `norn check`.
    #[arg(long, default_value = "rc11")]
    model: ModelName,
    /// What to count: trust, rf, rvf, await or bound:K.
    #[arg(long, default_value = "trust")]
    algorithm: Algorithm,
    /// How many workers there are.
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Stop after this many executions.
    #[arg(long)]
    limit: Option<u64>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// Flags for the compiler.
    #[arg(last = true)]
    flags: Vec<String>,
}

#[derive(Debug, Args)]
struct RunArguments {
    /// Only these programs, by the names of their files.
    #[arg(long = "program", value_name = "NAME")]
    names: Vec<String>,
    /// Under these models.
    #[arg(long = "model", value_name = "MODEL")]
    models: Vec<ModelName>,
    /// With these algorithms: trust, rf, bound:K.
    #[arg(long = "algorithm", value_name = "ALGORITHM")]
    algorithms: Vec<Algorithm>,
    /// With these size parameters.
    #[arg(long = "size", value_name = "N")]
    sizes: Vec<u32>,
    /// Only runs whose line has one of these marks.
    #[arg(long, value_name = "MARK", value_delimiter = ',')]
    marked: Vec<Mark>,
    /// No runs whose line has one of these marks.
    #[arg(long, value_name = "MARK", value_delimiter = ',')]
    unmarked: Vec<Mark>,
    /// How many workers each search has.
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// How many seconds each process may take.
    #[arg(long, default_value_t = 120.0, value_name = "SECONDS")]
    timeout: f64,
    /// Count instructions per execution with callgrind: of all rows, or of the marked ones.
    #[arg(long, value_name = "WHICH", num_args = 0..=1, default_missing_value = "all")]
    instructions: Option<Which>,
    /// Run another checker beside: NAME=COMMAND, with {file}, {size}, {flags} (-DN=size) and {model}
    /// where they belong.
    #[arg(long = "peer", value_name = "NAME=COMMAND")]
    peers: Vec<Peer>,
    /// Keep the results in this folder.
    #[arg(long, value_name = "FOLDER")]
    record: Option<PathBuf>,
    /// What to call the results.
    #[arg(long, default_value = "results")]
    name: String,
    /// What else should be known about them.
    #[arg(long)]
    note: Option<String>,
    /// Draw plots into this folder.
    #[arg(long, value_name = "FOLDER")]
    plots: Option<PathBuf>,
    /// Where the programs are.
    #[arg(long, default_value = "bench/programs", value_name = "FOLDER")]
    programs: PathBuf,
}

/// Which rows get their instructions counted.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Which {
    /// Every row with a size.
    All,
    /// Rows whose line has `bar=`, or has `growth` and is not `long`.
    Marked,
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Count(arguments) => count_one(&arguments).map(|()| ExitCode::SUCCESS),
        Command::Run(arguments) => run(*arguments),
        Command::Plot { record, plots } => Record::read(&record)
            .and_then(|record| draw(&record, &plots))
            .map(|()| ExitCode::SUCCESS),
    };
    done.unwrap_or_else(|message| {
        eprintln!("norn-bench: {message}");
        ExitCode::from(2)
    })
}

fn count_one(arguments: &CountArguments) -> Result<(), String> {
    let CountArguments { file, model, algorithm, jobs, limit, json, flags } = arguments;
    let search = Search { algorithm: *algorithm, jobs: *jobs };
    let measured = Measurement::of(count(file, flags, *model, search, *limit)?);
    if *json {
        println!("{}", serde_json::to_string(&measured).map_err(|error| error.to_string())?);
        return Ok(());
    }
    println!("{measured}");
    measured.complaints.iter().for_each(|complaint| println!("{complaint}"));
    Ok(())
}

/// Exit code 1 if a row is not as expected.
fn run(arguments: RunArguments) -> Result<ExitCode, String> {
    let limit = Duration::try_from_secs_f64(arguments.timeout)
        .map_err(|error| format!("--timeout {}: {error}", arguments.timeout))?;
    let wanted = Wanted {
        programs: arguments.names,
        models: arguments.models,
        algorithms: arguments.algorithms,
        sizes: arguments.sizes,
        marked: arguments.marked,
        unmarked: arguments.unmarked,
    };
    let tasks = wanted.tasks(&programs(&arguments.programs)?)?;
    let instructions = match arguments.instructions {
        None => Instructions::None,
        Some(Which::All) => Instructions::All,
        Some(Which::Marked) => Instructions::Marked,
    };
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let (jobs, peers) = (arguments.jobs, arguments.peers);
    end_with_us();
    println!("{}", table::heading());
    let harness = Harness { program, jobs, limit, instructions, peers };
    let rows = harness.run(&tasks, |row| println!("{}", table::line(row)));
    let record = Record::new(rows, arguments.note);
    show_growth(&record);
    if let Some(folder) = &arguments.record {
        record.write(folder, &arguments.name)?;
    }
    if let Some(folder) = &arguments.plots {
        draw(&record, folder)?;
    }
    let faults: Vec<String> = record.rows.iter().filter_map(Row::fault).collect();
    faults.iter().for_each(|fault| eprintln!("norn-bench: {fault}"));
    Ok(if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn show_growth(record: &Record) {
    let say = |fit: Option<Fit>| fit.map_or("–".to_owned(), |fit| fit.to_string());
    for growth in growths(record) {
        let (first, last) = growth.events;
        let (instructions, time) = (say(growth.instructions), say(growth.nanoseconds));
        println!(
            "{}, {first} to {last} events: the cost of an execution grows with the power \
             {instructions} (instructions); {time} (CPU time)",
            growth.title
        );
    }
}

fn draw(record: &Record, folder: &Path) -> Result<(), String> {
    figures(record).iter().try_for_each(|(name, text)| save(folder, name, text))
}
