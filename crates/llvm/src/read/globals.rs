//! Global variables, aliases, ifuncs and function headers.

use super::body::BodyReader;
use super::{Reader, Result};
use crate::ast::{Alias, Function, Global, Linkage, Param, SymbolKind, ThreadLocal, Visibility};
use crate::lexer::{Name, Token};
use crate::metadata::MetadataId;
use crate::types::{Type, TypeId, Types};

/// The words in front of a global's type or a function's result.
#[derive(Default)]
struct Prefix {
    linkage: Linkage,
    visibility: Visibility,
    thread_local: ThreadLocal,
    external: bool,
}

impl<'a> Reader<'a> {
    fn prefix(&mut self) -> Result<Prefix> {
        let mut prefix = Prefix::default();
        while let Token::Word(word) = self.token {
            match word {
                b"private" | b"internal" => prefix.linkage = Linkage::Internal,
                b"weak" | b"weak_odr" => prefix.linkage = Linkage::Weak,
                b"linkonce" | b"linkonce_odr" => prefix.linkage = Linkage::LinkOnce,
                b"common" => prefix.linkage = Linkage::Common,
                b"external" => prefix.external = true,
                b"extern_weak" => {
                    prefix.linkage = Linkage::ExternWeak;
                    prefix.external = true;
                }
                b"available_externally" => prefix.linkage = Linkage::AvailableExternally,
                b"appending" => prefix.linkage = Linkage::Appending,
                b"hidden" | b"protected" => prefix.visibility = Visibility::Hidden,
                b"thread_local" => prefix.thread_local = ThreadLocal::Yes,
                b"global" | b"constant" | b"alias" | b"ifunc" => return Ok(prefix),
                _ if self.at_type() => return Ok(prefix),
                // dso_local, unnamed_addr, externally_initialized, calling conventions …
                _ => {}
            }
            self.skip_attribute()?;
        }
        Ok(prefix)
    }

    pub(super) fn global(&mut self, name: Name<'a>) -> Result<()> {
        self.bump()?;
        self.expect(b'=')?;
        let prefix = self.prefix()?;
        match self.token {
            Token::Word(b"global" | b"constant") => self.variable(name, prefix),
            Token::Word(word @ (b"alias" | b"ifunc")) => self.alias(name, prefix, word == b"ifunc"),
            _ => self.expected("`global`, `constant`, `alias` or `ifunc`"),
        }
    }

    fn variable(&mut self, name: Name<'a>, prefix: Prefix) -> Result<()> {
        let constant = self.at_word("constant");
        self.bump()?;
        let ty = self.ty()?;
        if !self.module.types.is_first_class(ty) {
            return self.error("a variable cannot have this type");
        }
        let declared = prefix.external || !self.at_initializer();
        let initializer = if declared { None } else { Some(self.constant_of(ty)?) };
        let (mut align, mut debug) = (None, None);
        while self.eat(b',')? {
            match self.token {
                Token::Word(b"align") => {
                    self.bump()?;
                    align = Some(self.number_u32()?);
                }
                Token::Word(_) => self.skip_attribute()?,
                Token::Meta(_) => debug = self.attachment()?.or(debug),
                Token::Comdat => self.bump()?,
                _ => return self.expected("a property of the variable"),
            }
        }
        while self.same_line() && matches!(self.token, Token::AttributeGroup) {
            self.bump()?;
        }
        let kind = SymbolKind::Global(self.module.globals.len() as u32);
        let symbol = self.define_symbol(name, kind)?;
        let Prefix { linkage, visibility, thread_local, .. } = prefix;
        self.module.globals.push(Global {
            symbol,
            linkage,
            visibility,
            ty,
            initializer,
            constant,
            thread_local,
            align,
            debug,
        });
        Ok(())
    }

    /// Whether a value follows on the same line: a variable without one is a declaration.
    fn at_initializer(&self) -> bool {
        self.same_line() && !self.at(b',')
    }

    fn alias(&mut self, name: Name<'a>, prefix: Prefix, ifunc: bool) -> Result<()> {
        self.bump()?;
        let ty = self.ty()?;
        self.expect(b',')?;
        // The type of a constant expression is left out here.
        let target =
            if self.at_type() { self.typed_constant()? } else { self.constant_of(Types::PTR)? };
        while self.eat(b',')? {
            match self.token {
                Token::Word(_) => self.skip_attribute()?,
                Token::Meta(_) => drop(self.attachment()?),
                _ => return self.expected("a property of the alias"),
            }
        }
        let list = if ifunc { &self.module.ifuncs } else { &self.module.aliases };
        let index = list.len() as u32;
        let kind = if ifunc { SymbolKind::Ifunc(index) } else { SymbolKind::Alias(index) };
        let symbol = self.define_symbol(name, kind)?;
        let alias = Alias { symbol, linkage: prefix.linkage, ty, target };
        let list = if ifunc { &mut self.module.ifuncs } else { &mut self.module.aliases };
        list.push(alias);
        Ok(())
    }

