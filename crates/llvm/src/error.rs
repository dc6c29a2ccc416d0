//! The one error of this crate.

use std::fmt;

/// Where the text could not be read, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// Line, from 1.
    pub line: usize,
    /// Column in bytes, from 1.
    pub column: usize,
    /// What was found and what was expected.
    pub message: String,
}

impl ReadError {
    /// An error at byte `offset` of `text`.
    pub(crate) fn at(text: &[u8], offset: usize, message: impl Into<String>) -> ReadError {
        let before = &text[..offset.min(text.len())];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |p| p + 1);
        ReadError { line, column: before.len() - start + 1, message: message.into() }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ReadError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one() {
        let error = ReadError::at(b"ab\ncd", 4, "x");
        assert_eq!((error.line, error.column), (2, 2));
        assert_eq!(ReadError::at(b"", 7, "x").to_string(), "1:1: x");
    }
}
