//! The whole result of a check, as one value.

use crate::names::Spot;
use crate::verdict::{Reason, Verdict};
use crate::violation::ViolationReport;
use serde::{Deserialize, Serialize};

/// Something the user should know that does not change the verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// The kind, such as `memory_leak`, `nonzero_exit` or `unsupported`.
    pub kind: String,
    /// One sentence.
    pub message: String,
    /// Where, if it is known.
    #[serde(flatten)]
    pub spot: Option<Spot>,
    /// A second place that matters.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub other: Option<Spot>,
}

/// The question at the end of a litmus test, and its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// `exists`, `~exists` or `forall`.
    pub quantifier: String,
    /// Whether some execution satisfies the condition (`exists`, `~exists`), or all do (`forall`).
    pub holds: bool,
    /// How many executions satisfy the condition.
    pub satisfied: u64,
}

/// A number of executions that is not known exactly.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// How many there are, about.
    pub executions: f64,
    /// The standard error of that number.
    pub error: f64,
    /// Whether there may be far fewer.
    pub at_most: bool,
}

/// A large number that is not known exactly, for people.
pub fn about(number: f64) -> String {
    match number {
        n if n < 1e4 => format!("{n:.0}"),
        n if n < 1e6 => format!("{:.0} thousand", n / 1e3),
        n if n < 1e9 => format!("{:.1} million", n / 1e6),
        n => format!("{n:.1e}"),
    }
}

/// The result of a check. Its JSON form is what `--format json` prints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The conclusion.
    pub verdict: Verdict,
    /// The memory model.
    pub model: String,
    /// The algorithm that searched.
    pub algorithm: String,
    /// The files that were checked.
    pub files: Vec<String>,
    /// Complete executions.
    pub executions: u64,
    /// Executions that could not end: failed assumptions, waits, unrolling bounds.
    pub blocked: u64,
    /// Complete executions among these that need more preemptions than the bound allows.
    pub beyond_bound: u64,
    /// Explorations that the preemption bound stopped before their end.
    pub bound_blocked: u64,
    /// How many executions there are, if the search did not come to its end and it could be guessed.
    #[serde(default)]
    pub estimate: Option<Estimate>,
    /// Wall-clock time.
    pub seconds: f64,
    /// Most memory ever used, 0 if the system does not tell.
    pub peak_memory_bytes: u64,
    /// The first violation.
    pub violation: Option<ViolationReport>,
    /// The further distinct violations, with `--keep-going`.
    pub more_violations: Vec<ViolationReport>,
    /// Why not everything was looked at.
    pub reasons: Vec<Reason>,
    /// The final states of a litmus test, sorted.
    pub outcomes: Vec<String>,
    /// The question of a litmus test, if it asks one.
    pub question: Option<Question>,
    /// What else the user should know.
    pub warnings: Vec<Warning>,
}

impl Report {
    /// The report as one JSON object.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a report has only string keys")
    }

    /// All violations, the first one first.
    pub fn violations(&self) -> impl Iterator<Item = &ViolationReport> {
        self.violation.iter().chain(&self.more_violations)
    }
}
