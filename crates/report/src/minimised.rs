//! How long an execution is for who reads it, and what was saved.

use crate::violation::ViolationReport;
use crate::wrap::hanging;
use serde::{Deserialize, Serialize};

/// How long an execution is, what matters most first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Length {
    /// The steps that a reader is shown.
    pub steps: usize,
    /// How often the next of them is of another thread.
    pub switches: usize,
    /// All events of the execution.
    pub events: usize,
}

impl Length {
    /// Of a violation.
    pub fn of(violation: &ViolationReport) -> Length {
        let trace = &violation.trace;
        let switches = trace.windows(2).filter(|two| two[0].thread != two[1].thread).count();
        let events = violation.execution.threads.iter().map(|thread| thread.events.len()).sum();
        Length { steps: trace.len(), switches, events }
    }

    /// Whether it is nowhere longer than another.
    pub fn is_within(self, other: Length) -> bool {
        self.steps <= other.steps && self.switches <= other.switches && self.events <= other.events
    }
}

/// What a search for a shorter execution has brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Minimised {
    /// The execution that was found first.
    pub first: Length,
    /// This one.
    pub now: Length,
    /// How many violations of this kind were compared.
    pub compared: u64,
    /// Whether these are all that the search can find; otherwise its time was over, or it was cut.
    pub complete: bool,
}

/// What was saved, as text.
pub(crate) fn render(minimised: &Minimised, width: usize) -> String {
    hanging("minimised: ", &words(minimised), width)
}

/// What was saved, in words.
pub(crate) fn words(minimised: &Minimised) -> String {
    let Minimised { first, now, compared, complete } = minimised;
    // Then what was saved is not seen in the steps.
    let is_as_short = (now.steps, now.switches) == (first.steps, first.switches);
    let long = |length: &Length| {
        let count = |number: usize, what: &str| match number {
            1 => format!("1 {what}"),
            number => format!("{number} {what}"),
        };
        let steps = count(length.steps, if length.steps == 1 { "step" } else { "steps" });
        let switch = if length.switches == 1 { "thread switch" } else { "thread switches" };
        let events = if is_as_short && now != first {
            format!(" and {} in all", count(length.events, "events"))
        } else {
            String::new()
        };
        format!("{steps} with {}{events}", count(length.switches, switch))
    };
    let gain = if now == first {
        format!("{}, as it was found: nothing shorter was seen", long(now))
    } else {
        format!("{}; the one that was found first had {}", long(now), long(first))
    };
    let all = if *complete { "all there are" } else { "there may be others" };
    format!("{gain} ({compared} compared, {all})")
}
