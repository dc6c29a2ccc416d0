//! Machine instructions per execution, counted by callgrind: they hardly change from run to run, as
//! times do.
//!
//! What it costs to start up does not belong to an execution, so two neighbouring sizes are run, and the
//! difference of their instructions is divided by the difference of their executions. Where only so many
//! executions are looked at, that many and half of them are run.

use crate::process::{self, Ended};
use crate::{Measurement, Task, size_flags};
use norn_frontend::clang::Clang;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

/// Counts instructions, each run once.
#[derive(Debug)]
pub struct Callgrind<'a> {
    program: &'a Path,
    folder: TempDir,
    limit: Duration,
    known: BTreeMap<String, Run>,
}

#[derive(Clone, Copy, Debug)]
struct Run {
    instructions: u64,
    executions: u64,
}

/// A neighbour with as many executions as the size itself has is no use; how far to look for another.
const FARTHEST: usize = 3;

impl<'a> Callgrind<'a> {
    /// To run `program`, which is `norn-bench`, for at most `limit` at a time; an error where there is
    /// no valgrind.
    pub fn new(program: &'a Path, limit: Duration) -> Result<Callgrind<'a>, String> {
        let missing = |_| "valgrind is not installed: instructions are not counted".to_owned();
        Command::new("valgrind").arg("--version").output().map_err(missing)?;
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        Ok(Callgrind { program, folder, limit, known: BTreeMap::new() })
    }

    /// The instructions for each execution of a task; none where it has no size, or no smaller one.
    pub fn each(&mut self, task: &Task) -> Result<Option<u64>, String> {
        let Some(size) = task.size else { return Ok(None) };
        let larger = self.run(task, size, task.limit)?;
        if let Some(limit) = task.limit {
            return Ok(each(self.run(task, size, Some(limit / 2))?, larger));
        }
        for smaller in (1..size).rev().take(FARTHEST) {
            if let Some(each) = each(self.run(task, smaller, None)?, larger) {
                return Ok(Some(each));
            }
        }
        Ok(None)
    }

    fn run(&mut self, task: &Task, size: u32, limit: Option<u64>) -> Result<Run, String> {
        let Task { file, model, algorithm, .. } = task;
        let key = format!("{} {model} {algorithm} {size} {limit:?}", file.display());
        if let Some(run) = self.known.get(&key) {
            return Ok(*run);
        }
        // Compiled beforehand: what runs under valgrind cannot start a compiler.
        let flags = size_flags(Some(size));
        let text =
            Clang::new(None, &flags).compile(&task.file).map_err(|error| error.to_string())?;
        let file = self.folder.path().join("program.ll");
        std::fs::write(&file, text).map_err(|error| error.to_string())?;
        let mut command = Command::new("valgrind");
        command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
        command.arg(self.program).args(["count", "--json", "--model", &task.model.to_string()]);
        command.args(["--algorithm", &task.algorithm.to_string()]).arg(&file);
        if let Some(limit) = limit {
            command.args(["--limit", &limit.to_string()]);
        }
        let Ended::Exited(output, _) = process::run(&mut command, self.limit)? else {
            return Err(format!("callgrind did not end in {} s", self.limit.as_secs()));
        };
        let errors = String::from_utf8_lossy(&output.stderr);
        let measured: Option<Measurement> = serde_json::from_slice(&output.stdout).ok();
        let run = match (collected(&errors), measured) {
            (Some(instructions), Some(measured)) => {
                Run { instructions, executions: measured.executions }
            }
            _ => return Err(format!("callgrind failed: {}", errors.trim())),
        };
        self.known.insert(key, run);
        Ok(run)
    }
}

fn each(smaller: Run, larger: Run) -> Option<u64> {
    let executions = larger.executions.checked_sub(smaller.executions)?;
    larger.instructions.checked_sub(smaller.instructions)?.checked_div(executions)
}

/// The number in a line such as `==123== Collected : 456`.
fn collected(text: &str) -> Option<u64> {
    let (_, rest) = text.split_once("Collected :")?;
    rest.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_of_callgrind_is_found() {
        let text = "==7== Events    : Ir\n==7== Collected : 1234567\n==7==\n";
        assert_eq!(collected(text), Some(1_234_567));
        assert_eq!(collected("==7== Events    : Ir\n"), None);
    }

    #[test]
    fn the_difference_of_two_runs_is_shared_by_their_executions() {
        let run = |instructions, executions| Run { instructions, executions };
        assert_eq!(each(run(1000, 10), run(9000, 50)), Some(200));
        assert_eq!(each(run(1000, 10), run(9000, 10)), None);
        assert_eq!(each(run(1000, 10), run(9000, 5)), None);
    }
}
