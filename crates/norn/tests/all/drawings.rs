//! `--graph`: the violation of every example can be drawn, as SVG and for Graphviz.

use crate::support;
use norn::{CheckOptions, Control, ViolationReport};
use std::collections::BTreeSet;

/// What is wrong with each example.
fn violations() -> Vec<(String, ViolationReport)> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(support::root().join("examples")).expect("the examples") {
        files.push(entry.expect("an entry").path().join("buggy.c"));
    }
    files.retain(|file| file.exists());
    files.extend(
        ["SB", "2+2W"].map(|name| support::root().join(format!("examples/litmus/{name}.litmus"))),
    );
    let mut found = Vec::new();
    for file in files {
        let name = file.display().to_string();
        let options = CheckOptions { files: vec![file], jobs: 1, ..support::options() };
        let report = norn::check(&options, &Control::default(), &mut |_| {}).expect("a report");
        found.push((name, report.report.violation.expect("a violation")));
    }
    found
}

/// The tags of an SVG file are closed in the order in which they are opened.
fn is_well_formed(svg: &str) -> bool {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = svg;
    while let Some((_, after)) = rest.split_once('<') {
        let Some((tag, after)) = after.split_once('>') else { return false };
        match tag.strip_prefix('/') {
            Some(closed) => {
                if open.pop() != Some(closed) {
                    return false;
                }
            }
            None if tag.ends_with('/') || tag.starts_with(['?', '!']) => {}
            None => open.push(tag.split_whitespace().next().unwrap_or("")),
        }
        rest = after;
    }
    open.is_empty()
}

/// The names at both ends of the edges of Graphviz text, and those of its nodes.
fn names(dot: &str) -> (BTreeSet<&str>, BTreeSet<&str>) {
    let (mut used, mut nodes) = (BTreeSet::new(), BTreeSet::new());
    for line in dot.lines().map(str::trim) {
        let head = line.split(" [").next().unwrap_or("").trim_end_matches(';');
        match head.split_once(" -> ") {
            Some((from, to)) => used.extend([from.trim(), to.trim()]),
            None if line.contains(" [") => _ = nodes.insert(head),
            None => {}
        }
    }
    (used, nodes)
}

#[test]
fn every_example_is_drawn() {
    let violations = violations();
    assert!(violations.len() >= 15, "only {}", violations.len());
    for (name, violation) in violations {
        let (svg, dot) = (norn::svg(&violation), norn::dot(&violation));
        assert!(svg.starts_with("<svg") && is_well_formed(&svg), "{name}\n{svg}");
        assert!(dot.starts_with("digraph"), "{name}\n{dot}");
        let (used, nodes) = names(&dot);
        assert!(!used.is_empty() && used.is_subset(&nodes), "{name}\n{dot}");
        // Each step of the trace is there.
        for step in &violation.trace {
            let word = step.text.split([' ', '(']).next().unwrap_or("");
            assert!(svg.contains(word) && dot.contains(word), "{name}: {}", step.text);
        }
    }
}
