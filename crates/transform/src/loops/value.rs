//! Values of an iteration as the source has them: what was read where, which variable it is, what was computed
//! of which. Registers that nobody named are looked through.

use crate::purity::{Definitions, Relation, Term};
use norn_action::RmwOp;
use norn_program::flow::Node;
use norn_program::{
    BinaryOp, FunctionId, GlobalId, Instruction, LocalId, Operand, Program, Register,
};

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number.
    Number(u64),
    /// A local variable of a function that lives in a register.
    Variable(FunctionId, Register),
    /// The address of an object.
    Address(Box<Object>),
    /// What an access read.
    Read(Access),
    /// Whether a compare-exchange succeeded.
    Exchanged(Access),
    /// What a call returned.
    Result {
        /// The call.
        pc: u32,
        /// What was called.
        function: FunctionId,
    },
    /// What was computed.
    Computed(Operation, Box<[Value; 2]>),
    /// Something else, that an instruction computed; or nothing is known of it at all.
    Unknown(Option<u32>),
}

/// What was computed of two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// An integer function.
    Binary(BinaryOp),
    /// A comparison.
    Compare(Relation),
}

/// An access to memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// The instruction.
    pub pc: u32,
    /// What kind of access it is.
    pub kind: AccessKind,
    /// What it accesses.
    pub object: Object,
    /// What a read-modify-write combines with what it reads, or what a compare-exchange expects.
    pub operand: Option<Box<Value>>,
}

/// A kind of access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessKind {
    /// A load; whether it is atomic.
    Load(bool),
    /// A read-modify-write.
    Rmw(RmwOp),
    /// A compare-exchange.
    CompareExchange,
    /// A store; whether it is atomic.
    Store(bool),
}

/// A part of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Object {
    /// Bytes of a global.
    Global(GlobalId, u64),
    /// Bytes of a local variable in memory.
    Local(LocalId, u64),
    /// Bytes behind a pointer.
    Behind(Box<Value>, i64),
    /// An element whose index is computed: where the elements begin, and the index.
    Element(Box<Object>, Box<Value>),
}

/// Values deeper than this are not written down.
pub(super) const DEPTH: u32 = 6;

/// Finds out what values are.
#[derive(Clone, Copy)]
pub(super) struct Values<'a> {
    pub program: &'a Program,
    pub function: FunctionId,
    pub definitions: Definitions<'a>,
    /// The header of the loop.
    pub header: Node,
}

