//! Calls.

use super::cells::{self, Scalar};
use super::function::{FunctionLowerer, Lowered};
use super::scopes::Marker;
use super::symbols::{Target, signature};
use norn_action::Mode;
use norn_llvm::{
    Call, Callee, LocalId, Operand as IrOperand, ParamAttributes, SymbolId, SymbolKind, Type,
};
use norn_program::{
    BinaryOp, FloatBinaryOp, FloatUnaryOp, FunctionId, Instruction, Operand, Register, Trap,
};

impl FunctionLowerer<'_, '_> {
    pub(super) fn call(&mut self, call: &Call, result: Option<LocalId>) -> Lowered<()> {
        let callee = match &call.callee {
            Callee::Asm(asm) => return self.assembly(asm, call, result),
            Callee::Value(callee) => *callee,
        };
        let Some(symbol) = self.module.operand_symbol(callee) else {
            return self.call_pointer(callee, call, result);
        };
        if let Some(marker) = self.analysis.scopes.marker(self.module, call) {
            match marker {
                Marker::Start(alloca) => self.begin_scope(alloca),
                Marker::End(alloca) => self.end_scope(alloca),
            }
            return Ok(());
        }
        let name = self.module.symbol_name(symbol);
        match self.symbols.target(self.index, symbol) {
            Target::Intrinsic => self.intrinsic(name, call, result),
            Target::Function(id) => self.call_function(id, call, result),
            Target::External => self.call_external(symbol, call, result),
            _ => self.call_pointer(callee, call, result),
        }
    }

    /// Cells of the result, and where they go; none if nobody uses it.
    fn call_result(&mut self, call: &Call, result: Option<LocalId>) -> Lowered<(u8, Register)> {
        let used = |local: &LocalId| self.analysis.uses[local.0 as usize].count > 0;
        let Some(result) = result.filter(used) else { return Ok((0, Register(0))) };
        let count = self.cells(call.ret)?;
        let Ok(results) = u8::try_from(count) else {
            return Err("a call with a result that is too large".into());
        };
        let dst = if count == 1 { self.result_direct(result) } else { self.result(result, count) };
        Ok((results, dst))
    }

    /// A function with a body. What the caller passes must be what the callee takes.
    fn call_function(
        &mut self,
        id: FunctionId,
        call: &Call,
        result: Option<LocalId>,
    ) -> Lowered<()> {
        let program = self.b.program().program();
        let callee = &program.functions[id.index()];
        let (params, results, variadic) = (callee.params, callee.results, callee.variadic);
        let fixed = self.fixed_arguments(call, params, variadic)?;
        let args = self.arguments(call, fixed)?;
        let wanted = if result.is_some() { self.cells(call.ret)? } else { 0 };
        let count = args.len() as u32;
        if count < params || (count > params && !variadic) || wanted > results {
            self.b.emit(Instruction::Trap(Trap::WrongType(id)));
            return self.dead_result(call, result);
        }
        let (results, dst) = self.call_result(call, result)?;
        self.b.call(id, &args, results, dst);
        Ok(())
    }

    /// How many arguments fill the `params` cells of the callee.
    fn fixed_arguments(&self, call: &Call, params: u32, variadic: bool) -> Lowered<usize> {
        if !variadic {
            return Ok(call.args.len());
        }
        let mut cells = 0;
        for (i, (arg, _)) in call.args.iter().enumerate() {
            if cells >= params {
                return Ok(i);
            }
            cells += self.cells(self.type_of(*arg))?;
        }
        Ok(call.args.len())
    }

    fn dead_result(&mut self, call: &Call, result: Option<LocalId>) -> Lowered<()> {
        if let Some(result) = result {
            let count = self.cells(call.ret)?;
            self.result(result, count);
        }
        Ok(())
    }

    fn call_pointer(
        &mut self,
        callee: IrOperand,
        call: &Call,
        result: Option<LocalId>,
    ) -> Lowered<()> {
        let target = self.operand(callee)?;
        let args = self.arguments(call, self.fixed_by_type(call))?;
        let (results, dst) = self.call_result(call, result)?;
        self.b.call_indirect(target, &args, results, dst);
        Ok(())
    }

    /// How many arguments the call's own type says are fixed.
    fn fixed_by_type(&self, call: &Call) -> usize {
        match call.function_type.map(|ty| self.module.types.get(ty)) {
            Some(Type::Function { params, varargs: true, .. }) => params.len(),
            _ => call.args.len(),
        }
    }

    fn call_external(
        &mut self,
        symbol: SymbolId,
        call: &Call,
        result: Option<LocalId>,
    ) -> Lowered<()> {
        let name = self.module.symbol_name(symbol);
        if let Some(result) = result
            && self.library_float(name, call, result)?
        {
            return Ok(());
        }
        let fixed = match self.module.symbol(symbol).kind {
            SymbolKind::Function(index) => {
                let function = &self.module.functions[index as usize];
                let (params, _) = signature(self.module, function);
                self.fixed_arguments(call, params, function.varargs)?
            }
            _ => call.args.len(),
        };
        let args = self.arguments(call, fixed)?;
        let (results, dst) = self.call_result(call, result)?;
        self.b.call_external(name, &args, results, dst);
        let bits = cells::number_bits(self.module, call.ret);
        self.b.program().set_external_result_bits(name, bits);
        Ok(())
    }

