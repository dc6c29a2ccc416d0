//! Splits the text into words, numbers and symbols, each with its line and column.

use super::ReadError;

/// A word, number or symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// A name or keyword.
    Word(String),
    /// A number.
    Number(i64),
    /// Anything else.
    Symbol(&'static str),
    /// After the last token.
    End,
}

impl std::fmt::Display for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Token::Word(word) => write!(f, "`{word}`"),
            Token::Number(number) => write!(f, "`{number}`"),
            Token::Symbol(symbol) => write!(f, "`{symbol}`"),
            Token::End => f.write_str("the end of the text"),
        }
    }
}

/// Where a token starts, both from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pub line: u32,
    pub column: u32,
}

/// Longest first, so that the first match is the right one.
const SYMBOLS: [&str; 34] = [
    "/\\", "\\/", "==", "!=", "<=", ">=", "&&", "||", "->", "<<", ">>", "{", "}", "(", ")", "[",
    "]", ";", ",", ":", "=", "*", "&", "|", "^", "!", "~", "+", "-", "<", ">", ".", "/", "%",
];

/// Splits `text`, whose first character stands on `first_line`. The last token is [`Token::End`].
pub fn tokens(text: &str, first_line: u32) -> Result<Vec<(Token, Position)>, ReadError> {
    let mut lexer = Lexer { rest: text, line: first_line, column: 1, depth: 0 };
    let mut result = Vec::new();
    loop {
        lexer.skip_blank()?;
        let position = lexer.position();
        let token = lexer.token()?;
        let done = token == Token::End;
        result.push((token, position));
        if done {
            return Ok(result);
        }
    }
}

struct Lexer<'a> {
    rest: &'a str,
    line: u32,
    column: u32,
    /// How many braces are open. `(*` starts a comment outside braces and is C inside.
    depth: u32,
}

impl<'a> Lexer<'a> {
    fn position(&self) -> Position {
        Position { line: self.line, column: self.column }
    }

    fn advance(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        for c in taken.chars() {
            if c == '\n' {
                self.line += 1;
                self.column = 1;
            } else {
                self.column += 1;
            }
        }
        self.rest = rest;
        taken
    }

    /// Skips white space and comments.
    fn skip_blank(&mut self) -> Result<(), ReadError> {
        loop {
            let trimmed = self.rest.trim_start();
            self.advance(self.rest.len() - trimmed.len());
            if self.rest.starts_with("//") {
                self.advance(self.rest.find('\n').unwrap_or(self.rest.len()));
            } else if self.rest.starts_with("/*") {
                self.skip_comment("*/")?;
            } else if self.rest.starts_with("(*") && self.depth == 0 {
                self.skip_comment("*)")?;
            } else {
                return Ok(());
            }
        }
    }

    fn skip_comment(&mut self, end: &str) -> Result<(), ReadError> {
        match self.rest[2..].find(end) {
            Some(length) => {
                self.advance(2 + length + end.len());
                Ok(())
            }
            None => Err(ReadError::new(
                self.position(),
                format!("this comment does not end; close it with `{end}`"),
            )),
        }
    }

    fn token(&mut self) -> Result<Token, ReadError> {
        let Some(first) = self.rest.chars().next() else { return Ok(Token::End) };
        if first.is_ascii_digit() {
            return self.number();
        }
        if first.is_alphabetic() || first == '_' {
            let length = self.rest.find(|c: char| !c.is_alphanumeric() && c != '_');
            let word = self.advance(length.unwrap_or(self.rest.len()));
            return Ok(Token::Word(word.to_owned()));
        }
        if let Some(symbol) = SYMBOLS.into_iter().find(|symbol| self.rest.starts_with(symbol)) {
            self.advance(symbol.len());
            match symbol {
                "{" => self.depth += 1,
                "}" => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
            return Ok(Token::Symbol(symbol));
        }
        Err(ReadError::new(
            self.position(),
            format!("`{first}` has no meaning in a litmus test; remove it"),
        ))
    }

    fn number(&mut self) -> Result<Token, ReadError> {
        let position = self.position();
        let length = self.rest.find(|c: char| !c.is_ascii_alphanumeric());
        let text = self.advance(length.unwrap_or(self.rest.len()));
        let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
        let number = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
            Some(hexadecimal) => i64::from_str_radix(hexadecimal, 16),
            None => digits.parse(),
        };
        number.map(Token::Number).map_err(|_| {
            ReadError::new(
                position,
                format!("`{text}` is not a number of 32 bits; write it in decimal or as 0x.."),
            )
        })
    }
}
