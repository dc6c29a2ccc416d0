//! Where the scopes of local variables begin and end.
//!
//! The compiler marks them by calls of `llvm.lifetime.start` and `llvm.lifetime.end`. A variable that has
//! such marks is made anew whenever its scope begins. Older compilers pass the markers an address of
//! another type, through a cast that nothing else uses.

use norn_llvm::{Body, Call, Callee, CastOp, LocalId, Module, Op, Operand};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a call of a marker says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Marker {
    /// The scope of the local begins.
    Start(LocalId),
    /// The scope of the local ends.
    End(LocalId),
}

/// The scopes of a function.
pub(super) struct Scopes {
    /// Allocas of the entry block.
    allocas: FxHashSet<LocalId>,
    /// Casts of their addresses.
    casts: FxHashMap<LocalId, LocalId>,
    /// Casts that only markers use.
    only_marks: FxHashSet<LocalId>,
    /// Allocas whose scope is marked.
    scoped: FxHashSet<LocalId>,
}

impl Scopes {
    pub fn new(module: &Module, body: &Body) -> Scopes {
        let entry = &body.block(body.order[0]).instructions;
        let is_local = |op: &Op| matches!(op, Op::Alloca { count: None, .. });
        let allocas: FxHashSet<_> =
            entry.iter().filter(|i| is_local(&i.op)).filter_map(|i| i.result).collect();
        let mut scopes = Scopes {
            allocas,
            casts: FxHashMap::default(),
            only_marks: FxHashSet::default(),
            scoped: FxHashSet::default(),
        };
        let instructions = || body.blocks.iter().flat_map(|block| &block.instructions);
        for instruction in instructions() {
            if let (
                Op::Cast { op: CastOp::Bitcast, value: Operand::Local(value), .. },
                Some(result),
            ) = (&instruction.op, instruction.result)
                && let Some(alloca) = scopes.local_of(*value)
            {
                scopes.casts.insert(result, alloca);
                scopes.only_marks.insert(result);
            }
        }
        for instruction in instructions() {
            if let Op::Call(call) = &instruction.op
                && let Some(marker) = scopes.marker(module, call)
            {
                if let Marker::Start(alloca) = marker {
                    scopes.scoped.insert(alloca);
                }
                continue;
            }
            instruction.op.for_each_operand(|operand| {
                if let Operand::Local(local) = operand {
                    scopes.only_marks.remove(&local);
                }
            });
        }
        scopes
    }

    /// The local that a value is the address of, perhaps after casts.
    fn local_of(&self, value: LocalId) -> Option<LocalId> {
        let is_local = self.allocas.contains(&value);
        if is_local { Some(value) } else { self.casts.get(&value).copied() }
    }

    /// What a call marks, if it is a marker of a local variable.
    pub fn marker(&self, module: &Module, call: &Call) -> Option<Marker> {
        let Callee::Value(callee) = call.callee else { return None };
        let name = module.symbol_name(module.operand_symbol(callee)?);
        let which = name.strip_prefix("llvm.lifetime.")?;
        let Operand::Local(local) = call.args.last()?.0 else { return None };
        let alloca = self.local_of(local)?;
        Some(if which.starts_with("start") { Marker::Start(alloca) } else { Marker::End(alloca) })
    }

    /// What an operation marks.
    pub fn marker_of(&self, module: &Module, op: &Op) -> Option<Marker> {
        match op {
            Op::Call(call) => self.marker(module, call),
            _ => None,
        }
    }

    /// Casts of the addresses of locals, and the locals.
    pub fn casts(&self) -> impl Iterator<Item = (LocalId, LocalId)> + '_ {
        self.casts.iter().map(|(&cast, &alloca)| (cast, alloca))
    }

    /// Whether it is a cast of the address of a local.
    pub fn is_cast(&self, local: LocalId) -> bool {
        self.casts.contains_key(&local)
    }

    /// Whether a local has a scope of its own within the function.
    pub fn is_scoped(&self, alloca: LocalId) -> bool {
        self.scoped.contains(&alloca)
    }

    /// Whether an operation has no other purpose than to mark scopes.
    pub fn is_mark(&self, module: &Module, op: &Op, result: Option<LocalId>) -> bool {
        let cast = result.is_some_and(|result| self.only_marks.contains(&result));
        cast || self.marker_of(module, op).is_some()
    }
}
