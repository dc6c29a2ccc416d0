//! What a user of the machine can set.

use norn_action::Lesson;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Settings of a [`crate::Vm`].
#[derive(Clone, Debug)]
pub struct Config {
    /// Private objects cost no action. If not set, plain accesses to a thread's own heap and stack
    /// objects are actions as soon as a second thread exists.
    pub privatise: bool,
    /// Starting one more iteration of a loop than this is [`norn_action::Action::Cut`].
    pub unroll: Option<u32>,
    /// Loop iterations and calls without a visible action before the thread is given up as not terminating.
    pub step_limit: u64,
    /// Calls deeper than this are a stack overflow.
    pub depth_limit: usize,
    /// An iteration without effect is [`norn_action::Action::Spin`]. A driver that runs the
    /// program once, rather than exploring it, wants the loop to go on instead.
    pub detect_spin: bool,
    /// A wake-up that lost a race against another one is tried again. Explorers leave it unset: they
    /// visit the execution in which it did not lose, and this one is abandoned.
    pub retry_lost_wakeups: bool,
    /// Waits for a condition variable may end without a signal, and weak compare-exchanges fail, for no
    /// reason.
    pub spurious: bool,
    /// Memory that other threads may know of is handed out again, as one more choice, when the thread that
    /// freed it allocates as much.
    pub reuse_memory: bool,
    /// It is noted which threads are alike.
    pub symmetry: bool,
    /// Locks of critical sections that do not depend on each other are not taken.
    pub lock_reduction: bool,
    /// What searches of this program have found out before: where accesses are made in parts, because others access
    /// some of their bytes only, and in which loops each iteration counts.
    pub lessons: Vec<Lesson>,
    /// Races have a meaning, so that a plain load or store in parts must be one step.
    pub races_have_meaning: bool,
    /// A step in parts is a point of an order that all threads agree on, so that a read-modify-write may be one.
    pub one_order: bool,
    /// Keep what the program prints.
    pub capture_output: bool,
    /// Threads stop computing when this becomes true: [`norn_action::Action::Interrupted`].
    pub halt: Option<Arc<AtomicBool>>,
    /// Is told how many bytes the program is about to take from the heap.
    pub meter: Option<Meter>,
    /// `argv`, the program's name first.
    pub arguments: Vec<String>,
}

/// Looks on while a program takes memory. It is called by the thread that takes it, so that whoever keeps a limit need
/// not be fast, and may set [`Config::halt`].
#[derive(Clone)]
pub struct Meter(Arc<dyn Fn(u64) + Send + Sync>);

impl Meter {
    /// One that calls `look` with the number of bytes.
    pub fn new(look: impl Fn(u64) + Send + Sync + 'static) -> Meter {
        Meter(Arc::new(look))
    }
}

impl std::fmt::Debug for Meter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Meter")
    }
}

impl Config {
    /// The program takes so many bytes.
    pub(crate) fn count_bytes(&self, bytes: u64) {
        if let Some(Meter(look)) = &self.meter {
            look(bytes);
        }
    }
}

impl Default for Config {
    fn default() -> Config {
        Config {
            privatise: true,
            unroll: None,
            step_limit: 100_000_000,
            depth_limit: 10_000,
            detect_spin: true,
            retry_lost_wakeups: false,
            spurious: true,
            reuse_memory: false,
            symmetry: false,
            lock_reduction: false,
            lessons: Vec::new(),
            races_have_meaning: false,
            one_order: false,
            capture_output: true,
            halt: None,
            meter: None,
            arguments: vec!["program".to_owned()],
        }
    }
}

impl Config {
    /// For running a program once.
    pub fn for_run() -> Config {
        Config {
            detect_spin: false,
            retry_lost_wakeups: true,
            spurious: false,
            step_limit: u64::MAX,
            ..Config::default()
        }
    }
}
