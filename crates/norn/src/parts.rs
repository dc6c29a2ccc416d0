//! Splitting a saved search into parts that go their own ways, and putting them together again: for batch systems and
//! CI, where there is no directory that all see.
//!
//! A part is a checkpoint itself. It says which part of which split it is, so that none is forgotten and none counts
//! twice; whoever goes on with it is never told that the program is correct, since nobody looked at the other parts.

use crate::error::InputError;
use crate::files::{check_output, checksum};
use crate::model::PlannedModel;
use crate::plan::{Algorithm, BoundName, Plan};
use crate::program::Endings;
use crate::resume::SavedCheck;
use crate::store::{Kept, Part};
use norn_explore::Frontier;
use serde_json::value::RawValue;
use std::path::{Path, PathBuf};

type Tasks = Frontier<Box<RawValue>>;

/// Splits a checkpoint into so many parts; their files, beside it or in `folder`.
pub fn split(path: &Path, count: u32, folder: Option<&Path>) -> Result<Vec<PathBuf>, InputError> {
    let kept: Kept<SavedCheck> = Kept::read(path)?;
    if kept.part.is_some() {
        return Err(
            kept.refused("it is a part itself; merge all parts, and split what comes of it".into())
        );
    }
    travels(&kept)?;
    let split = checksum(&kept.frontier);
    let dealt = frontier(&kept)?.deal(count as usize).into_iter();
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let folder = folder.or(path.parent()).unwrap_or(Path::new(""));
    let mut files = Vec::new();
    for (number, frontier) in (1..).zip(dealt) {
        let file = folder.join(format!("{name}.{number}"));
        check_output(&file, &[])?;
        let is_first = number == 1;
        let part = Kept {
            part: Some(Part { split: split.clone(), number, of: count }),
            frontier: text(&frontier),
            seen: if is_first { kept.seen.clone() } else { text(&Endings::default()) },
            seconds: if is_first { kept.seconds } else { 0.0 },
            ..kept.clone()
        };
        part.write(&file)?;
        files.push(file);
    }
    Ok(files)
}

/// Puts all parts of a checkpoint together; how many tasks are left, and how many executions there were.
pub fn merge(paths: &[PathBuf], output: &Path) -> Result<(usize, u64), InputError> {
    let refuse = |path: &Path, why: String| InputError::Checkpoint { path: path.to_owned(), why };
    let mut parts: Vec<(Part, &PathBuf, Kept<SavedCheck>)> = Vec::new();
    for path in paths {
        let kept: Kept<SavedCheck> = Kept::read(path)?;
        let Some(part) = kept.part.clone() else {
            return Err(refuse(path, "it is a whole search, and no part of one".into()));
        };
        if let Some((other, first, whole)) = parts.first()
            && (other.split != part.split || whole.program != kept.program)
        {
            return Err(refuse(
                path,
                format!("it is not of the same split as {}", first.display()),
            ));
        }
        if let Some((_, twin, _)) = parts.iter().find(|(other, ..)| other.number == part.number) {
            return Err(refuse(path, format!("{} is the same part", twin.display())));
        }
        parts.push((part, path, kept));
    }
    parts.sort_by_key(|(part, ..)| part.number);
    let Some((Part { of, .. }, first, whole)) = parts.first() else {
        return Err(InputError::Refused("no file is given; name all parts of a split".into()));
    };
    let is_here = |number: u32| parts.iter().any(|(part, ..)| part.number == number);
    let missing: Vec<String> =
        (1..=*of).filter(|&number| !is_here(number)).map(|number| number.to_string()).collect();
    if !missing.is_empty() {
        return Err(refuse(
            first,
            format!("of {of} parts, these are missing: {}", missing.join(", ")),
        ));
    }
    check_output(output, &[])?;
    let (mut seen, mut seconds, mut frontiers) = (Endings::default(), 0.0, Vec::new());
    for (_, path, kept) in &parts {
        let damaged = |error| refuse(path, format!("it is damaged ({error})"));
        seen.add(&serde_json::from_str(&kept.seen).map_err(damaged)?);
        seconds += kept.seconds;
        frontiers.push(frontier(kept)?);
    }
    let merged = Frontier::merge(frontiers, whole.check.keeps_going()).map_err(|_| {
        let why = "two parts met threads that the search had not met before it was split, each in an order of its \
                   own; let the check run for longer before it is split";
        refuse(first, why.to_owned())
    })?;
    let (seen, frontier) = (text(&seen), text(&merged));
    Kept { part: None, seen, seconds, frontier, ..whole.clone() }.write(output)?;
    Ok((merged.tasks(), merged.executions()))
}

fn frontier(kept: &Kept<SavedCheck>) -> Result<Tasks, InputError> {
    let damaged = |error| kept.refused(format!("it is damaged ({error})"));
    serde_json::from_str(&kept.frontier).map_err(damaged)
}

fn text(what: &impl serde::Serialize) -> String {
    serde_json::to_string(what).expect("all of it can be written")
}

/// Refuses a search whose tasks must stay together.
fn travels(kept: &Kept<SavedCheck>) -> Result<(), InputError> {
    let options = kept.check.options().map_err(|why| kept.refused(why))?;
    let model = PlannedModel::load(&options.model, &options.libraries)?;
    let plan = Plan::new(model, options.algorithm, options.bound)?;
    let plan = plan.after(&kept.lessons, options.algorithm);
    if plan.bound() == Some(BoundName::Auto) {
        return Err(kept.refused(
            "a split search goes up to one bound; check with a number for --bound".into(),
        ));
    }
    let algorithm = plan.algorithm();
    if algorithm != Algorithm::Trust {
        let name = algorithm.name();
        return Err(kept.refused(format!(
            "the parts of a search by {name} learn from each other; check with --algorithm trust to split it"
        )));
    }
    Ok(())
}
