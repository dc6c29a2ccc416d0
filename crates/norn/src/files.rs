//! Files that Norn writes, and those among them that another run reads back.
//!
//! What is read back is *sealed*: one JSON object with versions, a checksum, and the content that it is of. The checksum
//! is there to find accidents, of which the content may not show anything; it keeps nobody from making a file of his own.
//! Such a file is written beside its final name and then moved there, so that there is always a whole one.

use crate::error::InputError;
use serde::de::DeserializeOwned;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::{BufWriter, ErrorKind};
use std::path::{Path, PathBuf};

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A kind of sealed files.
pub(crate) struct Sealed {
    /// What it is called.
    pub(crate) name: &'static str,
    /// The key of its format.
    pub(crate) key: &'static str,
    /// Changes whenever the meaning of such a file does.
    pub(crate) format: u32,
    /// What to do about one that cannot be used.
    pub(crate) remedy: &'static str,
    /// Refuses one.
    pub(crate) refuse: fn(PathBuf, String) -> InputError,
}

impl Sealed {
    /// Writes the whole file, or leaves the old one.
    pub(crate) fn write(&self, path: &Path, content: &impl Serialize) -> std::io::Result<()> {
        let content = to_raw_value(content)?;
        let beside = beside(path);
        let mut file = BufWriter::new(std::fs::File::create(&beside)?);
        serde_json::to_writer(&mut file, &Envelope { kind: self, content: &content })?;
        file.into_inner().map_err(|error| error.into_error())?.sync_all()?;
        std::fs::rename(&beside, path)
    }

    /// The content of a file, whole and of this version.
    pub(crate) fn read(&self, path: &Path) -> Result<String, InputError> {
        let refuse = |why: String| (self.refuse)(path.to_owned(), why);
        let text = std::fs::read_to_string(path)
            .map_err(|cause| InputError::Unreadable { path: path.to_owned(), cause })?;
        let Sealed { name, key, format, remedy, .. } = self;
        let foreign =
            |error: &dyn std::fmt::Display| refuse(format!("it is not a {name} of norn ({error})"));
        let fields: BTreeMap<&str, &RawValue> =
            serde_json::from_str(&text).map_err(|error| foreign(&error))?;
        let (Some(written), Some(version)) =
            (field::<u32>(&fields, key), field::<String>(&fields, "version"))
        else {
            return Err(foreign(&format!("it has no {key} and version")));
        };
        if (written, version.as_str()) != (*format, VERSION) {
            return Err(refuse(format!(
                "it was written by norn {version} (format {written}), this is norn {VERSION} (format {format}); {remedy}"
            )));
        }
        let content = fields.get("content").map(|content| content.get());
        let seal = field::<String>(&fields, "checksum");
        match (content, seal) {
            (Some(content), Some(seal)) if seal == checksum(content) => Ok(content.to_owned()),
            _ => Err(refuse(format!(
                "it is damaged (its checksum is that of another content); {remedy}"
            ))),
        }
    }

    /// The content of a file is not what it should be.
    pub(crate) fn damaged(&self, path: &Path, why: &dyn std::fmt::Display) -> InputError {
        (self.refuse)(path.to_owned(), format!("it is damaged ({why}); {}", self.remedy))
    }
}

fn field<T: DeserializeOwned>(fields: &BTreeMap<&str, &RawValue>, name: &str) -> Option<T> {
    serde_json::from_str(fields.get(name)?.get()).ok()
}

/// A sealed file as it is written.
struct Envelope<'c> {
    kind: &'c Sealed,
    content: &'c RawValue,
}

impl Serialize for Envelope<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(4))?;
        map.serialize_entry(self.kind.key, &self.kind.format)?;
        map.serialize_entry("version", VERSION)?;
        map.serialize_entry("checksum", &checksum(self.content.get()))?;
        map.serialize_entry("content", self.content)?;
        map.end()
    }
}

fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    path.with_file_name(name)
}

/// Files with these endings are read and never written, also if they are only included.
const SOURCES: [&str; 14] =
    ["c", "cc", "cpp", "cxx", "h", "hh", "hpp", "hxx", "inc", "ipp", "ll", "litmus", "cat", "lib"];

