//! A board in a directory that all processes see, on one machine or by a network file system.
//!
//! Whatever must not be seen half is written to a file of its own first. What must be the first gets its name by
//! `link(2)`, which fails if the name is taken, also on NFS; what replaces something gets its name by `rename(2)`.
//!
//! | name | what it is |
//! |---|---|
//! | `queue/ID` | a bundle that is offered |
//! | `lease/ID.N` | the `N`-th claim of it (from 1): who claimed it. Written again with each beat |
//! | `done/ID` | its record |
//! | other names | what the search keeps there |
//! | `hungry/WORKER` | a worker that found nothing to do, written again while it waits |
//! | `clock/NAME` | written to know what time it is where the files are |
//! | `new/…` | what is being written |
//!
//! Clocks of machines differ, so the age of a file is never compared with the clock of a process: who wants to know it
//! writes a file of his own in the same directory and compares the two times, which the same server gave.

use crate::{Board, DEATHS, Lease, Offer, existing};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

const FOLDERS: [&str; 6] = ["queue", "lease", "done", "hungry", "clock", "new"];

/// A worker that waits says so much more often than that.
const HUNGRY: Duration = Duration::from_secs(2);
/// How often it is tried to remove a folder that others still write to, and how long is waited in between.
const REMOVALS: u32 = 100;
const PAUSE: Duration = Duration::from_millis(20);

/// The board.
#[derive(Debug)]
pub struct Directory {
    path: PathBuf,
    /// What tells this process from all others.
    name: String,
    /// How long a worker may be silent before somebody else takes its bundle.
    patience: Duration,
    written: AtomicU64,
}

impl Directory {
    /// The board in a directory, which is made if it is not there. `name` tells this process from all others.
    pub fn open(path: &Path, name: &str, patience: Duration) -> io::Result<Directory> {
        for folder in FOLDERS {
            fs::create_dir_all(path.join(folder))?;
        }
        Ok(Directory::at(path, name, patience))
    }

    /// The same, of a directory that is there or not.
    pub fn at(path: &Path, name: &str, patience: Duration) -> Directory {
        let (path, name) = (path.to_owned(), name.to_owned());
        Directory { path, name, patience, written: AtomicU64::new(0) }
    }

    fn file(&self, folder: &str, name: &str) -> PathBuf {
        self.path.join(folder).join(name)
    }

    /// Writes a file that nobody looks at.
    fn write_beside(&self, content: &[u8]) -> io::Result<PathBuf> {
        let number = self.written.fetch_add(1, Ordering::Relaxed);
        let path = self.file("new", &format!("{}-{number}", self.name));
        let write = || {
            let mut file = fs::File::create(&path)?;
            file.write_all(content)?;
            file.sync_data()
        };
        match write() {
            Ok(()) => Ok(path),
            Err(error) => {
                // Half of it would take room where there is none.
                let _ = fs::remove_file(&path);
                Err(error)
            }
        }
    }

    /// What time it is where the files are.
    fn now(&self) -> io::Result<SystemTime> {
        let path = self.file("clock", &self.name);
        fs::write(&path, b".")?;
        fs::metadata(&path)?.modified()
    }

    /// How long ago each file of a folder was written.
    fn ages(&self, folder: &str) -> io::Result<Vec<(String, Duration)>> {
        let now = self.now()?;
        let mut ages = Vec::new();
        for entry in fs::read_dir(self.path.join(folder))? {
            let entry = entry?;
            let Some(there) = existing(entry.metadata().and_then(|data| data.modified()))? else {
                continue;
            };
            let name = entry.file_name().to_string_lossy().into_owned();
            ages.push((name, between(there, now)));
        }
        ages.sort();
        Ok(ages)
    }

