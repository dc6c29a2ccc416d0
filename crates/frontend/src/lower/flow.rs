//! Control flow: branches, switches, returns, and the moves that phis become.

use super::arithmetic::compare_of;
use super::constants::{block_address, mask};
use super::function::{FunctionLowerer, Lowered};
use norn_action::Compare;
use norn_llvm::{BlockId, Instruction as Ir, LocalId, Op, Operand as IrOperand};
use norn_program::{Instruction, Label, Operand, Program, Register, Trap};

impl FunctionLowerer<'_, '_> {
    /// Whether a cast only gives the address of a variable that lives in registers, or that nothing but marks
    /// of scopes use.
    fn is_address_of_variable(&self, cast: &Ir) -> bool {
        let variable = |local: LocalId| self.analysis.variable_of[local.0 as usize];
        cast.result.is_some_and(|result| variable(result).is_some())
            || self.analysis.scopes.is_mark(self.module, &cast.op, cast.result)
    }

    /// Lowers one instruction; `Err` says what is not supported.
    pub(super) fn operation(&mut self, instruction: &Ir) -> Lowered<()> {
        let result = instruction.result;
        let required = || result.ok_or_else(|| String::from("an instruction without a result"));
        match &instruction.op {
            Op::Phi { ty, .. } => self.cells(*ty).map(drop),
            Op::Ret(value) => self.ret(*value),
            Op::Br(target) => self.go(*target),
            Op::CondBr { condition, then, other } => self.cond_br(*condition, *then, *other),
            Op::Switch { value, default, cases } => self.switch(*value, *default, cases),
            Op::IndirectBr { address, targets } => self.indirect_br(*address, targets),
            Op::Invoke { call, normal, unwind } => self.invoke(call, result, (*normal, *unwind)),
            Op::LandingPad { .. } => self.landing_pad(required()?),
            Op::Resume(value) => self.resume(*value),
            Op::Unreachable => {
                self.b.emit(Instruction::Trap(Trap::Unreachable));
                Ok(())
            }
            Op::Fneg(value) => self.fneg(*value, required()?),
            Op::Binary { op, left, right, .. } => self.binary(*op, *left, *right, required()?),
            Op::Icmp { predicate, left, right } => {
                self.icmp(*predicate, *left, *right, required()?)
            }
            Op::Fcmp { predicate, left, right } => {
                self.fcmp(*predicate, *left, *right, required()?)
            }
            Op::Select { condition, then, other } => {
                self.select(*condition, *then, *other, required()?)
            }
            Op::Cast { .. } if self.is_address_of_variable(instruction) => Ok(()),
            Op::Cast { op, value, to } => self.cast(*op, *value, *to, required()?),
            Op::Freeze(value) => {
                let count = self.cells(self.type_of(*value))?;
                let src = self.operand(*value)?;
                let dst = self.result(required()?, count);
                for i in 0..count {
                    self.b.emit(Instruction::Freeze { dst: dst.plus(i), src: src.plus(i) });
                }
                Ok(())
            }
            Op::ExtractValue { aggregate, indices } => {
                self.extract_value(*aggregate, indices, required()?)
            }
            Op::InsertValue { aggregate, element, indices } => {
                self.insert_value(*aggregate, *element, indices, required()?)
            }
            Op::ExtractElement { vector, index } => {
                self.extract_element(*vector, *index, required()?)
            }
            Op::InsertElement { vector, element, index } => {
                self.insert_element(*vector, *element, *index, required()?)
            }
            Op::ShuffleVector { left, right, mask } => {
                self.shuffle_vector(*left, *right, *mask, required()?)
            }
            Op::Alloca { ty, count, align } => self.alloca(*ty, *count, *align, required()?),
            Op::Load { ty, pointer, access } => self.load(*ty, *pointer, *access, required()?),
            Op::Store { value, pointer, access } => self.store(*value, *pointer, *access),
            Op::Fence(access) => self.fence(*access),
            Op::CmpXchg(op) => self.compare_exchange(op, required()?),
            Op::AtomicRmw(op) => self.atomic_rmw(op, required()?),
            Op::Gep { source, base, indices, .. } => self.gep(*source, *base, indices, required()?),
            Op::Call(call) => self.call(call, result),
            Op::VaArg { .. } => Err("the instruction `va_arg`".into()),
        }
    }

