//! Makes a failing program small.
//!
//! Every step removes something or makes it simpler by a measure that cannot fall for ever: fewer
//! threads, statements, locations or operators, weaker modes, numbers nearer to zero. So the search
//! ends, and its result cannot be shrunk by any single step.

use crate::{
    Body, Condition, Expr, LocationId, Observed, Program, RegisterId, Statement, StatementKind,
    Until,
};
use norn_action::{Mode, RmwOp};

/// The smallest program that single steps reach from `program` and for which `still_fails` holds.
/// `still_fails` must hold for `program` itself.
pub fn shrink(mut program: Program, mut still_fails: impl FnMut(&Program) -> bool) -> Program {
    while let Some(smaller) = variants(&program).into_iter().find(&mut still_fails) {
        program = smaller;
    }
    program
}

/// All programs one step smaller, the largest steps first.
fn variants(program: &Program) -> Vec<Program> {
    let mut result = Vec::new();
    if program.threads.len() > 1 {
        result.extend((0..program.threads.len()).map(|thread| without_thread(program, thread)));
    }
    for thread in 0..program.threads.len() {
        for body in body_variants(&program.threads[thread].body) {
            let mut smaller = program.clone();
            smaller.threads[thread].body = body;
            drop_unused_registers(&mut smaller, thread);
            result.push(smaller);
        }
    }
    for index in 0..program.locations.len() {
        let location = LocationId(index as u32);
        result.extend(without_location(program, location));
        if program.locations[index].initial != 0 {
            let mut smaller = program.clone();
            smaller.locations[index].initial = 0;
            result.push(smaller);
        }
    }
    result
}

fn without_thread(program: &Program, removed: usize) -> Program {
    let mut smaller = program.clone();
    smaller.threads.remove(removed);
    for thread in &mut smaller.threads {
        forget_joins(&mut thread.body, removed as u32);
    }
    let keep = |observed: &mut Observed| match observed {
        Observed::Register(thread, _) if *thread as usize == removed => false,
        Observed::Register(thread, _) => {
            *thread -= u32::from(*thread as usize > removed);
            true
        }
        Observed::Location(_) => true,
    };
    retain_observed(&mut smaller, keep);
    smaller
}

/// Drops joins of a thread that is gone and renumbers the others.
fn forget_joins(body: &mut Body, removed: u32) {
    body.retain_mut(|statement| match &mut statement.kind {
        StatementKind::Join(thread) if *thread == removed => false,
        StatementKind::Join(thread) => {
            *thread -= u32::from(*thread > removed);
            true
        }
        StatementKind::If { then, otherwise, .. } => {
            forget_joins(then, removed);
            forget_joins(otherwise, removed);
            true
        }
        _ => true,
    });
}

/// The program without a location that no thread uses.
fn without_location(program: &Program, removed: LocationId) -> Option<Program> {
    let mut smaller = program.clone();
    let mut used = false;
    let mut rename = |location: &mut LocationId| {
        used |= *location == removed;
        location.0 -= u32::from(*location > removed);
    };
    for thread in &mut smaller.threads {
        for_each_location(&mut thread.body, &mut rename);
    }
    if used {
        return None;
    }
    smaller.locations.remove(removed.index());
    let keep = |observed: &mut Observed| match observed {
        Observed::Location(location) if *location == removed => false,
        Observed::Location(location) => {
            location.0 -= u32::from(*location > removed);
            true
        }
        Observed::Register(..) => true,
    };
    retain_observed(&mut smaller, keep);
    Some(smaller)
}

fn drop_unused_registers(program: &mut Program, thread: usize) {
    let mut used = vec![false; program.threads[thread].registers.len()];
    let mut mark = |register: &mut RegisterId| used[register.index()] = true;
    crate::ast::for_each_register(&mut program.threads[thread].body, &mut mark);
    let mut kept = 0;
    let new_id: Vec<Option<RegisterId>> = (used.iter())
        .map(|&used| {
            kept += u32::from(used);
            used.then(|| RegisterId(kept - 1))
        })
        .collect();
    let mut rename = |register: &mut RegisterId| {
        *register = new_id[register.index()].expect("a register that is used is kept");
    };
    crate::ast::for_each_register(&mut program.threads[thread].body, &mut rename);
    let mut index = 0;
    program.threads[thread].registers.retain(|_| {
        index += 1;
        used[index - 1]
    });
    let keep = |observed: &mut Observed| match observed {
        Observed::Register(t, register) if *t as usize == thread => {
            let new = new_id[register.index()];
            *register = new.unwrap_or(*register);
            new.is_some()
        }
        _ => true,
    };
    retain_observed(program, keep);
}

/// Renames what is observed and forgets what `keep` refuses; a condition that asks about something
/// forgotten becomes `true`.
fn retain_observed(program: &mut Program, mut keep: impl FnMut(&mut Observed) -> bool) {
    program.observed.retain_mut(&mut keep);
    let mut update = |condition: &mut Condition| {
        let mut complete = true;
        condition.for_each_atom(&mut |atom| complete &= keep(&mut atom.observed));
        if !complete {
            *condition = Condition::True;
        }
    };
    program.filter.iter_mut().for_each(&mut update);
    program.condition.iter_mut().for_each(|question| update(&mut question.condition));
}

