//! Makes a program on which Norn and the interpreter differ small.
//!
//! Every step removes something or makes it simpler, by a measure that cannot fall for ever: fewer
//! statements, shorter bodies, smaller expressions, stronger modes. So the search ends, and its result
//! cannot be shrunk by any single step. Objects and locals that nobody uses stay: they do no harm.

use crate::tree::{Body, Expr, Mode, Program, Statement};

/// The smallest program that single steps reach from `program` and for which `differs` holds, which must
/// hold for `program` itself.
pub fn shrink(mut program: Program, mut differs: impl FnMut(&Program) -> bool) -> Program {
    while let Some(smaller) = variants(&program).into_iter().find(&mut differs) {
        program = smaller;
    }
    program
}

/// All programs one step smaller, the largest steps first.
fn variants(program: &Program) -> Vec<Program> {
    let mut result = Vec::new();
    for (id, function) in program.functions.iter().enumerate() {
        for body in body_variants(&function.body) {
            let mut smaller = program.clone();
            smaller.functions[id].body = body;
            if is_sound(&smaller) {
                result.push(smaller);
            }
        }
    }
    result
}

/// Whether every thread that is joined was started: a join without a start has no meaning in C.
fn is_sound(program: &Program) -> bool {
    program.functions.iter().all(|function| {
        let mut started = vec![0; function.handles];
        function.body.iter().all(|statement| match statement {
            Statement::Create { handle, .. } => {
                started[*handle] += 1;
                started[*handle] == 1
            }
            Statement::Join { handle, .. } => started[*handle] == 1,
            _ => true,
        })
    })
}

/// Bodies one step smaller. Removing several statements at once comes first.
fn body_variants(body: &Body) -> Vec<Body> {
    let mut result = Vec::new();
    let mut length = body.len();
    while length > 0 {
        for start in 0..=body.len() - length {
            let mut smaller = body.clone();
            smaller.drain(start..start + length);
            result.push(smaller);
        }
        length /= 2;
    }
    for (at, statement) in body.iter().enumerate() {
        let mut replace = |by: Body| {
            let mut smaller = body.clone();
            smaller.splice(at..=at, by);
            result.push(smaller);
        };
        match statement {
            Statement::If { condition, then, otherwise } => {
                replace(then.clone());
                if !otherwise.is_empty() {
                    replace(otherwise.clone());
                }
                let rebuild = |then: Body, otherwise: Body| {
                    vec![Statement::If { condition: condition.clone(), then, otherwise }]
                };
                for then in body_variants(then).into_iter().filter(|then| !then.is_empty()) {
                    replace(rebuild(then, otherwise.clone()));
                }
                for otherwise in body_variants(otherwise) {
                    replace(rebuild(then.clone(), otherwise));
                }
            }
            Statement::Repeat { count, body } => {
                replace(body.clone());
                for body in body_variants(body).into_iter().filter(|body| !body.is_empty()) {
                    replace(vec![Statement::Repeat { count: *count, body }]);
                }
            }
            Statement::Print(values) => {
                for at in 0..values.len() {
                    let mut fewer = values.clone();
                    fewer.remove(at);
                    replace(vec![Statement::Print(fewer)]);
                }
            }
            other => {
                for simpler in simpler(other) {
                    replace(vec![simpler]);
                }
            }
        }
    }
    result
}

/// Simpler forms of a statement that has no statements within.
fn simpler(statement: &Statement) -> Vec<Statement> {
    let mut result = Vec::new();
    let mut copy = statement.clone();
    let mode = match &mut copy {
        Statement::Load { mode, .. }
        | Statement::Store { mode, .. }
        | Statement::Rmw { mode, .. }
        | Statement::Cas { mode, .. }
        | Statement::LoadBox { mode, .. }
        | Statement::StoreBox { mode, .. }
        | Statement::SwapBox { mode, .. }
        | Statement::TestAndSet { mode, .. }
        | Statement::AwaitBits { mode, .. }
        | Statement::AwaitSame { mode, .. }
        | Statement::AwaitCas { mode, .. }
        | Statement::AwaitKept { mode, .. }
        | Statement::AwaitAbove { mode, .. }
        | Statement::Give { mode, .. }
        | Statement::TakeBack { mode, .. }
        | Statement::Await { mode, .. } => Some(mode),
        _ => None,
    };
    if let Some(mode) = mode.filter(|mode| !matches!(mode, Mode::Plain | Mode::SeqCst)) {
        *mode = Mode::SeqCst;
        result.push(copy);
    }
    let mut copy = statement.clone();
    let value = value_mut(&mut copy).filter(|value| !matches!(value, Expr::Const(_)));
    let smaller = match value {
        Some(Expr::Binary(_, left, right)) => vec![(**left).clone(), (**right).clone()],
        Some(_) => Vec::new(),
        None => return result,
    };
    for smaller in smaller.into_iter().chain([Expr::Const(1)]) {
        let mut copy = statement.clone();
        *value_mut(&mut copy).expect("it has a value") = smaller;
        result.push(copy);
    }
    result
}

/// The value that a statement uses.
fn value_mut(statement: &mut Statement) -> Option<&mut Expr> {
    match statement {
        Statement::Assign { value, .. }
        | Statement::Store { value, .. }
        | Statement::Rmw { value, .. }
        | Statement::SetKey { value, .. }
        | Statement::Create { argument: value, .. }
        | Statement::Call { argument: value, .. }
        | Statement::ThreadExit(value)
        | Statement::Return(value) => Some(value),
        _ => None,
    }
}
