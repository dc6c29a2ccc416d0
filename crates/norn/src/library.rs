//! The libraries of a check: which functions of a program are operations, and of what.

use crate::InputError;
use norn_library::{Library, SHIPPED, shipped};
use norn_program::{Operation, Program};
use norn_transform::substitute;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// A library as it is asked for: `mutex`, `my.lib`, `mutex:lock=take,unlock=give,size=1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LibraryChoice {
    source: Source,
    /// Operations and the functions that they are; none: all of them, by their own names.
    functions: Vec<(String, String)>,
    /// How many bytes a cell has, if that is not what the library says.
    size: Option<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Source {
    Shipped(&'static str),
    File(PathBuf),
}

impl FromStr for LibraryChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<LibraryChoice, String> {
        let (source, rest) = match text.rsplit_once(':') {
            Some((source, rest)) if rest.contains('=') => (source, rest),
            _ => (text, ""),
        };
        let known = SHIPPED.iter().find(|(name, _)| *name == source);
        let source = match known {
            Some((name, _)) => Source::Shipped(name),
            None if source.ends_with(".lib") => Source::File(source.into()),
            None => {
                let names = SHIPPED.map(|(name, _)| name).join(", ");
                return Err(format!(
                    "there is no library `{source}`; expected one of {names}, or a file whose name ends in .lib"
                ));
            }
        };
        let mut choice = LibraryChoice { source, functions: Vec::new(), size: None };
        for part in rest.split(',').filter(|part| !part.is_empty()) {
            match part.split_once('=') {
                Some(("size", size)) => match size.parse() {
                    Ok(size @ (1 | 2 | 4 | 8)) => choice.size = Some(size),
                    _ => return Err(format!("`size={size}`: a cell has 1, 2, 4 or 8 bytes")),
                },
                Some((operation, function)) if !operation.is_empty() && !function.is_empty() => {
                    choice.functions.push((operation.to_owned(), function.to_owned()));
                }
                _ => return Err(format!("`{part}`: expected OPERATION=FUNCTION or size=BYTES")),
            }
        }
        Ok(choice)
    }
}

impl fmt::Display for LibraryChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.source {
            Source::Shipped(name) => f.write_str(name)?,
            Source::File(path) => path.display().fmt(f)?,
        }
        let renamed =
            self.functions.iter().map(|(operation, function)| format!("{operation}={function}"));
        let size = self.size.map(|size| format!("size={size}"));
        let parts: Vec<String> = renamed.chain(size).collect();
        if parts.is_empty() { Ok(()) } else { write!(f, ":{}", parts.join(",")) }
    }
}

impl LibraryChoice {
    /// Whether it is read from a file of the user.
    pub(crate) fn is_file(&self) -> bool {
        matches!(self.source, Source::File(_))
    }

    /// Reads the library.
    pub fn read(&self) -> Result<Library, InputError> {
        let mut library = match &self.source {
            Source::Shipped(name) => {
                let text = shipped(name).expect("a choice is of one that there is");
                Library::read(name, text)
            }
            Source::File(path) => {
                let text = std::fs::read_to_string(path)
                    .map_err(|cause| InputError::Unreadable { path: path.clone(), cause })?;
                Library::read(&path.display().to_string(), &text)
            }
        }
        .map_err(InputError::Library)?;
        if let Some(size) = self.size {
            library.resize(size).map_err(|number| {
                InputError::Refused(format!(
                    "library {self}: it needs larger cells, for {number:#x}"
                ))
            })?;
        }
        Ok(library)
    }

    /// The functions that become operations.
    fn operations(&self, library: &Library) -> Result<Vec<(String, Operation)>, InputError> {
        let named = |name: &str| library.operations.iter().find(|operation| operation.name == name);
        if self.functions.is_empty() {
            let all = library.operations.iter();
            return Ok(all.map(|operation| (operation.name.clone(), operation.clone())).collect());
        }
        let one = |(name, function): &(String, String)| match named(name) {
            // A function of one's own may be told more: who calls, what to use.
            Some(operation) => {
                Ok((function.clone(), Operation { more: true, ..operation.clone() }))
            }
            None => {
                let known = library.operations.iter().map(|operation| operation.name.as_str());
                Err(InputError::Refused(format!(
                    "library {self}: the library has no operation `{name}`; it has {}",
                    known.collect::<Vec<_>>().join(", ")
                )))
            }
        };
        self.functions.iter().map(one).collect()
    }
}

/// Lets functions of a program be the operations of libraries. The result is what is to be said of it.
pub(crate) fn install(
    program: &mut Program,
    libraries: &[LibraryChoice],
    flags: &[String],
) -> Result<Vec<String>, InputError> {
    let mut remarks = Vec::new();
    let optimises = |flag: &&String| flag.starts_with("-O") && *flag != "-O0";
    if let (Some(flag), [_, ..]) = (flags.iter().find(optimises), libraries) {
        return Err(InputError::Refused(format!(
            "libraries need code that was not optimised, in which every call still is one; leave {flag} out"
        )));
    }
    for choice in libraries {
        let library = choice.read()?;
        let operations = choice.operations(&library)?;
        let refuse = |why: String| InputError::Refused(format!("library {choice}: {why}"));
        let found = substitute(program, &operations).map_err(|error| refuse(error.to_string()))?;
        let missing = operations.iter().zip(&found).find(|(_, found)| !**found);
        if let Some(((function, _), _)) = missing.filter(|_| !choice.functions.is_empty()) {
            return Err(refuse(format!(
                "the program calls no function `{function}`; it may have been inlined"
            )));
        }
        let present: Vec<String> = operations
            .iter()
            .zip(&found)
            .filter(|(_, found)| **found)
            .map(|((function, _), _)| format!("`{function}`"))
            .collect();
        if present.is_empty() {
            let names: Vec<&str> =
                operations.iter().map(|(function, _)| function.as_str()).collect();
            return Err(refuse(format!(
                "the program calls none of the functions {}; name its own by OPERATION=FUNCTION",
                names.join(", ")
            )));
        }
        remarks.push(format!(
            "taken from the library {1}, without a look at the code: {0}",
            present.join(", "),
            library.name
        ));
    }
    Ok(remarks)
}
