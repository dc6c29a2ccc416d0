//! The `llvm.` intrinsics.

use super::calls::{float_binary, float_unary};
use super::cells::Scalar;
use super::function::{FunctionLowerer, Lowered};
use norn_action::{Compare, Mode};
use norn_llvm::{Call, LocalId, Operand as IrOperand, Types};
use norn_program::{BinaryOp, FloatBinaryOp, FloatConvert, Instruction, Operand, Trap, UnaryOp};

/// The most arguments that any intrinsic looks at.
const MAX_ARGUMENTS: usize = 4;

/// Intrinsics that say something to an optimiser only.
const IGNORED: &[&str] = &[
    "lifetime.start",
    "lifetime.end",
    "assume",
    "donothing",
    "dbg",
    "prefetch",
    "va_end",
    "sideeffect",
    "pseudoprobe",
    "invariant.end",
    "experimental.noalias.scope.decl",
    "var.annotation",
    "codeview.annotation",
    "stackprotector",
    "x86.sse2.pause",
    "aarch64.hint",
];

/// Intrinsics whose result is their first argument.
const IDENTITIES: &[&str] = &[
    "expect",
    "annotation",
    "ptr.annotation",
    "launder.invariant.group",
    "strip.invariant.group",
    "ssa.copy",
    "arithmetic.fence",
    "threadlocal.address",
];

