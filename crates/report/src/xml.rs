//! Text as it may stand in XML.

/// Text for an attribute or an element. Characters that XML cannot have are left out.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(character),
            '\u{fffe}' | '\u{ffff}' => {}
            other if other < ' ' => {}
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_cannot_have_is_left_out() {
        assert_eq!(escaped("a<\"b\">&\u{1b}[31m\t\u{ffff}ü"), "a&lt;&quot;b&quot;&gt;&amp;[31m\tü");
    }
}
