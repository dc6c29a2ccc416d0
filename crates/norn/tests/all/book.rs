//! The book: what its pages say of the command is so. They are those that docs/SUMMARY.md names, so that a page that
//! is added is tested.

use crate::support;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn norn(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_norn"));
    command.current_dir(support::root()).args(arguments).output().expect("to run norn")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The pages, by their paths. One that only includes a file of the repository stands for that file.
fn pages() -> BTreeMap<PathBuf, String> {
    let docs = support::root().join("docs");
    let summary = read(&docs.join("SUMMARY.md"));
    let named = summary.split("](").skip(1).map(|link| link.split(')').next().expect("a link"));
    let page = |name: &str| {
        let path = docs.join(name);
        let text = read(&path);
        let included = text.strip_prefix("{{#include ").and_then(|rest| rest.split_once("}}"));
        match included {
            Some((file, _)) => {
                let file = path.parent().expect("a folder").join(file);
                (file.clone(), read(&file))
            }
            None => (path, text),
        }
    };
    named.map(page).collect()
}

/// What the pages show is what the command prints, apart from time and memory. A line that ends in `…` is
/// shown in part, and after one that is nothing else the rest is left out.
#[test]
fn the_pages_show_real_output() {
    let mut commands = 0;
    for (page, text) in pages() {
        for block in text.split("```console\n").skip(1) {
            let block = block.split("```").next().expect("an end");
            for shown in block.split("$ norn ").skip(1) {
                let (command, expected) = shown.split_once('\n').expect("a command");
                let output = norn(&command.split(' ').collect::<Vec<_>>());
                let found = String::from_utf8(output.stdout).expect("text");
                assert_shows(expected, &found, &format!("{}: {command}", page.display()));
                commands += 1;
            }
        }
    }
    assert!(commands >= 50, "only {commands} commands");
}

fn assert_shows(expected: &str, found: &str, command: &str) {
    let (mut expected, mut found) = (without_cost(expected), without_cost(found));
    if expected.last().is_some_and(|line| line == "…") {
        expected.pop();
        found.truncate(expected.len());
    }
    for (found, expected) in found.iter_mut().zip(&expected) {
        if let Some(part) = expected.strip_suffix('…')
            && found.starts_with(part)
        {
            found.clone_from(expected);
        }
    }
    assert_eq!(expected, found, "{command}");
}

/// The lines of a report. The answer at its end becomes one line, wherever it was broken, without what it cost. How many
/// executions came before a violation depends on how the workers shared the search.
fn without_cost(report: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut is_answer = false;
    for line in report.lines() {
        match lines.last_mut() {
            Some(answer) if is_answer && line.starts_with("   ") => {
                *answer += " ";
                *answer += line.trim_start();
            }
            _ => {
                let answers =
                    ["verified: ", "violation: ", "inconclusive: ", "possible: ", "impossible: "];
                is_answer = answers.iter().any(|answer| line.starts_with(answer));
                lines.push(line.to_owned());
            }
        }
    }
    lines.iter().map(|line| cut(line).to_owned()).collect()
}

fn cut(line: &str) -> &str {
    if line.starts_with("violation: ") {
        return line.split(" after ").next().unwrap_or(line);
    }
    let is_time = |rest: &str| {
        let digits = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        digits.len() < rest.len() && digits.starts_with(" s")
    };
    let mut commas = line.match_indices(", ").map(|(at, _)| at);
    commas.find(|at| is_time(&line[at + 2..])).map_or(line, |at| &line[..at])
}

#[test]
fn the_answer_is_compared_without_what_it_cost() {
    let one = "outcomes (1):\n  x=1\n\nverified: 2 complete executions, 1 blocked (sc, trust, 0.07\n           s, 20 MB)\n";
    let other = "outcomes (1):\n  x=1\n\nverified: 2 complete executions, 1 blocked (sc, trust, 12.5 s, 9 MB)\n";
    assert_eq!(without_cost(one), without_cost(other));
    let less = other.replace("2 complete", "3 complete");
    assert_ne!(without_cost(one), without_cost(&less));
    assert_eq!(
        cut("violation: 1 violation after 3 complete executions (c20"),
        "violation: 1 violation"
    );
}

/// The table of litmus tests and models.
#[test]
fn the_models_allow_what_the_page_says() {
    let page = read(&support::root().join("docs/litmus.md"));
    let rows: Vec<Vec<&str>> = page
        .lines()
        .filter(|line| line.starts_with("| "))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    let (head, rows) = rows.split_first().expect("a table");
    let models: Vec<&str> = head[2..].iter().map(|name| name.trim_matches('`')).collect();
    assert_eq!((models.len(), rows.len()), (6, 9), "models and tests");
    for row in rows {
        let test = row[0].trim_start_matches('[').split(']').next().expect("a name");
        for (model, said) in models.iter().zip(&row[2..]) {
            let output =
                norn(&["check", "-q", "--model", model, &format!("examples/litmus/{test}.litmus")]);
            let found = match output.status.code() {
                Some(0) => "–",
                Some(1) => "yes",
                code => panic!("{test} under {model}: {code:?}"),
            };
            assert_eq!(found, *said, "{test} under {model}");
        }
    }
}

/// The messages that are explained are those of the tool; `…` stands for what a program has to do with.
#[test]
fn the_messages_that_are_explained_exist() {
    let mut sources = String::new();
    for name in ["report", "norn", "frontend"] {
        add_sources(&support::root().join("crates").join(name).join("src"), &mut sources);
    }
    // A text that goes on in the next line of the source is one.
    let lines: Vec<&str> = sources.split("\\\n").collect();
    let sources: String = lines.iter().map(|line| line.trim_start_matches(' ')).collect();
    let page = read(&support::root().join("docs/faq.md"));
    let headings = page.lines().filter_map(|line| line.strip_prefix("### `"));
    let mut messages = 0;
    for heading in headings {
        let (message, _) = match heading.strip_prefix('`') {
            Some(double) => double.split_once(" ``"),
            None => heading.split_once('`'),
        }
        .expect("an end");
        for part in message.split('…').map(str::trim).filter(|part| !part.is_empty()) {
            assert!(sources.contains(part), "no message has `{part}`");
        }
        messages += 1;
    }
    assert!(messages >= 30, "only {messages} messages");
}

fn add_sources(folder: &Path, sources: &mut String) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            add_sources(&path, sources);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            *sources += &read(&path);
        }
    }
}
