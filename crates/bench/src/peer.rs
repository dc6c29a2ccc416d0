//! Another checker's command line, run on the same files.

use crate::expectation::words;
use crate::process::{self, Ended};
use crate::{Task, size_flags};
use serde::{Deserialize, Serialize};
use std::process::Command;
use std::str::FromStr;
use std::time::Duration;

/// A checker's name and command line, with places for the file, the size and the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Peer {
    /// What to call it.
    pub name: String,
    words: Vec<String>,
}

/// What came of running it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PeerRun {
    /// The peer's name.
    pub name: String,
    /// Seconds of the whole process, the compiler included; none if it was stopped.
    pub seconds: Option<f64>,
    /// Its exit code; none if it was stopped or ended by a signal.
    pub exit_code: Option<i32>,
    /// Why it could not be run.
    pub fault: Option<String>,
}

impl FromStr for Peer {
    type Err = String;

    fn from_str(text: &str) -> Result<Peer, String> {
        let form = "`NAME=COMMAND` with {file}, {size}, {flags} and {model} where they belong";
        let (name, command) = text.split_once('=').ok_or_else(|| format!("needs {form}"))?;
        let words = words(command)?;
        if words.is_empty() || !command.contains("{file}") {
            return Err(format!("`{command}` has no place for the {{file}}: needs {form}"));
        }
        Ok(Peer { name: name.trim().to_owned(), words })
    }
}

impl Peer {
    /// The command line for a task. `{flags}` is `-DN=size`, and is left out where there is no size.
    pub fn command_line(&self, task: &Task) -> Vec<String> {
        let size = task.size.map(|size| size.to_string()).unwrap_or_default();
        let flags = size_flags(task.size).join(" ");
        let file = task.file.to_string_lossy();
        let fill = |word: &String| {
            word.replace("{file}", &file)
                .replace("{size}", &size)
                .replace("{flags}", &flags)
                .replace("{model}", &task.model.to_string())
        };
        let wanted = |word: &&String| *word != "{flags}" || !flags.is_empty();
        self.words.iter().filter(wanted).map(fill).collect()
    }

    /// Runs it on a task.
    pub fn run(&self, task: &Task, limit: Duration) -> PeerRun {
        let line = self.command_line(task);
        let mut run =
            PeerRun { name: self.name.clone(), seconds: None, exit_code: None, fault: None };
        match process::run(Command::new(&line[0]).args(&line[1..]), limit) {
            Ok(Ended::Exited(output, seconds)) => {
                (run.seconds, run.exit_code) = (Some(seconds), output.status.code());
            }
            Ok(Ended::TimedOut) => {}
            Err(fault) => run.fault = Some(fault),
        }
        run
    }
}

impl PeerRun {
    /// Its time in multiples of ours.
    pub fn ratio(&self, ours: f64) -> Option<f64> {
        self.seconds.map(|seconds| seconds / ours)
    }

    /// The ratio, in a cell of a table.
    pub fn cell(&self, ours: Option<f64>) -> String {
        let ratio = match (self.seconds, ours) {
            (Some(seconds), Some(ours)) => format!("{:.2}×", seconds / ours),
            (Some(seconds), None) => format!("{seconds:.2} s"),
            (None, _) if self.fault.is_some() => return "not run".to_owned(),
            (None, _) => return "no end".to_owned(),
        };
        match self.exit_code {
            Some(0) => ratio,
            Some(code) => format!("{ratio} (exit {code})"),
            None => format!("{ratio} (signal)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Algorithm;
    use norn_models::ModelName;

    fn task(size: Option<u32>) -> Task {
        Task {
            program: "p".to_owned(),
            file: "bench/p q.c".into(),
            model: ModelName::Rc11,
            algorithm: Algorithm::Trust,
            size,
            limit: None,
            line: None,
        }
    }

    #[test]
    fn places_are_filled() {
        let peer: Peer =
            "other=run --\"a b\" -n{size} {flags} --{model} {file}".parse().expect("a peer");
        let line = peer.command_line(&task(Some(4)));
        assert_eq!(line, ["run", "--a b", "-n4", "-DN=4", "--rc11", "bench/p q.c"]);
        let line = peer.command_line(&task(None));
        assert_eq!(line, ["run", "--a b", "-n", "--rc11", "bench/p q.c"]);
    }

    #[test]
    fn a_command_without_a_file_is_an_error() {
        assert!("other=run".parse::<Peer>().is_err());
        assert!("run {file}".parse::<Peer>().is_err());
    }

    #[test]
    fn cells_say_how_it_ended() {
        let run = |seconds, exit_code| PeerRun {
            name: "other".to_owned(),
            seconds,
            exit_code,
            fault: None,
        };
        assert_eq!(run(Some(3.0), Some(0)).cell(Some(2.0)), "1.50×");
        assert_eq!(run(Some(3.0), Some(42)).cell(Some(2.0)), "1.50× (exit 42)");
        assert_eq!(run(Some(3.0), Some(0)).cell(None), "3.00 s");
        assert_eq!(run(None, None).cell(Some(2.0)), "no end");
        assert_eq!(run(Some(3.0), Some(0)).ratio(2.0), Some(1.5));
    }
}
