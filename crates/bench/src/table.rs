//! Rows as text: aligned for a terminal, and as a Markdown table.

use crate::growth::{self, Fit, Growth};
use crate::{Outcome, Record, Row};
use std::fmt::Write;

/// A column of the table: its title, the width on a terminal, what each row has in it.
struct Column {
    title: &'static str,
    width: usize,
    cell: fn(&Row) -> String,
}

const COLUMNS: [Column; 15] = [
    Column {
        title: "N",
        width: 3,
        cell: |row| row.size.map(u64::from).map_or_else(String::new, |n| n.to_string()),
    },
    Column { title: "model", width: 5, cell: |row| row.model.clone() },
    Column { title: "algorithm", width: 9, cell: algorithm },
    Column { title: "events", width: 6, cell: |row| measured(row, |m| grouped(m.largest_graph)) },
    Column { title: "executions", width: 14, cell: executions },
    Column { title: "blocked", width: 7, cell: |row| measured(row, |m| grouped(m.blocked)) },
    Column { title: "paper", width: 10, cell: |row| optional(row.reference.paper) },
    Column { title: "seconds", width: 8, cell: seconds },
    Column {
        title: "paper s",
        width: 7,
        cell: |row| row.reference.seconds.clone().unwrap_or_default(),
    },
    Column { title: "per CPU s", width: 10, cell: rate },
    Column { title: "peer", width: 8, cell: |row| optional(row.reference.peer) },
    Column { title: "instructions", width: 12, cell: |row| optional(row.instructions) },
    Column { title: "bar", width: 8, cell: |row| optional(row.reference.bar) },
    Column {
        title: "MiB",
        width: 5,
        cell: |row| measured(row, |m| format!("{:.1}", m.peak_kib as f64 / 1024.0)),
    },
    Column { title: "others", width: 6, cell: peers },
];

/// What the columns mean.
const LEGEND: &str = "\
Columns: events of the largest graph; executions, with those beyond a bound after a `+`, and `first` where only so many were looked at; blocked \
executions; the number in the paper that is named last; seconds of the search, without the compiler; those of the paper's tool, on its machine; \
executions per second on a processor, and beside it that of the best peer per CPU second on its machine; \
instructions per execution (callgrind, difference of two neighbouring sizes) and the bar for them; peak \
memory of the process; other checkers' times in multiples of ours, both with their compilers.";

/// The titles of the columns, for a terminal.
pub fn heading() -> String {
    aligned("program", COLUMNS.iter().map(|column| column.title.to_owned()))
}

/// A row, for a terminal.
pub fn line(row: &Row) -> String {
    aligned(&row.program, COLUMNS.iter().map(|column| (column.cell)(row)))
}

fn aligned(program: &str, cells: impl Iterator<Item = String>) -> String {
    let mut text = format!("{program:<20}");
    for (cell, column) in cells.zip(&COLUMNS) {
        let _ = write!(text, " {cell:>width$}", width = column.width);
    }
    text.trim_end().to_owned()
}

/// The whole record. Columns in which nothing stands are left out.
pub fn markdown(record: &Record) -> String {
    let used: Vec<&Column> = COLUMNS
        .iter()
        .filter(|column| record.rows.iter().any(|row| !(column.cell)(row).is_empty()))
        .collect();
    let sourced = record.rows.iter().any(|row| row.reference.source.is_some());
    let mut text =
        format!("# Results\n\nCommit {}, {}, {}.\n", record.commit, record.date, record.machine);
    if let Some(note) = &record.note {
        let _ = write!(text, "\n{note}\n");
    }
    let _ = write!(text, "\n{LEGEND}\n\n| program |");
    used.iter().for_each(|column| text += &format!(" {} |", column.title));
    text += if sourced { " source |\n|---|" } else { "\n|---|" };
    used.iter().for_each(|column| text += if is_text(column) { "---|" } else { "--:|" });
    text += if sourced { "---|\n" } else { "\n" };
    for row in &record.rows {
        let _ = write!(text, "| {} |", row.program);
        used.iter().for_each(|column| text += &format!(" {} |", (column.cell)(row)));
        if sourced {
            let _ = write!(text, " {} |", row.reference.source.as_deref().unwrap_or(""));
        }
        text.push('\n');
    }
    text += &remarks(record);
    text
}

fn is_text(column: &Column) -> bool {
    ["model", "algorithm", "others"].contains(&column.title)
}

