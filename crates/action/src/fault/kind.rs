//! The kinds of faults, which machine-readable reports, exit codes and expectations name.

use serde::{Deserialize, Serialize};
use std::fmt;

/// What kind of thing is wrong with the checked program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum FaultKind {
    /// `assert` failed.
    Assertion,
    /// `reach_error` or `__VERIFIER_error` was reached.
    ReachError,
    /// Two concurrent conflicting accesses, one of them plain.
    DataRace,
    /// Threads wait for each other.
    Deadlock,
    /// A thread waits for something that can never happen.
    Livelock,
    /// Access to freed memory.
    UseAfterFree,
    /// Memory freed twice.
    DoubleFree,
    /// Free of something that the allocator did not return.
    InvalidFree,
    /// Access past the end or before the start of an object.
    OutOfBounds,
    /// Access through a null pointer.
    NullPointer,
    /// Access through a pointer to no object.
    WildPointer,
    /// Write to read-only memory.
    ReadOnlyWrite,
    /// Read of memory that was never written.
    UninitialisedRead,
    /// Access to a local variable of a function that returned.
    UseAfterReturn,
    /// Unlock of a mutex that the thread does not hold.
    UnlockNotHeld,
    /// Use of a destroyed or never initialised mutex, barrier, semaphore …
    InvalidSync,
    /// Join of a detached or already joined thread, or of no thread.
    InvalidJoin,
    /// Division by zero or overflow of a signed division.
    DivisionByZero,
    /// `abort` was called.
    Abort,
    /// An exception that nobody catches.
    UncaughtException,
    /// Any other undefined behaviour: `unreachable` reached, call of a wrong function type …
    UndefinedBehaviour,
}

impl FaultKind {
    /// The name used in machine-readable reports.
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::Assertion => "assertion",
            FaultKind::ReachError => "reach_error",
            FaultKind::DataRace => "data_race",
            FaultKind::Deadlock => "deadlock",
            FaultKind::Livelock => "livelock",
            FaultKind::UseAfterFree => "use_after_free",
            FaultKind::DoubleFree => "double_free",
            FaultKind::InvalidFree => "invalid_free",
            FaultKind::OutOfBounds => "out_of_bounds",
            FaultKind::NullPointer => "null_pointer",
            FaultKind::WildPointer => "wild_pointer",
            FaultKind::ReadOnlyWrite => "read_only_write",
            FaultKind::UninitialisedRead => "uninitialised_read",
            FaultKind::UseAfterReturn => "use_after_return",
            FaultKind::UnlockNotHeld => "unlock_not_held",
            FaultKind::InvalidSync => "invalid_sync",
            FaultKind::InvalidJoin => "invalid_join",
            FaultKind::DivisionByZero => "division_by_zero",
            FaultKind::Abort => "abort",
            FaultKind::UncaughtException => "uncaught_exception",
            FaultKind::UndefinedBehaviour => "undefined_behaviour",
        }
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
