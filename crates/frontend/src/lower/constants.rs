//! Constants: evaluated here, since every address is known. Only the address of a thread-local
//! variable is left to the machine.

use super::cells::{self, Scalar};
use super::symbols::{Symbols, Target, address};
use norn_llvm::{
    BinaryOp, CastOp, ConstId, ConstantKind, IntPredicate, Module, SymbolId, Type, TypeId,
};
use norn_program::{GlobalId, ProgramBuilder};

/// Evaluates constants of one module.
#[derive(Clone, Copy)]
pub(super) struct Evaluator<'a> {
    pub module: &'a Module,
    pub index: u32,
    pub symbols: &'a Symbols,
    /// In code, unlike in initialisers, a variable that nobody defines is refused.
    pub in_code: bool,
}

/// Keeps the low `bits` bits.
pub(super) fn mask(value: u128, bits: u32) -> u128 {
    if bits >= 128 { value } else { value & ((1 << bits) - 1) }
}

/// The low `bits` bits as a signed number.
pub(super) fn signed(value: u128, bits: u32) -> i128 {
    let shift = 128 - bits.min(128);
    ((value << shift) as i128) >> shift
}

/// The double nearest to the x87 number with these bits.
pub(super) fn extended_to_double(bits: u128) -> u64 {
    let negative = bits >> 79 & 1 == 1;
    let exponent = (bits >> 64 & 0x7fff) as i32;
    let mantissa = bits as u64;
    let magnitude = match (exponent, mantissa) {
        (0x7fff, m) if m << 1 == 0 => f64::INFINITY,
        (0x7fff, _) => f64::NAN,
        (_, 0) => 0.0,
        // Two exact steps of scaling keep the exponent in range; only the conversion rounds.
        _ => {
            let scale = exponent - 16383 - 63;
            let half = scale / 2;
            mantissa as f64 * 2f64.powi(half) * 2f64.powi(scale - half)
        }
    };
    (if negative { -magnitude } else { magnitude }).to_bits()
}

