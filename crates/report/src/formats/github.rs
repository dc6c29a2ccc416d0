//! Workflow commands that GitHub turns into annotations of a file: one per line,
//! `::error file=F,line=L,col=C,title=T::MESSAGE`. What would end a property or the message is written as
//! in a URL.

use crate::names::Spot;
use crate::report::Report;
use crate::verdict::Verdict;
use crate::violation::ViolationReport;

/// One annotation for each violation, warning and reason why not everything was looked at. Ends with a line
/// break, unless there is nothing to say.
pub fn annotations(report: &Report) -> String {
    let mut lines: Vec<String> = report.violations().map(violation).collect();
    for warning in &report.warnings {
        lines.push(command(
            "warning",
            warning.spot.as_ref(),
            warning.kind.name(),
            &warning.message,
        ));
    }
    if report.verdict == Verdict::Inconclusive {
        let file = report.files.first().map(|file| Spot { file: file.clone(), ..Spot::default() });
        for reason in &report.reasons {
            lines.push(command("warning", file.as_ref(), "inconclusive", &reason.to_string()));
        }
    }
    lines.into_iter().map(|line| line + "\n").collect()
}

/// An error at a line of a file.
pub fn annotation(file: &str, line: usize, message: &str) -> String {
    let spot = Spot { file: file.to_owned(), line: line as u32, ..Spot::default() };
    command("error", Some(&spot), "norn test", message) + "\n"
}

/// What is wrong, followed by the steps that lead there.
fn violation(violation: &ViolationReport) -> String {
    let spot = violation.file.as_ref().map(|file| Spot {
        file: file.clone(),
        line: violation.line.unwrap_or(0),
        column: violation.column.unwrap_or(0),
        ..Spot::default()
    });
    let steps = violation.trace.iter().map(|step| {
        let at = step.spot.as_ref().filter(|spot| spot.line > 0);
        let at = at.map_or(String::new(), |spot| format!(" ({}:{})", spot.file, spot.line));
        format!("\n{}. {}: {}{at}", step.number, step.thread_name, step.text)
    });
    let message = violation.message.clone() + &steps.collect::<String>();
    command("error", spot.as_ref(), &violation.kind.replace('_', " "), &message)
}

fn command(level: &str, spot: Option<&Spot>, title: &str, message: &str) -> String {
    let mut properties = Vec::new();
    if let Some(spot) = spot {
        properties.push(format!("file={}", property(&spot.file)));
        let numbers = [("line", spot.line), ("col", spot.column)];
        let known = numbers.into_iter().take_while(|(_, number)| *number > 0);
        properties.extend(known.map(|(name, number)| format!("{name}={number}")));
    }
    properties.push(format!("title={}", property(title)));
    format!("::{level} {}::{}", properties.join(","), data(message))
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_a_command_early() {
        let spot = Spot { file: "a,b:c.c".to_owned(), line: 3, ..Spot::default() };
        let line = command("error", Some(&spot), "data race", "100% wrong:\nyes, really");
        assert_eq!(
            line,
            "::error file=a%2Cb%3Ac.c,line=3,title=data race::100%25 wrong:%0Ayes, really"
        );
    }
}
