//! Text to tokens. Comments are `(* nested *)` and `// to the end of the line`.

use crate::error::{At, Problem, problem};
use std::fmt;

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// A name or a keyword: letters, digits, `_`, `.`, and `-` between these.
    Name(String),
    /// A string in quotes.
    Text(String),
    /// Anything else, as it is written: `;`, `^-1`, `[` …
    Sign(&'static str),
    /// The end of the text.
    End,
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Name(name) => write!(f, "`{name}`"),
            Token::Text(text) => write!(f, "{text:?}"),
            Token::Sign(sign) => write!(f, "`{sign}`"),
            Token::End => f.write_str("the end of the file"),
        }
    }
}

/// Longer ones first.
const SIGNS: [&str; 24] = [
    "^-1", "^+", "^*", "++", "->", "|", "&", ";", "\\", "~", "!", "+", "*", "?", "(", ")", "[",
    "]", "{", "}", ",", "=", "_", "^",
];

/// All tokens with their places; the last is [`Token::End`].
pub(crate) fn tokens(text: &str, file: u32) -> Result<Vec<(At, Token)>, Problem> {
    let mut lexer = Lexer { rest: text, at: At { file, line: 1, column: 1 } };
    let mut all = Vec::new();
    loop {
        lexer.skip()?;
        let at = lexer.at;
        let token = lexer.token()?;
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
    c.is_ascii_alphanumeric() || c == '_' || c == '.'
}

impl Lexer<'_> {
    /// Goes on by so many bytes.
    fn go(&mut self, bytes: usize) {
        for c in self.rest[..bytes].chars() {
            if c == '\n' {
                self.at.line += 1;
                self.at.column = 1;
            } else {
                self.at.column += 1;
            }
        }
        self.rest = &self.rest[bytes..];
    }

    /// Skips blanks and comments.
    fn skip(&mut self) -> Result<(), Problem> {
        loop {
            let blanks = self.rest.len() - self.rest.trim_start().len();
            self.go(blanks);
            if self.rest.starts_with("//") {
                self.go(self.rest.find('\n').unwrap_or(self.rest.len()));
            } else if self.rest.starts_with("(*") {
                self.comment()?;
            } else {
                return Ok(());
            }
        }
    }

    fn comment(&mut self) -> Result<(), Problem> {
        let start = self.at;
        let mut depth = 0;
        loop {
            if self.rest.starts_with("(*") {
                depth += 1;
                self.go(2);
            } else if self.rest.starts_with("*)") {
                depth -= 1;
                self.go(2);
                if depth == 0 {
                    return Ok(());
                }
            } else {
                let Some(c) = self.rest.chars().next() else {
                    return problem(start, "this comment does not end; expected `*)`");
                };
                self.go(c.len_utf8());
            }
        }
    }

    fn token(&mut self) -> Result<Token, Problem> {
        let Some(first) = self.rest.chars().next() else { return Ok(Token::End) };
        if first == '"' {
            return self.text();
        }
        let is_name = first.is_ascii_alphanumeric()
            || (first == '_' && self.rest[1..].starts_with(continues_name));
        if is_name {
            return Ok(self.name());
        }
        match SIGNS.into_iter().find(|sign| self.rest.starts_with(sign)) {
            Some(sign) => {
                self.go(sign.len());
                Ok(Token::Sign(sign))
            }
            None => problem(
                self.at,
                format!(
                    "`{first}` means nothing here; expected a statement or an expression of the cat language"
                ),
            ),
        }
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

    /// A `-` belongs to a name if a letter or a digit follows.
    fn name(&mut self) -> Token {
        let mut end = 0;
        let bytes = self.rest.as_bytes();
        while let Some(&byte) = bytes.get(end) {
            let next = bytes.get(end + 1).copied().unwrap_or(b' ') as char;
            let inside =
                continues_name(byte as char) || (byte == b'-' && end > 0 && continues_name(next));
            if !inside {
                break;
            }
            end += 1;
        }
        let name = self.rest[..end].to_owned();
        self.go(end);
        Token::Name(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_signs_and_places() {
        let all = tokens("let po-other = po \\ loc // x\n(* a (* b *) *) r^-1; _ * W", 0);
        let all = all.expect("tokens");
        let text: Vec<String> = all.iter().map(|(_, token)| token.to_string()).collect();
        let expected =
            "`let` `po-other` `=` `po` `\\` `loc` `r` `^-1` `;` `_` `*` `W` the end of the file";
        assert_eq!(text.join(" "), expected);
        assert_eq!(all[6].0, At { file: 0, line: 2, column: 17 });
    }

    #[test]
    fn what_does_not_end_is_an_error_where_it_starts() {
        let (at, message) = tokens("let a = b\n  (* c", 0).expect_err("no end");
        assert_eq!((at.line, at.column), (2, 3));
        assert!(message.contains("`*)`"), "{message}");
        assert!(tokens("include \"cos", 0).is_err());
        assert!(tokens("let § = po", 0).is_err());
    }
}
