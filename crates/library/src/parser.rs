//! Tokens to operations.
//!
//! ```text
//! file       = "library" NAME ";" [ "size" ("1" | "2" | "4" | "8") ";" ] { operation }
//!              [ "axioms" "{" CAT "}" ]
//! operation  = TYPE NAME "(" [ ["*"] NAME { "," ["*"] NAME } ] ")" block
//! block      = "{" { step } "}"
//! step       = [ "let" NAME "=" ] access ";"
//!            | "require" expression STRING ";"
//!            | "if" "(" expression ")" block [ "else" ( block | step of "if" ) ]
//!            | "return" [ expression ] ";"
//! access     = "read" cell [ ORDER ] [ "when" guard ]
//!            | "write" cell "=" expression [ ORDER ] [ "as" ROLE ]
//!            | "update" cell "=" ( cell OPERATOR product | expression ) [ ORDER ] [ "as" ROLE ]
//!              [ ("when" | "if") guard ]
//! cell       = NAME [ "[" NUMBER "]" ]
//! guard      = cell [ "&" sum ] COMPARISON sum
//! ```
//!
//! Expressions are those of C over numbers, parameters, values that were kept and `self`, a number that each thread
//! has for itself, with C's precedence, in 64 bits without a sign.

mod expressions;
mod rules;

use crate::error::{At, Problem, problem};
use crate::lexer::{Token, tokens};
use expressions::{SUMS, Scope};
use norn_action::{Compare, Mode, RmwOp, Role};
use norn_program::{Cell, Expression, Guard, Operation, Step};
use rules::{always_returns, check_role, returns};

/// Deeper expressions and blocks are refused.
const DEEPEST: u32 = 64;
/// More operations, parameters, cells or steps are refused.
const MOST: usize = 256;

/// What a file says.
#[derive(Debug)]
pub(crate) struct Parsed {
    pub name: String,
    pub operations: Vec<Operation>,
    pub axioms: Option<String>,
}

pub(crate) fn parse(text: &str) -> Result<Parsed, Problem> {
    let mut parser = Parser { tokens: tokens(text)?, next: 0, depth: 0, size: 4, steps: 0 };
    parser.file()
}

struct Parser {
    tokens: Vec<(At, Token)>,
    next: usize,
    depth: u32,
    /// The width of cells.
    size: u8,
    /// How many steps the operation at hand has.
    steps: usize,
}

const ORDERS: [(&str, Mode); 5] = [
    ("relaxed", Mode::Relaxed),
    ("acquire", Mode::Acquire),
    ("release", Mode::Release),
    ("acq_rel", Mode::AcqRel),
    ("seq_cst", Mode::SeqCst),
];

/// The types of results, with their bits.
const TYPES: [(&str, u8); 7] = [
    ("void", 0),
    ("bool", 1),
    ("char", 8),
    ("short", 16),
    ("int", 32),
    ("long", 64),
    ("pointer", 64),
];

const COMPARISONS: [(&str, Compare); 6] = [
    ("==", Compare::Eq),
    ("!=", Compare::Ne),
    ("<=", Compare::Ule),
    (">=", Compare::Uge),
    ("<", Compare::Ult),
    (">", Compare::Ugt),
];

/// What an update may be to an object, so that models and reports know.
const ROLES: [(&str, Role); 8] = [
    ("lock", Role::Lock),
    ("unlock", Role::Unlock),
    ("read_lock", Role::ReadLock),
    ("read_unlock", Role::ReadUnlock),
    ("write_lock", Role::WriteLock),
    ("write_unlock", Role::WriteUnlock),
    ("wait", Role::SemaphoreWait),
    ("post", Role::SemaphorePost),
];

const UPDATES: [(&str, RmwOp); 5] =
    [("+", RmwOp::Add), ("-", RmwOp::Sub), ("&", RmwOp::And), ("|", RmwOp::Or), ("^", RmwOp::Xor)];

impl Parser {
    fn at(&self) -> At {
        self.tokens[self.next].0
    }

    fn token(&self) -> &Token {
        &self.tokens[self.next].1
    }

