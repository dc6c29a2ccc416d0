//! Where and from what a measurement was made. The name of the host is nobody's business.

use norn_frontend::clang::Clang;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::process::Command;

/// The machine and the tools.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// The processor's name.
    pub processor: String,
    /// How many of its cores can be used.
    pub cores: usize,
    /// Main memory.
    pub memory_gib: u64,
    /// The operating system.
    pub system: String,
    /// The Rust compiler that is installed.
    pub rustc: String,
    /// The compiler that translated the programs.
    pub clang: String,
}

const UNKNOWN: &str = "unknown";

impl Machine {
    /// This one.
    pub fn here() -> Machine {
        let read = |file: &str| std::fs::read_to_string(file).unwrap_or_default();
        let memory = value(&read("/proc/meminfo"), "MemTotal", ':');
        let kib: u64 = memory.trim_end_matches(" kB").parse().unwrap_or(0);
        Machine {
            processor: value(&read("/proc/cpuinfo"), "model name", ':'),
            cores: std::thread::available_parallelism().map_or(1, |cores| cores.get()),
            memory_gib: (kib + (1 << 19)) >> 20,
            system: value(&read("/etc/os-release"), "PRETTY_NAME", '='),
            rustc: output("rustc", &["--version"]).unwrap_or_else(|| UNKNOWN.to_owned()),
            clang: clang().unwrap_or_else(|| UNKNOWN.to_owned()),
        }
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Machine { processor, cores, memory_gib, system, rustc, clang } = self;
        write!(f, "{processor}, {cores} cores, {memory_gib} GiB, {system}; {rustc}; {clang}")
    }
}

/// The commit that is checked out here, and whether anything but the records differs from it.
pub fn commit() -> String {
    let Some(commit) = output("git", &["rev-parse", "--short=12", "HEAD"]) else {
        return UNKNOWN.to_owned();
    };
    match output("git", &["status", "--porcelain", "--", ":/", ":(exclude,top)bench/record"]) {
        Some(changes) if !changes.is_empty() => format!("{commit} (dirty)"),
        _ => commit,
    }
}

/// The value of the first line `key<separator> value`, without quotes.
fn value(text: &str, key: &str, separator: char) -> String {
    let lines = text.lines().filter_map(|line| line.split_once(separator));
    let mut values = lines.filter(|(name, _)| name.trim() == key).map(|(_, value)| value);
    values.next().map_or(UNKNOWN.to_owned(), |value| value.trim().trim_matches('"').to_owned())
}

/// What a command prints, if it succeeds.
fn output(command: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(command).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

/// Compilers sign what they translate, so this is the one that is used.
fn clang() -> Option<String> {
    let folder = tempfile::tempdir().ok()?;
    let file = folder.path().join("empty.c");
    std::fs::write(&file, "int nothing;\n").ok()?;
    let text = Clang::new(None, &[]).compile(&file).ok()?;
    signature(&String::from_utf8_lossy(&text))
}

/// The words `clang version 1.2.3` in the text of a module, without what a distributor adds.
fn signature(text: &str) -> Option<String> {
    let (_, rest) = text.split_once("clang version ")?;
    let version = rest.split(|c: char| !c.is_ascii_digit() && c != '.').next()?;
    Some(format!("clang {version}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found() {
        let text = "processor\t: 0\nmodel name\t: A Processor @ 3 GHz\n";
        assert_eq!(value(text, "model name", ':'), "A Processor @ 3 GHz");
        assert_eq!(value("NAME=x\nPRETTY_NAME=\"A System 1\"\n", "PRETTY_NAME", '='), "A System 1");
        assert_eq!(value("", "model name", ':'), UNKNOWN);
    }

    #[test]
    fn compilers_are_known_by_their_signature() {
        let text = "!3 = !{!\"Debian clang version 19.1.7 (++2025~exp1)\"}\n";
        assert_eq!(signature(text), Some("clang 19.1.7".to_owned()));
        assert_eq!(signature("!3 = !{}"), None);
    }
}
