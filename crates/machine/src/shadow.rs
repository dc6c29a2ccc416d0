//! Values of which some bits were never written.
//!
//! Copying, returning or widening such a value is no fault: padding, unions, structures that are passed in
//! registers and functions that end without a value all do it. Using it is: as the condition of a
//! branch, as an address, as a divisor, as an argument of a runtime function.
//!
//! A [`Shadow`] knows for each register of a thread which of its bits are undefined. Hardly any program
//! ever has such a register, so there is a list of them only, and an instruction loop of its own that is
//! entered when the list is not empty: it looks at an instruction before it is run by the ordinary loop,
//! and computes what is undefined of its result. Registers that are dead at the head of a loop are
//! dropped there, so that a value nobody uses does not slow the rest of the program down.
//!
//! Bits are followed exactly through moves, bitwise operations, extensions and shifts, so that
//! bit-fields are too; elsewhere an undefined bit makes the whole result undefined, or all bits above
//! it. In memory definedness is kept by bytes: a byte is undefined if all its bits are.

use crate::Vm;
use crate::arithmetic::{low, signed};
use crate::runtime::UNDEFINED_BYTES;
use crate::thread::{Stop, Thread};
use norn_action::{Address, Inside, Undefined, Unwritten};
use norn_program::{BinaryOp, Instruction as I, LoopId, Operand, Register};
use smallvec::SmallVec;

/// Where an undefined value was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A local variable in a register; its name is a message of the program.
    Variable(u32),
    /// A private object.
    Object(Inside),
    /// Memory that other threads can reach.
    Visible(u64),
    /// A shift by the width of the number or more. Optimised code makes such values and does not use
    /// them, so that they are no fault by themselves.
    Shift,
}

/// A register of which some bits are undefined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Its index among all registers of the thread.
    register: u32,
    mask: u64,
    origin: Origin,
}

/// The registers of a thread that hold undefined bits.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shadow {
    entries: Vec<Entry>,
}

/// Undefined bits and where they come from; nothing if there are none.
type Bits = Option<(u64, Origin)>;

impl Shadow {
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(crate) fn clone_from(&mut self, source: &Shadow) {
        if !(self.is_empty() && source.is_empty()) {
            self.entries.clone_from(&source.entries);
        }
    }

    fn get(&self, register: u32) -> Bits {
        let entry = self.entries.iter().find(|entry| entry.register == register)?;
        Some((entry.mask, entry.origin))
    }

    pub(crate) fn set(&mut self, register: u32, bits: Bits) {
        self.entries.retain(|entry| entry.register != register);
        if let Some((mask, origin)) = bits.filter(|(mask, _)| *mask != 0) {
            self.entries.push(Entry { register, mask, origin });
        }
    }

    /// Forgets the registers from `first` on.
    #[inline]
    pub(crate) fn truncate(&mut self, first: u32) {
        if !self.is_empty() {
            self.entries.retain(|entry| entry.register < first);
        }
    }

    /// Keeps, of the registers from `base` on, those that are `live`.
    fn keep_live(&mut self, base: u32, live: &[Register]) {
        self.entries.retain(|entry| {
            entry.register < base || live.iter().any(|live| base + live.0 == entry.register)
        });
    }
}

/// The bits of bytes: bit `i` of `bytes` stands for byte `i`.
pub(crate) fn bits_of_bytes(bytes: u16) -> u128 {
    (0..16).filter(|i| bytes >> i & 1 == 1).fold(0, |bits, i| bits | 0xff << (8 * i))
}

/// The bytes all of whose bits are set, of `size` bytes.
fn bytes_of_bits(bits: u128, size: u8) -> u16 {
    let whole = |i: &u32| bits >> (8 * i) & 0xff == 0xff;
    (0..u32::from(size)).filter(whole).fold(0, |bytes, i| bytes | 1 << i)
}

impl Vm {
    /// A register of the topmost frame gets undefined bits.
    pub(crate) fn taint(&self, t: &mut Thread, register: Register, bits: u64, origin: Origin) {
        let base = t.frames[t.frames.len() - 1].base;
        t.shadow.set(base + register.0, Some((bits, origin)));
    }