    /// Functions of `<math.h>` that are one instruction; false if `name` is none of them.
    fn library_float(&mut self, name: &str, call: &Call, result: LocalId) -> Lowered<bool> {
        let is_float =
            cells::scalar(self.module, call.ret).is_some_and(|s| s.float_width().is_some());
        let same = call.args.iter().all(|arg| self.type_of(arg.0) == call.ret);
        if !is_float || !same {
            return Ok(false);
        }
        let base = match self.scalar(call.ret)? {
            Scalar::Float => name.strip_suffix('f').unwrap_or(""),
            Scalar::Extended => name.strip_suffix('l').unwrap_or(""),
            _ => name,
        };
        match (float_unary(base), float_binary(base), &*call.args) {
            (Some(op), _, [a]) => self.float_unary(op, a.0, result)?,
            (_, Some(op), [a, b]) => self.float_binary(op, a.0, b.0, result)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    // --- arguments ------------------------------------------------------------------------------

    /// The cells of all arguments: the first `fixed` as they are, the others as they lie in memory.
    fn arguments(&mut self, call: &Call, fixed: usize) -> Lowered<Vec<Operand>> {
        let mut list = Vec::new();
        for &(arg, _) in call.args.iter().take(fixed) {
            let count = self.cells(self.type_of(arg))?;
            let operand = self.operand(arg)?;
            list.extend((0..count).map(|i| operand.plus(i)));
        }
        let start = list.len();
        for &(arg, attributes) in call.args.iter().skip(fixed) {
            self.variadic_argument(arg, attributes, start, &mut list)?;
        }
        Ok(list)
    }

    /// Appends what the overflow area of the x86-64 convention holds for an argument.
    fn variadic_argument(
        &mut self,
        arg: IrOperand,
        attributes: ParamAttributes,
        start: usize,
        list: &mut Vec<Operand>,
    ) -> Lowered<()> {
        let zero = self.b.constant(0);
        let align = |wide: bool, list: &mut Vec<Operand>| {
            if wide && (list.len() - start) % 2 == 1 {
                list.push(zero);
            }
        };
        if let Some(ty) = attributes.byval {
            let layout = self.module.layout.of(ty).ok_or("an argument without a size")?;
            align(attributes.align.unwrap_or(layout.align) > 8, list);
            return self.copied_argument(arg, layout.size, list);
        }
        let ty = self.type_of(arg);
        let operand = self.operand(arg)?;
        match cells::scalar(self.module, ty) {
            Some(Scalar::Extended) => {
                align(true, list);
                list.extend([operand, zero]);
            }
            Some(scalar) => {
                align(scalar.cells() == 2, list);
                list.extend((0..scalar.cells()).map(|i| operand.plus(i)));
            }
            None => {
                let words = self.packed_words(ty, operand)?;
                list.extend(words);
            }
        }
        Ok(())
    }

    /// The bytes of an object that is passed by value.
    fn copied_argument(
        &mut self,
        arg: IrOperand,
        size: u64,
        list: &mut Vec<Operand>,
    ) -> Lowered<()> {
        let address = self.operand(arg)?;
        for at in (0..size).step_by(8) {
            let cell = self.temporary(1);
            let piece = self.temporary(1);
            let rest = (size - at).min(8) as u32;
            let whole = rest == 8;
            if !whole {
                let zero = self.b.constant(0);
                self.b.emit(Instruction::Move { dst: cell, src: zero });
            }
            for (inner, size) in super::memory::pieces(rest) {
                let offset = at as i32 + inner as i32;
                let dst = if whole { cell } else { piece };
                self.b.emit(Instruction::Load { size, mode: Mode::Plain, dst, address, offset });
                if !whole {
                    let shift = self.b.constant(u64::from(inner * 8));
                    self.b.binary(BinaryOp::Shl, 64, piece, piece.into(), shift);
                    self.b.emit(Instruction::Or { dst: cell, a: cell.into(), b: piece.into() });
                }
            }
            list.push(cell.into());
        }
        Ok(())
    }
}

/// The instruction for a function of one number, by its name without suffix.
pub(super) fn float_unary(name: &str) -> Option<FloatUnaryOp> {
    Some(match name {
        "fabs" => FloatUnaryOp::Abs,
        "sqrt" => FloatUnaryOp::Sqrt,
        "floor" => FloatUnaryOp::Floor,
        "ceil" => FloatUnaryOp::Ceil,
        "trunc" => FloatUnaryOp::Trunc,
        "round" => FloatUnaryOp::Round,
        "rint" | "nearbyint" | "roundeven" => FloatUnaryOp::RoundEven,
        _ => return None,
    })
}

/// The instruction for a function of two numbers, by its name without suffix.
pub(super) fn float_binary(name: &str) -> Option<FloatBinaryOp> {
    Some(match name {
        "fmod" => FloatBinaryOp::Rem,
        "fmin" | "minnum" | "minimumnum" => FloatBinaryOp::Min,
        "fmax" | "maxnum" | "maximumnum" => FloatBinaryOp::Max,
        "copysign" => FloatBinaryOp::CopySign,
        "pow" => FloatBinaryOp::Pow,
        _ => return None,
    })
}