impl Values<'_> {
    /// The value that a term of a condition stands for.
    pub(super) fn of(&self, term: Term) -> Value {
        match term {
            Term::Constant(number) => self.number(number),
            Term::Start(register) | Term::Here(register) => self.at_start(register, DEPTH),
            Term::Written { register, pc } => self.written(pc, register, DEPTH),
        }
    }

    /// The name in a condition of an operand of an instruction, if it has the same value on all ways there.
    pub(super) fn term(&self, pc: u32, operand: Operand, depth: u32) -> Option<Term> {
        if let Some(index) = operand.constant_index() {
            return Some(Term::Constant(self.program.constants[index as usize]));
        }
        let register = operand.register().filter(|_| depth > 0)?;
        let found = self.definitions.reaching(pc, register, Some(self.header));
        match found.writes[..] {
            [] => Some(Term::Start(register)),
            [pc] if !found.from_start => match self.program.code[pc as usize] {
                Instruction::Move { src, .. } => self.term(pc, src, depth - 1),
                _ => Some(Term::Written { register, pc }),
            },
            _ => None,
        }
    }

    fn number(&self, number: u64) -> Value {
        let globals = norn_program::layout::GLOBALS..norn_program::layout::FUNCTIONS;
        match self.program.global_at(number).filter(|_| globals.contains(&number)) {
            Some(id) => {
                let offset = number - self.program.globals[id.index()].address;
                Value::Address(Box::new(Object::Global(id, offset)))
            }
            None => Value::Number(number),
        }
    }

    fn at_start(&self, register: Register, depth: u32) -> Value {
        if self.program.variable(self.function, register).is_some() {
            return Value::Variable(self.function, register);
        }
        // Computed before the loop, once.
        let first = self.definitions.start(self.header);
        let found = self.definitions.reaching(first, register, None);
        match found.writes[..] {
            [pc] if !found.from_start => self.written(pc, register, depth.saturating_sub(1)),
            _ => Value::Unknown(None),
        }
    }

    /// An operand of an instruction.
    pub(super) fn operand(&self, pc: u32, operand: Operand, depth: u32) -> Value {
        if let Some(index) = operand.constant_index() {
            return self.number(self.program.constants[index as usize]);
        }
        let Some(register) = operand.register() else { return Value::Unknown(None) };
        let found = self.definitions.reaching(pc, register, Some(self.header));
        match found.writes[..] {
            [] => self.at_start(register, depth),
            [write] if !found.from_start => self.written(write, register, depth),
            _ if self.program.variable(self.function, register).is_some() => {
                Value::Variable(self.function, register)
            }
            _ => Value::Unknown(Some(pc)),
        }
    }

    /// What an instruction wrote to a register.
    fn written(&self, pc: u32, register: Register, depth: u32) -> Value {
        use Instruction::*;
        let Some(depth) = depth.checked_sub(1) else { return Value::Unknown(Some(pc)) };
        if let Some(access) = self.access(pc, depth) {
            return match self.program.code[pc as usize] {
                CompareExchange { dst, size, .. } if register.0 >= dst.0 + cells(size) => {
                    Value::Exchanged(access)
                }
                _ => Value::Read(access),
            };
        }
        let of = |operand: Operand| self.operand(pc, operand, depth);
        let computed = |operation, a, b| Value::Computed(operation, Box::new([of(a), of(b)]));
        let binary = |op, a, b| computed(Operation::Binary(op), a, b);
        let compare = |relation, a, b| computed(Operation::Compare(relation), a, b);
        match self.program.code[pc as usize] {
            Move { src, .. }
            | Freeze { src, .. }
            | Truncate { src, .. }
            | SignExtend { src, .. } => of(src),
            Add { a, b, .. } => binary(BinaryOp::Add, a, b),
            Sub { a, b, .. } => binary(BinaryOp::Sub, a, b),
            Mul { a, b, .. } => binary(BinaryOp::Mul, a, b),
            And { a, b, .. } => binary(BinaryOp::And, a, b),
            Or { a, b, .. } => binary(BinaryOp::Or, a, b),
            Xor { a, b, .. } => binary(BinaryOp::Xor, a, b),
            Binary { op, a, b, .. } => binary(op, a, b),
            Equal { a, b, .. } => compare(Relation::Equal, a, b),
            NotEqual { a, b, .. } => compare(Relation::NotEqual, a, b),
            Below { a, b, .. } => compare(Relation::Below, a, b),
            BelowEqual { a, b, .. } => compare(Relation::BelowEqual, a, b),
            Less { width, a, b, .. } => compare(Relation::Less(width), a, b),
            LessEqual { width, a, b, .. } => compare(Relation::LessEqual(width), a, b),
            Call { function, .. } => Value::Result { pc, function },
            Alloca { .. } | Lea { .. } | ThreadLocal { .. } => {
                match self.object(pc + 1, register.into(), 0, depth + 1) {
                    Object::Behind(value, 0) => *value,
                    object => Value::Address(Box::new(object)),
                }
            }
            _ => Value::Unknown(Some(pc)),
        }
    }

    /// The access that an instruction makes, if it makes one.
    pub(super) fn access(&self, pc: u32, depth: u32) -> Option<Access> {
        use Instruction::*;
        let (kind, address, offset, operand) = match self.program.code[pc as usize] {
            Load { mode, address, offset, .. } => {
                (AccessKind::Load(mode.is_atomic()), address, offset, None)
            }
            Store { mode, address, offset, .. } => {
                (AccessKind::Store(mode.is_atomic()), address, offset, None)
            }
            Rmw { op, address, value, .. } => (AccessKind::Rmw(op), address, 0, Some(value)),
            CompareExchange { address, operands, .. } => {
                (AccessKind::CompareExchange, address, 0, Some(operands))
            }
            CopyMemory { to, .. } | SetMemory { to, .. } => (AccessKind::Store(false), to, 0, None),
            _ => return None,
        };
        let operand = operand.map(|operand| Box::new(self.operand(pc, operand, depth)));
        Some(Access { pc, kind, object: self.object(pc, address, offset.into(), depth), operand })
    }

    /// What is at an address that an instruction uses.
    fn object(&self, pc: u32, address: Operand, offset: i64, depth: u32) -> Object {
        use Instruction::*;
        let program = self.program;
        let unknown = || Object::Behind(Box::new(Value::Unknown(Some(pc))), offset);
        let Some(depth) = depth.checked_sub(1) else { return unknown() };
        if let Some(index) = address.constant_index() {
            let address = program.constants[index as usize].wrapping_add_signed(offset);
            return match self.number(address) {
                Value::Address(object) => *object,
                other => Object::Behind(Box::new(other), 0),
            };
        }
        let Some(register) = address.register() else { return unknown() };
        let found = self.definitions.reaching(pc, register, None);
        if let ([write], false) = (&found.writes[..], found.from_start)
            && program.variable(self.function, register).is_none()
        {
            match program.code[*write as usize] {
                Alloca { local, .. } => return Object::Local(local, offset.max(0) as u64),
                ThreadLocal { global, .. } => {
                    return Object::Global(global, offset.max(0) as u64);
                }
                Lea { scale, base, index, .. } => {
                    return self.element((*write, scale), base, index, offset, depth);
                }
                _ => {}
            }
        }
        match self.operand(pc, address, depth) {
            Value::Address(object) if offset == 0 => *object,
            value => Object::Behind(Box::new(value), offset),
        }
    }

    fn element(
        &self,
        (pc, scale): (u32, u16),
        base: Operand,
        index: Operand,
        offset: i64,
        depth: u32,
    ) -> Object {
        match self.operand(pc, index, depth) {
            Value::Number(index) => {
                let inside = (index as i64).wrapping_mul(i64::from(scale)).wrapping_add(offset);
                self.object(pc, base, inside, depth)
            }
            index => {
                let first = self.object(pc, base, offset, depth);
                Object::Element(Box::new(first), Box::new(index))
            }
        }
    }
}

fn cells(size: u8) -> u32 {
    if size > 8 { 2 } else { 1 }
}

impl Value {
    /// Calls `f` on every access, and every call, whose value this depends on.
    pub(super) fn for_each_read(&self, f: &mut impl FnMut(u32)) {
        match self {
            Value::Read(access) | Value::Exchanged(access) => f(access.pc),
            Value::Result { pc, .. } => f(*pc),
            Value::Computed(_, operands) => {
                operands.iter().for_each(|operand| operand.for_each_read(f));
            }
            _ => {}
        }
    }
}
