//! What must hold of steps so that they mean what they say.

use crate::error::{At, Problem, problem};
use norn_action::{Compare, Mode, RmwOp, Role};
use norn_program::{Expression, Guard, Step};

/// Models take it that what is locked and unlocked is a lock: a lock waits until the cell is zero, acquires, and
/// writes something else; an unlock writes zero and releases.
pub(super) fn check_role(
    at: At,
    role: Role,
    mode: Mode,
    op: RmwOp,
    operand: &Expression,
    when: Option<&Guard>,
) -> Result<(), Problem> {
    let is = |expression: &Expression, number| *expression == Expression::Number(number);
    match role {
        Role::Lock => {
            let is_free = when.is_some_and(|guard| {
                guard.mask.is_none() && guard.compare == Compare::Eq && is(&guard.operand, 0)
            });
            let takes = match operand {
                Expression::Number(number) => *number != 0,
                other => *other == Expression::Thread,
            };
            if op == RmwOp::Exchange && is_free && takes && mode.is_acquire() {
                return Ok(());
            }
            problem(at, "a lock is `update m = 1 acquire as lock when m == 0`, or `self` for 1")
        }
        Role::Unlock => {
            if op == RmwOp::Exchange && is(operand, 0) && mode.is_release() {
                return Ok(());
            }
            problem(at, "an unlock is `write m = 0 release as unlock`")
        }
        _ => Ok(()),
    }
}

pub(super) fn always_returns(steps: &[Step]) -> bool {
    steps.iter().any(|step| match step {
        Step::Return(value) => value.is_some(),
        Step::If(_, then, otherwise) => always_returns(then) && always_returns(otherwise),
        _ => false,
    })
}

/// Whether there is a return with a value, or one without.
pub(super) fn returns(steps: &[Step], with: bool) -> bool {
    steps.iter().any(|step| match step {
        Step::Return(value) => value.is_some() == with,
        Step::If(_, then, otherwise) => returns(then, with) || returns(otherwise, with),
        _ => false,
    })
}
