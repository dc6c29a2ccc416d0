//! Function bodies: blocks, locals and their numbering.
//!
//! Parameters, blocks and results without a name share one sequence of numbers. Locals and blocks
//! may be used before they are defined; the type of such a use is checked against the definition.

use super::{Reader, Result};
use crate::ast::{Block, BlockId, BlockName, Body, DebugVariable, Local, LocalId, Param};
use crate::instruction::{Instruction, Operand};
use crate::lexer::{Name, Token};
use crate::types::{TypeId, Types};
use rustc_hash::FxHashMap;

pub(super) struct BodyReader<'r, 'a> {
    pub reader: &'r mut Reader<'a>,
    pub body: Body,
    pub ret: TypeId,
    locals: FxHashMap<Name<'a>, LocalId>,
    blocks: FxHashMap<Name<'a>, BlockId>,
    /// Per local and per block: whether it was defined, and where it was first mentioned.
    local_defined: Vec<(bool, usize)>,
    block_defined: Vec<(bool, usize)>,
    /// The next number of an unnamed value or block.
    next_number: u32,
}

impl<'r, 'a> BodyReader<'r, 'a> {
    pub fn new(reader: &'r mut Reader<'a>, ret: TypeId) -> BodyReader<'r, 'a> {
        BodyReader {
            reader,
            body: Body::default(),
            ret,
            locals: FxHashMap::default(),
            blocks: FxHashMap::default(),
            local_defined: Vec::new(),
            block_defined: Vec::new(),
            next_number: 0,
        }
    }

