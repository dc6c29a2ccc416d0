//! Futexes: what programs with them can find is what they can with a model of them, made of a lock and semaphores as the
//! manual says. Each program is asked for each number that it could find.

use crate::support;
use norn::{CheckOptions, Control, Verdict};
use std::path::Path;

/// What a check finds: nothing, a fault of this kind, or an answer that is none.
fn found(path: &Path, model: &str, flags: &[&str]) -> String {
    let options = CheckOptions {
        files: vec![path.to_owned()],
        model: model.parse().expect("a model"),
        spurious_wakeups: false,
        cflags: flags.iter().map(|&flag| flag.to_owned()).collect(),
        ..support::options()
    };
    let outcome = norn::check(&options, &Control::default(), &mut |_| {}).expect("a report");
    match (outcome.report.verdict, outcome.report.violation) {
        (Verdict::Violation, Some(violation)) => format!("{:?}", violation.kind),
        (verdict, _) => format!("{verdict:?}"),
    }
}

fn compare(path: &Path, model: &str) {
    let text = std::fs::read_to_string(path).expect("a program");
    let count = text.strip_prefix("// outcomes=").and_then(|rest| rest.lines().next());
    let count: u32 = count.and_then(|count| count.parse().ok()).expect("a number of outcomes");
    let mut seen = std::collections::BTreeSet::new();
    // One more than there can be, which nobody finds; the only question if there are none.
    for outcome in 0..=count {
        let asked = format!("-DOUTCOME={outcome}");
        let real = found(path, model, &[&asked]);
        let reference = found(path, model, &[&asked, "-DREFERENCE"]);
        assert_eq!(real, reference, "{} {asked} under {model}", path.display());
        seen.insert(real);
    }
    assert!(count == 0 || seen.len() == 2, "{}: {seen:?}", path.display());
}

#[test]
fn futexes_do_what_their_manual_says() {
    for path in support::programs(&support::root().join("tests/futex")) {
        compare(&path, "sc");
    }
}

#[test]
fn futexes_do_what_their_manual_says_under_weaker_models() {
    for name in ["publish.c", "not_lost.c", "lost.c", "wait_wake.c"] {
        for model in ["tso", "rc11"] {
            compare(&support::root().join("tests/futex").join(name), model);
        }
    }
}
