//! Instructions.

use super::{Numbers, Ours};
use crate::facts::Facts;
use norn_llvm::{
    BlockId, Call, Callee, Clause, ConstId, ConstantKind, Instruction, MemoryAccess, Op, Type,
    TypeId,
};

impl Ours<'_> {
    pub(super) fn instruction(&mut self, numbers: &Numbers<'_>, i: &Instruction) -> Facts {
        let mut facts = Facts::default();
        facts.add("opcode", opcode(&i.op));
        facts.add(
            "result",
            match i.result {
                Some(id) => self.ty(numbers.body.local(id).ty),
                None => "void".to_owned(),
            },
        );
        facts.add("place", self.place(i.debug));
        if !matches!(i.op, Op::Call(_) | Op::Invoke { .. } | Op::Alloca { .. }) {
            let mut operands = Vec::new();
            i.op.for_each_operand(|operand| operands.push(operand));
            for operand in operands {
                facts.add("operand", self.operand(numbers, operand));
            }
        }
        self.details(numbers, &i.op, &mut facts);
        let block = |b: BlockId| format!("b{}", numbers.blocks[b.0 as usize]);
        i.op.for_each_successor(|b| facts.add("successor", block(b)));
        facts
    }

    fn details(&mut self, numbers: &Numbers<'_>, op: &Op, facts: &mut Facts) {
        match op {
            Op::Binary { flags, .. } => {
                facts.add("nuw, nsw, exact", format!("{}{}{}", flags.nuw, flags.nsw, flags.exact));
            }
            Op::Switch { cases, .. } => {
                for case in cases {
                    facts.add("case", self.constant(case.0));
                }
            }
            Op::ExtractValue { indices, .. } | Op::InsertValue { indices, .. } => {
                facts.add("indices", format!("{indices:?}"));
            }
            Op::ShuffleVector { mask, .. } => facts.add("mask", format!("{:?}", self.mask(*mask))),
            Op::Icmp { predicate, .. } => facts.add("predicate", predicate.name()),
            Op::Fcmp { predicate, .. } => facts.add("predicate", predicate.name()),
            Op::Gep { source, inbounds, .. } => {
                facts.add("source", self.ty(*source));
                facts.add("inbounds", inbounds);
            }
            Op::Phi { incoming, .. } => {
                for (_, block) in incoming {
                    facts.add("from", format!("b{}", numbers.blocks[block.0 as usize]));
                }
            }
            Op::LandingPad { cleanup, clauses, .. } => {
                facts.add("cleanup", cleanup);
                for clause in clauses {
                    // LLVM tells filters by their array type alone.
                    let (Clause::Catch(operand) | Clause::Filter(operand)) = *clause;
                    facts.add("clause", self.operand(numbers, operand));
                }
            }
            Op::Call(call) => self.call(numbers, call, facts),
            Op::Invoke { call, .. } => self.call(numbers, call, facts),
            _ => self.memory(numbers, op, facts),
        }
    }

    fn memory(&mut self, numbers: &Numbers<'_>, op: &Op, facts: &mut Facts) {
        let of = |operand| self.module.operand_type(numbers.body, operand);
        match op {
            Op::Alloca { ty, count, align } => {
                facts.add("type", self.ty(*ty));
                facts.add("layout", self.layout(*ty));
                facts.add(
                    "count",
                    match count {
                        Some(count) => self.operand(numbers, *count),
                        None => "i32 0x1".to_owned(),
                    },
                );
                facts.add("alignment", align);
            }
            Op::Load { ty, access, .. } => self.access(*ty, access, facts),
            Op::Store { value, access, .. } => {
                let ty = of(*value);
                self.access(ty, access, facts);
            }
            Op::Fence(access) => {
                facts.add("ordering", access.ordering.map_or("none", |o| o.name()));
                facts.add("single thread", access.single_thread);
            }
            Op::CmpXchg(op) => {
                let ty = of(op.new);
                self.access(ty, &op.access, facts);
                facts.add("failure", op.failure.name());
                facts.add("weak", op.weak);
            }
            Op::AtomicRmw(op) => {
                let ty = of(op.value);
                self.access(ty, &op.access, facts);
                facts.add("operation", op.operation.name());
            }
            _ => {}
        }
    }

    fn access(&mut self, ty: TypeId, access: &MemoryAccess, facts: &mut Facts) {
        let natural = self.module.layout.of(ty).map_or(0, |layout| layout.align);
        facts.add("layout", self.layout(ty));
        facts.add("ordering", access.ordering.map_or("none", |o| o.name()));
        facts.add("single thread", access.single_thread);
        facts.add("volatile", access.volatile);
        facts.add("alignment", if access.align == 0 { natural } else { access.align });
    }

    fn call(&mut self, numbers: &Numbers<'_>, call: &Call, facts: &mut Facts) {
        facts.add(
            "callee",
            match &call.callee {
                Callee::Value(operand) => self.operand(numbers, *operand),
                Callee::Asm(asm) => {
                    format!("asm {:?} {:?} {}", asm.template, asm.constraints, asm.side_effect)
                }
            },
        );
        facts.add("returns", self.ty(call.ret));
        // LLVM always knows the type; here it stands only where the arguments do not tell.
        let variadic = call.function_type.and_then(|ty| match self.module.types.get(ty) {
            Type::Function { varargs: true, .. } => Some(ty),
            _ => None,
        });
        facts.add("variadic", variadic.map_or("no".to_owned(), |ty| self.ty(ty)));
        facts.add("must tail", call.must_tail);
        for (argument, attributes) in &call.args {
            facts.add("argument", self.operand(numbers, *argument));
            self.attributes(attributes, facts);
        }
    }

    /// The lanes of a shuffle; -1 where any will do.
    fn mask(&self, id: ConstId) -> Vec<i64> {
        let module = self.module;
        let constant = module.constant(id);
        let Type::Vector { len, .. } = *module.types.get(constant.ty) else { return Vec::new() };
        let lane = |id: ConstId| match module.constant(id).kind {
            ConstantKind::Int(value) => value as i64,
            ConstantKind::Zero => 0,
            _ => -1,
        };
        match &constant.kind {
            ConstantKind::Aggregate(parts) => parts.iter().map(|&part| lane(part)).collect(),
            ConstantKind::Splat(part) => vec![lane(*part); len as usize],
            ConstantKind::Zero => vec![0; len as usize],
            _ => vec![-1; len as usize],
        }
    }
}

