//! Processes with a time limit, which end with this one.

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use std::os::unix::process::CommandExt;
use std::process::{Command, Output, Stdio};
use std::sync::{Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

/// How a process ended.
#[derive(Debug)]
pub enum Ended {
    /// By itself, after so many seconds.
    Exited(Output, f64),
    /// It was stopped at the time limit.
    TimedOut,
}

/// The process group that runs now, for [`end_with_us`].
static RUNNING: Mutex<Option<Pid>> = Mutex::new(None);

/// Lets an interrupt of this process end the one that it has started. It is in a group of its own, so
/// that the time limit reaches all of it, and would not hear of the interrupt itself.
pub fn end_with_us() {
    let end = || {
        stop();
        std::process::exit(130);
    };
    if let Err(error) = ctrlc::set_handler(end) {
        eprintln!("norn-bench: interrupts will not reach what is measured: {error}");
    }
}

fn stop() {
    let running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(group) = *running {
        // It may have ended by itself in the meantime, and then there is nothing to stop.
        let _ = killpg(group, Signal::SIGKILL);
    }
}

fn set_running(group: Option<Pid>) {
    *RUNNING.lock().unwrap_or_else(PoisonError::into_inner) = group;
}

/// Runs a command and what it starts, for at most `limit`. One at a time.
pub fn run(command: &mut Command, limit: Duration) -> Result<Ended, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let fault = |error: std::io::Error| format!("`{name}` cannot be run: {error}");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let start = Instant::now();
    let child = command.spawn().map_err(fault)?;
    set_running(i32::try_from(child.id()).ok().map(Pid::from_raw));
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || sender.send((child.wait_with_output(), start.elapsed())));
    let ended = match receiver.recv_timeout(limit) {
        Ok((output, time)) => {
            output.map(|output| Ended::Exited(output, time.as_secs_f64())).map_err(fault)
        }
        Err(_) => {
            stop();
            // Wait until it is gone, so that it does not disturb the next measurement.
            let _ = receiver.recv_timeout(Duration::from_secs(5));
            Ok(Ended::TimedOut)
        }
    };
    set_running(None);
    ended
}

#[cfg(test)]
mod tests {
    use super::*;

    // One test, because only one process is to run at a time.
    #[test]
    fn processes_end_by_themselves_or_are_stopped() {
        let mut command = Command::new("sh");
        let ended = run(command.args(["-c", "echo out; exit 3"]), Duration::from_secs(20));
        let Ok(Ended::Exited(output, seconds)) = ended else { panic!("{ended:?}") };
        assert_eq!((output.stdout.as_slice(), output.status.code()), (&b"out\n"[..], Some(3)));
        assert!(seconds < 20.0);

        let start = Instant::now();
        let mut command = Command::new("sh");
        let ended = run(command.args(["-c", "sleep 60; echo late"]), Duration::from_millis(100));
        assert!(matches!(ended, Ok(Ended::TimedOut)), "{ended:?}");
        // The sleep holds the pipe open: it is gone only if the whole group was stopped.
        assert!(start.elapsed() < Duration::from_secs(4));

        let missing = run(&mut Command::new("./no-such-command"), Duration::from_secs(1));
        assert!(missing.expect_err("an error").contains("no-such-command"));
    }
}
