//! The three verdicts, and the only place where they are decided.

use crate::messages::obstacle_sentence;
use norn_explore::{Stop, Summary};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a check concludes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Every behaviour was looked at and none is wrong.
    Verified,
    /// Some behaviour is wrong.
    Violation,
    /// Nothing wrong was found, but not everything was looked at.
    Inconclusive,
}

/// Who or what stopped a search from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The user.
    User,
    /// The limit on memory.
    Memory,
}

/// Why a verdict is inconclusive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Reason {
    /// A loop needs more iterations than `--unroll` allows.
    Unroll,
    /// Executions beyond the preemption bound were not looked at.
    Bound {
        /// The bound.
        preemptions: u32,
    },
    /// The time was over.
    Timeout,
    /// The limit on memory was reached.
    Memory,
    /// The limit on executions was reached.
    MaxExecutions,
    /// The user stopped the search.
    Interrupted,
    /// Only a part of the search was gone on with.
    Part,
    /// Parts were set aside, since every process that searched them ended.
    SetAside {
        /// Which.
        parts: Vec<String>,
    },
    /// Something was reached that cannot be run.
    Unsupported {
        /// What.
        message: String,
    },
}

impl Reason {
    /// The name used in machine-readable reports.
    pub fn name(&self) -> &'static str {
        match self {
            Reason::Unroll => "unroll",
            Reason::Bound { .. } => "bound",
            Reason::Timeout => "timeout",
            Reason::Memory => "memory",
            Reason::MaxExecutions => "max_executions",
            Reason::Interrupted => "interrupted",
            Reason::Part => "part",
            Reason::SetAside { .. } => "set_aside",
            Reason::Unsupported { .. } => "unsupported",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Unroll => f.write_str(
                "a loop goes round more often than --unroll allows; raise the bound to look further",
            ),
            Reason::Bound { preemptions } => write!(
                f,
                "it was searched up to {preemptions} preemptions only; executions that need more \
                 were left out (--bound auto goes on until there are none)"
            ),
            Reason::Timeout => f.write_str("the time given by --timeout is over"),
            Reason::Memory => f.write_str(
                "the memory that may be used is used up (--max-memory; three quarters of what there is \
                 unless it is given)",
            ),
            Reason::MaxExecutions => f.write_str("the number given by --max-executions is reached"),
            Reason::Interrupted => f.write_str("the search was interrupted"),
            Reason::Part => f.write_str(
                "this is one part of a search that was split; `norn merge` puts all parts together",
            ),
            Reason::SetAside { parts } => write!(
                f,
                "every worker that searched {} ended before it was done; {} set aside",
                listed(parts),
                if parts.len() == 1 { "it was" } else { "they were" },
            ),
            Reason::Unsupported { message } => write!(f, "{message}"),
        }
    }
}

/// Names in a sentence.
fn listed(names: &[String]) -> String {
    match names {
        [name] => format!("the part {name}"),
        names => format!("the parts {}", names.join(", ")),
    }
}

/// What a verdict depends on, apart from the search's own summary.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// What set the interrupt flag, if it was set.
    pub interrupted_by: Option<Limit>,
    /// Whether it was a part of a search.
    pub is_part: bool,
    /// The parts that were set aside.
    pub set_aside: Vec<String>,
}

impl Verdict {
    /// Decides. The reasons are complete even when the verdict is a violation: they then say why the
    /// search is not the whole picture.
    pub fn decide(summary: &Summary, coverage: Coverage) -> (Verdict, Vec<Reason>) {
        let mut reasons = Vec::new();
        for what in &summary.unsupported {
            reasons.push(Reason::Unsupported { message: obstacle_sentence(&what.what) });
        }
        if summary.cut.is_some() {
            reasons.push(Reason::Unroll);
        }
        if summary.is_bounded() {
            reasons.push(Reason::Bound { preemptions: summary.bound().unwrap_or(0) });
        }
        if coverage.is_part {
            reasons.push(Reason::Part);
        }
        if !coverage.set_aside.is_empty() {
            reasons.push(Reason::SetAside { parts: coverage.set_aside });
        }
        match summary.stopped {
            Some(Stop::MaxExecutions) => reasons.push(Reason::MaxExecutions),
            Some(Stop::Deadline) => reasons.push(Reason::Timeout),
            Some(Stop::Interrupt) => reasons.push(match coverage.interrupted_by {
                Some(Limit::Memory) => Reason::Memory,
                Some(Limit::User) | None => Reason::Interrupted,
            }),
            // Who makes reports has started again, unless there was no time left.
            Some(Stop::Lesson) => reasons.push(Reason::Interrupted),
            // Whatever stopped it was lost; nobody looked at the rest.
            Some(Stop::Violation) if summary.violations.is_empty() => {
                reasons.push(Reason::Interrupted);
            }
            Some(Stop::Violation) | None => {}
        }
        if !summary.violations.is_empty() {
            return (Verdict::Violation, reasons);
        }
        let verdict = if reasons.is_empty() { Verdict::Verified } else { Verdict::Inconclusive };
        (verdict, reasons)
    }

