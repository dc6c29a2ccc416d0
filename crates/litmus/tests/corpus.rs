//! The corpus of litmus tests reads, and prints to text that reads back the same.

use norn_litmus::{print, read};
use std::path::Path;

#[test]
fn the_corpus_reads_and_prints() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/litmus");
    let mut count = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "litmus") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let program = read(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let printed = print(&program);
        assert_eq!(read(&printed).as_ref(), Ok(&program), "{}", path.display());
        count += 1;
    }
    assert!(count >= 407, "only {count} tests in {}", folder.display());
}