    fn ret(&mut self, value: Option<IrOperand>) -> Lowered<()> {
        match value {
            Some(value) => {
                let count = self.cells(self.type_of(value))?;
                let operand = self.operand(value)?;
                self.b.ret(count as u16, operand);
            }
            None => self.b.ret(0, Operand::from(Register(0))),
        }
        Ok(())
    }

    // --- edges ----------------------------------------------------------------------------------

    /// Whether an edge to this block has something to do.
    fn has_phis(&self, block: BlockId) -> bool {
        let first = self.body.block(block).instructions.first();
        first.is_some_and(|i| matches!(i.op, Op::Phi { .. }))
    }

    /// Goes along the edge to `target`; falls through where it comes next.
    pub(super) fn go(&mut self, target: BlockId) -> Lowered<()> {
        self.moves_to(target)?;
        if self.next_block != Some(target) {
            self.b.jump(self.labels[target.0 as usize]);
        }
        Ok(())
    }

    /// A label that leads to `target` through the moves of its phis; `stubs` gets those to write.
    pub(super) fn edge_label(
        &mut self,
        target: BlockId,
        stubs: &mut Vec<(BlockId, Label)>,
    ) -> Label {
        if !self.has_phis(target) {
            return self.labels[target.0 as usize];
        }
        if let Some(stub) = stubs.iter().find(|stub| stub.0 == target) {
            return stub.1;
        }
        let label = self.b.label();
        stubs.push((target, label));
        label
    }

    pub(super) fn write_stubs(&mut self, stubs: Vec<(BlockId, Label)>) -> Lowered<()> {
        let mut failure = Ok(());
        for (target, label) in stubs {
            self.b.bind(label);
            let moved = self.moves_to(target);
            if moved.is_err() {
                self.b.unsupported("a value of a type that is not supported");
                failure = moved;
            }
            self.b.jump(self.labels[target.0 as usize]);
        }
        failure
    }

    /// The moves that the phis of `target` make when control comes from this block.
    pub(super) fn moves_to(&mut self, target: BlockId) -> Lowered<()> {
        let mut moves = Vec::new();
        let block = self.body.block(target);
        for instruction in &block.instructions {
            let (Op::Phi { ty, incoming }, Some(result)) = (&instruction.op, instruction.result)
            else {
                break;
            };
            let count = self.cells(*ty)?;
            let Some(&(value, _)) = incoming.iter().find(|i| i.1 == self.block) else {
                return Err("a phi without a value for this edge".into());
            };
            let source = self.operand(value)?;
            let dst = self.phi_register(result)?;
            moves.extend((0..count).map(|i| (dst.plus(i), source.plus(i))));
        }
        self.parallel_moves(moves);
        Ok(())
    }

    fn phi_register(&self, result: LocalId) -> Lowered<Register> {
        self.slot(result)?.operand.register().ok_or_else(|| "a phi without a register".into())
    }

    /// Moves that happen at once: one whose target is not read any more goes first, and a cycle is
    /// opened by saving one of its registers.
    fn parallel_moves(&mut self, mut moves: Vec<(Register, Operand)>) {
        moves.retain(|&(dst, src)| Operand::from(dst) != src);
        while !moves.is_empty() {
            let ready = moves
                .iter()
                .position(|&(dst, _)| !moves.iter().any(|&(_, src)| src == Operand::from(dst)));
            match ready {
                Some(index) => {
                    let (dst, src) = moves.swap_remove(index);
                    self.b.emit(Instruction::Move { dst, src });
                }
                None => {
                    let saved = self.temporary(1);
                    let dst = moves[0].0;
                    self.b.emit(Instruction::Move { dst: saved, src: dst.into() });
                    for (_, src) in &mut moves {
                        if *src == Operand::from(dst) {
                            *src = saved.into();
                        }
                    }
                }
            }
        }
    }

    // --- branches -------------------------------------------------------------------------------

