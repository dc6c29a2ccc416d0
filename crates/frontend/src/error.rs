//! What can be wrong with the inputs as a whole.

use norn_llvm::ReadError;
use norn_program::VerifyError;
use std::path::PathBuf;
use thiserror::Error;

/// Why no program could be made of the inputs.
#[derive(Debug, Error)]
pub enum FrontendError {
    /// No compiler.
    #[error(
        "no clang was found (looked for {tried}); install it (on Debian and Ubuntu: apt install \
         clang) or name one with NORN_CLANG"
    )]
    NoClang {
        /// The names that were tried.
        tried: String,
    },
    /// The compiler refused the file.
    #[error("clang failed on {}:\n{stderr}", file.display())]
    ClangFailed {
        /// The file.
        file: PathBuf,
        /// What clang said.
        stderr: String,
    },
    /// The compiler was ended because its output was not wanted any more.
    #[error("the compiler was stopped")]
    Stopped,
    /// A file could not be read or written.
    #[error("{}: {source}", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The IR could not be read.
    #[error("{}:{source}", file.display())]
    Read {
        /// The file that was compiled or read.
        file: PathBuf,
        /// Where in its IR, and why.
        source: ReadError,
    },
    /// The IR is for a machine that is not modelled.
    #[error("the target {triple} is not supported: compile for a 64-bit little-endian one")]
    Target {
        /// The target.
        triple: String,
    },
    /// The modules do not fit together.
    #[error("{0}")]
    Link(String),
    /// The bytecode that was made is not well formed: a mistake of the lowering.
    #[error("lowering made a malformed program: {0}")]
    Malformed(#[from] VerifyError),
}