    fn names(&self, folder: &str) -> io::Result<Vec<String>> {
        let entries = fs::read_dir(self.path.join(folder))?;
        let name =
            |entry: io::Result<fs::DirEntry>| Ok(entry?.file_name().to_string_lossy().into());
        let mut names = entries.map(name).collect::<io::Result<Vec<String>>>()?;
        names.sort();
        Ok(names)
    }

    /// The last claim of each bundle: how many there were, and how long it has been silent.
    fn leases(&self) -> io::Result<BTreeMap<String, (u32, Duration)>> {
        let mut leases = BTreeMap::new();
        for (name, age) in self.ages("lease")? {
            if let Some((id, number)) = name.rsplit_once('.')
                && let Ok(number) = number.parse::<u32>()
            {
                let last = leases.entry(id.to_owned()).or_insert((number, age));
                *last = (number, age).max(*last);
            }
        }
        Ok(leases)
    }
}

impl Board for Directory {
    fn put(&self, id: &str, bundle: &[u8]) -> io::Result<()> {
        self.create(&format!("queue/{id}"), bundle).map(drop)
    }

    fn claim(&self, worker: &str) -> io::Result<Option<(Lease, Vec<u8>)>> {
        for Offer { id, attempts, silent, .. } in self.offers()? {
            if silent.is_some_and(|silent| silent <= self.patience) || attempts >= DEATHS {
                continue;
            }
            if self.file("done", &id).exists() {
                self.withdraw(&id)?;
                continue;
            }
            let attempt = attempts + 1;
            if !self.create(&format!("lease/{id}.{attempt}"), worker.as_bytes())? {
                continue;
            }
            if let Some(bundle) = self.read(&format!("queue/{id}"))? {
                return Ok(Some((Lease { id, attempt, worker: worker.to_owned() }, bundle)));
            }
            // It was done in the meantime.
            existing(fs::remove_file(self.file("lease", &format!("{id}.{attempt}"))))?;
        }
        Ok(None)
    }

    fn beat(&self, lease: &Lease) -> io::Result<()> {
        let Lease { id, attempt, worker } = lease;
        if self.file("lease", &format!("{id}.{}", attempt + 1)).exists() {
            return Err(io::Error::new(ErrorKind::NotFound, "somebody else has it"));
        }
        let path = self.file("lease", &format!("{id}.{attempt}"));
        let mut file = fs::OpenOptions::new().write(true).open(path)?;
        file.write_all(worker.as_bytes())
    }

    fn commit(&self, id: &str, record: &[u8]) -> io::Result<bool> {
        self.create(&format!("done/{id}"), record)
    }

    fn record(&self, id: &str) -> io::Result<Option<Vec<u8>>> {
        self.read(&format!("done/{id}"))
    }

    fn records(&self, is_wanted: &dyn Fn(&str) -> bool) -> io::Result<Vec<(String, Vec<u8>)>> {
        let mut records = Vec::new();
        for id in self.names("done")?.into_iter().filter(|id| is_wanted(id)) {
            if let Some(record) = self.record(&id)? {
                records.push((id, record));
            }
        }
        Ok(records)
    }

    fn withdraw(&self, id: &str) -> io::Result<()> {
        existing(fs::remove_file(self.file("queue", id)))?;
        for attempt in 1..=DEATHS {
            let lease = self.file("lease", &format!("{id}.{attempt}"));
            if existing(fs::remove_file(lease))?.is_none() {
                break;
            }
        }
        Ok(())
    }

    fn offers(&self) -> io::Result<Vec<Offer>> {
        let leases = self.leases()?;
        let mut offers = Vec::new();
        for id in self.names("queue")? {
            let last = leases.get(&id).copied();
            let (attempts, silent) = last.map_or((0, None), |(number, age)| (number, Some(age)));
            let worker = match attempts {
                0 => None,
                _ => self.read(&format!("lease/{id}.{attempts}"))?,
            };
            let worker = worker.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
            offers.push(Offer { id, attempts, worker, silent });
        }
        Ok(offers)
    }

