//! `string.h`, as far as it is about strings (`memory` has the rest).

use super::context::int;
use super::{Cx, Entry};
use crate::thread::Stop;
use norn_action::Mode;
use std::cmp::Ordering;

pub(crate) const FUNCTIONS: &[Entry] = &[
    ("strlen", "length of a string", strlen),
    ("strnlen", "length of a string, at most a limit", strnlen),
    ("strcpy", "copies a string", strcpy),
    ("stpcpy", "copies a string; its end", stpcpy),
    ("strncpy", "copies a string, padded with zeros", strncpy),
    ("strcat", "appends a string", strcat),
    ("strncat", "appends the start of a string", strncat),
    ("__strcpy_chk", "copies a string", strcpy),
    ("__strncpy_chk", "copies a string, padded with zeros", strncpy),
    ("__strcat_chk", "appends a string", strcat),
    ("strcmp", "compares strings", strcmp),
    ("strcoll", "compares strings", strcmp),
    ("strncmp", "compares the starts of strings", strncmp),
    ("strcasecmp", "compares strings without regard to case", strcasecmp),
    ("strncasecmp", "compares the starts of strings without regard to case", strncasecmp),
    ("strchr", "finds a character", strchr),
    ("strrchr", "finds the last such character", strrchr),
    ("strchrnul", "finds a character or the end", strchrnul),
    ("strstr", "finds a string", strstr),
    ("strspn", "length of a start made of some characters", strspn),
    ("strcspn", "length of a start made of other characters", strcspn),
    ("strpbrk", "finds one of some characters", strpbrk),
    ("strtok", "next token of a string", strtok),
    ("strtok_r", "next token of a string", strtok_r),
    ("strerror", "a text for an error number", strerror),
];

/// Those that access no memory of the program.
pub(super) const APART: &[&str] = &["strerror"];

fn strlen(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let address = cx.arg(0);
    Ok(cx.string(address)?.len() as u128)
}

fn strnlen(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (address, limit) = (cx.arg(0), cx.arg(1));
    Ok(cx.string_up_to(address, limit)?.len() as u128)
}

fn copy(cx: &mut Cx<'_>, to: u64, from: u64, limit: u64) -> Result<u64, Stop> {
    let mut bytes = cx.string_up_to(from, limit)?;
    bytes.push(0);
    cx.write_bytes(to, &bytes)?;
    Ok(to + bytes.len() as u64 - 1)
}

fn strcpy(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (to, from) = (cx.arg(0), cx.arg(1));
    copy(cx, to, from, u64::MAX)?;
    Ok(to.into())
}

fn stpcpy(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (to, from) = (cx.arg(0), cx.arg(1));
    Ok(copy(cx, to, from, u64::MAX)?.into())
}

fn strncpy(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (to, from, limit) = (cx.arg(0), cx.arg(1), cx.arg(2));
    let mut bytes = cx.string_up_to(from, limit)?;
    bytes.resize(limit as usize, 0);
    cx.write_bytes(to, &bytes)?;
    Ok(to.into())
}

fn strcat(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (to, from) = (cx.arg(0), cx.arg(1));
    let end = to + cx.string(to)?.len() as u64;
    copy(cx, end, from, u64::MAX)?;
    Ok(to.into())
}

fn strncat(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (to, from, limit) = (cx.arg(0), cx.arg(1), cx.arg(2));
    let end = to + cx.string(to)?.len() as u64;
    copy(cx, end, from, limit)?;
    Ok(to.into())
}

fn compare(cx: &mut Cx<'_>, limit: u64, fold: fn(u8) -> u8) -> Result<u128, Stop> {
    let (a, b) = (cx.arg(0), cx.arg(1));
    for i in 0..limit {
        let x = fold(cx.load(a + i, 1, Mode::Plain)? as u8);
        let y = fold(cx.load(b + i, 1, Mode::Plain)? as u8);
        match x.cmp(&y) {
            Ordering::Less => return int(-1),
            Ordering::Greater => return int(1),
            Ordering::Equal if x == 0 => break,
            Ordering::Equal => {}
        }
    }
    int(0)
}

fn strcmp(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    compare(cx, u64::MAX, |byte| byte)
}

fn strncmp(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    compare(cx, cx.arg(2), |byte| byte)
}

fn strcasecmp(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    compare(cx, u64::MAX, |byte| byte.to_ascii_lowercase())
}