    /// `!kind !5` or `!kind !DIName(...)`; returns the node if the kind is `dbg`.
    pub(super) fn attachment(&mut self) -> Result<Option<MetadataId>> {
        let Token::Meta(kind) = self.token else { return self.expected("a metadata attachment") };
        self.bump()?;
        let node = self.metadata_reference()?;
        Ok((kind == b"dbg").then_some(node))
    }

    pub(super) fn metadata_reference(&mut self) -> Result<MetadataId> {
        match self.token {
            Token::MetaId(id) => {
                self.bump()?;
                Ok(MetadataId(id))
            }
            Token::Meta(_) | Token::Bang => {
                let text = self.metadata_text()?;
                Ok(self.module.metadata.define_inline(text))
            }
            _ => self.expected("a metadata node"),
        }
    }

    pub(super) fn function(&mut self) -> Result<()> {
        let define = self.at_word("define");
        self.bump()?;
        let mut debug = None;
        // Attachments of a declaration stand in front.
        while let Token::Meta(_) = self.token {
            debug = self.attachment()?.or(debug);
        }
        let prefix = self.prefix()?;
        self.skip_attributes_before_type()?;
        let ret = self.ty()?;
        let Token::Global(name) = self.token else { return self.expected("a function name") };
        self.bump()?;
        let (params, names, varargs) = self.params()?;
        let ty = self.module.types.intern(Type::Function {
            ret,
            params: params.iter().map(|p| p.ty).collect(),
            varargs,
        });
        let kind = SymbolKind::Function(self.module.functions.len() as u32);
        let symbol = self.define_symbol(name, kind)?;
        self.header_tail(define, &mut debug)?;
        let body =
            if define { Some(BodyReader::new(self, ret).read(&params, &names)?) } else { None };
        let linkage = prefix.linkage;
        let function = Function { symbol, linkage, ty, ret, params, varargs, debug, body };
        self.module.functions.push(function);
        Ok(())
    }

    #[allow(clippy::type_complexity)]
    fn params(&mut self) -> Result<(Vec<Param>, Vec<Option<Name<'a>>>, bool)> {
        self.expect(b'(')?;
        let (mut params, mut names, mut varargs) = (Vec::new(), Vec::new(), false);
        while !self.at(b')') {
            if self.token == Token::Ellipsis {
                self.bump()?;
                varargs = true;
                break;
            }
            let start = self.start;
            let ty = self.ty()?;
            if !self.module.types.is_first_class(ty) {
                return self.error_at(start, "a parameter cannot have this type");
            }
            let attributes = self.param_attributes()?;
            let name = match self.token {
                Token::Local(name) => {
                    self.bump()?;
                    Some(name)
                }
                _ => None,
            };
            params.push(Param { ty, attributes });
            names.push(name);
            if !self.eat(b',')? {
                break;
            }
        }
        self.expect(b')')?;
        Ok((params, names, varargs))
    }

    /// Everything between the parameters and the body.
    fn header_tail(&mut self, define: bool, debug: &mut Option<MetadataId>) -> Result<()> {
        loop {
            if self.at(b'{') && define {
                return Ok(());
            }
            if !self.same_line() {
                return if define { self.expected("`{`") } else { Ok(()) };
            }
            match self.token {
                Token::Meta(_) => *debug = self.attachment()?.or(*debug),
                Token::Word(b"prefix" | b"prologue" | b"personality") => {
                    self.bump()?;
                    self.typed_constant()?;
                }
                Token::Word(_) | Token::Str(_) | Token::AttributeGroup => self.skip_attribute()?,
                Token::Comdat => self.bump()?,
                Token::End if !define => return Ok(()),
                _ => return self.expected("an attribute of the function"),
            }
        }
    }

    /// The function type of a pointer that is called with this result and these arguments.
    pub(super) fn returned(&self, ty: TypeId) -> TypeId {
        match self.module.types.get(ty) {
            Type::Function { ret, .. } => *ret,
            _ => ty,
        }
    }
}
