//! Going on with a check that was saved.

use crate::check::{CheckOptions, Outcome, Source, go_on};
use crate::control::Control;
use crate::error::InputError;
use crate::model::PlannedModel;
use crate::plan::BoundName;
use crate::store::Kept;
use crate::tally::Listener;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What may differ from the check that was saved.
#[derive(Clone, Debug, Default)]
pub struct ResumeOptions {
    /// How many workers search; 0 for as many as the machine has cores.
    pub jobs: usize,
    /// Save the search here instead of where it comes from.
    pub checkpoint: Option<PathBuf>,
    /// How often; `None`: as before.
    pub checkpoint_interval: Option<Duration>,
    /// Give up after that time, from now on.
    pub timeout: Option<Duration>,
    /// Give up after that many complete executions in all.
    pub max_executions: Option<u64>,
    /// Give up when that many bytes of memory are used; `None`: three quarters of what the machine has.
    pub max_memory: Option<u64>,
}

/// Goes on with a check.
pub fn resume(
    path: &Path,
    options: &ResumeOptions,
    control: &Control,
    progress: &mut Listener<'_>,
) -> Result<Outcome, InputError> {
    let started = Instant::now();
    let kept: Kept<SavedCheck> = Kept::read(path)?;
    let damaged = |why| InputError::Checkpoint { path: path.to_owned(), why };
    let mut check = kept.check.options().map_err(damaged)?;
    check.jobs = options.jobs;
    check.checkpoint = Some(options.checkpoint.clone().unwrap_or_else(|| path.to_owned()));
    if let Some(interval) = options.checkpoint_interval {
        check.checkpoint_interval = interval;
    }
    check.timeout = options.timeout;
    check.max_executions = options.max_executions;
    check.max_memory = options.max_memory;
    go_on(&check, Source::Checkpoint(&kept), control, progress, started)
}

/// The part of [`CheckOptions`] that says what is searched.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SavedCheck {
    files: Vec<PathBuf>,
    cflags: Vec<String>,
    model: String,
    #[serde(default)]
    libraries: Vec<String>,
    /// What tells the text of a model that was read from a file from others.
    #[serde(default)]
    model_text: Option<String>,
    algorithm: String,
    bound: Option<String>,
    strict_bound: bool,
    any: bool,
    unroll: Option<u32>,
    entry: Option<String>,
    keep_going: bool,
    race_detection: bool,
    liveness: bool,
    spurious_wakeups: bool,
    #[serde(default)]
    symmetry: bool,
    #[serde(default)]
    lock_reduction: bool,
    reuse_memory: bool,
    clang: Option<PathBuf>,
    interval: f64,
}

impl SavedCheck {
    pub(crate) fn of(options: &CheckOptions, model: &PlannedModel) -> SavedCheck {
        SavedCheck {
            files: options.files.clone(),
            cflags: options.cflags.clone(),
            model: options.model.to_string(),
            libraries: options.libraries.iter().map(ToString::to_string).collect(),
            model_text: model.fingerprint(),
            algorithm: options.algorithm.to_string(),
            bound: options.bound.map(|bound| match bound {
                BoundName::Auto => "auto".to_owned(),
                BoundName::Preemptions(number) => number.to_string(),
            }),
            strict_bound: options.strict_bound,
            any: options.any,
            unroll: options.unroll,
            entry: options.entry.clone(),
            keep_going: options.keep_going,
            race_detection: options.race_detection,
            liveness: options.liveness,
            spurious_wakeups: options.spurious_wakeups,
            symmetry: options.uses_symmetry(),
            lock_reduction: options.leaves_out_locks(),
            reuse_memory: options.reuse_memory,
            clang: options.clang.clone(),
            interval: options.checkpoint_interval.as_secs_f64(),
        }
    }

    /// Whether all violations are looked for.
    pub(crate) fn keeps_going(&self) -> bool {
        self.keep_going
    }

    /// Whether this is the model that it was made with.
    pub(crate) fn has_model(&self, model: &PlannedModel) -> bool {
        self.model_text == model.fingerprint()
    }

    pub(crate) fn options(&self) -> Result<CheckOptions, String> {
        Ok(CheckOptions {
            files: self.files.clone(),
            cflags: self.cflags.clone(),
            model: self.model.parse()?,
            libraries: self.libraries.iter().map(|text| text.parse()).collect::<Result<_, _>>()?,
            algorithm: self.algorithm.parse()?,
            bound: self.bound.as_ref().map(|bound| bound.parse()).transpose()?,
            strict_bound: self.strict_bound,
            any: self.any,
            unroll: self.unroll,
            entry: self.entry.clone(),
            keep_going: self.keep_going,
            race_detection: self.race_detection,
            liveness: self.liveness,
            spurious_wakeups: self.spurious_wakeups,
            symmetry: self.symmetry,
            lock_reduction: self.lock_reduction,
            reuse_memory: self.reuse_memory,
            clang: self.clang.clone(),
            checkpoint_interval: Duration::try_from_secs_f64(self.interval)
                .map_err(|error| error.to_string())?,
            ..CheckOptions::default()
        })
    }
}
