//! What a run of the harness found, as it is kept: JSON to read back, and Markdown to look at.

use crate::machine::{self, Machine};
use crate::{Measurement, PeerRun, Reference, table};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// One run of one program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The name of the program.
    pub program: String,
    /// Its size parameter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u32>,
    /// The model.
    pub model: String,
    /// What was counted.
    pub algorithm: String,
    /// How many workers there were.
    pub jobs: usize,
    /// After how many executions it was to stop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
    /// How many executions the program says that there are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<u64>,
    /// What papers and peers say.
    #[serde(flatten)]
    pub reference: Reference,
    /// Whether it is a point of the plot of cost against events.
    pub growth: bool,
    /// What came of it.
    pub outcome: Outcome,
    /// Instructions per execution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instructions: Option<u64>,
    /// Other checkers on the same file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub peers: Vec<PeerRun>,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// By itself.
    Finished {
        /// What it reported.
        measured: Measurement,
        /// Seconds of the whole process, the compiler included.
        process_seconds: f64,
    },
    /// It was stopped after so many seconds.
    TimedOut(f64),
    /// It could not be made, and why.
    Failed(String),
}

impl Row {
    /// The numbers, if it finished.
    pub fn measured(&self) -> Option<&Measurement> {
        match &self.outcome {
            Outcome::Finished { measured, .. } => Some(measured),
            _ => None,
        }
    }

    /// Seconds of the whole process, if it finished.
    pub fn process_seconds(&self) -> Option<f64> {
        match self.outcome {
            Outcome::Finished { process_seconds, .. } => Some(process_seconds),
            _ => None,
        }
    }

    /// The program, its size, the model and the algorithm, in a few words.
    pub fn title(&self) -> String {
        let size = self.size.map(|size| format!("({size})")).unwrap_or_default();
        format!("{}{size}, {}, {}", self.program, self.model, self.algorithm)
    }

    /// What is wrong with it: a sentence, if something is.
    pub fn fault(&self) -> Option<String> {
        let title = self.title();
        let measured = match &self.outcome {
            Outcome::Finished { measured, .. } => measured,
            Outcome::TimedOut(_) => return None,
            Outcome::Failed(why) => return Some(format!("{title}: {why}")),
        };
        match self.expected {
            Some(expected) if expected != measured.executions => Some(format!(
                "{title}: {} executions, but {expected} are expected",
                measured.executions
            )),
            _ => None,
        }
    }
}

/// All rows of a run of the harness.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The commit, with "(dirty)" if that is not all.
    pub commit: String,
    /// The day, in UTC.
    pub date: String,
    /// The machine.
    pub machine: Machine,
    /// What else should be known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The runs.
    pub rows: Vec<Row>,
}

impl Record {
    /// A record of these rows, made here and now.
    pub fn new(rows: Vec<Row>, note: Option<String>) -> Record {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        let date = date(now / 86400);
        Record { commit: machine::commit(), date, machine: Machine::here(), note, rows }
    }

    /// Reads a record back.
    pub fn read(file: &Path) -> Result<Record, String> {
        let fault = |what: &dyn std::fmt::Display| format!("{}: {what}", file.display());
        let text = std::fs::read_to_string(file).map_err(|error| fault(&error))?;
        serde_json::from_str(&text).map_err(|error| fault(&error))
    }

    /// Writes `NAME.json` and `NAME.md` into a folder.
    pub fn write(&self, folder: &Path, name: &str) -> Result<(), String> {
        let json = self.json().map_err(|error| error.to_string())?;
        save(folder, &format!("{name}.json"), &json)?;
        save(folder, &format!("{name}.md"), &table::markdown(self))
    }

    /// JSON with each row on a line of its own, so that records can be compared line by line.
    fn json(&self) -> serde_json::Result<String> {
        let head = Record { rows: Vec::new(), ..self.clone() };
        let head = serde_json::to_string_pretty(&head)?;
        let rows: Vec<String> =
            self.rows.iter().map(serde_json::to_string).collect::<serde_json::Result<_>>()?;
        let rows = format!("\"rows\": [\n    {}\n  ]", rows.join(",\n    "));
        Ok(head.replace("\"rows\": []", &rows) + "\n")
    }
}

/// Writes a file into a folder that is made if it is not there.
pub fn save(folder: &Path, name: &str, text: &str) -> Result<(), String> {
    let file = folder.join(name);
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&file, text));
    written.map_err(|error| format!("{}: {error}", file.display()))
}

/// The date of a day counted from 1 January 1970, as `YYYY-MM-DD`.
fn date(mut days: u64) -> String {
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let mut year = 1970;
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    format!("{year}-{month:02}-{:02}", days + 1)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A run that finished, made up.
    pub(crate) fn row(program: &str, size: u32, algorithm: &str, executions: u64) -> Row {
        let measured = Measurement {
            executions,
            largest_graph: u64::from(size) * 3,
            seconds: executions as f64 / 1000.0,
            cpu_seconds: executions as f64 / 1000.0,
            peak_kib: 4096,
            complete: true,
            ..Measurement::default()
        };
        Row {
            program: program.to_owned(),
            size: Some(size),
            model: "sc".to_owned(),
            algorithm: algorithm.to_owned(),
            jobs: 1,
            limit: None,
            expected: Some(executions),
            reference: Reference::default(),
            growth: true,
            outcome: Outcome::Finished { measured, process_seconds: 0.1 },
            instructions: None,
            peers: Vec::new(),
        }
    }

    /// A record of such rows.
    pub(crate) fn record(rows: Vec<Row>) -> Record {
        let machine = Machine {
            processor: "a processor".to_owned(),
            cores: 2,
            memory_gib: 8,
            system: "a system".to_owned(),
            rustc: "rustc 1".to_owned(),
            clang: "clang 1".to_owned(),
        };
        let (commit, date) = ("abc".to_owned(), "2026-01-31".to_owned());
        Record { commit, date, machine, note: None, rows }
    }

    #[test]
    fn days_have_dates() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(364), "1970-12-31");
        assert_eq!(date(11016), "2000-02-29");
        assert_eq!(date(11017), "2000-03-01");
        assert_eq!(date(20454), "2026-01-01");
    }

    #[test]
    fn what_is_written_is_read_back() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut rows = vec![row("p", 3, "trust", 7), row("p", 3, "rf", 5)];
        rows[0].reference.paper = Some(7);
        rows[0].reference.source = Some("a table".to_owned());
        rows[1].outcome = Outcome::TimedOut(2.0);
        let record = record(rows);
        record.write(&folder.path().join("deeper"), "name").expect("written");
        let file = folder.path().join("deeper/name.json");
        assert_eq!(Record::read(&file), Ok(record));
        assert!(file.with_extension("md").exists());
        let text = std::fs::read_to_string(&file).expect("a record");
        assert_eq!(text.lines().filter(|line| line.contains("\"program\":")).count(), 2);
    }

    #[test]
    fn another_number_than_expected_is_a_fault() {
        let mut row = row("p", 3, "trust", 7);
        assert_eq!(row.fault(), None);
        row.expected = Some(8);
        let fault = row.fault().expect("a fault");
        assert!(fault.contains("p(3), sc, trust: 7 executions, but 8"), "{fault}");
        row.outcome = Outcome::TimedOut(2.0);
        assert_eq!(row.fault(), None);
        row.outcome = Outcome::Failed("no compiler".to_owned());
        assert!(row.fault().expect("a fault").contains("no compiler"));
    }
}
