//! Loads that exist only because of the calling convention.
//!
//! A structure that is passed by value is taken apart into words, whose types have nothing to do with
//! its members; bytes that the source never wrote (padding, the rest of a union) go along. Such a
//! load must not be taken for a use of these bytes.

use norn_llvm::{Body, CastOp, LocalId, Module, Op, Operand, Type, TypeId};

/// What an address is made of, as far as it matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// Something else.
    Other,
    /// A local variable of this type.
    Variable(TypeId),
    /// A part of a local variable, through a structure type of this kind.
    Part {
        /// The type that was walked through.
        through: TypeId,
    },
}

/// Where addresses come from and where values go.
pub(super) struct Origins {
    origins: Vec<Origin>,
    used_otherwise: Vec<bool>,
}

impl Origins {
    pub fn new(body: &Body) -> Origins {
        let mut origins = vec![Origin::Other; body.locals.len()];
        let mut used_otherwise = vec![false; body.locals.len()];
        for &id in &body.order {
            for instruction in &body.block(id).instructions {
                if !matches!(instruction.op, Op::Call(_) | Op::Invoke { .. } | Op::Ret(_)) {
                    instruction.op.for_each_operand(|operand| {
                        if let Operand::Local(local) = operand {
                            used_otherwise[local.0 as usize] = true;
                        }
                    });
                }
                if let Some(result) = instruction.result {
                    origins[result.0 as usize] = origin(&instruction.op, &origins);
                }
            }
        }
        Origins { origins, used_otherwise }
    }

    /// Whether the value is used by calls and returns only.
    pub fn is_passed_on(&self, local: LocalId) -> bool {
        !self.used_otherwise[local.0 as usize]
    }

    /// Whether a load of type `ty` reads a local structure in words of the calling convention: as a
    /// whole, or through a structure type without a name, which no source has.
    pub fn coerced(&self, module: &Module, pointer: Operand, ty: TypeId) -> bool {
        let Operand::Local(local) = pointer else { return false };
        let is_structure = |ty: TypeId| matches!(module.types.get(ty), Type::Named(_));
        match self.origins[local.0 as usize] {
            Origin::Variable(variable) => is_structure(variable) && variable != ty,
            Origin::Part { through } => {
                matches!(module.types.get(through), Type::Struct { packed: false, .. })
            }
            Origin::Other => false,
        }
    }
}

fn origin(op: &Op, origins: &[Origin]) -> Origin {
    let of = |operand: Operand| match operand {
        Operand::Local(local) => origins[local.0 as usize],
        _ => Origin::Other,
    };
    match op {
        Op::Alloca { ty, count: None, .. } => Origin::Variable(*ty),
        Op::Cast { op: CastOp::Bitcast, value, .. } => of(*value),
        Op::Gep { source, base, .. } => match of(*base) {
            Origin::Variable(_) => Origin::Part { through: *source },
            _ => Origin::Other,
        },
        _ => Origin::Other,
    }
}
