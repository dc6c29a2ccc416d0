//! Statements flattened to instructions, so that a thread's position is one number.

use crate::{Body, Expr, LocationId, RegisterId, StatementKind, Until};
use norn_action::{Mode, Place, RmwOp};

/// One step of a thread. Jump targets are indices into the thread's code, which always ends with
/// [`Instruction::Finish`].
#[derive(Clone, Debug)]
pub enum Instruction {
    Load {
        register: RegisterId,
        location: LocationId,
        mode: Mode,
        until: Option<Until>,
        place: Place,
    },
    Store {
        location: LocationId,
        value: Expr,
        mode: Mode,
        place: Place,
    },
    Rmw {
        register: Option<RegisterId>,
        location: LocationId,
        op: RmwOp,
        operand: Expr,
        mode: Mode,
        until: Option<Until>,
        place: Place,
    },
    CompareExchange {
        register: Option<RegisterId>,
        location: LocationId,
        expected: RegisterId,
        desired: Expr,
        success: Mode,
        failure: Mode,
        place: Place,
    },
    Fence(Mode, Place),
    Lock(LocationId, Place),
    Unlock(LocationId, Place),
    Join(u32, Place),
    Assign {
        register: RegisterId,
        value: Expr,
    },
    Assume {
        condition: Expr,
        place: Place,
    },
    JumpUnless {
        condition: Expr,
        target: u32,
    },
    Jump {
        target: u32,
    },
    Finish,
}

/// Flattens a thread. Every statement gets a new place, whose line is appended to `lines`.
pub fn compile(body: &Body, lines: &mut Vec<u32>) -> Vec<Instruction> {
    let mut code = Vec::new();
    compile_body(body, &mut code, lines);
    code.push(Instruction::Finish);
    code
}

fn compile_body(body: &Body, code: &mut Vec<Instruction>, lines: &mut Vec<u32>) {
    for statement in body {
        let place = Place(lines.len() as u32);
        lines.push(statement.line);
        if let StatementKind::If { condition, then, otherwise } = &statement.kind {
            compile_if(condition, then, otherwise, code, lines);
        } else {
            code.push(simple(&statement.kind, place));
        }
    }
}

fn compile_if(
    condition: &Expr,
    then: &Body,
    otherwise: &Body,
    code: &mut Vec<Instruction>,
    lines: &mut Vec<u32>,
) {
    let branch = code.len();
    code.push(Instruction::JumpUnless { condition: condition.clone(), target: 0 });
    compile_body(then, code, lines);
    let leave = code.len();
    if !otherwise.is_empty() {
        code.push(Instruction::Jump { target: 0 });
    }
    let else_start = code.len() as u32;
    compile_body(otherwise, code, lines);
    let end = code.len() as u32;
    if let Instruction::JumpUnless { target, .. } = &mut code[branch] {
        *target = else_start;
    }
    if !otherwise.is_empty() {
        code[leave] = Instruction::Jump { target: end };
    }
}

fn simple(kind: &StatementKind, place: Place) -> Instruction {
    match kind.clone() {
        StatementKind::Load { register, location, mode, until } => {
            Instruction::Load { register, location, mode, until, place }
        }
        StatementKind::Store { location, value, mode } => {
            Instruction::Store { location, value, mode, place }
        }
        StatementKind::Rmw { register, location, op, operand, mode, until } => {
            Instruction::Rmw { register, location, op, operand, mode, until, place }
        }
        StatementKind::CompareExchange {
            register,
            location,
            expected,
            desired,
            success,
            failure,
            weak: _,
        } => Instruction::CompareExchange {
            register,
            location,
            expected,
            desired,
            success,
            failure,
            place,
        },
        StatementKind::Fence(mode) => Instruction::Fence(mode, place),
        StatementKind::Lock(location) => Instruction::Lock(location, place),
        StatementKind::Unlock(location) => Instruction::Unlock(location, place),
        StatementKind::Join(thread) => Instruction::Join(thread, place),
        StatementKind::Assign { register, value } => Instruction::Assign { register, value },
        StatementKind::Assume(condition) => Instruction::Assume { condition, place },
        StatementKind::If { .. } => unreachable!("compile_body() takes conditionals itself"),
    }
}
