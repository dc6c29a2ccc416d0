//! What a check spent its time on, as text and as a trace that browsers show (`chrome://tracing`, Perfetto).

use norn_explore::Stop;
use serde_json::{Value, json};
use std::fmt::Write;

/// A part of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// The compiler works on a file.
    Compile(String),
    /// What it made of a file is read.
    Read(String),
    /// Bytecode is made of all files.
    Lower,
    /// The passes run.
    Transform,
    /// A search.
    Search {
        /// The algorithm.
        algorithm: String,
        /// Complete executions.
        executions: u64,
        /// Executions that could not end.
        blocked: u64,
        /// Why it ended before it was complete.
        stopped: Option<Stop>,
    },
    /// A worker, counted from 0, is busy with one task of a search.
    Task(usize),
    /// The report is made.
    Report,
}

/// A part, and when it began and ended, in seconds since the check began.
#[derive(Clone, Debug, PartialEq)]
pub struct LogEntry {
    /// The part.
    pub part: Part,
    /// When it began.
    pub begin: f64,
    /// When it ended.
    pub end: f64,
}

impl Part {
    /// What parts of this kind are called.
    fn name(&self) -> &'static str {
        match self {
            Part::Compile(_) => "compile",
            Part::Read(_) => "read",
            Part::Lower => "lower",
            Part::Transform => "transform",
            Part::Search { .. } => "search",
            Part::Task(_) => "task",
            Part::Report => "report",
        }
    }

    /// What there is to say beyond the name.
    fn detail(&self) -> String {
        match self {
            Part::Compile(file) | Part::Read(file) => format!(" {file}"),
            Part::Search { algorithm, executions, blocked, stopped } => {
                let end = match stopped {
                    None => "complete",
                    Some(Stop::Violation) => "a violation was found",
                    Some(Stop::MaxExecutions) => "there are more",
                    Some(Stop::Deadline) => "its time was over",
                    Some(Stop::Interrupt) => "it was interrupted",
                    Some(Stop::Lesson) => "to begin again with what was learnt",
                };
                format!(" by {algorithm}: {executions} executions, {blocked} blocked; {end}")
            }
            Part::Task(worker) => format!(" of worker {}", worker + 1),
            Part::Lower | Part::Transform | Part::Report => String::new(),
        }
    }
}

/// For people: each part in the order in which they began, then the time for all parts of a kind. Tasks are parts of
/// their search, and workers work side by side, so their times are not in that sum.
pub fn log_text(entries: &[LogEntry]) -> String {
    let mut text = String::from("  begin    took  part\n");
    for LogEntry { part, begin, end } in sorted(entries) {
        let indent = if matches!(part, Part::Task(_)) { "  " } else { "" };
        let took = end - begin;
        let (name, detail) = (part.name(), part.detail());
        let _ = writeln!(text, "{begin:7.3} {took:7.3}  {indent}{name}{detail}");
    }
    let tasks = entries.iter().filter(|entry| matches!(entry.part, Part::Task(_))).count();
    let searches = entries.iter().filter(|entry| matches!(entry.part, Part::Search { .. })).count();
    let total: f64 = sums(entries).iter().map(|(_, seconds)| seconds).sum();
    for (name, seconds) in sums(entries) {
        let share = 100.0 * seconds / total.max(f64::MIN_POSITIVE);
        let _ = writeln!(text, "{name}: {seconds:.3} s, {share:.0}%");
    }
    // Each search begins with a task that nobody handed over.
    let _ = writeln!(text, "tasks handed over: {}", tasks.saturating_sub(searches));
    text
}

fn sorted(entries: &[LogEntry]) -> Vec<&LogEntry> {
    let mut entries: Vec<&LogEntry> = entries.iter().collect();
    let is_task = |entry: &LogEntry| matches!(entry.part, Part::Task(_));
    entries.sort_by(|a, b| a.begin.total_cmp(&b.begin).then(is_task(a).cmp(&is_task(b))));
    entries
}

/// The time for all parts of a kind, in the order in which kinds come first.
fn sums(entries: &[LogEntry]) -> Vec<(&'static str, f64)> {
    let mut sums: Vec<(&'static str, f64)> = Vec::new();
    for LogEntry { part, begin, end } in sorted(entries) {
        match sums.iter_mut().find(|(name, _)| *name == part.name()) {
            _ if matches!(part, Part::Task(_)) => {}
            Some((_, seconds)) => *seconds += end - begin,
            None => sums.push((part.name(), end - begin)),
        }
    }
    sums
}

/// A trace of complete events (`ph` is `X`), with a row for the check and one for each worker.
pub fn chrome_trace(entries: &[LogEntry]) -> String {
    let row = |part: &Part| match part {
        Part::Task(worker) => worker + 1,
        _ => 0,
    };
    let micros = |seconds: f64| (seconds * 1e6).round();
    let mut events: Vec<Value> = Vec::new();
    let last = entries.iter().map(|entry| row(&entry.part)).max().unwrap_or(0);
    for tid in 0..=last {
        let name = if tid == 0 { "check".to_owned() } else { format!("worker {tid}") };
        let args = json!({ "name": name });
        events
            .push(json!({ "name": "thread_name", "ph": "M", "pid": 1, "tid": tid, "args": args }));
    }
    for LogEntry { part, begin, end } in sorted(entries) {
        events.push(json!({
            "name": format!("{}{}", part.name(), part.detail()),
            "cat": part.name(),
            "ph": "X",
            "ts": micros(*begin),
            "dur": micros(end - begin),
            "pid": 1,
            "tid": row(part),
        }));
    }
    let trace = json!({ "displayTimeUnit": "ms", "traceEvents": events });
    serde_json::to_string(&trace).expect("it has only string keys")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries() -> Vec<LogEntry> {
        let search = Part::Search {
            algorithm: "trust".to_owned(),
            executions: 6,
            blocked: 1,
            stopped: Some(Stop::Violation),
        };
        let entry = |part, begin, end| LogEntry { part, begin, end };
        vec![
            entry(Part::Compile("a.c".to_owned()), 0.0, 0.25),
            entry(Part::Task(0), 0.25, 0.75),
            entry(Part::Task(1), 0.5, 0.75),
            entry(search, 0.25, 1.0),
        ]
    }

    #[test]
    fn time_is_told_by_part() {
        let said = "  begin    took  part\n  \
                    0.000   0.250  compile a.c\n  \
                    0.250   0.750  search by trust: 6 executions, 1 blocked; a violation was found\n  \
                    0.250   0.500    task of worker 1\n  \
                    0.500   0.250    task of worker 2\n\
                    compile: 0.250 s, 25%\nsearch: 0.750 s, 75%\ntasks handed over: 1\n";
        assert_eq!(log_text(&entries()), said);
    }

    #[test]
    fn traces_have_a_row_for_each_worker() {
        let trace: Value = serde_json::from_str(&chrome_trace(&entries())).expect("JSON");
        let events = trace["traceEvents"].as_array().expect("a list");
        assert_eq!(events.len(), 3 + 4);
        assert_eq!(events[3]["name"], "compile a.c");
        let task = events.last().expect("an event");
        assert_eq!((&task["tid"], &task["ts"]), (&json!(2), &json!(500_000.0)));
    }
}
