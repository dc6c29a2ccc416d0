//! Expressions, and the names that they are made of.

use super::{DEEPEST, Parser};
use crate::error::{At, Problem, problem};
use crate::lexer::Token;
use norn_action::Compare;
use norn_program::{Binary, Expression};

/// The names that an operation knows.
#[derive(Default)]
pub(super) struct Scope {
    /// Parameters, and whether each is an object.
    pub params: Vec<(String, bool)>,
    pub values: Vec<String>,
}

/// Operators of expressions, loosest first, as in C.
const LEVELS: [&[(&str, Binary)]; 7] = [
    &[("|", Binary::Or)],
    &[("^", Binary::Xor)],
    &[("&", Binary::And)],
    &[("==", Binary::Compare(Compare::Eq)), ("!=", Binary::Compare(Compare::Ne))],
    &[
        ("<=", Binary::Compare(Compare::Ule)),
        (">=", Binary::Compare(Compare::Uge)),
        ("<", Binary::Compare(Compare::Ult)),
        (">", Binary::Compare(Compare::Ugt)),
    ],
    &[("+", Binary::Add), ("-", Binary::Sub)],
    &[("*", Binary::Mul)],
];
/// The first level without comparisons: sums.
pub(super) const SUMS: usize = 5;

impl Parser {
    pub(super) fn expression(&mut self, scope: &Scope) -> Result<Expression, Problem> {
        self.deeper(|parser| {
            let condition = parser.level(scope, 0)?;
            if !parser.pass("?") {
                return Ok(condition);
            }
            let then = parser.expression(scope)?;
            parser.sign(":")?;
            let otherwise = parser.expression(scope)?;
            Ok(Expression::Choice(Box::new((condition, then, otherwise))))
        })
    }

    pub(super) fn level(&mut self, scope: &Scope, level: usize) -> Result<Expression, Problem> {
        let Some(operators) = LEVELS.get(level) else { return self.primary(scope) };
        let mut left = self.level(scope, level + 1)?;
        let mut length = 0;
        while let Some(op) = self.one_of(operators) {
            length += 1;
            if length > DEEPEST {
                return problem(self.at(), format!("this has more than {DEEPEST} operands"));
            }
            let right = self.level(scope, level + 1)?;
            left = Expression::Binary(op, Box::new((left, right)));
        }
        Ok(left)
    }

    fn primary(&mut self, scope: &Scope) -> Result<Expression, Problem> {
        self.deeper(|parser| {
            let of_zero =
                |op, inner| Expression::Binary(op, Box::new((Expression::Number(0), inner)));
            if parser.pass("-") {
                return Ok(of_zero(Binary::Sub, parser.primary(scope)?));
            }
            if parser.pass("!") {
                return Ok(of_zero(Binary::Compare(Compare::Eq), parser.primary(scope)?));
            }
            if parser.pass("(") {
                let inner = parser.expression(scope)?;
                parser.sign(")")?;
                return Ok(inner);
            }
            let at = parser.at();
            match parser.token().clone() {
                Token::Number(number) => {
                    parser.go();
                    Ok(Expression::Number(number))
                }
                Token::Name(name) if name == "self" => {
                    parser.go();
                    Ok(Expression::Thread)
                }
                Token::Name(name) => {
                    parser.go();
                    scope.look_up(at, &name)
                }
                _ => parser.expected("a number, a parameter or a value that was kept"),
            }
        })
    }
}

impl Scope {
    pub(super) fn is_new(&self, at: At, name: &str) -> Result<(), Problem> {
        let known = name == "self"
            || self.values.iter().any(|value| value == name)
            || self.params.iter().any(|(param, _)| param == name);
        if known { problem(at, format!("`{name}` is there already")) } else { Ok(()) }
    }

    fn look_up(&self, at: At, name: &str) -> Result<Expression, Problem> {
        if let Some(index) = self.values.iter().position(|value| value == name) {
            return Ok(Expression::Value(index as u32));
        }
        match self.params.iter().position(|(param, _)| param == name) {
            Some(index) if self.params[index].1 => problem(
                at,
                format!(
                    "`{name}` is an object; `let` keeps what a `read` or an `update` finds in it"
                ),
            ),
            Some(index) => Ok(Expression::Parameter(index as u32)),
            None => {
                problem(at, format!("`{name}` is neither a parameter nor a value that was kept"))
            }
        }
    }
}