    fn cond_br(&mut self, condition: IrOperand, then: BlockId, other: BlockId) -> Lowered<()> {
        let mut stubs = Vec::new();
        if let Some((compare, width, a, b, op)) = self.fused(condition)? {
            // Fall through to the block that comes next.
            let (compare, then, other) = if self.next_block == Some(then) {
                (compare.negated(), other, then)
            } else {
                (compare, then, other)
            };
            let label = self.edge_label(then, &mut stubs);
            self.b.jump_if(compare, width, a, b, label);
            self.release(&op);
            if stubs.is_empty() {
                return self.go(other);
            }
            self.moves_to(other)?;
            self.b.jump(self.labels[other.0 as usize]);
            return self.write_stubs(stubs);
        }
        let condition = self.operand(condition)?;
        let then = self.edge_label(then, &mut stubs);
        let other = self.edge_label(other, &mut stubs);
        self.b.branch(condition, then, other);
        self.write_stubs(stubs)
    }

    /// The comparison that this branch does itself.
    #[allow(clippy::type_complexity)]
    fn fused(
        &mut self,
        condition: IrOperand,
    ) -> Lowered<Option<(Compare, u8, Operand, Operand, Op)>> {
        let block = self.body.block(self.block);
        let uses = &self.analysis.uses;
        let fused = super::analysis::fused_compare(block, |l| uses[l.0 as usize].count);
        let (Some(fused), IrOperand::Local(local)) = (fused, condition) else { return Ok(None) };
        let instruction = block.instructions.iter().find(|i| i.result == Some(fused));
        let Some(Ir { op: op @ Op::Icmp { predicate, left, right }, .. }) = instruction else {
            return Ok(None);
        };
        let scalar = self.scalar_of(*left)?;
        if scalar.bits() > 64 {
            self.icmp(*predicate, *left, *right, local)?;
            self.release(op);
            return Ok(None);
        }
        self.note_order(*predicate, scalar);
        let (a, b) = (self.operand(*left)?, self.operand(*right)?);
        Ok(Some((compare_of(*predicate), scalar.bits() as u8, a, b, op.clone())))
    }

    fn switch(
        &mut self,
        value: IrOperand,
        default: BlockId,
        cases: &[(norn_llvm::ConstId, BlockId)],
    ) -> Lowered<()> {
        let scalar = self.scalar_of(value)?;
        let operand = self.operand(value)?;
        let mut stubs = Vec::new();
        let default = self.edge_label(default, &mut stubs);
        let mut list = Vec::with_capacity(cases.len());
        for &(case, target) in cases {
            let label = self.edge_label(target, &mut stubs);
            let Some(value) = self.constant_int(IrOperand::Const(case)) else {
                return Err("a case of a switch that is no number".into());
            };
            list.push((mask(value, scalar.bits()), label));
        }
        if scalar.bits() <= 64 {
            let list: Vec<_> = list.iter().map(|&(value, label)| (value as u64, label)).collect();
            self.b.switch(operand, &list, default);
        } else {
            let flag = self.temporary(1);
            for (value, label) in list {
                let b = self.b.program().constant_pair(value);
                self.b.compare(Compare::Eq, scalar.bits() as u8, flag, operand, b);
                let zero = self.b.constant(0);
                self.b.jump_if(Compare::Ne, 1, flag.into(), zero, label);
            }
            self.b.jump(default);
        }
        self.write_stubs(stubs)
    }

    fn indirect_br(&mut self, address: IrOperand, targets: &[BlockId]) -> Lowered<()> {
        let operand = self.operand(address)?;
        let own = self.function.symbol;
        let function = match self.symbols.target(self.index, own) {
            super::symbols::Target::Function(id) => Program::function_address(id),
            _ => return Err("a computed goto in a function without an address".into()),
        };
        let mut stubs = Vec::new();
        let mut list = Vec::new();
        for &target in targets {
            let label = self.edge_label(target, &mut stubs);
            list.push((block_address(function, target.0) as u64, label));
        }
        let bad = self.b.label();
        self.b.switch(operand, &list, bad);
        self.b.bind(bad);
        self.b.emit(Instruction::Trap(Trap::NoLabel));
        self.write_stubs(stubs)
    }
}
