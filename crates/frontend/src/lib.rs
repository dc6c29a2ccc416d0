//! From C, C++ and LLVM IR files to a [`norn_program::Program`].
//!
//! [`clang`] compiles, `norn-llvm` reads, [`link`] matches the symbols of several modules, and
//! [`lower`] writes bytecode. What the bytecode cannot express becomes an instruction that matters
//! only if it is reached; what is wrong with the input as a whole is a [`FrontendError`].

pub mod clang;
mod error;
pub mod library;
pub mod link;
pub mod lower;
mod process;

pub use error::FrontendError;

use norn_llvm::Module;
use norn_program::Program;
use std::path::{Path, PathBuf};

/// How inputs are turned into a program.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// The compiler; `None`: the first clang that is found.
    pub clang: Option<&'a Path>,
    /// Flags for the compiler.
    pub flags: &'a [String],
    /// The functions that the machine provides, for weak references to them.
    pub provided: fn(&str) -> bool,
}

/// A file in the form that is read: LLVM IR. Whoever has it needs neither the file nor a compiler.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The file.
    pub file: PathBuf,
    /// The text.
    pub text: Vec<u8>,
}

/// A program and what the user should know of how it was made.
#[derive(Debug)]
pub struct Loaded {
    /// The program.
    pub program: Program,
    /// Remarks, a sentence each.
    pub warnings: Vec<String>,
}

/// What is done next.
#[derive(Clone, Copy, Debug)]
pub enum Phase<'a> {
    /// A file is compiled.
    Compile(&'a Path),
    /// What the compiler made of it is read.
    Read(&'a Path),
    /// All are linked and lowered.
    Lower,
}

/// Compiles, reads, links and lowers the inputs (`.c`, `.cpp`, `.ll` …).
pub fn load(inputs: &[PathBuf], options: &Options<'_>) -> Result<Loaded, FrontendError> {
    load_unless(inputs, options, &|| false, &mut |_| {})
}

/// The same, but the compiler is ended as soon as `stop` is true: [`FrontendError::Stopped`]. Tells what it does.
pub fn load_unless(
    inputs: &[PathBuf],
    options: &Options<'_>,
    stop: &dyn Fn() -> bool,
    tell: &mut dyn FnMut(Phase<'_>),
) -> Result<Loaded, FrontendError> {
    let compiler = clang::Clang::new(options.clang, options.flags);
    let mut modules = Vec::new();
    for input in inputs {
        modules.push(read(&compile(&compiler, input, stop, tell)?, tell)?);
    }
    complete(&mut modules, options, stop, tell)?;
    tell(Phase::Lower);
    lower_modules(&modules, options.provided)
}

/// Compiles the inputs, unless `stop` is true before that is done.
pub fn compile_unless(
    inputs: &[PathBuf],
    options: &Options<'_>,
    stop: &dyn Fn() -> bool,
) -> Result<Vec<Compiled>, FrontendError> {
    let compiler = clang::Clang::new(options.clang, options.flags);
    let compile = |input: &PathBuf| compile(&compiler, input, stop, &mut |_| {});
    let mut compiled = inputs.iter().map(compile).collect::<Result<Vec<_>, _>>()?;
    let mut modules =
        compiled.iter().map(|input| read(input, &mut |_| {})).collect::<Result<Vec<_>, _>>()?;
    compiled.extend(complete(&mut modules, options, stop, &mut |_| {})?);
    Ok(compiled)
}

/// Compiles the parts of the C++ library that modules need, and adds them.
fn complete(
    modules: &mut Vec<Module>,
    options: &Options<'_>,
    stop: &dyn Fn() -> bool,
    tell: &mut dyn FnMut(Phase<'_>),
) -> Result<Vec<Compiled>, FrontendError> {
    let mut added: Vec<Compiled> = Vec::new();
    let mut names = Vec::new();
    loop {
        let parts = library::needed(modules, options.provided, &names);
        if parts.is_empty() {
            return Ok(added);
        }
        let flags = library::flags(options.flags);
        let compiler = clang::Clang::new(options.clang, &flags);
        for part in parts {
            let file = PathBuf::from(part.name);
            tell(Phase::Compile(&file));
            let text = compiler.compile_part(part, stop)?;
            let compiled = Compiled { file, text };
            modules.push(read(&compiled, tell)?);
            added.push(compiled);
            names.push(part.name);
        }
    }
}

/// Reads, links and lowers what was compiled before.
pub fn load_compiled(
    inputs: &[Compiled],
    provided: fn(&str) -> bool,
    tell: &mut dyn FnMut(Phase<'_>),
) -> Result<Loaded, FrontendError> {
    let modules = inputs.iter().map(|input| read(input, tell)).collect::<Result<Vec<_>, _>>()?;
    tell(Phase::Lower);
    lower_modules(&modules, provided)
}

fn compile(
    compiler: &clang::Clang<'_>,
    input: &Path,
    stop: &dyn Fn() -> bool,
    tell: &mut dyn FnMut(Phase<'_>),
) -> Result<Compiled, FrontendError> {
    let file = input.to_owned();
    let text = match input.extension().and_then(|e| e.to_str()) {
        Some("ll") => std::fs::read(input)
            .map_err(|source| FrontendError::Io { file: file.clone(), source })?,
        _ => {
            tell(Phase::Compile(input));
            compiler.compile_unless(input, stop)?
        }
    };
    Ok(Compiled { file, text })
}

fn read(input: &Compiled, tell: &mut dyn FnMut(Phase<'_>)) -> Result<Module, FrontendError> {
    tell(Phase::Read(&input.file));
    norn_llvm::read(&input.text)
        .map_err(|source| FrontendError::Read { file: input.file.clone(), source })
}

/// Links and lowers modules that were read already.
pub fn lower_modules(
    modules: &[Module],
    provided: fn(&str) -> bool,
) -> Result<Loaded, FrontendError> {
    lower::program(modules, provided)
}
