//! What is wrong with the text of a model.

/// A place in the text of a model, from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct At {
    /// Which of the files that were read, in the order in which they were: 0 is the model itself.
    pub file: u32,
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

/// Why a text is no model: where, and what was expected there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}:{column}: {message}")]
pub struct CatError {
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
