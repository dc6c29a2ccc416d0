//! What is read, and what is wrong with what is not.

use norn_library::{Library, SHIPPED, summary};

#[test]
fn those_that_come_with_norn_are_well_formed() {
    for (name, text) in SHIPPED {
        let library = Library::read(name, text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(library.name, name);
        assert!(summary(text).ends_with('.'), "{name} says what it is in its first line");
    }
}

/// A text, where it is wrong, and what is said of that.
const WRONG: [(&str, &str, &str); 23] = [
    ("", "1:1", "expected `library`"),
    ("library a", "1:10", "expected `;`"),
    ("library a;", "1:11", "expected an operation"),
    ("library a;\nsize 3;", "2:6", "1, 2, 4 or 8"),
    ("library a;\nint f(*x) { }", "2:11", "without a result"),
    ("library a;\nvoid f(*x) { return 1; }", "2:12", "`void`"),
    ("library a;\nint f(*x) { if (1) { return; } return 1; }", "2:11", "without a value"),
    ("library a;\nvoid f(x) { write x = 1; }", "2:19", "`x` is no object"),
    ("library a;\nvoid f(*x) { write x = x; }", "2:24", "`let` keeps"),
    ("library a;\nvoid f(*x) { write x = y; }", "2:24", "neither a parameter"),
    ("library a;\nvoid f(*x) { write x = 1 acquire; }", "2:26", "a write is relaxed"),
    ("library a;\nvoid f(*x) { read x release; }", "2:21", "a read is relaxed"),
    ("library a;\nvoid f(*x) { update x = x[1] + 1; }", "2:25", "another cell"),
    ("library a;\nvoid f(*x) { update x = 1 when y == 0; }", "2:32", "`y` is no object"),
    ("library a;\nvoid f(*x) { update x = 1 as lock when x == 0; }", "2:14", "acquire as lock"),
    ("library a;\nvoid f(*x) { update x = 0 acquire as unlock; }", "2:14", "release as unlock"),
    ("library a;\nvoid f(*x) { update x = 0 as key; }", "2:30", "one of lock"),
    ("library a;\nvoid f(*x, *x) { }", "2:13", "there already"),
    ("library a;\nvoid f() { }\nvoid f() { }", "3:1", "there twice"),
    ("library a;\nvoid f(*x) { let y = write x = 1; }", "2:22", "a write has no value"),
    ("library a;\nvoid f(*x) { require 1; }", "2:23", "a string"),
    ("library a;\nvoid f(*x) { write x = 99999999999999999999; }", "2:24", "no number"),
    ("library a; // §\nvoid f(*x) { § }", "2:14", "means nothing"),
];

#[test]
fn errors_say_where_and_what_was_expected() {
    for (text, place, said) in WRONG {
        let error = Library::read("a.lib", text).expect_err(text).to_string();
        assert!(error.starts_with(&format!("a.lib:{place}: ")), "{text}\n{error}");
        assert!(error.contains(said), "{text}\n{error}");
    }
}

#[test]
fn depth_and_length_are_limited() {
    let within = |inner: &str| format!("library a;\nvoid f(*x) {{ write x = {inner}; }}");
    for inner in [
        "(".repeat(100_000),
        "-".repeat(100_000),
        "1 ? ".repeat(100_000),
        vec!["1"; 100_000].join(" + "),
    ] {
        assert!(Library::read("a", &within(&inner)).is_err());
    }
    let blocks = format!("library a;\nvoid f(*x) {{ {}", "if (1) { ".repeat(100_000));
    assert!(Library::read("a", &blocks).is_err());
    let chain =
        format!("library a;\nvoid f(*x) {{ if (1) {{ }} {}", "else if (1) { } ".repeat(100_000));
    assert!(Library::read("a", &chain).is_err());
    let steps = format!("library a;\nvoid f(*x) {{ {} }}", "read x; ".repeat(100_000));
    assert!(Library::read("a", &steps).is_err());
}

/// Texts in which some bytes, words or lines were changed, lost, doubled or moved.
#[test]
fn damaged_texts_are_read_or_refused() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below.max(1)
    };
    let mut read = 0;
    for round in 0..20_000 {
        let (_, text) = SHIPPED[round % SHIPPED.len()];
        let mut words: Vec<&str> = text.split_inclusive([' ', '\n', ';', '(', ')']).collect();
        for _ in 0..=random(3) {
            let (from, to) = (random(words.len()), random(words.len()));
            match random(4) {
                0 => words.swap(from, to),
                1 => words.insert(to, words[from]),
                2 => drop(words.remove(from)),
                _ => words[from] = ["", "}", "1", "self", "[", "\u{a7}", "when ", "*"][random(8)],
            }
        }
        read += usize::from(Library::read("damaged", &words.concat()).is_ok());
    }
    assert!(read > 0, "some damage does not matter");
}

#[test]
fn axioms_stand_at_the_end() {
    let operation = "library a;\nvoid f(*x) { write x = 1; }\n";
    let read = |text: &str| Library::read("a", &format!("{operation}{text}"));
    let library = read("axioms {\n  acyclic ([f]; po) \\ id (* {} *)\n}\n").expect("a library");
    let text = library.axioms.expect("axioms").text;
    assert_eq!(text.lines().nth(3), Some("  acyclic ([f]; po) \\ id (* {} *)"));
    assert!(text.lines().take(3).all(|line| line.trim().is_empty()), "{text}");
    assert_eq!(read("").expect("a library").axioms, None);
    for (text, said) in [
        ("axioms", "a:3:7: expected `{`"),
        ("axioms { acyclic po", "do not end"),
        ("axioms { acyclic po } void g(*x) { read x; ", "do not end"),
    ] {
        let error = read(text).expect_err(text).to_string();
        assert!(error.contains(said), "{text}: {error}");
    }
    assert!(Library::read("a", "library a;\nvoid axioms(*x) { write x = 1; }").is_ok());
    assert!(Library::read("a", "library a; axioms { acyclic po }").is_err(), "no operations");
}
