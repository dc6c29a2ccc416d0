//! Runs programs on this machine, to check the interpreter itself.
//!
//! Compiled without optimisation, a program on an x86 or a stronger machine does nothing that tso
//! forbids, and the library is a real one. What a few runs print must be among the results of the
//! interpreter under tso; that they print all of them cannot be expected.

use crate::interpret::{Buffers, interpret};
use crate::print::print;
use crate::tree::Program;
use std::process::{Command, Stdio};

/// A result of a native run that the interpreter does not know. None if there is no such result, or if
/// the program has faults or too many states and cannot be compared.
pub fn unknown_to_interpreter(
    program: &Program,
    runs: usize,
    states: usize,
) -> Result<Option<String>, String> {
    let Some(behaviour) = interpret(program, Buffers::PerThread, states) else { return Ok(None) };
    // A deadlock would never end, and what a program prints after another fault means nothing.
    if !behaviour.faults.is_empty() {
        return Ok(None);
    }
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (source, binary) = (folder.path().join("program.c"), folder.path().join("program"));
    std::fs::write(&source, print(program)).map_err(|error| error.to_string())?;
    let mut compiler = Command::new("cc");
    compiler.args(["-O0", "-w", "-pthread", "-o"]).arg(&binary).arg(&source).stdin(Stdio::null());
    let output = compiler.output().map_err(|error| format!("cc: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    for _ in 0..runs {
        let output = Command::new(&binary).output().map_err(|error| error.to_string())?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        if !behaviour.results.contains(&text) {
            return Ok(Some(text));
        }
    }
    Ok(None)
}
