//! Exceptions: calls that an exception may leave, landing pads, and going on from them.
//!
//! An `invoke` is a call with a landing pad in the program's table ([`norn_program::Pad`]). What a landing pad finds, the
//! exception and the selector of the clause that takes it, comes from the machine by an instruction of its own.
//! `resume` is a call of the function that a compiler would make of it.

use super::function::{FunctionLowerer, Lowered};
use norn_llvm::{
    BlockId, Call, Callee, Clause as IrClause, ConstId, Instruction as Ir, LocalId, Op,
    Operand as IrOperand,
};
use norn_program::{Clause, Instruction, Trap};

/// What the clause of an exception specification is known by. One landing pad has one at the most that code asks
/// for, and asks only whether it is negative.
const FILTER: u32 = u32::MAX;

impl FunctionLowerer<'_, '_> {
    pub(super) fn invoke(
        &mut self,
        call: &Call,
        result: Option<LocalId>,
        (normal, unwind): (BlockId, BlockId),
    ) -> Lowered<()> {
        // First, so that there is no call whose landing pad nobody knows.
        let (cleanup, clauses) = self.clauses(unwind)?;
        let before = self.b.pc();
        self.call(call, result)?;
        let mut stubs = Vec::new();
        if self.b.pc() > before {
            let target = self.edge_label(unwind, &mut stubs);
            self.b.pad(target, cleanup, self.terminates(unwind), clauses);
        }
        if stubs.is_empty() {
            return self.go(normal);
        }
        self.moves_to(normal)?;
        self.b.jump(self.labels[normal.0 as usize]);
        self.write_stubs(stubs)
    }

    pub(super) fn landing_pad(&mut self, result: LocalId) -> Lowered<()> {
        if self.cells(self.body.local(result).ty)? != 2 {
            return Err("a landing pad of another ABI".into());
        }
        let dst = self.result(result, 2);
        self.b.emit(Instruction::Landing { dst });
        Ok(())
    }

    pub(super) fn resume(&mut self, value: IrOperand) -> Lowered<()> {
        let exception = self.operand(value)?;
        self.b.call_external("_Unwind_Resume", &[exception], 0, norn_program::Register(0));
        self.b.emit(Instruction::Trap(Trap::Unreachable));
        Ok(())
    }

    /// Whether there is a cleanup in the landing pad of a block, and its clauses.
    fn clauses(&mut self, pad: BlockId) -> Lowered<(bool, Vec<Clause>)> {
        let instructions = &self.body.block(pad).instructions;
        let found = instructions.iter().find_map(|i| match &i.op {
            Op::LandingPad { cleanup, clauses, .. } => Some((*cleanup, clauses)),
            _ => None,
        });
        let Some((cleanup, clauses)) = found else {
            return Err("an exception leads to a block without a landing pad".into());
        };
        let clauses = clauses.iter().map(|&clause| self.clause(clause)).collect::<Lowered<_>>()?;
        Ok((cleanup, clauses))
    }

    fn clause(&mut self, clause: IrClause) -> Lowered<Clause> {
        let constant = |operand| match operand {
            IrOperand::Const(id) => Ok(id),
            _ => Err(String::from("a clause of a landing pad that is no constant")),
        };
        match clause {
            IrClause::Catch(ty) => {
                let description = match self.descriptions(constant(ty)?)?[..] {
                    [description] => description,
                    _ => return Err("a clause of a landing pad that is no type".into()),
                };
                let selector = self.b.program().selector(description);
                Ok(Clause::Catch { description, selector })
            }
            IrClause::Filter(types) => {
                let allowed = self.descriptions(constant(types)?)?;
                Ok(Clause::Filter { allowed, selector: FILTER })
            }
        }
    }

    fn descriptions(&mut self, id: ConstId) -> Lowered<Vec<u64>> {
        let mut found = Vec::new();
        let evaluator = self.evaluator();
        evaluator.cells(id, self.b.program(), &mut found)?;
        Ok(found)
    }

    /// `llvm.eh.typeid.for`: what landing pads call a type.
    pub(super) fn selector_of(&mut self, ty: IrOperand, result: LocalId) -> Lowered<()> {
        let Some(description) = self.constant_int(ty) else {
            return Err("the selector of a type that is no constant".into());
        };
        let selector = self.b.program().selector(description as u64);
        let operand = self.b.constant(selector.into());
        self.result_is(result, operand);
        Ok(())
    }

    /// Whether all that the landing pad of a block does is to end the program, as in a function that is `noexcept`.
    fn terminates(&self, pad: BlockId) -> bool {
        let calls_terminate = |i: &Ir| match &i.op {
            Op::Call(call) => match call.callee {
                Callee::Value(callee) => (self.module.operand_symbol(callee))
                    .is_some_and(|s| self.module.symbol_name(s) == "__clang_call_terminate"),
                Callee::Asm(_) => false,
            },
            _ => false,
        };
        self.body.block(pad).instructions.iter().any(calls_terminate)
    }
}
