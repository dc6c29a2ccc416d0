//! The source lines that take part in a violation, underlined.

use crate::names::Sources;
use crate::violation::{Involved, ViolationReport};
use crate::wrap::wrap;
use annotate_snippets::{AnnotationKind, Level, Origin, Renderer, Snippet, renderer::DecorStyle};
use std::ops::Range;

/// The headline and the source lines of a violation.
pub(crate) fn render(
    violation: &ViolationReport,
    sources: &Sources,
    width: usize,
    color: bool,
) -> String {
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.term_width(width).decor_style(DecorStyle::Ascii);
    let indent = "error[]: ".len() + violation.kind.len();
    let title = wrap(&violation.message, width.saturating_sub(indent)).join("\n");
    let title = Level::ERROR.primary_title(title).id(violation.kind.as_str());
    let mut group = annotate_snippets::Group::with_title(title);
    for (file, spots) in by_file(&violation.involved) {
        match sources.text(file) {
            Some(text) => group = group.element(snippet(file, text, &spots, width)),
            None => {
                for (_, spot) in spots {
                    let origin = Origin::path(file).line(spot.spot.line as usize);
                    group = group.element(origin);
                }
            }
        }
    }
    let mut out = renderer.render(&[group]);
    out.push('\n');
    out
}

/// The spots of each file with their place in the list, files in order of appearance.
fn by_file(involved: &[Involved]) -> Vec<(&str, Vec<(usize, &Involved)>)> {
    let mut files: Vec<(&str, Vec<(usize, &Involved)>)> = Vec::new();
    for (index, one) in involved.iter().enumerate() {
        match files.iter_mut().find(|(file, _)| *file == one.spot.file) {
            Some((_, spots)) => spots.push((index, one)),
            None => files.push((&one.spot.file, vec![(index, one)])),
        }
    }
    files
}

fn snippet<'a>(
    file: &'a str,
    text: &'a str,
    spots: &[(usize, &'a Involved)],
    width: usize,
) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let mut snippet = Snippet::source(text).path(file).line_start(1);
    let mut done: Vec<(Range<usize>, &str)> = Vec::new();
    for &(index, one) in spots {
        let span = underline(text, one.spot.line, one.spot.column);
        if done.contains(&(span.clone(), one.label.as_str())) {
            continue;
        }
        done.push((span.clone(), &one.label));
        let kind = if index == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
        let label = fit(&one.label, text, &span, width);
        snippet = snippet.annotation(kind.span(span).label(label));
    }
    snippet
}

/// Leaves a label out of the margin: what stands behind the underlined text must fit the width.
fn fit<'a>(label: &'a str, text: &str, span: &Range<usize>, width: usize) -> Option<&'a str> {
    let start = text[..span.start].rfind('\n').map_or(0, |newline| newline + 1);
    let gutter = 8;
    let used = text[start..span.end].chars().count() + gutter + label.chars().count();
    (used <= width).then_some(label)
}

/// The bytes of `text` to underline for a position: the call or name that starts there, or the
/// statement around it, or the whole line when the column is not known.
pub fn underline(text: &str, line: u32, column: u32) -> Range<usize> {
    let start = line_start(text, line);
    let content = text[start..].lines().next().unwrap_or("");
    let trimmed = trim(content, 0..content.len());
    let index = (column as usize).checked_sub(1).filter(|&index| content.is_char_boundary(index));
    let range = match index {
        Some(index) if index < content.len() => token(content, index),
        _ => trimmed,
    };
    start + range.start..start + range.end
}

fn line_start(text: &str, line: u32) -> usize {
    let mut start = 0;
    for _ in 1..line {
        match text[start..].find('\n') {
            Some(newline) => start += newline + 1,
            None => break,
        }
    }
    start
}

fn token(line: &str, index: usize) -> Range<usize> {
    let bytes = line.as_bytes();
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    if !is_name(bytes[index]) {
        return statement(line, index);
    }
    let mut end = index;
    while end < bytes.len() && is_name(bytes[end]) {
        end += 1;
    }
    if bytes.get(end) == Some(&b'(')
        && let Some(close) = closing(bytes, end)
    {
        end = close + 1;
    }
    index..end
}

/// The parenthesis that closes the one at `open`, on the same line.
fn closing(bytes: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0;
    for (index, byte) in bytes.iter().enumerate().skip(open) {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(index);
        }
    }
    None
}

/// The statement around an operator: up to the nearest `;`, `{` or `}` on both sides.
fn statement(line: &str, index: usize) -> Range<usize> {
    let is_end = |c: char| matches!(c, ';' | '{' | '}');
    let start = line[..index].rfind(is_end).map_or(0, |end| end + 1);
    let end = line[index..].find(is_end).map_or(line.len(), |end| index + end);
    if start >= end { trim(line, 0..line.len()) } else { trim(line, start..end) }
}

fn trim(line: &str, range: Range<usize>) -> Range<usize> {
    let part = &line[range.clone()];
    let start = range.start + (part.len() - part.trim_start().len());
    let end = range.end - (part.len() - part.trim_end().len());
    if start < end { start..end } else { range }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn underlined(text: &str, line: u32, column: u32) -> &str {
        &text[underline(text, line, column)]
    }

    #[test]
    fn what_is_underlined() {
        let text = "int x;\n  x = f(1, g(2)) + y; z();\n}\n";
        assert_eq!(underlined(text, 2, 5), "x = f(1, g(2)) + y");
        assert_eq!(underlined(text, 2, 7), "f(1, g(2))");
        assert_eq!(underlined(text, 2, 20), "y");
        assert_eq!(underlined(text, 2, 0), "x = f(1, g(2)) + y; z();");
        assert_eq!(underlined(text, 2, 99), "x = f(1, g(2)) + y; z();");
        assert_eq!(underlined(text, 3, 1), "}");
    }

    #[test]
    fn positions_outside_the_text_do_not_matter() {
        assert_eq!(underlined("", 4, 4), "");
        assert_eq!(underlined("one", 9, 1), "one");
    }
}
