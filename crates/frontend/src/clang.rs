//! The clang driver.

use crate::library::Part;
use crate::{FrontendError, process};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// The text of `norn.h`, which programs may include.
pub const NORN_H: &str = include_str!("../include/norn.h");
const PUBLIC_NAME: &str = "norn.h";

/// What is read before every C++ file, and its name.
const TEMPLATES_H: &str = include_str!("../include/norn_templates.h");
const TEMPLATES_NAME: &str = "norn_templates.h";

/// What the name of the directory with both begins with.
const PREFIX: &str = "norn-";

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
        self.compile_unless(file, &|| false)
    }

    /// The same, but the compiler is ended as soon as `stop` is true.
    pub fn compile_unless(
        &self,
        file: &Path,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<u8>, FrontendError> {
        let there = std::fs::metadata(file).and_then(|there| match there.is_dir() {
            // A compiler takes it for something to link, and says nothing.
            true => Err(std::io::ErrorKind::IsADirectory.into()),
            false => Ok(()),
        });
        there.map_err(|source| FrontendError::Io { file: file.to_owned(), source })?;
        self.compile_with(&IncludeDir::new()?, file, stop)
    }

    /// Compiles a part of the C++ library.
    pub(crate) fn compile_part(
        &self,
        part: &Part,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<u8>, FrontendError> {
        let include = IncludeDir::new()?;
        let file = include.path().join(part.name);
        std::fs::write(&file, part.text)
            .map_err(|source| FrontendError::Io { file: file.clone(), source })?;
        self.compile_with(&include, &file, stop)
    }

    fn compile_with(
        &self,
        include: &IncludeDir,
        file: &Path,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<u8>, FrontendError> {
        // Whether a compiler is there shows when it is run: asking it first would take another process.
        let candidates = self.candidates();
        for compiler in &candidates {
            let output = match process::output(self.command(compiler, file, include), stop) {
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
                Err(source) => return Err(FrontendError::Io { file: compiler.clone(), source }),
                Ok(None) => return Err(FrontendError::Stopped),
                Ok(Some(output)) => output,
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

    /// What the compiler says of itself; none if there is none.
    pub fn version(&self) -> Option<String> {
        let ask = |compiler: &PathBuf| {
            let mut command = Command::new(compiler);
            command.arg("--version").stdin(Stdio::null()).output().ok()
        };
        let output = self.candidates().iter().find_map(ask)?;
        Some(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// How a compiler is called.
    fn command(&self, compiler: &Path, file: &Path, include: &IncludeDir) -> Command {
        let mut command = Command::new(compiler);
        if is_cpp(file) {
            command.arg("-include").arg(include.path().join(TEMPLATES_NAME));
        }
        command
            .args(["-g", "-O0", "-Xclang", "-disable-O0-optnone"])
            // Marks where the scopes of local variables begin and end.
            .args(["-Xclang", "-fsanitize-address-use-after-scope"])
            // File names in reports are those that the user gave.
            .arg("-fdebug-compilation-dir=.")
            .args(["-S", "-emit-llvm", "-o", "-", "-I"])
            .arg(include.path())
            .arg(include.plain_name())
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

/// A directory that holds the headers, removed when dropped. It is new and nobody else can write to it:
/// whoever could put another `assert.h` there would decide what is checked.
struct IncludeDir {
    directory: TempDir,
}

impl IncludeDir {
    fn new() -> Result<IncludeDir, FrontendError> {
        let failed = |source| FrontendError::Io { file: std::env::temp_dir(), source };
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
        let directory = builder.prefix(PREFIX).tempdir().map_err(failed)?;
        for (name, text) in [(TEMPLATES_NAME, TEMPLATES_H), (PUBLIC_NAME, NORN_H)] {
            std::fs::write(directory.path().join(name), text).map_err(failed)?;
        }
        Ok(IncludeDir { directory })
    }

    fn path(&self) -> &Path {
        self.directory.path()
    }

    /// The flag by which places in the headers do not name the directory: the same program is the same each time.
    fn plain_name(&self) -> OsString {
        let mut flag = OsString::from("-fdebug-prefix-map=");
        flag.push(self.path());
        flag.push("=/norn");
        flag
    }
}

/// For C++: the checks of libstdc++ are worth having, and with them the members of `std::string`
/// are compiled from the headers instead of being left to the shared library.
fn library_flags(file: &Path) -> &'static [&'static str] {
    if is_cpp(file) { &["-D_GLIBCXX_ASSERTIONS"] } else { &[] }
}

/// Whether a compiler takes a file for C++ by its name.
fn is_cpp(file: &Path) -> bool {
    let extension = file.extension().and_then(|extension| extension.to_str());
    matches!(extension, Some("cpp" | "cc" | "cxx" | "c++" | "cp" | "CPP" | "C"))
}

/// Whether a header that a compiler has read is one of those that come with Norn, in a directory that is there only while
/// the compiler runs.
pub fn is_own_header(path: &Path) -> bool {
    let is_known = [TEMPLATES_NAME, PUBLIC_NAME].iter().any(|name| path.ends_with(name));
    let folder = path.parent().and_then(Path::file_name);
    let is_in_own = folder.is_some_and(|folder| folder.to_string_lossy().starts_with(PREFIX));
    is_known && is_in_own && path.starts_with(std::env::temp_dir())
}