/// Bodies one step smaller.
fn body_variants(body: &Body) -> Vec<Body> {
    let mut result = Vec::new();
    let splice = |index: usize, replacement: Body| {
        let mut smaller = body.clone();
        smaller.splice(index..=index, replacement);
        smaller
    };
    for (index, statement) in body.iter().enumerate() {
        match &statement.kind {
            StatementKind::Unlock(_) => {}
            StatementKind::Lock(mutex) => {
                let mut smaller = splice(index, Vec::new());
                let unlock = StatementKind::Unlock(*mutex);
                if let Some(pair) = (index..smaller.len()).find(|&i| smaller[i].kind == unlock) {
                    smaller.remove(pair);
                }
                result.push(smaller);
            }
            _ => result.push(splice(index, Vec::new())),
        }
    }
    for (index, statement) in body.iter().enumerate() {
        let replacements = statement_variants(statement);
        result.extend(replacements.into_iter().map(|replacement| splice(index, replacement)));
    }
    result
}

/// What may stand for a statement, other than nothing.
fn statement_variants(statement: &Statement) -> Vec<Body> {
    if let StatementKind::If { condition, then, otherwise } = &statement.kind {
        return conditional_variants(condition, then, otherwise);
    }
    let mut result = simpler_accesses(&statement.kind);
    let mut add = |change: &mut dyn FnMut(&mut StatementKind) -> bool| {
        let mut kind = statement.kind.clone();
        if change(&mut kind) {
            result.push(kind);
        }
    };
    for which in 0..2 {
        add(&mut |kind| weaken(kind, which));
    }
    add(&mut |kind| until_of(kind).is_some_and(|until| until.take().is_some()));
    let waited_for = until_of(&mut statement.kind.clone()).and_then(|until| until.take());
    for value in waited_for.map(|until| expression_variants(&until.value)).unwrap_or_default() {
        add(&mut |kind| {
            let until = until_of(kind).and_then(|until| until.as_mut());
            until.is_some_and(|until| {
                until.value = value.clone();
                true
            })
        });
    }
    for variant in expression(&statement.kind).map(expression_variants).unwrap_or_default() {
        add(&mut |kind| replace_expression(kind, variant.clone()));
    }
    result.into_iter().map(|kind| vec![Statement { kind, line: statement.line }]).collect()
}

/// Accesses that do less than this one.
fn simpler_accesses(kind: &StatementKind) -> Vec<StatementKind> {
    let mut result = Vec::new();
    match kind.clone() {
        StatementKind::Rmw { register, location, op, operand, mode, until } => {
            let rmw = |register, op| StatementKind::Rmw {
                register,
                location,
                op,
                operand: operand.clone(),
                mode,
                until: until.clone(),
            };
            match register {
                Some(register) => {
                    let (mode, until) = (mode.of_read(), until.clone());
                    result.push(StatementKind::Load { register, location, mode, until });
                    result.push(rmw(None, op));
                }
                None => {
                    let (value, mode) = (operand.clone(), mode.of_write());
                    result.push(StatementKind::Store { location, value, mode });
                }
            }
            if op != RmwOp::Exchange {
                result.push(rmw(register, RmwOp::Exchange));
            }
        }
        StatementKind::CompareExchange { location, expected: register, success, .. } => {
            let (mode, until) = (success.of_read(), None);
            result.push(StatementKind::Load { register, location, mode, until });
        }
        _ => {}
    }
    result
}

/// What a statement may wait for.
fn until_of(kind: &mut StatementKind) -> Option<&mut Option<Until>> {
    match kind {
        StatementKind::Load { until, .. } | StatementKind::Rmw { until, .. } => Some(until),
        _ => None,
    }
}

fn conditional_variants(condition: &Expr, then: &Body, otherwise: &Body) -> Vec<Body> {
    let mut result = vec![then.clone(), otherwise.clone()];
    let mut add = |condition: &Expr, then: &Body, otherwise: &Body| {
        let (condition, then, otherwise) = (condition.clone(), then.clone(), otherwise.clone());
        result.push(vec![StatementKind::If { condition, then, otherwise }.into()]);
    };
    body_variants(then).iter().for_each(|smaller| add(condition, smaller, otherwise));
    body_variants(otherwise).iter().for_each(|smaller| add(condition, then, smaller));
    expression_variants(condition).iter().for_each(|smaller| add(smaller, then, otherwise));
    result
}

/// The expression of a statement that is no conditional.
fn expression(kind: &StatementKind) -> Option<&Expr> {
    match kind {
        StatementKind::Store { value, .. } | StatementKind::Assign { value, .. } => Some(value),
        StatementKind::Rmw { operand, .. } => Some(operand),
        StatementKind::CompareExchange { desired, .. } => Some(desired),
        StatementKind::Assume(value) => Some(value),
        _ => None,
    }
}