/// Whether a file can be written there, and is none that is read: better now than in half an hour.
pub fn check_output(path: &Path, inputs: &[PathBuf]) -> Result<(), InputError> {
    let whole = |path: &Path| path.canonicalize().ok();
    if let Some(output) = whole(path)
        && inputs.iter().any(|input| whole(input).as_ref() == Some(&output))
    {
        let path = path.display();
        return Err(InputError::Refused(format!("{path} is read; write to another file")));
    }
    if let Some(extension) = path.extension().and_then(|extension| extension.to_str())
        && SOURCES.contains(&extension)
    {
        let path = path.display();
        return Err(InputError::Refused(format!(
            "{path} has the name of a source file; write to another file"
        )));
    }
    let cannot = |cause| InputError::Unwritable { path: path.to_owned(), cause };
    match path.metadata() {
        Ok(there) if there.is_dir() => return Err(cannot(ErrorKind::IsADirectory.into())),
        // Something like a terminal, which nothing is put beside.
        Ok(there) if !there.is_file() => return Ok(()),
        Ok(_) => _ = OpenOptions::new().append(true).open(path).map_err(cannot)?,
        Err(_) => {}
    }
    let beside = beside(path);
    match std::fs::File::create_new(&beside) {
        Ok(_) => std::fs::remove_file(&beside).map_err(cannot),
        // It is somebody's, or was left by a run that was killed.
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(cannot(error)),
    }
}

/// Refuses to write two things to one file. Something like a terminal takes all of them.
pub fn check_distinct<'p>(paths: impl Iterator<Item = &'p Path>) -> Result<(), InputError> {
    let mut known: Vec<PathBuf> = Vec::new();
    for path in paths {
        if path.metadata().is_ok_and(|there| !there.is_file()) {
            continue;
        }
        let whole = place(path);
        if known.contains(&whole) {
            let path = path.display();
            return Err(InputError::Refused(format!(
                "{path} is to hold two things; write each to a file of its own"
            )));
        }
        known.push(whole);
    }
    Ok(())
}

/// Where a file is, or will be when it is written.
fn place(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).canonicalize();
    let there = || Some(folder.ok()?.join(path.file_name()?));
    path.canonicalize().ok().or_else(there).unwrap_or_else(|| path.to_owned())
}

/// Writes what a check found. If it found nothing to write, a file from before goes, so that nobody takes it for this
/// check's.
pub fn write_output(path: &Path, text: Option<String>) -> Result<(), InputError> {
    leave_output(path, text, |text| std::fs::write(path, text))
}

/// The same for what is written in its own way.
pub(crate) fn leave_output<T>(
    path: &Path,
    found: Option<T>,
    write: impl FnOnce(T) -> std::io::Result<()>,
) -> Result<(), InputError> {
    let done = match found {
        Some(found) => write(found),
        None if path.is_file() => std::fs::remove_file(path),
        None => Ok(()),
    };
    done.map_err(|cause| InputError::Unwritable { path: path.to_owned(), cause })
}

/// A fingerprint of anything that prints itself whole.
pub(crate) fn fingerprint(what: &impl std::fmt::Debug) -> String {
    let mut hash = Fnv::default();
    write!(hash, "{what:?}").expect("a hash takes everything");
    hash.to_string()
}

pub(crate) fn checksum(content: impl AsRef<[u8]>) -> String {
    let mut hash = Fnv::default();
    hash.add(content.as_ref());
    hash.to_string()
}

/// FNV-1a, 128 bits.
struct Fnv(u128);

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }
}

impl Fnv {
    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u128::from(*byte)).wrapping_mul(0x0100_0000_0000_0000_0000_013b);
        }
    }
}

impl std::fmt::Write for Fnv {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.add(text.as_bytes());
        Ok(())
    }
}

impl std::fmt::Display for Fnv {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::{check_output, checksum, write_output};

    /// Numbers that the authors of the function published.
    #[test]
    fn checksums_are_those_of_the_function() {
        assert_eq!(checksum(""), "6c62272e07bb014262b821756295c58d");
        assert_eq!(checksum("a"), "d228cb696f1a8caf78912b704e4a8964");
    }

    #[test]
    fn nothing_that_is_read_is_written_over_and_nothing_old_is_left() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.c");
        std::fs::write(&path, "int main(void) {}").expect("to write");
        let inputs = [folder.path().join("./a.c")];
        let refusal = check_output(&path, &inputs).expect_err("a refusal").to_string();
        assert!(refusal.contains("is read"), "{refusal}");
        let refusal = check_output(&path, &[]).expect_err("it may be included").to_string();
        assert!(refusal.contains("name of a source file"), "{refusal}");
        let path = folder.path().join("a.json");
        std::fs::write(&path, "{}").expect("to write");
        check_output(&path, &[]).expect("to be writable");
        let folder_itself = check_output(&folder.path().join("none/b"), &[]);
        assert!(folder_itself.is_err(), "there is no such folder");
        assert!(check_output(folder.path(), &[]).is_err(), "it is a folder");
        let somebodys = folder.path().join("a.json.new");
        std::fs::write(&somebodys, "kept").expect("to write");
        check_output(&path, &[]).expect("to be writable");
        assert_eq!(std::fs::read_to_string(&somebodys).expect("to read"), "kept");
        write_output(&path, None).expect("to remove");
        assert!(!path.exists());
        write_output(&path, None).expect("nothing to do");
    }
}
