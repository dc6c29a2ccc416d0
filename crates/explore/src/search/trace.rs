//! A violation on its own: what was decided in its execution, so that the program can be run into it again.

use super::frontier::SavedViolation;
use super::options::Options;
use super::summary::{Violation, replays};
use crate::execution::{Execution, Mismatch, ThreadNames};
use norn_action::Machine;
use norn_models::Named;
use serde::{Deserialize, Serialize};

/// A violation that can be written to a file and means the same elsewhere.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Trace {
    /// Who started each thread but the main one, and as its how manieth.
    threads: Vec<(u32, u32)>,
    violation: SavedViolation,
}

impl Trace {
    /// What was decided in the execution of a violation.
    pub fn of(violation: &Violation) -> Trace {
        let threads = ThreadNames::of(&violation.graph).list();
        Trace { threads, violation: SavedViolation::of(violation) }
    }

    /// Runs the program with these decisions. Fails if they do not fit it, or do not lead to the violation.
    pub fn replay<M: Machine, Mo: Named>(&self, machine: &M) -> Result<Violation, Mismatch> {
        let mut execution = Execution::<M, Mo>::new(machine, &Options::default());
        execution.names.take_up(&self.threads).in_order()?;
        let violation = self.violation.rebuild(&mut execution)?;
        if replays::<M, Mo>(machine, &violation)? {
            return Ok(violation);
        }
        Err(Mismatch { message: "the fault does not happen again".to_owned() })
    }
}
