//! Stopping a search from outside: the user, or the limit on memory.

use crate::memory;
use norn_report::Limit;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// How often memory is looked at.
const INTERVAL: Duration = Duration::from_millis(20);

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

    /// Watches memory until the result is dropped.
    pub(crate) fn watch_memory(&self, limit: u64) -> MemoryWatch {
        let control = self.clone();
        let done = Arc::new(AtomicBool::new(false));
        let watched = Arc::clone(&done);
        let thread = std::thread::spawn(move || {
            while !watched.load(Ordering::Relaxed) {
                if memory::now() > limit {
                    control.memory.store(true, Ordering::Relaxed);
                    control.interrupt();
                }
                std::thread::park_timeout(INTERVAL);
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
