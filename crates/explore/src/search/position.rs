//! Where a part of a search stands among all.
//!
//! In the order in which one worker alone would visit everything, a task that is handed over comes
//! after all that its giver keeps, and before whatever came after the giver. [`Position`] makes that
//! order explicit, so that the first violation is the same however the work was split.

use serde::{Deserialize, Serialize};

/// Where a task stands in the order of one worker alone: lexicographic.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Position(Vec<u32>);

impl Position {
    /// The position of the `count`-th task (from 0) handed over by the task at this position.
    pub(crate) fn handed_over(&self, count: u32) -> Position {
        let mut position = self.0.clone();
        position.push(u32::MAX - count);
        Position(position)
    }
}
