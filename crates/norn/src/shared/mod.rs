//! One search by several processes, on a board that all see: a directory, or a place on a server.
//!
//! `norn check --board DIR` coordinates (`coordinate.rs`): it posts the program and how to search it, folds what
//! workers record, and makes the report. `norn worker DIR` works (`work.rs`): it needs neither the source files nor a
//! compiler. How work is claimed and why nothing is lost or counted twice is the matter of crate `board`.
//!
//! Threads must have the same ids everywhere ([`norn_explore::slice`]). The first bundle is the whole search, so
//! whatever it meets gets ids that all others take over. A later attempt that meets a thread without an agreed id
//! throws its work away and records the name instead; the coordinator appends such names to the list, each list a
//! record that the first one makes (`names.1`, `names.2` …), and tells workers in its orders. A list only grows, so
//! work under an earlier one stays what it was.
//!
//! The machine may have to know something from the start ([`Lesson`]). Then nothing so far counts: the coordinator posts
//! the job again as the next *generation*, whose first bundle has another id, and no record of an earlier one is taken.
//!
//! A process that slept may wake up when its search was ended long ago and another one has been posted. So every id and
//! all orders begin with a number that the search got when it was posted, and nothing of another number is taken.

mod coordinate;
mod look_around;
mod names;
mod place;
mod status;
mod work;

pub(crate) use coordinate::coordinate;
pub(crate) use place::refuse;
pub use status::{cancel, status};
pub use work::{WorkOptions, work};

use crate::error::InputError;
use crate::program::Endings;
use crate::resume::SavedCheck;
use norn_action::Lesson;
use norn_board::{Board, Fold, Left, Record, Sum};
use norn_explore::{Position, SavedSummary};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::{Path, PathBuf};
use std::time::Duration;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Changes whenever the meaning of what lies on a board does.
const FORMAT: u32 = 2;

/// A search on a board.
#[derive(Clone, Debug)]
pub struct BoardOptions {
    /// The directory, or the address of a server: `nats://host`.
    pub directory: PathBuf,
    /// How long a worker works before it says what came of it.
    pub slice: Duration,
    /// How long a process may be silent before it is taken for dead.
    pub lease: Duration,
}

/// A bundle is a frontier, or `null` for the whole search.
type Bundle = Box<RawValue>;
type Open = Left<Position, Bundle>;
type Done = Record<Delta, Position, Bundle>;
type Search = Fold<Delta, Position, Bundle>;

/// What is searched, and how.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Posted {
    norn_board: u32,
    version: String,
    /// What tells the search from all others.
    search: String,
    generation: u32,
    check: SavedCheck,
    /// The files, as LLVM IR.
    sources: Vec<(PathBuf, String)>,
    /// Of the program and how it is run.
    sha256: String,
    lessons: Vec<Lesson>,
    slice: Duration,
    lease: Duration,
}

/// What all workers are told.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Orders {
    search: String,
    generation: u32,
    /// The threads that have an agreed id.
    threads: Vec<(u32, u32)>,
    /// Nothing behind this is wanted.
    limit: Option<Position>,
    /// The search is over.
    stop: bool,
}

/// What an attempt at a bundle came to, or all of them.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Delta {
    keep_going: bool,
    summary: SavedSummary,
    seen: Endings,
    /// The threads that the first attempt met.
    threads: Vec<(u32, u32)>,
    /// Threads that were met and have no agreed id.
    met: BTreeSet<names::Path>,
    /// What the machine has to know from the start.
    lessons: BTreeSet<Lesson>,
    /// The bundles that were set aside.
    set_aside: BTreeSet<String>,
    /// The executions of each worker.
    workers: BTreeMap<String, u64>,
}

impl Sum for Delta {
    type Place = Position;

    fn add(&mut self, other: Delta) {
        self.summary.add(other.summary, self.keep_going);
        self.seen.add(&other.seen);
        if self.threads.is_empty() {
            self.threads = other.threads;
        }
        self.met.extend(other.met);
        self.lessons.extend(other.lessons);
        self.set_aside.extend(other.set_aside);
        for (worker, executions) in other.workers {
            *self.workers.entry(worker).or_default() += executions;
        }
    }

    fn limit(&self) -> Option<Position> {
        self.summary.first().filter(|_| !self.keep_going).cloned()
    }
}

/// What `norn status` shows of the coordinator.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Status {
    executions: u64,
    blocked: u64,
    open: usize,
    records: u64,
    seconds: f64,
    workers: BTreeMap<String, u64>,
}

/// What a board has names for, beside jobs.
const NAMES: [&str; 5] = ["coordinator", "status", "fold", "cancel", "orders"];

fn job_file(generation: u32) -> String {
    format!("job.{generation}")
}

impl Posted {
    /// The id of the bundle that is the whole search.
    fn whole(&self) -> String {
        format!("{}.whole.{}", self.search, self.generation)
    }

    /// The id of what an attempt leaves.
    fn left(&self, attempt: &str, index: usize) -> String {
        format!("{}.{attempt}.{index}", self.search)
    }

    /// The id of a list of names.
    fn names(&self, number: u32) -> String {
        format!("{}.names.{}.{number}", self.search, self.generation)
    }

    /// Whether an id is of this search.
    fn knows(&self, id: &str) -> bool {
        id.split_once('.').is_some_and(|(search, _)| search == self.search)
    }
}

/// What is searched now; none if nothing was posted. A job of another version is refused.
fn posted(board: &dyn Board, path: &Path) -> Result<Option<Posted>, InputError> {
    let mut latest = None;
    for generation in 0.. {
        let read = board.read(&job_file(generation));
        let Some(text) = read.map_err(|cause| unreadable(path, cause))? else { break };
        latest = Some(text);
    }
    let Some(text) = latest else { return Ok(None) };
    #[derive(Deserialize)]
    struct Head {
        norn_board: u32,
        version: String,
    }
    let refuse = |why: String| Err(InputError::Board { path: path.to_owned(), why });
    match serde_json::from_slice::<Head>(&text) {
        Err(error) => refuse(format!("what is posted there is no search of norn ({error})")),
        Ok(Head { norn_board, version }) if (norn_board, version.as_str()) != (FORMAT, VERSION) => {
            refuse(format!(
                "the search was posted by norn {version} (format {norn_board}), this is norn {VERSION} (format \
                 {FORMAT}); use the same version everywhere"
            ))
        }
        Ok(_) => match serde_json::from_slice(&text) {
            Ok(posted) => Ok(Some(posted)),
            Err(error) => refuse(format!("what is posted there is damaged ({error})")),
        },
    }
}

fn unreadable(path: &Path, cause: std::io::Error) -> InputError {
    InputError::Unreadable { path: path.to_owned(), cause }
}

fn bytes(what: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(what).expect("all of it can be written")
}

fn raw(what: &impl Serialize) -> Bundle {
    serde_json::value::to_raw_value(what).expect("all of it can be written")
}

/// A number that no other process has, nor this one a second time.
fn chance() -> String {
    let mut hasher = RandomState::new().build_hasher();
    hasher.write_u32(std::process::id());
    format!("{:016x}", hasher.finish())
}

/// What this process is called: the machine, and the process there.
fn own_name() -> String {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname")
        .or_else(|_| std::fs::read_to_string("/etc/hostname"))
        .unwrap_or_default();
    let is_plain = |c: &char| c.is_ascii_alphanumeric() || *c == '-';
    let host: String = host.trim().chars().filter(is_plain).collect();
    let host = if host.is_empty() { "host" } else { &host };
    format!("{host}-{}-{}", std::process::id(), &chance()[..4])
}
