//! The corpus of litmus tests reads, and prints to text that reads back the same.

use norn_litmus::{Random, print, read};
use std::path::{Path, PathBuf};

/// The tests with their texts.
fn corpus() -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/litmus");
    let paths = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let is_test = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "litmus");
    paths
        .filter(is_test)
        .map(|path| (path.clone(), std::fs::read_to_string(path).unwrap()))
        .collect()
}

#[test]
fn the_corpus_reads_and_prints() {
    let corpus = corpus();
    assert!(corpus.len() >= 407, "only {} tests", corpus.len());
    for (path, text) in corpus {
        let program = read(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let printed = print(&program);
        assert_eq!(read(&printed).as_ref(), Ok(&program), "{}", path.display());
    }
}

/// Texts with a piece removed, doubled or moved give a program or an error, and a program that
/// comes out prints to one that reads back.
#[test]
fn damaged_texts_do_no_harm() {
    let mut random = Random::new(1);
    let (mut good, mut bad) = (0, 0);
    for (_, text) in corpus() {
        for _ in 0..20 {
            let mut cut = || random.below(text.len() + 1);
            let (from, to, at) = (cut(), cut(), cut());
            let piece = &text[from.min(to)..from.max(to).min(from.min(to) + 12)];
            let damaged = if at % 2 == 0 {
                text.replacen(piece, "", 1)
            } else {
                format!("{}{piece}{}", &text[..at], &text[at..])
            };
            match read(&damaged) {
                Ok(program) => {
                    good += 1;
                    let printed = print(&program);
                    assert_eq!(read(&printed).as_ref(), Ok(&program), "{damaged}\n{printed}");
                }
                Err(error) => {
                    bad += 1;
                    assert!(error.line as usize <= damaged.lines().count() + 1, "{error}");
                }
            }
        }
    }
    assert!(good > 100 && bad > 100, "{good} good, {bad} bad");
}