impl FunctionLowerer<'_, '_> {
    pub(super) fn intrinsic(
        &mut self,
        name: &str,
        call: &Call,
        result: Option<LocalId>,
    ) -> Lowered<()> {
        let short = name.strip_prefix("llvm.").unwrap_or(name);
        let is = |prefix: &str| {
            short.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let mut args: Vec<IrOperand> = call.args.iter().map(|arg| arg.0).collect();
        // An argument that is missing is of no type, which every use of it refuses.
        args.resize(args.len().max(MAX_ARGUMENTS), IrOperand::Metadata);
        let Some(result) = result else { return self.effect(short, is, call, &args) };
        if IDENTITIES.iter().any(|name| is(name)) {
            let count = self.cells(call.ret)?;
            return self.result_alias(result, args[0], 0, count, 0);
        }
        let (first, _) = short.split_once('.').unwrap_or((short, ""));
        if let Some(op) = int_binary(short) {
            return self.int_binary(op, args[0], args[1], result);
        }
        if let Some(op) = int_unary(first) {
            return self.int_unary(op, args[0], result);
        }
        if let Some(op) = float_unary(first) {
            return self.float_unary(op, args[0], result);
        }
        if let Some(op) = float_binary(first) {
            return self.float_binary(op, args[0], args[1], result);
        }
        if short.contains(".with.overflow.") {
            return self.with_overflow(first, args[0], args[1], result);
        }
        self.value(short, is, call, &args, result)
    }

    /// Intrinsics without a result.
    fn effect(
        &mut self,
        short: &str,
        is: impl Fn(&str) -> bool,
        call: &Call,
        args: &[IrOperand],
    ) -> Lowered<()> {
        if is("memcpy") || is("memmove") {
            let align = call.args.iter().take(2).map(|a| a.1.align.unwrap_or(1)).min();
            let (to, from) = (self.operand(args[0])?, self.operand(args[1])?);
            let length = self.operand(args[2])?;
            let align = align.unwrap_or(1).clamp(1, 16) as u8;
            let overlap = is("memmove");
            self.b.emit(Instruction::CopyMemory { overlap, align, to, from, length });
        } else if is("memset") {
            let align = call.args.first().and_then(|a| a.1.align).unwrap_or(1).clamp(1, 16) as u8;
            let (to, value) = (self.operand(args[0])?, self.operand(args[1])?);
            let length = self.operand(args[2])?;
            self.b.emit(Instruction::SetMemory { align, to, value, length });
        } else if is("va_start") {
            if !self.module.triple.starts_with("x86_64") {
                return Err("variadic functions for a target other than x86-64".into());
            }
            let list = self.operand(args[0])?;
            self.b.emit(Instruction::VaStart { list });
        } else if is("va_copy") {
            let (to, from) = (self.operand(args[0])?, self.operand(args[1])?);
            let length = self.b.constant(24);
            self.b.emit(Instruction::CopyMemory { overlap: false, align: 8, to, from, length });
        } else if is("stackrestore") {
            let mark = self.operand(args[0])?;
            self.b.emit(Instruction::StackRestore { mark });
        } else if is("trap") || is("debugtrap") || is("ubsantrap") {
            self.b.emit(Instruction::Trap(Trap::Reached));
        } else if is("x86.sse2.mfence") {
            self.b.emit(Instruction::Fence { mode: Mode::SeqCst });
        } else if !IGNORED.iter().any(|name| is(name)) {
            return Err(format!("the intrinsic `llvm.{short}`"));
        }
        Ok(())
    }

    /// The remaining intrinsics with a result.
    fn value(
        &mut self,
        short: &str,
        is: impl Fn(&str) -> bool,
        call: &Call,
        args: &[IrOperand],
        result: LocalId,
    ) -> Lowered<()> {
        if is("eh.typeid.for") {
            return self.selector_of(args[0], result);
        }
        if is("fshl") || is("fshr") {
            return self.funnel(is("fshl"), args, result);
        }
        if is("fmuladd") {
            return self.multiply_add(args, result);
        }
        if is("fptosi.sat") || is("fptoui.sat") {
            return self.saturated_integer(is("fptosi.sat"), args[0], call, result);
        }
        if is("lrint") || is("llrint") || is("lround") || is("llround") {
            return self.rounded_integer(short, args[0], call, result);
        }
        if is("scmp") || is("ucmp") {
            return self.three_way(is("scmp"), args, call, result);
        }
        if is("ptrmask") {
            let (a, b) = (self.operand(args[0])?, self.operand(args[1])?);
            let dst = self.result(result, 1);
            self.b.emit(Instruction::And { dst, a, b });
            return Ok(());
        }
        if is("stacksave") {
            let dst = self.result(result, 1);
            self.b.emit(Instruction::StackSave { dst });
            return Ok(());
        }
        if is("is.fpclass") {
            return self.float_class(args, result);
        }
        if is("load.relative") {
            return self.load_relative(args, result);
        }
        if short.starts_with("vector.reduce.") {
            return self.reduce(short, args, result);
        }
        let constant = if is("objectsize") {
            // Unknown: the largest number, or zero where the least is asked for.
            let least = self.constant_int(args[1]) == Some(1);
            let bits = self.scalar(call.ret)?.bits();
            if least { self.b.constant(0) } else { self.ones(bits) }
        } else if [
            "is.constant",
            "returnaddress",
            "frameaddress",
            "eh.typeid.for",
            "invariant.start",
        ]
        .iter()
        .any(|name| is(name))
        {
            self.b.constant(0)
        } else if is("allow.runtime.check") || is("allow.ubsan.check") {
            self.b.constant(1)
        } else if call.ret != Types::VOID {
            return Err(format!("the intrinsic `llvm.{short}`"));
        } else {
            return Ok(());
        };
        self.result_is(result, constant);
        Ok(())
    }

    fn int_unary(&mut self, op: UnaryOp, value: IrOperand, result: LocalId) -> Lowered<()> {
        let (scalar, lanes) = self.lanes(self.type_of(value))?;
        let a = self.operand(value)?;
        let step = scalar.cells();
        let dst = self.result(result, lanes * step);
        for i in (0..lanes).map(|lane| lane * step) {
            let (dst, a, width) = (dst.plus(i), a.plus(i), scalar.bits() as u8);
            self.b.emit(Instruction::Unary { op, width, dst, a });
        }
        Ok(())
    }

    fn with_overflow(
        &mut self,
        name: &str,
        left: IrOperand,
        right: IrOperand,
        result: LocalId,
    ) -> Lowered<()> {
        let op = match &name[1..] {
            "add" => BinaryOp::Add,
            "sub" => BinaryOp::Sub,
            "mul" => BinaryOp::Mul,
            _ => return Err(format!("the intrinsic `llvm.{name}.with.overflow`")),
        };
        let scalar = self.scalar_of(left)?;
        self.same_types(&[left, right])?;
        let (a, b) = (self.operand(left)?, self.operand(right)?);
        let dst = self.result(result, scalar.cells() + 1);
        let (signed, width) = (name.starts_with('s'), scalar.bits() as u8);
        self.b.emit(Instruction::Overflow { op, signed, width, dst, a, b });
        Ok(())
    }

    fn funnel(&mut self, left: bool, args: &[IrOperand], result: LocalId) -> Lowered<()> {
        let (scalar, lanes) = self.lanes(self.type_of(args[0]))?;
        self.same_types(&args[..3])?;
        if scalar.cells() != 1 {
            return Err("a funnel shift of more than 64 bits".into());
        }
        let operands = (self.operand(args[0])?, self.operand(args[1])?, self.operand(args[2])?);
        let dst = self.result(result, lanes);
        let pair = self.temporary(2);
        for i in 0..lanes {
            self.b.emit(Instruction::Move { dst: pair, src: operands.0.plus(i) });
            self.b.emit(Instruction::Move { dst: pair.plus(1), src: operands.1.plus(i) });
            let (width, dst, amount) = (scalar.bits() as u8, dst.plus(i), operands.2.plus(i));
            let pair = Operand::from(pair);
            self.b.emit(if left {
                Instruction::FunnelLeft { width, dst, pair, amount }
            } else {
                Instruction::FunnelRight { width, dst, pair, amount }
            });
        }
        Ok(())
    }

    /// `a * b + c`, rounded twice: that is what it means where the processor has no fused form.
    fn multiply_add(&mut self, args: &[IrOperand], result: LocalId) -> Lowered<()> {
        let (scalar, lanes) = self.lanes(self.type_of(args[0]))?;
        let width = scalar.float_width().ok_or("a floating-point operation on this type")?;
        self.same_types(&args[..3])?;
        let operands = (self.operand(args[0])?, self.operand(args[1])?, self.operand(args[2])?);
        let dst = self.result(result, lanes);
        for i in 0..lanes {
            let (dst, a, b) = (dst.plus(i), operands.0.plus(i), operands.1.plus(i));
            let op = FloatBinaryOp::Mul;
            self.b.emit(Instruction::FloatBinary { op, width, dst, a, b });
            let (op, a, b) = (FloatBinaryOp::Add, dst.into(), operands.2.plus(i));
            self.b.emit(Instruction::FloatBinary { op, width, dst, a, b });
        }
        Ok(())
    }

    fn saturated_integer(
        &mut self,
        signed: bool,
        value: IrOperand,
        call: &Call,
        result: LocalId,
    ) -> Lowered<()> {
        let (from, to) = (self.scalar_of(value)?, self.scalar(call.ret)?);
        let src = self.operand(value)?;
        let dst = self.result(result, to.cells());
        let convert = if signed { FloatConvert::ToSigned } else { FloatConvert::ToUnsigned };
        let (from, to) = (from.bits() as u8, to.bits() as u8);
        self.b.emit(Instruction::FloatConvert { convert, from, to, dst, src });
        Ok(())
    }

    fn rounded_integer(
        &mut self,
        short: &str,
        value: IrOperand,
        call: &Call,
        result: LocalId,
    ) -> Lowered<()> {
        let (from, to) = (self.scalar_of(value)?, self.scalar(call.ret)?);
        let width = from.float_width().ok_or("a floating-point operation on this type")?;
        let name = if short.contains("rint") { "rint" } else { "round" };
        let op = float_unary(name).ok_or("an unknown rounding")?;
        let a = self.operand(value)?;
        let rounded = self.temporary(1);
        self.b.emit(Instruction::FloatUnary { op, width, dst: rounded, a });
        let dst = self.result(result, 1);
        let (convert, to, src) = (FloatConvert::ToSigned, to.bits() as u8, rounded.into());
        self.b.emit(Instruction::FloatConvert { convert, from: width, to, dst, src });
        Ok(())
    }

    fn three_way(
        &mut self,
        signed: bool,
        args: &[IrOperand],
        call: &Call,
        result: LocalId,
    ) -> Lowered<()> {
        let (scalar, to) = (self.scalar_of(args[0])?, self.scalar(call.ret)?);
        if to.cells() != 1 {
            return Err("a comparison with a wide result".into());
        }
        self.same_types(&args[..2])?;
        let (a, b) = (self.operand(args[0])?, self.operand(args[1])?);
        let (above, below) = (self.temporary(1), self.temporary(1));
        let (gt, lt) =
            if signed { (Compare::Sgt, Compare::Slt) } else { (Compare::Ugt, Compare::Ult) };
        self.b.compare(gt, scalar.bits() as u8, above, a, b);
        self.b.compare(lt, scalar.bits() as u8, below, a, b);
        let dst = self.result(result, 1);
        self.b.binary(BinaryOp::Sub, to.bits() as u8, dst, above.into(), below.into());
        Ok(())
    }

    /// Whether a number belongs to one of the classes in a mask. Each class is one range of bit
    /// patterns (not a number: two).
    fn float_class(&mut self, args: &[IrOperand], result: LocalId) -> Lowered<()> {
        let scalar = self.scalar_of(args[0])?;
        let mask = self.constant_int(args[1]).ok_or("a class of numbers that is not constant")?;
        let (width, fraction) = match scalar {
            Scalar::Float => (32, 23),
            Scalar::Double | Scalar::Extended => (64, 52),
            _ => return Err("the class of something that is no number".into()),
        };
        let value = self.operand(args[0])?;
        let dst = self.result(result, 1);
        let zero = self.b.constant(0);
        self.b.emit(Instruction::Move { dst, src: zero });
        for (bit, low, high) in class_ranges(width, fraction) {
            if mask >> bit & 1 == 1 {
                let flag = self.temporary(1);
                let (low, span) = (self.b.constant(low), self.b.constant(high - low));
                self.b.binary(BinaryOp::Sub, width, flag, value, low);
                self.b.compare(Compare::Ule, width, flag, flag.into(), span);
                self.b.emit(Instruction::Or { dst, a: dst.into(), b: flag.into() });
            }
        }
        Ok(())
    }

    /// The 32-bit offset at `pointer + offset`, added to the pointer.
    fn load_relative(&mut self, args: &[IrOperand], result: LocalId) -> Lowered<()> {
        let (pointer, offset) = (self.operand(args[0])?, self.operand(args[1])?);
        let entry = self.temporary(1);
        self.b.emit(Instruction::Add { width: 64, dst: entry, a: pointer, b: offset });
        let (mode, address) = (Mode::Plain, entry.into());
        self.b.emit(Instruction::Load { size: 4, mode, dst: entry, address, offset: 0 });
        self.b.emit(Instruction::SignExtend { from: 32, to: 64, dst: entry, src: address });
        let dst = self.result(result, 1);
        self.b.emit(Instruction::Add { width: 64, dst, a: pointer, b: address });
        Ok(())
    }

    /// `vector.reduce.add` and the like.
    fn reduce(&mut self, short: &str, args: &[IrOperand], result: LocalId) -> Lowered<()> {
        let op = match short.split('.').nth(2).unwrap_or("") {
            "add" => BinaryOp::Add,
            "mul" => BinaryOp::Mul,
            "and" => BinaryOp::And,
            "or" => BinaryOp::Or,
            "xor" => BinaryOp::Xor,
            "smax" => BinaryOp::SMax,
            "smin" => BinaryOp::SMin,
            "umax" => BinaryOp::UMax,
            "umin" => BinaryOp::UMin,
            _ => return Err(format!("the intrinsic `llvm.{short}`")),
        };
        let (scalar, lanes) = self.lanes(self.type_of(args[0]))?;
        if matches!(scalar, Scalar::Float | Scalar::Double | Scalar::Extended) {
            return Err(format!("the intrinsic `llvm.{short}`"));
        }
        let source = self.operand(args[0])?;
        let step = scalar.cells();
        let dst = self.result(result, step);
        self.copy(dst, source, step);
        for lane in 1..lanes {
            let b = source.plus(lane * step);
            self.b.binary(op, scalar.bits() as u8, dst, dst.into(), b);
        }
        Ok(())
    }
}

/// The classes of `is.fpclass`: their bit in the mask and the bit patterns that belong to them.
fn class_ranges(width: u8, fraction: u32) -> Vec<(u32, u64, u64)> {
    let sign = 1u64 << (width - 1);
    let infinity = (sign - 1) & !((1u64 << fraction) - 1);
    let quiet = infinity | 1 << (fraction - 1);
    let smallest_normal = 1u64 << fraction;
    let mut ranges = Vec::new();
    for (is_negative, base) in [(false, 0), (true, sign)] {
        let of = |positive: u32, negative: u32| if is_negative { negative } else { positive };
        ranges.push((0, base | (infinity + 1), base | (quiet - 1)));
        ranges.push((1, base | quiet, base | (sign - 1)));
        ranges.push((of(9, 2), base | infinity, base | infinity));
        ranges.push((of(8, 3), base | smallest_normal, base | (infinity - 1)));
        ranges.push((of(7, 4), base | 1, base | (smallest_normal - 1)));
        ranges.push((of(6, 5), base, base));
    }
    ranges
}

fn int_binary(short: &str) -> Option<BinaryOp> {
    let mut parts = short.split('.');
    Some(match (parts.next()?, parts.next()) {
        ("smax", _) => BinaryOp::SMax,
        ("smin", _) => BinaryOp::SMin,
        ("umax", _) => BinaryOp::UMax,
        ("umin", _) => BinaryOp::UMin,
        ("uadd", Some("sat")) => BinaryOp::UAddSat,
        ("usub", Some("sat")) => BinaryOp::USubSat,
        ("sadd", Some("sat")) => BinaryOp::SAddSat,
        ("ssub", Some("sat")) => BinaryOp::SSubSat,
        _ => return None,
    })
}

fn int_unary(first: &str) -> Option<UnaryOp> {
    Some(match first {
        "ctpop" => UnaryOp::PopCount,
        "ctlz" => UnaryOp::LeadingZeros,
        "cttz" => UnaryOp::TrailingZeros,
        "bswap" => UnaryOp::ByteSwap,
        "bitreverse" => UnaryOp::BitReverse,
        "abs" => UnaryOp::Abs,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_cover_every_pattern_once() {
        let in_class = |value: f32, bit: u32| {
            let bits = u64::from(value.to_bits());
            class_ranges(32, 23)
                .iter()
                .any(|&(b, low, high)| b == bit && low <= bits && bits <= high)
        };
        let samples = [
            (f32::NAN, 1),
            (f32::NEG_INFINITY, 2),
            (-1.0, 3),
            (-1e-40, 4),
            (-0.0, 5),
            (0.0, 6),
            (1e-40, 7),
            (1.0, 8),
            (f32::INFINITY, 9),
        ];
        for (value, class) in samples {
            let found: Vec<_> = (0..10).filter(|&bit| in_class(value, bit)).collect();
            assert_eq!(found, [class], "{value}");
        }
    }
}
