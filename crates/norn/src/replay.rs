//! Traces: a violation in a file, and the program run into it again.
//!
//! A trace says how the check was made, which program it was, and what was decided in the execution that shows the
//! violation. To replay it, the program is loaded as it was then and run once, with these decisions. Nothing is
//! searched, and a program that has changed is refused, since the decisions would mean something else.

use crate::check::{CheckOptions, Job, Outcome, Source, go_on};
use crate::control::Control;
use crate::error::InputError;
use crate::model::PlannedModel;
use crate::resume::SavedCheck;
use crate::tally::Listener;
use norn_action::{Cut, Machine};
use norn_explore::{Trace, Violation};
use norn_models::{ModelVisitor, Named};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Changes whenever the meaning of a trace does.
const FORMAT: u32 = 1;
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A trace as it lies in a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SavedTrace {
    norn_trace: u32,
    version: String,
    /// What is wrong, for whoever looks into the file.
    message: String,
    check: SavedCheck,
    /// What tells the program from others.
    program: String,
    /// Where the machine makes accesses in parts.
    cuts: Vec<Cut>,
    trace: Trace,
}

impl SavedTrace {
    pub(crate) fn new(
        job: &Job<'_>,
        violation: &Violation,
        message: &str,
        program: &str,
        cuts: &[Cut],
    ) -> SavedTrace {
        SavedTrace {
            norn_trace: FORMAT,
            version: VERSION.to_owned(),
            message: message.to_owned(),
            check: SavedCheck::of(job.options, job.plan.model()),
            program: program.to_owned(),
            cuts: cuts.to_vec(),
            trace: Trace::of(violation),
        }
    }

    /// Writes the file.
    pub(crate) fn write(&self, path: &Path) -> Result<(), InputError> {
        let text = serde_json::to_string(self).expect("a trace has string keys");
        let cannot = |cause| InputError::Unwritable { path: path.to_owned(), cause };
        std::fs::write(path, text + "\n").map_err(cannot)
    }

    fn read(path: &Path) -> Result<SavedTrace, InputError> {
        let text = std::fs::read_to_string(path)
            .map_err(|cause| InputError::Unreadable { path: path.to_owned(), cause })?;
        let refuse = |why: String| refused(path, why);
        #[derive(Deserialize)]
        struct Versions {
            norn_trace: u32,
            version: String,
        }
        let Versions { norn_trace, version } = serde_json::from_str(&text)
            .map_err(|error| refuse(format!("it is not a trace of norn ({error})")))?;
        if (norn_trace, version.as_str()) != (FORMAT, VERSION) {
            return Err(refuse(format!(
                "it was written by norn {version} (format {norn_trace}), this is norn {VERSION} (format {FORMAT}); \
                 check the program again"
            )));
        }
        serde_json::from_str(&text).map_err(|error| refuse(format!("it is damaged ({error})")))
    }
}

/// A trace that is to be replayed.
pub(crate) struct Replay {
    path: PathBuf,
    saved: SavedTrace,
}

impl Replay {
    /// Where the machine makes accesses in parts.
    pub(crate) fn cuts(&self) -> &[Cut] {
        &self.saved.cuts
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
    let damaged = |why| refused(path, format!("it is damaged ({why})"));
    let options = CheckOptions { clang, ..saved.check.options().map_err(damaged)? };
    let replay = Replay { path: path.to_owned(), saved };
    go_on(&options, Source::Trace(&replay), control, progress, started)
}
