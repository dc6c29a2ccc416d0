//! The format language of `printf`.

use super::Cx;
use crate::thread::Stop;
use norn_action::{Conversion, Mode, Obstacle};

/// Where the values to print come from.
pub(crate) enum Arguments<'a> {
    /// Cells of a variadic call.
    Cells(&'a [u64], usize),
    /// The overflow area of a `va_list`: all of it, as the machine's `va_start` sets it up.
    Area(u64),
}

impl Arguments<'_> {
    fn next(&mut self, cx: &mut Cx<'_>) -> Result<u64, Stop> {
        match self {
            Arguments::Cells(cells, next) => {
                *next += 1;
                Ok(cells.get(*next - 1).copied().unwrap_or(0))
            }
            Arguments::Area(address) => {
                *address += 8;
                cx.load(*address - 8, 8, Mode::Plain)
            }
        }
    }

    /// A `long double`: 16 bytes at a multiple of 16, held as a double in the lower half.
    fn next_long(&mut self, cx: &mut Cx<'_>) -> Result<u64, Stop> {
        match self {
            Arguments::Cells(_, next) => *next = next.next_multiple_of(2),
            Arguments::Area(address) => *address = address.next_multiple_of(16),
        }
        let value = self.next(cx)?;
        self.next(cx)?;
        Ok(value)
    }
}

/// A conversion: flags, width, precision, length, letter.
#[derive(Clone, Debug, Default)]
struct Spec {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    /// Bits of an integer.
    bits: u32,
    long_double: bool,
    letter: u8,
}

/// Formats `text` with the values of `args`.
pub(crate) fn format(
    cx: &mut Cx<'_>,
    text: &[u8],
    args: &mut Arguments<'_>,
) -> Result<Vec<u8>, Stop> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        let (spec, after) = parse(cx, rest, args)?;
        rest = after;
        convert(cx, &spec, args, &mut out)?;
    }
    Ok(out)
}

/// Reads a conversion after its `%`; the rest of the text.
fn parse<'t>(
    cx: &mut Cx<'_>,
    mut text: &'t [u8],
    args: &mut Arguments<'_>,
) -> Result<(Spec, &'t [u8]), Stop> {
    let mut spec = Spec { bits: 32, ..Spec::default() };
    while let Some((&byte, after)) = text.split_first() {
        match byte {
            b'-' => spec.left = true,
            b'+' => spec.plus = true,
            b' ' => spec.space = true,
            b'#' => spec.alternate = true,
            b'0' => spec.zero = true,
            _ => break,
        }
        text = after;
    }
    let (width, after) = number(cx, text, args)?;
    text = after;
    spec.left |= width.is_some_and(|width| width < 0);
    spec.width = width.unwrap_or(0).unsigned_abs() as usize;
    if let Some((b'.', after)) = text.split_first() {
        let (precision, after) = number(cx, after, args)?;
        text = after;
        spec.precision = usize::try_from(precision.unwrap_or(0)).ok();
    }
    while let Some((&byte, after)) = text.split_first() {
        spec.bits = match (byte, spec.bits) {
            (b'h', 16) => 8,
            (b'h', _) => 16,
            (b'l' | b'j' | b'z' | b't' | b'q', _) => 64,
            (b'L', bits) => {
                spec.long_double = true;
                bits
            }
            _ => break,
        };
        text = after;
    }
    match text.split_first() {
        Some((&letter, after)) => {
            spec.letter = letter;
            text = after;
        }
        None => spec.letter = b'%',
    }
    Ok((spec, text))
}

/// A width or precision: digits, or `*` for the next value.
fn number<'t>(
    cx: &mut Cx<'_>,
    text: &'t [u8],
    args: &mut Arguments<'_>,
) -> Result<(Option<i64>, &'t [u8]), Stop> {
    if let Some((b'*', after)) = text.split_first() {
        return Ok((Some(i64::from(args.next(cx)? as i32)), after));
    }
    let length = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let digits = std::str::from_utf8(&text[..length]).unwrap_or("");
    Ok((digits.parse().ok(), &text[length..]))
}

