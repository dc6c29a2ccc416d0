//! The reader: one pass of recursive descent over the tokens.
//!
//! Symbols, named types, locals and blocks may be used before they are defined: the first mention
//! makes the id, and the end of the module (or function) checks that each was defined.

mod attributes;
mod body;
mod call;
mod constants;
mod globals;
mod instructions;
mod memory;
mod number;
mod toplevel;
mod types;

use crate::ast::{Module, Symbol, SymbolId, SymbolKind};
use crate::constant::{ConstId, Constant, ConstantKind};
use crate::error::ReadError;
use crate::layout::DataLayout;
use crate::lexer::{Lexer, Name, Token};
use crate::metadata::Metadata;
use crate::names::{NameId, Names, unescape_text};
use crate::types::{NamedBody, TypeId, Types};
use rustc_hash::FxHashMap;

/// Types and constants nested deeper than this in the text are refused.
const MAX_DEPTH: u32 = 200;

type Result<T> = std::result::Result<T, ReadError>;

/// Reads a module from the text of a `.ll` file.
pub fn read(text: impl AsRef<[u8]>) -> Result<Module> {
    let mut reader = Reader::new(text.as_ref());
    reader.bump()?;
    reader.module()?;
    reader.finish()
}

struct Reader<'a> {
    lexer: Lexer<'a>,
    /// The current token, where it starts, its line, and the line on which the one before ended.
    token: Token<'a>,
    start: usize,
    line: u32,
    previous_line: u32,
    depth: u32,
    module: Module,
    named_types: FxHashMap<Name<'a>, u32>,
    symbol_ids: FxHashMap<Name<'a>, SymbolId>,
    /// Per symbol: what defines it, and where it was first mentioned.
    definitions: Vec<(Option<SymbolKind>, usize)>,
    constant_ids: FxHashMap<Constant, ConstId>,
    /// `blockaddress` constants, to be resolved when all functions are known.
    block_addresses: Vec<(ConstId, Name<'a>, usize)>,
}

impl<'a> Reader<'a> {
    fn new(text: &'a [u8]) -> Reader<'a> {
        let layout = DataLayout::parse("").expect("the default layout is valid");
        Reader {
            lexer: Lexer::new(text),
            token: Token::End,
            start: 0,
            line: 1,
            previous_line: 1,
            depth: 0,
            module: Module {
                source_name: String::new(),
                triple: String::new(),
                layout,
                names: Names::default(),
                types: Types::new(),
                constants: Vec::new(),
                symbols: Vec::new(),
                globals: Vec::new(),
                functions: Vec::new(),
                aliases: Vec::new(),
                ifuncs: Vec::new(),
                inline_asm: Vec::new(),
                metadata: Metadata::default(),
            },
            named_types: FxHashMap::default(),
            symbol_ids: FxHashMap::default(),
            definitions: Vec::new(),
            constant_ids: FxHashMap::default(),
            block_addresses: Vec::new(),
        }
    }

    // Tokens.

    fn error<T>(&self, message: impl Into<String>) -> Result<T> {
        self.error_at(self.start, message)
    }

    fn error_at<T>(&self, offset: usize, message: impl Into<String>) -> Result<T> {
        Err(ReadError::at(self.lexer.text, offset, message))
    }

    /// An error that says what was expected and shows what was found.
    fn expected<T>(&self, what: &str) -> Result<T> {
        let end = self.lexer.position.clamp(self.start, self.start + 40).min(self.lexer.text.len());
        let found = String::from_utf8_lossy(&self.lexer.text[self.start.min(end)..end]);
        match self.token {
            Token::End => self.error(format!("expected {what}, found the end of the text")),
            _ => self.error(format!("expected {what}, found `{found}`")),
        }
    }

    /// Moves to the next token.
    fn bump(&mut self) -> Result<()> {
        self.previous_line = self.lexer.line;
        self.lexer.skip_blanks();
        self.start = self.lexer.position;
        self.line = self.lexer.line;
        self.token = self.lexer.token();
        match self.token {
            Token::Bad(message) => self.error(message),
            _ => Ok(()),
        }
    }

    /// Whether the current token stands on the same line as the one before it.
    fn same_line(&self) -> bool {
        self.line == self.previous_line
    }

    fn at(&self, punct: u8) -> bool {
        self.token == Token::Punct(punct)
    }

    fn eat(&mut self, punct: u8) -> Result<bool> {
        let found = self.at(punct);
        if found {
            self.bump()?;
        }
        Ok(found)
    }

    fn expect(&mut self, punct: u8) -> Result<()> {
        if self.eat(punct)? { Ok(()) } else { self.expected(&format!("`{}`", punct as char)) }
    }

    fn at_word(&self, word: &str) -> bool {
        matches!(self.token, Token::Word(found) if found == word.as_bytes())
    }

    fn eat_word(&mut self, word: &str) -> Result<bool> {
        let found = self.at_word(word);
        if found {
            self.bump()?;
        }
        Ok(found)
    }

    fn expect_word(&mut self, word: &str) -> Result<()> {
        if self.eat_word(word)? { Ok(()) } else { self.expected(&format!("`{word}`")) }
    }

    fn word(&mut self, what: &str) -> Result<&'a [u8]> {
        match self.token {
            Token::Word(word) => {
                self.bump()?;
                Ok(word)
            }
            _ => self.expected(what),
        }
    }