    /// The value of `size` bytes that the load under way asked for is there; `bytes` of it are undefined.
    pub(crate) fn complete_partly(
        &self,
        t: &mut Thread,
        value: u128,
        bytes: u16,
        origin: Origin,
    ) -> Result<(), Stop> {
        let top = t.frames[t.frames.len() - 1];
        let instruction = self.program.code.get(top.pc as usize).filter(|_| !top.native);
        if let Some(&I::CompareExchange { size, .. }) = instruction
            && bytes.count_ones() < size.into()
        {
            // Padding; what of it is compared can only make the exchange fail.
            self.complete(t, norn_action::Value(value));
            return Ok(());
        }
        let Some(&I::Load { size, dst, .. }) = instruction else {
            // A runtime function, or a read-modify-write, uses what it reads.
            return Err(self.undefined(t, origin));
        };
        let bits = bits_of_bytes(bytes);
        self.complete(t, norn_action::Value(value));
        self.taint(t, dst, bits as u64, origin);
        if size > 8 {
            self.taint(t, dst.plus(1), (bits >> 64) as u64, origin);
        }
        Ok(())
    }

    /// The fault of using an undefined value.
    #[cold]
    pub(crate) fn undefined(&self, t: &Thread, origin: Origin) -> Stop {
        match origin {
            Origin::Variable(message) => {
                t.fault(Unwritten::Local(self.program.messages[message as usize].clone()))
            }
            Origin::Object(inside) => t.fault(Unwritten::Private(inside)),
            Origin::Visible(address) => t.fault(Unwritten::Shared(Address(address))),
            Origin::Shift => t.fault(Undefined::Shift),
        }
    }

    /// Runs one instruction of the topmost frame while registers hold undefined bits.
    pub(crate) fn run_shadowed(&self, t: &mut Thread) -> Result<(), Stop> {
        let top = t.frames[t.frames.len() - 1];
        let instruction = self.program.code[top.pc as usize];
        let view = View { vm: self, t, base: top.base };
        view.check_uses(instruction)?;
        match instruction {
            I::Store { size, value, .. } => {
                let bits = view.wide(value, size);
                let bytes = bits.map_or(0, |(bits, _)| bytes_of_bits(bits, size));
                t.undefined_bytes = bytes;
                let result = self.run_code::<true>(t);
                t.undefined_bytes = 0;
                return result;
            }
            I::Call { args, count, .. } | I::CallIndirect { args, count, .. } => {
                let passed = view.arguments(args, count);
                let depth = t.frames.len();
                self.run_code::<true>(t)?;
                if t.frames.len() == depth + 1 && !t.frames[depth].native {
                    let base = t.frames[depth].base;
                    for (i, bits) in passed.into_iter().enumerate() {
                        t.shadow.set(base + i as u32, bits);
                    }
                }
                return Ok(());
            }
            I::Return { count, value } => {
                let results: SmallVec<[Bits; 4]> =
                    (0..u32::from(count)).map(|i| view.bits(value.plus(i))).collect();
                let depth = t.frames.len();
                self.run_code::<true>(t)?;
                if t.frames.len() >= depth {
                    return Ok(());
                }
                if t.frames.last().is_some_and(|below| below.native) {
                    // The start routine of a thread: whoever joins it gets what it is.
                    let bits = results.first().copied().flatten().map_or(0, |(bits, _)| bits);
                    let bytes = bytes_of_bits(bits.into(), 8);
                    if let Some(result) = t.natives.last_mut().and_then(|call| call.log.last_mut())
                    {
                        *result |= u128::from(bytes) << UNDEFINED_BYTES;
                    }
                } else if let Some(below) = t.frames.last() {
                    let first = below.base + top.dst;
                    for (i, bits) in results.into_iter().take(top.results.into()).enumerate() {
                        t.shadow.set(first + i as u32, bits);
                    }
                }
                return Ok(());
            }
            I::LoopHeader { id } => self.drop_dead(t, id, top.base),
            _ => {}
        }
        let results = View { vm: self, t, base: top.base }.results(instruction);
        instruction.for_each_cell(
            |_, _| {},
            |dst, count| (0..count).for_each(|i| t.shadow.set(top.base + dst.0 + i, None)),
        );
        self.run_code::<true>(t)?;
        for (dst, bits) in results {
            t.shadow.set(top.base + dst.0, bits);
        }
        Ok(())
    }

    fn drop_dead(&self, t: &mut Thread, id: LoopId, base: u32) {
        t.shadow.keep_live(base, &self.program.loops[id.index()].live);
    }
}

/// The topmost frame, looked at.
struct View<'a> {
    vm: &'a Vm,
    t: &'a Thread,
    base: u32,
}

