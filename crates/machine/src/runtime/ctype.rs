//! `ctype.h` in the C locale, as functions. The tables that glibc's macros read are built on
//! demand in the memory of the thread that asks for them.

use super::context::int;
use super::{Cx, Entry};
use crate::thread::Stop;
use norn_action::Mode;

pub(crate) const FUNCTIONS: &[Entry] = &[
    ("isalpha", "whether a character is a letter", |cx| is(cx, |c| c.is_ascii_alphabetic())),
    ("isdigit", "whether a character is a digit", |cx| is(cx, |c| c.is_ascii_digit())),
    ("isalnum", "whether a character is a letter or digit", |cx| {
        is(cx, |c| c.is_ascii_alphanumeric())
    }),
    ("isspace", "whether a character is white space", |cx| is(cx, space)),
    ("isblank", "whether a character is a blank or tab", |cx| is(cx, blank)),
    ("isupper", "whether a character is an upper-case letter", |cx| {
        is(cx, |c| c.is_ascii_uppercase())
    }),
    ("islower", "whether a character is a lower-case letter", |cx| {
        is(cx, |c| c.is_ascii_lowercase())
    }),
    ("isxdigit", "whether a character is a hexadecimal digit", |cx| {
        is(cx, |c| c.is_ascii_hexdigit())
    }),
    ("ispunct", "whether a character is punctuation", |cx| is(cx, |c| c.is_ascii_punctuation())),
    ("isprint", "whether a character is printable", |cx| is(cx, print)),
    ("isgraph", "whether a character is visible", |cx| is(cx, |c| c.is_ascii_graphic())),
    ("iscntrl", "whether a character is a control character", |cx| {
        is(cx, |c| c.is_ascii_control())
    }),
    ("toupper", "the upper-case letter", |cx| map(cx, |c| c.to_ascii_uppercase())),
    ("tolower", "the lower-case letter", |cx| map(cx, |c| c.to_ascii_lowercase())),
    ("__ctype_b_loc", "glibc's table of character classes", class_table),
    ("__ctype_toupper_loc", "glibc's table of upper-case letters", upper_table),
    ("__ctype_tolower_loc", "glibc's table of lower-case letters", lower_table),
];

fn blank(c: u8) -> bool {
    c == b' ' || c == b'\t'
}

/// White space, the vertical tab included.
pub(crate) fn space(c: u8) -> bool {
    c == b' ' || (9..=13).contains(&c)
}

fn print(c: u8) -> bool {
    (32..127).contains(&c)
}

fn is(cx: &mut Cx<'_>, class: fn(u8) -> bool) -> Result<u128, Stop> {
    let c = cx.arg(0) as u32;
    int((c < 256 && class(c as u8)).into())
}

fn map(cx: &mut Cx<'_>, function: fn(u8) -> u8) -> Result<u128, Stop> {
    let c = cx.arg(0) as u32;
    Ok(if c < 256 { function(c as u8).into() } else { c.into() })
}

/// glibc's class bits of a character, as its headers lay them out on little-endian machines.
fn classes(c: u8) -> u16 {
    let bits = [
        (c.is_ascii_uppercase(), 0x100),
        (c.is_ascii_lowercase(), 0x200),
        (c.is_ascii_alphabetic(), 0x400),
        (c.is_ascii_digit(), 0x800),
        (c.is_ascii_hexdigit(), 0x1000),
        (space(c), 0x2000),
        (print(c), 0x4000),
        (c.is_ascii_graphic(), 0x8000),
        (blank(c), 0x1),
        (c.is_ascii_control(), 0x2),
        (c.is_ascii_punctuation(), 0x4),
        (c.is_ascii_alphanumeric(), 0x8),
    ];
    bits.iter().filter(|bit| bit.0).map(|bit| bit.1).sum()
}

/// A table for characters -128 to 255, and a pointer to it, made once a thread; the pointer's
/// address.
fn table(cx: &mut Cx<'_>, which: usize, size: u64, entry: fn(u8) -> u32) -> Result<u128, Stop> {
    let known = cx.step(|_, t| Ok(t.rest.tables[which].into()))?;
    if known != 0 {
        return Ok(known);
    }
    let address = cx.allocate(384 * size, 16, true)?;
    for c in 0..128u8 {
        let at = address + (128 + u64::from(c)) * size;
        cx.store(at, size as u8, Mode::Plain, entry(c).into())?;
    }
    let pointer = cx.allocate(8, 16, true)?;
    cx.store(pointer, 8, Mode::Plain, address + 128 * size)?;
    cx.once(|t| {
        t.rest_mut().tables[which] = pointer;
        0
    })?;
    Ok(pointer.into())
}

fn class_table(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    table(cx, 0, 2, |c| classes(c).into())
}

fn upper_table(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    table(cx, 1, 4, |c| c.to_ascii_uppercase().into())
}

fn lower_table(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    table(cx, 2, 4, |c| c.to_ascii_lowercase().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_those_of_the_c_locale() {
        assert_eq!(classes(b'A'), 0x100 | 0x400 | 0x1000 | 0x4000 | 0x8000 | 0x8);
        assert_eq!(classes(b' '), 0x2000 | 0x4000 | 0x1);
        assert_eq!(classes(b'\n'), 0x2000 | 0x2);
        assert!(space(11));
    }
}
