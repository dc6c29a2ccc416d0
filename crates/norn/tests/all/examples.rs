//! Every example has a bug that is found and a fix that is proved.

use crate::support;

#[test]
fn bugs_are_found_and_fixes_are_proved() {
    let examples = support::root().join("examples");
    let mut files = Vec::new();
    for entry in std::fs::read_dir(examples).expect("the examples") {
        let directory = entry.expect("an entry").path();
        for (name, verdict) in [("buggy.c", "violation"), ("fixed.c", "verified")] {
            let file = directory.join(name);
            let Ok(text) = std::fs::read_to_string(&file) else { continue };
            assert!(text.starts_with(&format!("// norn: {verdict}")), "{}", file.display());
            files.push(file);
        }
    }
    assert!(files.len() >= 2 * 12, "only {} files", files.len());
    support::compare(&files);
}
