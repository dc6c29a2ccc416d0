//! Which registers are found to say only how often a loop tries.

use norn_frontend::{Options, load};
use norn_program::{Leaves, Program};
use std::path::Path;

/// Loads functions of C with `flag` and `other` declared before them.
fn program(name: &str, text: &str) -> Program {
    let text = format!("#include <stdatomic.h>\natomic_int flag, other; int plain;\n{text}\n");
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("to write a program");
    let options = Options { clang: None, flags: &[], provided: |_| true };
    let mut loaded = load(&[path], &options).expect("a program");
    norn_transform::apply(&norn_transform::MarkCounters, &mut loaded.program).expect("well-formed");
    loaded.program
}

/// Whether the only loop of a function is one of tries, and how many of its registers matter.
fn found(name: &str, body: &str) -> (Option<(i64, i64, Leaves)>, usize) {
    let program = program(name, &format!("int try_it(int limit) {{ {body} return 0; }}"));
    let [item] = &program.loops[..] else { panic!("{body}") };
    let counter = item.counter.map(|counter| (counter.step, counter.ahead, counter.leaves));
    (counter, item.live.len())
}

#[test]
fn tries_are_told_from_other_loops() {
    use Leaves::{AtLeast, AtMost, Equal};
    let tries = [
        ("for (int i = 0; i < 9; i++) if (flag) return 1;", (1, 0, AtLeast)),
        ("for (int i = 0; i < limit; i += 2) if (flag) return 1;", (2, 0, AtLeast)),
        ("while (limit-- > 0) if (flag) return 1;", (-1, 0, AtMost)),
        ("int n = 5; do if (flag) return 1; while (--n);", (-1, -1, Equal)),
        ("for (int i = 0; i < 9; i++) if (!atomic_exchange(&flag, 1)) return 1;", (1, 0, AtLeast)),
    ];
    for (index, (body, expected)) in tries.into_iter().enumerate() {
        let (counter, _) = found(&format!("tries{index}.c"), body);
        assert_eq!(counter, Some(expected), "{body}");
    }
    let others = [
        "for (int i = 0; i < 9; i++) if (flag == i) return 1;",
        "for (int i = 0; i < 9; i++) other = 1;",
        "for (int i = 0; i < 9; i++) atomic_fetch_add(&flag, 1);",
        "for (int i = 0; i < 9; i++) plain += 1;",
        "int i; for (i = 0; i < 9; i++) if (flag) break; return i;",
        "for (int i = 0; i < limit; i++) { if (flag) return 1; limit--; }",
        "for (int i = 0; i < 9; i++) if (i > 3 && flag) return 1;",
        "for (int i = 0; i < 9; i++) ;",
        "while (!flag) ;",
    ];
    for (index, body) in others.into_iter().enumerate() {
        let (counter, _) = found(&format!("others{index}.c"), body);
        assert_eq!(counter, None, "{body}");
    }
}

#[test]
fn what_is_only_counted_decides_nothing() {
    let (counter, live) = found("idle.c", "for (int n = 0; !flag; n++) ;");
    assert_eq!((counter, live), (None, 0));
    let (counter, live) = found("used.c", "int n = 0; for (; !flag; n++) ; return n;");
    assert_eq!((counter, live), (None, 1));
}
