//! Metadata: kept as text, decoded one node at a time when someone asks.
//!
//! Debug information is often more than half of a module and little of it is ever looked at, so
//! the reader only finds where each node ends.

use crate::lexer::{Lexer, Name, Token};
use crate::names::unescape_text;
use rustc_hash::FxHashMap;

/// A metadata node: `!5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MetadataId(pub u32);

/// The value of a field of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Field {
    /// Another node.
    Node(MetadataId),
    /// A string.
    Text(String),
    /// An integer, also one behind a type (`i32 5`).
    Int(i128),
    /// A word: `DW_TAG_member`, `true`, `CSK_MD5`; of `A | B` the first.
    Word(String),
    /// `null`
    Null,
    /// Anything else: nested nodes, references to values.
    Other,
}

/// A decoded node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// `!{...}`
    Tuple(Vec<Field>),
    /// `!DIName(key: value, ...)`
    Special {
        /// The name behind `!`.
        name: String,
        /// Keys (empty for positional arguments) and values.
        fields: Vec<(String, Field)>,
    },
    /// Something else: a string, a typed constant.
    Other,
}

impl Node {
    /// The field `key`.
    pub fn field(&self, key: &str) -> Option<&Field> {
        match self {
            Node::Special { fields, .. } => fields.iter().find(|f| f.0 == key).map(|f| &f.1),
            _ => None,
        }
    }

    /// The node that `key` refers to.
    pub fn node(&self, key: &str) -> Option<MetadataId> {
        match self.field(key)? {
            Field::Node(id) => Some(*id),
            _ => None,
        }
    }

    /// The string or word at `key`.
    pub fn text(&self, key: &str) -> Option<&str> {
        match self.field(key)? {
            Field::Text(text) | Field::Word(text) => Some(text),
            _ => None,
        }
    }