fn convert(
    cx: &mut Cx<'_>,
    spec: &Spec,
    args: &mut Arguments<'_>,
    out: &mut Vec<u8>,
) -> Result<(), Stop> {
    match spec.letter {
        b'%' => out.push(b'%'),
        b'd' | b'i' => {
            let shift = 64 - spec.bits;
            let value = ((args.next(cx)? << shift) as i64) >> shift;
            integer(spec, value < 0, value.unsigned_abs(), 10, out);
        }
        b'u' | b'o' | b'x' | b'X' => {
            let value = args.next(cx)? & (u64::MAX >> (64 - spec.bits));
            let base = [(b'u', 10), (b'o', 8)].iter().find(|pair| pair.0 == spec.letter);
            integer(spec, false, value, base.map_or(16, |pair| pair.1), out);
        }
        b'c' => pad(spec, &[args.next(cx)? as u8], out),
        b's' => {
            let address = args.next(cx)?;
            let limit = spec.precision.map_or(u64::MAX, |precision| precision as u64);
            let text = match address {
                0 => b"(null)".to_vec(),
                _ => cx.string_up_to(address, limit)?,
            };
            pad(spec, &text, out);
        }
        b'p' => {
            let text = match args.next(cx)? {
                0 => "(nil)".to_owned(),
                value => format!("{value:#x}"),
            };
            pad(spec, text.as_bytes(), out);
        }
        b'n' => {
            let address = args.next(cx)?;
            cx.store(address, (spec.bits / 8) as u8, Mode::Plain, out.len() as u64)?;
        }
        b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => {
            let bits = if spec.long_double { args.next_long(cx)? } else { args.next(cx)? };
            float(spec, f64::from_bits(bits), out);
        }
        other => return Err(cx.unsupported(Obstacle::Conversion(Conversion::Printf, other))),
    }
    Ok(())
}

/// Pads text with blanks to the width.
fn pad(spec: &Spec, text: &[u8], out: &mut Vec<u8>) {
    let blanks = spec.width.saturating_sub(text.len());
    if !spec.left {
        out.extend(std::iter::repeat_n(b' ', blanks));
    }
    out.extend_from_slice(text);
    if spec.left {
        out.extend(std::iter::repeat_n(b' ', blanks));
    }
}

/// Puts sign, zeros to the width if asked for, and digits together.
fn signed(spec: &Spec, sign: &str, prefix: &str, digits: &str, zeros: bool, out: &mut Vec<u8>) {
    let length = sign.len() + prefix.len() + digits.len();
    let fill = if zeros && !spec.left { spec.width.saturating_sub(length) } else { 0 };
    let text = format!("{sign}{prefix}{}{digits}", "0".repeat(fill));
    pad(spec, text.as_bytes(), out);
}

fn sign_of(spec: &Spec, negative: bool) -> &'static str {
    match (negative, spec.plus, spec.space) {
        (true, ..) => "-",
        (_, true, _) => "+",
        (_, _, true) => " ",
        _ => "",
    }
}

fn integer(spec: &Spec, negative: bool, value: u64, base: u32, out: &mut Vec<u8>) {
    let mut digits = match (base, spec.letter) {
        (10, _) => value.to_string(),
        (8, _) => format!("{value:o}"),
        (_, b'X') => format!("{value:X}"),
        _ => format!("{value:x}"),
    };
    let precision = spec.precision.unwrap_or(1);
    if digits.len() < precision {
        digits.insert_str(0, &"0".repeat(precision - digits.len()));
    }
    if value == 0 && spec.precision == Some(0) {
        digits.clear();
    }
    if base == 8 && spec.alternate && !digits.starts_with('0') {
        digits.insert(0, '0');
    }
    let prefix = match (base, spec.alternate && value != 0, spec.letter) {
        (16, true, b'X') => "0X",
        (16, true, _) => "0x",
        _ => "",
    };
    let is_signed = matches!(spec.letter, b'd' | b'i');
    let sign = if is_signed { sign_of(spec, negative) } else { "" };
    signed(spec, sign, prefix, &digits, spec.zero && spec.precision.is_none(), out);
}

fn float(spec: &Spec, value: f64, out: &mut Vec<u8>) {
    let sign = sign_of(spec, value.is_sign_negative());
    let magnitude = value.abs();
    let lower = spec.letter.to_ascii_lowercase();
    let (prefix, mut digits) = if magnitude.is_nan() {
        ("", "nan".to_owned())
    } else if magnitude.is_infinite() {
        ("", "inf".to_owned())
    } else {
        match lower {
            b'f' => ("", fixed(magnitude, spec.precision.unwrap_or(6), spec.alternate)),
            b'e' => ("", exponential(magnitude, spec.precision.unwrap_or(6), spec.alternate)),
            b'g' => ("", general(magnitude, spec.precision.unwrap_or(6), spec.alternate)),
            _ => ("0x", hexadecimal(magnitude, spec.precision)),
        }
    };
    let mut prefix = prefix.to_owned();
    if spec.letter.is_ascii_uppercase() {
        digits.make_ascii_uppercase();
        prefix.make_ascii_uppercase();
    }
    signed(spec, sign, &prefix, &digits, spec.zero && magnitude.is_finite(), out);
}

fn fixed(value: f64, precision: usize, point: bool) -> String {
    let text = format!("{value:.precision$}");
    if point && precision == 0 { text + "." } else { text }
}

