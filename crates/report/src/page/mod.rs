//! A report as a page for a browser: one file that needs nothing else.
//!
//! The page holds the report as it is written in JSON, the sources that it speaks of, and a script that draws
//! them: `model.js` works out orders, views and cycles and knows no document, `view.js` shows one execution, `browse.js`
//! which one of several, and `report.js` the rest. What many executions have in common is written once (`shared.rs`).

mod shared;

use crate::browsed::LARGEST;
use crate::loops::LoopReport;
use crate::suggestion::OrderChange;
use crate::xml::escaped;
use crate::{Browsed, Report, Sources, assumption, minimised, suggestion};
use norn_models::{Delay, ModelName};
use serde::Serialize;
use shared::Shared;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const MODEL: &str = include_str!("model.js");
const BROWSE: &str = include_str!("browse.js");
const VIEW: &str = include_str!("view.js");
const REPORT: &str = include_str!("report.js");

/// What the script is given.
#[derive(Serialize)]
struct Data<'r> {
    report: &'r Report,
    sources: &'r Sources,
    words: Words,
}

/// Sentences that text reports have, too.
#[derive(Serialize)]
struct Words {
    /// Why it is not verified.
    reasons: Vec<String>,
    /// The bounds on what was looked at.
    bounds: Vec<String>,
    /// What else the verdict rests on.
    assumed: Vec<String>,
    /// Of each loop that is recognised, where it is and what is said of it.
    loops: Vec<String>,
    /// Of each violation, what `--minimise` has brought.
    minimised: Vec<Option<String>>,
    /// What `--suggest` has found.
    suggestion: Option<Suggested>,
    /// What the memory shows of each thread; `memoryAfter` explains the words.
    views: &'static str,
}

#[derive(Serialize)]
struct Suggested {
    headline: String,
    /// Of each change.
    changes: Vec<String>,
    effort: Option<String>,
}

impl Words {
    fn of(report: &Report) -> Words {
        let minimised = report.violations().map(|one| one.minimised.as_ref().map(minimised::words));
        let suggestion = report.suggestion.as_ref().map(|suggestion| Suggested {
            headline: suggestion::headline(suggestion),
            changes: suggestion.changes.iter().map(OrderChange::words).collect(),
            effort: suggestion::effort(suggestion),
        });
        let reasons = report.reasons.iter().map(ToString::to_string).collect();
        let (bounds, assumed) = assumption::words(report);
        let loops = report.loops.iter().flatten().map(LoopReport::line).collect();
        let (minimised, views) = (minimised.collect(), views(report));
        Words { reasons, bounds, assumed, loops, minimised, suggestion, views }
    }
}

/// How old a value is that a thread may read, as far as it follows from what happens before what.
fn views(report: &Report) -> &'static str {
    let model: Option<ModelName> = report.model.parse().ok();
    match model.map_or(Delay::Model, |model| model.facts().delay) {
        Delay::Never => "one",
        Delay::Unordered | Delay::Modes => "ordered",
        // Stores are overtaken by what their thread does next, so that order between threads says nothing of them.
        Delay::StoreBuffer | Delay::StoreBuffers | Delay::Model => "own",
    }
}

/// The page of a report.
pub fn page(report: &Report, sources: &Sources) -> String {
    write(report, &data(report, sources))
}

/// The page of a report in which executions can be browsed. What there is no room for is taken out of them.
pub fn browse_page(report: &Report, sources: &Sources, browsed: &mut Browsed) -> String {
    let rest = data(report, sources);
    write(report, &with_executions(&rest, browsed, LARGEST.saturating_sub(rest.len())))
}

fn data(report: &Report, sources: &Sources) -> String {
    json(&Data { report, sources, words: Words::of(report) })
}

fn json(data: &impl Serialize) -> String {
    serde_json::to_string(data).expect("a report has string keys and no other reason to fail")
}

/// The data of a page, and executions for which there is so much room; one is always shown.
fn with_executions(data: &str, browsed: &mut Browsed, room: usize) -> String {
    let mut shared = Shared::default();
    let mut shown = 0;
    for execution in &browsed.executions {
        shared.add(execution);
        shown += 1;
        if shared.size() > room {
            break;
        }
    }
    browsed.left_out += (browsed.executions.len() - shown) as u64;
    browsed.executions.truncate(shown);
    let (table, executions) = shared.write();
    let not_shown = json(&browsed.not_shown());
    let data = data.strip_suffix('}').expect("it is an object");
    format!(
        r#"{data},"browsed":{{"not_shown":{not_shown},"table":{table},"executions":{executions}}}}}"#
    )
}

