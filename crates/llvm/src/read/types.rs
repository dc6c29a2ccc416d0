//! Types. Typed pointers of older versions are read and become `ptr`.

use super::{Reader, Result};
use crate::lexer::{Name, Token};
use crate::types::{FloatKind, Type, TypeId, Types};

/// Widest integer the language has.
const MAX_INT_BITS: u32 = 1 << 23;

impl<'a> Reader<'a> {
    /// Whether a type can start here; every other word is an attribute or a keyword.
    pub(super) fn at_type(&self) -> bool {
        match self.token {
            Token::Local(_) | Token::Punct(b'[' | b'{' | b'<') => true,
            Token::Word(word) => simple_type(word).is_some() || is_target_type(word),
            _ => false,
        }
    }

    pub(super) fn ty(&mut self) -> Result<TypeId> {
        self.nested(Self::type_with_suffixes)
    }

    fn type_with_suffixes(&mut self) -> Result<TypeId> {
        let mut ty = self.prefix_type()?;
        loop {
            match self.token {
                Token::Punct(b'*') => {
                    self.bump()?;
                    ty = Types::PTR;
                }
                // `i8 addrspace(1)*`; behind `ptr` the address space was read already.
                Token::Word(b"addrspace") if ty != Types::VOID && !self.is_ptr(ty) => {
                    let space = self.address_space()?;
                    self.expect(b'*')?;
                    ty = self.module.types.intern(Type::Ptr(space));
                }
                Token::Punct(b'(') => ty = self.function_type(ty)?,
                _ => return Ok(ty),
            }
        }
    }

    pub(super) fn is_ptr(&self, ty: TypeId) -> bool {
        matches!(self.module.types.get(ty), Type::Ptr(_))
    }

    /// `addrspace(N)`
    pub(super) fn address_space(&mut self) -> Result<u32> {
        self.expect_word("addrspace")?;
        self.expect(b'(')?;
        let space = if let Token::Str(_) = self.token {
            return self.error("symbolic address spaces are not supported");
        } else {
            self.number_u32()?
        };
        self.expect(b')')?;
        Ok(space)
    }

    fn prefix_type(&mut self) -> Result<TypeId> {
        match self.token {
            Token::Word(b"ptr") => {
                self.bump()?;
                if self.at_word("addrspace") {
                    let space = self.address_space()?;
                    return Ok(self.module.types.intern(Type::Ptr(space)));
                }
                Ok(Types::PTR)
            }
            Token::Word(word) => self.word_type(word),
            Token::Local(name) => {
                let index = self.named_type(name);
                self.bump()?;
                Ok(self.module.types.intern(Type::Named(index)))
            }
            Token::Punct(b'[') => self.array_type(),
            Token::Punct(b'{') => self.struct_type(false),
            Token::Punct(b'<') => {
                self.bump()?;
                if self.at(b'{') {
                    let ty = self.struct_type(true)?;
                    self.expect(b'>')?;
                    return Ok(ty);
                }
                self.vector_type()
            }
            _ => self.expected("a type"),
        }
    }

    fn word_type(&mut self, word: &'a [u8]) -> Result<TypeId> {
        if is_target_type(word) {
            let name = self.intern(word);
            self.bump()?;
            if self.at(b'(') {
                self.skip_group()?;
            }
            return Ok(self.module.types.intern(Type::Target(name)));
        }
        let Some(ty) = simple_type(word) else { return self.expected("a type") };
        if let Type::Int(bits) = ty
            && (bits == 0 || bits > MAX_INT_BITS)
        {
            return self.error("integers have 1 to 8388608 bits");
        }
        self.bump()?;
        Ok(self.module.types.intern(ty))
    }

    pub(super) fn named_type(&mut self, name: Name<'a>) -> u32 {
        if let Some(&index) = self.named_types.get(&name) {
            return index;
        }
        let text = match name {
            Name::Number(number) => self.module.names.intern(&number.to_string()),
            Name::Text(raw) => self.intern(raw),
        };
        let index = self.module.types.add_named(text);
        self.named_types.insert(name, index);
        index
    }

    fn array_type(&mut self) -> Result<TypeId> {
        self.expect(b'[')?;
        let len = self.number_u64()?;
        self.expect_word("x")?;
        let element = self.element_type()?;
        self.expect(b']')?;
        Ok(self.module.types.intern(Type::Array { len, element }))
    }

    fn vector_type(&mut self) -> Result<TypeId> {
        let scalable = self.eat_word("vscale")?;
        if scalable {
            self.expect_word("x")?;
        }
        let len = self.number_u32()?;
        self.expect_word("x")?;
        let element = self.element_type()?;
        self.expect(b'>')?;
        Ok(self.module.types.intern(Type::Vector { len, scalable, element }))
    }

    /// A type that can be a part of another.
    fn element_type(&mut self) -> Result<TypeId> {
        let start = self.start;
        let ty = self.ty()?;
        match self.module.types.get(ty) {
            Type::Void | Type::Label | Type::Metadata | Type::Token | Type::Function { .. } => {
                self.error_at(start, "this type cannot be part of another")
            }
            _ => Ok(ty),
        }
    }

    fn struct_type(&mut self, packed: bool) -> Result<TypeId> {
        self.expect(b'{')?;
        let mut fields = Vec::new();
        if !self.at(b'}') {
            fields.push(self.element_type()?);
            while self.eat(b',')? {
                fields.push(self.element_type()?);
            }
        }
        self.expect(b'}')?;
        Ok(self.module.types.intern(Type::Struct { fields: fields.into(), packed }))
    }

    fn function_type(&mut self, ret: TypeId) -> Result<TypeId> {
        self.expect(b'(')?;
        let mut params = Vec::new();
        let mut varargs = false;
        while !self.at(b')') {
            if self.token == Token::Ellipsis {
                self.bump()?;
                varargs = true;
                break;
            }
            params.push(self.ty()?);
            if !self.eat(b',')? {
                break;
            }
        }
        self.expect(b')')?;
        Ok(self.module.types.intern(Type::Function { ret, params: params.into(), varargs }))
    }
}

fn is_target_type(word: &[u8]) -> bool {
    matches!(word, b"x86_mmx" | b"x86_amx" | b"target")
}

fn simple_type(word: &[u8]) -> Option<Type> {
    Some(match word {
        b"void" => Type::Void,
        b"ptr" => Type::Ptr(0),
        b"label" => Type::Label,
        b"metadata" => Type::Metadata,
        b"token" => Type::Token,
        b"half" => Type::Float(FloatKind::Half),
        b"bfloat" => Type::Float(FloatKind::Bfloat),
        b"float" => Type::Float(FloatKind::Float),
        b"double" => Type::Float(FloatKind::Double),
        b"x86_fp80" => Type::Float(FloatKind::X86Fp80),
        b"fp128" => Type::Float(FloatKind::Fp128),
        b"ppc_fp128" => Type::Float(FloatKind::PpcFp128),
        [b'i', digits @ ..] if !digits.is_empty() && digits.len() < 9 => {
            let text = std::str::from_utf8(digits).ok()?;
            if !digits.iter().all(u8::is_ascii_digit) {
                return None;
            }
            Type::Int(text.parse().ok()?)
        }
        _ => return None,
    })
}
