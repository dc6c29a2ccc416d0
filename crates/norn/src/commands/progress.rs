//! One line of progress on a terminal; nothing when standard error goes elsewhere.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use norn::{Control, Listener, Progress, about};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// The line appears only when a check takes longer than this.
const DELAY: Duration = Duration::from_millis(500);

/// The line.
pub(crate) struct ProgressLine {
    started: Instant,
    /// The executions that were there when it began.
    begun: Option<u64>,
    quiet: bool,
    bar: Option<ProgressBar>,
}

/// Runs something that takes its time, with a line of progress, until it is over or somebody wants it to be.
pub(crate) fn watched<T>(quiet: bool, run: impl FnOnce(&Control, &mut Listener<'_>) -> T) -> T {
    let control = Control::default();
    super::terminal::stop_on_signals(&control);
    let mut line = ProgressLine::new(quiet);
    let result = run(&control, &mut |progress| line.update(progress));
    line.clear();
    result
}

impl ProgressLine {
    pub(crate) fn new(quiet: bool) -> ProgressLine {
        ProgressLine { started: Instant::now(), begun: None, quiet, bar: None }
    }

    pub(crate) fn update(&mut self, now: &Progress) {
        let elapsed = self.started.elapsed();
        // A search that follows trials starts over.
        let begun = self.begun.map_or(now.executions, |begun| begun.min(now.executions));
        self.begun = Some(begun);
        if self.quiet || elapsed < DELAY {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(8));
            let style = ProgressStyle::with_template("{spinner} {msg} [{elapsed_precise}]");
            bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
                .with_elapsed(elapsed)
        });
        let rate = (now.executions - begun) as f64 / elapsed.as_secs_f64();
        bar.set_message(message(now, rate));
        bar.tick();
    }

    pub(crate) fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

/// One line about a search that visits `rate` executions a second.
fn message(now: &Progress, rate: f64) -> String {
    let mut text = format!("{} executions", now.executions);
    match (now.estimate, now.fraction()) {
        (Some(estimate), Some((least, most))) => {
            let percent = 100.0 * estimate.error / estimate.executions;
            let _ = write!(
                text,
                " of about {} ±{percent:.0}% ({}%)",
                about(estimate.executions),
                range(100.0 * least, 100.0 * most)
            );
        }
        (Some(estimate), None) => {
            let _ = write!(text, " of at most about {}", about(estimate.executions));
        }
        _ => {}
    }
    let _ = write!(text, ", {rate:.0}/s, {} blocked", now.blocked);
    if let Some((least, most)) = now.fraction().filter(|&(least, _)| least > 0.0 && rate > 0.0) {
        let left = |fraction: f64| now.executions as f64 * (1.0 / fraction - 1.0) / rate;
        let _ = write!(text, ", {} left", time(left(most), left(least)));
    }
    text
}

/// Two numbers, or one if they are printed the same.
fn range(least: f64, most: f64) -> String {
    let (least, most) = (format!("{least:.0}"), format!("{most:.0}"));
    if least == most { least } else { format!("{least}-{most}") }
}

/// A time from one number of seconds to another.
fn time(least: f64, most: f64) -> String {
    let (unit, name) = match most {
        most if most < 100.0 => (1.0, "s"),
        most if most < 6000.0 => (60.0, "min"),
        most if most < 200_000.0 => (3600.0, "h"),
        _ => (86400.0, "days"),
    };
    format!("{} {name}", range(least / unit, most / unit))
}

#[cfg(test)]
mod tests {
    use super::*;
    use norn::Estimate;

    #[test]
    fn the_line_says_how_far_it_is_and_how_sure_that_is() {
        let all = Estimate { executions: 2e6, error: 4e5, at_most: false };
        let now = Progress { executions: 500_000, blocked: 3, estimate: Some(all) };
        assert_eq!(
            message(&now, 10_000.0),
            "500000 executions of about 2.0 million ±20% (21-31%), 10000/s, 3 blocked, 2-3 min left"
        );
        let now = Progress { estimate: Some(Estimate { at_most: true, ..all }), ..now };
        assert_eq!(
            message(&now, 10_000.0),
            "500000 executions of at most about 2.0 million, 10000/s, 3 blocked"
        );
        let now = Progress { estimate: None, ..now };
        assert_eq!(message(&now, 10_000.0), "500000 executions, 10000/s, 3 blocked");
    }
}
