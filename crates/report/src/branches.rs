//! Where the executions come from: how often a search took another branch, by source line.

use crate::names::Spot;
use crate::report::Report;
use norn_graph::EventKind;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What has several ways to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum BranchKind {
    /// It reads from another write.
    Read,
    /// It comes at another place in the order of writes.
    Write,
    /// It is a choice that the program makes, such as a wake-up.
    Choice,
    /// It comes earlier than another step.
    Order,
}

impl BranchKind {
    /// Of the event that a branch begins with.
    pub fn of(kind: EventKind) -> BranchKind {
        match kind {
            EventKind::Read => BranchKind::Read,
            EventKind::Write => BranchKind::Write,
            EventKind::Choose => BranchKind::Choice,
            _ => BranchKind::Order,
        }
    }

    fn name(self) -> &'static str {
        match self {
            BranchKind::Read => "read",
            BranchKind::Write => "write",
            BranchKind::Choice => "choice",
            BranchKind::Order => "order",
        }
    }
}

/// A line at which a search branched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Branches {
    /// The file; none for what is no part of the source.
    pub file: Option<String>,
    /// The line, 0 if it is not known.
    pub line: u32,
    /// What has several ways to go on there.
    pub kind: BranchKind,
    /// How often another one than the first was taken.
    pub taken: u64,
}

impl Branches {
    /// By line, the most first.
    pub fn by_line(
        counts: impl IntoIterator<Item = (Option<Spot>, BranchKind, u64)>,
    ) -> Vec<Branches> {
        let mut lines: BTreeMap<(Option<String>, u32, BranchKind), u64> = BTreeMap::new();
        for (spot, kind, taken) in counts {
            let line = spot.as_ref().map_or(0, |spot| spot.line);
            *lines.entry((spot.map(|spot| spot.file), line, kind)).or_default() += taken;
        }
        let lines = lines.into_iter();
        let mut all: Vec<Branches> =
            lines.map(|((file, line, kind), taken)| Branches { file, line, kind, taken }).collect();
        all.sort_by_key(|branches| std::cmp::Reverse(branches.taken));
        all
    }
}

/// How many lines are shown to people.
const SHOWN: usize = 12;

/// The table for people; empty if it was not asked for.
pub(crate) fn table(report: &Report) -> String {
    let Some(all) = &report.branches else { return String::new() };
    let total: u64 = all.iter().map(|branches| branches.taken).sum();
    if total == 0 {
        return "the search never branched\n\n".to_owned();
    }
    let mut text = format!("where the search branched ({total} times):\n\n  taken  share  where\n");
    for Branches { file, line, kind, taken } in all.iter().take(SHOWN) {
        let share = 100.0 * *taken as f64 / total as f64;
        let place = match file {
            Some(file) => format!("{file}:{line}"),
            None => "outside of the source".to_owned(),
        };
        text += &format!("{taken:7} {share:5.1}%  {place} ({})\n", kind.name());
    }
    if let Some(rest) = all.len().checked_sub(SHOWN).filter(|rest| *rest > 0) {
        let lines = if rest == 1 { "line" } else { "lines" };
        text += &format!("    and {rest} more {lines}, which branched less\n");
    }
    text + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_a_line_are_added_up() {
        let spot =
            |line, column| Some(Spot { file: "a.c".to_owned(), line, column, ..Spot::default() });
        let all = Branches::by_line([
            (spot(3, 1), BranchKind::Read, 2),
            (spot(4, 1), BranchKind::Read, 4),
            (spot(3, 9), BranchKind::Read, 3),
            (None, BranchKind::Choice, 1),
        ]);
        let seen: Vec<(u32, u64)> = all.iter().map(|one| (one.line, one.taken)).collect();
        assert_eq!(seen, [(3, 5), (4, 4), (0, 1)]);
    }
}
