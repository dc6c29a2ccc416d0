//! What is wrong with a text is said with its line, its column and what was expected; no text leads to a panic.

use crate::support::root;
use norn_cat::{CatError, Definition, Limits, conditions};
use norn_litmus::Random;
use std::time::{Duration, Instant};

fn read(text: &str) -> Result<Definition, CatError> {
    Definition::read("m.cat", text, &mut |_| None)
}

#[test]
fn errors_say_where_and_what_was_expected() {
    let cases = [
        ("let a = po |", "m.cat:1:13: found the end of the file, expected a relation or a set"),
        ("C X\nlet a po", "m.cat:2:7: found `po`, expected `=`"),
        (
            "acyclic po | rg",
            "m.cat:1:14: nothing is called `rg`; expected a name that is defined above",
        ),
        ("let a = [po]", "m.cat:1:10: found a relation, expected a set between `[` and `]`"),
        ("let a = W; po", "m.cat:1:9: found a set, expected a relation before `;`"),
        ("let a = po; W", "m.cat:1:13: found a set, expected a relation after `;`"),
        ("let a = po | W", "m.cat:1:14: found a set, expected a relation as on the other side"),
        ("let a = po * W", "m.cat:1:9: found a relation, expected a set"),
        ("let a = (po", "m.cat:1:12: found the end of the file, expected `)`"),
        ("acyclic W", "m.cat:1:9: found a set, expected a relation"),
        ("flag empty po", "m.cat:1:6: expected `~empty`"),
        ("undefined_unless acyclic po", "m.cat:1:18: found `acyclic`, expected `empty`"),
        ("include cos", "m.cat:1:9: found `cos`, expected the name of a file in quotes"),
        (
            "include \"no.cat\"",
            "m.cat:1:1: cannot read \"no.cat\"; expected a file beside the model",
        ),
        ("\n\n  forbid po", "m.cat:3:3: found `forbid`, expected `let`"),
        ("let rec a = po | ~a", "m.cat:1:9: `a` is recursive through `~`"),
        ("let f(x) = x\nlet a = f", "m.cat:2:9: `f` is a function; expected `(`"),
        ("let f(x) = x\nlet a = f(po, po)", "m.cat:2:9: `f` is given 2 values, expected 1"),
        ("let a = g(po)", "m.cat:1:9: no function is called `g`"),
        ("let a = po $ rf", "m.cat:1:12: `$` means nothing here"),
        ("acyclic [RMW]; po", "m.cat:1:10: `RMW` alone says nothing here"),
        ("acyclic po | data", "m.cat:1:14: `data` is a dependency"),
        ("with co from generate_cos(co0)", "m.cat:1:1: `with … from` is not supported"),
        ("let 1 = po", "m.cat:1:5: found `1`, expected a name to define"),
        ("(* no end", "m.cat:1:1: this comment does not end"),
    ];
    for (text, expected) in cases {
        let error = read(text).expect_err(text).to_string();
        assert!(error.starts_with(expected), "{text:?}:\n{error}\ninstead of\n{expected}");
    }
}

#[test]
fn errors_in_included_files_name_these() {
    let mut files = |file: &str| (file == "b.cat").then(|| "let a =\n  po & W".to_owned());
    let error = Definition::read("m.cat", "include \"b.cat\"", &mut files).expect_err("an error");
    assert_eq!((error.file.as_str(), error.line, error.column), ("b.cat", 2, 8));
    let mut itself = |_: &str| Some("include \"m.cat\"".to_owned());
    let error = Definition::read("m.cat", "include \"m.cat\"", &mut itself).expect_err("a circle");
    assert!(error.message.contains("circle"), "{error}");
    let mut count = 0;
    let mut ever_new = |_: &str| {
        count += 1;
        Some(format!("include \"{count}.cat\""))
    };
    let error =
        Definition::read("m.cat", "include \"0.cat\"", &mut ever_new).expect_err("too deep");
    assert!(error.message.contains("deep"), "{error}");
}

#[test]
fn what_is_too_large_is_an_error() {
    let deep = format!("let a = {}po{}", "(".repeat(5000), ")".repeat(5000));
    assert!(read(&deep).expect_err("too deep").message.contains("nested"));
    let not = format!("let a = {}po", "~".repeat(5000));
    assert!(read(&not).expect_err("too deep").message.contains("nested"));
    let long = format!("let a = po{}", " | po".repeat(5000));
    assert!(read(&long).expect_err("too long").message.contains("may have"));
    let mut doubling = "let f0(x) = x; x\n".to_owned();
    for i in 1..40 {
        doubling += &format!("let f{i}(x) = f{}(f{0}(x))\n", i - 1);
    }
    doubling += "acyclic f39(po)";
    assert!(read(&doubling).expect_err("too large").message.contains("expanded"));
}

/// Texts of models with characters, words and lines damaged. `NORN_DAMAGES=100000` tries that many of each.
#[test]
fn damaged_texts_never_panic_or_hang() {
    let damages = std::env::var("NORN_DAMAGES").ok().and_then(|text| text.parse().ok());
    let damages: u64 = damages.unwrap_or(400);
    let folders = ["crates/cat/models", "examples/models", "tests/litmus/models"];
    let mut accepted = 0;
    for folder in folders {
        for entry in std::fs::read_dir(root().join(folder)).expect("models") {
            let path = entry.expect("a file").path();
            if path.extension().is_none_or(|extension| extension != "cat") {
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("a model");
            for seed in 0..damages {
                let damaged = damage(&text, &mut Random::new(seed));
                let started = Instant::now();
                if let Ok(definition) = read(&damaged) {
                    accepted += 1;
                    let limits = Limits { size: 2, special: 0, is_over: &|| false };
                    let _ = conditions(&definition, limits);
                }
                let took = started.elapsed();
                assert!(
                    took < Duration::from_secs(5),
                    "{took:?} for seed {seed} of {}",
                    path.display()
                );
            }
        }
    }
    assert!(accepted > 100, "only {accepted} damaged models could be read");
}

fn damage(text: &str, dice: &mut Random) -> String {
    let mut text: Vec<char> = text.chars().collect();
    let signs: Vec<char> = "()[]{}|&;\\~*+?^-_=,\"0Wpo ra\nlet".chars().collect();
    for _ in 0..=dice.below(4) {
        let at = dice.below(text.len());
        match dice.below(6) {
            0 => text[at] = dice.pick(&signs),
            1 => text.insert(at, dice.pick(&signs)),
            2 => {
                text.remove(at);
            }
            3 => text.truncate(at.max(1)),
            // A piece moves elsewhere.
            4 => {
                let end = (at + dice.below(30)).min(text.len());
                let piece: Vec<char> = text.drain(at..end).collect();
                let to = dice.below(text.len().max(1)).min(text.len());
                text.splice(to..to, piece);
            }
            // A piece comes twice.
            _ => {
                let end = (at + dice.below(30)).min(text.len());
                let piece: Vec<char> = text[at..end].to_vec();
                text.splice(at..at, piece);
            }
        }
        if text.is_empty() {
            break;
        }
    }
    text.into_iter().collect()
}
