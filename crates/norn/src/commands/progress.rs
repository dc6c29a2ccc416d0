//! One line of progress on a terminal; nothing when standard error goes elsewhere.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::{Duration, Instant};

/// The line appears only when a check takes longer than this.
const DELAY: Duration = Duration::from_millis(500);

/// The line.
pub(crate) struct ProgressLine {
    started: Instant,
    quiet: bool,
    bar: Option<ProgressBar>,
}

impl ProgressLine {
    pub(crate) fn new(quiet: bool) -> ProgressLine {
        ProgressLine { started: Instant::now(), quiet, bar: None }
    }

    pub(crate) fn update(&mut self, executions: u64, blocked: u64) {
        let elapsed = self.started.elapsed();
        if self.quiet || elapsed < DELAY {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(8));
            let style = ProgressStyle::with_template("{spinner} {msg} [{elapsed_precise}]");
            bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
                .with_elapsed(elapsed)
        });
        let rate = executions as f64 / elapsed.as_secs_f64();
        bar.set_message(format!("{executions} executions, {rate:.0}/s, {blocked} blocked"));
        bar.tick();
    }

    pub(crate) fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}