    fn forget(&self, id: &str) -> io::Result<()> {
        existing(fs::remove_file(self.file("done", id))).map(drop)
    }

    fn create(&self, name: &str, content: &[u8]) -> io::Result<bool> {
        let target = self.path.join(name);
        if target.exists() {
            return Ok(false);
        }
        let beside = self.write_beside(content)?;
        let linked = fs::hard_link(&beside, &target);
        // A server that did it may have been asked twice, and says then that the name is taken.
        let is_done = linked.is_ok() || links(&beside) == 2;
        let _ = fs::remove_file(&beside);
        match linked {
            Err(error) if !is_done && error.kind() != ErrorKind::AlreadyExists => Err(error),
            _ => Ok(is_done),
        }
    }

    fn replace(&self, name: &str, content: &[u8]) -> io::Result<()> {
        let beside = self.write_beside(content)?;
        fs::rename(beside, self.path.join(name))
    }

    fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        existing(fs::read(self.path.join(name)))
    }

    fn age(&self, name: &str) -> io::Result<Option<Duration>> {
        let there = existing(fs::metadata(self.path.join(name)).and_then(|data| data.modified()))?;
        let Some(there) = there else { return Ok(None) };
        Ok(Some(between(there, self.now()?)))
    }

    fn discard(&self, name: &str) -> io::Result<()> {
        existing(fs::remove_file(self.path.join(name))).map(drop)
    }

    fn set_hungry(&self, worker: &str, is_hungry: bool) -> io::Result<()> {
        let path = self.file("hungry", worker);
        if is_hungry {
            return fs::write(path, b".");
        }
        existing(fs::remove_file(path)).map(drop)
    }

    fn hungry(&self) -> io::Result<usize> {
        let ages = self.ages("hungry")?;
        let recent = HUNGRY.min(self.patience);
        Ok(ages.into_iter().filter(|(_, age)| *age <= recent).count())
    }

    fn is_short(&self) -> io::Result<bool> {
        Ok(self.hungry()? > 0 && !self.offers()?.iter().any(|offer| offer.is_free(self.patience)))
    }

    fn exists(&self, name: &str) -> io::Result<bool> {
        fs::exists(self.path.join(name))
    }

    fn set_patience(&mut self, patience: Duration) {
        self.patience = patience;
    }

    fn may_return(&self) -> bool {
        false
    }

    fn restore(&self) -> io::Result<()> {
        Err(io::Error::new(ErrorKind::NotFound, "somebody has removed the directory"))
    }

    // Who has not seen yet that it goes may write something meanwhile, so it is tried for a while. The directory itself
    // stays if there is something else in it.
    fn remove(&self, files: &[&str]) -> io::Result<()> {
        for name in files {
            existing(fs::remove_file(self.path.join(name)))?;
        }
        for folder in FOLDERS {
            let mut tries = 0;
            while let Err(error) = existing(fs::remove_dir_all(self.path.join(folder))) {
                tries += 1;
                if error.kind() != ErrorKind::DirectoryNotEmpty || tries > REMOVALS {
                    return Err(error);
                }
                std::thread::sleep(PAUSE);
            }
        }
        match fs::remove_dir(&self.path) {
            Err(error) if error.kind() == ErrorKind::DirectoryNotEmpty => Ok(()),
            done => existing(done).map(drop),
        }
    }

    fn tidy(&self) -> io::Result<()> {
        existing(fs::remove_file(self.file("clock", &self.name))).map(drop)
    }
}

/// How far two times are apart. What was written in the future was written before the clock was set back: whoever is
/// alive writes it again.
fn between(one: SystemTime, other: SystemTime) -> Duration {
    one.duration_since(other).unwrap_or_else(|error| error.duration())
}

/// How many names a file has.
#[cfg(unix)]
fn links(path: &Path) -> u64 {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).map_or(0, |data| data.nlink())
}

#[cfg(not(unix))]
fn links(_: &Path) -> u64 {
    0
}