impl View<'_> {
    fn bits(&self, operand: Operand) -> Bits {
        self.t.shadow.get(self.base + operand.register()?.0)
    }

    fn value(&self, operand: Operand) -> u64 {
        self.vm.get(self.t, operand)
    }

    /// Of a value of up to 16 bytes.
    fn wide(&self, operand: Operand, size: u8) -> Option<(u128, Origin)> {
        let low = self.bits(operand);
        let high = if size > 8 { self.bits(operand.plus(1)) } else { None };
        let origin = low.or(high)?.1;
        let part = |bits: Bits| u128::from(bits.map_or(0, |(mask, _)| mask));
        Some((part(high) << 64 | part(low), origin))
    }

    /// Whether no bit of a value of up to 16 bytes is defined.
    fn nothing_defined(&self, operand: Operand, size: u8) -> Option<Origin> {
        let whole = if size >= 16 { u128::MAX } else { (1 << (u32::from(size) * 8)) - 1 };
        let (bits, origin) = self.wide(operand, size)?;
        (bits & whole == whole).then_some(origin)
    }

    fn arguments(&self, args: u32, count: u16) -> SmallVec<[Bits; 8]> {
        let list = &self.vm.program.arguments[args as usize..][..usize::from(count)];
        list.iter().map(|&operand| self.bits(operand)).collect()
    }

    /// Any of some operands.
    fn any(&self, operands: &[Operand]) -> Option<Origin> {
        operands.iter().find_map(|&operand| self.bits(operand)).map(|(_, origin)| origin)
    }

    /// Faults if the instruction uses an undefined value rather than passing it on.
    fn check_uses(&self, instruction: I) -> Result<(), Stop> {
        let used = match instruction {
            I::Branch { condition, .. } => {
                self.bits(condition).filter(|(mask, _)| mask & 1 == 1).map(|(_, origin)| origin)
            }
            I::JumpEqual { a, b, .. } | I::JumpNotEqual { a, b, .. } => self.equality(a, b),
            I::JumpBelow { a, b, .. }
            | I::JumpBelowEqual { a, b, .. }
            | I::JumpLess { a, b, .. }
            | I::JumpLessEqual { a, b, .. } => self.any(&[a, b]),
            I::Switch { value, .. } => self.any(&[value]),
            I::Load { address, .. } | I::Store { address, .. } => self.any(&[address]),
            // Padding may be undefined; a value of which nothing is defined decides the comparison.
            I::CompareExchange { address, operands, size, .. } => {
                let new = operands.plus(if size > 8 { 2 } else { 1 });
                self.any(&[address])
                    .or_else(|| self.nothing_defined(operands, size))
                    .or_else(|| self.nothing_defined(new, size))
            }
            I::Rmw { address, value, size, .. } => {
                self.any(&[address]).or_else(|| self.wide(value, size).map(|(_, origin)| origin))
            }
            I::CopyMemory { to, from, length, .. } => self.any(&[to, from, length]),
            I::SetMemory { to, value, length, .. } => self.any(&[to, value, length]),
            I::Alloca { size, .. } => self.any(&[size]),
            // What is divided may be undefined: optimised code divides before it knows that it must.
            I::Binary { op, b, .. } | I::WideBinary { op, b, .. } if is_division(op) => {
                self.any(&[b])
            }
            I::CallIndirect { target, args, count, .. } => {
                let native = self.vm.program.external_at(self.value(target)).is_some();
                let argument = if native { self.first_argument(args, count) } else { None };
                self.any(&[target]).or(argument)
            }
            I::CallExternal { args, count, .. } => self.first_argument(args, count),
            I::Return { count: 1.., value } if self.is_called_by_runtime() => self.any(&[value]),
            _ => None,
        };
        used.map_or(Ok(()), |origin| Err(self.vm.undefined(self.t, origin)))
    }

    /// Whether a runtime function called the topmost one and uses its result.
    fn is_called_by_runtime(&self) -> bool {
        match self.t.frames[..] {
            [.., below, top] => below.native && top.results > 0,
            _ => false,
        }
    }

    fn first_argument(&self, args: u32, count: u16) -> Option<Origin> {
        self.arguments(args, count).into_iter().flatten().next().map(|(_, origin)| origin)
    }

    /// Whether it is undefined if two values are equal: not if they differ in a bit that is defined.
    fn equality(&self, a: Operand, b: Operand) -> Option<Origin> {
        let origin = self.any(&[a, b])?;
        let mask = |operand| self.bits(operand).map_or(0, |(mask, _)| mask);
        let known = !(mask(a) | mask(b));
        ((self.value(a) ^ self.value(b)) & known == 0).then_some(origin)
    }

    /// What is undefined of the registers that the instruction writes.
    fn results(&self, instruction: I) -> SmallVec<[(Register, Bits); 4]> {
        let mut list = SmallVec::new();
        let mut put = |dst: Register, bits: Bits| {
            if bits.is_some() {
                list.push((dst, bits));
            }
        };
        match instruction {
            I::Move { dst, src } => put(dst, self.bits(src)),
            I::MoveMany { count, dst, src } => {
                (0..u32::from(count)).for_each(|i| put(dst.plus(i), self.bits(src.plus(i))));
            }
            I::MoveIf { dst, condition, src } => put(dst, self.selected(dst, condition, src)),
            I::Add { width, dst, a, b }
            | I::Sub { width, dst, a, b }
            | I::Mul { width, dst, a, b } => {
                put(dst, self.carried(width, a, b));
            }
            I::Lea { dst, base, index, .. } => put(dst, self.carried(64, base, index)),
            I::And { dst, a, b } => put(dst, self.bitwise(a, b, |x| x)),
            I::Or { dst, a, b } => put(dst, self.bitwise(a, b, |x| !x)),
            I::Xor { dst, a, b } => put(dst, self.bitwise(a, b, |_| u64::MAX)),
            I::Truncate { width, dst, src } => {
                put(dst, map(self.bits(src), |mask| low(mask, width)))
            }
            I::SignExtend { from, to, dst, src } => {
                put(dst, map(self.bits(src), |mask| low(signed(mask, from) as u64, to)));
            }
            I::Equal { dst, a, b } | I::NotEqual { dst, a, b } => {
                put(dst, self.equality(a, b).map(|origin| (1, origin)));
            }
            I::Binary { op: BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr, .. } => {
                self.shifted(instruction).into_iter().for_each(|(dst, bits)| put(dst, bits));
            }
            I::Freeze { .. } | I::Load { .. } | I::Rmw { .. } | I::CompareExchange { .. } => {}
            I::CheckInitialised { flag, register, cells, message } => {
                if self.value(flag.into()) == 0 {
                    let bits = Some((u64::MAX, Origin::Variable(message)));
                    (0..u32::from(cells)).for_each(|i| put(register.plus(i), bits));
                }
            }
            _ => self.spoiled(instruction, put),
        }
        list
    }

    /// Any undefined bit makes all that the instruction writes undefined.
    fn spoiled(&self, instruction: I, mut put: impl FnMut(Register, Bits)) {
        let (mut origin, mut written) = (None, None);
        instruction.for_each_cell(
            |operand, count| {
                let mut cells = (0..count).map(|i| operand.plus(i));
                origin = origin.or_else(|| cells.find_map(|cell| self.bits(cell)).map(|b| b.1));
            },
            |dst, count| written = Some((dst, count)),
        );
        if let (Some(origin), Some((dst, count))) = (origin, written) {
            (0..count).for_each(|i| put(dst.plus(i), Some((u64::MAX, origin))));
        }
    }

    /// A sum or product: bits below the lowest undefined one do not depend on it.
    fn carried(&self, width: u8, a: Operand, b: Operand) -> Bits {
        let origin = self.any(&[a, b])?;
        let mask = |operand| self.bits(operand).map_or(0, |(mask, _)| mask);
        let lowest = (mask(a) | mask(b)).trailing_zeros();
        Some((low(u64::MAX << lowest.min(63), width), origin))
    }

    /// A bitwise operation. A bit of one operand decides the result where `decides`, applied to the
    /// operand, is zero.
    fn bitwise(&self, a: Operand, b: Operand, decides: fn(u64) -> u64) -> Bits {
        let origin = self.any(&[a, b])?;
        let mask = |operand| self.bits(operand).map_or(0, |(mask, _)| mask);
        let (ma, mb) = (mask(a), mask(b));
        let open_a = decides(self.value(a)) | ma;
        let open_b = decides(self.value(b)) | mb;
        Some(((ma | mb) & open_a & open_b, origin))
    }

    fn shifted(&self, instruction: I) -> Option<(Register, Bits)> {
        let I::Binary { op, width, dst, a, b } = instruction else { return None };
        if let Some((_, origin)) = self.bits(b) {
            return Some((dst, Some((u64::MAX, origin))));
        }
        let amount = self.value(b).min(63);
        let bits = map(self.bits(a), |mask| {
            let moved = match op {
                BinaryOp::Shl => mask << amount,
                BinaryOp::LShr => mask >> amount,
                _ => (signed(mask, width) >> amount) as u64,
            };
            low(moved, width)
        });
        Some((dst, bits))
    }

    /// A conditional move keeps what was there if the condition does not hold.
    fn selected(&self, dst: Register, condition: Operand, src: Operand) -> Bits {
        if let Some((_, origin)) = self.bits(condition).filter(|(mask, _)| mask & 1 == 1) {
            return Some((u64::MAX, origin));
        }
        self.bits(if self.value(condition) & 1 == 1 { src } else { dst.into() })
    }
}

fn map(bits: Bits, f: impl FnOnce(u64) -> u64) -> Bits {
    bits.map(|(mask, origin)| (f(mask), origin))
}

fn is_division(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem)
}
