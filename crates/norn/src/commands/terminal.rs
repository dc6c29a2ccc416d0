//! What depends on the terminal: colour, width, signals, closed pipes.

use clap::ValueEnum;
use norn::Control;
use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Exit code when a second signal arrives before the search could stop.
const INTERRUPTED: i32 = 3;
/// Reports are laid out for this width unless the terminal has another.
const WIDTH: usize = 80;
/// In fewer columns, a table cannot be read.
const LEAST_WIDTH: usize = 40;
/// Wider lines are hard to read.
const GREATEST_WIDTH: usize = 120;

/// When to use colour.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl ColorChoice {
    /// Whether standard output gets colour.
    pub(crate) fn for_stdout(self) -> bool {
        match self {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => {
                std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none()
            }
        }
    }
}

/// How wide text may be: 80 columns, or what the terminal has, unless the environment says otherwise.
pub(crate) fn width() -> usize {
    if !std::io::stdout().is_terminal() {
        return WIDTH;
    }
    let told = || std::env::var("COLUMNS").ok()?.parse().ok();
    let measured = || console::Term::stdout().size_checked().map(|(_, columns)| columns.into());
    let columns = told().or_else(measured).filter(|&columns: &usize| columns > 0);
    columns.unwrap_or(WIDTH).clamp(LEAST_WIDTH, GREATEST_WIDTH)
}

/// Writes to standard output. A reader that went away is not an error of ours; a disk that is full ends the process,
/// since half a report is none.
pub(crate) fn print(text: &str) {
    let mut stdout = std::io::stdout().lock();
    let written = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    if let Err(error) = written.as_ref()
        && error.kind() != ErrorKind::BrokenPipe
    {
        eprintln!("error: cannot write to standard output: {error}");
        std::process::exit(super::BAD_INPUT.into());
    }
}

/// Ctrl-C stops the search, a second one the process.
pub(crate) fn stop_on_signals(control: &Control) {
    let control = control.clone();
    let asked = AtomicBool::new(false);
    let installed = ctrlc::set_handler(move || {
        if asked.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED);
        }
        control.interrupt();
    });
    // Without a handler the default holds: Ctrl-C ends the process.
    drop(installed);
}
