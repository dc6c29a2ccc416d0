//! Constants and constant expressions.

use super::{Reader, Result, number};
use crate::ast::BlockName;
use crate::ast::{SymbolId, SymbolKind};
use crate::constant::{ConstId, ConstantKind};
use crate::instruction::{BinaryOp, CastOp, FloatPredicate, IntPredicate};
use crate::lexer::{Name, Token};
use crate::names::unescape;
use crate::types::{Type, TypeId, Types};
use rustc_hash::FxHashMap;

impl<'a> Reader<'a> {
    /// A type and a constant of it.
    pub(super) fn typed_constant(&mut self) -> Result<ConstId> {
        let ty = self.ty()?;
        self.constant_of(ty)
    }

    /// A constant of type `ty`.
    pub(super) fn constant_of(&mut self, ty: TypeId) -> Result<ConstId> {
        self.nested(|reader| reader.constant_inner(ty))
    }

    fn constant_inner(&mut self, ty: TypeId) -> Result<ConstId> {
        match self.token {
            Token::Number(text) => self.literal(ty, text),
            Token::Word(word) => self.word_constant(ty, word),
            Token::CStr(raw) => {
                let bytes = unescape(raw);
                let expected = Type::Array { len: bytes.len() as u64, element: Types::I8 };
                if *self.module.types.get(ty) != expected {
                    return self.error("the string does not have the length of its type");
                }
                self.bump()?;
                Ok(self.constant(ty, ConstantKind::Bytes(bytes.into())))
            }
            Token::Global(name) => {
                if !self.is_ptr(ty) {
                    return self.error("a symbol is a pointer");
                }
                let symbol = self.symbol(name);
                self.bump()?;
                Ok(self.constant(ty, ConstantKind::Symbol(symbol)))
            }
            Token::Punct(b'[') => self.aggregate_constant(ty, b']'),
            Token::Punct(b'{') => self.aggregate_constant(ty, b'}'),
            Token::Punct(b'<') => {
                if let Type::Struct { packed: true, .. } = self.module.types.resolve(ty) {
                    self.bump()?;
                    let constant = self.aggregate_constant(ty, b'}')?;
                    self.expect(b'>')?;
                    return Ok(constant);
                }
                self.aggregate_constant(ty, b'>')
            }
            _ => self.expected("a constant"),
        }
    }

    fn literal(&mut self, ty: TypeId, text: &[u8]) -> Result<ConstId> {
        let kind = match *self.module.types.get(ty) {
            Type::Int(bits) => number::integer(text, bits),
            Type::Float(kind) => number::float(text, kind).map(ConstantKind::Float),
            _ => None,
        };
        let Some(kind) = kind else { return self.expected("a literal that fits its type") };
        self.bump()?;
        Ok(self.constant(ty, kind))
    }

    fn word_constant(&mut self, ty: TypeId, word: &'a [u8]) -> Result<ConstId> {
        let kind = match word {
            b"true" | b"false" => {
                if ty != Types::I1 {
                    return self.error("a truth value has type i1");
                }
                ConstantKind::Int(u128::from(word == b"true"))
            }
            b"null" => {
                if !self.is_ptr(ty) {
                    return self.error("`null` is a pointer");
                }
                ConstantKind::Null
            }
            b"undef" => ConstantKind::Undef,
            b"poison" => ConstantKind::Poison,
            b"zeroinitializer" | b"none" => ConstantKind::Zero,
            [b'u' | b's' | b'f', b'0', b'x', ..] => return self.literal(ty, word),
            _ => {
                let start = self.start;
                self.bump()?;
                let kind = self.expression(ty, word, start)?;
                return Ok(self.constant(ty, kind));
            }
        };
        if !self.module.types.is_first_class(ty) {
            return self.error("no constant has this type");
        }
        self.bump()?;
        Ok(self.constant(ty, kind))
    }