fn write(report: &Report, data: &str) -> String {
    let title = format!("{}: {}", report.verdict.name(), report.files.join(", "));
    let script = format!("{MODEL}\n{BROWSE}\n{VIEW}\n{REPORT}");
    let mut text = String::with_capacity(PAGE.len() + STYLE.len() + script.len() + data.len());
    let mut rest = PAGE;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").expect("every gap of the page ends");
        text += before;
        match name {
            "title" => text += &escaped(&title),
            "style" => text += STYLE,
            // Nothing in it may end the element that it stands in, or begin a comment.
            "data" => text += &data.replace('<', "\\u003c"),
            "script" => text += &script,
            other => unreachable!("the page has no gap {other}"),
        }
        rest = after;
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> Report {
        let report = serde_json::json!({
            "format": 2, "verdict": "verified", "model": "sc", "algorithm": "trust", "files": ["a<b>.c"],
            "executions": 2, "blocked": 0, "beyond_bound": 0, "bound_blocked": 0, "seconds": 0.5,
            "peak_memory_bytes": 1, "violation": null, "more_violations": [], "reasons": [], "outcomes": ["<x>"],
            "question": null, "warnings": [],
        });
        serde_json::from_value(report).expect("this is a report")
    }

    fn data_of(page: &str) -> serde_json::Value {
        let (_, rest) = page.split_once("type=\"application/json\">").expect("there are data");
        let (data, _) = rest.split_once("</script>").expect("they end");
        serde_json::from_str(data).expect("they can be read")
    }

    #[test]
    fn a_page_holds_the_report_and_asks_for_nothing_else() {
        let report = report();
        let mut sources = Sources::default();
        let hostile = "</script><script>alert(1)</script><!-- {{data}}";
        sources.insert("a<b>.c", hostile);
        let page = page(&report, &sources);
        let data = data_of(&page);
        assert_eq!(data["report"], serde_json::to_value(&report).expect("it can be written"));
        assert_eq!(data["sources"]["a<b>.c"], hostile);
        for outside in ["http:", "https:", "src=", "href=", "url(\"", "@import", "fetch("] {
            let found = page.replace("http://www.w3.org/2000/svg", "").contains(outside);
            assert!(!found, "the page asks for {outside}");
        }
    }

    /// An execution that has nothing in common with others but its form.
    fn execution(number: usize) -> crate::Browsable {
        let view = serde_json::json!({
            "format": 2, "kind": "assertion", "message": format!("execution {number}"), "file": null, "line": null,
            "column": null, "thread": 0, "thread_name": "main", "executions_before": 0, "involved": [], "trace": [],
            "execution": {"threads": [], "locations": [], "objects": []},
        });
        crate::Browsable {
            outcome: format!("{number}").repeat(1000),
            ends: true,
            wrong: Vec::new(),
            satisfies: None,
            view: serde_json::from_value(view).expect("this is a violation"),
        }
    }

    #[test]
    fn what_there_is_no_room_for_is_counted() {
        let report = report();
        let browsed = || Browsed {
            executions: (0..100).map(execution).collect(),
            left_out: 7,
            because: Vec::new(),
        };
        let (mut all, mut few) = (browsed(), browsed());
        let page = browse_page(&report, &Sources::default(), &mut all);
        assert_eq!((all.executions.len(), all.left_out), (100, 7));
        assert_eq!(data_of(&page)["browsed"]["executions"].as_array().map(Vec::len), Some(100));
        let page = with_executions("{\"report\":0}", &mut few, 50_000);
        assert!(few.executions.len() > 10 && few.executions.len() < 50, "{}", few.executions.len());
        assert_eq!(few.executions.len() as u64 + few.left_out, 107);
        assert!(page.len() < 60_000, "{}", page.len());
    }

    #[test]
    fn nothing_ends_the_script_early() {
        for text in [MODEL, BROWSE, VIEW, REPORT] {
            assert!(!text.contains("</script") && !text.contains("<!--"));
        }
    }
}
