//! Checkpoints: where a search is kept while it runs, so that another process can go on with it.
//!
//! A checkpoint is one JSON object: versions, a checksum, and the content that it is of, which is what was
//! checked and how, a fingerprint of the program, and the frontier of the search. The checksum is there to find
//! accidents, of which the content may not show anything. It is written beside its final name and then moved there, so that there is
//! always a whole one. Whoever goes on with it runs the threads of the program again, so it must be the
//! same program, compiled to the same code, and the same version of Norn.

use crate::error::InputError;
use crate::program::warning;
use norn_action::Cut;
use norn_explore::Frontier;
use norn_report::{Warning, WarningKind};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use std::fmt::Write as _;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Changes whenever the meaning of a checkpoint does.
const FORMAT: u32 = 4;

/// A checkpoint as it lies in a file.
#[derive(Serialize)]
struct Envelope<'c> {
    norn_checkpoint: u32,
    version: &'c str,
    checksum: String,
    content: &'c RawValue,
}

/// What a checkpoint says before its frontier.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Header<C> {
    check: C,
    program: String,
    /// Where the machine makes accesses in parts.
    cuts: Vec<Cut>,
    /// How long the search has taken so far.
    seconds: f64,
}

#[derive(Serialize)]
struct Written<'c, C, S, W> {
    #[serde(flatten)]
    header: &'c Header<C>,
    seen: &'c W,
    frontier: &'c Frontier<S>,
}

#[derive(Deserialize)]
struct Read<'t, C> {
    #[serde(bound(deserialize = "C: Deserialize<'de>"))]
    check: C,
    program: String,
    cuts: Vec<Cut>,
    seconds: f64,
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
    /// Where the machine makes accesses in parts.
    pub(crate) cuts: Vec<Cut>,
    /// How long it took.
    pub(crate) seconds: f64,
    path: PathBuf,
    program: String,
    seen: String,
    frontier: String,
}

impl<C: DeserializeOwned> Kept<C> {
    /// Reads a checkpoint.
    pub(crate) fn read(path: &Path) -> Result<Kept<C>, InputError> {
        let refuse = |why: String| InputError::Checkpoint { path: path.to_owned(), why };
        let text = std::fs::read_to_string(path)
            .map_err(|cause| InputError::Unreadable { path: path.to_owned(), cause })?;
        #[derive(Deserialize)]
        struct Versions {
            norn_checkpoint: u32,
            version: String,
        }
        let versions: Versions = serde_json::from_str(&text)
            .map_err(|error| refuse(format!("it is not a checkpoint of norn ({error})")))?;
        if (versions.norn_checkpoint, versions.version.as_str()) != (FORMAT, VERSION) {
            let Versions { version, norn_checkpoint } = versions;
            return Err(refuse(format!(
                "it was written by norn {version} (format {norn_checkpoint}), this is norn {VERSION} \
                 (format {FORMAT}); start the check again"
            )));
        }
        #[derive(Deserialize)]
        struct Sealed<'t> {
            checksum: String,
            #[serde(borrow)]
            content: &'t RawValue,
        }
        let damaged = |error: serde_json::Error| {
            refuse(format!("it is damaged ({error}); start the check again"))
        };
        let Sealed { checksum, content } = serde_json::from_str(&text).map_err(damaged)?;
        if checksum != self::checksum(content.get()) {
            let why =
                "it is damaged (its checksum is that of another content); start the check again";
            return Err(refuse(why.to_owned()));
        }
        let read: Read<'_, C> = serde_json::from_str(content.get()).map_err(damaged)?;
        let Read { check, program, cuts, seconds, seen, frontier, .. } = read;
        let (seen, frontier) = (seen.get().to_owned(), frontier.get().to_owned());
        Ok(Kept { check, cuts, seconds, path: path.to_owned(), program, seen, frontier })
    }
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Something that sees a search and is kept with it.
pub(crate) trait Witness {
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
        let header = Header { check, program, cuts: Vec::new(), seconds: 0.0 };
        let (path, interval) = path.unzip();
        if let Some(path) = &path {
            check_writable(path)?;
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
        self.header.cuts.clone_from(&kept.cuts);
        self.seen = serde_json::from_str(&kept.seen).map_err(|_| refuse("it is damaged"))?;
        self.frontier = Some(kept.frontier.clone());
        self.source = Some(kept.path.clone());
        self.before = kept.seconds;
        Ok(())
    }

    /// Where the machine is to make accesses in parts.
    pub(crate) fn cuts(&self) -> &[Cut] {
        &self.header.cuts
    }

    /// The search begins again, with a machine that makes accesses in parts there, too.
    pub(crate) fn begin_again(&mut self, cuts: &[Cut]) {
        self.header.cuts.extend_from_slice(cuts);
        self.header.cuts.sort_unstable();
        self.header.cuts.dedup();
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
        let message = format!("the search is saved: `norn resume {}` goes on", path.display());
        (stopped && self.saved).then(|| warning(WarningKind::Checkpoint, message, None))
    }

    /// Writes a checkpoint.
    pub(crate) fn save<S: Serialize>(&mut self, frontier: &Frontier<S>, seen: &W) {
        let Some(path) = &self.path else { return };
        self.header.seconds = self.before + self.started.elapsed().as_secs_f64();
        let written = Written { header: &self.header, seen, frontier };
        let done = to_raw_value(&written).map_err(std::io::Error::from).and_then(|content| {
            let checksum = checksum(content.get());
            let (norn_checkpoint, version) = (FORMAT, VERSION);
            replace(path, &Envelope { norn_checkpoint, version, checksum, content: &content })
        });
        self.saved = done.is_ok();
        self.failure = done.err();
    }
}

fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    path.with_file_name(name)
}

/// Writes the whole file, or leaves the old one.
fn replace(path: &Path, envelope: &Envelope<'_>) -> std::io::Result<()> {
    let beside = beside(path);
    let mut file = BufWriter::new(std::fs::File::create(&beside)?);
    serde_json::to_writer(&mut file, envelope)?;
    file.into_inner().map_err(|error| error.into_error())?.sync_all()?;
    std::fs::rename(&beside, path)
}

/// A fingerprint of anything that prints itself whole.
pub(crate) fn fingerprint(what: &impl std::fmt::Debug) -> String {
    let mut hash = Fnv::default();
    write!(hash, "{what:?}").expect("a hash takes everything");
    hash.to_string()
}

fn checksum(content: &str) -> String {
    let mut hash = Fnv::default();
    hash.write_str(content).expect("a hash takes everything");
    hash.to_string()
}

/// Whether a file can be written there: better now than in half an hour.
pub fn check_writable(path: &Path) -> Result<(), InputError> {
    let cannot = |cause| InputError::Unwritable { path: path.to_owned(), cause };
    let beside = beside(path);
    std::fs::File::create(&beside).map_err(cannot)?;
    std::fs::remove_file(&beside).map_err(cannot)
}

/// FNV-1a, 128 bits.
struct Fnv(u128);

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }
}

impl std::fmt::Write for Fnv {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u128::from(byte)).wrapping_mul(0x0100_0000_0000_0000_0000_013b);
        }
        Ok(())
    }
}

impl std::fmt::Display for Fnv {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::checksum;

    /// Numbers that the authors of the function published.
    #[test]
    fn checksums_are_those_of_the_function() {
        assert_eq!(checksum(""), "6c62272e07bb014262b821756295c58d");
        assert_eq!(checksum("a"), "d228cb696f1a8caf78912b704e4a8964");
    }
}
