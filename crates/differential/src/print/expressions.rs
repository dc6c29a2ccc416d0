//! Expressions, places and orders as C.

use crate::tree::{Expr, Mode, Operator, Place};

pub(super) fn pointer(pointer: Option<usize>) -> String {
    pointer.map_or("NULL".to_owned(), |pointer| format!("b{pointer}"))
}

pub(super) fn at(place: &Place) -> String {
    match place {
        Place::Atomic(i) => format!("x{i}"),
        Place::Plain(i) => format!("p{i}"),
        Place::Word(i, None, true) => format!("u{i}.all"),
        Place::Word(i, None, false) => format!("u{i}.plain"),
        Place::Word(i, Some(half), true) => format!("u{i}.half[{half}]"),
        Place::Word(i, Some(half), false) => format!("u{i}.plain_half[{half}]"),
        Place::Element(i, index) => format!("a{i}[{}]", expr(index)),
        Place::Field(pointer, 0) => format!("b{pointer}->a"),
        Place::Field(pointer, _) => format!("b{pointer}->b"),
    }
}

pub(super) fn load(from: &Place, mode: Mode) -> String {
    match mode {
        Mode::Plain => at(from),
        _ => format!("atomic_load_explicit(&{}, {})", at(from), order(mode)),
    }
}

pub(super) fn expr(value: &Expr) -> String {
    match value {
        Expr::Const(value) => value.to_string(),
        Expr::Local(local) => format!("r{local}"),
        Expr::IsSet(pointer) => format!("(b{pointer} != NULL)"),
        Expr::Binary(operator, left, right) => {
            let sign = match operator {
                Operator::Add => "+",
                Operator::Sub => "-",
                Operator::Mul => "*",
                Operator::And => "&",
                Operator::Eq => "==",
                Operator::Ne => "!=",
                Operator::Less => "<",
            };
            format!("({} {sign} {})", expr(left), expr(right))
        }
    }
}

pub(super) fn order(mode: Mode) -> &'static str {
    match mode {
        Mode::Plain | Mode::Relaxed => "memory_order_relaxed",
        Mode::Acquire => "memory_order_acquire",
        Mode::Release => "memory_order_release",
        Mode::AcqRel => "memory_order_acq_rel",
        Mode::SeqCst => "memory_order_seq_cst",
    }
}

/// The mode of a failed compare-exchange: what is left without the store.
pub(super) fn failure_mode(mode: Mode) -> Mode {
    match mode {
        Mode::AcqRel | Mode::Acquire => Mode::Acquire,
        Mode::Release => Mode::Relaxed,
        other => other,
    }
}
