//! Stopping a search from outside: the user, or the limit on memory.

use crate::memory;
use norn_report::Limit;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long the watcher sleeps at least and at most between two looks at the memory.
const SHORTEST: Duration = Duration::from_micros(200);
const LONGEST: Duration = Duration::from_millis(5);
/// Memory is expected to grow by this many bytes in a second, until it is seen to grow faster.
const GROWTH: f64 = 1e9;
/// The search is stopped when it uses this part of what it may use: it takes some time to stop.
const PART: f64 = 0.99;

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
        let control = self.clone();
        let done = Arc::new(AtomicBool::new(false));
        let watched = Arc::clone(&done);
        let thread = std::thread::spawn(move || {
            let limit = limit as f64 * PART;
            let used = || memory::now().unwrap_or(0) as f64;
            let (mut before, mut growth) = (used(), GROWTH);
            let mut looked = Instant::now();
            while !watched.load(Ordering::Relaxed) {
                let now = used();
                if now > limit {
                    control.memory.store(true, Ordering::Relaxed);
                    control.interrupt();
                    halt.store(true, Ordering::Relaxed);
                }
                let passed = looked.elapsed().as_secs_f64().max(1e-6);
                growth = f64::max(growth, (now - before) / passed);
                (before, looked) = (now, Instant::now());
                let safe = Duration::from_secs_f64((limit - now).max(0.0) / growth / 2.0);
                std::thread::park_timeout(safe.clamp(SHORTEST, LONGEST));
            }
        });
        MemoryWatch { done, thread: Some(thread) }
    }
}

/// Stops watching when it is dropped.
pub(crate) struct MemoryWatch {
    done: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
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
