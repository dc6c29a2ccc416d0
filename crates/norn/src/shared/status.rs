//! `norn status` and `norn cancel`.

use super::place;
use super::{Status, own_name, posted, unreadable};
use crate::error::InputError;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

/// How far the search on a board is, in some lines of text; none if nothing is posted there.
pub fn status(directory: &Path) -> Result<Option<String>, InputError> {
    let cannot = |cause| unreadable(directory, cause);
    let mut board = place::at(directory, &own_name(), Duration::ZERO).map_err(cannot)?;
    let Some(posted) = posted(board.as_ref(), directory)? else { return Ok(None) };
    board.set_patience(posted.lease);
    let status = board.read("status").map_err(cannot)?;
    let status: Status =
        status.and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default();
    let files: Vec<_> = posted.sources.iter().map(|(file, _)| file.display().to_string()).collect();
    let age = board.age("coordinator").map_err(cannot)?;
    let coordinator = match age {
        Some(age) if age < posted.lease => "is there",
        _ => "is away; the same `norn check` goes on",
    };
    let offers = board.offers().map_err(cannot)?;
    let at_work: Vec<_> = offers.iter().filter(|offer| !offer.is_free(posted.lease)).collect();
    let hungry = board.hungry().map_err(cannot)?;
    let rate = status.executions as f64 / status.seconds.max(0.001);
    let mut text = String::new();
    let _ = writeln!(text, "program      {}", files.join(" "));
    let _ = writeln!(text, "coordinator  {coordinator}");
    let _ = writeln!(
        text,
        "executions   {} and {} blocked, {rate:.0} per second since the coordinator started",
        status.executions, status.blocked
    );
    let _ =
        writeln!(text, "open         {} bundles; {} records so far", status.open, status.records);
    let _ = writeln!(text, "workers      {} at work, {} waiting", at_work.len(), hungry);
    let oldest = at_work.iter().filter_map(|offer| offer.silent).max();
    if let Some(oldest) = oldest {
        let _ = writeln!(text, "longest silent for {:.1} s", oldest.as_secs_f64());
    }
    for (worker, executions) in &status.workers {
        let _ = writeln!(text, "  {worker}: {executions} executions");
    }
    board.tidy().map_err(cannot)?;
    Ok(Some(text))
}

/// Ends the search on a board: tells its coordinator, or removes the board if there is none.
pub fn cancel(directory: &Path) -> Result<bool, InputError> {
    let cannot = |cause| InputError::Unwritable { path: directory.to_owned(), cause };
    let board = place::at(directory, &own_name(), Duration::ZERO).map_err(cannot)?;
    let lease = match posted(board.as_ref(), directory) {
        Ok(Some(posted)) => posted.lease,
        Ok(None) => return Ok(false),
        // A board of another version can be ended too.
        Err(InputError::Board { .. }) => Duration::ZERO,
        Err(error) => return Err(error),
    };
    let age = board.age("coordinator").map_err(cannot)?;
    if age.is_some_and(|age| age < lease) {
        board.replace("cancel", b"cancel").map_err(cannot)?;
        let patience = 2 * lease.max(Duration::from_secs(1));
        let began = std::time::Instant::now();
        while began.elapsed() < patience {
            let is_there = board.exists("coordinator").map_err(cannot)?;
            if !is_there {
                break;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }
    place::remove(board.as_ref()).map_err(cannot)?;
    Ok(true)
}
