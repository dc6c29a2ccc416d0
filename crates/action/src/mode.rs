//! Access modes of C11.

use serde::{Deserialize, Serialize};
use std::fmt;

/// How an access or a fence is annotated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Mode {
    /// A plain access; it races with a concurrent conflicting access.
    Plain,
    /// `memory_order_relaxed`.
    Relaxed,
    /// `memory_order_acquire` (and consume, which is strengthened to acquire).
    Acquire,
    /// `memory_order_release`.
    Release,
    /// `memory_order_acq_rel`.
    AcqRel,
    /// `memory_order_seq_cst`.
    SeqCst,
}

impl Mode {
    /// Whether the access is atomic.
    #[inline]
    pub fn is_atomic(self) -> bool {
        self != Mode::Plain
    }

    /// Acquire or stronger.
    #[inline]
    pub fn is_acquire(self) -> bool {
        matches!(self, Mode::Acquire | Mode::AcqRel | Mode::SeqCst)
    }

    /// Release or stronger.
    #[inline]
    pub fn is_release(self) -> bool {
        matches!(self, Mode::Release | Mode::AcqRel | Mode::SeqCst)
    }

    /// Sequentially consistent.
    #[inline]
    pub fn is_seq_cst(self) -> bool {
        self == Mode::SeqCst
    }

    /// What remains of the mode for the read half of a read-modify-write.
    #[inline]
    pub fn of_read(self) -> Mode {
        match self {
            Mode::Release => Mode::Relaxed,
            Mode::AcqRel => Mode::Acquire,
            other => other,
        }
    }

    /// What remains of the mode for the write half of a read-modify-write.
    #[inline]
    pub fn of_write(self) -> Mode {
        match self {
            Mode::Acquire => Mode::Relaxed,
            Mode::AcqRel => Mode::Release,
            other => other,
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Mode::Plain => "plain",
            Mode::Relaxed => "relaxed",
            Mode::Acquire => "acquire",
            Mode::Release => "release",
            Mode::AcqRel => "acq_rel",
            Mode::SeqCst => "seq_cst",
        })
    }
}
