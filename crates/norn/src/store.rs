//! Checkpoints: where a search is kept while it runs, so that another process can go on with it.
//!
//! A checkpoint is a sealed file: what was checked and how, a fingerprint of the program, and the frontier of the
//! search. Whoever goes on with it runs the threads of the program again, so it must be the same program, compiled
//! to the same code, and the same version of Norn.

use crate::error::InputError;
use crate::files::{Sealed, check_output};
use crate::program::warning;
use norn_action::Lesson;
use norn_explore::Frontier;
use norn_report::{Warning, WarningKind};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const CHECKPOINT: Sealed = Sealed {
    name: "checkpoint",
    key: "norn_checkpoint",
    format: 8,
    remedy: "start the check again",
    refuse: |path, why| InputError::Checkpoint { path, why },
};

/// Which part of a search a checkpoint is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Part {
    /// What tells the checkpoint that was split from others.
    pub(crate) split: String,
    /// From 1.
    pub(crate) number: u32,
    /// How many there are.
    pub(crate) of: u32,
}

/// What a checkpoint says before its frontier.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Header<C> {
    check: C,
    program: String,
    /// What the machine has to know from the start.
    lessons: Vec<Lesson>,
    /// How long the search has taken so far.
    seconds: f64,
    /// Which part of a search it is, if it is not the whole.
    part: Option<Part>,
}

#[derive(Serialize)]
struct Written<'c, C, S, W> {
    #[serde(flatten)]
    header: &'c Header<C>,
    seen: &'c W,
    frontier: &'c Frontier<S>,
}

#[derive(Serialize)]
struct Rewritten<'c, C> {
    #[serde(flatten)]
    header: &'c Header<C>,
    seen: Box<RawValue>,
    frontier: Box<RawValue>,
}

#[derive(Deserialize)]
struct Read<'t, C> {
    #[serde(bound(deserialize = "C: Deserialize<'de>"))]
    check: C,
    program: String,
    lessons: Vec<Lesson>,
    seconds: f64,
    part: Option<Part>,
    #[serde(borrow)]
    seen: &'t RawValue,
    #[serde(borrow)]
    frontier: &'t RawValue,
}

/// A checkpoint that was read, up to what depends on the algorithm.
#[derive(Clone, Debug)]
pub(crate) struct Kept<C> {
    /// What was checked.
    pub(crate) check: C,
    /// What the machine has to know from the start.
    pub(crate) lessons: Vec<Lesson>,
    /// How long it took.
    pub(crate) seconds: f64,
    /// Which part of a search it is, if it is not the whole.
    pub(crate) part: Option<Part>,
    pub(crate) program: String,
    /// What those who looked on have seen.
    pub(crate) seen: String,
    /// The search.
    pub(crate) frontier: String,
    /// Its file.
    pub(crate) path: PathBuf,
}

impl<C: DeserializeOwned> Kept<C> {
    /// Reads a checkpoint.
    pub(crate) fn read(path: &Path) -> Result<Kept<C>, InputError> {
        let content = CHECKPOINT.read(path)?;
        let read: Read<'_, C> =
            serde_json::from_str(&content).map_err(|error| CHECKPOINT.damaged(path, &error))?;
        let Read { check, program, lessons, seconds, part, seen, frontier } = read;
        let (seen, frontier) = (seen.get().to_owned(), frontier.get().to_owned());
        let path = path.to_owned();
        Ok(Kept { check, lessons, seconds, part, path, program, seen, frontier })
    }
}

impl<C: Serialize + Clone> Kept<C> {
    /// Writes it to a file.
    pub(crate) fn write(&self, path: &Path) -> Result<(), InputError> {
        let Kept { check, lessons, seconds, part, program, seen, frontier, .. } = self;
        let header = Header {
            check: check.clone(),
            program: program.clone(),
            lessons: lessons.clone(),
            seconds: *seconds,
            part: part.clone(),
        };
        let damaged = |error: serde_json::Error| CHECKPOINT.damaged(&self.path, &error);
        let raw = |text: &String| RawValue::from_string(text.clone()).map_err(damaged);
        let (seen, frontier) = (raw(seen)?, raw(frontier)?);
        let written = CHECKPOINT.write(path, &Rewritten { header: &header, seen, frontier });
        written.map_err(|cause| InputError::Unwritable { path: path.to_owned(), cause })
    }
}

/// Something that sees a search and is kept with it.
pub(crate) trait Witness {
    /// Whether it is for `trust` alone, so that the other explorers need not be compiled for it.
    const GRAPHS: bool = false;

    /// What it has seen.
    type Seen: Serialize + DeserializeOwned;

    /// What several have seen together, and what came from a checkpoint.
    fn seen(witnesses: &[&Self], before: &Self::Seen) -> Self::Seen;
}

/// Where a search comes from and goes to.
pub(crate) struct Store<C, W> {
    path: Option<PathBuf>,
    interval: Duration,
    header: Header<C>,
    /// Time that was used before.
    before: f64,
    started: Instant,
    seen: W,
    frontier: Option<String>,
    source: Option<PathBuf>,
    /// Whether a checkpoint that the search can go on from was written last.
    saved: bool,
    /// Why a checkpoint could not be written.
    failure: Option<std::io::Error>,
}

impl<C> Kept<C> {
    /// It cannot be gone on with.
    pub(crate) fn refused(&self, why: String) -> InputError {
        InputError::Checkpoint { path: self.path.clone(), why }
    }
}

