//! Attributes, by one rule: a word that starts no type and no value is an attribute, with what
//! follows it in brackets or behind `=`. So attributes of later versions do not break the reader.

use super::{Reader, Result};
use crate::ast::ParamAttributes;
use crate::lexer::Token;

impl Reader<'_> {
    /// Skips attributes in front of a type: calling conventions, linkage, return attributes,
    /// fast-math flags.
    pub(super) fn skip_attributes_before_type(&mut self) -> Result<()> {
        while !self.at_type() && self.at_attribute() {
            self.skip_attribute()?;
        }
        Ok(())
    }

    /// Skips attributes behind a call, which stand on its line.
    pub(super) fn skip_attributes_on_line(&mut self) -> Result<()> {
        while self.same_line() && self.at_attribute() && !self.at_word("to") {
            self.skip_attribute()?;
        }
        Ok(())
    }

    fn at_attribute(&self) -> bool {
        matches!(self.token, Token::Word(_) | Token::Str(_) | Token::AttributeGroup)
    }

    pub(super) fn skip_attribute(&mut self) -> Result<()> {
        let takes_number = self.at_word("align") || self.at_word("cc");
        let takes_string = ["section", "partition", "gc"].iter().any(|word| self.at_word(word));
        self.bump()?;
        match self.token {
            Token::Punct(b'(') => self.skip_group(),
            Token::Punct(b'=') => {
                self.bump()?;
                match self.token {
                    Token::Str(_) | Token::Number(_) | Token::Word(_) => self.bump(),
                    _ => self.expected("the value of an attribute"),
                }
            }
            Token::Number(_) if takes_number => self.bump(),
            Token::Str(_) if takes_string => self.bump(),
            _ => Ok(()),
        }
    }

    /// Attributes between the type and the value of a parameter or argument.
    pub(super) fn param_attributes(&mut self) -> Result<ParamAttributes> {
        let mut attributes = ParamAttributes::default();
        loop {
            match self.token {
                Token::Word(b"byval") => attributes.byval = Some(self.type_argument()?),
                Token::Word(b"sret") => attributes.sret = Some(self.type_argument()?),
                Token::Word(b"inalloca" | b"preallocated") => {
                    return self.error("arguments passed in allocas are not supported");
                }
                Token::Word(b"align") => {
                    self.bump()?;
                    let bracket = self.eat(b'(')?;
                    attributes.align = Some(self.number_u32()?);
                    if bracket {
                        self.expect(b')')?;
                    }
                }
                Token::Word(word) if !is_value_word(word) => self.skip_attribute()?,
                Token::Str(_) | Token::AttributeGroup => self.skip_attribute()?,
                _ => return Ok(attributes),
            }
        }
    }

    fn type_argument(&mut self) -> Result<crate::types::TypeId> {
        self.bump()?;
        self.expect(b'(')?;
        let ty = self.ty()?;
        self.expect(b')')?;
        Ok(ty)
    }
}

/// The words that can start a value; a closed list, so that all others are attributes.
fn is_value_word(word: &[u8]) -> bool {
    matches!(
        word,
        b"true"
            | b"false"
            | b"null"
            | b"none"
            | b"undef"
            | b"poison"
            | b"zeroinitializer"
            | b"splat"
            | b"getelementptr"
            | b"icmp"
            | b"fcmp"
            | b"select"
            | b"extractelement"
            | b"insertelement"
            | b"shufflevector"
            | b"extractvalue"
            | b"insertvalue"
            | b"fneg"
            | b"blockaddress"
            | b"dso_local_equivalent"
            | b"no_cfi"
            | b"ptrauth"
            | b"asm"
    ) || crate::instruction::BinaryOp::parse(word).is_some()
        || crate::instruction::CastOp::parse(word).is_some()
        || word.starts_with(b"u0x")
        || word.starts_with(b"s0x")
        || word.starts_with(b"f0x")
}
