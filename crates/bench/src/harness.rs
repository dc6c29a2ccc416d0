//! Making the runs: each in a process of its own, so that its time and its memory are its own.

use crate::instructions::Callgrind;
use crate::process::{self, Ended};
use crate::{Mark, Outcome, Peer, PeerRun, Row, Task, size_flags};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// Which rows get their instructions counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instructions {
    /// None.
    None,
    /// Those with a bar for them, and those of the plot of growth that are not too long.
    Marked,
    /// All that have a size.
    All,
}

/// How the runs are made.
#[derive(Clone, Debug)]
pub struct Harness {
    /// `norn-bench` itself.
    pub program: PathBuf,
    /// How many workers each search has.
    pub jobs: usize,
    /// How long each process may take.
    pub limit: Duration,
    /// Which rows get their instructions counted.
    pub instructions: Instructions,
    /// Other checkers to run beside.
    pub peers: Vec<Peer>,
}

impl Harness {
    /// Makes all runs, and shows each as soon as it is there.
    pub fn run(&self, tasks: &[Task], mut show: impl FnMut(&Row)) -> Vec<Row> {
        let mut callgrind = None;
        if self.instructions != Instructions::None {
            match Callgrind::new(&self.program, self.limit) {
                Ok(found) => callgrind = Some(found),
                Err(message) => eprintln!("norn-bench: {message}"),
            }
        }
        let mut peers = BTreeMap::new();
        let mut rows = Vec::new();
        for task in tasks {
            let row = self.row(task, callgrind.as_mut(), &mut peers);
            show(&row);
            rows.push(row);
        }
        rows
    }

    fn row(
        &self,
        task: &Task,
        callgrind: Option<&mut Callgrind<'_>>,
        peers: &mut BTreeMap<Vec<String>, PeerRun>,
    ) -> Row {
        let line = task.line.as_ref();
        let mut row = Row {
            program: task.program.clone(),
            size: task.size,
            model: task.model.to_string(),
            algorithm: task.algorithm.to_string(),
            jobs: self.jobs,
            limit: task.limit,
            expected: line.map(|line| line.executions),
            reference: line.map(|line| line.reference.clone()).unwrap_or_default(),
            growth: line.is_some_and(|line| line.growth),
            outcome: self.measure(task),
            instructions: None,
            peers: Vec::new(),
        };
        // Counting instructions takes many times as long as the run itself.
        if let (Some(callgrind), Some(_)) = (callgrind, row.measured())
            && self.counts_instructions(task)
        {
            match callgrind.each(task) {
                Ok(instructions) => row.instructions = instructions,
                Err(message) => eprintln!("norn-bench: {}: {message}", row.title()),
            }
        }
        for peer in &self.peers {
            // What differs only in our algorithm is the same to a peer.
            let run =
                peers.entry(peer.command_line(task)).or_insert_with(|| peer.run(task, self.limit));
            if let Some(fault) = &run.fault {
                eprintln!("norn-bench: {}: {fault}", row.title());
            }
            row.peers.push(PeerRun { name: peer.name.clone(), ..run.clone() });
        }
        row
    }

    fn counts_instructions(&self, task: &Task) -> bool {
        match self.instructions {
            Instructions::None => false,
            Instructions::Marked => task.line.as_ref().is_some_and(|line| {
                line.has(Mark::Bar) || (line.has(Mark::Growth) && !line.has(Mark::Long))
            }),
            Instructions::All => true,
        }
    }

    fn measure(&self, task: &Task) -> Outcome {
        let mut command = Command::new(&self.program);
        command.args(["count", "--json", "--model", &task.model.to_string()]);
        command.args(["--algorithm", &task.algorithm.to_string()]);
        command.args(["--jobs", &self.jobs.to_string()]);
        if let Some(limit) = task.limit {
            command.args(["--limit", &limit.to_string()]);
        }
        command.arg(&task.file).arg("--").args(size_flags(task.size));
        match process::run(&mut command, self.limit) {
            Err(message) => Outcome::Failed(message),
            Ok(Ended::TimedOut) => Outcome::TimedOut(self.limit.as_secs_f64()),
            Ok(Ended::Exited(output, process_seconds)) => {
                match serde_json::from_slice(&output.stdout) {
                    Ok(measured) => Outcome::Finished { measured, process_seconds },
                    Err(_) => Outcome::Failed(reason(&output.stderr)),
                }
            }
        }
    }
}

fn reason(stderr: &[u8]) -> String {
    match String::from_utf8_lossy(stderr).trim() {
        "" => "it ended without a word".to_owned(),
        text => text.to_owned(),
    }
}