fn replace_expression(kind: &mut StatementKind, new: Expr) -> bool {
    match kind {
        StatementKind::Store { value, .. } | StatementKind::Assign { value, .. } => *value = new,
        StatementKind::Rmw { operand, .. } => *operand = new,
        StatementKind::CompareExchange { desired, .. } => *desired = new,
        StatementKind::Assume(value) => *value = new,
        _ => return false,
    }
    true
}

fn expression_variants(expression: &Expr) -> Vec<Expr> {
    match expression {
        Expr::Const(0) => vec![],
        Expr::Const(value) => vec![Expr::Const(0), Expr::Const(value / 2)],
        Expr::Register(_) => vec![Expr::Const(0), Expr::Const(1)],
        Expr::Unary(_, a) => vec![(**a).clone()],
        Expr::Binary(_, a, b) => vec![(**a).clone(), (**b).clone()],
    }
}

/// Weakens the first (`which` 0) or second mode of a statement by one step.
fn weaken(kind: &mut StatementKind, which: usize) -> bool {
    let (mode, weaker): (&mut Mode, fn(Mode) -> Option<Mode>) = match (kind, which) {
        (StatementKind::Load { mode, .. }, 0) => (mode, |mode| match mode {
            Mode::SeqCst => Some(Mode::Acquire),
            Mode::Acquire => Some(Mode::Relaxed),
            _ => None,
        }),
        (StatementKind::Store { mode, .. }, 0) => (mode, |mode| match mode {
            Mode::SeqCst => Some(Mode::Release),
            Mode::Release => Some(Mode::Relaxed),
            _ => None,
        }),
        (StatementKind::CompareExchange { failure, .. }, 1) => (failure, |mode| match mode {
            Mode::SeqCst => Some(Mode::Acquire),
            Mode::Acquire => Some(Mode::Relaxed),
            _ => None,
        }),
        (
            StatementKind::Rmw { mode, .. }
            | StatementKind::Fence(mode)
            | StatementKind::CompareExchange { success: mode, .. },
            0,
        ) => (mode, |mode| match mode {
            Mode::SeqCst => Some(Mode::AcqRel),
            Mode::AcqRel => Some(Mode::Acquire),
            Mode::Acquire | Mode::Release => Some(Mode::Relaxed),
            _ => None,
        }),
        _ => return false,
    };
    let weaker = weaker(*mode);
    *mode = weaker.unwrap_or(*mode);
    weaker.is_some()
}

fn for_each_location(body: &mut Body, visit: &mut dyn FnMut(&mut LocationId)) {
    for statement in body {
        match &mut statement.kind {
            StatementKind::Load { location, .. }
            | StatementKind::Store { location, .. }
            | StatementKind::Rmw { location, .. }
            | StatementKind::CompareExchange { location, .. }
            | StatementKind::Lock(location)
            | StatementKind::Unlock(location) => visit(location),
            StatementKind::If { then, otherwise, .. } => {
                for_each_location(then, visit);
                for_each_location(otherwise, visit);
            }
            StatementKind::Fence(_)
            | StatementKind::Assign { .. }
            | StatementKind::Assume(_)
            | StatementKind::Join(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Shape, generate, print, read};

    #[test]
    fn what_remains_is_what_the_failure_needs() {
        let fails = |program: &Program| {
            let text = print(program);
            text.contains("atomic_thread_fence") && text.contains("atomic_fetch_add")
        };
        let program = (0..)
            .map(|seed| generate(seed, &Shape::default()))
            .find(|program| fails(program) && program.threads.len() > 2)
            .unwrap();
        let small = shrink(program, fails);
        let statements: usize = small.threads.iter().map(|thread| thread.body.len()).sum();
        assert_eq!((statements, small.locations.len()), (2, 1), "{}", print(&small));
        assert!(small.threads.iter().all(|thread| thread.registers.is_empty()));
    }

    #[test]
    fn every_step_is_a_program_that_reads_back() {
        let shape = Shape { assumes: true, ..Shape::waiting() };
        for seed in 0..30 {
            for variant in variants(&generate(seed, &shape)) {
                let text = print(&variant);
                assert_eq!(read(&text).as_ref(), Ok(&variant), "{text}");
            }
        }
    }

    #[test]
    fn shrinking_always_ends() {
        for seed in 0..20 {
            let small = shrink(generate(seed, &Shape::waiting()), |_| true);
            assert!(small.threads.len() == 1 && small.threads[0].body.is_empty());
        }
    }

    #[test]
    fn joins_follow_their_threads() {
        let text = "C t\n{ }\nP0 (int* d) { join(P2); }\nP1 (int* d) { }\nP2 (int* d) { }\n";
        let joined = |removed| {
            let smaller = without_thread(&read(text).unwrap(), removed);
            smaller.threads[0].body.first().map(|statement| statement.kind.clone())
        };
        assert_eq!(joined(1), Some(StatementKind::Join(1)));
        assert_eq!(joined(2), None);
    }
}
