//! Results of checks that are kept, so that nothing that has not changed is checked again.
//!
//! A result stands as long as these are what they were: the tool, the compiler, the options, the file, and the headers
//! that the compiler read, which it lists for `make`. A header may also begin to be found in another place: what has
//! the name of one that was read, in a folder in which headers are looked for, is a part of the result, too. Where a
//! file asks whether a header is there (`__has_include`), or an option names a file, nothing is kept, nor is an
//! inconclusive result, which may depend on time and memory, or one of files that were changed during the check.

use super::{Runner, Test};
use crate::error::InputError;
use crate::files::{Sealed, checksum, fingerprint};
use norn_frontend::clang::{Clang, is_own_header};
use norn_report::{Report, Verdict};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, SystemTime};

/// A result that is kept.
#[derive(Serialize, Deserialize)]
struct KeptResult {
    /// Of the tool, the compiler and the file.
    key: String,
    /// The headers, each with its checksum.
    headers: Vec<(PathBuf, String)>,
    /// Files with the name of a header in other places where headers are looked for.
    namesakes: Vec<PathBuf>,
    report: Report,
}

const KEPT: Sealed = Sealed {
    name: "test result",
    key: "norn_test",
    format: 1,
    remedy: "it is made again",
    refuse: |path, why| InputError::Refused(format!("{}: {why}", path.display())),
};

/// Where compilers look for headers without being told.
const USUAL: [&str; 2] = ["/usr/local/include", "/usr/include"];
/// Flags and variables that name folders of headers.
const FLAGS: [&str; 4] = ["-I", "-iquote", "-isystem", "-idirafter"];
const VARIABLES: [&str; 3] = ["CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"];
/// File systems round times down to less than this.
const GRAIN: Duration = Duration::from_millis(10);

/// The results that are kept.
pub(super) struct Cache {
    folder: PathBuf,
    cflags: Vec<String>,
    /// What all results depend on.
    tool: String,
    /// Checksums of headers that were looked at: tests share most of them.
    sums: Mutex<HashMap<PathBuf, Option<String>>>,
}

impl Cache {
    pub(super) fn new(folder: &Path, runner: &Runner) -> Cache {
        let about =
            |path: &Path| path.metadata().and_then(|file| Ok((file.len(), file.modified()?))).ok();
        let clang = Clang::new(runner.clang.as_deref(), &[]).version();
        let variables = VARIABLES.map(std::env::var_os);
        let tool = (env!("CARGO_PKG_VERSION"), about(&runner.norn), clang, variables);
        Cache {
            folder: folder.to_owned(),
            cflags: runner.cflags.clone(),
            tool: fingerprint(&tool),
            sums: Mutex::default(),
        }
    }

    /// Where the result of a test is kept: the next one takes its place.
    fn place(&self, test: &Test) -> PathBuf {
        let path = test.path.canonicalize().unwrap_or_else(|_| test.path.clone());
        let what = (path, &test.path, &test.expectation.options, &self.cflags);
        self.folder.join(fingerprint(&what) + ".json")
    }

    /// What the result of a test depends on, apart from headers. None if it cannot be kept.
    pub(super) fn key(&self, test: &Test) -> Option<String> {
        let mut words = test.expectation.options.iter().chain(&self.cflags);
        if words.any(|word| names_file(word)) {
            return None;
        }
        let content = std::fs::read(&test.path).ok()?;
        Some(fingerprint(&(&self.tool, checksum(content))))
    }

    /// What is known of a test of which nothing has changed.
    pub(super) fn report(&self, test: &Test) -> Option<Report> {
        let key = self.key(test)?;
        let text = KEPT.read(&self.place(test)).ok()?;
        let kept: KeptResult = serde_json::from_str(&text).ok()?;
        let is_same = |(path, sum): &(PathBuf, String)| self.sum(path).as_ref() == Some(sum);
        let is_known = key == kept.key
            && kept.headers.iter().all(is_same)
            && kept.namesakes == self.namesakes(test, &kept.headers);
        is_known.then_some(kept.report)
    }

    /// Keeps the result of a check that `began` with this key, and read the headers that are listed in a file. A result
    /// that cannot be kept is made again.
    pub(super) fn keep(
        &self,
        test: &Test,
        key: String,
        began: SystemTime,
        headers: Option<&PathBuf>,
        report: &Report,
    ) {
        let headers = match headers {
            Some(list) => self.headers(list, began - GRAIN),
            None => Some(Vec::new()),
        };
        let Some(headers) = headers.filter(|_| report.verdict != Verdict::Inconclusive) else {
            return;
        };
        let namesakes = self.namesakes(test, &headers);
        let kept = KeptResult { key, headers, namesakes, report: report.clone() };
        if std::fs::create_dir_all(&self.folder).is_ok() {
            drop(KEPT.write(&self.place(test), &kept));
        }
    }

