//! Inline assembly that says nothing to the processor, or what everybody says by it: pauses, fences, and locked
//! read-modify-writes of x86, as ConcurrencyKit, liburcu and the headers of kernels have them. Everything else is refused.
//!
//! A statement is known by its template, its operands by the constraints. A locked instruction is a full barrier: a fence on
//! either side of a seq_cst read-modify-write. `mfence` is one, too; `lfence` and `sfence` keep what x86 keeps anyhow, that
//! reads come before what follows, and that writes come after what was before: an acquire and a release fence.

use super::function::{FunctionLowerer, Lowered};
use norn_action::{Mode, RmwOp};
use norn_llvm::{Call, InlineAsm, LocalId, Operand as IrOperand, Types};
use norn_program::{BinaryOp, Instruction, Operand, Register};

/// An operand of a template, in the order of their numbers.
#[derive(Clone, Copy)]
enum Place {
    /// In memory, at the address that this argument is.
    Memory(IrOperand),
    /// This result.
    Result(usize),
    /// This argument.
    Input(IrOperand),
}

/// What the operands of a template are, and what its results hold so far.
struct Operands<'a> {
    places: Vec<Place>,
    /// Of each result: its constraint, and where it is kept.
    results: Vec<(&'a str, Register)>,
    /// What the results begin with is what is handed in at the same place.
    sizes: Vec<Option<u8>>,
    accumulator: Option<IrOperand>,
    flags: Option<Flags>,
}

/// What the zero flag says.
#[derive(Clone, Copy)]
enum Flags {
    /// Whether this is one.
    Is(Operand),
    /// Whether such an operation on these numbers of so many bits gives zero.
    Zero(BinaryOp, Operand, Operand, u8),
}

/// One instruction: whether it is locked, its name, its operands.
type Statement<'a> = (bool, &'a str, Vec<&'a str>);

/// The instructions of a template.
fn statements(template: &str) -> Vec<Statement<'_>> {
    let mut found = Vec::new();
    let mut locked = false;
    for text in template.split([';', '\n']) {
        let mut text = text.trim();
        for prefix in ["lock", "rep"] {
            let rest = text.strip_prefix(prefix);
            if let Some(rest) = rest.filter(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
            {
                locked |= prefix == "lock";
                text = rest.trim();
            }
        }
        if text.is_empty() {
            continue;
        }
        let (name, rest) = text.split_once([' ', '\t']).unwrap_or((text, ""));
        let operands = rest.split(',').map(str::trim).filter(|operand| !operand.is_empty());
        found.push((std::mem::take(&mut locked), name, operands.collect()));
    }
    found
}

/// The name of an instruction without its suffix, and how many bytes that says.
fn without_suffix<'a>(name: &'a str, known: &[&'a str]) -> Option<(&'a str, Option<u8>)> {
    known.iter().find_map(|known| {
        let size = match name.strip_prefix(known)? {
            "" => None,
            "b" => Some(1),
            "w" => Some(2),
            "l" => Some(4),
            "q" => Some(8),
            _ => return None,
        };
        Some((*known, size))
    })
}

/// The number of an operand: `$1`, `${1:b}`.
fn number(text: &str) -> Option<usize> {
    let text = text.strip_prefix('$')?;
    let inner = text.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
    inner.map_or(text, |inner| inner.split(':').next().unwrap_or("")).parse().ok()
}

/// A number that stands in the template.
fn immediate(text: &str) -> Option<i64> {
    text.strip_prefix("$$")?.parse().ok()
}

impl FunctionLowerer<'_, '_> {
    pub(super) fn assembly(
        &mut self,
        asm: &InlineAsm,
        call: &Call,
        result: Option<LocalId>,
    ) -> Lowered<()> {
        let statements = statements(&asm.template);
        if statements.is_empty() && result.is_some() && call.ret != Types::VOID {
            return self.hand_through(asm, call, result);
        }
        let refused = || format!("the inline assembly `{}`", asm.template.trim().escape_debug());
        let mut operands = self.assembly_operands(asm, call).ok_or_else(refused)?;
        for statement in &statements {
            self.statement(statement, &mut operands)?.ok_or_else(refused)?;
        }
        self.assembly_results(&operands, call, result)?.ok_or_else(refused)
    }

