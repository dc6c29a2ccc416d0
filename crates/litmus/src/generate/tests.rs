use super::*;
use crate::{Statement, print, read};

fn actions(body: &Body) -> usize {
    let count = |statement: &Statement| match &statement.kind {
        StatementKind::If { then, otherwise, .. } => actions(then) + actions(otherwise),
        StatementKind::Assign { .. } | StatementKind::Assume(_) => 0,
        _ => 1,
    };
    body.iter().map(count).sum()
}

/// Every lock is undone by an unlock in the same block, in stack order, and never taken twice.
fn check_pairing(body: &Body, held: &mut Vec<LocationId>) {
    let outside = held.len();
    for statement in body {
        match &statement.kind {
            StatementKind::Lock(mutex) => {
                assert!(!held.contains(mutex));
                held.push(*mutex);
            }
            StatementKind::Unlock(mutex) => assert_eq!(held.pop(), Some(*mutex)),
            StatementKind::If { then, otherwise, .. } => {
                check_pairing(then, held);
                check_pairing(otherwise, held);
            }
            _ => {}
        }
    }
    assert_eq!(held.len(), outside);
}

fn shapes() -> [Shape; 8] {
    let assumes = Shape { assumes: true, ..Shape::locks() };
    let waiting = [Shape::awaits(), Shape::semaphores(), Shape::joins(), Shape::waiting()];
    let [awaits, semaphores, joins, mixed] = waiting;
    [Shape::default(), Shape::seq_cst(), Shape::locks(), assumes, awaits, semaphores, joins, mixed]
}

#[test]
fn random_programs_have_their_shape_and_read_back() {
    for shape in shapes() {
        for seed in 0..500 {
            let program = generate(seed, &shape);
            assert_eq!(program, generate(seed, &shape));
            let total: usize = program.threads.iter().map(|thread| actions(&thread.body)).sum();
            assert!(total <= shape.max_actions && program.threads.len() >= shape.min_threads);
            program.threads.iter().for_each(|t| check_pairing(&t.body, &mut Vec::new()));
            let text = print(&program);
            let read_back = read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert_eq!(read_back, program, "{text}");
        }
    }
}

#[test]
fn seq_cst_programs_have_no_other_mode() {
    for seed in 0..200 {
        let program = generate(seed, &Shape::seq_cst());
        assert!(program.locations.iter().all(|location| location.kind == LocationKind::Atomic));
        let text = print(&program);
        for mode in ["relaxed", "acquire", "release", "acq_rel"] {
            assert!(!text.contains(&format!("memory_order_{mode}")), "{text}");
        }
    }
}

#[test]
fn every_kind_of_statement_occurs() {
    let all: String = shapes()
        .iter()
        .flat_map(|shape| (0..300).map(|seed| print(&generate(seed, shape))))
        .collect();
    let wanted = [
        "atomic_load",
        "atomic_store",
        "exchange_explicit",
        "fetch_add",
        "fetch_sub",
        "fetch_and",
        "fetch_or",
        "fetch_xor",
        "strong",
        "weak",
        "fence(memory_order_relaxed",
        "} else {",
        "fence(memory_order_acq_rel",
        "fence(memory_order_seq_cst",
        "spin_lock",
        "assume",
        "  *x =",
        "await_eq_explicit",
        "await_lt_explicit",
        "await_ge_fetch_add",
        "await_ne_fetch_sub",
        "await_eq_exchange",
        "join(P0)",
        "join(P2)",
    ];
    for word in wanted {
        assert!(all.contains(word), "no program contains `{word}`");
    }
}