    fn sum(&self, path: &Path) -> Option<String> {
        let known = self.sums.lock().expect("nobody panics").get(path).cloned();
        known.unwrap_or_else(|| {
            let sum = std::fs::read(path).ok().map(checksum);
            self.sums.lock().expect("nobody panics").insert(path.to_owned(), sum.clone());
            sum
        })
    }

    /// The headers that a compiler read, from what it wrote for `make`. None if they are not known, or one was changed
    /// after a time. The tool's own headers are there only while it compiles, and change with it.
    fn headers(&self, list: &Path, latest: SystemTime) -> Option<Vec<(PathBuf, String)>> {
        let text = std::fs::read_to_string(list).ok()?;
        let mut headers = Vec::new();
        for path in listed(&text)?.into_iter().filter(|path| !is_own_header(path)) {
            let sum = self.sum(&path)?;
            let is_old = path.metadata().and_then(|file| file.modified()).ok()? < latest;
            let is_installed = path.starts_with("/usr");
            if !is_old || !is_installed && asks(&std::fs::read(&path).ok()?) {
                return None;
            }
            headers.push((path, sum));
        }
        Some(headers)
    }

    /// The files that have the name of a header, with up to two folders, in a place where headers are looked for.
    fn namesakes(&self, test: &Test, headers: &[(PathBuf, String)]) -> Vec<PathBuf> {
        let read: BTreeSet<&Path> = headers.iter().map(|(path, _)| path.as_path()).collect();
        let mut folders: BTreeSet<PathBuf> = USUAL.iter().map(PathBuf::from).collect();
        folders.extend(read.iter().filter_map(|path| path.parent().map(Path::to_owned)));
        for word in test.expectation.options.iter().chain(&self.cflags) {
            let folder = FLAGS.iter().find_map(|flag| word.strip_prefix(flag)).unwrap_or(word);
            folders.insert(folder.into());
        }
        for variable in VARIABLES.iter().filter_map(std::env::var_os) {
            folders.extend(std::env::split_paths(&variable));
        }
        folders.retain(|folder| folder.as_os_str().is_empty() || folder.is_dir());
        let mut found = BTreeSet::new();
        for path in &read {
            let parts: Vec<_> = path.components().collect();
            for count in 1..=parts.len().min(3) {
                let name: PathBuf = parts[parts.len() - count..].iter().collect();
                let namesakes = folders.iter().map(|folder| folder.join(&name));
                found.extend(namesakes.filter(|one| !read.contains(one.as_path()) && one.exists()));
            }
        }
        found.into_iter().collect()
    }
}

/// Whether an option names a file: `my.cat`, `--model=my.cat`, `my.lib:lock=take`, `@flags`.
fn names_file(option: &str) -> bool {
    let value = if option.starts_with('-') {
        option.split_once('=').map_or(option, |(_, value)| value)
    } else {
        option
    };
    let file = value.rsplit_once(':').map_or(value, |(file, _)| file);
    Path::new(value).is_file() || Path::new(file).is_file() || value.starts_with('@')
}

/// Whether a text asks whether there is a header.
fn asks(content: &[u8]) -> bool {
    content.windows(13).any(|window| window == b"__has_include")
}

/// The names in a rule for `make`, in which spaces, `#` and `$` have a mark in front of them.
fn listed(text: &str) -> Option<Vec<PathBuf>> {
    let (_, names) = text.split_once(": ")?;
    let mut all = vec![String::new()];
    let mut characters = names.chars().peekable();
    while let Some(character) = characters.next() {
        let marked = match character {
            '\\' => characters.next_if(|next| matches!(next, ' ' | '#' | '\n')),
            '$' => characters.next_if_eq(&'$'),
            _ => None,
        };
        match marked.unwrap_or(character) {
            ' ' if marked.is_none() => all.push(String::new()),
            '\n' => all.push(String::new()),
            plain => all.last_mut()?.push(plain),
        }
    }
    Some(all.into_iter().filter(|name| !name.is_empty()).map(PathBuf::from).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_read_as_the_compiler_writes_them() {
        let text = "x.o: a\\ b.h \\\n  /usr/include/c.h d\\#.h e$$f.h g\\h.h\n";
        let names = ["a b.h", "/usr/include/c.h", "d#.h", "e$f.h", "g\\h.h"].map(PathBuf::from);
        assert_eq!(listed(text), Some(names.to_vec()));
        assert_eq!(listed(""), None);
    }

    #[test]
    fn questions_for_headers_are_seen() {
        assert!(asks(b"#if __has_include(\"x.h\")"));
        assert!(!asks(b"#include \"x.h\""));
    }
}
