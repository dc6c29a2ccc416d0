//! Reads the C dialect of the herd tools.
//!
//! Supported: the init section; threads `P0 (atomic_int* x, int* y) { … }` without loops; C11
//! atomics with and without `_explicit`; plain accesses; `READ_ONCE` and `WRITE_ONCE` (as relaxed
//! accesses); `spin_lock`, `spin_unlock`, `assume`; the clauses `locations`, `filter`, `exists`,
//! `forall`, `~exists`.
//!
//! Beyond the herd tools: `join(P1);` waits for the end of a thread. `r = await_eq(x, v)` is a load
//! that waits until it can read `v`; `await_ne`, `await_lt` and `await_ge` wait for other values.
//! `r = await_ne_fetch_sub(x, v, 1)` and its like are read-modify-writes that wait in the same way
//! before they write. All of them have an `_explicit` form with an order as their last argument.
//!
//! An access within a larger expression is hoisted into a register of its own, in the order of the
//! text. `*x` with `x` an `atomic_int*` is a seq_cst access, as in C. A compare-exchange whose
//! expected value is in shared memory becomes a plain load, the compare-exchange, and on failure a
//! plain store.

mod expressions;
mod footer;
mod lexer;
mod statements;

use crate::{Location, LocationId, LocationKind, Program, Register, Thread};
use lexer::{Position, Token, tokens};
use thiserror::Error;

/// Why a text is not a litmus test that Norn can read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {message}")]
pub struct ReadError {
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// What was found and what to write instead.
    pub message: String,
}

impl ReadError {
    fn new(position: Position, message: impl Into<String>) -> ReadError {
        ReadError { line: position.line, column: position.column, message: message.into() }
    }
}

/// Reads a litmus test.
///
/// # Errors
/// The first place at which the text is not a litmus test, or is one that is not supported.
pub fn read(text: &str) -> Result<Program, ReadError> {
    let start = Position { line: 1, column: 1 };
    let first_line = text.lines().next().unwrap_or("");
    let first_line = first_line.split('{').next().unwrap_or("").trim();
    let Some(name) = first_line.strip_prefix("C ").or((first_line == "C").then_some("")) else {
        let message = "a litmus test for C starts with `C` and its name; other languages are not \
                       supported";
        return Err(ReadError::new(start, message));
    };
    let Some(body_start) = text.find('{') else {
        let message = "there is no init section; write `{ [x] = 0; }` after the name";
        return Err(ReadError::new(start, message));
    };
    let lines_before = text[..body_start].matches('\n').count() as u32;
    let mut reader = Reader {
        tokens: tokens(&text[body_start..], lines_before + 1)?,
        next: 0,
        program: Program { name: name.trim().to_owned(), ..Program::default() },
        kinds: Vec::new(),
        initial_registers: Vec::new(),
        depth: 0,
        joined: Vec::new(),
    };
    reader.init()?;
    reader.threads()?;
    reader.footer()?;
    reader.program.normalise();
    Ok(reader.program)
}

struct Reader {
    tokens: Vec<(Token, Position)>,
    next: usize,
    program: Program,
    /// Per location: how it was declared, once it was.
    kinds: Vec<Option<LocationKind>>,
    /// From the init section: thread, name, value.
    initial_registers: Vec<(u32, String, i32, Position)>,
    /// How deep the brackets, branches and operators nest here.
    depth: u32,
    /// The threads that are joined, and where.
    joined: Vec<(u32, Position)>,
}

/// Deeper nesting than anybody writes; it keeps the reader's own stack small.
const MAX_DEPTH: u32 = 100;

/// The tokens.
impl Reader {
    fn peek(&self) -> &Token {
        &self.tokens[self.next].0
    }

    fn peek_after(&self, distance: usize) -> &Token {
        let last = self.tokens.len() - 1;
        &self.tokens[(self.next + distance).min(last)].0
    }

    fn position(&self) -> Position {
        self.tokens[self.next].1
    }

    fn take(&mut self) -> Token {
        let token = self.tokens[self.next].0.clone();
        self.next = (self.next + 1).min(self.tokens.len() - 1);
        token
    }