fn strncasecmp(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    compare(cx, cx.arg(2), |byte| byte.to_ascii_lowercase())
}

/// The string at the first argument with its terminating zero.
fn whole(cx: &mut Cx<'_>, i: usize) -> Result<Vec<u8>, Stop> {
    let mut bytes = cx.string(cx.arg(i))?;
    bytes.push(0);
    Ok(bytes)
}

/// A position in the first argument as a pointer; null for none.
fn pointer(cx: &Cx<'_>, position: Option<usize>) -> Result<u128, Stop> {
    Ok(position.map_or(0, |i| u128::from(cx.arg(0) + i as u64)))
}

fn strchr(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let byte = cx.arg(1) as u8;
    let position = whole(cx, 0)?.iter().position(|&b| b == byte);
    pointer(cx, position)
}

fn strrchr(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let byte = cx.arg(1) as u8;
    let position = whole(cx, 0)?.iter().rposition(|&b| b == byte);
    pointer(cx, position)
}

fn strchrnul(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let byte = cx.arg(1) as u8;
    let position = whole(cx, 0)?.iter().position(|&b| b == byte || b == 0);
    pointer(cx, position)
}

fn strstr(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let text = cx.string(cx.arg(0))?;
    let part = cx.string(cx.arg(1))?;
    if part.is_empty() {
        return pointer(cx, Some(0));
    }
    let position = text.windows(part.len()).position(|window| window == part);
    pointer(cx, position)
}

/// How far the string at `address` consists of bytes that are (or are not) in `set`.
fn span(cx: &mut Cx<'_>, address: u64, set: &[u8], inside: bool) -> Result<u64, Stop> {
    let text = cx.string(address)?;
    Ok(text.iter().take_while(|byte| set.contains(byte) == inside).count() as u64)
}

fn strspn(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let set = cx.string(cx.arg(1))?;
    Ok(span(cx, cx.arg(0), &set, true)?.into())
}

fn strcspn(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let set = cx.string(cx.arg(1))?;
    Ok(span(cx, cx.arg(0), &set, false)?.into())
}

fn strpbrk(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let set = cx.string(cx.arg(1))?;
    let text = cx.string(cx.arg(0))?;
    let position = text.iter().position(|byte| set.contains(byte));
    pointer(cx, position)
}

/// The token from `start` on, and where the next search begins (zero at the end).
fn token(cx: &mut Cx<'_>, start: u64, set: &[u8]) -> Result<(u64, u64), Stop> {
    if start == 0 {
        return Ok((0, 0));
    }
    let begin = start + span(cx, start, set, true)?;
    let length = span(cx, begin, set, false)?;
    if length == 0 {
        return Ok((0, 0));
    }
    let end = begin + length;
    if cx.load(end, 1, Mode::Plain)? == 0 {
        return Ok((begin, 0));
    }
    cx.store(end, 1, Mode::Plain, 0)?;
    Ok((begin, end + 1))
}

fn strtok(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let text = cx.arg(0);
    let set = cx.string(cx.arg(1))?;
    let saved = cx.step(|_, t| Ok(t.rest.token.into()))? as u64;
    let (begin, next) = token(cx, if text == 0 { saved } else { text }, &set)?;
    cx.once(|t| {
        t.rest_mut().token = next;
        0
    })?;
    Ok(begin.into())
}

fn strtok_r(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (text, state) = (cx.arg(0), cx.arg(2));
    let set = cx.string(cx.arg(1))?;
    let start = if text == 0 { cx.load(state, 8, Mode::Plain)? } else { text };
    let (begin, next) = token(cx, start, &set)?;
    cx.store(state, 8, Mode::Plain, next)?;
    Ok(begin.into())
}

/// The text for an error number.
pub(crate) fn error_text(code: u64) -> String {
    let text = match code {
        0 => "Success",
        1 => "Operation not permitted",
        11 => "Resource temporarily unavailable",
        12 => "Cannot allocate memory",
        16 => "Device or resource busy",
        22 => "Invalid argument",
        34 => "Numerical result out of range",
        35 => "Resource deadlock avoided",
        110 => "Connection timed out",
        _ => return format!("Unknown error {code}"),
    };
    text.to_owned()
}

fn strerror(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let mut text = error_text(cx.arg(0) & 0xffff_ffff).into_bytes();
    text.push(0);
    let copy = cx.allocate(text.len() as u64, 1, false)?;
    cx.write_bytes(copy, &text)?;
    Ok(copy.into())
}
