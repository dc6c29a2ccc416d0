//! Runs a compiler, and ends it when its output is not wanted any more.

use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// How often it is asked whether to go on.
const INTERVAL: Duration = Duration::from_millis(2);

/// Runs `command` to its end and takes what it writes; `None` if `stop` became true before that. The
/// process is then gone.
pub(crate) fn output(mut command: Command, stop: &dyn Fn() -> bool) -> io::Result<Option<Output>> {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let (out, err) = (reader(child.stdout.take()), reader(child.stderr.take()));
    let Some(stdout) = wait(&out, stop) else { return end(child) };
    let Some(stderr) = wait(&err, stop) else { return end(child) };
    match exit(&mut child, stop)? {
        Some(status) => Ok(Some(Output { status, stdout: stdout?, stderr: stderr? })),
        None => end(child),
    }
}

/// Reads to the end, beside the caller: both pipes must be emptied for the process to go on.
fn reader(pipe: Option<impl Read + Send + 'static>) -> Receiver<io::Result<Vec<u8>>> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = pipe.map_or(Ok(0), |mut pipe| pipe.read_to_end(&mut bytes));
        // Nobody listens any more after a stop.
        let _ = sender.send(read.map(|_| bytes));
    });
    receiver
}

fn wait(
    reader: &Receiver<io::Result<Vec<u8>>>,
    stop: &dyn Fn() -> bool,
) -> Option<io::Result<Vec<u8>>> {
    loop {
        match reader.recv_timeout(INTERVAL) {
            Ok(bytes) => return Some(bytes),
            Err(RecvTimeoutError::Timeout) if stop() => return None,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Some(Err(io::Error::other("the output of the compiler was lost")));
            }
        }
    }
}

fn exit(child: &mut Child, stop: &dyn Fn() -> bool) -> io::Result<Option<ExitStatus>> {
    loop {
        match child.try_wait()? {
            Some(status) => return Ok(Some(status)),
            None if stop() => return Ok(None),
            None => std::thread::sleep(Duration::from_micros(100)),
        }
    }
}

fn end(mut child: Child) -> io::Result<Option<Output>> {
    child.kill()?;
    child.wait()?;
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn what_is_written_comes_back() {
        let output = output(shell("echo out; echo err >&2; exit 3"), &|| false);
        let output = output.expect("a shell").expect("an end");
        assert_eq!((&output.stdout[..], &output.stderr[..]), (&b"out\n"[..], &b"err\n"[..]));
        assert_eq!(output.status.code(), Some(3));
    }

    #[test]
    fn a_process_that_is_not_wanted_is_ended() {
        let start = Instant::now();
        let limit = Duration::from_millis(50);
        let stopped = output(shell("exec sleep 60"), &|| start.elapsed() > limit);
        assert!(stopped.expect("a shell").is_none());
        assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    }
}