fn exponential(value: f64, precision: usize, point: bool) -> String {
    let text = format!("{value:.precision$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let dot = if point && precision == 0 { "." } else { "" };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}{dot}e{sign}{:02}", exponent.abs())
}

fn general(value: f64, precision: usize, keep_zeros: bool) -> String {
    let precision = precision.max(1);
    let text = format!("{value:.*e}", precision - 1);
    let exponent: i32 = text.split_once('e').and_then(|(_, e)| e.parse().ok()).unwrap_or(0);
    let fits = exponent >= -4 && i64::from(exponent) < precision as i64;
    let mut digits = if fits {
        fixed(value, (precision as i64 - 1 - i64::from(exponent)) as usize, keep_zeros)
    } else {
        exponential(value, precision - 1, keep_zeros)
    };
    if !keep_zeros {
        let (mantissa, exponent) = match digits.find('e') {
            Some(at) => digits.split_at(at),
            None => (digits.as_str(), ""),
        };
        if mantissa.contains('.') {
            let mantissa = mantissa.trim_end_matches('0').trim_end_matches('.');
            digits = format!("{mantissa}{exponent}");
        }
    }
    digits
}

fn hexadecimal(value: f64, precision: Option<usize>) -> String {
    if value == 0.0 {
        return match precision {
            Some(n) if n > 0 => format!("0.{}p+0", "0".repeat(n)),
            _ => "0p+0".to_owned(),
        };
    }
    let bits = value.to_bits();
    let field = (bits >> 52 & 0x7ff) as i32;
    let exponent = if field == 0 { -1022 } else { field - 1023 };
    let mut mantissa = bits & ((1 << 52) - 1) | u64::from(field != 0) << 52;
    let kept = precision.unwrap_or(13).min(13);
    let drop = 4 * (13 - kept) as u32;
    if drop > 0 {
        let half = 1u64 << (drop - 1);
        let rest = mantissa & ((1 << drop) - 1);
        mantissa >>= drop;
        if rest > half || (rest == half && mantissa & 1 == 1) {
            mantissa += 1;
        }
        mantissa <<= drop;
    }
    let lead = mantissa >> 52;
    let mut fraction = format!("{:013x}", mantissa & ((1 << 52) - 1));
    match precision {
        Some(n) => {
            fraction.truncate(kept);
            fraction.push_str(&"0".repeat(n.saturating_sub(kept)));
        }
        None => fraction.truncate(fraction.trim_end_matches('0').len()),
    }
    let dot = if fraction.is_empty() { "" } else { "." };
    format!("{lead}{dot}{fraction}p{exponent:+}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(spec: Spec, value: f64) -> String {
        let mut out = Vec::new();
        float(&spec, value, &mut out);
        String::from_utf8(out).expect("ascii")
    }

    fn spec(letter: u8) -> Spec {
        Spec { letter, bits: 32, ..Spec::default() }
    }

    #[test]
    fn floats_look_as_in_c() {
        assert_eq!(shown(spec(b'f'), 1.5), "1.500000");
        assert_eq!(shown(spec(b'e'), 12345.678), "1.234568e+04");
        assert_eq!(shown(spec(b'g'), 100000.0), "100000");
        assert_eq!(shown(spec(b'g'), 1000000.0), "1e+06");
        assert_eq!(shown(spec(b'g'), 0.0001), "0.0001");
        assert_eq!(shown(spec(b'g'), 0.00001), "1e-05");
        assert_eq!(shown(spec(b'a'), 1.5), "0x1.8p+0");
        assert_eq!(shown(spec(b'f'), f64::NEG_INFINITY), "-inf");
        let padded = Spec { width: 8, zero: true, precision: Some(2), ..spec(b'f') };
        assert_eq!(shown(padded, -1.5), "-0001.50");
    }

    #[test]
    fn integers_look_as_in_c() {
        let shown = |spec: &Spec, negative, value, base| {
            let mut out = Vec::new();
            integer(spec, negative, value, base, &mut out);
            String::from_utf8(out).expect("ascii")
        };
        assert_eq!(shown(&Spec { width: 5, ..spec(b'd') }, true, 42, 10), "  -42");
        assert_eq!(shown(&Spec { width: 5, zero: true, ..spec(b'd') }, true, 42, 10), "-0042");
        assert_eq!(shown(&Spec { alternate: true, ..spec(b'x') }, false, 255, 16), "0xff");
        assert_eq!(shown(&Spec { precision: Some(0), ..spec(b'd') }, false, 0, 10), "");
        assert_eq!(shown(&Spec { left: true, width: 4, ..spec(b'u') }, false, 7, 10), "7   ");
    }
}
