//! Which boards there are, and what cannot be searched on one.

use super::{NAMES, job_file};
use crate::CheckOptions;
use crate::error::InputError;
use crate::plan::{Algorithm, BoundName, Plan};
use norn_board::{Board, Directory};
use std::io;
use std::path::Path;
use std::time::Duration;

/// The board at a place, which is made if it is not there.
pub(super) fn open(place: &Path, name: &str, patience: Duration) -> io::Result<Box<dyn Board>> {
    if let Some(address) = address(place) {
        return server(address, name, patience, true);
    }
    Ok(Box::new(Directory::open(place, name, patience)?))
}

/// The same, whether it is there or not.
pub(super) fn at(place: &Path, name: &str, patience: Duration) -> io::Result<Box<dyn Board>> {
    if let Some(address) = address(place) {
        return server(address, name, patience, false);
    }
    Ok(Box::new(Directory::at(place, name, patience)))
}

fn address(place: &Path) -> Option<&str> {
    let schemes = ["nats://", "tls://"];
    place.to_str().filter(|text| schemes.iter().any(|scheme| text.starts_with(scheme)))
}

#[cfg(feature = "nats")]
fn server(address: &str, name: &str, patience: Duration, make: bool) -> io::Result<Box<dyn Board>> {
    use norn_board::{Address, Nats};
    let address = Address::parse(address)?;
    let board = if make { Nats::open } else { Nats::at }(&address, name, patience)?;
    Ok(Box::new(board))
}

#[cfg(not(feature = "nats"))]
fn server(_: &str, _: &str, _: Duration, _: bool) -> io::Result<Box<dyn Board>> {
    let why = "this norn was built without NATS; build it with `cargo build --features nats`, or use a directory";
    Err(io::Error::new(io::ErrorKind::Unsupported, why))
}

/// Removes a board.
pub(super) fn remove(board: &dyn Board) -> io::Result<()> {
    let mut generation = 0;
    while board.exists(&job_file(generation))? {
        generation += 1;
    }
    let jobs: Vec<String> = (0..generation).map(job_file).collect();
    // Whoever looks first sees that nothing is posted.
    let names = jobs.iter().rev().map(String::as_str).chain(NAMES);
    board.remove(&names.collect::<Vec<_>>())
}

/// Refuses what cannot be searched by several processes.
pub(crate) fn refuse(options: &CheckOptions, plan: &Plan) -> Result<(), InputError> {
    let why = if plan.algorithm() != Algorithm::Trust {
        let name = plan.algorithm().name();
        format!(
            "--board: the parts of a search by {name} learn from each other; use --algorithm trust"
        )
    } else if plan.bound() == Some(BoundName::Auto) {
        "--board searches up to one bound; give --bound a number".to_owned()
    } else if matches!(options.model, crate::ModelChoice::File(_)) {
        "--board needs a model that is built in".to_owned()
    } else if options.libraries.iter().any(crate::LibraryChoice::is_file) {
        "--board needs libraries that come with norn".to_owned()
    } else if options.max_executions.is_some() {
        "--board does not count executions to a limit; use --timeout".to_owned()
    } else if options.checkpoint.is_some() {
        "--board keeps the search in the directory; leave --checkpoint out".to_owned()
    } else if options.profile {
        "--profile counts where one process branches; leave it out with --board".to_owned()
    } else if options.files.iter().any(|file| crate::litmus::is_test(file)) {
        "--board is for programs; a litmus test is too small to need it".to_owned()
    } else {
        return Ok(());
    };
    Err(InputError::Refused(why))
}
