//! Counts the executions of one C program: `norn-bench FILE MODEL JOBS [LIMIT] [-DN=… and other flags]`.

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("norn-bench: {message}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &[String]) -> Result<(), String> {
    let [file, model, jobs, rest @ ..] = arguments else {
        return Err("usage: norn-bench FILE MODEL JOBS [LIMIT] [CFLAGS]".to_owned());
    };
    let jobs = jobs.parse().map_err(|_| format!("`{jobs}` is not a number of workers"))?;
    let limit = rest.first().and_then(|word| word.parse().ok());
    let flags = if limit.is_some() { &rest[1..] } else { rest };
    let start = Instant::now();
    let counted = norn_bench::count(Path::new(file), flags, model.parse()?, jobs, limit)?;
    let seconds = start.elapsed().as_secs_f64();
    let summary = &counted.summary;
    println!(
        "{} executions, {} blocked, {} stale, {} events, largest graph {}, {seconds:.3} s, {} KiB",
        summary.executions,
        summary.blocked,
        summary.stale,
        summary.events,
        summary.largest_graph,
        peak_kib().unwrap_or(0)
    );
    for complaint in &counted.complaints {
        println!("{complaint}");
    }
    Ok(())
}

/// The largest resident set of this process so far.
fn peak_kib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}
