//! SARIF 2.1.0, which code-scanning pages read: a result for each violation, with a code flow that has a thread
//! flow for each thread of the execution. The order of the steps across threads is their execution order.

use crate::names::Spot;
use crate::report::{Report, Warning};
use crate::verdict::{Reason, Verdict};
use crate::violation::ViolationReport;
use serde_json::{Value, json};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The report of a check by this version of the tool.
pub fn sarif(report: &Report, version: &str) -> String {
    let mut rules: Vec<&str> =
        report.violations().map(|violation| violation.kind.as_str()).collect();
    rules.sort_unstable();
    rules.dedup();
    let results: Vec<Value> = report.violations().map(|one| result(one, &rules)).collect();
    let rules: Vec<Value> = rules.iter().map(|kind| rule(kind)).collect();
    let file = |file: &String| json!({ "location": { "uri": uri(file) } });
    let mut notes: Vec<Value> = report.warnings.iter().map(warning).collect();
    if report.verdict == Verdict::Inconclusive {
        notes.extend(report.reasons.iter().map(reason));
    }
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "norn", "semanticVersion": version, "rules": rules } },
            "columnKind": "unicodeCodePoints",
            "artifacts": report.files.iter().map(file).collect::<Vec<_>>(),
            "invocations": [{
                "executionSuccessful": true,
                "exitCode": report.verdict.exit_code(),
                "toolExecutionNotifications": notes,
            }],
            "results": results,
            "properties": {
                "verdict": report.verdict,
                "model": report.model,
                "algorithm": report.algorithm,
                "executions": report.executions,
            },
        }],
    });
    serde_json::to_string_pretty(&log).expect("it has only string keys")
}

/// A kind of violation: `data_race` is the rule "data race".
fn rule(kind: &str) -> Value {
    let words = kind.replace('_', " ");
    json!({
        "id": kind,
        "shortDescription": { "text": words },
        "defaultConfiguration": { "level": "error" },
        "properties": { "tags": ["concurrency", "correctness"] },
    })
}

fn result(violation: &ViolationReport, rules: &[&str]) -> Value {
    // What is told twice is told once: the format wants the places to be distinct.
    let mut places: Vec<Value> = Vec::new();
    for involved in &violation.involved {
        let place = location(Some(&involved.spot), &involved.label);
        if !places.contains(&place) {
            places.push(place);
        }
    }
    let (first, others) = places.split_at(places.len().min(1));
    let index = rules.iter().position(|rule| *rule == violation.kind);
    json!({
        "ruleId": violation.kind,
        "ruleIndex": index,
        "level": "error",
        "message": { "text": plain(&violation.message) },
        "locations": first,
        "relatedLocations": others,
        "codeFlows": [{ "threadFlows": thread_flows(violation) }],
    })
}

/// The steps of each thread, in the order in which the threads come first.
fn thread_flows(violation: &ViolationReport) -> Vec<Value> {
    let mut threads: Vec<u32> = Vec::new();
    for step in &violation.trace {
        if !threads.contains(&step.thread) {
            threads.push(step.thread);
        }
    }
    let flow = |thread: &u32| {
        let steps: Vec<_> = violation.trace.iter().filter(|step| step.thread == *thread).collect();
        let locations = steps.iter().map(|step| {
            let text = match &step.note {
                Some(note) => format!("{} ({note})", step.text),
                None => step.text.clone(),
            };
            json!({
                "location": location(step.spot.as_ref(), &text),
                "executionOrder": step.number,
                "importance": if step.failing { "essential" } else { "important" },
            })
        });
        json!({
            "id": steps[0].thread_name,
            "locations": locations.collect::<Vec<_>>(),
        })
    };
    // There must be one, even where nothing happened before the fault.
    if threads.is_empty() {
        let spot = violation.involved.first().map(|involved| &involved.spot);
        let at = json!({ "location": location(spot, &violation.message) });
        return vec![json!({ "id": violation.thread_name, "locations": [at] })];
    }
    threads.iter().map(flow).collect()
}

fn location(spot: Option<&Spot>, text: &str) -> Value {
    let mut value = json!({ "message": { "text": plain(text) } });
    if let Some(spot) = spot {
        value["physicalLocation"] = physical(spot);
    }
    value
}

fn physical(spot: &Spot) -> Value {
    let mut value = json!({ "artifactLocation": { "uri": uri(&spot.file) } });
    if spot.line > 0 {
        value["region"] = json!({ "startLine": spot.line });
        if spot.column > 0 {
            value["region"]["startColumn"] = spot.column.into();
        }
    }
    value
}

fn warning(warning: &Warning) -> Value {
    let spots = warning.spot.iter().chain(&warning.other);
    let locations: Vec<Value> =
        spots.map(|spot| json!({ "physicalLocation": physical(spot) })).collect();
    json!({
        "descriptor": { "id": warning.kind.name() },
        "level": "note",
        "message": { "text": plain(&warning.message) },
        "locations": locations,
    })
}

fn reason(reason: &Reason) -> Value {
    json!({
        "descriptor": { "id": reason.name() },
        "level": "warning",
        "message": { "text": plain(&reason.to_string()) },
    })
}

/// Text that has no link in it: `a[i](x)` would be one.
fn plain(text: &str) -> String {
    text.replace("](", "] (")
}

/// The address of a file: relative ones stay relative to where the tool was run.
fn uri(file: &str) -> String {
    let mut out = String::from(if file.starts_with('/') { "file://" } else { "" });
    for byte in file.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' | b'+' => {
                out.push(char::from(byte));
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_become_addresses() {
        assert_eq!(uri("src/a b.c"), "src/a%20b.c");
        assert_eq!(uri("/tmp/ö:x.c"), "file:///tmp/%C3%B6%3Ax.c");
    }
}
