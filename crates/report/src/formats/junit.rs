//! The XML that test runners write after JUnit, as Jenkins' schema and GitLab describe it: a suite of cases,
//! each of which passed, failed, or came to no answer.

use crate::report::Report;
use crate::verdict::{Reason, Verdict};
use crate::xml::escaped;
use std::fmt::Write;

/// How a case ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// As it should.
    Passed,
    /// Not as it should: the kind of what is wrong, and a sentence.
    Failed(String, String),
    /// Without an answer: the kind of the reason, and a sentence.
    Undecided(String, String),
}

/// One check.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// What was checked.
    pub name: String,
    /// The file that it is in.
    pub file: String,
    /// How it ended.
    pub ending: Ending,
    /// How long it took.
    pub seconds: f64,
    /// What is told about it.
    pub output: String,
}

impl Case {
    /// The check of a report, of which `output` is told.
    pub fn of(report: &Report, output: String) -> Case {
        let ending = match (report.verdict, report.violations().next()) {
            (Verdict::Violation, Some(first)) => {
                Ending::Failed(first.kind.clone(), first.message.clone())
            }
            (Verdict::Verified, _) => Ending::Passed,
            (Verdict::Violation | Verdict::Inconclusive, _) => {
                let reasons = report.reasons.iter().map(Reason::to_string);
                let reasons = reasons.collect::<Vec<_>>().join("; ");
                Ending::Undecided(report.verdict.name().to_owned(), reasons)
            }
        };
        Case {
            name: format!("{}, {}", report.model, report.algorithm),
            file: report.files.join(" "),
            ending,
            seconds: report.seconds,
            output,
        }
    }
}

/// The file for a suite of checks.
pub fn junit(suite: &str, cases: &[Case]) -> String {
    let count = |is: fn(&Ending) -> bool| cases.iter().filter(|case| is(&case.ending)).count();
    let numbers = format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{:.3}\"",
        cases.len(),
        count(|ending| matches!(ending, Ending::Failed(..))),
        count(|ending| matches!(ending, Ending::Undecided(..))),
        cases.iter().map(|case| case.seconds).sum::<f64>()
    );
    let name = escaped(suite);
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {numbers}>\n  \
         <testsuite name=\"{name}\" {numbers}>\n"
    );
    cases.iter().for_each(|case| add(&mut text, case));
    text + "  </testsuite>\n</testsuites>\n"
}

fn add(text: &mut String, case: &Case) {
    let Case { name, file, ending, seconds, output } = case;
    let (name, file) = (escaped(name), escaped(file));
    let _ =
        writeln!(text, "    <testcase name=\"{name}\" classname=\"{file}\" time=\"{seconds:.3}\">");
    let (element, kind, message) = match ending {
        Ending::Passed => ("", "", ""),
        Ending::Failed(kind, message) => ("failure", kind.as_str(), message.as_str()),
        Ending::Undecided(kind, message) => ("error", kind.as_str(), message.as_str()),
    };
    if !element.is_empty() {
        let (kind, message) = (escaped(kind), escaped(message));
        let _ = writeln!(
            text,
            "      <{element} type=\"{kind}\" message=\"{message}\">{}</{element}>",
            escaped(output)
        );
    } else if !output.is_empty() {
        let _ = writeln!(text, "      <system-out>{}</system-out>", escaped(output));
    }
    text.push_str("    </testcase>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suite_counts_its_cases() {
        let case = |name: &str, ending| Case {
            name: name.to_owned(),
            file: "a.c".to_owned(),
            ending,
            seconds: 0.25,
            output: "x < y && \"z\"\u{1b}".to_owned(),
        };
        let failed = Ending::Failed("data_race".to_owned(), "a \"race\"".to_owned());
        let undecided = Ending::Undecided("inconclusive".to_owned(), "the time is over".to_owned());
        let cases = [case("right", Ending::Passed), case("wrong", failed), case("slow", undecided)];
        let text = junit("norn", &cases);
        assert!(text.contains("tests=\"3\" failures=\"1\" errors=\"1\" time=\"0.750\""), "{text}");
        assert!(text.contains("<failure type=\"data_race\" message=\"a &quot;race&quot;\">"));
        assert!(text.contains("<error type=\"inconclusive\" message=\"the time is over\">"));
        assert!(text.contains("<system-out>x &lt; y &amp;&amp; &quot;z&quot;</system-out>"));
    }
}
