//! The whole result of a check, as one value.

use crate::assumption::Assumption;
use crate::branches::Branches;
use crate::format::Format;
use crate::loops::LoopReport;
use crate::names::Spot;
use crate::suggestion::Suggestion;
use crate::verdict::{Reason, Verdict};
use crate::violation::ViolationReport;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Something the user should know that does not change the verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Warning {
    /// What it is about.
    pub kind: WarningKind,
    /// One sentence.
    pub message: String,
    /// Where, if it is known.
    #[serde(flatten)]
    pub spot: Option<Spot>,
    /// A second place that matters.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub other: Option<Spot>,
    /// The loop that it is about: why it was not recognised.
    #[serde(rename = "loop", skip_serializing_if = "Option::is_none", default)]
    pub about_loop: Option<LoopReport>,
}

/// What a warning is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum WarningKind {
    /// Memory is never freed.
    MemoryLeak,
    /// The program ends with an exit code other than 0.
    NonzeroExit,
    /// Something was reached that cannot be run.
    Unsupported,
    /// A loop reached the bound on its iterations.
    Unroll,
    /// The front end has something to say.
    FrontEnd,
    /// What was taken from the specification of a library, or compared with it.
    Library,
    /// No execution ran to its end, so that a verdict promises little.
    NothingCompleted,
    /// The search was saved.
    Checkpoint,
    /// The search could not be saved.
    CheckpointFailed,
}

impl WarningKind {
    /// The name used in machine-readable reports.
    pub fn name(self) -> &'static str {
        match self {
            WarningKind::MemoryLeak => "memory_leak",
            WarningKind::NonzeroExit => "nonzero_exit",
            WarningKind::Unsupported => "unsupported",
            WarningKind::Unroll => "unroll",
            WarningKind::FrontEnd => "front_end",
            WarningKind::Library => "library",
            WarningKind::NothingCompleted => "nothing_completed",
            WarningKind::Checkpoint => "checkpoint",
            WarningKind::CheckpointFailed => "checkpoint_failed",
        }
    }
}

/// What a litmus test asks about its condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Asked {
    /// Whether some execution satisfies it.
    Exists,
    /// Whether none does.
    #[serde(rename = "~exists")]
    NotExists,
    /// Whether all do.
    Forall,
}

impl fmt::Display for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Asked::Exists => "exists",
            Asked::NotExists => "~exists",
            Asked::Forall => "forall",
        })
    }
}

/// The question at the end of a litmus test, and its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Question {
    /// What is asked.
    pub quantifier: Asked,
    /// Whether the answer is yes.
    pub holds: bool,
    /// How many ends satisfy the condition.
    pub satisfied: u64,
    /// How many ends there are: executions, each with every last value that memory may have then, if the
    /// algorithm does not tell these apart.
    pub ends: u64,
}

/// A number of executions that is not known exactly.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Report {
    /// The version of this description.
    #[cfg_attr(test, schemars(schema_with = "crate::schema::format"))]
    pub format: Format,
    /// The conclusion. Exit codes: verified 0, violation 1, inconclusive 3.
    pub verdict: Verdict,
    /// The memory model.
    #[cfg_attr(test, schemars(schema_with = "crate::schema::model"))]
    pub model: String,
    /// The algorithm that searched: `trust` or `rf`.
    pub algorithm: String,
    /// The files that were checked.
    pub files: Vec<String>,
    /// Complete executions, each counted once.
    pub executions: u64,
    /// Of executions that differ only by which of several threads that are alike does what, one is counted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub up_to_symmetry: bool,
    /// How many they would be if all were counted, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub without_symmetry: Option<f64>,
    /// Executions that could not end: failed assumptions, waits, unrolling bounds.
    pub blocked: u64,
    /// Complete executions among these that need more preemptions than the bound allows.
    pub beyond_bound: u64,
    /// Explorations that the preemption bound stopped before their end.
    pub bound_blocked: u64,
    /// How many executions there are, if the search did not come to its end and it could be guessed.
    #[serde(default)]
    pub estimate: Option<Estimate>,
    /// Wall-clock time, with that of the compiler.
    pub seconds: f64,
    /// Most memory ever used, 0 if the system does not tell.
    pub peak_memory_bytes: u64,
    /// The first violation.
    pub violation: Option<ViolationReport>,
    /// The further distinct violations, with `--keep-going`.
    pub more_violations: Vec<ViolationReport>,
    /// Why not everything was looked at. Empty if the verdict is verified.
    pub reasons: Vec<Reason>,
    /// The final states of a litmus test, sorted, such as `0:r0=0;1:r0=1`. Empty for programs.
    pub outcomes: Vec<String>,
    /// The question of a litmus test, if it asks one and the search came to its end.
    pub question: Option<Question>,
    /// With `--suggest`: which memory orders would mend what is wrong.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub suggestion: Option<Suggestion>,
    /// What the check was told to leave out or to take for granted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumptions: Vec<Assumption>,
    /// What is recognised of the loops of a program in which nothing is wrong, if a page was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loops: Option<Vec<LoopReport>>,
    /// What else the user should know.
    pub warnings: Vec<Warning>,
    /// Where the search branched, the most first, if that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branches: Option<Vec<Branches>>,
}

impl Report {
    /// The report as one JSON object.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a report has only string keys")
    }

    /// The same, to be changed.
    pub fn violations_mut(&mut self) -> impl Iterator<Item = &mut ViolationReport> {
        self.violation.iter_mut().chain(&mut self.more_violations)
    }

    /// All violations, the first one first.
    pub fn violations(&self) -> impl Iterator<Item = &ViolationReport> {
        self.violation.iter().chain(&self.more_violations)
    }
}
