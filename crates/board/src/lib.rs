//! How several processes, on several machines, share one search.
//!
//! The work is in **bundles**, which are bytes to this crate, each with an id. A worker claims a bundle, works on it
//! for a while, and commits one **record** for it: what it counted and found, and the bundles that are left of it. The
//! coordinator folds records into a sum and a set of open bundles ([`Fold`]). What is searched, and how, this crate
//! does not know.
//!
//! What everything rests on:
//!
//! 1. *The first record for an id counts, and no other.* A board promises that of [`Board::commit`], and nothing else
//!    has to be exact.
//! 2. *A bundle that is left gets its id from the attempt that left it* (`<attempt>-<number>`, where attempts are told
//!    apart by chance), never from its place in the search: who does a bundle again may leave other parts of it.
//!    Workers do not offer these bundles themselves. They are in the record alone, so an attempt whose record came
//!    second leaves no trace.
//! 3. *The fold takes a record only for a bundle that is open*, and opens those that the record leaves. So after every
//!    step the sum, and whatever is found below the open bundles, is the whole search, however often records are
//!    repeated, late, or seen in another order than they were made in. A record whose bundle is not open yet comes up
//!    again later: the fold waits for its parent.
//! 4. *Queue, leases, orders and removals are matters of speed alone.* A lease says that somebody seems to be at work;
//!    if two are at work on one bundle, the one who commits second has worked in vain. What is missing in the queue is
//!    put there again, for as long as its bundle is open.
//!
//! A coordinator that starts again folds the records from the start, or from a copy of the fold that it kept: records
//! that were folded before are of bundles that are no longer open, and are ignored.
//!
//! A bundle that ends the life of whoever works on it would do so for ever. After [`DEATHS`] leases that ended without
//! a record, the coordinator commits a record itself, which says that the bundle is set aside.

mod directory;
mod fold;
#[cfg(feature = "nats")]
mod nats;

pub use directory::Directory;
pub use fold::{Fold, Left, Record, Sum};
#[cfg(feature = "nats")]
pub use nats::{Address, Nats};

use std::io;
use std::time::Duration;

/// How many attempts at a bundle may end without a record.
pub const DEATHS: u32 = 5;

/// Where bundles, records, orders and whatever else a search needs lie. All methods may be called by any process at any
/// time. An error of the kind [`io::ErrorKind::NotFound`] says that the board is not there any more.
pub trait Board: Send + Sync {
    /// Offers a bundle. One that is there stays as it is.
    fn put(&self, id: &str, bundle: &[u8]) -> io::Result<()>;

    /// Takes a bundle that nobody seems to work on. None if there is none.
    fn claim(&self, worker: &str) -> io::Result<Option<(Lease, Vec<u8>)>>;

    /// Says that the work goes on. An error if the bundle was given to somebody else since.
    fn beat(&self, lease: &Lease) -> io::Result<()>;

    /// Makes this the record of an id, unless there is one. Whether it was made.
    fn commit(&self, id: &str, record: &[u8]) -> io::Result<bool>;

    /// The record of an id.
    fn record(&self, id: &str) -> io::Result<Option<Vec<u8>>>;

    /// The records that are there and `is_wanted`, by their ids, in any order.
    fn records(&self, is_wanted: &dyn Fn(&str) -> bool) -> io::Result<Vec<(String, Vec<u8>)>>;

    /// Forgets a record: its bundle is not open, and whoever folds has kept what it said.
    fn forget(&self, id: &str) -> io::Result<()>;

    /// The bundle needs no worker any more.
    fn withdraw(&self, id: &str) -> io::Result<()>;

    /// The bundles that are offered: how long ago somebody last said that he works on it, and how many tried before.
    fn offers(&self) -> io::Result<Vec<Offer>>;

    /// Says that a worker waits, or that it does no longer.
    fn set_hungry(&self, worker: &str, is_hungry: bool) -> io::Result<()>;

    /// How many workers wait.
    fn hungry(&self) -> io::Result<usize>;

    /// Whether somebody waits and nothing is there for him.
    fn is_short(&self) -> io::Result<bool>;

    /// Makes this the content of a name that has none; whether it was made.
    fn create(&self, name: &str, content: &[u8]) -> io::Result<bool>;

    /// Replaces the content of a name.
    fn replace(&self, name: &str, content: &[u8]) -> io::Result<()>;

    /// The content of a name.
    fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>>;

    /// Whether a name has content.
    fn exists(&self, name: &str) -> io::Result<bool>;

    /// How long ago the content of a name was written; none if it has none.
    fn age(&self, name: &str) -> io::Result<Option<Duration>>;

    /// Takes the content of a name away.
    fn discard(&self, name: &str) -> io::Result<()>;

    /// From now on, a worker may be silent for so long.
    fn set_patience(&mut self, patience: Duration);

    /// Whether a board that is not there may have been lost, and be made again.
    fn may_return(&self) -> bool;

    /// Makes a board that was lost anew, with nothing on it. An error if that cannot happen by itself.
    fn restore(&self) -> io::Result<()>;

    /// Removes everything that a board consists of, with these names.
    fn remove(&self, names: &[&str]) -> io::Result<()>;

    /// Removes what only this process needed.
    fn tidy(&self) -> io::Result<()>;
}

/// What a worker holds while it works on a bundle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// The id of the bundle.
    pub id: String,
    /// How many have claimed it, with this one.
    pub attempt: u32,
    /// Who holds it.
    pub worker: String,
}

/// A bundle that is offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// Its id.
    pub id: String,
    /// How many have claimed it.
    pub attempts: u32,
    /// Who did last.
    pub worker: Option<String>,
    /// How long ago that one last said that he works on it.
    pub silent: Option<Duration>,
}

impl Offer {
    /// Whether nobody seems to work on it, if a worker may be silent for so long.
    pub fn is_free(&self, patience: Duration) -> bool {
        self.silent.is_none_or(|silent| silent > patience)
    }
}

/// What is not there is none.
fn existing<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
