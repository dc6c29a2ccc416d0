//! Every litmus test with a known answer, under every model: the same outcomes, the same number of
//! executions, the same verdict on races.

use crate::support::{Run, corpus, run};
use norn_models::ModelName;
use std::collections::BTreeMap;

/// One row of the table of answers.
struct Row {
    test: String,
    model: ModelName,
    race: bool,
    executions: u64,
    outcomes: String,
}

fn rows() -> Vec<Row> {
    let table =
        std::fs::read_to_string(corpus().join("expected.tsv")).expect("the table of answers");
    table.lines().skip(1).map(parse_row).collect()
}

fn parse_row(line: &str) -> Row {
    let columns: Vec<&str> = line.split('\t').collect();
    Row {
        test: columns[0].to_owned(),
        model: columns[1].parse().expect("a model"),
        race: columns[2] == "1",
        executions: columns[3].parse().expect("a number"),
        outcomes: columns[5].to_owned(),
    }
}

fn check(row: &Row, found: &Run) -> Result<(), String> {
    if found.raced != row.race {
        return Err(format!("race: {} instead of {}", found.raced, row.race));
    }
    if row.race {
        return Ok(());
    }
    if found.executions != row.executions {
        return Err(format!("{} executions instead of {}", found.executions, row.executions));
    }
    let outcomes: Vec<&str> = found.outcomes.iter().map(String::as_str).collect();
    if outcomes.join("|") != row.outcomes {
        return Err(format!("outcomes {} instead of {}", outcomes.join("|"), row.outcomes));
    }
    Ok(())
}

#[test]
fn all_answers_are_reproduced() {
    let rows = rows();
    assert_eq!(rows.len(), 407 * 5);
    let mut programs = BTreeMap::new();
    let mut wrong = Vec::new();
    for row in &rows {
        let program = programs.entry(row.test.clone()).or_insert_with(|| {
            let path = corpus().join(format!("{}.litmus", row.test));
            let text = std::fs::read_to_string(path).expect("the test");
            norn_litmus::read(&text).expect("a litmus test")
        });
        if let Err(difference) = check(row, &run(program, row.model)) {
            wrong.push(format!("{} under {}: {difference}", row.test, row.model));
        }
    }
    assert!(wrong.is_empty(), "{} rows differ:\n{}", wrong.len(), wrong.join("\n"));
}
