//! Tokens to a tree, by descent. From the loosest to the tightest: `|`, `++`, `;`, `\`, `&`, `*` between two
//! sets, then what stands before (`~`) and behind (`^-1`, `+`, `*`, `?`) an operand.
//!
//! Expressions that are nested deeper than [`DEEPEST`] and statements longer than [`LONGEST`] are refused, so that
//! no text exhausts the stack.

use crate::ast::{Binary, Definition, Expr, ExprKind, Property, Statement, Unary};
use crate::error::{At, Problem, problem};
use crate::lexer::{Token, tokens};

/// How deep expressions may be nested.
const DEEPEST: u32 = 100;

/// How many tokens a statement may have: a chain of operators is a tree as deep as it is long.
const LONGEST: usize = 1000;

/// Words that start a statement or have a meaning of their own, so that no definition may take them.
const KEYWORDS: [&str; 18] = [
    "let",
    "rec",
    "and",
    "in",
    "as",
    "acyclic",
    "irreflexive",
    "empty",
    "flag",
    "undefined_unless",
    "include",
    "show",
    "unshow",
    "with",
    "from",
    "fun",
    "procedure",
    "call",
];

const STATEMENT: &str =
    "`let`, `acyclic`, `irreflexive`, `empty`, `flag`, `undefined_unless`, `include` or `show`";

/// What a text says, and what the model is called in its first line.
pub(crate) struct Text {
    pub title: Option<String>,
    pub statements: Vec<Statement>,
}

/// Reads the text of a file.
pub(crate) fn parse(text: &str, file: u32) -> Result<Text, Problem> {
    let mut parser = Parser { tokens: tokens(text, file)?, next: 0, start: 0, depth: 0 };
    let title = parser.title();
    let mut statements = Vec::new();
    while *parser.peek() != Token::End {
        parser.start = parser.next;
        if let Some(statement) = parser.statement()? {
            statements.push(statement);
        }
    }
    Ok(Text { title, statements })
}

struct Parser {
    tokens: Vec<(At, Token)>,
    next: usize,
    /// Where the statement at hand starts.
    start: usize,
    depth: u32,
}

impl Parser {
    fn peek(&self) -> &Token {
        &self.tokens[self.next].1
    }

    fn at(&self) -> At {
        self.tokens[self.next].0
    }