    fn go(&mut self) {
        self.next = (self.next + 1).min(self.tokens.len() - 1);
    }

    fn expected<T>(&self, what: &str) -> Result<T, Problem> {
        problem(self.at(), format!("found {}; expected {what}", self.token()))
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.token(), Token::Sign(found) if *found == sign)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.token(), Token::Name(found) if found == word)
    }

    /// Whether the sign is next; then it is passed.
    fn pass(&mut self, sign: &str) -> bool {
        let is = self.is_sign(sign);
        if is {
            self.go();
        }
        is
    }

    fn pass_word(&mut self, word: &str) -> bool {
        let is = self.is_word(word);
        if is {
            self.go();
        }
        is
    }

    fn sign(&mut self, sign: &str) -> Result<(), Problem> {
        if self.pass(sign) { Ok(()) } else { self.expected(&format!("`{sign}`")) }
    }

    fn name(&mut self, what: &str) -> Result<String, Problem> {
        match self.token() {
            Token::Name(name) => {
                let name = name.clone();
                self.go();
                Ok(name)
            }
            _ => self.expected(what),
        }
    }

    /// One of a list of words, if it is next.
    fn one_of<T: Copy>(&mut self, list: &[(&str, T)]) -> Option<T> {
        let found = match self.token() {
            Token::Name(name) => list.iter().find(|(word, _)| word == name)?.1,
            Token::Sign(sign) => list.iter().find(|(word, _)| word == sign)?.1,
            _ => return None,
        };
        self.go();
        Some(found)
    }

    /// Goes a level deeper for as long as `inner` takes.
    fn deeper<T>(
        &mut self,
        inner: impl FnOnce(&mut Parser) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        if self.depth >= DEEPEST {
            return problem(self.at(), format!("this is more than {DEEPEST} levels deep"));
        }
        self.depth += 1;
        let done = inner(self);
        self.depth -= 1;
        done
    }

    fn file(&mut self) -> Result<Parsed, Problem> {
        if !self.pass_word("library") {
            return self.expected("`library` and the name of the library");
        }
        let name = self.name("the name of the library")?;
        self.sign(";")?;
        if self.pass_word("size") {
            match *self.token() {
                Token::Number(size @ (1 | 2 | 4 | 8)) => self.size = size as u8,
                _ => return self.expected("1, 2, 4 or 8: how many bytes a cell has"),
            }
            self.go();
            self.sign(";")?;
        }
        let mut operations: Vec<Operation> = Vec::new();
        let mut axioms = None;
        while *self.token() != Token::End {
            if let Token::Axioms(text) = self.token() {
                axioms = Some(text.clone());
                self.go();
                break;
            }
            let at = self.at();
            let operation = self.operation(&name)?;
            if operations.iter().any(|other| other.name == operation.name) {
                return problem(at, format!("`{}` is there twice", operation.name));
            }
            if operations.len() == MOST {
                return problem(at, format!("there are more than {MOST} operations"));
            }
            operations.push(operation);
        }
        if operations.is_empty() {
            return self.expected("an operation, such as `void lock(*l) { … }`");
        }
        Ok(Parsed { name, operations, axioms })
    }

    fn operation(&mut self, library: &str) -> Result<Operation, Problem> {
        let Some(result) = self.one_of(&TYPES) else {
            let types = TYPES.map(|(name, _)| name).join(", ");
            return self.expected(&format!("the type of the result of an operation: {types}"));
        };
        let name = self.name("the name of the operation")?;
        self.sign("(")?;
        let mut scope = Scope::default();
        while !self.pass(")") {
            if !scope.params.is_empty() {
                self.sign(",")?;
            }
            let is_object = self.pass("*");
            let at = self.at();
            let param = self.name("the name of a parameter, or `*` before that of an object")?;
            scope.is_new(at, &param)?;
            scope.params.push((param, is_object));
        }
        self.steps = 0;
        let at = self.at();
        let steps = self.block(&mut scope)?;
        if result > 0 && !always_returns(&steps) {
            return problem(at, format!("`{name}` may end without a result; expected a `return`"));
        }
        if result > 0 && returns(&steps, false) {
            return problem(at, format!("`{name}` returns without a value somewhere"));
        }
        if result == 0 && returns(&steps, true) {
            return problem(at, format!("`{name}` is `void` and returns a value"));
        }
        Ok(Operation {
            library: library.to_owned(),
            name,
            params: scope.params.len() as u32,
            more: false,
            values: scope.values.len() as u32,
            result_bits: result,
            steps,
        })
    }

    fn block(&mut self, scope: &mut Scope) -> Result<Vec<Step>, Problem> {
        self.sign("{")?;
        let mut steps = Vec::new();
        // What is kept in a block is known there only.
        let known = scope.values.len();
        while !self.pass("}") {
            self.steps += 1;
            if self.steps > MOST {
                return problem(self.at(), format!("the operation has more than {MOST} steps"));
            }
            steps.push(self.deeper(|parser| parser.step(scope))?);
        }
        for name in &mut scope.values[known..] {
            name.clear();
        }
        Ok(steps)
    }

    fn step(&mut self, scope: &mut Scope) -> Result<Step, Problem> {
        if self.pass_word("if") {
            return self.branch(scope);
        }
        let step = if self.pass_word("require") {
            let condition = self.expression(scope)?;
            let Token::Text(text) = self.token().clone() else {
                return self.expected("a string that says what is wrong otherwise");
            };
            self.go();
            Step::Require(condition, text)
        } else if self.pass_word("return") {
            let value = if self.is_sign(";") { None } else { Some(self.expression(scope)?) };
            Step::Return(value)
        } else {
            self.access(scope)?
        };
        self.sign(";")?;
        Ok(step)
    }

    fn branch(&mut self, scope: &mut Scope) -> Result<Step, Problem> {
        self.sign("(")?;
        let condition = self.expression(scope)?;
        self.sign(")")?;
        let then = self.block(scope)?;
        let otherwise = if !self.pass_word("else") {
            Vec::new()
        } else if self.pass_word("if") {
            vec![self.deeper(|parser| parser.branch(scope))?]
        } else {
            self.block(scope)?
        };
        Ok(Step::If(condition, then, otherwise))
    }

    fn access(&mut self, scope: &mut Scope) -> Result<Step, Problem> {
        let mut kept = None;
        if self.pass_word("let") {
            let at = self.at();
            let name = self.name("the name that the value is kept by")?;
            scope.is_new(at, &name)?;
            self.sign("=")?;
            kept = Some(name);
        }
        let at = self.at();
        if self.pass_word("write") {
            if kept.is_some() {
                return problem(at, "a write has no value; expected `read` or `update`");
            }
            let cell = self.cell(scope)?;
            self.sign("=")?;
            let value = self.expression(scope)?;
            let mode = self.order(Side::Writes)?;
            let role = self.role()?;
            check_role(at, role, mode, RmwOp::Exchange, &value, None)?;
            self.check_fit(at, &value)?;
            return Ok(Step::Write { cell, mode, role, value });
        }
        let mut keep = |scope: &mut Scope| {
            kept.take().map(|name| {
                scope.values.push(name);
                scope.values.len() as u32 - 1
            })
        };
        if self.pass_word("read") {
            let cell = self.cell(scope)?;
            let mode = self.order(Side::Reads)?;
            let when = if self.pass_word("when") { Some(self.guard(scope, cell)?) } else { None };
            return Ok(Step::Read { cell, mode, when, to: keep(scope) });
        }
        if !self.pass_word("update") {
            return self.expected("`read`, `write`, `update`, `require`, `if` or `return`");
        }
        let cell = self.cell(scope)?;
        self.sign("=")?;
        let (op, operand) = self.update(scope, cell)?;
        let mode = self.order(Side::Both)?;
        let role = self.role()?;
        let waits = self.is_word("when");
        let guarded = waits || self.is_word("if");
        let guard = if guarded {
            self.go();
            Some(self.guard(scope, cell)?)
        } else {
            None
        };
        check_role(at, role, mode, op, &operand, guard.as_ref().filter(|_| waits))?;
        self.check_fit(at, &operand)?;
        Ok(Step::Update { cell, mode, role, op, operand, guard, waits, to: keep(scope) })
    }

    /// What an update writes: the cell and a number, or a number alone.
    fn update(&mut self, scope: &Scope, cell: Cell) -> Result<(RmwOp, Expression), Problem> {
        if !self.is_object(scope) {
            return Ok((RmwOp::Exchange, self.expression(scope)?));
        }
        self.same_cell(scope, cell)?;
        match self.one_of(&UPDATES) {
            Some(op) => Ok((op, self.level(scope, SUMS + 1)?)),
            None => self.expected("`+`, `-`, `&`, `|` or `^` and a number"),
        }
    }

    /// Whether the name that is next is that of an object.
    fn is_object(&self, scope: &Scope) -> bool {
        matches!(self.token(), Token::Name(name) if scope.params.iter().any(|(param, is)| *is && param == name))
    }

    fn cell(&mut self, scope: &Scope) -> Result<Cell, Problem> {
        let at = self.at();
        let name = self.name("an object")?;
        let found = scope.params.iter().position(|(param, is_object)| *is_object && *param == name);
        let Some(object) = found else {
            return problem(at, format!("`{name}` is no object; expected a parameter after a `*`"));
        };
        let mut index = 0;
        if self.pass("[") {
            match *self.token() {
                Token::Number(number) if number < MOST as u64 => index = number as u32,
                _ => return self.expected(&format!("the number of a cell, below {MOST}")),
            }
            self.go();
            self.sign("]")?;
        }
        Ok(Cell { object: object as u32, index, size: self.size })
    }

    /// The same cell once more.
    fn same_cell(&mut self, scope: &Scope, cell: Cell) -> Result<(), Problem> {
        let at = self.at();
        if self.cell(scope)? == cell {
            return Ok(());
        }
        problem(at, "this is another cell than the one that is read; a step is of one cell")
    }

    fn guard(&mut self, scope: &Scope, cell: Cell) -> Result<Guard, Problem> {
        self.same_cell(scope, cell)?;
        let mask = if self.pass("&") { Some(self.level(scope, SUMS)?) } else { None };
        let Some(compare) = self.one_of(&COMPARISONS) else {
            return self.expected("a comparison");
        };
        let at = self.at();
        let operand = self.level(scope, SUMS)?;
        self.check_fit(at, &operand)?;
        Ok(Guard { mask, compare, operand })
    }

    /// The order of an access; relaxed unless it is given.
    fn order(&mut self, side: Side) -> Result<Mode, Problem> {
        let at = self.at();
        let mode = self.one_of(&ORDERS).unwrap_or(Mode::Relaxed);
        let fits = match side {
            Side::Reads => !matches!(mode, Mode::Release | Mode::AcqRel),
            Side::Writes => !matches!(mode, Mode::Acquire | Mode::AcqRel),
            Side::Both => true,
        };
        let what = match side {
            Side::Reads => "a read is relaxed, acquire or seq_cst",
            _ => "a write is relaxed, release or seq_cst",
        };
        if fits { Ok(mode) } else { problem(at, what) }
    }

    /// Refuses a number that no cell can hold: what is written or compared would be another one.
    fn check_fit(&self, at: At, expression: &Expression) -> Result<(), Problem> {
        match *expression {
            Expression::Number(number) if number > Cell::most(self.size) => {
                problem(at, format!("{number} does not fit into a cell of {} bytes", self.size))
            }
            _ => Ok(()),
        }
    }

    fn role(&mut self) -> Result<Role, Problem> {
        if !self.pass_word("as") {
            return Ok(Role::Data);
        }
        match self.one_of(&ROLES) {
            Some(role) => Ok(role),
            None => self.expected(&format!("one of {}", ROLES.map(|(name, _)| name).join(", "))),
        }
    }
}

/// What an access does, for its order.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Reads,
    Writes,
    Both,
}
