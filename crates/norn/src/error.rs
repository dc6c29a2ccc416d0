//! What is wrong with the input or with how the tool is called.

use std::path::PathBuf;

/// A reason why nothing could be checked. Each says where and what to do.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// A file cannot be read.
    #[error("cannot read {}: {cause}", path.display())]
    Unreadable {
        /// Which.
        path: PathBuf,
        /// Why.
        cause: std::io::Error,
    },
    /// A file cannot be written.
    #[error("cannot write {}: {cause}", path.display())]
    Unwritable {
        /// Which.
        path: PathBuf,
        /// Why.
        cause: std::io::Error,
    },
    /// A checkpoint cannot be used.
    #[error("cannot go on from {}: {why}", path.display())]
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// Why, and what to do.
        why: String,
    },
    /// A board cannot be used.
    #[error("cannot use the board {}: {why}", path.display())]
    Board {
        /// The directory.
        path: PathBuf,
        /// Why, and what to do.
        why: String,
    },
    /// A trace cannot be used.
    #[error("cannot replay {}: {why}", path.display())]
    Trace {
        /// The file.
        path: PathBuf,
        /// Why, and what to do.
        why: String,
    },
    /// A litmus test is not well formed.
    #[error("{}:{line}:{column}: {message}", path.display())]
    Litmus {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: u32,
        /// From 1.
        column: u32,
        /// What was found and what was expected.
        message: String,
    },
    /// A memory model is not well formed.
    #[error(transparent)]
    Model(norn_cat::CatError),
    /// The specification of a library is not well formed.
    #[error(transparent)]
    Library(norn_library::LibraryError),
    /// No program could be made of the files.
    #[error(transparent)]
    Program(#[from] norn_frontend::FrontendError),
    /// The program could not be made ready to run.
    #[error(transparent)]
    Pass(#[from] norn_transform::PassError),
    /// The options do not fit together or ask for something that does not exist.
    #[error("{0}")]
    Refused(String),
}
