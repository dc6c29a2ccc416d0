//! Tokens of the textual IR. Borrowed from the text, produced one at a time.

/// A name behind `%`, `@` or before `:`; quoted names are raw, with their escapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Name<'a> {
    Number(u32),
    Text(&'a [u8]),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    End,
    /// One of `= , * ( ) [ ] { } < > | :`.
    Punct(u8),
    /// `...`
    Ellipsis,
    /// A bare word: keyword, opcode, type name.
    Word(&'a [u8]),
    /// `name:`
    Label(Name<'a>),
    /// `%name`
    Local(Name<'a>),
    /// `@name`
    Global(Name<'a>),
    /// `$name`
    Comdat,
    /// `!name`
    Meta(&'a [u8]),
    /// `!5`
    MetaId(u32),
    /// `!` before `{` or a string.
    Bang,
    /// `#5`
    AttributeGroup,
    /// `#dbg_declare`
    Record(&'a [u8]),
    /// `^5`
    Summary,
    /// A quoted string, raw.
    Str(&'a [u8]),
    /// `c"..."`, raw.
    CStr(&'a [u8]),
    /// A number: decimal or hexadecimal, integer or floating.
    Number(&'a [u8]),
    /// Something that is no token.
    Bad(&'static str),
}

/// The position in the text; `Copy`, so that looking ahead is a copy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lexer<'a> {
    pub text: &'a [u8],
    pub position: usize,
    /// Line of `position`, from 1 (newlines inside strings are not counted).
    pub line: u32,
}

const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'$' | b'.' | b'_' | b'-')
}

/// `WORD[b]`: `b` may stand inside a word.
const WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut i = 0;
    while i < 256 {
        table[i] = is_word(i as u8);
        i += 1;
    }
    table
};

impl<'a> Lexer<'a> {
    pub fn new(text: &'a [u8]) -> Lexer<'a> {
        Lexer { text, position: 0, line: 1 }
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.text.get(self.position + ahead).copied().unwrap_or(0)
    }

    /// Skips blanks and comments.
    pub fn skip_blanks(&mut self) {
        while let Some(&byte) = self.text.get(self.position) {
            match byte {
                b'\n' => {
                    self.line += 1;
                    self.position += 1;
                }
                b' ' | b'\t' | b'\r' => self.position += 1,
                b';' => self.skip_line(),
                _ => break,
            }
        }
    }

    /// Moves to the end of the line.
    pub fn skip_line(&mut self) {
        let rest = &self.text[self.position..];
        self.position += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
    }

    /// The next token; the caller has skipped the blanks before it.
    pub fn token(&mut self) -> Token<'a> {
        let Some(&byte) = self.text.get(self.position) else { return Token::End };
        match byte {
            b'%' => self.prefixed(Token::Local),
            b'@' => self.prefixed(Token::Global),
            b'$' if self.peek(1) == b'"' || WORD[self.peek(1) as usize] => {
                self.prefixed(|_| Token::Comdat)
            }
            b'!' => self.metadata(),
            b'#' => self.hash(),
            b'^' => {
                self.position += 1;
                self.word();
                Token::Summary
            }
            b'"' => match self.quoted() {
                Some(text) => self.label_or(Name::Text(text), Token::Str(text)),
                None => Token::Bad("unterminated string"),
            },
            b'c' if self.peek(1) == b'"' => {
                self.position += 1;
                self.quoted().map_or(Token::Bad("unterminated string"), Token::CStr)
            }
            b'.' if self.peek(1) == b'.' && self.peek(2) == b'.' => {
                self.position += 3;
                Token::Ellipsis
            }
            b'0'..=b'9' => self.number(),
            b'-' | b'+' if self.peek(1).is_ascii_digit() => self.number(),
            _ if WORD[byte as usize] => {
                let word = self.word();
                self.label_or(Name::Text(word), Token::Word(word))
            }
            b'=' | b',' | b'*' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'<' | b'>' | b'|'
            | b':' => {
                self.position += 1;
                Token::Punct(byte)
            }
            _ => Token::Bad("unexpected character"),
        }
    }

    fn word(&mut self) -> &'a [u8] {
        let start = self.position;
        while self.text.get(self.position).is_some_and(|&b| WORD[b as usize]) {
            self.position += 1;
        }
        &self.text[start..self.position]
    }

    fn quoted(&mut self) -> Option<&'a [u8]> {
        let start = self.position + 1;
        let length = self.text[start..].iter().position(|&b| b == b'"')?;
        self.position = start + length + 1;
        Some(&self.text[start..start + length])
    }

    fn label_or(&mut self, name: Name<'a>, token: Token<'a>) -> Token<'a> {
        if self.peek(0) == b':' {
            self.position += 1;
            return Token::Label(name);
        }
        token
    }

    fn prefixed(&mut self, make: impl Fn(Name<'a>) -> Token<'a>) -> Token<'a> {
        self.position += 1;
        if self.peek(0) == b'"' {
            return match self.quoted() {
                Some(text) => make(Name::Text(text)),
                None => Token::Bad("unterminated string"),
            };
        }
        let word = self.word();
        if word.is_empty() {
            return Token::Bad("a name is missing");
        }
        if !word[0].is_ascii_digit() {
            return make(Name::Text(word));
        }
        decimal(word).map_or(Token::Bad("not a valid number of a value"), |n| make(Name::Number(n)))
    }

    fn metadata(&mut self) -> Token<'a> {
        self.position += 1;
        // Names of metadata escape odd characters as `\hh`.
        let start = self.position;
        while self.text.get(self.position).is_some_and(|&b| WORD[b as usize] || b == b'\\') {
            self.position += 1;
        }
        let word = &self.text[start..self.position];
        if word.is_empty() {
            Token::Bang
        } else if word[0].is_ascii_digit() {
            decimal(word).map_or(Token::Bad("not a valid metadata number"), Token::MetaId)
        } else {
            Token::Meta(word)
        }
    }

    fn hash(&mut self) -> Token<'a> {
        self.position += 1;
        let word = self.word();
        match word.first() {
            Some(b'0'..=b'9') => Token::AttributeGroup,
            Some(_) => Token::Record(word),
            None => Token::Bad("unexpected character"),
        }
    }

    fn number(&mut self) -> Token<'a> {
        let start = self.position;
        self.position += 1;
        loop {
            let byte = self.peek(0);
            let exponent_sign = matches!(byte, b'+' | b'-')
                && matches!(self.text[self.position - 1], b'e' | b'E')
                && !self.text[start..].starts_with(b"0x");
            if byte.is_ascii_alphanumeric() || byte == b'.' || exponent_sign {
                self.position += 1;
            } else {
                break;
            }
        }
        let text = &self.text[start..self.position];
        if self.peek(0) == b':'
            && let Some(number) = decimal(text)
        {
            self.position += 1;
            return Token::Label(Name::Number(number));
        }
        Token::Number(text)
    }
}

