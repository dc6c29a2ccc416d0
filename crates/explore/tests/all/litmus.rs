//! Every litmus test with a known answer, under every model: the same outcomes, the same number of
//! executions, the same verdict on races.

use crate::support::table::{Row, check_all};
use crate::support::{Run, run};
use norn_litmus::Program;

fn check(row: &Row, program: &Program) -> Result<(), String> {
    compare(row, run(program, row.model))
}

/// Compares what was found with what is known.
pub(crate) fn compare(row: &Row, found: Run) -> Result<(), String> {
    if found.raced != row.race {
        return Err(format!("race: {} instead of {}", found.raced, row.race));
    }
    if row.race {
        return Ok(());
    }
    if found.executions != row.executions {
        return Err(format!("{} executions instead of {}", found.executions, row.executions));
    }
    let outcomes: Vec<&str> = found.outcomes.iter().map(String::as_str).collect();
    if outcomes.join("|") != row.outcomes {
        return Err(format!("outcomes {} instead of {}", outcomes.join("|"), row.outcomes));
    }
    Ok(())
}

#[test]
fn all_answers_are_reproduced() {
    check_all(check);
}
