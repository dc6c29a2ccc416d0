//! Stopping a search from outside: the user, or the limit on memory.

use crate::memory;
use norn_machine::Meter;
use norn_report::Limit;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often the watcher looks at the memory.
const INTERVAL: Duration = Duration::from_millis(5);
/// Memory is expected to grow by this many bytes in a second, until it is seen to grow faster.
const GROWTH: f64 = 1e9;
/// When the limit could be reached within so many seconds, those who take memory look for themselves: the watcher may
/// have to wait for a processor for as long.
const CLOSE: f64 = 0.1;
/// They look whenever they have taken so many bytes.
const STRIDE: u64 = 128 << 10;
/// The search is stopped when it uses this part of what it may use: the report takes some, too.
const PART: f64 = 0.98;

/// A switch that stops a search; clones share it.
#[derive(Clone, Debug, Default)]
pub struct Control {
    stop: Arc<AtomicBool>,
    memory: Arc<AtomicBool>,
}

impl Control {
    /// Stops the search at the next opportunity.
    pub fn interrupt(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the search is to stop.
    pub fn is_interrupted(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The flag that the search looks at.
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// What stopped the search, if something did.
    pub(crate) fn cause(&self) -> Option<Limit> {
        match (self.memory.load(Ordering::Relaxed), self.stop.load(Ordering::Relaxed)) {
            (true, _) => Some(Limit::Memory),
            (false, true) => Some(Limit::User),
            (false, false) => None,
        }
    }

    /// Watches memory until the result is dropped. When there is too much of it, the machine is halted at
    /// once and the search is told to stop.
    pub(crate) fn watch_memory(&self, limit: u64, halt: Arc<AtomicBool>) -> MemoryWatch {
        let budget = Arc::new(Budget {
            limit: limit as f64 * PART,
            control: self.clone(),
            halt,
            close: AtomicBool::new(false),
            taken: AtomicU64::new(0),
        });
        let done = Arc::new(AtomicBool::new(false));
        let (shared, watched) = (Arc::clone(&budget), Arc::clone(&done));
        let thread = std::thread::spawn(move || {
            let (mut before, mut growth) = (shared.look(), GROWTH);
            let mut looked = Instant::now();
            while !watched.load(Ordering::Relaxed) {
                let now = shared.look();
                let passed = looked.elapsed().as_secs_f64().max(1e-6);
                growth = f64::max(growth, (now - before) / passed);
                (before, looked) = (now, Instant::now());
                shared.set_close(now + growth * CLOSE > shared.limit);
                std::thread::park_timeout(INTERVAL);
            }
        });
        MemoryWatch { budget, done, thread: Some(thread) }
    }
}

/// What a search may use, and what happens when it has used it.
struct Budget {
    limit: f64,
    control: Control,
    halt: Arc<AtomicBool>,
    /// The limit is so close that the watcher may come too late.
    close: AtomicBool,
    /// How many bytes were taken since somebody looked, while it is close.
    taken: AtomicU64,
}

impl Budget {
    /// Looks how many bytes are used, and stops the search if they are too many.
    fn look(&self) -> f64 {
        let used = memory::now().unwrap_or(0) as f64;
        if used > self.limit {
            self.control.memory.store(true, Ordering::Relaxed);
            self.control.interrupt();
            self.halt.store(true, Ordering::Relaxed);
        }
        used
    }

    /// The limit is close, or is no longer.
    fn set_close(&self, close: bool) {
        if self.close.swap(close, Ordering::Relaxed) != close {
            memory::use_small_pages(close);
        }
    }

    /// A program takes so many bytes.
    fn take(&self, bytes: u64) {
        if self.close.load(Ordering::Relaxed)
            && self.taken.fetch_add(bytes, Ordering::Relaxed) + bytes > STRIDE
        {
            self.taken.store(0, Ordering::Relaxed);
            self.look();
        }
    }
}

/// Stops watching when it is dropped.
pub(crate) struct MemoryWatch {
    budget: Arc<Budget>,
    done: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl MemoryWatch {
    /// What a machine tells how much its program takes.
    pub(crate) fn meter(&self) -> Meter {
        let budget = Arc::clone(&self.budget);
        Meter::new(move |bytes| budget.take(bytes))
    }
}

impl Drop for MemoryWatch {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // The watcher cannot panic; if it did, the search is over anyway.
            let _ = thread.join();
        }
    }
}