    /// An empty template with a result hands through the operand that is tied to it.
    fn hand_through(
        &mut self,
        asm: &InlineAsm,
        call: &Call,
        result: Option<LocalId>,
    ) -> Lowered<()> {
        let inputs = asm.constraints.split(',').filter(|c| !c.starts_with(['=', '~']));
        let outputs = asm.constraints.split(',').filter(|c| c.starts_with('=')).count();
        let tied = inputs.into_iter().position(|c| c == "0");
        match (tied.and_then(|i| call.args.get(i)), outputs, result) {
            (Some(&(arg, _)), 1, Some(result)) if self.type_of(arg) == call.ret => {
                let count = self.cells(call.ret)?;
                self.result_alias(result, arg, 0, count, 0)
            }
            _ => Err("inline assembly with results".into()),
        }
    }

    /// The operands by their constraints; none if one is not understood.
    fn assembly_operands<'a>(&mut self, asm: &'a InlineAsm, call: &Call) -> Option<Operands<'a>> {
        let mut operands = Operands {
            places: Vec::new(),
            results: Vec::new(),
            sizes: Vec::new(),
            accumulator: None,
            flags: None,
        };
        let mut arguments = call.args.iter().map(|&(argument, _)| argument);
        for constraint in asm.constraints.split(',').filter(|c| !c.is_empty()) {
            if constraint.starts_with('~') {
                continue;
            }
            if let Some(output) = constraint.strip_prefix('=') {
                let output = output.trim_start_matches('&');
                operands.places.push(if output.starts_with('*') {
                    Place::Memory(arguments.next()?)
                } else {
                    operands.results.push((output, self.temporary(1)));
                    operands.sizes.push(None);
                    Place::Result(operands.results.len() - 1)
                });
                continue;
            }
            let argument = arguments.next()?;
            if constraint.starts_with('*') {
                operands.places.push(Place::Memory(argument));
                continue;
            }
            operands.places.push(Place::Input(argument));
            let scalar = self.scalar_of(argument).ok().filter(|scalar| scalar.cells() == 1)?;
            let tied = match constraint.parse::<usize>() {
                Ok(index) => match *operands.places.get(index)? {
                    Place::Result(index) => Some(index),
                    _ => return None,
                },
                Err(_) => operands
                    .results
                    .iter()
                    .position(|(own, _)| constraint.starts_with('{') && *own == constraint),
            };
            if constraint == "{ax}" {
                operands.accumulator = Some(argument);
            }
            if let Some(index) = tied {
                let src = self.operand(argument).ok()?;
                let (own, dst) = operands.results[index];
                self.b.emit(Instruction::Move { dst, src });
                operands.sizes[index] = Some(scalar.bytes() as u8);
                if own == "{ax}" {
                    operands.accumulator = Some(argument);
                }
            }
        }
        Some(operands)
    }

    /// Lowers one instruction; nothing if it is not known.
    fn statement(
        &mut self,
        (locked, name, texts): &Statement<'_>,
        operands: &mut Operands<'_>,
    ) -> Lowered<Option<()>> {
        let fence = match (*locked, *name) {
            (false, "nop" | "pause" | "yield") => return Ok(Some(())),
            (false, "mfence") => Some(Mode::SeqCst),
            (false, "lfence") => Some(Mode::Acquire),
            (false, "sfence") => Some(Mode::Release),
            _ if *locked && is_on_stack(name, texts) => Some(Mode::SeqCst),
            _ => None,
        };
        if let Some(mode) = fence {
            self.b.emit(Instruction::Fence { mode });
            return Ok(Some(()));
        }
        if let (false, Some(set), [to]) = (*locked, name.strip_prefix("set"), &texts[..]) {
            let Some(value) = self.flag(set, operands) else { return Ok(None) };
            return self.put(to, value, operands);
        }
        const CHANGES: [&str; 10] =
            ["xadd", "xchg", "cmpxchg", "add", "sub", "and", "or", "xor", "inc", "dec"];
        let known = without_suffix(name, &CHANGES).or_else(|| without_suffix(name, &["not"]));
        let Some((base, size)) = known.filter(|(base, _)| *locked || *base == "xchg") else {
            return Ok(None);
        };
        self.change(base, size, texts, operands)
    }

    /// A locked instruction.
    fn change(
        &mut self,
        base: &str,
        suffix: Option<u8>,
        texts: &[&str],
        operands: &mut Operands<'_>,
    ) -> Lowered<Option<()>> {
        let is_memory = |text: &str| {
            let place = number(text).and_then(|index| operands.places.get(index));
            match place {
                Some(Place::Memory(address)) => Some(*address),
                _ => None,
            }
        };
        let (source, address) = match texts {
            [one] => (None, is_memory(one)),
            [one, two] => match is_memory(two) {
                Some(address) => (Some(*one), Some(address)),
                None if base == "xchg" => (Some(*two), is_memory(one)),
                None => (None, None),
            },
            _ => (None, None),
        };
        let Some(address) = address else { return Ok(None) };
        let sized = source.and_then(|source| self.size_of(source, operands));
        let Some(size) = suffix.or(sized) else { return Ok(None) };
        let value = match (base, source) {
            ("inc" | "dec", None) => Some(self.b.constant(1)),
            ("not", None) => Some(self.b.constant(u64::MAX >> (64 - 8 * u32::from(size)))),
            (_, Some(source)) => self.source(source, operands),
            _ => None,
        };
        let Some(value) = value else { return Ok(None) };
        let address = self.operand(address)?;
        self.b.emit(Instruction::Fence { mode: Mode::SeqCst });
        let done = match base {
            "cmpxchg" => self.compare_and_exchange(size, address, value, operands)?,
            _ => self.update(base, size, address, value, (source, operands)),
        };
        self.b.emit(Instruction::Fence { mode: Mode::SeqCst });
        Ok(done)
    }

    fn update(
        &mut self,
        base: &str,
        size: u8,
        address: Operand,
        value: Operand,
        (source, operands): (Option<&str>, &mut Operands<'_>),
    ) -> Option<()> {
        let (op, zero) = match base {
            "xchg" => (RmwOp::Exchange, None),
            "xadd" | "add" | "inc" => (RmwOp::Add, Some(BinaryOp::Add)),
            "sub" | "dec" => (RmwOp::Sub, Some(BinaryOp::Sub)),
            "and" => (RmwOp::And, Some(BinaryOp::And)),
            "or" => (RmwOp::Or, Some(BinaryOp::Or)),
            "xor" => (RmwOp::Xor, Some(BinaryOp::Xor)),
            "not" => (RmwOp::Xor, None),
            _ => return None,
        };
        let dst = self.temporary(1);
        let mode = Mode::SeqCst;
        self.b.emit(Instruction::Rmw { op, size, mode, dst, address, value });
        if let Some(op) = zero {
            // What is added may be in the register that gets the old value.
            let kept = self.temporary(1);
            self.b.emit(Instruction::Move { dst: kept, src: value });
            operands.flags = Some(Flags::Zero(op, dst.into(), kept.into(), 8 * size));
        }
        if matches!(base, "xadd" | "xchg") {
            match operands.places.get(number(source?)?)? {
                Place::Result(index) => {
                    let (_, register) = operands.results[*index];
                    self.b.emit(Instruction::Move { dst: register, src: dst.into() });
                }
                _ => return None,
            }
        }
        Some(())
    }

    /// The accumulator is what is expected, and gets what was there.
    fn compare_and_exchange(
        &mut self,
        size: u8,
        address: Operand,
        new: Operand,
        operands: &mut Operands<'_>,
    ) -> Lowered<Option<()>> {
        let Some(expected) = operands.accumulator else { return Ok(None) };
        let expected = self.operand(expected)?;
        let pair = self.temporary(2);
        self.b.emit(Instruction::Move { dst: pair, src: expected });
        self.b.emit(Instruction::Move { dst: pair.plus(1), src: new });
        let dst = self.temporary(2);
        self.b.emit(Instruction::CompareExchange {
            size,
            mode: Mode::SeqCst,
            failure: Mode::SeqCst,
            dst,
            address,
            operands: pair.into(),
        });
        if let Some(&(_, register)) = operands.results.iter().find(|(own, _)| *own == "{ax}") {
            self.b.emit(Instruction::Move { dst: register, src: dst.into() });
        }
        operands.flags = Some(Flags::Is(dst.plus(1).into()));
        Ok(Some(()))
    }

    /// How many bytes the type of an operand has.
    fn size_of(&self, text: &str, operands: &Operands<'_>) -> Option<u8> {
        match *operands.places.get(number(text)?)? {
            Place::Input(argument) => Some(self.scalar_of(argument).ok()?.bytes() as u8),
            Place::Result(index) => operands.sizes[index],
            Place::Memory(_) => None,
        }
    }

    fn source(&mut self, text: &str, operands: &Operands<'_>) -> Option<Operand> {
        if let Some(value) = immediate(text) {
            return Some(self.b.constant(value as u64));
        }
        match *operands.places.get(number(text)?)? {
            Place::Input(argument) => self.operand(argument).ok(),
            Place::Result(index) => operands.sizes[index].map(|_| operands.results[index].1.into()),
            Place::Memory(_) => None,
        }
    }

    /// What a condition on the zero flag says.
    fn flag(&mut self, condition: &str, operands: &Operands<'_>) -> Option<Operand> {
        let is_zero = match condition {
            "z" | "e" => true,
            "nz" | "ne" => false,
            _ => return None,
        };
        let dst = self.temporary(1);
        let zero = self.b.constant(0);
        let value = match operands.flags? {
            Flags::Is(operand) => operand,
            Flags::Zero(op, a, b, width) => {
                let after = self.temporary(1);
                self.b.binary(op, width, after, a, b);
                self.b.emit(Instruction::Equal { dst, a: after.into(), b: zero });
                dst.into()
            }
        };
        if is_zero {
            return Some(value);
        }
        let negated = self.temporary(1);
        self.b.emit(Instruction::Equal { dst: negated, a: value, b: zero });
        Some(negated.into())
    }

    /// Puts a byte into an operand.
    fn put(&mut self, to: &str, value: Operand, operands: &Operands<'_>) -> Lowered<Option<()>> {
        match number(to).and_then(|index| operands.places.get(index)) {
            Some(Place::Result(index)) => {
                let (_, dst) = operands.results[*index];
                self.b.emit(Instruction::Move { dst, src: value });
            }
            Some(Place::Memory(address)) => {
                let address = self.operand(*address)?;
                let mode = Mode::Plain;
                self.b.emit(Instruction::Store { size: 1, mode, address, offset: 0, value });
            }
            _ => return Ok(None),
        }
        Ok(Some(()))
    }

    fn assembly_results(
        &mut self,
        operands: &Operands<'_>,
        call: &Call,
        result: Option<LocalId>,
    ) -> Lowered<Option<()>> {
        let Some(result) = result.filter(|_| call.ret != Types::VOID) else { return Ok(Some(())) };
        let count = operands.results.len();
        if self.cells(call.ret)? as usize != count {
            return Ok(None);
        }
        let mut values = Vec::new();
        for &(constraint, register) in &operands.results {
            let condition = constraint.strip_prefix("{@cc").and_then(|c| c.strip_suffix('}'));
            values.push(match condition {
                None => register.into(),
                Some(condition) => match self.flag(condition, operands) {
                    Some(value) => value,
                    None => return Ok(None),
                },
            });
        }
        let dst = self.result(result, count as u32);
        for (i, src) in values.into_iter().enumerate() {
            self.b.emit(Instruction::Move { dst: dst.plus(i as u32), src });
        }
        Ok(Some(()))
    }
}