impl<C: Serialize + Clone, W: Serialize + DeserializeOwned + Default> Store<C, W> {
    /// For the check of a program: saves in `path` every `interval`, goes on from `kept`.
    pub(crate) fn new(
        check: C,
        program: String,
        path: Option<(PathBuf, Duration)>,
        kept: Option<&Kept<C>>,
    ) -> Result<Store<C, W>, InputError> {
        let header = Header { check, program, lessons: Vec::new(), seconds: 0.0, part: None };
        let (path, interval) = path.unzip();
        if let Some(path) = &path {
            check_output(path, &[])?;
        }
        let mut store = Store {
            path,
            interval: interval.unwrap_or_default(),
            header,
            before: 0.0,
            started: Instant::now(),
            seen: W::default(),
            frontier: None,
            source: None,
            saved: false,
            failure: None,
        };
        if let Some(kept) = kept {
            store.take_up(kept)?;
        }
        Ok(store)
    }

    fn take_up(&mut self, kept: &Kept<C>) -> Result<(), InputError> {
        let refuse =
            |why: &str| InputError::Checkpoint { path: kept.path.clone(), why: why.into() };
        if kept.program != self.header.program {
            return Err(refuse(
                "the program is not the one that it was made for: it was changed, or compiled in \
                 another way; start the check again",
            ));
        }
        self.header.lessons.clone_from(&kept.lessons);
        self.header.part.clone_from(&kept.part);
        self.seen = serde_json::from_str(&kept.seen).map_err(|_| refuse("it is damaged"))?;
        self.frontier = Some(kept.frontier.clone());
        self.source = Some(kept.path.clone());
        self.before = kept.seconds;
        Ok(())
    }

    /// Goes on from what others have done, with a machine that knows these lessons.
    pub(crate) fn begin_with(&mut self, frontier: String, seen: W, lessons: Vec<Lesson>) {
        (self.frontier, self.seen, self.header.lessons) = (Some(frontier), seen, lessons);
    }

    /// Whether it is a part of a search only.
    pub(crate) fn is_part(&self) -> bool {
        self.header.part.is_some()
    }

    /// The part cannot be gone on with alone, since the whole search has to begin again.
    pub(crate) fn too_early(&self) -> InputError {
        let path = self.source.clone().unwrap_or_default();
        let why = "something was met that the search has to know from its beginning, so that all parts are void; \
                   let the check run for longer before it is split";
        InputError::Checkpoint { path, why: why.to_owned() }
    }

    /// What the machine has to know from the start.
    pub(crate) fn lessons(&self) -> &[Lesson] {
        &self.header.lessons
    }

    /// The search begins again, with a machine that knows these, too.
    pub(crate) fn begin_again(&mut self, lessons: &[Lesson]) {
        self.header.lessons.extend_from_slice(lessons);
        self.header.lessons.sort_unstable();
        self.header.lessons.dedup();
        self.seen = W::default();
        (self.frontier, self.saved) = (None, false);
    }

    /// How often the search is to be saved; none if it is not.
    pub(crate) fn interval(&self) -> Option<Duration> {
        self.path.as_ref().map(|_| self.interval)
    }

    /// Whether the search is written to a file, or was read from one.
    pub(crate) fn is_kept(&self) -> bool {
        self.path.is_some() || self.frontier.is_some()
    }

    /// What was seen before.
    pub(crate) fn seen_before(&self) -> &W {
        &self.seen
    }

    /// The frontier to go on from, once.
    pub(crate) fn frontier<S: DeserializeOwned>(
        &mut self,
    ) -> Result<Option<Frontier<S>>, InputError> {
        let Some(text) = self.frontier.take() else { return Ok(None) };
        serde_json::from_str(&text).map(Some).map_err(|error| self.mismatch(&error))
    }

    /// The bound on preemptions of the frontier to go on from.
    pub(crate) fn saved_bound(&self) -> Option<u32> {
        let frontier: Frontier<IgnoredAny> = serde_json::from_str(self.frontier.as_ref()?).ok()?;
        frontier.bound()
    }

    /// The frontier does not fit.
    pub(crate) fn mismatch(&self, why: &dyn std::fmt::Display) -> InputError {
        let path = self.source.clone().unwrap_or_default();
        InputError::Checkpoint { path, why: format!("it is damaged ({why})") }
    }

    /// What the user should know about it, at the end of a search that was `stopped` early or not.
    pub(crate) fn remark(&self, stopped: bool) -> Option<Warning> {
        let path = self.path.as_ref()?;
        if let Some(cause) = &self.failure {
            let message = format!("the checkpoint {} cannot be written: {cause}", path.display());
            return Some(warning(WarningKind::CheckpointFailed, message, None));
        }
        let message = match &self.header.part {
            None => format!("the search is saved: `norn resume {}` goes on", path.display()),
            Some(Part { number, of, .. }) => {
                format!("part {number} of {of} is saved in {}", path.display())
            }
        };
        ((stopped || self.is_part()) && self.saved)
            .then(|| warning(WarningKind::Checkpoint, message, None))
    }

    /// Writes a checkpoint.
    pub(crate) fn save<S: Serialize>(&mut self, frontier: &Frontier<S>, seen: &W) {
        let Some(path) = &self.path else { return };
        self.header.seconds = self.before + self.started.elapsed().as_secs_f64();
        let done = CHECKPOINT.write(path, &Written { header: &self.header, seen, frontier });
        self.saved = done.is_ok();
        self.failure = done.err();
    }
}
