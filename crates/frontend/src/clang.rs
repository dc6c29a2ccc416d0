//! The clang driver.

use crate::FrontendError;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The text of `norn.h`, which programs may include.
pub const NORN_H: &str = include_str!("../include/norn.h");

/// What is read before every C++ file, and its name.
const TEMPLATES_H: &str = include_str!("../include/norn_templates.h");
const TEMPLATES_NAME: &str = "norn_templates.h";

/// The newest and the oldest version that are looked for by name.
const VERSIONS: std::ops::RangeInclusive<u32> = 14..=22;

/// A compiler and the user's flags for it.
#[derive(Clone, Debug)]
pub struct Clang<'a> {
    path: Option<&'a Path>,
    flags: &'a [String],
}

impl<'a> Clang<'a> {
    /// The compiler at `path`, or the first that is found.
    pub fn new(path: Option<&'a Path>, flags: &'a [String]) -> Clang<'a> {
        Clang { path, flags }
    }

    /// Compiles a file to the text of its IR.
    pub fn compile(&self, file: &Path) -> Result<Vec<u8>, FrontendError> {
        if let Err(source) = std::fs::metadata(file) {
            return Err(FrontendError::Io { file: file.to_owned(), source });
        }
        let include = IncludeDir::new()?;
        // Whether a compiler is there shows when it is run: asking it first would take another process.
        let candidates = self.candidates();
        for compiler in &candidates {
            let output = match self.command(compiler, file, &include).output() {
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
                Err(source) => return Err(FrontendError::Io { file: compiler.clone(), source }),
                Ok(output) => output,
            };
            if output.status.success() {
                return Ok(output.stdout);
            }
            let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(FrontendError::ClangFailed { file: file.to_owned(), stderr });
        }
        let names: Vec<_> = candidates.iter().map(|path| path.display().to_string()).collect();
        Err(FrontendError::NoClang { tried: names.join(", ") })
    }

    /// How a compiler is called.
    fn command(&self, compiler: &Path, file: &Path, include: &IncludeDir) -> Command {
        let is_cpp =
            file.extension().is_some_and(|e| ["cpp", "cc", "cxx", "C"].iter().any(|c| e == *c));
        let mut command = Command::new(compiler);
        if is_cpp {
            command.arg("-include").arg(include.path.join(TEMPLATES_NAME));
        }
        command
            .args(["-g", "-O0", "-Xclang", "-disable-O0-optnone"])
            // Marks where the scopes of local variables begin and end.
            .args(["-Xclang", "-fsanitize-address-use-after-scope"])
            // File names in reports are those that the user gave.
            .arg("-fdebug-compilation-dir=.")
            .args(["-S", "-emit-llvm", "-o", "-", "-I"])
            .arg(&include.path)
            .args(library_flags(file))
            .args(self.flags)
            .arg(file)
            .stdin(Stdio::null());
        command
    }

    /// The compilers to try, in order.
    fn candidates(&self) -> Vec<PathBuf> {
        match self.path {
            Some(path) => vec![path.to_owned()],
            None => std::iter::once("clang".into())
                .chain(VERSIONS.rev().map(|version| format!("clang-{version}").into()))
                .collect(),
        }
    }
}

/// A temporary directory that holds the headers, removed when dropped.
struct IncludeDir {
    path: PathBuf,
}

impl IncludeDir {
    fn new() -> Result<IncludeDir, FrontendError> {
        // The process and a counter name it, so that parallel runs and threads do not meet.
        static COUNTER: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let number = COUNTER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let name = format!("norn-include-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let file = path.join("norn.h");
        let write = || {
            std::fs::create_dir_all(&path)?;
            std::fs::write(path.join(TEMPLATES_NAME), TEMPLATES_H)?;
            std::fs::write(&file, NORN_H)
        };
        match write() {
            Ok(()) => Ok(IncludeDir { path }),
            Err(source) => Err(FrontendError::Io { file, source }),
        }
    }
}

impl Drop for IncludeDir {
    fn drop(&mut self) {
        // A directory that stays behind in the temporary place harms nobody.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// For C++: the checks of libstdc++ are worth having, and with them the members of `std::string`
/// are compiled from the headers instead of being left to the shared library.
fn library_flags(file: &Path) -> &'static [&'static str] {
    match file.extension().and_then(|e| e.to_str()) {
        Some("cpp" | "cc" | "cxx" | "C") => &["-D_GLIBCXX_ASSERTIONS"],
        _ => &[],
    }
}
