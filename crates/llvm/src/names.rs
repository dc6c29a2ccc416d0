//! Interned names.

use rustc_hash::FxHashMap;

/// A name of a symbol, a type or a local.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NameId(pub u32);

/// All names of a module, each once.
#[derive(Clone, Debug, Default)]
pub struct Names {
    texts: Vec<Box<str>>,
    ids: FxHashMap<Box<str>, NameId>,
}

impl Names {
    /// The text of a name.
    pub fn text(&self, id: NameId) -> &str {
        &self.texts[id.0 as usize]
    }

    /// The id of `text`, if it is a name of this module.
    pub fn find(&self, text: &str) -> Option<NameId> {
        self.ids.get(text).copied()
    }

    pub(crate) fn intern(&mut self, text: &str) -> NameId {
        if let Some(&id) = self.ids.get(text) {
            return id;
        }
        let id = NameId(self.texts.len() as u32);
        self.texts.push(text.into());
        self.ids.insert(text.into(), id);
        id
    }
}

/// Decodes the escapes `\\` and `\hh` of a quoted string.
pub(crate) fn unescape(raw: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(raw.len());
    let mut i = 0;
    while i < raw.len() {
        let digit = |at: usize| raw.get(at).and_then(|&b| (b as char).to_digit(16));
        match (raw[i], digit(i + 1), digit(i + 2)) {
            (b'\\', Some(high), Some(low)) => {
                bytes.push((high * 16 + low) as u8);
                i += 3;
            }
            (b'\\', ..) if raw.get(i + 1) == Some(&b'\\') => {
                bytes.push(b'\\');
                i += 2;
            }
            (byte, ..) => {
                bytes.push(byte);
                i += 1;
            }
        }
    }
    bytes
}

/// The text of a quoted string; bytes that are not UTF-8 become `\hh`.
pub(crate) fn unescape_text(raw: &[u8]) -> String {
    let bytes = if raw.contains(&b'\\') { unescape(raw) } else { raw.to_vec() };
    match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => error
            .as_bytes()
            .iter()
            .map(|&b| if b < 128 { (b as char).to_string() } else { format!("\\{b:02X}") })
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_decoded() {
        assert_eq!(unescape(br"a\22\00\\b\"), b"a\"\0\\b\\");
        assert_eq!(unescape_text(br"\C3\A4"), "ä");
        assert_eq!(unescape_text(br"x\FF"), "x\\FF");
    }

    #[test]
    fn a_name_has_one_id() {
        let mut names = Names::default();
        let id = names.intern("main");
        assert_eq!(names.intern("main"), id);
        assert_ne!(names.intern("other"), id);
        assert_eq!((names.text(id), names.find("none")), ("main", None));
    }
}