fn remarks(record: &Record) -> String {
    let mut text = String::new();
    let grown = growth::growths(record);
    if !grown.is_empty() {
        text +=
            "\nCost of an execution as a power of the number of events, fitted to the rows:\n\n";
        text += "| program | events | instructions | CPU time |\n|---|---|---|---|\n";
        let cell = |fit: Option<Fit>| fit.map_or("–".to_owned(), |fit| fit.to_string());
        for Growth { title, events, instructions, nanoseconds } in grown {
            let (first, last) = events;
            let (instructions, nanoseconds) = (cell(instructions), cell(nanoseconds));
            let _ =
                writeln!(text, "| {title} | {first} to {last} | {instructions} | {nanoseconds} |");
        }
    }
    let faults: Vec<String> = record.rows.iter().filter_map(Row::fault).collect();
    if !faults.is_empty() {
        text += "\nNot as expected:\n\n";
        faults.iter().for_each(|fault| text += &format!("- {fault}\n"));
    }
    text
}

fn measured(row: &Row, cell: impl Fn(&crate::Measurement) -> String) -> String {
    row.measured().map(cell).unwrap_or_default()
}

fn optional(number: Option<u64>) -> String {
    number.map(grouped).unwrap_or_default()
}

fn algorithm(row: &Row) -> String {
    match row.jobs {
        1 => row.algorithm.clone(),
        jobs => format!("{} ×{jobs}", row.algorithm),
    }
}

fn executions(row: &Row) -> String {
    measured(row, |found| match found.beyond_bound {
        _ if row.limit.is_some() => format!("first {}", grouped(found.executions)),
        0 => grouped(found.executions),
        beyond => format!("{}+{}", grouped(found.executions - beyond), grouped(beyond)),
    })
}

fn seconds(row: &Row) -> String {
    match &row.outcome {
        Outcome::Finished { measured, .. } => format!("{:.3}", measured.seconds),
        Outcome::TimedOut(limit) => format!("> {limit}"),
        Outcome::Failed(_) => "failed".to_owned(),
    }
}

fn rate(row: &Row) -> String {
    row.measured()
        .and_then(|m| m.rate())
        .map(|rate| grouped(rate.round() as u64))
        .unwrap_or_default()
}

fn peers(row: &Row) -> String {
    let cell = |run: &crate::PeerRun| format!("{} {}", run.name, run.cell(row.process_seconds()));
    row.peers.iter().map(cell).collect::<Vec<_>>().join(", ")
}

/// A number with its thousands apart.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PeerRun;
    use crate::record::tests::{record, row};

    #[test]
    fn thousands_are_apart() {
        let cases = [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (184_756, "184,756"),
            (1_234_567, "1,234,567"),
        ];
        for (number, text) in cases {
            assert_eq!(grouped(number), text);
        }
    }

    #[test]
    fn lines_stand_below_the_heading() {
        let row = row("program", 4, "trust", 50_000);
        let (heading, line) = (heading(), line(&row));
        let end = |text: &str, word: &str| text.find(word).map(|at| at + word.len());
        assert_eq!(end(&heading, "executions"), end(&line, "50,000"));
        assert_eq!(end(&heading, "per CPU s"), end(&line, "1,000"));
    }

    #[test]
    fn a_row_that_did_not_finish_says_so() {
        let mut row = row("program", 4, "trust", 50_000);
        row.outcome = Outcome::TimedOut(2.5);
        assert!(line(&row).contains("> 2.5") && !line(&row).contains("50,000"));
    }

    #[test]
    fn markdown_has_the_columns_that_are_used() {
        let mut with_peer = row("program", 4, "trust", 50_000);
        let (seconds, exit_code) = (Some(0.3), Some(0));
        with_peer.peers =
            vec![PeerRun { name: "other".to_owned(), seconds, exit_code, fault: None }];
        with_peer.reference.paper = Some(50_000);
        with_peer.reference.source = Some("a table".to_owned());
        let text = markdown(&record(vec![with_peer, row("program", 5, "trust", 60_000)]));
        let table: Vec<&str> = text.lines().filter(|line| line.starts_with('|')).collect();
        assert!(table[0].contains("| paper |") && table[0].ends_with("| others | source |"));
        assert!(!table[0].contains("bar") && !table[0].contains("instructions"));
        assert!(table[2].ends_with("| other 3.00× | a table |"), "{}", table[2]);
        let bars = |line: &str| line.matches('|').count();
        assert!(table[..4].iter().all(|line| bars(line) == bars(table[0])));
    }

    #[test]
    fn executions_beyond_a_bound_are_counted_apart() {
        let mut row = row("program", 4, "bound:1", 1_500);
        if let Outcome::Finished { measured, .. } = &mut row.outcome {
            measured.beyond_bound = 1_400;
        }
        assert_eq!(executions(&row), "100+1,400");
        row.limit = Some(1_500);
        assert_eq!(executions(&row), "first 1,500");
    }
}
