//! The programs of `tests/differential`: every way of searching finds the same.

use norn_differential::{Found, Search, Subject};
use norn_models::ModelName;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Only so that a search that does not end is noticed: the longest takes seconds on a machine with nothing else
/// to do.
const PATIENCE: Duration = Duration::from_secs(300);

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/differential");
    let entries = std::fs::read_dir(folder).expect("the folder of programs");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files
}

/// What all searches must agree on.
fn agreed(found: Found) -> Found {
    Found { beside_faults: Default::default(), ..found }
}

fn check(file: &Path) {
    let subject = Subject::load(file).expect("a program");
    let expected = agreed(subject.explore(ModelName::Sc, Search::Trust(1), PATIENCE));
    let others = [Search::Rf(1), Search::Trust(2), Search::Bound(1000)];
    let resumed = (1..=12).map(Search::Resumed);
    for search in others.into_iter().chain(resumed) {
        let mut found = agreed(subject.explore(ModelName::Sc, search, PATIENCE));
        if search == Search::Rf(1) {
            // It has fewer where nobody reads which of two stores was the last.
            assert!(found.executions <= expected.executions, "{}", file.display());
            found.executions = expected.executions;
        }
        assert_eq!(found, expected, "{} by {search:?}", file.display());
    }
}

#[test]
fn every_search_finds_the_same_in_what_is_kept() {
    for file in programs() {
        check(&file);
    }
}
