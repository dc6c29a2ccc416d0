//! Text to tokens. Comments are `// to the end of the line`.

use crate::error::{At, Problem, problem};
use std::fmt;

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// A name or a keyword.
    Name(String),
    /// A number: decimal, or hexadecimal after `0x`.
    Number(u64),
    /// A string in quotes.
    Text(String),
    /// Anything else, as it is written.
    Sign(&'static str),
    /// What stands between the brackets after `axioms`, in the cat language: see [`crate::Axioms`].
    Axioms(String),
    /// The end of the text.
    End,
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Name(name) => write!(f, "`{name}`"),
            Token::Number(number) => write!(f, "`{number}`"),
            Token::Text(text) => write!(f, "{text:?}"),
            Token::Sign(sign) => write!(f, "`{sign}`"),
            Token::Axioms(_) => f.write_str("axioms"),
            Token::End => f.write_str("the end of the file"),
        }
    }
}

/// Longer ones first.
const SIGNS: [&str; 24] = [
    "==", "!=", "<=", ">=", "<", ">", "=", "+", "-", "*", "&", "|", "^", "?", ":", ";", ",", "(",
    ")", "{", "}", "[", "]", "!",
];

/// All tokens with their places; the last is [`Token::End`].
pub(crate) fn tokens(text: &str) -> Result<Vec<(At, Token)>, Problem> {
    let mut lexer = Lexer { rest: text, at: At { line: 1, column: 1 } };
    let mut all = Vec::new();
    loop {
        lexer.skip();
        let at = lexer.at;
        let is_after = match all.last() {
            None | Some((_, Token::Sign(";" | "}"))) => true,
            Some(_) => false,
        };
        let token = match lexer.token()? {
            Token::Name(name) if name == "axioms" && is_after => lexer.axioms(text)?,
            token => token,
        };
        let is_last = token == Token::End;
        all.push((at, token));
        if is_last {
            return Ok(all);
        }
    }
}

struct Lexer<'t> {
    rest: &'t str,
    at: At,
}

fn continues_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

impl<'t> Lexer<'t> {
    /// Goes on by so many bytes, and gives them.
    fn go(&mut self, bytes: usize) -> &'t str {
        let (passed, rest) = self.rest.split_at(bytes);
        for c in passed.chars() {
            if c == '\n' {
                self.at.line += 1;
                self.at.column = 1;
            } else {
                self.at.column += 1;
            }
        }
        self.rest = rest;
        passed
    }

    /// Skips blanks and comments.
    fn skip(&mut self) {
        loop {
            self.go(self.rest.len() - self.rest.trim_start().len());
            if !self.rest.starts_with("//") {
                return;
            }
            self.go(self.rest.find('\n').unwrap_or(self.rest.len()));
        }
    }

    /// The name or number that the text begins with.
    fn word(&mut self) -> &'t str {
        let end = self.rest.find(|c| !continues_name(c)).unwrap_or(self.rest.len());
        self.go(end)
    }

    fn token(&mut self) -> Result<Token, Problem> {
        let at = self.at;
        let Some(first) = self.rest.chars().next() else { return Ok(Token::End) };
        if first == '"' {
            return self.text();
        }
        if first.is_ascii_digit() {
            let word = self.word();
            let number = match word.strip_prefix("0x") {
                Some(digits) => u64::from_str_radix(digits, 16),
                None => word.parse(),
            };
            return match number {
                Ok(number) => Ok(Token::Number(number)),
                Err(_) => problem(at, format!("`{word}` is no number of up to 64 bits")),
            };
        }
        if continues_name(first) {
            return Ok(Token::Name(self.word().to_owned()));
        }
        match SIGNS.into_iter().find(|sign| self.rest.starts_with(sign)) {
            Some(sign) => {
                self.go(sign.len());
                Ok(Token::Sign(sign))
            }
            None => problem(at, format!("`{first}` means nothing here")),
        }
    }

    /// What is left of `all`, up to the last bracket, as if it stood alone in a file, so that lines and columns are
    /// those of the whole.
    fn axioms(&mut self, all: &str) -> Result<Token, Problem> {
        self.skip();
        if !self.rest.starts_with('{') {
            return problem(self.at, "expected `{` and axioms in the cat language");
        }
        let start = all.len() - self.rest.len() + 1;
        let inside = all[start..].trim_end();
        let Some(inside) = inside.strip_suffix('}') else {
            return problem(
                self.at,
                "these axioms do not end; expected `}` at the end of the file",
            );
        };
        let blank = |c: char| if c == '\n' { '\n' } else { ' ' };
        let text = all[..start].chars().map(blank).chain(inside.chars()).collect();
        self.go(self.rest.len());
        Ok(Token::Axioms(text))
    }

    fn text(&mut self) -> Result<Token, Problem> {
        let inside = &self.rest[1..];
        match inside.find(['"', '\n']) {
            Some(end) if inside[end..].starts_with('"') => {
                let text = inside[..end].to_owned();
                self.go(end + 2);
                Ok(Token::Text(text))
            }
            _ => problem(self.at, "this string does not end; expected `\"` on the same line"),
        }
    }
}