impl Evaluator<'_> {
    /// A scalar constant, and the thread-local variable whose address has to be added to it.
    pub fn scalar(
        &self,
        id: ConstId,
        builder: &mut ProgramBuilder,
    ) -> Result<(u128, Option<GlobalId>), String> {
        let constant = self.module.constant(id);
        let Some(kind) = cells::scalar(self.module, constant.ty) else {
            return Err("a constant of a type that is not supported".into());
        };
        match &constant.kind {
            ConstantKind::Int(value) => Ok((*value, None)),
            ConstantKind::Float(bits) if kind == Scalar::Extended => {
                Ok((u128::from(extended_to_double(*bits)), None))
            }
            ConstantKind::Float(bits) => Ok((*bits, None)),
            ConstantKind::Null
            | ConstantKind::Undef
            | ConstantKind::Poison
            | ConstantKind::Zero => Ok((0, None)),
            ConstantKind::Symbol(symbol) => self.symbol(*symbol, builder),
            ConstantKind::Gep { source, base, indices } => {
                let (base, tls) = self.scalar(*base, builder)?;
                let offset = self.gep(*source, indices, builder)?;
                Ok((mask(base.wrapping_add(offset as u128), 64), tls))
            }
            ConstantKind::Cast { op, value } => self.cast(*op, *value, kind.bits(), builder),
            ConstantKind::Binary { op, left, right } => {
                let bits = kind.bits();
                let (a, tls) = self.scalar(*left, builder)?;
                let (b, other) = self.scalar(*right, builder)?;
                if other.is_some() || (tls.is_some() && *op != BinaryOp::Add) {
                    return Err("arithmetic on the address of a thread-local variable".into());
                }
                Ok((binary(*op, a, b, bits)?, tls))
            }
            ConstantKind::Icmp { predicate, left, right } => {
                let bits = cells::scalar(self.module, self.module.constant(*left).ty)
                    .map_or(64, Scalar::bits);
                let (a, b) = (self.plain(*left, builder)?, self.plain(*right, builder)?);
                Ok((u128::from(compare(*predicate, a, b, bits)), None))
            }
            ConstantKind::Select { condition, then, other } => {
                let chosen = if self.plain(*condition, builder)? & 1 == 1 { then } else { other };
                self.scalar(*chosen, builder)
            }
            ConstantKind::BlockAddress { function, block } => {
                let function = self.symbol(*function, builder)?.0;
                Ok((block_address(function as u64, block.map_or(0, |b| b.0)), None))
            }
            _ => Err("a constant expression that is not supported".into()),
        }
    }

    fn plain(&self, id: ConstId, builder: &mut ProgramBuilder) -> Result<u128, String> {
        match self.scalar(id, builder)? {
            (value, None) => Ok(value),
            _ => Err("the address of a thread-local variable is no constant".into()),
        }
    }

    fn symbol(
        &self,
        symbol: SymbolId,
        builder: &mut ProgramBuilder,
    ) -> Result<(u128, Option<GlobalId>), String> {
        let name = self.module.symbol_name(symbol);
        match self.symbols.target(self.index, symbol) {
            Target::ThreadLocal(id) => Ok((0, Some(id))),
            // Type information is only compared and passed on, never looked into.
            Target::Missing(_) if self.in_code && !name.starts_with("_ZT") => {
                Err(format!("an access to the external variable `{name}`, which no input defines,"))
            }
            target => match address(target, name, builder) {
                Some(address) => Ok((u128::from(address), None)),
                None => Err(format!("the address of `{name}`, which is not known,")),
            },
        }
    }

    /// The byte offset of constant indices.
    fn gep(
        &self,
        source: TypeId,
        indices: &[ConstId],
        builder: &mut ProgramBuilder,
    ) -> Result<i128, String> {
        let unsized_type = || String::from("address arithmetic on a type without a size");
        let (mut ty, mut offset) = (source, 0i128);
        for (i, &index) in indices.iter().enumerate() {
            let bits =
                cells::scalar(self.module, self.module.constant(index).ty).map_or(64, Scalar::bits);
            let value = signed(self.plain(index, builder)?, bits);
            if i == 0 {
                let size = self.module.layout.of(ty).ok_or_else(unsized_type)?.size;
                offset = offset.wrapping_add(value.wrapping_mul(i128::from(size)));
                continue;
            }
            let (step, next) = member_offset(self.module, ty, value).ok_or_else(unsized_type)?;
            offset = offset.wrapping_add(step);
            ty = next;
        }
        Ok(offset)
    }

    fn cast(
        &self,
        op: CastOp,
        value: ConstId,
        bits: u32,
        builder: &mut ProgramBuilder,
    ) -> Result<(u128, Option<GlobalId>), String> {
        let from = cells::scalar(self.module, self.module.constant(value).ty);
        let (value, tls) = self.scalar(value, builder)?;
        match op {
            CastOp::Sext => {
                let from = from.map_or(64, Scalar::bits);
                Ok((mask(signed(value, from) as u128, bits), tls))
            }
            CastOp::Trunc
            | CastOp::Zext
            | CastOp::Ptrtoint
            | CastOp::Ptrtoaddr
            | CastOp::Inttoptr
            | CastOp::Bitcast
            | CastOp::Addrspacecast => Ok((mask(value, bits), tls)),
            _ => Err("a constant floating-point conversion".into()),
        }
    }

    /// All cells of a constant.
    pub fn cells(
        &self,
        id: ConstId,
        builder: &mut ProgramBuilder,
        out: &mut Vec<u64>,
    ) -> Result<(), String> {
        let constant = self.module.constant(id);
        match &constant.kind {
            ConstantKind::Aggregate(parts) => {
                parts.iter().try_for_each(|&part| self.cells(part, builder, out))
            }
            ConstantKind::Bytes(bytes) => {
                out.extend(bytes.iter().map(|&byte| u64::from(byte)));
                Ok(())
            }
            ConstantKind::Splat(part) => {
                let Type::Vector { len, .. } = *self.module.types.get(constant.ty) else {
                    return Err("a splat that is no vector".into());
                };
                (0..len).try_for_each(|_| self.cells(*part, builder, out))
            }
            ConstantKind::Zero | ConstantKind::Undef | ConstantKind::Poison => {
                let Some(count) = cells::cells(self.module, constant.ty) else {
                    return Err("a constant of a type that is not supported".into());
                };
                out.extend(std::iter::repeat_n(0, count as usize));
                Ok(())
            }
            _ => {
                let value = self.plain(id, builder)?;
                out.push(value as u64);
                if cells::cells(self.module, constant.ty) == Some(2) {
                    out.push((value >> 64) as u64);
                }
                Ok(())
            }
        }
    }

    /// Writes a constant as the bytes at `offset` of an initialiser; zeros are not written.
    pub fn bytes(
        &self,
        id: ConstId,
        offset: u64,
        builder: &mut ProgramBuilder,
        out: &mut Vec<u8>,
    ) -> Result<(), String> {
        let constant = self.module.constant(id);
        match &constant.kind {
            ConstantKind::Aggregate(parts) => {
                for (i, &part) in parts.iter().enumerate() {
                    let step = member_offset(self.module, constant.ty, i as i128)
                        .ok_or("an initialiser of a type without a size")?
                        .0;
                    self.bytes(part, offset + step as u64, builder, out)?;
                }
                Ok(())
            }
            ConstantKind::Bytes(bytes) => {
                put(out, offset, bytes);
                Ok(())
            }
            ConstantKind::WideInt(words) => {
                let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                let size = self.module.layout.of(constant.ty).map_or(0, |l| l.store_size) as usize;
                let fill = if bytes.last().is_some_and(|b| b & 0x80 != 0) { 0xff } else { 0 };
                let mut bytes = bytes;
                bytes.resize(size, fill);
                put(out, offset, &bytes);
                Ok(())
            }
            ConstantKind::Float(bits) if cells::scalar(self.module, constant.ty).is_none() => {
                let size = self.module.layout.of(constant.ty).map_or(0, |l| l.store_size) as usize;
                put(out, offset, &bits.to_le_bytes()[..size.min(16)]);
                Ok(())
            }
            ConstantKind::Zero
            | ConstantKind::Undef
            | ConstantKind::Poison
            | ConstantKind::Null => Ok(()),
            ConstantKind::Splat(part) => {
                let Type::Vector { len, .. } = *self.module.types.get(constant.ty) else {
                    return Err("a splat that is no vector".into());
                };
                for i in 0..len {
                    let step = member_offset(self.module, constant.ty, i128::from(i))
                        .ok_or("a vector without a size")?
                        .0;
                    self.bytes(*part, offset + step as u64, builder, out)?;
                }
                Ok(())
            }
            _ => {
                let size =
                    cells::scalar(self.module, constant.ty).map_or(8, Scalar::bytes) as usize;
                let value = self.plain(id, builder)?;
                put(out, offset, &value.to_le_bytes()[..size]);
                Ok(())
            }
        }
    }
}