    fn go(&mut self) -> Token {
        let token = self.peek().clone();
        if token != Token::End {
            self.next += 1;
        }
        token
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Name(name) if name == word)
    }

    fn take_word(&mut self, word: &str) -> bool {
        let is = self.is_word(word);
        self.next += usize::from(is);
        is
    }

    fn take_sign(&mut self, sign: &'static str) -> bool {
        let is = *self.peek() == Token::Sign(sign);
        self.next += usize::from(is);
        is
    }

    fn expect_sign(&mut self, sign: &'static str) -> Result<(), Problem> {
        if self.take_sign(sign) { Ok(()) } else { self.expected(&format!("`{sign}`")) }
    }

    fn expected<T>(&self, what: &str) -> Result<T, Problem> {
        problem(self.at(), format!("found {}, expected {what}", self.peek()))
    }

    /// A string, a name, or `C` and a name, before the first statement.
    fn title(&mut self) -> Option<String> {
        let is_title = |token: Option<&(At, Token)>| match token {
            Some((_, Token::Name(name))) => !KEYWORDS.contains(&name.as_str()),
            _ => false,
        };
        if let Token::Text(text) = self.peek() {
            let text = text.clone();
            self.go();
            return Some(text);
        }
        let named = self.is_word("C") && is_title(self.tokens.get(1));
        self.next += usize::from(named);
        // A second name would be a statement that is spelled wrongly.
        let alone =
            is_title(self.tokens.get(self.next)) && !is_title(self.tokens.get(self.next + 1));
        match self.peek().clone() {
            Token::Name(name) if named || alone => {
                self.go();
                Some(name)
            }
            _ => None,
        }
    }

    fn statement(&mut self) -> Result<Option<Statement>, Problem> {
        let at = self.at();
        let Token::Name(word) = self.peek().clone() else { return self.expected(STATEMENT) };
        self.go();
        match word.as_str() {
            "let" => self.definitions().map(Some),
            "include" => match self.go() {
                Token::Text(file) => Ok(Some(Statement::Include { at, file })),
                _ => {
                    self.next -= 1;
                    self.expected("the name of a file in quotes")
                }
            },
            "show" | "unshow" => self.shown().map(|()| None),
            "flag" => self.flag().map(Some),
            "undefined_unless" => {
                if !self.take_word("empty") {
                    return self
                        .expected("`empty`: a program is undefined unless a relation is empty");
                }
                let of = self.expression()?;
                self.name_of_check()?;
                Ok(Some(Statement::Undefined { of }))
            }
            "acyclic" | "irreflexive" | "empty" => {
                let property = match word.as_str() {
                    "acyclic" => Property::Acyclic,
                    "irreflexive" => Property::Irreflexive,
                    _ => Property::Empty,
                };
                let of = self.expression()?;
                Ok(Some(Statement::Check { property, of, name: self.name_of_check()? }))
            }
            "with" => problem(
                at,
                "`with … from` is not supported: Norn tries every coherence order; leave it out and use `co`",
            ),
            "procedure" | "call" | "fun" => {
                problem(at, format!("`{word}` is not supported; write a function: `let f(r) = …`"))
            }
            _ => problem(at, format!("found `{word}`, expected {STATEMENT}")),
        }
    }

    /// What is to be drawn is of no interest here.
    fn shown(&mut self) -> Result<(), Problem> {
        loop {
            self.expression()?;
            if self.take_word("as") {
                self.name("a name")?;
            }
            if !self.take_sign(",") {
                return Ok(());
            }
        }
    }

    fn flag(&mut self) -> Result<Statement, Problem> {
        let at = self.at();
        if !(self.take_sign("~") && self.take_word("empty")) {
            return problem(
                at,
                "expected `~empty`: a flag says that a program is undefined if a relation is not empty",
            );
        }
        let of = self.expression()?;
        self.name_of_check()?;
        Ok(Statement::Undefined { of })
    }

    fn name_of_check(&mut self) -> Result<Option<String>, Problem> {
        if !self.take_word("as") {
            return Ok(None);
        }
        if let Token::Text(text) = self.peek() {
            let text = text.clone();
            self.go();
            return Ok(Some(text));
        }
        self.name("a name for the check").map(Some)
    }

    fn name(&mut self, what: &str) -> Result<String, Problem> {
        match self.peek() {
            Token::Name(name) if !KEYWORDS.contains(&name.as_str()) => {
                let name = name.clone();
                self.go();
                Ok(name)
            }
            _ => self.expected(what),
        }
    }

    fn definitions(&mut self) -> Result<Statement, Problem> {
        let recursive = self.take_word("rec");
        let mut definitions = vec![self.definition()?];
        while self.take_word("and") {
            definitions.push(self.definition()?);
        }
        if let (true, Some(function)) =
            (recursive, definitions.iter().find(|definition| definition.parameters.is_some()))
        {
            return problem(
                function.at,
                "a function cannot be recursive; only relations and sets can",
            );
        }
        Ok(Statement::Let { recursive, definitions })
    }

    fn definition(&mut self) -> Result<Definition, Problem> {
        let at = self.at();
        let name = self.name("a name to define")?;
        if name.starts_with(|c: char| c.is_ascii_digit()) {
            return problem(at, format!("found `{name}`, expected a name to define"));
        }
        let mut parameters = None;
        if self.take_sign("(") {
            let mut names = vec![self.name("a parameter")?];
            while self.take_sign(",") {
                names.push(self.name("a parameter")?);
            }
            self.expect_sign(")")?;
            parameters = Some(names);
        }
        self.expect_sign("=")?;
        let body = self.expression()?;
        Ok(Definition { at, name, parameters, body })
    }

    // ---- expressions -------------------------------------------------------------------------

    fn expression(&mut self) -> Result<Expr, Problem> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return problem(
                self.at(),
                format!(
                    "expressions may be nested {DEEPEST} deep; name a part of this one by `let`"
                ),
            );
        }
        let at = self.at();
        let expression = if self.take_word("let") {
            let definition = self.definition()?;
            if !self.take_word("in") {
                return self.expected("`in`");
            }
            let body = self.expression()?;
            Expr { at, kind: ExprKind::Local(Box::new(definition), Box::new(body)) }
        } else {
            self.binary(0)?
        };
        self.depth -= 1;
        Ok(expression)
    }

    /// Operators from `level` on, where a higher level binds tighter.
    fn binary(&mut self, level: usize) -> Result<Expr, Problem> {
        const LEVELS: [(&str, Binary); 4] = [
            ("|", Binary::Union),
            (";", Binary::Sequence),
            ("\\", Binary::Difference),
            ("&", Binary::Intersection),
        ];
        let Some(&(sign, operator)) = LEVELS.get(level) else { return self.product() };
        let mut left = self.binary(level + 1)?;
        while self.take_sign(sign) {
            let right = self.binary(level + 1)?;
            left = combine(operator, left, right);
        }
        if *self.peek() == Token::Sign("++") {
            return problem(
                self.at(),
                "`++` adds events to sets, which is not supported; expected an operator on relations",
            );
        }
        Ok(left)
    }

    /// `S * T`; a `*` that no operand follows is a closure, and was taken by the operand before it.
    fn product(&mut self) -> Result<Expr, Problem> {
        let mut left = self.operand()?;
        while self.take_sign("*") {
            let right = self.operand()?;
            left = combine(Binary::Product, left, right);
        }
        Ok(left)
    }

    fn operand(&mut self) -> Result<Expr, Problem> {
        let at = self.at();
        if self.next - self.start > LONGEST {
            return problem(
                at,
                format!(
                    "a statement may have {LONGEST} words and signs; name a part of this one by `let`"
                ),
            );
        }
        if self.take_sign("~") || self.take_sign("!") {
            self.depth += 1;
            if self.depth > DEEPEST {
                return problem(at, format!("expressions may be nested {DEEPEST} deep"));
            }
            let operand = self.operand()?;
            self.depth -= 1;
            return Ok(Expr { at, kind: ExprKind::Unary(Unary::Complement, Box::new(operand)) });
        }
        let mut operand = self.atom()?;
        loop {
            let operator = match self.peek() {
                Token::Sign("^-1") => Unary::Inverse,
                Token::Sign("+" | "^+") => Unary::Plus,
                Token::Sign("?") => Unary::Option,
                Token::Sign("^*") => Unary::Star,
                Token::Sign("*") if !self.operand_follows() => Unary::Star,
                _ => return Ok(operand),
            };
            self.go();
            operand = Expr { at, kind: ExprKind::Unary(operator, Box::new(operand)) };
        }
    }

    /// Whether an operand stands behind the next token.
    fn operand_follows(&self) -> bool {
        match self.tokens.get(self.next + 1).map(|(_, token)| token) {
            Some(Token::Name(name)) => !KEYWORDS.contains(&name.as_str()),
            Some(Token::Sign(sign)) => matches!(*sign, "(" | "[" | "{" | "~" | "!" | "_"),
            _ => false,
        }
    }

    fn atom(&mut self) -> Result<Expr, Problem> {
        let at = self.at();
        let expr = |kind| Ok(Expr { at, kind });
        match self.peek().clone() {
            Token::Name(name) if name == "0" => {
                self.go();
                expr(ExprKind::Nothing)
            }
            Token::Name(name)
                if !KEYWORDS.contains(&name.as_str())
                    && !name.starts_with(|c: char| c.is_ascii_digit()) =>
            {
                self.go();
                if *self.peek() == Token::Sign("(") {
                    return expr(ExprKind::Call(name, self.arguments()?));
                }
                expr(ExprKind::Name(name))
            }
            Token::Sign("(") => {
                self.go();
                let inside = self.expression()?;
                self.expect_sign(")")?;
                Ok(inside)
            }
            Token::Sign("[") => {
                self.go();
                let inside = self.expression()?;
                self.expect_sign("]")?;
                expr(ExprKind::Identity(Box::new(inside)))
            }
            Token::Sign("{") => {
                self.go();
                self.expect_sign("}")?;
                expr(ExprKind::Nothing)
            }
            Token::Sign("_") => {
                self.go();
                expr(ExprKind::Everything)
            }
            _ => self.expected("a relation or a set"),
        }
    }

    fn arguments(&mut self) -> Result<Vec<Expr>, Problem> {
        self.expect_sign("(")?;
        let mut arguments = vec![self.expression()?];
        while self.take_sign(",") {
            arguments.push(self.expression()?);
        }
        self.expect_sign(")")?;
        Ok(arguments)
    }
}

fn combine(operator: Binary, left: Expr, right: Expr) -> Expr {
    let at = left.at;
    Expr { at, kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)) }
}
