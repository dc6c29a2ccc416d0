//! Models that are read from files, and what tells models apart.

use crate::support;
use norn::{CheckOptions, Control, Limits, ModelChoice, Verdict};
use std::path::{Path, PathBuf};

fn temporary(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("a file");
    path
}

fn check(file: &Path, model: &str) -> Result<norn::Report, norn::InputError> {
    let model: ModelChoice = model.parse().expect("a model");
    let files = vec![file.to_owned()];
    let options = CheckOptions { files, model, jobs: 1, ..support::options() };
    norn::check(&options, &Control::default(), &mut |_| {}).map(|outcome| outcome.report)
}

fn in_root(path: &str) -> String {
    support::root().join(path).display().to_string()
}

/// The verdicts of the models that are built in differ on the test that tells their definitions apart.
#[test]
fn verdicts_differ_on_differences() {
    for (a, b) in [("sc", "tso"), ("tso", "pso"), ("ra", "rc11")] {
        let [one, other] =
            [a, b].map(|name| norn::define(&name.parse().expect("a model")).expect("a model"));
        let limits = Limits { size: 4, special: 2, is_over: &|| false };
        let found = norn::difference([&one, &other], limits).0.expect("a difference");
        let text = norn::print_litmus(&found.program);
        let file = temporary(&format!("{a}-{b}.litmus"), &text);
        let verdicts = [a, b].map(|model| check(&file, model).expect("a report").verdict);
        let allows = found.allowed_by;
        assert_eq!(verdicts[allows], Verdict::Violation, "{a} {b}\n{text}");
        assert_eq!(verdicts[1 - allows], Verdict::Verified, "{a} {b}\n{text}");
    }
}

#[test]
fn examples_under_other_models() {
    let cases = [
        ("examples/models/sra.cat", "examples/litmus/2+2W.litmus", Verdict::Verified),
        ("examples/models/coherence.cat", "examples/litmus/2+2W.litmus", Verdict::Violation),
        ("examples/models/sra.cat", "examples/spsc_ring/fixed.c", Verdict::Verified),
        ("examples/models/rar.cat", "examples/spsc_ring/fixed.c", Verdict::Verified),
        ("examples/models/rar.cat", "examples/spsc_ring/buggy.c", Verdict::Violation),
        ("examples/models/coherence.cat", "examples/spsc_ring/buggy.c", Verdict::Violation),
    ];
    for (model, file, verdict) in cases {
        let report = check(&support::root().join(file), &in_root(model)).expect("a report");
        assert_eq!(report.verdict, verdict, "{file} under {model}");
        assert!(report.model.ends_with(model), "{}", report.model);
    }
}

#[test]
fn models_that_cannot_be_searched_under_are_refused() {
    let test = support::root().join("examples/litmus/MP.litmus");
    let refused = |text: &str| {
        let model = temporary("refused.cat", text).display().to_string();
        check(&test, &model).expect_err("a refusal").to_string()
    };
    assert!(refused("acyclic po-loc | rf | co | fr").contains("MM1"));
    assert!(refused("acyclic po | rf | co | fr\nempty rf; [R]; po; [R]").contains("MM3"));
    assert!(refused("acyclic po | rf | co | fr\nirreflexive co \\ (po; rf)").contains("MM2"));
    assert!(refused("acyclic po |").contains("refused.cat:1:13: found the end of the file"));
}
