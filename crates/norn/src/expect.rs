//! What a file says that a check of it finds.
//!
//! A line with `norn:` says it, in a comment of any kind:
//!
//! ```text
//! // norn: expect violation data_race line=12 --model rc11
//! // norn: expect verified --entry readers --unroll 3
//! // norn: verified executions=6 warning=memory_leak:9
//! ```
//!
//! After the verdict come a kind of violation, or the reasons why a check is inconclusive, separated by commas;
//! `line=`, `executions=` and `warning=`; and the options of the check, as `norn check` has them. With `expect`,
//! what is named must be so. Without it, the line says everything: what is not named must not be so either. A
//! line `norn-options:` has settings for all checks of the file, such as `unroll=2 model=sc race_detection=no`.

use norn_report::{Reason, Report, Verdict};
use std::fmt;

/// What one line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// The index of the line in the file.
    pub line: usize,
    /// The options of the check.
    pub options: Vec<String>,
    /// How many of them come first and are those of all checks of the file.
    common: usize,
    /// Whether the line says everything.
    exact: bool,
    verdict: String,
    /// A kind of violation, or reasons.
    what: Option<String>,
    /// `line=12` and the like, as they are written.
    details: Vec<String>,
}

/// A line that cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct BadExpectation {
    /// From 1.
    pub line: usize,
    /// What is wrong with it.
    pub what: String,
}

/// What a line may begin with.
const VERDICTS: [Verdict; 3] = [Verdict::Verified, Verdict::Violation, Verdict::Inconclusive];
/// What may be said beyond that.
const DETAILS: [&str; 3] = ["line", "executions", "warning"];

/// What a file says, from top to bottom.
pub fn expectations(text: &str) -> Result<Vec<Expectation>, BadExpectation> {
    let mut found = Vec::new();
    let mut common = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let bad = |what: String| BadExpectation { line: index + 1, what };
        if let Some(said) = after(line, "norn:") {
            found.push(parse(index, said).map_err(bad)?);
        } else if let Some(said) = after(line, "norn-options:") {
            common.extend(settings(said).map_err(bad)?);
        } else if is_meant(line) {
            return Err(bad(
                "such a line begins with `norn:`, as in `norn: expect verified`".into()
            ));
        }
    }
    for expectation in &mut found {
        let own = std::mem::take(&mut expectation.options);
        expectation.options = common.iter().cloned().chain(own).collect();
        expectation.common = common.len();
    }
    Ok(found)
}

/// What follows `mark` in a line that is a comment and begins with it.
fn after<'l>(line: &'l str, mark: &str) -> Option<&'l str> {
    let said = comment(line)?.strip_prefix(mark)?;
    Some(said.trim_end_matches("*/").trim_end_matches("*)").trim())
}

/// What a line says that begins with the mark of a comment.
fn comment(line: &str) -> Option<&str> {
    // Some editors begin a file with a mark that nobody sees.
    let line = line.trim_start_matches('\u{feff}').trim();
    let said = ["//", "/*", "(*", "#", ";"].iter().find_map(|open| line.strip_prefix(open))?;
    Some(said.trim_start())
}

/// Whether a line was meant to say what is found, and does not begin so: nobody would notice that a check is not made.
fn is_meant(line: &str) -> bool {
    let Some(said) = comment(line) else { return false };
    let mut words = said.split([' ', '\t', ':']).filter(|word| !word.is_empty());
    let is_ours = words.next().is_some_and(|word| word.eq_ignore_ascii_case("norn"));
    let expects = |word: &str| ["expect", "expects", "expected"].contains(&word);
    is_ours && words.next().is_some_and(|word| expects(&word.to_ascii_lowercase()))
}

fn parse(line: usize, said: &str) -> Result<Expectation, String> {
    let mut words = said.split_whitespace().peekable();
    let exact = words.next_if_eq(&"expect").is_none();
    let names = VERDICTS.map(Verdict::name).join(", ");
    let verdict = words.next().ok_or_else(|| format!("a verdict is missing: {names}"))?;
    if !VERDICTS.iter().any(|known| known.name() == verdict) {
        return Err(format!("`{verdict}` is no verdict; there are {names}"));
    }
    let may_have_more = verdict != Verdict::Verified.name();
    let is_what = |word: &str| may_have_more && !word.starts_with('-') && !word.contains('=');
    let what = words.next_if(|word| is_what(word));
    let mut details = Vec::new();
    while let Some(word) = words.next_if(|word| !word.starts_with('-')) {
        let known = word.split_once('=').is_some_and(|(name, _)| DETAILS.contains(&name));
        if !known {
            return Err(format!("`{word}` is none of {}=", DETAILS.join("=, ")));
        }
        details.push(word.to_owned());
    }
    Ok(Expectation {
        line,
        options: words.map(str::to_owned).collect(),
        common: 0,
        exact,
        verdict: verdict.to_owned(),
        what: what.map(str::to_owned),
        details,
    })
}

/// The options that settings stand for.
fn settings(said: &str) -> Result<Vec<String>, String> {
    let mut options = Vec::new();
    for setting in said.split_whitespace() {
        match setting.split_once('=') {
            Some((name @ ("unroll" | "model"), value)) => {
                options.extend([format!("--{name}"), value.to_owned()]);
            }
            Some(("race_detection", "no")) => options.push("--no-race-detection".to_owned()),
            Some(("liveness", "no")) => options.push("--no-liveness".to_owned()),
            Some(("reuse_memory", "yes")) => options.push("--reuse-memory".to_owned()),
            _ => return Err(format!("`{setting}` is no setting")),
        }
    }
    Ok(options)
}