    fn string(&mut self) -> Result<String> {
        match self.token {
            Token::Str(raw) => {
                self.bump()?;
                Ok(unescape_text(raw))
            }
            _ => self.expected("a string"),
        }
    }

    /// Runs `inner` one level deeper, refusing to go too deep.
    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth >= MAX_DEPTH {
            return self.error("nested too deeply");
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    // Names, symbols and constants.

    fn intern(&mut self, raw: &[u8]) -> NameId {
        match std::str::from_utf8(raw) {
            Ok(text) if !raw.contains(&b'\\') => self.module.names.intern(text),
            _ => {
                let text = unescape_text(raw);
                self.module.names.intern(&text)
            }
        }
    }

    fn symbol(&mut self, name: Name<'a>) -> SymbolId {
        if let Some(&id) = self.symbol_ids.get(&name) {
            return id;
        }
        let id = SymbolId(self.module.symbols.len() as u32);
        let (text, numbered) = match name {
            Name::Number(number) => (self.module.names.intern(&number.to_string()), true),
            Name::Text(raw) => (self.intern(raw), false),
        };
        // The kind is a placeholder until `finish`.
        self.module.symbols.push(Symbol { name: text, numbered, kind: SymbolKind::Global(0) });
        self.definitions.push((None, self.start));
        self.symbol_ids.insert(name, id);
        id
    }

    fn define_symbol(&mut self, name: Name<'a>, kind: SymbolKind) -> Result<SymbolId> {
        let id = self.symbol(name);
        let slot = &mut self.definitions[id.0 as usize].0;
        if slot.replace(kind).is_some() {
            return self.error("this symbol is already defined");
        }
        Ok(id)
    }

    fn constant(&mut self, ty: TypeId, kind: ConstantKind) -> ConstId {
        let shared = !matches!(kind, ConstantKind::Aggregate(_) | ConstantKind::Bytes(_));
        let constant = Constant { ty, kind };
        if shared && let Some(&id) = self.constant_ids.get(&constant) {
            return id;
        }
        let id = ConstId(self.module.constants.len() as u32);
        if shared {
            self.constant_ids.insert(constant.clone(), id);
        }
        self.module.constants.push(constant);
        id
    }

    // The end.

    fn finish(mut self) -> Result<Module> {
        for index in 0..self.definitions.len() {
            match self.definitions[index] {
                (Some(kind), _) => self.module.symbols[index].kind = kind,
                (None, offset) => {
                    let name = self.module.symbol_name(SymbolId(index as u32));
                    return self.error_at(offset, format!("@{name} is used but not defined"));
                }
            }
        }
        for named in self.module.types.all_named() {
            if named.body == NamedBody::Missing {
                let name = self.module.names.text(named.name);
                return self.error(format!("type %{name} is used but not defined"));
            }
        }
        self.resolve_block_addresses()?;
        let Module { layout, types, .. } = &mut self.module;
        match layout.compute(types) {
            Ok(()) => Ok(self.module),
            Err(message) => self.error(message),
        }
    }
}