    fn aggregate_constant(&mut self, ty: TypeId, close: u8) -> Result<ConstId> {
        let start = self.start;
        self.bump()?;
        let mut parts = Vec::new();
        while !self.at(close) {
            let constant = self.typed_constant()?;
            let found = self.module.constant(constant).ty;
            if self.module.types.element(ty, parts.len() as u64) != Some(found) {
                return self.error_at(start, "the parts do not match the type");
            }
            parts.push(constant);
            if !self.eat(b',')? {
                break;
            }
        }
        self.expect(close)?;
        // One part more than there are must not exist.
        let matches = match self.module.types.resolve(ty) {
            Type::Array { .. } => close == b']',
            Type::Struct { .. } => close == b'}',
            Type::Vector { .. } => close == b'>',
            _ => false,
        };
        if !matches || self.module.types.element(ty, parts.len() as u64).is_some() {
            return self.error_at(start, "the parts do not match the type");
        }
        Ok(self.constant(ty, ConstantKind::Aggregate(parts.into())))
    }

    /// A constant expression of type `ty`; its first word was read.
    fn expression(&mut self, ty: TypeId, word: &[u8], start: usize) -> Result<ConstantKind> {
        if let Some(op) = CastOp::parse(word) {
            self.expect(b'(')?;
            let value = self.typed_constant()?;
            self.expect_word("to")?;
            let to = self.ty()?;
            self.expect(b')')?;
            self.check_type(ty, to, start)?;
            return Ok(ConstantKind::Cast { op, value });
        }
        if let Some(op) = BinaryOp::parse(word) {
            while let Token::Word(_) = self.token {
                self.bump()?;
            }
            let (left, right) = self.constant_pair()?;
            let found = self.module.constant(left).ty;
            self.check_type(ty, found, start)?;
            return Ok(ConstantKind::Binary { op, left, right });
        }
        match word {
            b"getelementptr" => self.gep_expression(ty, start),
            b"splat" => {
                self.expect(b'(')?;
                let value = self.typed_constant()?;
                self.expect(b')')?;
                let found = self.module.constant(value).ty;
                match self.module.types.get(ty) {
                    Type::Vector { element, .. } if *element == found => {}
                    _ => return self.error_at(start, "`splat` makes a vector of its argument"),
                }
                Ok(ConstantKind::Splat(value))
            }
            b"icmp" => {
                let word = self.word("a predicate")?;
                let Some(predicate) = IntPredicate::parse(word) else {
                    return self.error_at(start, "unknown predicate");
                };
                let (left, right) = self.constant_pair()?;
                Ok(ConstantKind::Icmp { predicate, left, right })
            }
            b"fcmp" => {
                let word = self.word("a predicate")?;
                let Some(predicate) = FloatPredicate::parse(word) else {
                    return self.error_at(start, "unknown predicate");
                };
                let (left, right) = self.constant_pair()?;
                Ok(ConstantKind::Fcmp { predicate, left, right })
            }
            b"select" => {
                self.expect(b'(')?;
                let condition = self.typed_constant()?;
                self.expect(b',')?;
                let then = self.typed_constant()?;
                self.expect(b',')?;
                let other = self.typed_constant()?;
                self.expect(b')')?;
                Ok(ConstantKind::Select { condition, then, other })
            }
            b"blockaddress" => self.block_address(ty),
            b"dso_local_equivalent" | b"no_cfi" => match self.token {
                Token::Global(name) => {
                    let symbol = self.symbol(name);
                    self.bump()?;
                    Ok(ConstantKind::Symbol(symbol))
                }
                _ => self.expected("a symbol"),
            },
            _ => {
                let word = String::from_utf8_lossy(word).into_owned();
                self.error_at(start, format!("constant expression `{word}` is not supported"))
            }
        }
    }

    pub(super) fn check_type(&self, expected: TypeId, found: TypeId, start: usize) -> Result<()> {
        if expected == found {
            return Ok(());
        }
        self.error_at(start, "the value does not have the type that is expected here")
    }

