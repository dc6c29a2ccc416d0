//! What a verdict rests on beyond what holds of all checks: what this one was told to leave out or to take for granted.

use crate::report::Report;
use crate::verdict::Reason;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Something that a check was told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Assumption {
    /// The program begins with another function than `main`.
    Entry {
        /// Its name.
        function: String,
    },
    /// No loop goes round, and no function calls itself, more often.
    Unroll {
        /// How often.
        times: u32,
    },
    /// No execution has more preemptions.
    Bound {
        /// How many; none: as many as it takes.
        preemptions: Option<u32>,
    },
    /// Data races were not looked for.
    NoRaceDetection,
    /// Threads that wait in a loop for a value that never comes were not looked for.
    NoLiveness,
    /// Nothing ends or fails for no reason.
    NoSpuriousWakeups,
    /// Threads that are alike were taken for one another.
    Symmetry,
    /// Memory may be handed out again.
    ReuseMemory,
}

impl Assumption {
    /// Whether it is a bound on what was looked at.
    pub(crate) fn is_bound(&self) -> bool {
        matches!(self, Assumption::Unroll { .. } | Assumption::Bound { .. })
    }

    /// In words; of a bound, whether it was reached in a check that is not verified for these reasons. What was not looked
    /// at to its end leaves that open.
    pub(crate) fn words(&self, reasons: &[Reason]) -> String {
        let is_reached = match self {
            Assumption::Unroll { .. } => reasons.contains(&Reason::Unroll),
            Assumption::Bound { preemptions: Some(_) } => {
                reasons.iter().any(|reason| matches!(reason, Reason::Bound { .. }))
            }
            _ => return self.to_string(),
        };
        match (is_reached, reasons) {
            (true, _) => format!("{self}: some need more"),
            (false, []) => format!("{self}: none needs more"),
            (false, _) => self.to_string(),
        }
    }
}

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Assumption::Entry { function } => {
                return write!(f, "the program begins with {function} instead of main");
            }
            Assumption::Unroll { times } => {
                return write!(f, "loops go round no more often than --unroll {times} allows");
            }
            Assumption::Bound { preemptions: Some(most) } => {
                return write!(f, "executions have no more preemptions than --bound {most} allows");
            }
            Assumption::Bound { preemptions: None } => {
                "executions were looked at by their preemptions, fewest first (--bound auto)"
            }
            Assumption::NoRaceDetection => "data races were not looked for (--no-race-detection)",
            Assumption::NoLiveness => {
                "threads that wait in a loop for ever were not looked for (--no-liveness)"
            }
            Assumption::NoSpuriousWakeups => {
                "waits for condition variables end, and weak compare-exchanges fail, only for a reason \
                 (--no-spurious-wakeups)"
            }
            Assumption::Symmetry => {
                "of executions that differ only by which of several threads that are alike does what, one was looked \
                 at (--no-symmetry looks at all)"
            }
            Assumption::ReuseMemory => {
                "a thread that freed memory may get it again (--reuse-memory)"
            }
        })
    }
}

/// What holds of all checks of programs, shortly.
const ALWAYS: [&str; 4] = [
    "the threads and inputs are those of this program, and what it is told from outside, such as the time, is the same \
     each time",
    "threads are scheduled fairly: one that can go on does so at some time",
    "the compiler and its headers are right",
    "SOUNDNESS.md of Norn says all of it, and exactly",
];
/// What holds unless it is asked for.
const FRESH_MEMORY: &str =
    "memory that was freed is not handed out again (--reuse-memory looks at that, too)";

/// The bounds of a check, and what else its verdict rests on.
pub(crate) fn words(report: &Report) -> (Vec<String>, Vec<String>) {
    let words = |one: &Assumption| one.words(&report.reasons);
    let (bounds, others): (Vec<_>, Vec<_>) =
        report.assumptions.iter().partition(|assumption| assumption.is_bound());
    let mut assumed: Vec<String> = others.into_iter().map(words).collect();
    if !report.files.iter().any(|file| file.ends_with(".litmus")) {
        let is_fresh = !report.assumptions.contains(&Assumption::ReuseMemory);
        assumed.extend(is_fresh.then(|| FRESH_MEMORY.to_owned()));
        assumed.extend(ALWAYS.map(str::to_owned));
    }
    (bounds.into_iter().map(words).collect(), assumed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_says_whether_it_was_reached() {
        let words = |assumption: Assumption, reasons: &[Reason]| assumption.words(reasons);
        let unroll = Assumption::Unroll { times: 3 };
        assert_eq!(
            words(unroll.clone(), &[]),
            "loops go round no more often than --unroll 3 allows: none needs more"
        );
        let reached = [Reason::Timeout, Reason::Unroll];
        assert_eq!(
            words(unroll, &reached),
            "loops go round no more often than --unroll 3 allows: some need more"
        );
        let bound = Assumption::Bound { preemptions: Some(2) };
        assert!(words(bound.clone(), &[]).ends_with("none needs more"));
        assert!(words(bound.clone(), &reached).ends_with("--bound 2 allows"), "that is not known");
        assert!(words(bound, &[Reason::Bound { preemptions: 2 }]).ends_with("some need more"));
        assert_eq!(
            words(Assumption::NoLiveness, &reached),
            "threads that wait in a loop for ever were not looked for (--no-liveness)"
        );
    }
}