    pub fn read(mut self, params: &[Param], names: &[Option<Name<'a>>]) -> Result<Body> {
        for (param, name) in params.iter().zip(names) {
            self.define_local(*name, param.ty)?;
        }
        self.reader.expect(b'{')?;
        let mut current = None;
        loop {
            match self.reader.token {
                Token::Punct(b'}') if current.is_none() && !self.body.order.is_empty() => break,
                Token::Label(name) if current.is_none() => {
                    current = Some(self.define_block(name)?);
                    self.reader.bump()?;
                }
                Token::Label(_) | Token::Punct(b'}') => {
                    return self.reader.error("the block before this has no terminator");
                }
                Token::Record(kind) => self.debug_record(kind)?,
                Token::Word(b"uselistorder" | b"uselistorder_bb") => {
                    self.reader.skip_rest_of_line()?;
                }
                _ => {
                    let block = match current {
                        Some(block) => block,
                        None => self.define_block(Name::Number(self.next_number))?,
                    };
                    let done = self.instruction_into(block)?;
                    current = if done { None } else { Some(block) };
                }
            }
        }
        self.reader.bump()?;
        self.check_defined()?;
        Ok(self.body)
    }

    fn check_defined(&self) -> Result<()> {
        let missing = |list: &[(bool, usize)]| list.iter().find(|d| !d.0).map(|d| d.1);
        if let Some(offset) = missing(&self.local_defined) {
            return self.reader.error_at(offset, "this value is used but not defined");
        }
        match missing(&self.block_defined) {
            Some(offset) => self.reader.error_at(offset, "there is no such block"),
            None => Ok(()),
        }
    }

    // Blocks.

    fn block_id(&mut self, name: Name<'a>) -> BlockId {
        if let Some(&id) = self.blocks.get(&name) {
            return id;
        }
        let id = BlockId(self.body.blocks.len() as u32);
        let text = match name {
            Name::Number(number) => BlockName::Number(number),
            Name::Text(raw) => BlockName::Text(self.reader.intern(raw)),
        };
        self.body.blocks.push(Block { name: text, instructions: Vec::new() });
        self.block_defined.push((false, self.reader.start));
        self.blocks.insert(name, id);
        id
    }

    fn define_block(&mut self, name: Name<'a>) -> Result<BlockId> {
        if let Name::Number(number) = name {
            self.take_number(number)?;
        }
        let id = self.block_id(name);
        let defined = &mut self.block_defined[id.0 as usize].0;
        if std::mem::replace(defined, true) {
            return self.reader.error("this block is already defined");
        }
        self.body.order.push(id);
        Ok(id)
    }

    /// Later versions allow gaps in the sequence, so a number only must not go back.
    fn take_number(&mut self, number: u32) -> Result<()> {
        if number < self.next_number || number == u32::MAX {
            return self.reader.error(format!("expected number {} or more", self.next_number));
        }
        self.next_number = number + 1;
        Ok(())
    }

    /// `label %name`
    pub fn label(&mut self) -> Result<BlockId> {
        self.reader.expect_word("label")?;
        self.block_name()
    }

    /// `%name` of a block.
    pub fn block_name(&mut self) -> Result<BlockId> {
        let Token::Local(name) = self.reader.token else { return self.reader.expected("a block") };
        let id = self.block_id(name);
        self.reader.bump()?;
        Ok(id)
    }

    // Locals.

    fn define_local(&mut self, name: Option<Name<'a>>, ty: TypeId) -> Result<LocalId> {
        let name = name.unwrap_or(Name::Number(self.next_number));
        if let Name::Number(number) = name {
            self.take_number(number)?;
        }
        let id = self.local(name, ty)?;
        let defined = &mut self.local_defined[id.0 as usize].0;
        if std::mem::replace(defined, true) {
            return self.reader.error("this value is already defined");
        }
        Ok(id)
    }

    /// The local `name`, which has type `ty` at this mention.
    fn local(&mut self, name: Name<'a>, ty: TypeId) -> Result<LocalId> {
        if let Some(&id) = self.locals.get(&name) {
            let known = self.body.locals[id.0 as usize].ty;
            if known != ty {
                return self.reader.error("this value has another type elsewhere");
            }
            return Ok(id);
        }
        if !self.reader.module.types.is_first_class(ty) {
            return self.reader.error("no value has this type");
        }
        let id = LocalId(self.body.locals.len() as u32);
        let text = match name {
            Name::Number(_) => None,
            Name::Text(raw) => Some(self.reader.intern(raw)),
        };
        self.body.locals.push(Local { ty, name: text });
        self.local_defined.push((false, self.reader.start));
        self.locals.insert(name, id);
        Ok(id)
    }

    /// A value of type `ty`.
    pub fn value(&mut self, ty: TypeId) -> Result<Operand> {
        if let Token::Local(name) = self.reader.token {
            let id = self.local(name, ty)?;
            self.reader.bump()?;
            return Ok(Operand::Local(id));
        }
        self.reader.constant_of(ty).map(Operand::Const)
    }

    /// A type and a value of it.
    pub fn typed_value(&mut self) -> Result<(TypeId, Operand)> {
        let ty = self.reader.ty()?;
        Ok((ty, self.value(ty)?))
    }

    /// A type and a value of it, which must be a pointer.
    pub fn pointer(&mut self) -> Result<Operand> {
        let start = self.reader.start;
        let (ty, value) = self.typed_value()?;
        if !self.reader.is_ptr(ty) {
            return self.reader.error_at(start, "expected a pointer");
        }
        Ok(value)
    }

    // Instructions.

    /// Reads one instruction into `block`; true if it ends the block.
    fn instruction_into(&mut self, block: BlockId) -> Result<bool> {
        let line = self.reader.line;
        let mut name = None;
        if let Token::Local(local) = self.reader.token {
            name = Some(local);
            self.reader.bump()?;
            self.reader.expect(b'=')?;
        }
        let start = self.reader.start;
        let Some((op, ty, comma)) = self.operation(name.is_some())? else {
            return Ok(false); // debug intrinsic
        };
        let mut debug = None;
        let mut comma = comma || self.reader.eat(b',')?;
        while comma {
            debug = self.reader.attachment()?.or(debug);
            comma = self.reader.eat(b',')?;
        }
        if name.is_some() && ty == Types::VOID {
            return self.reader.error_at(start, "this instruction has no result");
        }
        let result = if ty == Types::VOID { None } else { Some(self.define_local(name, ty)?) };
        let done = op.is_terminator();
        self.body.blocks[block.0 as usize].instructions.push(Instruction {
            op,
            result,
            debug,
            line,
        });
        Ok(done)
    }

    // Debug variables.

    /// `#dbg_declare(ptr %x, !1, !DIExpression(), !2)`
    fn debug_record(&mut self, kind: &[u8]) -> Result<()> {
        let is_address = kind == b"dbg_declare";
        if !is_address && kind != b"dbg_value" {
            self.reader.bump()?;
            return self.reader.skip_group();
        }
        self.reader.bump()?;
        self.reader.expect(b'(')?;
        let local = self.debug_value()?;
        self.reader.expect(b',')?;
        let variable = self.reader.metadata_reference()?;
        while self.reader.eat(b',')? {
            if let Token::Meta(_) = self.reader.token {
                self.reader.metadata_text()?;
            } else {
                self.reader.metadata_reference()?;
            }
        }
        self.reader.expect(b')')?;
        if let Some(local) = local {
            self.body.debug_variables.push(DebugVariable { is_address, local, variable });
        }
        Ok(())
    }

    /// The first operand of a debug record or intrinsic: a typed value or metadata.
    pub fn debug_value(&mut self) -> Result<Option<LocalId>> {
        match self.reader.token {
            Token::Meta(_) | Token::Bang => self.reader.metadata_text().map(|_| None),
            Token::MetaId(_) => self.reader.bump().map(|()| None),
            _ => match self.typed_value()?.1 {
                Operand::Local(id) => Ok(Some(id)),
                _ => Ok(None),
            },
        }
    }
}
