//! What is asked of answers of which only one thing is asked.

use super::symbol::{Outcome, Symbol};
use norn_action::SmallTest;
use norn_program::{Asked, Instruction as I, Operand, Program};

/// The reads of a program of whose answers one thing is asked, by ascending program counter, and what that is.
pub(crate) fn asked(program: &Program) -> Vec<(u32, SmallTest)> {
    let test = |item: &Asked| Some((item.read, question(program, item)?));
    program.asked.iter().filter_map(test).collect()
}

fn question(program: &Program, item: &Asked) -> Option<SmallTest> {
    let (I::Rmw { size, .. } | I::Load { size, .. }) = program.code[item.read as usize] else {
        return None;
    };
    if size > 8 {
        return None;
    }
    let answer = Symbol::whole(size);
    let number =
        |operand: Operand| operand.constant_index().map(|index| program.constants[index as usize]);
    let limit = |a, b| number(if item.first { b } else { a });
    let below = item.first;
    let outcome = match program.code[item.jump as usize] {
        I::JumpEqual { a, b, .. } | I::JumpNotEqual { a, b, .. } => {
            answer.equals(limit(a, b)?, size)
        }
        I::JumpBelow { a, b, .. } => answer.compared(below, false, limit(a, b)?)?,
        I::JumpBelowEqual { a, b, .. } => answer.compared(below, true, limit(a, b)?)?,
        I::JumpLess { width, a, b, .. } => {
            answer.compared_signed((below, false), limit(a, b)?, width, size)?
        }
        I::JumpLessEqual { width, a, b, .. } => {
            answer.compared_signed((below, true), limit(a, b)?, width, size)?
        }
        _ => return None,
    };
    match outcome {
        Outcome::If(test) => SmallTest::new(test, size),
        Outcome::Known(_) => None,
    }
}