    /// The exit code of the command.
    pub fn exit_code(self) -> u8 {
        match self {
            Verdict::Verified => 0,
            Verdict::Violation => 1,
            Verdict::Inconclusive => 3,
        }
    }

    /// The name used in machine-readable reports.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Verified => "verified",
            Verdict::Violation => "violation",
            Verdict::Inconclusive => "inconclusive",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use norn_action::{Claim, Fault, Obstacle, Place, ThreadId, Unsupported};
    use norn_explore::{BoundFigures, Figures, Violation};
    use norn_graph::{Graph, Locations};
    use std::sync::Arc;

    fn summary() -> Summary {
        Summary { executions: 3, ..Summary::default() }
    }

    fn violation() -> Violation {
        Violation {
            fault: Fault::new(Claim::Condition, Place::NONE),
            thread: ThreadId::MAIN,
            event: None,
            other: None,
            waiting: Vec::new(),
            graph: Graph::new(1),
            locations: Arc::new(Locations::default()),
            after: 0,
            beyond_bound: false,
            at: norn_explore::Position::default(),
        }
    }

    fn decide(summary: &Summary) -> (Verdict, Vec<Reason>) {
        Verdict::decide(summary, Coverage::default())
    }

    #[test]
    fn a_complete_search_without_findings_is_verified() {
        assert_eq!(decide(&summary()), (Verdict::Verified, vec![]));
    }

    #[test]
    fn whatever_was_left_out_is_never_verified() {
        let unsupported = Unsupported::new(Obstacle::NoMain, Place::NONE);
        let cases = [
            (Summary { cut: Some(Place(1)), ..summary() }, Reason::Unroll),
            (Summary { stopped: Some(Stop::Deadline), ..summary() }, Reason::Timeout),
            (Summary { stopped: Some(Stop::MaxExecutions), ..summary() }, Reason::MaxExecutions),
            (Summary { stopped: Some(Stop::Interrupt), ..summary() }, Reason::Interrupted),
            (Summary { stopped: Some(Stop::Violation), ..summary() }, Reason::Interrupted),
            (
                Summary { unsupported: vec![unsupported], ..summary() },
                Reason::Unsupported { message: obstacle_sentence(&Obstacle::NoMain) },
            ),
        ];
        for (summary, reason) in cases {
            assert_eq!(decide(&summary), (Verdict::Inconclusive, vec![reason]));
        }
    }

    #[test]
    fn limits_from_outside_are_told_apart() {
        let stopped = Summary { stopped: Some(Stop::Interrupt), ..summary() };
        let memory = Coverage { interrupted_by: Some(Limit::Memory), ..Coverage::default() };
        assert_eq!(Verdict::decide(&stopped, memory).1, vec![Reason::Memory]);
    }

    #[test]
    fn a_bound_that_left_something_out_is_never_verified() {
        let bounded = |bound: BoundFigures| Summary {
            figures: Figures { bound: Some(bound), ..Figures::default() },
            ..summary()
        };
        let whole = BoundFigures { preemptions: 2, ..BoundFigures::default() };
        assert_eq!(decide(&bounded(whole)), (Verdict::Verified, vec![]));
        let expected = (Verdict::Inconclusive, vec![Reason::Bound { preemptions: 2 }]);
        assert_eq!(decide(&bounded(BoundFigures { discarded: 1, ..whole })), expected);
        assert_eq!(decide(&bounded(BoundFigures { ignored: true, ..whole })), expected);
    }

    #[test]
    fn a_violation_wins_over_every_limit() {
        for stopped in [None, Some(Stop::Violation), Some(Stop::Deadline)] {
            let found = Summary { violations: vec![violation()], stopped, ..summary() };
            assert_eq!(decide(&found).0, Verdict::Violation);
        }
    }

    #[test]
    fn exit_codes() {
        assert_eq!(Verdict::Verified.exit_code(), 0);
        assert_eq!(Verdict::Violation.exit_code(), 1);
        assert_eq!(Verdict::Inconclusive.exit_code(), 3);
    }
}