/// Whether an instruction leaves a word of the stack as it is: a full barrier.
fn is_on_stack(name: &str, texts: &[&str]) -> bool {
    let keeps = without_suffix(name, &["add", "or"]).is_some();
    match texts {
        [value, place] => {
            keeps
                && immediate(value) == Some(0)
                && ["(%rsp)", "(%esp)"].iter().any(|end| place.ends_with(end))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_taken_apart() {
        let found = statements("lock; cmpxchgl $3, $0; setz $1");
        assert_eq!(found, [(true, "cmpxchgl", vec!["$3", "$0"]), (false, "setz", vec!["$1"])]);
        assert_eq!(statements("rep; nop"), [(false, "nop", vec![])]);
        assert_eq!(
            statements("\tlock xaddq ${1:q}, $0\n"),
            [(true, "xaddq", vec!["${1:q}", "$0"])]
        );
        assert!(statements(" ;\n").is_empty());
        assert_eq!((number("${1:q}"), number("$0"), number("$$0")), (Some(1), Some(0), None));
        assert_eq!(without_suffix("subb", &["sub"]), Some(("sub", Some(1))));
        assert_eq!(without_suffix("subtle", &["sub"]), None);
        assert!(is_on_stack("addl", &["$$0", "-4(%rsp)"]));
        assert!(!is_on_stack("addl", &["$$1", "-4(%rsp)"]));
    }
}
