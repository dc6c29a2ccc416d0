//! A report as text for people: at most as wide as asked, with or without colour.

mod table;

use crate::branches;
use crate::minimised;
use crate::names::Sources;
use crate::report::{Estimate, Question, Report, Warning, WarningKind, about};
use crate::snippet;
use crate::suggestion;
use crate::trace::TraceStep;
use crate::verdict::{Reason, Verdict};
use crate::violation::ViolationReport;
use crate::wrap::{Paint, hanging};

/// How text is laid out.
#[derive(Clone, Copy, Debug)]
pub struct TextStyle {
    /// Columns.
    pub width: usize,
    /// Whether colour is used.
    pub color: bool,
    /// Only the verdict and the first line of each violation.
    pub quiet: bool,
    /// Time and memory are left out: for comparisons between runs.
    pub reproducible: bool,
}

impl Default for TextStyle {
    fn default() -> TextStyle {
        TextStyle { width: 80, color: false, quiet: false, reproducible: false }
    }
}

/// The whole report.
pub fn render(report: &Report, sources: &Sources, style: TextStyle) -> String {
    let mut out = String::new();
    for violation in report.violations() {
        if style.quiet {
            out.push_str(&headline(violation, style));
        } else {
            out.push_str(&render_violation(violation, sources, style));
            out.push('\n');
        }
    }
    if let Some(suggestion) = &report.suggestion {
        out.push_str(&suggestion::render(suggestion, style.width, style.color));
    }
    for warning in &report.warnings {
        // Without this one the verdict would promise too much.
        if !style.quiet || warning.kind == WarningKind::NothingCompleted {
            out.push_str(&render_warning(warning, style));
        }
    }
    if !style.quiet {
        out.push_str(&outcomes(report));
        out.push_str(&branches::table(report));
    }
    out.push_str(&verdict_line(report, style));
    let mut reasons: Vec<String> = report.reasons.iter().map(|one| reason(one, style)).collect();
    reasons.dedup();
    // A violation needs no reason; these say why there may be more of them.
    let label = match report.verdict {
        Verdict::Violation => "  not complete: ",
        _ => "  because: ",
    };
    for reason in reasons {
        out.push_str(&hanging(label, &reason, style.width));
    }
    out
}

/// A reason in words. What is not supported stands in the warnings, with its place.
fn reason(reason: &Reason, style: TextStyle) -> String {
    match reason {
        Reason::Unsupported { .. } if !style.quiet => {
            "something was reached that is not supported; see the warning above".to_owned()
        }
        other => other.to_string(),
    }
}

/// One violation: the headline with source lines, then the execution.
pub fn render_violation(
    violation: &ViolationReport,
    sources: &Sources,
    style: TextStyle,
) -> String {
    let mut out = snippet::render(violation, sources, style.width, style.color);
    if !violation.trace.is_empty() {
        let heading = "an execution that shows it, from top to bottom:";
        out.push_str(&format!("\n{}\n\n", Paint::Bold.apply(heading, style.color)));
        out.push_str(&render_steps(&violation.trace, style));
    }
    if let Some(minimised) = &violation.minimised {
        out.push('\n');
        out.push_str(&minimised::render(minimised, style.width));
    }
    out
}

/// The steps of an execution as a table, with the notes on them.
pub(crate) fn render_steps(steps: &[TraceStep], style: TextStyle) -> String {
    let mut out = table::render(steps, style);
    let notes = steps.iter().filter_map(|step| Some((step.number, step.note.as_ref()?)));
    for (number, note) in notes {
        out.push('\n');
        let first = format!("note: step {number}: ");
        let text = hanging(&first, note, style.width);
        let label = Paint::Cyan.apply("note", style.color);
        out.push_str(&text.replacen("note", &label, 1));
    }
    out
}

fn headline(violation: &ViolationReport, style: TextStyle) -> String {
    let label = Paint::Red.apply(&format!("error[{}]", violation.kind), style.color);
    let place = match (&violation.file, violation.line) {
        (Some(file), Some(line)) => format!("{file}:{line}: "),
        _ => String::new(),
    };
    format!("{label}: {place}{}\n", violation.message)
}

fn render_warning(warning: &Warning, style: TextStyle) -> String {
    let place = |spot: &crate::Spot| match spot.column {
        0 => format!("{}:{}", spot.file, spot.line),
        column => format!("{}:{}:{column}", spot.file, spot.line),
    };
    let mut text = hanging("warning: ", &warning.message, style.width);
    if let Some(spot) = &warning.spot {
        text.push_str(&format!("  --> {}\n", place(spot)));
    }
    if let Some(spot) = &warning.other {
        text.push_str(&format!("  and {}\n", place(spot)));
    }
    if let Some(item) = &warning.about_loop {
        let first = format!("  {}: ", item.finding.name());
        text.push_str(&hanging(&first, &format!("it {}", item.message), style.width));
    }
    text.replacen("warning", &Paint::Yellow.apply("warning", style.color), 1) + "\n"
}

fn outcomes(report: &Report) -> String {
    let mut out = String::new();
    if !report.outcomes.is_empty() {
        out.push_str(&format!("outcomes ({}):\n", report.outcomes.len()));
        for outcome in &report.outcomes {
            out.push_str(&format!("  {}\n", outcome.replace(';', "; ")));
        }
    }
    if let Some(question) = &report.question {
        let answer = if question.holds { "yes" } else { "no" };
        let Question { quantifier, satisfied, ends, .. } = question;
        let what = if *ends == report.executions { "executions" } else { "final states" };
        out.push_str(&format!(
            "condition ({quantifier}): {answer}, {satisfied} of {ends} {what} satisfy it\n"
        ));
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

fn verdict_line(report: &Report, style: TextStyle) -> String {
    let paint = match report.verdict {
        Verdict::Verified => Paint::Green,
        Verdict::Violation => Paint::Red,
        Verdict::Inconclusive => Paint::Yellow,
    };
    let mut executions = count(report.executions, "complete execution");
    if report.up_to_symmetry {
        executions += " up to symmetry";
    }
    let blocked = match report.blocked {
        0 => String::new(),
        blocked => format!(", {blocked} blocked"),
    };
    let what = match report.verdict {
        Verdict::Verified => format!("{executions}{blocked}"),
        Verdict::Violation => {
            let kinds = report.violations().count() as u64;
            format!("{} after {executions}{blocked}", count(kinds, "violation"))
        }
        Verdict::Inconclusive => {
            let all = match &report.estimate {
                Some(estimate) if !style.reproducible => of_all(estimate),
                _ => String::new(),
            };
            format!("{executions}{all}{blocked}, no fault so far")
        }
    };
    let cost = if style.reproducible {
        String::new()
    } else {
        let megabytes = report.peak_memory_bytes / (1 << 20);
        format!(", {:.2} s, {megabytes} MB", report.seconds)
    };
    let name = report.verdict.name();
    let what = format!("{what} ({}, {}{cost})", report.model, report.algorithm);
    let text = hanging(&format!("{name}: "), &what, style.width);
    text.replacen(name, &paint.apply(name, style.color), 1)
}

/// How much there is, for a search that has not seen it all.
fn of_all(estimate: &Estimate) -> String {
    let all = about(estimate.executions);
    if estimate.at_most {
        return format!(" of at most about {all}");
    }
    let percent = 100.0 * estimate.error / estimate.executions.max(1.0);
    format!(" of about {all} ±{percent:.0}%")
}

pub(crate) fn count(number: u64, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}
