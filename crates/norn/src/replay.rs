//! Traces: a violation in a file, and the program run into it again.
//!
//! A trace says how the check was made, which program it was, and what was decided in the execution that shows the
//! violation. To replay it, the program is loaded as it was then and run once, with these decisions. Nothing is
//! searched, and a program that has changed is refused, since the decisions would mean something else.

use crate::check::{CheckOptions, Job, Outcome, Source, go_on};
use crate::control::Control;
use crate::error::InputError;
use crate::files::{Sealed, leave_output};
use crate::model::PlannedModel;
use crate::resume::SavedCheck;
use crate::tally::Listener;
use norn_action::{Lesson, Machine};
use norn_explore::{Trace, Violation};
use norn_models::{ModelVisitor, Named};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Instant;

const TRACE: Sealed = Sealed {
    name: "trace",
    key: "norn_trace",
    format: 2,
    remedy: "check the program again",
    refuse: |path, why| InputError::Trace { path, why },
};

/// The content of a trace.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SavedTrace {
    /// What is wrong, for whoever looks into the file.
    message: String,
    check: SavedCheck,
    /// What tells the program from others.
    program: String,
    /// What the machine has to know from the start.
    lessons: Vec<Lesson>,
    trace: Trace,
}

impl SavedTrace {
    pub(crate) fn new(
        job: &Job<'_>,
        violation: &Violation,
        message: &str,
        program: &str,
        lessons: &[Lesson],
    ) -> SavedTrace {
        SavedTrace {
            message: message.to_owned(),
            check: SavedCheck::of(job.options, job.plan.model()),
            program: program.to_owned(),
            lessons: lessons.to_vec(),
            trace: Trace::of(violation),
        }
    }

    /// Leaves a trace in a file, or none if there is none: one from before is not of this check.
    pub(crate) fn leave(trace: Option<&SavedTrace>, path: &Path) -> Result<(), InputError> {
        leave_output(path, trace, |trace| TRACE.write(path, trace))
    }

    fn read(path: &Path) -> Result<SavedTrace, InputError> {
        let content = TRACE.read(path)?;
        serde_json::from_str(&content).map_err(|error| TRACE.damaged(path, &error))
    }
}

/// A trace that is to be replayed.
pub(crate) struct Replay {
    path: PathBuf,
    saved: SavedTrace,
}

impl Replay {
    /// What the machine has to know from the start.
    pub(crate) fn lessons(&self) -> &[Lesson] {
        &self.saved.lessons
    }

    /// Whether this is the program that it was made of.
    pub(crate) fn check_program(&self, program: &str) -> Result<(), InputError> {
        if self.saved.program == program {
            return Ok(());
        }
        let why = "the program, its flags or the compiler are not what they were when it was written; check the \
                   program again";
        Err(refused(&self.path, why.to_owned()))
    }

    /// Runs the program into the violation.
    pub(crate) fn run<M: Machine>(
        &self,
        machine: &M,
        model: &PlannedModel,
    ) -> Result<Violation, InputError> {
        let PlannedModel::Named(model) = model else {
            let why = "it was made under a model that was read from a file".to_owned();
            return Err(refused(&self.path, why));
        };
        let again = Again { machine, trace: &self.saved.trace };
        model.with(again).map_err(|mismatch| refused(&self.path, mismatch.to_string()))
    }
}

struct Again<'a, M> {
    machine: &'a M,
    trace: &'a Trace,
}

impl<M: Machine> ModelVisitor for Again<'_, M> {
    type Output = Result<Violation, norn_explore::Mismatch>;

    fn visit<Mo: Named>(self) -> Self::Output {
        self.trace.replay::<M, Mo>(self.machine)
    }
}

fn refused(path: &Path, why: String) -> InputError {
    InputError::Trace { path: path.to_owned(), why }
}

/// Runs a program into the violation that `check` has written to a file. The file does not say which program the
/// compiler is, since it may come from somebody else.
pub fn replay(
    path: &Path,
    clang: Option<PathBuf>,
    control: &Control,
    progress: &mut Listener<'_>,
) -> Result<Outcome, InputError> {
    let started = Instant::now();
    let saved = SavedTrace::read(path)?;
    let options = saved.check.options().map_err(|why| TRACE.damaged(path, &why))?;
    let options = CheckOptions { clang, ..options };
    let replay = Replay { path: path.to_owned(), saved };
    go_on(&options, Source::Trace(&replay), control, progress, started)
}
