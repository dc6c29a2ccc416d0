//! A report as a page for a browser: one file that needs nothing else.
//!
//! The page holds the report as it is written in JSON, the sources that it speaks of, and a script that draws
//! them: `model.js` works out orders, views and cycles and knows no document, `view.js` shows them, and `browse.js` which
//! one of several executions is shown.

use crate::suggestion::OrderChange;
use crate::{Browsed, Report, Sources, minimised, suggestion};
use serde::Serialize;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const MODEL: &str = include_str!("model.js");
const BROWSE: &str = include_str!("browse.js");
const VIEW: &str = include_str!("view.js");

/// What the script is given.
#[derive(Serialize)]
struct Data<'r> {
    report: &'r Report,
    sources: &'r Sources,
    words: Words,
    #[serde(skip_serializing_if = "Option::is_none")]
    browsed: Option<&'r Browsed>,
}

/// Sentences that text reports have, too.
#[derive(Serialize)]
struct Words {
    /// Of each violation, what `--minimise` has brought.
    minimised: Vec<Option<String>>,
    /// What `--suggest` has found.
    suggestion: Option<Suggested>,
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
        Words { minimised: minimised.collect(), suggestion }
    }
}

/// The page of a report.
pub fn page(report: &Report, sources: &Sources) -> String {
    write(&Data { report, sources, words: Words::of(report), browsed: None })
}

/// The page of a report in which executions can be browsed.
pub fn browse_page(report: &Report, sources: &Sources, browsed: &Browsed) -> String {
    write(&Data { report, sources, words: Words::of(report), browsed: Some(browsed) })
}

fn write(data: &Data<'_>) -> String {
    let report = data.report;
    let data = serde_json::to_string(data);
    let data = data.expect("a report has string keys and no other reason to fail");
    let title = format!("{}: {}", report.verdict.name(), report.files.join(", "));
    let script = format!("{MODEL}\n{BROWSE}\n{VIEW}");
    let mut text = String::with_capacity(PAGE.len() + STYLE.len() + script.len() + data.len());
    let mut rest = PAGE;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").expect("every gap of the page ends");
        text += before;
        match name {
            "title" => text += &escape(&title),
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

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
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

    fn data(page: &str) -> serde_json::Value {
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
        let data = data(&page);
        assert_eq!(data["report"], serde_json::to_value(&report).expect("it can be written"));
        assert_eq!(data["sources"]["a<b>.c"], hostile);
        for outside in ["http:", "https:", "src=", "href=", "url(\"", "@import", "fetch("] {
            let found = page.replace("http://www.w3.org/2000/svg", "").contains(outside);
            assert!(!found, "the page asks for {outside}");
        }
    }

    #[test]
    fn nothing_ends_the_script_early() {
        for text in [MODEL, BROWSE, VIEW] {
            assert!(!text.contains("</script") && !text.contains("<!--"));
        }
    }
}