/// A decimal number of 32 bits.
fn decimal(digits: &[u8]) -> Option<u32> {
    if digits.is_empty() || digits.len() > 10 {
        return None;
    }
    digits.iter().try_fold(0u32, |value, &digit| {
        let digit = u32::from(digit.checked_sub(b'0').filter(|&d| d < 10)?);
        value.checked_mul(10)?.checked_add(digit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token<'_>> {
        let mut lexer = Lexer::new(text.as_bytes());
        let mut tokens = Vec::new();
        loop {
            lexer.skip_blanks();
            match lexer.token() {
                Token::End => return tokens,
                bad @ Token::Bad(_) => {
                    tokens.push(bad);
                    return tokens;
                }
                token => tokens.push(token),
            }
        }
    }

    #[test]
    fn names_and_numbers() {
        assert_eq!(
            tokens("%5 %x.y @\"a b\" -12 1.5e+10 0xK4000 i32 ; comment\n7: entry:"),
            vec![
                Token::Local(Name::Number(5)),
                Token::Local(Name::Text(b"x.y")),
                Token::Global(Name::Text(b"a b")),
                Token::Number(b"-12"),
                Token::Number(b"1.5e+10"),
                Token::Number(b"0xK4000"),
                Token::Word(b"i32"),
                Token::Label(Name::Number(7)),
                Token::Label(Name::Text(b"entry")),
            ]
        );
    }

    #[test]
    fn metadata_attributes_and_records() {
        assert_eq!(
            tokens("!5 !dbg !{ !\"s\" #3 #dbg_value ^1 $c ..."),
            vec![
                Token::MetaId(5),
                Token::Meta(b"dbg"),
                Token::Bang,
                Token::Punct(b'{'),
                Token::Bang,
                Token::Str(b"s"),
                Token::AttributeGroup,
                Token::Record(b"dbg_value"),
                Token::Summary,
                Token::Comdat,
                Token::Ellipsis,
            ]
        );
    }

    #[test]
    fn what_is_no_token_is_bad() {
        assert!(matches!(tokens("\"open")[0], Token::Bad(_)));
        assert!(matches!(tokens("%99999999999")[0], Token::Bad(_)));
        assert!(matches!(tokens("\u{7f}")[0], Token::Bad(_)));
    }
}
