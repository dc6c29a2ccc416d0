use super::*;
use crate::{
    Comparison, Condition, Expr, FinalState, Observed, Quantifier, RegisterId, StatementKind,
    Until, print,
};
use norn_action::{Mode, RmwOp};

fn body_of(body: &str) -> Vec<StatementKind> {
    let text = format!(
        "C t\n{{ x = 0; d = 0; m = 0; }}\nP0 (atomic_int* x, int* d, spinlock_t* m) {{\n{body}\n}}"
    );
    let program = read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let printed = print(&program);
    assert_eq!(read(&printed).as_ref(), Ok(&program), "{printed}");
    program.threads[0].body.iter().map(|statement| statement.kind.clone()).collect()
}

#[test]
fn an_access_in_an_expression_is_hoisted() {
    let body = body_of("if (atomic_load_explicit(x, memory_order_acquire) == 1) *d = 2;");
    let StatementKind::Load { register, mode: Mode::Acquire, .. } = body[0] else {
        panic!("{body:?}")
    };
    let StatementKind::If { condition, .. } = &body[1] else { panic!("{body:?}") };
    let mut condition = condition.clone();
    condition.for_each_register(&mut |used| assert_eq!(*used, register));
    assert_eq!(body.len(), 2);
}

#[test]
fn a_result_that_is_not_used_needs_no_register() {
    let body =
        body_of("atomic_fetch_or(x, 4); atomic_exchange_explicit(x, 1, memory_order_relaxed);");
    let ops: Vec<_> = (body.iter())
        .map(|kind| match kind {
            StatementKind::Rmw { register: None, op, mode, .. } => (*op, *mode),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(ops, [(RmwOp::Or, Mode::SeqCst), (RmwOp::Exchange, Mode::Relaxed)]);
}

#[test]
fn an_expected_value_in_memory_is_loaded_and_stored_back() {
    let body = body_of("int r0 = atomic_compare_exchange_weak(x, d, 5);");
    assert!(matches!(body[0], StatementKind::Load { mode: Mode::Plain, .. }));
    assert!(matches!(body[1], StatementKind::CompareExchange { weak: true, .. }));
    assert!(matches!(&body[2], StatementKind::If { then, .. } if then.len() == 1));
    assert!(matches!(body[3], StatementKind::Assign { .. }));
}

#[test]
fn star_of_an_atomic_is_seq_cst_and_of_an_int_is_plain() {
    let body = body_of("int r0 = *x; int r1 = *d; (*d) = r0 + r1 * 2; WRITE_ONCE(*d, 1);");
    assert!(matches!(body[0], StatementKind::Load { mode: Mode::SeqCst, .. }));
    assert!(matches!(body[1], StatementKind::Load { mode: Mode::Plain, .. }));
    assert!(matches!(body[2], StatementKind::Store { mode: Mode::Plain, .. }));
    assert!(matches!(body[3], StatementKind::Store { mode: Mode::Relaxed, .. }));
}

#[test]
fn operators_bind_as_in_c() {
    let value = |text: &str| match &body_of(&format!("int r0 = {text};"))[0] {
        StatementKind::Assign { value, .. } => value.evaluate(&[]),
        other => panic!("{other:?}"),
    };
    assert_eq!(value("1 + 2 * 3 - 4"), 3);
    assert_eq!(value("10 - 2 - 3"), 5);
    assert_eq!(value("1 | 2 ^ 3 & 1"), 3);
    assert_eq!(value("!(1 == 2) && 3 >= -3"), 1);
    assert_eq!(value("~0 + -(2)"), -3);
    assert_eq!(value("0xffffffff"), -1);
}

#[test]
fn headers_comments_initial_registers_and_conditions() {
    let program = read(
        "C MP+na\n\"quoted description\"\nCycle=Rfe\n(* a comment *)\n\
         { int z = 2; [x] = -1; y; 0:r0 = 3; }\n\
         P0 (volatile int* x, atomic_int* y) { // nothing\n  r0 = r0 + 1; /* more */ }\n\
         (* another *)\nlocations [0:r0; [x]; y;]\nfilter (x=-1)\n\
         ~exists ((0:r0=4 /\\ not ([y]=1)) \\/ z=0)",
    )
    .unwrap();
    assert_eq!(program.name, "MP+na");
    let initial: Vec<_> = program.locations.iter().map(|l| (&l.name[..], l.initial)).collect();
    assert_eq!(initial, [("z", 2), ("x", -1), ("y", 0)]);
    assert_eq!(program.threads[0].registers[0].initial, 3);
    assert_eq!(program.observed[0], Observed::Register(0, RegisterId(0)));
    let question = program.condition.as_ref().unwrap();
    assert_eq!(question.quantifier, Quantifier::NotExists);
    let state = |y| FinalState { registers: vec![vec![4]], memory: vec![2, -1, y] };
    assert!(question.condition.holds(&state(0)) && !question.condition.holds(&state(1)));
    assert_eq!(program.outcome(&state(5)), "0:r0=4;x=-1;y=5");
    assert!(program.is_interesting(&state(0)));
    let printed = print(&program);
    assert_eq!(read(&printed), Ok(program), "{printed}");
}

#[test]
fn registers_first_seen_in_a_branch_are_declared_before_it() {
    let body = body_of("int r0 = *d; if (r0) { r1 = 2; } else { r10 = 1; r2 = r0; }");
    let StatementKind::If { then, .. } = &body[1] else { panic!("{body:?}") };
    let expected = StatementKind::Assign { register: RegisterId(1), value: Expr::Const(2) };
    assert_eq!(then[0].kind, expected);
}

#[test]
fn conditions_default_to_and_before_or() {
    let program =
        read("C t\n{ }\nP0 (int* x) { }\nexists (x=0 /\\ x=1 \\/ ~ x=2 /\\ true)").unwrap();
    assert!(matches!(program.condition.unwrap().condition, Condition::Or(..)));
}

/// What is wrong, and the error that says so.
const ERRORS: [(&str, &str); 12] = [
    ("int r0 = *q;", "line 4, column 11: `q` is not a parameter of this thread; add `int* q`"),
    ("while (1) {}", "line 4, column 1: found `while`; litmus tests have no loops"),
    ("x = 1;", "line 4, column 1: `x` is a shared location; write to it as `*x = …`"),
    ("int r0 = x + 1;", "line 4, column 10: found `x`; a shared location is read with `*`"),
    ("int r0 = r1;", "line 4, column 10: found `r1`; expected a register that was assigned"),
    ("atomic_store_explicit(x, 1, memory_order_acquire);", "line 4, column 29: a store cannot be"),
    ("int r0 = atomic_load_explicit(x, relaxed);", "line 4, column 34: found `relaxed`; expected"),
    ("*m = 1;", "line 4, column 2: `m` is a mutex; use spin_lock and spin_unlock"),
    ("spin_lock(x);", "line 4, column 11: `x` is not a mutex; declare it as `spinlock_t* x`"),
    ("int r0 = 1 && *d;", "line 4, column 15: found `*`; an access after `&&`"),
    ("frobnicate(x);", "line 4, column 1: found `frobnicate`; this function is not supported"),
    ("int r0 = 99999999999;", "line 4, column 10: 99999999999 does not fit 32 bits"),
];

#[test]
fn errors_say_where_and_what_to_do() {
    for (body, expected) in ERRORS {
        let text =
            format!("C t\n{{ x = 0; }}\nP0 (atomic_int* x, int* d, spinlock_t* m) {{\n{body}\n}}");
        let error = read(&text).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{body}\n  gives    {error}\n  expected {expected}");
    }
}

#[test]
fn errors_outside_threads() {
    let check = |text: &str, expected: &str| {
        let error = read(text).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    check("X86 sb\n{ }", "line 1, column 1: a litmus test for C starts with");
    check("C t\n", "there is no init section");
    check("C t\n{ x = 0; x = 1; }", "line 2, column 10: `x` is initialised twice");
    check("C t\n{ a[2] = 0; }", "arrays are not supported");
    check("C t\n{ 3:r0 = 1; }\nP0 () { }", "line 2, column 3: there is no thread P3");
    check("C t\n{ }\nexists (x=0)", "expected a thread");
    check("C t\n{ }\nP0 () { }\nexists (0:r9=0)", "thread P0 has no register `r9`");
    check("C t\n{ }\nP0 () { }\nP2 () { }", "found `P2`; expected thread P1");
    check("C t\n{ /* }", "this comment does not end");
    check("C t\n{ 0:r0 = 1; 0:r0 = 1; }", "line 2, column 13: `0:r0` is initialised twice");
    check("C t\n{ 0:x = 1; }\nP0 (int* x) { }", "line 3, column 10: `x` is also a register");
    let mixed = "C t\n{ }\nP0 (spinlock_t* m) { }\nP1 (int* m) { }";
    check(mixed, "line 4, column 10: `m` is a mutex in one place and a number in another");
    check("C t\n{ @ }", "`@` has no meaning");
}

#[test]
fn deep_nesting_is_an_error_and_not_a_crash() {
    let many = 100_000;
    let expression = format!("C t\n{{ }}\nP0 () {{ int r0 = {}1;", "(".repeat(many));
    let statement = format!("C t\n{{ }}\nP0 () {}", "{".repeat(many));
    let condition = format!("C t\n{{ }}\nP0 () {{ }}\nexists {}", "~ ".repeat(many));
    for text in [expression, statement, condition] {
        assert!(read(&text).unwrap_err().message.contains("nests too deep"));
    }
}

#[test]
fn waiting_accesses_name_their_test() {
    let body = body_of(
        "int r0 = await_ge_explicit(x, 2, memory_order_acquire); int r1 = await_ne(x, r0 + 1);\n\
         await_ne_fetch_sub_explicit(x, 0, 1, memory_order_acq_rel);",
    );
    let StatementKind::Load { mode: Mode::Acquire, until: Some(until), .. } = &body[0] else {
        panic!("{body:?}")
    };
    assert_eq!(*until, Until { comparison: Comparison::Ge, value: Expr::Const(2) });
    assert!(matches!(body[1], StatementKind::Load { mode: Mode::SeqCst, until: Some(_), .. }));
    let StatementKind::Rmw { register: None, op, mode, until: Some(until), .. } = &body[2] else {
        panic!("{body:?}")
    };
    assert_eq!((*op, *mode, until.comparison), (RmwOp::Sub, Mode::AcqRel, Comparison::Ne));
}

#[test]
fn joins_name_a_thread_that_exists() {
    let text =
        |joined: &str| format!("C t\n{{ }}\nP0 (int* d) {{ join({joined}); }}\nP1 (int* d) {{ }}");
    let program = read(&text("P1")).unwrap();
    assert_eq!(program.threads[0].body[0].kind, StatementKind::Join(1));
    assert_eq!(read(&print(&program)), Ok(program));
    for (joined, complaint) in [("P2", "no thread P2"), ("P0", "itself"), ("d", "not the name")] {
        let error = read(&text(joined)).unwrap_err();
        assert!(error.message.contains(complaint), "{error}");
    }
    let twice = read(&text("P1); join(P1")).unwrap_err();
    assert!(twice.message.contains("twice"), "{twice}");
}