fn opcode(op: &Op) -> &'static str {
    match op {
        Op::Ret(_) => "ret",
        Op::Br(_) | Op::CondBr { .. } => "br",
        Op::Switch { .. } => "switch",
        Op::IndirectBr { .. } => "indirectbr",
        Op::Invoke { .. } => "invoke",
        Op::Resume(_) => "resume",
        Op::Unreachable => "unreachable",
        Op::Fneg(_) => "fneg",
        Op::Binary { op, .. } => op.name(),
        Op::ExtractElement { .. } => "extractelement",
        Op::InsertElement { .. } => "insertelement",
        Op::ShuffleVector { .. } => "shufflevector",
        Op::ExtractValue { .. } => "extractvalue",
        Op::InsertValue { .. } => "insertvalue",
        Op::Alloca { .. } => "alloca",
        Op::Load { .. } => "load",
        Op::Store { .. } => "store",
        Op::Fence(_) => "fence",
        Op::CmpXchg(_) => "atomiccmpxchg",
        Op::AtomicRmw(_) => "atomicrmw",
        Op::Gep { .. } => "getelementptr",
        Op::Cast { op, .. } => op.name(),
        Op::Icmp { .. } => "icmp",
        Op::Fcmp { .. } => "fcmp",
        Op::Phi { .. } => "phi",
        Op::Select { .. } => "select",
        Op::Freeze(_) => "freeze",
        Op::Call(_) => "call",
        Op::VaArg { .. } => "vaarg",
        Op::LandingPad { .. } => "landingpad",
    }
}