    fn accept(&mut self, symbol: &str) -> bool {
        let found = matches!(self.peek(), Token::Symbol(s) if *s == symbol);
        if found {
            self.take();
        }
        found
    }

    fn accept_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.take();
        }
        found
    }

    fn at_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Word(w) if w == word)
    }

    fn expect(&mut self, symbol: &str) -> Result<(), ReadError> {
        if self.accept(symbol) { Ok(()) } else { self.fail(format!("expected `{symbol}`")) }
    }

    fn word(&mut self, what: &str) -> Result<String, ReadError> {
        match self.peek() {
            Token::Word(word) => {
                let word = word.clone();
                self.take();
                Ok(word)
            }
            _ => self.fail(format!("expected {what}")),
        }
    }

    /// A number with an optional sign; it must fit 32 bits, signed or unsigned.
    fn number(&mut self) -> Result<i32, ReadError> {
        let position = self.position();
        let negative = self.accept("-");
        let Token::Number(number) = *self.peek() else {
            return self.fail("expected a number");
        };
        self.take();
        let number = if negative { -number } else { number };
        if number < i64::from(i32::MIN) || number > i64::from(u32::MAX) {
            return Err(ReadError::new(position, format!("{number} does not fit 32 bits")));
        }
        Ok(number as i32)
    }

    /// Reads something that may contain itself.
    fn nest<T>(
        &mut self,
        read: impl FnOnce(&mut Reader) -> Result<T, ReadError>,
    ) -> Result<T, ReadError> {
        if self.depth == MAX_DEPTH {
            return self.fail("this nests too deep; split it up");
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// An error at the next token: what was found, and `advice`.
    fn fail<T>(&self, advice: impl std::fmt::Display) -> Result<T, ReadError> {
        Err(ReadError::new(self.position(), format!("found {}; {advice}", self.peek())))
    }
}

/// The init section and the threads' heads.
impl Reader {
    fn init(&mut self) -> Result<(), ReadError> {
        self.expect("{")?;
        while !self.accept("}") {
            if !self.accept(";") {
                self.init_entry()?;
            }
        }
        Ok(())
    }

    fn init_entry(&mut self) -> Result<(), ReadError> {
        if let (Token::Number(_), Token::Symbol(":")) = (self.peek(), self.peek_after(1)) {
            let position = self.position();
            let thread = self.number()? as u32;
            self.expect(":")?;
            let register = self.word("a register")?;
            self.expect("=")?;
            let value = self.number()?;
            if self.initial_registers.iter().any(|r| (r.0, &r.1) == (thread, &register)) {
                let message = format!("`{thread}:{register}` is initialised twice; remove one");
                return Err(ReadError::new(position, message));
            }
            self.initial_registers.push((thread, register, value, position));
            return self.end_of_init_entry();
        }
        let kind = self.optional_type();
        self.accept("*");
        let brackets = self.accept("[");
        let position = self.position();
        let name = self.word("the name of a location, as in `[x] = 0;`")?;
        if brackets {
            self.expect("]")?;
        } else if matches!(self.peek(), Token::Symbol("[")) {
            return self.fail("arrays are not supported; use one location per element");
        }
        if self.program.location(&name).is_some() {
            let message = format!("`{name}` is initialised twice; remove one of them");
            return Err(ReadError::new(position, message));
        }
        let initial = if self.accept("=") { self.number()? } else { 0 };
        let id = self.location(&name);
        self.program.locations[id.index()].initial = initial;
        if let Some(kind) = kind {
            self.declare(id, kind, position)?;
        }
        self.end_of_init_entry()
    }

    fn end_of_init_entry(&mut self) -> Result<(), ReadError> {
        match self.peek() {
            Token::Symbol(";" | "}") => Ok(()),
            _ => self.fail("expected `;` after an initial value"),
        }
    }

    /// `atomic_int`, `int`, `volatile int` or `spinlock_t`, if a type is next.
    fn optional_type(&mut self) -> Option<LocationKind> {
        let mut kind = None;
        while let Token::Word(word) = self.peek() {
            kind = match word.as_str() {
                "volatile" | "const" => Some(kind.unwrap_or(LocationKind::Plain)),
                "int" | "unsigned" => Some(LocationKind::Plain),
                "atomic_int" | "atomic_uint" => Some(LocationKind::Atomic),
                "spinlock_t" | "mutex" => Some(LocationKind::Mutex),
                _ => break,
            };
            self.take();
        }
        kind
    }

    /// The location of that name, new if need be.
    fn location(&mut self, name: &str) -> LocationId {
        if let Some(id) = self.program.location(name) {
            return id;
        }
        let location = Location { name: name.into(), kind: LocationKind::Atomic, initial: 0 };
        self.program.locations.push(location);
        self.kinds.push(None);
        LocationId(self.program.locations.len() as u32 - 1)
    }

    /// A location that is `int` anywhere is `int` everywhere: that allows more accesses.
    fn declare(
        &mut self,
        id: LocationId,
        kind: LocationKind,
        position: Position,
    ) -> Result<(), ReadError> {
        let declared = &mut self.kinds[id.index()];
        if declared.is_some_and(|d| (d == LocationKind::Mutex) != (kind == LocationKind::Mutex)) {
            let name = &self.program.locations[id.index()].name;
            let message = format!("`{name}` is a mutex in one place and a number in another");
            return Err(ReadError::new(position, message));
        }
        let kind = match *declared {
            Some(LocationKind::Plain) => LocationKind::Plain,
            _ => kind,
        };
        *declared = Some(kind);
        self.program.locations[id.index()].kind = kind;
        Ok(())
    }

    fn threads(&mut self) -> Result<(), ReadError> {
        loop {
            let number = self.program.threads.len();
            if !self.accept_word(&format!("P{number}")) {
                break;
            }
            self.expect("(")?;
            let mut parameters = Vec::new();
            while !self.accept(")") {
                if !self.accept(",") {
                    parameters.push(self.parameter()?);
                }
            }
            let registers = self.registers_of(number as u32);
            self.program.threads.push(Thread { registers, body: Vec::new() });
            let body = self.thread_body(number, &parameters)?;
            self.program.threads[number].body = body;
        }
        if self.program.threads.is_empty() {
            return self.fail("expected a thread, `P0 (atomic_int* x) { … }`");
        }
        for &(thread, position) in &self.joined {
            if thread as usize >= self.program.threads.len() {
                let message = format!("there is no thread P{thread} to join");
                return Err(ReadError::new(position, message));
            }
        }
        match self.initial_registers.first() {
            Some((thread, name, _, position)) => Err(ReadError::new(
                *position,
                format!("there is no thread P{thread} to have a register `{name}`"),
            )),
            None => Ok(()),
        }
    }

    fn registers_of(&mut self, number: u32) -> Vec<Register> {
        let (here, elsewhere) = std::mem::take(&mut self.initial_registers)
            .into_iter()
            .partition(|(thread, ..)| *thread == number);
        self.initial_registers = elsewhere;
        let here: Vec<(u32, String, i32, Position)> = here;
        here.into_iter().map(|(_, name, initial, _)| Register { name, initial }).collect()
    }

    fn parameter(&mut self) -> Result<(LocationId, LocationKind), ReadError> {
        let Some(kind) = self.optional_type() else {
            return self.fail("expected `atomic_int*`, `int*` or `spinlock_t*` and a name");
        };
        if !self.accept("*") {
            return self.fail("locations are passed as pointers: write `*` here");
        }
        let position = self.position();
        let name = self.word("the name of a location")?;
        let thread = self.program.threads.len() as u32;
        if self.initial_registers.iter().any(|r| (r.0, &r.1) == (thread, &name)) {
            let message = format!("`{name}` is also a register; rename one of them");
            return Err(ReadError::new(position, message));
        }
        let id = self.location(&name);
        self.declare(id, kind, position)?;
        Ok((id, kind))
    }
}

#[cfg(test)]
mod tests;
