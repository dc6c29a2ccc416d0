//! Statements flattened to instructions, so that a thread's position is one number.

use crate::{Body, Expr, LocationId, RegisterId, StatementKind, Until};
use norn_action::{Mode, Place, RmwOp, Wait};

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
        /// How it waits, if it does.
        wait: Wait,
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

/// Marks the locations that stores write to.
pub fn mark_stored(body: &Body, stored: &mut [bool]) {
    for statement in body {
        match &statement.kind {
            StatementKind::Store { location, .. } => stored[location.index()] = true,
            StatementKind::If { then, otherwise, .. } => {
                mark_stored(then, stored);
                mark_stored(otherwise, stored);
            }
            _ => {}
        }
    }
}

/// Flattens a thread. Every statement gets a new place, whose line is appended to `lines`. `stored`
/// says which locations are written by stores.
pub fn compile(body: &Body, stored: &[bool], lines: &mut Vec<u32>) -> Vec<Instruction> {
    let mut compiler = Compiler { code: Vec::new(), stored, lines };
    compiler.body(body);
    compiler.code.push(Instruction::Finish);
    compiler.code
}

struct Compiler<'a> {
    code: Vec<Instruction>,
    stored: &'a [bool],
    lines: &'a mut Vec<u32>,
}

impl Compiler<'_> {
    fn body(&mut self, body: &Body) {
        for statement in body {
            let place = Place(self.lines.len() as u32);
            self.lines.push(statement.line);
            if let StatementKind::If { condition, then, otherwise } = &statement.kind {
                self.conditional(condition, then, otherwise);
            } else {
                self.code.push(simple(&statement.kind, self.stored, place));
            }
        }
    }

    fn conditional(&mut self, condition: &Expr, then: &Body, otherwise: &Body) {
        let branch = self.code.len();
        self.code.push(Instruction::JumpUnless { condition: condition.clone(), target: 0 });
        self.body(then);
        let leave = self.code.len();
        if !otherwise.is_empty() {
            self.code.push(Instruction::Jump { target: 0 });
        }
        let else_start = self.code.len() as u32;
        self.body(otherwise);
        let end = self.code.len() as u32;
        if let Instruction::JumpUnless { target, .. } = &mut self.code[branch] {
            *target = else_start;
        }
        if !otherwise.is_empty() {
            self.code[leave] = Instruction::Jump { target: end };
        }
    }
}

fn simple(kind: &StatementKind, stored: &[bool], place: Place) -> Instruction {
    match kind.clone() {
        StatementKind::Load { register, location, mode, until } => {
            Instruction::Load { register, location, mode, until, place }
        }
        StatementKind::Store { location, value, mode } => {
            Instruction::Store { location, value, mode, place }
        }
        StatementKind::Rmw { register, location, op, operand, mode, until } => {
            let wait = if stored[location.index()] { Wait::Value } else { Wait::Semaphore };
            Instruction::Rmw { register, location, op, operand, mode, until, wait, place }
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
        StatementKind::If { .. } => unreachable!("body() takes conditionals itself"),
    }
}
