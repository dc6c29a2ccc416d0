//! The steps of a violating execution, as values.

use crate::describe::Describer;
use crate::messages::causes_first;
use crate::names::{Names, Spot};
use crate::order::{Placed, linearise};
use crate::relevant::{Kept, is_about_everything};
use norn_explore::Violation;
use norn_models::ModelName;
use serde::{Deserialize, Serialize};

/// Where the value that a step reads came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// It was there from the start.
    Initial,
    /// A step with this number wrote it.
    Step(usize),
}

/// One step of the execution that shows a violation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// From 1, in the order in which the steps are best read.
    pub step: usize,
    /// The thread that takes it; 0 is the main thread.
    pub thread: u32,
    /// What that thread is called.
    pub thread_name: String,
    /// The kind of action: `load`, `store`, `rmw`, `lock`, `unlock`, `wait`, `fence`, `spawn`,
    /// `join`, `free`, `choose`, `barrier_arrive`, `barrier_leave`, `fail`.
    pub action: String,
    /// Where in the source.
    #[serde(flatten)]
    pub spot: Option<Spot>,
    /// The variable that is read or written.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub variable: Option<String>,
    /// The value that is read.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub read: Option<String>,
    /// The value that is written.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub written: Option<String>,
    /// The C11 access mode.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub mode: Option<String>,
    /// Where the value that is read came from.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub from: Option<Origin>,
    /// The step in words.
    pub text: String,
    /// What is surprising about it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub note: Option<String>,
    /// Whether it is part of what is wrong.
    pub failing: bool,
}

/// The steps that lead to `violation`, in an order that can be read from top to bottom.
pub(crate) fn steps(violation: &Violation, model: ModelName, names: &dyn Names) -> Vec<Step> {
    let kept = Kept::of(violation);
    let shown: Vec<Placed> = linearise(violation, &kept)
        .into_iter()
        .filter(|placed| Describer::is_shown(&violation.graph, placed.event))
        .filter(|placed| !is_final_wait(violation, placed))
        .filter(|placed| !names.is_scaffolding(placed.event.thread()))
        .collect();
    let describer = Describer::new(violation, model, names, &shown);
    let mut steps: Vec<Step> =
        shown.iter().enumerate().map(|(index, placed)| describer.step(index + 1, placed)).collect();
    let ends_in_event = violation.event.is_some();
    if !ends_in_event && !is_about_everything(violation) {
        mark_failure(violation, &describer, &mut steps);
    }
    for waiting in causes_first(&violation.waiting) {
        steps.push(describer.waiting(steps.len() + 1, waiting));
    }
    steps
}

/// Whether the event is the read of a thread that waits for ever: its waiting is a step of its own.
fn is_final_wait(violation: &Violation, placed: &Placed) -> bool {
    let waits = violation.waiting.iter().any(|one| one.thread == placed.event.thread());
    waits && violation.graph.event(placed.event).is_blocked()
}

/// A fault that is no event of its own becomes the last step.
fn mark_failure(violation: &Violation, describer: &Describer<'_>, steps: &mut Vec<Step>) {
    steps.retain(|step| step.action != "fail");
    steps.push(describer.failure(steps.len() + 1, violation));
}
