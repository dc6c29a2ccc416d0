//! Instructions: dispatch, control flow, arithmetic, conversions, comparisons.

use super::Result;
use super::body::BodyReader;
use crate::instruction::{
    BinaryFlags, BinaryOp, CastOp, Clause, FloatPredicate, IntPredicate, Op, Operand,
};
use crate::lexer::Token;
use crate::types::{Type, TypeId, Types};

/// An instruction, the type of its result, and whether the comma behind it was read already.
pub(super) type Operation = (Op, TypeId, bool);

/// An instruction that is complete.
pub(super) fn plain(op: Op, ty: TypeId) -> Result<Operation> {
    Ok((op, ty, false))
}

impl<'a> BodyReader<'_, 'a> {
    /// Reads one instruction behind `%x =`; `None` for a debug intrinsic, which is recorded.
    pub(super) fn operation(&mut self, named: bool) -> Result<Option<Operation>> {
        let start = self.reader.start;
        let word = self.reader.word("an instruction")?;
        if let Some(op) = BinaryOp::parse(word) {
            return self.binary(op).map(Some);
        }
        if let Some(op) = CastOp::parse(word) {
            return self.cast(op).map(Some);
        }
        let operation = match word {
            b"call" => return self.call(false, named),
            b"tail" | b"notail" | b"musttail" => {
                self.reader.expect_word("call")?;
                return self.call(word == b"musttail", named);
            }
            b"load" => self.load()?,
            b"store" => self.store()?,
            b"getelementptr" => self.gep()?,
            b"br" => self.br()?,
            b"icmp" => self.icmp()?,
            b"phi" => self.phi()?,
            b"alloca" => self.alloca()?,
            b"ret" => self.ret()?,
            b"select" => self.select()?,
            b"extractvalue" => self.extract_value()?,
            b"insertvalue" => self.insert_value()?,
            b"fcmp" => self.fcmp()?,
            b"switch" => self.switch()?,
            b"unreachable" => plain(Op::Unreachable, Types::VOID)?,
            b"invoke" => self.invoke()?,
            b"landingpad" => self.landing_pad()?,
            b"resume" => plain(Op::Resume(self.typed_value()?.1), Types::VOID)?,
            b"fence" => self.fence()?,
            b"cmpxchg" => self.cmpxchg()?,
            b"atomicrmw" => self.atomicrmw()?,
            b"freeze" => {
                let (ty, value) = self.typed_value()?;
                plain(Op::Freeze(value), ty)?
            }
            b"fneg" => {
                self.skip_fast_math()?;
                let (ty, value) = self.typed_value()?;
                plain(Op::Fneg(value), ty)?
            }
            b"extractelement" => self.extract_element()?,
            b"insertelement" => self.insert_element()?,
            b"shufflevector" => self.shuffle_vector()?,
            b"indirectbr" => self.indirect_br()?,
            b"va_arg" => {
                let list = self.pointer()?;
                self.reader.expect(b',')?;
                let ty = self.reader.ty()?;
                plain(Op::VaArg { list, ty }, ty)?
            }
            b"callbr" => {
                return self.reader.error_at(start, "`callbr` (asm goto) is not supported");
            }
            b"cleanuppad" | b"catchpad" | b"catchswitch" | b"cleanupret" | b"catchret" => {
                let message = "exceptions of the Windows ABI are not supported";
                return self.reader.error_at(start, message);
            }
            _ => return self.reader.error_at(start, "unknown instruction"),
        };
        Ok(Some(operation))
    }

    /// Flags in front of a type.
    pub(super) fn skip_fast_math(&mut self) -> Result<()> {
        while let Token::Word(_) = self.reader.token {
            if self.reader.at_type() {
                break;
            }
            self.reader.bump()?;
        }
        Ok(())
    }

    fn binary(&mut self, op: BinaryOp) -> Result<Operation> {
        let mut flags = BinaryFlags::default();
        while let Token::Word(word) = self.reader.token {
            match word {
                b"nuw" => flags.nuw = true,
                b"nsw" => flags.nsw = true,
                b"exact" => flags.exact = true,
                _ if self.reader.at_type() => break,
                _ => {} // disjoint and the fast-math flags
            }
            self.reader.bump()?;
        }
        let start = self.reader.start;
        let (ty, left, right) = self.value_pair()?;
        let is_float = matches!(
            op,
            BinaryOp::Fadd | BinaryOp::Fsub | BinaryOp::Fmul | BinaryOp::Fdiv | BinaryOp::Frem
        );
        let types = &self.reader.module.types;
        match types.get(types.scalar(ty)) {
            Type::Int(_) if !is_float => {}
            Type::Float(_) if is_float => {}
            _ => return self.reader.error_at(start, "wrong type for this operation"),
        }
        plain(Op::Binary { op, flags, left, right }, ty)
    }

    /// `T a, b`
    fn value_pair(&mut self) -> Result<(TypeId, Operand, Operand)> {
        let (ty, left) = self.typed_value()?;
        self.reader.expect(b',')?;
        let right = self.value(ty)?;
        Ok((ty, left, right))
    }

    fn cast(&mut self, op: CastOp) -> Result<Operation> {
        self.skip_fast_math()?; // nuw, nsw, nneg
        let value = self.typed_value()?.1;
        self.reader.expect_word("to")?;
        let to = self.reader.ty()?;
        plain(Op::Cast { op, value, to }, to)
    }

    /// `i1`, or a vector of them as long as `ty`.
    fn truth_type(&mut self, ty: TypeId) -> TypeId {
        match *self.reader.module.types.get(ty) {
            Type::Vector { len, scalable, .. } => {
                let vector = Type::Vector { len, scalable, element: Types::I1 };
                self.reader.module.types.intern(vector)
            }
            _ => Types::I1,
        }
    }

    fn icmp(&mut self) -> Result<Operation> {
        self.reader.eat_word("samesign")?;
        let start = self.reader.start;
        let word = self.reader.word("a predicate")?;
        let Some(predicate) = IntPredicate::parse(word) else {
            return self.reader.error_at(start, "unknown predicate");
        };
        let (ty, left, right) = self.value_pair()?;
        let types = &self.reader.module.types;
        if !matches!(types.get(types.scalar(ty)), Type::Int(_) | Type::Ptr(_)) {
            return self.reader.error_at(start, "only integers and pointers are compared so");
        }
        plain(Op::Icmp { predicate, left, right }, self.truth_type(ty))
    }

    fn fcmp(&mut self) -> Result<Operation> {
        let predicate = loop {
            let start = self.reader.start;
            let word = self.reader.word("a predicate")?;
            if let Some(predicate) = FloatPredicate::parse(word) {
                break predicate;
            }
            if self.reader.at_type() {
                return self.reader.error_at(start, "unknown predicate");
            }
        };
        let start = self.reader.start;
        let (ty, left, right) = self.value_pair()?;
        let types = &self.reader.module.types;
        if !matches!(types.get(types.scalar(ty)), Type::Float(_)) {
            return self.reader.error_at(start, "only floating-point numbers are compared so");
        }
        plain(Op::Fcmp { predicate, left, right }, self.truth_type(ty))
    }

    fn select(&mut self) -> Result<Operation> {
        self.skip_fast_math()?;
        let condition = self.typed_value()?.1;
        self.reader.expect(b',')?;
        let (ty, then) = self.typed_value()?;
        self.reader.expect(b',')?;
        let start = self.reader.start;
        let (other_ty, other) = self.typed_value()?;
        self.reader.check_type(ty, other_ty, start)?;
        plain(Op::Select { condition, then, other }, ty)
    }

    fn ret(&mut self) -> Result<Operation> {
        let start = self.reader.start;
        let ty = self.reader.ty()?;
        self.reader.check_type(self.ret, ty, start)?;
        let value = if ty == Types::VOID { None } else { Some(self.value(ty)?) };
        plain(Op::Ret(value), Types::VOID)
    }

    fn br(&mut self) -> Result<Operation> {
        if self.reader.at_word("label") {
            let target = self.label()?;
            return plain(Op::Br(target), Types::VOID);
        }
        let condition = self.condition()?;
        self.reader.expect(b',')?;
        let then = self.label()?;
        self.reader.expect(b',')?;
        let other = self.label()?;
        plain(Op::CondBr { condition, then, other }, Types::VOID)
    }

    fn condition(&mut self) -> Result<Operand> {
        let start = self.reader.start;
        let (ty, value) = self.typed_value()?;
        self.reader.check_type(Types::I1, ty, start)?;
        Ok(value)
    }

    fn switch(&mut self) -> Result<Operation> {
        let start = self.reader.start;
        let (ty, value) = self.typed_value()?;
        if !matches!(self.reader.module.types.get(ty), Type::Int(_)) {
            return self.reader.error_at(start, "`switch` needs an integer");
        }
        self.reader.expect(b',')?;
        let default = self.label()?;
        self.reader.expect(b'[')?;
        let mut cases = Vec::new();
        while !self.reader.at(b']') {
            let start = self.reader.start;
            let case_ty = self.reader.ty()?;
            self.reader.check_type(ty, case_ty, start)?;
            let case = self.reader.constant_of(ty)?;
            self.reader.expect(b',')?;
            cases.push((case, self.label()?));
        }
        self.reader.bump()?;
        plain(Op::Switch { value, default, cases: cases.into() }, Types::VOID)
    }

    fn indirect_br(&mut self) -> Result<Operation> {
        let address = self.pointer()?;
        self.reader.expect(b',')?;
        self.reader.expect(b'[')?;
        let mut targets = Vec::new();
        while !self.reader.at(b']') {
            targets.push(self.label()?);
            if !self.reader.eat(b',')? {
                break;
            }
        }
        self.reader.expect(b']')?;
        plain(Op::IndirectBr { address, targets: targets.into() }, Types::VOID)
    }

    fn phi(&mut self) -> Result<Operation> {
        self.skip_fast_math()?;
        let ty = self.reader.ty()?;
        let mut incoming = Vec::new();
        loop {
            self.reader.expect(b'[')?;
            let value = self.value(ty)?;
            self.reader.expect(b',')?;
            let block = self.block_name()?;
            self.reader.expect(b']')?;
            incoming.push((value, block));
            if !self.reader.eat(b',')? {
                return plain(Op::Phi { ty, incoming: incoming.into() }, ty);
            }
            if !self.reader.at(b'[') {
                return Ok((Op::Phi { ty, incoming: incoming.into() }, ty, true));
            }
        }
    }

    fn landing_pad(&mut self) -> Result<Operation> {
        let ty = self.reader.ty()?;
        let cleanup = self.reader.eat_word("cleanup")?;
        let mut clauses = Vec::new();
        loop {
            let clause: fn(Operand) -> Clause = match self.reader.token {
                Token::Word(b"catch") => Clause::Catch,
                Token::Word(b"filter") => Clause::Filter,
                _ => break,
            };
            self.reader.bump()?;
            clauses.push(clause(self.typed_value()?.1));
        }
        plain(Op::LandingPad { ty, cleanup, clauses: clauses.into() }, ty)
    }

    // Aggregates and vectors.

    /// `, 0, 1`: at least one index; also whether a comma before metadata was read.
    fn indices(&mut self) -> Result<(Box<[u32]>, bool)> {
        let mut indices = Vec::new();
        while self.reader.eat(b',')? {
            if let Token::Meta(_) = self.reader.token {
                return Ok((indices.into(), true));
            }
            indices.push(self.reader.number_u32()?);
        }
        Ok((indices.into(), false))
    }

    fn member(&self, ty: TypeId, indices: &[u32], start: usize) -> Result<TypeId> {
        let types = &self.reader.module.types;
        let mut found = ty;
        for &index in indices {
            match types.element(found, u64::from(index)) {
                Some(element) if !matches!(types.get(found), Type::Vector { .. }) => {
                    found = element;
                }
                _ => return self.reader.error_at(start, "the type has no such member"),
            }
        }
        if indices.is_empty() {
            return self.reader.error_at(start, "an index is missing");
        }
        Ok(found)
    }

    fn extract_value(&mut self) -> Result<Operation> {
        let start = self.reader.start;
        let (ty, aggregate) = self.typed_value()?;
        let (indices, comma) = self.indices()?;
        let found = self.member(ty, &indices, start)?;
        Ok((Op::ExtractValue { aggregate, indices }, found, comma))
    }

    fn insert_value(&mut self) -> Result<Operation> {
        let start = self.reader.start;
        let (ty, aggregate) = self.typed_value()?;
        self.reader.expect(b',')?;
        let (element_ty, element) = self.typed_value()?;
        let (indices, comma) = self.indices()?;
        let found = self.member(ty, &indices, start)?;
        self.reader.check_type(found, element_ty, start)?;
        Ok((Op::InsertValue { aggregate, element, indices }, ty, comma))
    }

    fn vector(&mut self) -> Result<(TypeId, TypeId, Operand)> {
        let start = self.reader.start;
        let (ty, value) = self.typed_value()?;
        match self.reader.module.types.get(ty) {
            Type::Vector { element, .. } => Ok((ty, *element, value)),
            _ => self.reader.error_at(start, "expected a vector"),
        }
    }

    fn extract_element(&mut self) -> Result<Operation> {
        let (_, element, vector) = self.vector()?;
        self.reader.expect(b',')?;
        let index = self.typed_value()?.1;
        plain(Op::ExtractElement { vector, index }, element)
    }

    fn insert_element(&mut self) -> Result<Operation> {
        let (ty, element_ty, vector) = self.vector()?;
        self.reader.expect(b',')?;
        let start = self.reader.start;
        let (found, element) = self.typed_value()?;
        self.reader.check_type(element_ty, found, start)?;
        self.reader.expect(b',')?;
        let index = self.typed_value()?.1;
        plain(Op::InsertElement { vector, element, index }, ty)
    }

    fn shuffle_vector(&mut self) -> Result<Operation> {
        let (_, element, left) = self.vector()?;
        self.reader.expect(b',')?;
        let right = self.vector()?.2;
        self.reader.expect(b',')?;
        let start = self.reader.start;
        let mask = self.reader.typed_constant()?;
        let mask_ty = self.reader.module.constant(mask).ty;
        let Type::Vector { len, scalable, .. } = *self.reader.module.types.get(mask_ty) else {
            return self.reader.error_at(start, "the mask is a vector");
        };
        let ty = self.reader.module.types.intern(Type::Vector { len, scalable, element });
        plain(Op::ShuffleVector { left, right, mask }, ty)
    }
}
