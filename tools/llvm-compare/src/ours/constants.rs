//! Constants and operands.

use super::{Numbers, Ours};
use crate::facts::{cut, hexadecimal};
use norn_llvm::{ConstId, ConstantKind, Operand, SymbolKind, Type, TypeId};

impl Ours<'_> {
    pub(super) fn operand(&mut self, numbers: &Numbers<'_>, operand: Operand) -> String {
        match operand {
            Operand::Local(id) => {
                let ty = self.ty(numbers.body.local(id).ty);
                format!("{ty} %{}", numbers.locals[id.0 as usize])
            }
            Operand::Const(id) => self.constant(id),
            Operand::Metadata => "metadata".to_owned(),
        }
    }

    pub(super) fn constant(&mut self, id: ConstId) -> String {
        let constant = self.module.constant(id);
        format!("{} {}", self.ty(constant.ty), self.value(constant.ty, &constant.kind))
    }

    fn value(&mut self, ty: TypeId, kind: &ConstantKind) -> String {
        let module = self.module;
        match kind {
            ConstantKind::Int(value) | ConstantKind::Float(value) => format!("{value:#x}"),
            ConstantKind::WideInt(words) => match module.types.get(ty) {
                Type::Int(bits) => {
                    let fill = words.last().is_some_and(|&w| (w as i64) < 0);
                    let mut words = words.to_vec();
                    words.resize(bits.div_ceil(64) as usize, if fill { u64::MAX } else { 0 });
                    hexadecimal(&cut(words, *bits))
                }
                _ => "a wide integer of another type".into(),
            },
            ConstantKind::Null => "null".into(),
            ConstantKind::Undef => "undef".into(),
            ConstantKind::Poison => "poison".into(),
            ConstantKind::Zero => "zero".into(),
            ConstantKind::Aggregate(parts) => self.list_of(parts),
            ConstantKind::Bytes(bytes) => {
                let bytes: String = bytes.iter().map(|b| format!("i8 {b:#x},")).collect();
                format!("({bytes})")
            }
            ConstantKind::Splat(part) => match *module.types.get(ty) {
                Type::Vector { len, .. } => self.list_of(&vec![*part; len as usize]),
                _ => "a splat of another type".into(),
            },
            ConstantKind::Symbol(symbol) => format!("@{}", self.symbol(*symbol)),
            ConstantKind::Gep { source, base, indices } => {
                let source = self.ty(*source);
                format!("getelementptr {source} {} {}", self.constant(*base), self.list_of(indices))
            }
            ConstantKind::Cast { op, value } => match &module.constant(*value).kind {
                block @ ConstantKind::BlockAddress { .. } => self.value(ty, block),
                _ => format!("{} ({},)", op.name(), self.constant(*value)),
            },
            ConstantKind::Binary { op, left, right } => {
                format!("{} {}", op.name(), self.list_of(&[*left, *right]))
            }
            ConstantKind::Icmp { predicate, left, right } => {
                format!("icmp {} {}", predicate.name(), self.list_of(&[*left, *right]))
            }
            ConstantKind::Fcmp { predicate, left, right } => {
                format!("fcmp {} {}", predicate.name(), self.list_of(&[*left, *right]))
            }
            ConstantKind::Select { condition, then, other } => {
                format!("select {}", self.list_of(&[*condition, *then, *other]))
            }
            ConstantKind::BlockAddress { function, block } => {
                let name = self.symbol(*function);
                let SymbolKind::Function(index) = module.symbol(*function).kind else {
                    return "block of no function".into();
                };
                let body = module.functions[index as usize].body.as_ref();
                let position =
                    body.and_then(|body| body.order.iter().position(|b| Some(*b) == *block));
                format!("blockaddress @{name} {position:?}")
            }
        }
    }

    fn list_of(&mut self, parts: &[ConstId]) -> String {
        let parts: String = parts.iter().map(|&part| self.constant(part) + ",").collect();
        format!("({parts})")
    }
}
