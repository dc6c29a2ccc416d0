//! What the threads of a violation have printed, step by step.

use norn_action::ThreadId;
use norn_explore::Violation;
use norn_machine::{Thread, Vm};
use norn_report::TraceStep;
use norn_report::execution::EventName;
use std::collections::HashMap;

/// Of each thread, how much it had printed before each of its events, and all of it.
#[derive(Default)]
pub(crate) struct Printed {
    before: HashMap<EventName, [usize; 2]>,
    all: HashMap<u32, [Vec<u8>; 2]>,
}

impl Printed {
    /// Runs the program of a machine that keeps what is printed along a violation.
    pub(crate) fn along(vm: &Vm, violation: &Violation) -> Printed {
        let mut printed = Printed::default();
        norn_explore::follow(vm, violation, |id: ThreadId, event, thread: &Thread| {
            let (out, err) = thread.printed();
            match event {
                Some(event) => drop(printed.before.insert(event.into(), [out.len(), err.len()])),
                None => drop(printed.all.insert(id.0, [out.to_vec(), err.to_vec()])),
            }
        });
        printed
    }

    /// Adds to each step what its thread has printed since the step before, and to its last one the rest.
    pub(crate) fn tell(&self, steps: &mut [TraceStep]) {
        let mut told: HashMap<u32, [usize; 2]> = HashMap::new();
        for step in steps.iter_mut() {
            let Some(all) = self.all.get(&step.thread) else { continue };
            let whole = [all[0].len(), all[1].len()];
            let until = match step.event {
                Some(event) => self.before.get(&event).copied().unwrap_or_default(),
                None => whole,
            };
            step.printed = text(all, told.entry(step.thread).or_default(), until);
        }
        for step in steps.iter_mut().rev() {
            let Some(all) = self.all.get(&step.thread) else { continue };
            // Only the last step of a thread finds something left.
            let whole = [all[0].len(), all[1].len()];
            step.printed_after = text(all, told.entry(step.thread).or_default(), whole);
        }
    }
}

/// What comes after what was told, up to `until`; that is told then.
fn text(all: &[Vec<u8>; 2], told: &mut [usize; 2], until: [usize; 2]) -> Option<String> {
    let mut bytes = Vec::new();
    for stream in 0..2 {
        bytes.extend_from_slice(all[stream].get(told[stream]..until[stream]).unwrap_or_default());
        told[stream] = told[stream].max(until[stream]);
    }
    (!bytes.is_empty()).then(|| String::from_utf8_lossy(&bytes).into_owned())
}
