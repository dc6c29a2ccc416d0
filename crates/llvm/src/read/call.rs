//! Calls, invokes, inline assembly and debug intrinsics.

use super::Result;
use super::body::BodyReader;
use super::instructions::{Operation, plain};
use crate::ast::{DebugVariable, ParamAttributes};
use crate::instruction::{Call, Callee, InlineAsm, Op, Operand};
use crate::lexer::{Name, Token};
use crate::types::{Type, TypeId, Types};

impl<'a> BodyReader<'_, 'a> {
    /// A call behind its opcode; `None` for a debug intrinsic.
    pub(super) fn call(&mut self, must_tail: bool, named: bool) -> Result<Option<Operation>> {
        self.reader.skip_attributes_before_type()?;
        let ty = self.reader.ty()?;
        if !named
            && let Token::Global(Name::Text(name)) = self.reader.token
            && name.starts_with(b"llvm.dbg.")
        {
            self.debug_call(name)?;
            return Ok(None);
        }
        let call = self.call_rest(ty, must_tail)?;
        let ret = call.ret;
        plain(Op::Call(Box::new(call)), ret).map(Some)
    }

    pub(super) fn invoke(&mut self) -> Result<Operation> {
        self.reader.skip_attributes_before_type()?;
        let ty = self.reader.ty()?;
        let call = self.call_rest(ty, false)?;
        self.reader.expect_word("to")?;
        let normal = self.label()?;
        self.reader.expect_word("unwind")?;
        let unwind = self.label()?;
        let ret = call.ret;
        plain(Op::Invoke { call: Box::new(call), normal, unwind }, ret)
    }

    /// Callee, arguments, attributes and operand bundles.
    fn call_rest(&mut self, ty: TypeId, must_tail: bool) -> Result<Call> {
        let ret = self.reader.returned(ty);
        let is_function = matches!(self.reader.module.types.get(ty), Type::Function { .. });
        let function_type = is_function.then_some(ty);
        let callee = if self.reader.at_word("asm") {
            Callee::Asm(Box::new(self.inline_asm()?))
        } else {
            Callee::Value(self.value(Types::PTR)?)
        };
        let args = self.args()?;
        self.reader.skip_attributes_on_line()?;
        if self.reader.same_line() && self.reader.at(b'[') {
            self.operand_bundles()?;
        }
        Ok(Call { callee, ret, function_type, args, must_tail })
    }

    fn inline_asm(&mut self) -> Result<InlineAsm> {
        self.reader.bump()?;
        let mut side_effect = false;
        while let Token::Word(word) = self.reader.token {
            side_effect |= word == b"sideeffect";
            self.reader.bump()?; // alignstack, inteldialect, unwind
        }
        let template = self.reader.string()?;
        self.reader.expect(b',')?;
        let constraints = self.reader.string()?;
        Ok(InlineAsm { template, constraints, side_effect })
    }

    fn args(&mut self) -> Result<Box<[(Operand, ParamAttributes)]>> {
        self.reader.expect(b'(')?;
        let mut args = Vec::new();
        while !self.reader.at(b')') {
            // `...` forwards the variadic arguments of a `musttail` call.
            if self.reader.token == Token::Ellipsis {
                self.reader.bump()?;
                break;
            }
            let ty = self.reader.ty()?;
            if ty == Types::METADATA {
                self.metadata_argument()?;
                args.push((Operand::Metadata, ParamAttributes::default()));
            } else {
                let attributes = self.reader.param_attributes()?;
                args.push((self.value(ty)?, attributes));
            }
            if !self.reader.eat(b',')? {
                break;
            }
        }
        self.reader.expect(b')')?;
        Ok(args.into())
    }

    fn metadata_argument(&mut self) -> Result<()> {
        match self.reader.token {
            Token::MetaId(_) => self.reader.bump(),
            Token::Meta(_) | Token::Bang => self.reader.metadata_text().map(drop),
            _ => self.typed_value().map(drop),
        }
    }

    /// `[ "name"(i32 1, ptr %x), ... ]`: read, so that uses are checked, and dropped.
    fn operand_bundles(&mut self) -> Result<()> {
        self.reader.expect(b'[')?;
        while !self.reader.at(b']') {
            self.reader.string()?;
            self.args()?;
            if !self.reader.eat(b',')? {
                break;
            }
        }
        self.reader.expect(b']')
    }

    /// `llvm.dbg.declare(metadata ptr %x, metadata !1, metadata !DIExpression())`
    fn debug_call(&mut self, name: &[u8]) -> Result<()> {
        let Token::Global(symbol) = self.reader.token else { return Ok(()) };
        self.reader.symbol(symbol);
        self.reader.bump()?;
        self.reader.expect(b'(')?;
        self.reader.expect_word("metadata")?;
        let is_address = matches!(name, b"llvm.dbg.declare" | b"llvm.dbg.addr");
        let is_variable = is_address || name == b"llvm.dbg.value";
        let local = self.debug_value()?;
        if let (Some(local), true) = (local, is_variable) {
            self.reader.expect(b',')?;
            self.reader.expect_word("metadata")?;
            let variable = self.reader.metadata_reference()?;
            self.body.debug_variables.push(DebugVariable { is_address, local, variable });
        }
        while self.reader.eat(b',')? {
            self.reader.expect_word("metadata")?;
            self.metadata_argument()?;
        }
        self.reader.expect(b')')?;
        self.reader.skip_attributes_on_line()?;
        while self.reader.eat(b',')? {
            self.reader.attachment()?;
        }
        Ok(())
    }
}