impl Expectation {
    /// Whether a report is as expected.
    pub fn is_met(&self, report: &Report) -> bool {
        let found = Expectation::of(report);
        let Expectation { verdict, what, details, .. } = self;
        if self.exact {
            return (verdict, what, details) == (&found.verdict, &found.what, &found.details);
        }
        *verdict == found.verdict
            && (what.is_none() || *what == found.what)
            && details.iter().all(|detail| found.has(detail, report))
    }

    /// The exact expectation that a report meets.
    pub fn of(report: &Report) -> Expectation {
        let mut details = Vec::new();
        let (verdict, what) = match (&report.violation, report.verdict) {
            (Some(violation), _) => {
                details.extend(violation.line.map(|line| format!("line={line}")));
                (Verdict::Violation, Some(violation.kind.clone()))
            }
            (None, Verdict::Verified) => {
                details.push(format!("executions={}", report.executions));
                (Verdict::Verified, None)
            }
            (None, verdict) => {
                let reasons: Vec<&str> = report.reasons.iter().map(Reason::name).collect();
                (verdict, Some(reasons.join(",")))
            }
        };
        for warning in &report.warnings {
            let spots = warning.spot.iter().chain(&warning.other);
            let places: String = spots.map(|spot| format!(":{}", spot.line)).collect();
            details.push(format!("warning={}{places}", warning.kind.name()));
        }
        let verdict = verdict.name().to_owned();
        Expectation { line: 0, options: Vec::new(), common: 0, exact: true, verdict, what, details }
    }

    /// Whether something that may be named is so. Warnings may be named without their places.
    fn has(&self, detail: &str, report: &Report) -> bool {
        let is_named = |found: &String| {
            found == detail || found.strip_prefix(detail).is_some_and(|rest| rest.starts_with(':'))
        };
        self.details.iter().any(is_named) || detail == format!("executions={}", report.executions)
    }

    /// A line that says what was found in place of this one: as exactly, with the same options.
    pub fn blessed(&self, line: &str, report: &Report) -> String {
        let found = Expectation::of(report);
        let name_of = |detail: &str| detail.split('=').next().map(str::to_owned);
        let is_named = |found: &String| self.details.iter().any(|d| name_of(d) == name_of(found));
        let is_kept = |found: &String| self.exact || is_named(found);
        let details = found.details.iter().filter(|detail| is_kept(detail)).cloned().collect();
        let what = found.what.filter(|_| self.exact || self.what.is_some());
        let new = Expectation { details, what, verdict: found.verdict, ..self.clone() };
        let start = line.find("norn:").map_or(line.len(), |at| at + "norn:".len());
        let tail = ["*/", "*)"].into_iter().find(|tail| line.trim_end().ends_with(tail));
        let tail = tail.map_or(String::new(), |tail| format!(" {tail}"));
        let head = if self.exact { "" } else { "expect " };
        format!("{} {head}{new}{tail}", &line[..start])
    }
}

/// What is expected, in the words of a line.
impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.verdict)?;
        let own = &self.options[self.common..];
        let mut words = self.what.iter().chain(&self.details).chain(own);
        words.try_for_each(|word| write!(f, " {word}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(line: &str) -> Expectation {
        let mut all = expectations(line).expect("a line that can be understood");
        assert_eq!(all.len(), 1, "{line}");
        all.remove(0)
    }

    #[test]
    fn lines_of_all_kinds_are_understood() {
        for line in [
            "// norn: expect violation data_race line=12 --model rc11",
            "/* norn: expect verified --entry readers --unroll 3 */",
            "(* norn: inconclusive unroll,timeout *)",
            "  // norn: verified executions=6 warning=memory_leak:9",
            "\u{feff}// norn: expect verified",
        ] {
            let said = line.trim().trim_end_matches("*/").trim_end_matches("*)").trim();
            let said = said.split_once("norn: ").expect("a mark").1.trim_start_matches("expect ");
            assert_eq!(one(line).to_string(), said, "{line}");
        }
    }

    #[test]
    fn other_lines_say_nothing() {
        let text = "int norn; // about norn: it works\nchar *s = \"// norn: maybe\";\n\
                    // Norn verified this.\n// norns expect little\n// norn\n";
        assert_eq!(expectations(text), Ok(Vec::new()));
    }

    #[test]
    fn settings_are_options_of_all_checks() {
        let text = "// norn: verified\n// norn-options: unroll=2 race_detection=no\n\
                    // norn: expect verified --model sc\n";
        let all = expectations(text).expect("a file that can be understood");
        assert_eq!(all[0].options, ["--unroll", "2", "--no-race-detection"]);
        assert_eq!(all[1].options, ["--unroll", "2", "--no-race-detection", "--model", "sc"]);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (text, said) in [
            (
                "\n// norn: fine",
                "line 2: `fine` is no verdict; there are verified, violation, inconclusive",
            ),
            ("// norn:", "line 1: a verdict is missing: verified, violation, inconclusive"),
            ("// norn: verified soon", "line 1: `soon` is none of line=, executions=, warning="),
            ("// norn-options: fast=yes", "line 1: `fast=yes` is no setting"),
            (
                "// norn: verified\n// Norn expect: verified --entry two",
                "line 2: such a line begins with `norn:`, as in `norn: expect verified`",
            ),
        ] {
            assert_eq!(expectations(text).expect_err(text).to_string(), said);
        }
    }
}
