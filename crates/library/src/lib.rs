//! Specifications of libraries: what calls of their functions do, without running an implementation.
//!
//! A specification lists operations on objects ([`norn_program::Operation`]). Each is a few accesses of cells of the
//! object, which may wait: `parser` has the grammar. [`Library::read`] makes one of a text, and [`shipped`] has those
//! that come with Norn. `norn-transform` puts them in the place of functions of a program.
//!
//! Invariants:
//!
//! 1. No text leads to a panic, to endless work or to deep recursion: what is too large is an error like any
//!    other, with a line and a column.
//! 2. An operation ends: it has no loops, and a limited number of steps.
//! 3. Reads see what the memory model lets them see, as those of a program do. So what holds of every model that an
//!    explorer can search under (it is prefix-closed, for one) holds with libraries too.
//! 4. No two updates read from the same write: reading by `update` is what papers call functional.

mod error;
mod lexer;
mod parser;

pub use error::LibraryError;

use norn_program::{Cell, Operation};

/// A library that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Library {
    /// What it calls itself.
    pub name: String,
    /// Its operations.
    pub operations: Vec<Operation>,
    /// What it asks of executions beyond that.
    pub axioms: Option<Axioms>,
}

/// Axioms over the events of operations, in the cat language: the name of an operation stands for its accesses. They
/// are checked beside those of the memory model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axioms {
    /// The file that they stand in.
    pub file: String,
    /// The axioms, with blanks in the place of all before them.
    pub text: String,
}

/// The specifications that come with Norn: their names and texts.
pub const SHIPPED: [(&str, &str); 7] = [
    ("mutex", include_str!("../shipped/mutex.lib")),
    ("rwlock", include_str!("../shipped/rwlock.lib")),
    ("spinlock", include_str!("../shipped/spinlock.lib")),
    ("semaphore", include_str!("../shipped/semaphore.lib")),
    ("channel", include_str!("../shipped/channel.lib")),
    ("exchanger", include_str!("../shipped/exchanger.lib")),
    ("register", include_str!("../shipped/register.lib")),
];

/// The text of the library of this name that comes with Norn.
pub fn shipped(name: &str) -> Option<&'static str> {
    SHIPPED.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// What the text of a library says of it in its first line.
pub fn summary(text: &str) -> &str {
    let first = text.lines().next().unwrap_or("");
    first.strip_prefix("//").unwrap_or("").trim()
}

impl Library {
    /// Reads a specification; `file` is what it is called in errors.
    pub fn read(file: &str, text: &str) -> Result<Library, LibraryError> {
        match parser::parse(text) {
            Ok(parser::Parsed { name, operations, axioms }) => {
                let axioms = axioms.map(|text| Axioms { file: file.to_owned(), text });
                Ok(Library { name, operations, axioms })
            }
            Err((at, message)) => Err(LibraryError {
                file: file.to_owned(),
                line: at.line,
                column: at.column,
                message,
            }),
        }
    }

    /// Lets cells have this many bytes; the number that does not fit into them, if there is one.
    pub fn resize(&mut self, size: u8) -> Result<(), u64> {
        let mut most = 0;
        for operation in &mut self.operations {
            operation.each_step_mut(&mut |step| {
                most = step.numbers().fold(most, u64::max);
                if let Some(cell) = step.cell_mut() {
                    cell.size = size;
                }
            });
        }
        if most > Cell::most(size) { Err(most) } else { Ok(()) }
    }
}