    fn constant_pair(&mut self) -> Result<(ConstId, ConstId)> {
        let start = self.start;
        self.expect(b'(')?;
        let left = self.typed_constant()?;
        self.expect(b',')?;
        let right = self.typed_constant()?;
        self.expect(b')')?;
        let (a, b) = (self.module.constant(left).ty, self.module.constant(right).ty);
        self.check_type(a, b, start)?;
        Ok((left, right))
    }

    fn gep_expression(&mut self, ty: TypeId, start: usize) -> Result<ConstantKind> {
        self.skip_gep_flags()?;
        self.expect(b'(')?;
        let source = self.ty()?;
        self.expect(b',')?;
        let base = self.typed_constant()?;
        let mut indices = Vec::new();
        while self.eat(b',')? {
            self.eat_word("inrange")?;
            indices.push(self.typed_constant()?);
        }
        self.expect(b')')?;
        let scalar = self.module.types.scalar(ty);
        if !self.is_ptr(scalar) {
            return self.error_at(start, "`getelementptr` makes a pointer");
        }
        Ok(ConstantKind::Gep { source, base, indices: indices.into() })
    }

    /// `inbounds`, `nuw`, `nusw`, `inrange(a, b)`; true if `inbounds` was among them.
    pub(super) fn skip_gep_flags(&mut self) -> Result<bool> {
        let mut inbounds = false;
        loop {
            match self.token {
                Token::Word(b"inbounds") => inbounds = true,
                Token::Word(b"nuw" | b"nusw") => {}
                Token::Word(b"inrange") => {
                    self.bump()?;
                    self.skip_group()?;
                    continue;
                }
                _ => return Ok(inbounds),
            }
            self.bump()?;
        }
    }

    fn block_address(&mut self, ty: TypeId) -> Result<ConstantKind> {
        self.expect(b'(')?;
        let function = match self.token {
            Token::Global(name) => self.symbol(name),
            _ => return self.expected("a function"),
        };
        self.bump()?;
        self.expect(b',')?;
        let start = self.start;
        let block = match self.token {
            Token::Local(name) => name,
            _ => return self.expected("a block"),
        };
        self.bump()?;
        self.expect(b')')?;
        // Not shared: each mention is resolved on its own.
        let id = ConstId(self.module.constants.len() as u32);
        let kind = ConstantKind::BlockAddress { function, block: None };
        self.module.constants.push(crate::constant::Constant { ty, kind });
        self.block_addresses.push((id, block, start));
        Ok(ConstantKind::Cast { op: CastOp::Bitcast, value: id })
    }

    pub(super) fn resolve_block_addresses(&mut self) -> Result<()> {
        let mut tables: FxHashMap<SymbolId, FxHashMap<BlockName, u32>> = FxHashMap::default();
        for (id, name, start) in std::mem::take(&mut self.block_addresses) {
            let ConstantKind::BlockAddress { function, .. } = self.module.constant(id).kind else {
                continue;
            };
            let SymbolKind::Function(index) = self.module.symbol(function).kind else {
                return self.error_at(start, "a block address needs a function");
            };
            let name = match name {
                Name::Number(number) => BlockName::Number(number),
                Name::Text(raw) => BlockName::Text(self.intern(raw)),
            };
            let body = &self.module.functions[index as usize].body;
            let table = tables.entry(function).or_insert_with(|| {
                let blocks = body.iter().flat_map(|body| &body.blocks);
                blocks.enumerate().map(|(i, block)| (block.name, i as u32)).collect()
            });
            let Some(&block) = table.get(&name) else {
                return self.error_at(start, "the function has no such block");
            };
            self.module.constants[id.0 as usize].kind =
                ConstantKind::BlockAddress { function, block: Some(crate::ast::BlockId(block)) };
        }
        Ok(())
    }
}
