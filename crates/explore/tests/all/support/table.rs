//! The tables of answers to the litmus tests, which another tool computed.

use super::corpus;
use norn_litmus::Program;
use norn_models::ModelName;
use std::collections::BTreeMap;

/// The tables, and the number of their rows: 407 tests under five models and then under c20, and sixty of
/// release sequences under all six.
const TABLES: [(&str, usize); 3] =
    [("expected.tsv", 407 * 5), ("expected-c20.tsv", 407), ("expected-relseq.tsv", 60 * 6)];

/// One row of a table.
pub struct Row {
    pub test: String,
    pub model: ModelName,
    pub race: bool,
    pub executions: u64,
    pub outcomes: String,
}

fn parse(line: &str) -> Row {
    let columns: Vec<&str> = line.split('\t').collect();
    Row {
        test: columns[0].to_owned(),
        model: columns[1].parse().expect("a model"),
        race: columns[2] == "1",
        executions: columns[3].parse().expect("a number"),
        outcomes: columns[5].to_owned(),
    }
}

fn rows() -> Vec<Row> {
    let mut all = Vec::new();
    for (name, expected) in TABLES {
        let text = std::fs::read_to_string(corpus().join(name)).expect("a table of answers");
        let rows: Vec<Row> = text.lines().skip(1).map(parse).collect();
        assert_eq!(rows.len(), expected, "{name}");
        all.extend(rows);
    }
    all
}

/// Compares every row with what `check` finds.
pub fn check_all(check: impl Fn(&Row, &Program) -> Result<(), String>) {
    let mut programs = BTreeMap::new();
    let mut wrong = Vec::new();
    for row in &rows() {
        let program = programs.entry(row.test.clone()).or_insert_with(|| {
            let path = corpus().join(format!("{}.litmus", row.test));
            let text = std::fs::read_to_string(path).expect("the test");
            norn_litmus::read(&text).expect("a litmus test")
        });
        if let Err(difference) = check(row, program) {
            wrong.push(format!("{} under {}: {difference}", row.test, row.model));
        }
    }
    assert!(wrong.is_empty(), "{} rows differ:\n{}", wrong.len(), wrong.join("\n"));
}
