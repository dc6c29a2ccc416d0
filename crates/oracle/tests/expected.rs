//! The litmus corpus: outcomes, numbers of executions and races under every model, against a table
//! that another tool computed.

use norn_litmus::{Program, read};
use norn_oracle::{Enumeration, Model, executions};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/litmus")
}

/// The tables, and the number of their rows: 407 tests under five models and then under c20, and sixty of
/// release sequences under all six.
const TABLES: [(&str, usize); 3] =
    [("expected.tsv", 407 * 5), ("expected-c20.tsv", 407), ("expected-relseq.tsv", 60 * 6)];

/// A line of a table.
struct Row<'a> {
    test: &'a str,
    model: Model,
    race: bool,
    executions: usize,
    states: usize,
    outcomes: &'a str,
}

fn parse(line: &str) -> Row<'_> {
    let columns: Vec<&str> = line.split('\t').collect();
    let &[test, model, race, executions, states, outcomes] = &columns[..] else {
        panic!("six columns expected: {line}")
    };
    Row {
        test,
        model: Model::from_name(model).unwrap(),
        race: race == "1",
        executions: executions.parse().unwrap(),
        states: states.parse().unwrap(),
        outcomes,
    }
}

/// What is wrong with a row, if anything.
fn check(row: &Row, program: &Program) -> Option<String> {
    let Enumeration { complete, blocked, abandoned } = executions(program, row.model);
    assert!(blocked.is_empty() && abandoned.is_empty(), "{} has no locks", row.test);
    let race = complete.iter().any(|execution| execution.racy);
    if race != row.race {
        return Some(format!("race: found {race}, expected {}", row.race));
    }
    // A racy program may do anything, so the other columns say nothing.
    if race {
        return None;
    }
    let outcomes: BTreeSet<String> =
        complete.iter().map(|execution| program.outcome(&execution.state)).collect();
    let text = outcomes.iter().cloned().collect::<Vec<_>>().join("|");
    let found = (complete.len(), outcomes.len(), &text[..]);
    let expected = (row.executions, row.states, row.outcomes);
    (found != expected).then(|| format!("found {found:?}, expected {expected:?}"))
}

/// What is wrong with the rows of a table, and how many there are.
fn check_table(name: &str) -> (Vec<String>, usize) {
    let table = std::fs::read_to_string(folder().join(name)).unwrap();
    let mut programs: BTreeMap<&str, Program> = BTreeMap::new();
    let mut wrong = Vec::new();
    let mut rows = 0;
    for row in table.lines().skip(1).map(parse) {
        let program = programs.entry(row.test).or_insert_with(|| {
            let path = folder().join(format!("{}.litmus", row.test));
            read(&std::fs::read_to_string(path).unwrap()).unwrap()
        });
        if let Some(what) = check(&row, program) {
            wrong.push(format!("{} {}: {what}", row.test, row.model.name()));
        }
        rows += 1;
    }
    (wrong, rows)
}

#[test]
fn every_row_of_the_tables() {
    for (name, expected) in TABLES {
        let (wrong, rows) = check_table(name);
        assert_eq!(rows, expected, "{name}");
        assert!(wrong.is_empty(), "{} rows are wrong:\n{}", wrong.len(), wrong.join("\n"));
    }
}

/// The definitions that the tables were computed with differ in the release sequences alone.
#[test]
fn c20_is_rc11_but_for_one_line() {
    let lines = |name: &str| -> Vec<String> {
        let text = std::fs::read_to_string(folder().join("models").join(name)).unwrap();
        let axioms = text.lines().skip_while(|line| !line.starts_with("include"));
        axioms.map(str::to_owned).collect()
    };
    let (rc11, c20) = (lines("rc11.cat"), lines("c20.cat"));
    assert_eq!(rc11.len(), c20.len());
    let differ: Vec<&String> =
        rc11.iter().zip(&c20).filter(|(a, b)| a != b).map(|(_, b)| b).collect();
    assert_eq!(differ, ["let rs = [W & A]; (rf; m)*"]);
}