fn put(out: &mut Vec<u8>, offset: u64, bytes: &[u8]) {
    let end = bytes.iter().rposition(|&b| b != 0).map_or(0, |last| last + 1);
    let start = offset as usize;
    if end == 0 {
        return;
    }
    if out.len() < start + end {
        out.resize(start + end, 0);
    }
    out[start..start + end].copy_from_slice(&bytes[..end]);
}

/// Offset and type of element `index` of a type.
pub(super) fn member_offset(module: &Module, ty: TypeId, index: i128) -> Option<(i128, TypeId)> {
    match module.types.resolve(ty) {
        Type::Struct { fields, .. } => {
            let i = usize::try_from(index).ok()?;
            let offset = module.layout.field_offset(&module.types, ty, i)?;
            Some((i128::from(offset), *fields.get(i)?))
        }
        Type::Array { element, .. } => {
            let size = module.layout.of(*element)?.size;
            Some((index.wrapping_mul(i128::from(size)), *element))
        }
        Type::Vector { element, .. } => {
            let bits = cells::scalar(module, *element)?.bits();
            (bits % 8 == 0).then(|| (index.wrapping_mul(i128::from(bits / 8)), *element))
        }
        _ => None,
    }
}

/// A number that stands for the address of a block: never null, unlike any other address.
pub(super) fn block_address(function: u64, block: u32) -> u128 {
    let index = function.wrapping_sub(norn_program::layout::FUNCTIONS)
        / norn_program::layout::FUNCTION_STEP;
    1 << 62 | u128::from(index & 0xf_ffff_ffff) << 25 | u128::from(block) << 1 | 1
}

fn binary(op: BinaryOp, a: u128, b: u128, bits: u32) -> Result<u128, String> {
    let value = match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::Shl if b < u128::from(bits) => a << b,
        BinaryOp::Lshr if b < u128::from(bits) => a >> b,
        BinaryOp::Ashr if b < u128::from(bits) => (signed(a, bits) >> b) as u128,
        _ => return Err(format!("the constant expression `{}`", op.name())),
    };
    Ok(mask(value, bits))
}

fn compare(predicate: IntPredicate, a: u128, b: u128, bits: u32) -> bool {
    let (sa, sb) = (signed(a, bits), signed(b, bits));
    match predicate {
        IntPredicate::Eq => a == b,
        IntPredicate::Ne => a != b,
        IntPredicate::Ugt => a > b,
        IntPredicate::Uge => a >= b,
        IntPredicate::Ult => a < b,
        IntPredicate::Ule => a <= b,
        IntPredicate::Sgt => sa > sb,
        IntPredicate::Sge => sa >= sb,
        IntPredicate::Slt => sa < sb,
        IntPredicate::Sle => sa <= sb,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extended_numbers_become_doubles() {
        let double = |bits| f64::from_bits(extended_to_double(bits));
        assert_eq!(double(0x3fff << 64 | 1 << 63), 1.0);
        assert_eq!(double(0xc000 << 64 | 0xc000_0000_0000_0000), -3.0);
        assert_eq!(double(0), 0.0);
        assert_eq!(double(0x7fff << 64 | 1 << 63), f64::INFINITY);
        assert!(double(0x7fff << 64 | 3 << 62).is_nan());
        assert_eq!(double(0x3ffb << 64 | 0xcccc_cccc_cccc_cccd), 0.1);
    }

    #[test]
    fn blocks_have_distinct_addresses() {
        assert_ne!(block_address(0xc_0000_0000, 1), block_address(0xc_0000_0000, 2));
        assert_ne!(block_address(0xc_0000_0000, 1), block_address(0xc_0000_0010, 1));
    }
}
