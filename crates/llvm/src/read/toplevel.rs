//! The top level: target lines, type definitions, metadata, and what is skipped.

use super::{Reader, Result};
use crate::layout::DataLayout;
use crate::lexer::{Name, Token};
use crate::metadata::{MetadataId, node_length};
use crate::names::unescape_text;
use crate::types::{NamedBody, Type};

impl<'a> Reader<'a> {
    pub(super) fn module(&mut self) -> Result<()> {
        loop {
            match self.token {
                Token::End => return Ok(()),
                Token::Word(b"define" | b"declare") => self.function()?,
                Token::Global(name) => self.global(name)?,
                Token::Local(name) => self.type_definition(name)?,
                Token::MetaId(id) => self.metadata_definition(id)?,
                Token::Meta(name) => self.named_metadata(name)?,
                Token::Word(b"source_filename") => {
                    self.bump()?;
                    self.expect(b'=')?;
                    self.module.source_name = self.string()?;
                }
                Token::Word(b"target") => self.target()?,
                Token::Word(b"module") => {
                    self.bump()?;
                    self.expect_word("asm")?;
                    let line = self.string()?;
                    self.module.inline_asm.push(line);
                }
                Token::Word(b"attributes") => {
                    self.bump()?;
                    if self.token != Token::AttributeGroup {
                        return self.expected("an attribute group");
                    }
                    self.bump()?;
                    self.expect(b'=')?;
                    self.skip_group()?;
                }
                Token::Word(b"uselistorder" | b"uselistorder_bb") => self.skip_rest_of_line()?,
                Token::Comdat | Token::Summary => self.skip_rest_of_line()?,
                _ => return self.expected("a definition"),
            }
        }
    }

    pub(super) fn skip_rest_of_line(&mut self) -> Result<()> {
        self.lexer.position = self.start;
        self.lexer.line = self.line;
        self.lexer.skip_line();
        self.bump()
    }

    /// Skips a bracketed group of tokens; the current token opens it.
    pub(super) fn skip_group(&mut self) -> Result<()> {
        let mut depth = 0u32;
        loop {
            match self.token {
                Token::Punct(b'(' | b'{' | b'[') => depth += 1,
                Token::Punct(b')' | b'}' | b']') if depth > 0 => depth -= 1,
                Token::End => return self.expected("a closing bracket"),
                _ if depth == 0 => return self.expected("an opening bracket"),
                _ => {}
            }
            self.bump()?;
            if depth == 0 {
                return Ok(());
            }
        }
    }

    fn target(&mut self) -> Result<()> {
        self.bump()?;
        let what = self.word("`triple` or `datalayout`")?;
        self.expect(b'=')?;
        let start = self.start;
        let value = self.string()?;
        match what {
            b"triple" => self.module.triple = value,
            b"datalayout" => match DataLayout::parse(&value) {
                Some(layout) => self.module.layout = layout,
                None => return self.error_at(start, "this data layout is not understood"),
            },
            _ => return self.error_at(start, "expected `target triple` or `target datalayout`"),
        }
        Ok(())
    }

    fn type_definition(&mut self, name: Name<'a>) -> Result<()> {
        let index = self.named_type(name);
        self.bump()?;
        self.expect(b'=')?;
        self.expect_word("type")?;
        let start = self.start;
        let body = if self.eat_word("opaque")? {
            NamedBody::Opaque
        } else {
            let body = self.ty()?;
            if !matches!(self.module.types.get(body), Type::Struct { .. }) {
                return self.error_at(start, "a named type must be a structure");
            }
            NamedBody::Body(body)
        };
        let named = self.module.types.named_mut(index);
        if named.body != NamedBody::Missing {
            return self.error_at(start, "this type is already defined");
        }
        named.body = body;
        Ok(())
    }

    fn metadata_definition(&mut self, id: u32) -> Result<()> {
        self.bump()?;
        self.expect(b'=')?;
        self.eat_word("distinct")?;
        let text = self.metadata_text()?;
        if !self.module.metadata.define(id, text) {
            return self.error("this metadata node is already defined");
        }
        Ok(())
    }

    /// The text of the node that starts at the current token; moves behind it.
    pub(super) fn metadata_text(&mut self) -> Result<&'a [u8]> {
        let rest = &self.lexer.text[self.start..];
        let Some(length) = node_length(rest).filter(|&length| length > 0) else {
            return self.error("this metadata node does not end");
        };
        let text = &rest[..length];
        self.lexer.position = self.start + length;
        self.lexer.line = self.line + text.iter().filter(|&&b| b == b'\n').count() as u32;
        self.bump()?;
        Ok(text)
    }

    fn named_metadata(&mut self, name: &'a [u8]) -> Result<()> {
        self.bump()?;
        self.expect(b'=')?;
        if self.token != Token::Bang {
            return self.expected("`!{`");
        }
        self.bump()?;
        self.expect(b'{')?;
        let mut nodes = Vec::new();
        while !self.at(b'}') {
            match self.token {
                Token::MetaId(id) => {
                    nodes.push(MetadataId(id));
                    self.bump()?;
                }
                Token::Meta(_) => {
                    let text = self.metadata_text()?;
                    nodes.push(self.module.metadata.define_inline(text));
                }
                _ => return self.expected("a metadata node"),
            }
            if !self.eat(b',')? {
                break;
            }
        }
        self.expect(b'}')?;
        self.module.metadata.define_named(unescape_text(name), nodes);
        Ok(())
    }
}
