//! Instructions that touch memory.

use super::Result;
use super::body::BodyReader;
use super::instructions::{Operation, plain};
use crate::instruction::{AtomicRmw, CmpXchg, MemoryAccess, Op, Ordering, RmwOperation};
use crate::lexer::Token;
use crate::types::{Type, Types};

impl<'a> BodyReader<'_, 'a> {
    /// `, align 4` and the like; true if a comma before metadata was read.
    fn properties(&mut self, align: &mut u32) -> Result<bool> {
        while self.reader.eat(b',')? {
            match self.reader.token {
                Token::Meta(_) => return Ok(true),
                Token::Word(b"align") => {
                    self.reader.bump()?;
                    *align = self.reader.number_u32()?;
                }
                Token::Word(b"addrspace") => drop(self.reader.address_space()?),
                _ => return self.reader.expected("an alignment"),
            }
        }
        Ok(false)
    }

    /// `syncscope("...") ordering`, where it is required.
    fn ordering(&mut self, access: &mut MemoryAccess) -> Result<Ordering> {
        if self.reader.eat_word("syncscope")? {
            self.reader.expect(b'(')?;
            access.single_thread = self.reader.string()? == "singlethread";
            self.reader.expect(b')')?;
        }
        match self.reader.token {
            Token::Word(word) => match Ordering::parse(word) {
                Some(ordering) => {
                    self.reader.bump()?;
                    Ok(ordering)
                }
                None => self.reader.expected("a memory ordering"),
            },
            _ => self.reader.expected("a memory ordering"),
        }
    }

    /// `atomic` and `volatile` behind the opcode.
    fn qualifiers(&mut self, access: &mut MemoryAccess) -> Result<bool> {
        let atomic = self.reader.eat_word("atomic")?;
        access.volatile = self.reader.eat_word("volatile")?;
        Ok(atomic)
    }

    pub(super) fn alloca(&mut self) -> Result<Operation> {
        self.reader.eat_word("inalloca")?;
        self.reader.eat_word("swifterror")?;
        let start = self.reader.start;
        let ty = self.reader.ty()?;
        if !self.reader.module.types.is_first_class(ty) {
            return self.reader.error_at(start, "this type has no size");
        }
        let (mut count, mut align, mut result) = (None, 0, Types::PTR);
        while self.reader.eat(b',')? {
            match self.reader.token {
                Token::Meta(_) => return Ok((Op::Alloca { ty, count, align }, result, true)),
                Token::Word(b"align") => {
                    self.reader.bump()?;
                    align = self.reader.number_u32()?;
                }
                Token::Word(b"addrspace") => {
                    let space = self.reader.address_space()?;
                    result = self.reader.module.types.intern(Type::Ptr(space));
                }
                _ => count = Some(self.typed_value()?.1),
            }
        }
        plain(Op::Alloca { ty, count, align }, result)
    }

    pub(super) fn load(&mut self) -> Result<Operation> {
        let mut access = MemoryAccess::default();
        let atomic = self.qualifiers(&mut access)?;
        let ty = self.reader.ty()?;
        self.reader.expect(b',')?;
        let pointer = self.pointer()?;
        if atomic {
            access.ordering = Some(self.ordering(&mut access)?);
        }
        let comma = self.properties(&mut access.align)?;
        Ok((Op::Load { ty, pointer, access }, ty, comma))
    }

    pub(super) fn store(&mut self) -> Result<Operation> {
        let mut access = MemoryAccess::default();
        let atomic = self.qualifiers(&mut access)?;
        let (_, value) = self.typed_value()?;
        self.reader.expect(b',')?;
        let pointer = self.pointer()?;
        if atomic {
            access.ordering = Some(self.ordering(&mut access)?);
        }
        let comma = self.properties(&mut access.align)?;
        Ok((Op::Store { value, pointer, access }, Types::VOID, comma))
    }

    pub(super) fn fence(&mut self) -> Result<Operation> {
        let mut access = MemoryAccess::default();
        access.ordering = Some(self.ordering(&mut access)?);
        plain(Op::Fence(access), Types::VOID)
    }

    pub(super) fn cmpxchg(&mut self) -> Result<Operation> {
        let mut access = MemoryAccess::default();
        let weak = self.reader.eat_word("weak")?;
        access.volatile = self.reader.eat_word("volatile")?;
        let pointer = self.pointer()?;
        self.reader.expect(b',')?;
        let (ty, expected) = self.typed_value()?;
        self.reader.expect(b',')?;
        let start = self.reader.start;
        let (new_ty, new) = self.typed_value()?;
        self.reader.check_type(ty, new_ty, start)?;
        access.ordering = Some(self.ordering(&mut access)?);
        let failure = self.ordering(&mut access)?;
        let comma = self.properties(&mut access.align)?;
        let fields: Box<[_]> = Box::new([ty, Types::I1]);
        let result = self.reader.module.types.intern(Type::Struct { fields, packed: false });
        let op = CmpXchg { access, failure, weak, pointer, expected, new };
        Ok((Op::CmpXchg(Box::new(op)), result, comma))
    }

    pub(super) fn atomicrmw(&mut self) -> Result<Operation> {
        let volatile = self.reader.eat_word("volatile")?;
        let mut access = MemoryAccess { volatile, ..MemoryAccess::default() };
        let start = self.reader.start;
        let word = self.reader.word("an operation")?;
        let Some(operation) = RmwOperation::parse(word) else {
            return self.reader.error_at(start, "unknown atomic operation");
        };
        let pointer = self.pointer()?;
        self.reader.expect(b',')?;
        let (ty, value) = self.typed_value()?;
        access.ordering = Some(self.ordering(&mut access)?);
        let comma = self.properties(&mut access.align)?;
        let op = AtomicRmw { access, operation, pointer, value };
        Ok((Op::AtomicRmw(Box::new(op)), ty, comma))
    }

    pub(super) fn gep(&mut self) -> Result<Operation> {
        let inbounds = self.reader.skip_gep_flags()?;
        let source = self.reader.ty()?;
        self.reader.expect(b',')?;
        let start = self.reader.start;
        let (mut result, base) = self.typed_value()?;
        let scalar = self.reader.module.types.scalar(result);
        if !self.reader.is_ptr(scalar) {
            return self.reader.error_at(start, "expected a pointer");
        }
        let mut indices = Vec::new();
        let mut comma = false;
        while self.reader.eat(b',')? {
            if let Token::Meta(_) = self.reader.token {
                comma = true;
                break;
            }
            self.reader.eat_word("inrange")?;
            let (ty, index) = self.typed_value()?;
            // One vector among base and indices makes the result a vector of pointers.
            if let Type::Vector { len, scalable, .. } = *self.reader.module.types.get(ty)
                && self.reader.is_ptr(result)
            {
                let vector = Type::Vector { len, scalable, element: result };
                result = self.reader.module.types.intern(vector);
            }
            indices.push(index);
        }
        Ok((Op::Gep { source, base, indices: indices.into(), inbounds }, result, comma))
    }
}
