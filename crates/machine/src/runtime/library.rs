//! Operations of libraries: see [`norn_program::Operation`].
//!
//! Each access of an operation is a step of [`Cx`]. What is computed between them depends on the arguments and on
//! what was read, so that an operation can be run again up to where it stopped.

use super::Cx;
use super::context::test;
use crate::access::{Modify, Target};
use crate::thread::Stop;
use norn_action::{Claim, Mode, Requirement, Test, Wait};
use norn_program::{Cell, Expression, Guard, Operation, Step};
use smallvec::{SmallVec, smallvec};

/// A call of an operation: its number is the first argument, before those of the program.
pub(crate) fn operate(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (vm, args) = (cx.vm, cx.args());
    let operation = &vm.program.operations[cx.arg(0) as usize];
    let kept = smallvec![0; operation.values as usize];
    let thread = u64::from(cx.t.id.0) + 1;
    let mut call = Call { operation, params: args.get(1..).unwrap_or(&[]), kept, thread };
    // What it does is always seen, also while there is one thread.
    cx.step(|vm, t| {
        if !t.memory.shared {
            t.share_globals(vm)?;
        }
        Ok(0)
    })?;
    let result = call.run(cx, &operation.steps)?.flatten().unwrap_or(0);
    Ok(u128::from(match operation.result_bits {
        0 => 0,
        1 => u64::from(result != 0),
        bits => result & (u64::MAX >> (64 - u32::from(bits.min(64)))),
    }))
}

struct Call<'a> {
    operation: &'a Operation,
    params: &'a [u64],
    kept: SmallVec<[u64; 4]>,
    thread: u64,
}

impl Call<'_> {
    /// Takes steps; the result, once one of them ends the operation.
    fn run(&mut self, cx: &mut Cx<'_>, steps: &[Step]) -> Result<Option<Option<u64>>, Stop> {
        for step in steps {
            match step {
                Step::Read { cell, mode, when, to } => {
                    let target = self.target(*cell, *mode);
                    let value = match when {
                        None => cx.get(target)?,
                        Some(guard) => {
                            let test = self.test(guard, *cell);
                            cx.load_when(target, test, Wait::Operation)?
                        }
                    };
                    self.keep(*to, value);
                }
                Step::Write { cell, mode, role, value } => {
                    let value = self.value(value);
                    cx.put(self.target(*cell, *mode).of(*role), value)?;
                }
                Step::Update { cell, mode, role, op, operand, guard, waits, to } => {
                    let modify = Modify {
                        target: self.target(*cell, *mode).of(*role),
                        failure: Mode::Relaxed,
                        op: *op,
                        operand: self.value(operand).into(),
                        test: guard.as_ref().map(|guard| self.test(guard, *cell)),
                        wait: waits.then_some(Wait::Operation),
                    };
                    let old = cx.modify(modify)?;
                    self.keep(*to, old);
                }
                Step::Require(condition, violated) => {
                    if self.value(condition) == 0 {
                        let (operation, violated) = (self.operation.full_name(), violated.clone());
                        let requirement = Box::new(Requirement { operation, violated });
                        return Err(cx.fault(Claim::Requirement(requirement)));
                    }
                }
                Step::If(condition, then, otherwise) => {
                    let chosen = if self.value(condition) != 0 { then } else { otherwise };
                    if let Some(result) = self.run(cx, chosen)? {
                        return Ok(Some(result));
                    }
                }
                Step::Return(value) => {
                    return Ok(Some(value.as_ref().map(|value| self.value(value))));
                }
            }
        }
        Ok(None)
    }

    fn value(&self, expression: &Expression) -> u64 {
        expression.value(&|leaf| match *leaf {
            Expression::Parameter(index) => self.params.get(index as usize).copied().unwrap_or(0),
            Expression::Value(index) => self.kept[index as usize],
            _ => self.thread,
        })
    }

    fn keep(&mut self, to: Option<u32>, value: u64) {
        if let Some(index) = to {
            self.kept[index as usize] = value;
        }
    }

    fn target(&self, cell: Cell, mode: Mode) -> Target {
        let object = self.params.get(cell.object as usize).copied().unwrap_or(0);
        let offset = u64::from(cell.index) * u64::from(cell.size);
        Target::new(object.wrapping_add(offset), cell.size, mode)
    }

    /// A cell holds what fits into it, and so does what it is compared with.
    fn test(&self, guard: &Guard, cell: Cell) -> Test {
        let all = u64::MAX >> (64 - 8 * u32::from(cell.size));
        let mask = guard.mask.as_ref().map_or(all, |mask| self.value(mask) & all);
        test(mask, guard.compare, self.value(&guard.operand) & all)
    }
}
