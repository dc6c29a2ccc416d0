//! When the parts of a check began and ended.
//!
//! A log that is off costs a test of one pointer per part: no clock is read. A part is a phase or a task of a worker, of
//! which there are few.

use norn_report::{LogEntry, Part};
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// A log, or none. Clones write to the same one.
#[derive(Clone, Debug, Default)]
pub struct Log(Option<Arc<Started>>);

#[derive(Debug)]
struct Started {
    began: Instant,
    entries: Mutex<Vec<LogEntry>>,
}

/// When a part began, if there is a log.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Begun(Option<Instant>);

impl Log {
    /// A log that begins now.
    pub fn start() -> Log {
        Log(Some(Arc::new(Started { began: Instant::now(), entries: Mutex::default() })))
    }

    /// What was written so far.
    pub fn entries(&self) -> Vec<LogEntry> {
        let Some(log) = &self.0 else { return Vec::new() };
        log.entries.lock().expect("nobody panics").clone()
    }

    /// A part begins.
    pub(crate) fn begin(&self) -> Begun {
        Begun(self.0.as_ref().map(|_| Instant::now()))
    }

    /// It is over.
    pub(crate) fn end(&self, Begun(begun): Begun, part: impl FnOnce() -> Part) {
        if let (Some(log), Some(begun)) = (&self.0, begun) {
            let since = |instant: Instant| instant.duration_since(log.began).as_secs_f64();
            let entry = LogEntry { part: part(), begin: since(begun), end: since(Instant::now()) };
            log.entries.lock().expect("nobody panics").push(entry);
        }
    }
}
