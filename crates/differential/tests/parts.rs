//! Words that are accessed in one size are what they are, also if Norn makes the accesses in parts because
//! somebody looks at the halves in the end. The same program without that look is the oracle: under models for
//! which the interpreter has no say, nothing of what it prints may be missing.

use norn_differential::{
    Body, Expr, Feature, Features, Mode, Operator, Place, Program, Search, Statement, Subject,
    generate, print,
};
use norn_models::ModelName;
use std::time::Duration;

/// The program with all accesses to words whole, and none of them a read-modify-write or plain.
fn whole(body: &Body) -> Body {
    let all = |place: &Place| match place {
        Place::Word(word, ..) => Place::Word(*word, None, true),
        other => other.clone(),
    };
    let is_word = |place: &Place| matches!(place, Place::Word(..));
    let atomic = |place: &Place, mode: Mode| match (is_word(place), mode) {
        (true, Mode::Plain) => Mode::Relaxed,
        _ => mode,
    };
    let load = |mode: Mode| match mode {
        Mode::AcqRel | Mode::Release => Mode::Acquire,
        other => other,
    };
    let change = |statement: &Statement| match statement {
        Statement::Load { to, from, mode } => {
            Statement::Load { to: *to, from: all(from), mode: atomic(from, *mode) }
        }
        Statement::Store { to, value, mode } => {
            Statement::Store { to: all(to), value: value.clone(), mode: atomic(to, *mode) }
        }
        Statement::Rmw { to, place, mode, .. } | Statement::Cas { to, place, mode, .. }
            if is_word(place) =>
        {
            Statement::Load { to: *to, from: all(place), mode: load(*mode) }
        }
        Statement::If { condition, then, otherwise } => {
            let (then, otherwise) = (whole(then), whole(otherwise));
            Statement::If { condition: condition.clone(), then, otherwise }
        }
        Statement::Repeat { count, body } => Statement::Repeat { count: *count, body: whole(body) },
        other => other.clone(),
    };
    body.iter().map(change).collect()
}

/// The same, where `main` looks at the halves of the word in the end.
fn in_halves(program: &Program) -> Program {
    let mut program = program.clone();
    let main = &mut program.functions[0];
    let first = main.locals;
    main.locals += 2;
    let mut body = Body::new();
    let last = main.body.iter().rposition(|statement| matches!(statement, Statement::Join { .. }));
    for (at, statement) in main.body.drain(..).enumerate() {
        match statement {
            Statement::Load { to, from: Place::Word(word, ..), .. } if Some(at) > last => {
                for half in 0..2 {
                    let from = Place::Word(word, Some(half), true);
                    body.push(Statement::Load { to: first + half, from, mode: Mode::SeqCst });
                }
                let high = Expr::Local(first + 1);
                let high = Expr::binary(Operator::Mul, high, Expr::Const(65_536));
                let value = Expr::binary(Operator::Add, high, Expr::Local(first));
                body.push(Statement::Assign { to, value });
            }
            other => body.push(other),
        }
    }
    main.body = body;
    program
}

fn subject(program: &Program) -> Subject {
    let file = tempfile::Builder::new().suffix(".c").tempfile().expect("a file");
    std::fs::write(file.path(), print(program)).expect("a file that can be written");
    Subject::load(file.path()).expect("a program")
}

#[test]
fn parts_hide_nothing_under_weak_models() {
    let features = Features::of(&[Feature::Halves]);
    let patience = Duration::from_secs(60);
    let (mut compared, mut more) = (0, 0);
    for seed in 0..60 {
        let mut program = generate(seed, &features);
        for function in &mut program.functions {
            function.body = whole(&function.body);
        }
        let (one, parts) = (subject(&program), subject(&in_halves(&program)));
        for model in [ModelName::Ra, ModelName::Rc11, ModelName::C20, ModelName::Sc] {
            let expected = one.explore(model, Search::Trust(1), patience);
            let found = parts.explore(model, Search::Trust(1), patience);
            assert_eq!((&expected.declined, &found.declined), (&None, &None), "seed {seed}");
            let text = || format!("seed {seed}, {model}\n{}", print(&in_halves(&program)));
            assert!(expected.behaviour.faults.is_empty(), "{}", text());
            assert!(found.behaviour.faults.is_empty(), "{}", text());
            let missing: Vec<_> =
                expected.behaviour.results.difference(&found.behaviour.results).collect();
            assert!(missing.is_empty(), "{missing:?} {}", text());
            let same = expected.behaviour.results == found.behaviour.results;
            assert!(same || model != ModelName::Sc, "{}", text());
            more += u32::from(!same);
            compared += 1;
        }
    }
    println!("{compared} compared, of which {more} have more results in parts");
}