    /// The number at `key`.
    pub fn int(&self, key: &str) -> Option<i128> {
        match self.field(key)? {
            Field::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// Whether it is a `!DIName(...)`.
    pub fn is(&self, kind: &str) -> bool {
        matches!(self, Node::Special { name, .. } if name == kind)
    }
}

/// All metadata of a module.
#[derive(Clone, Debug, Default)]
pub struct Metadata {
    text: Vec<u8>,
    nodes: FxHashMap<u32, (usize, usize)>,
    named: FxHashMap<String, Vec<MetadataId>>,
    inline: u32,
}

impl Metadata {
    pub(crate) fn define(&mut self, id: u32, text: &[u8]) -> bool {
        let start = self.text.len();
        self.text.extend_from_slice(text);
        self.nodes.insert(id, (start, self.text.len())).is_none()
    }

    /// Adds a node that stands in an instruction; its id counts down from the largest.
    pub(crate) fn define_inline(&mut self, text: &[u8]) -> MetadataId {
        let id = u32::MAX - self.inline;
        self.inline += 1;
        self.define(id, text);
        MetadataId(id)
    }

    pub(crate) fn define_named(&mut self, name: String, nodes: Vec<MetadataId>) {
        self.named.insert(name, nodes);
    }

    /// The nodes of `!name = !{...}`.
    pub fn named(&self, name: &str) -> &[MetadataId] {
        self.named.get(name).map_or(&[], Vec::as_slice)
    }

    /// Decodes a node; `None`: there is no such node.
    pub fn node(&self, id: MetadataId) -> Option<Node> {
        let &(start, end) = self.nodes.get(&id.0)?;
        Some(Decoder::new(&self.text[start..end]).node())
    }
}

/// The length of the node that starts `text` (behind `=` and `distinct`): up to the closing
/// bracket, or, for a node without brackets, up to the end of the line or the next comma or bracket.
pub(crate) fn node_length(text: &[u8]) -> Option<usize> {
    let mut depth = 0usize;
    let mut i = 0;
    while i < text.len() {
        match text[i] {
            b'"' => i += 1 + text[i + 1..].iter().position(|&b| b == b'"')?,
            b'(' | b'{' | b'[' => depth += 1,
            b')' | b'}' | b']' if depth == 0 => return Some(i),
            b')' | b'}' | b']' => {
                depth -= 1;
                if depth == 0 {
                    return Some(i + 1);
                }
            }
            b'\n' | b',' if depth == 0 => return Some(i),
            _ => {}
        }
        i += 1;
    }
    (depth == 0).then_some(i)
}

struct Decoder<'a> {
    lexer: Lexer<'a>,
    token: Token<'a>,
}

impl<'a> Decoder<'a> {
    fn new(text: &'a [u8]) -> Decoder<'a> {
        let mut decoder = Decoder { lexer: Lexer::new(text), token: Token::End };
        decoder.next();
        decoder
    }

    fn next(&mut self) {
        self.lexer.skip_blanks();
        self.token = self.lexer.token();
    }

    fn node(&mut self) -> Node {
        match self.token {
            Token::Bang => {
                self.next();
                if self.token != Token::Punct(b'{') {
                    return Node::Other;
                }
                self.next();
                Node::Tuple(self.fields(b'}').into_iter().map(|f| f.1).collect())
            }
            Token::Meta(name) => {
                let name = String::from_utf8_lossy(name).into_owned();
                self.next();
                if self.token != Token::Punct(b'(') {
                    return Node::Other;
                }
                self.next();
                Node::Special { name, fields: self.fields(b')') }
            }
            _ => Node::Other,
        }
    }

    /// `key: value` or `value`, up to the closing bracket.
    fn fields(&mut self, close: u8) -> Vec<(String, Field)> {
        let mut fields = Vec::new();
        while self.token != Token::Punct(close) {
            let mut key = String::new();
            if let Token::Label(Name::Text(name)) = self.token {
                key = String::from_utf8_lossy(name).into_owned();
                self.next();
            }
            let value = self.value();
            fields.push((key, value));
            if !self.skip_to_comma(close) {
                break;
            }
        }
        fields
    }

    fn value(&mut self) -> Field {
        let field = match self.token {
            Token::MetaId(id) => Field::Node(MetadataId(id)),
            Token::Str(text) => Field::Text(unescape_text(text)),
            Token::Number(text) => number(text),
            Token::Word(b"null") => Field::Null,
            Token::Word(word) => {
                self.next();
                // `i32 5`: what matters is the number.
                return match self.token {
                    Token::Number(text) => {
                        self.next();
                        number(text)
                    }
                    _ => Field::Word(String::from_utf8_lossy(word).into_owned()),
                };
            }
            Token::Bang => {
                self.next();
                match self.token {
                    Token::Str(text) => Field::Text(unescape_text(text)),
                    _ => return Field::Other,
                }
            }
            _ => return Field::Other,
        };
        self.next();
        field
    }

    /// Moves behind the next comma at this depth, or to `close`; false at the end of the text.
    fn skip_to_comma(&mut self, close: u8) -> bool {
        let mut depth = 0;
        loop {
            match self.token {
                Token::End | Token::Bad(_) => return false,
                Token::Punct(byte) if depth == 0 && byte == close => return true,
                Token::Punct(b',') if depth == 0 => {
                    self.next();
                    return true;
                }
                Token::Punct(b'(' | b'{' | b'[') => depth += 1,
                Token::Punct(b')' | b'}' | b']') => depth -= 1,
                _ => {}
            }
            if depth < 0 {
                return false;
            }
            self.next();
        }
    }
}

fn number(text: &[u8]) -> Field {
    let text = std::str::from_utf8(text).unwrap_or("");
    text.parse().map_or(Field::Other, Field::Int)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(text: &str) -> Node {
        let mut metadata = Metadata::default();
        metadata.define(1, text.as_bytes());
        metadata.node(MetadataId(1)).unwrap()
    }

    #[test]
    fn special_nodes_have_fields() {
        let node = node(
            r#"!DILocalVariable(name: "a\22", scope: !5, line: 4, flags: A | B, e: !DIExpression(1, 2), t: null)"#,
        );
        assert!(node.is("DILocalVariable"));
        assert_eq!(node.text("name"), Some("a\""));
        assert_eq!(node.node("scope"), Some(MetadataId(5)));
        assert_eq!(node.int("line"), Some(4));
        assert_eq!(node.text("flags"), Some("A"));
        assert_eq!(node.field("e"), Some(&Field::Other));
        assert_eq!(node.field("t"), Some(&Field::Null));
    }

    #[test]
    fn tuples_keep_their_order() {
        let expected = vec![Field::Node(MetadataId(3)), Field::Int(7), Field::Text("x".into())];
        assert_eq!(node(r#"!{!3, i32 7, !"x"}"#), Node::Tuple(expected));
    }

    #[test]
    fn broken_nodes_end() {
        for text in ["!{", "!{(", "!DIX(a: ", "!DIX(a: ,,)", "!{)}", "!", ""] {
            node(text);
        }
    }

    #[test]
    fn a_node_ends_at_its_bracket() {
        assert_eq!(node_length(b"!{!\"a)}\", !2} rest"), Some(13));
        assert_eq!(node_length(b"!\"s\"\n"), Some(4));
        assert_eq!(node_length(b"!DIX(a: (1)), x"), Some(12));
        assert_eq!(node_length(b"!{"), None);
    }
}
