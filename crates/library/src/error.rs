//! What is wrong with the text of a specification.

/// A place in the text, from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct At {
    pub line: u32,
    pub column: u32,
}

/// Why a text is no specification: where, and what was expected there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}:{column}: {message}")]
pub struct LibraryError {
    /// The file, as it was named.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
    /// What was found and what was expected.
    pub message: String,
}

/// The same before the name of the file is put to it.
pub(crate) type Problem = (At, String);

pub(crate) fn problem<T>(at: At, message: impl Into<String>) -> Result<T, Problem> {
    Err((at, message.into()))
}
