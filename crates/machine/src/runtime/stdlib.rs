//! Numbers from strings, absolute values, divisions, pseudo-random numbers.

use super::context::int;
use super::ctype::space;
use super::{Cx, Entry};
use crate::thread::Stop;
use norn_action::{Division, Mode};

pub(crate) const FUNCTIONS: &[Entry] = &[
    ("abs", "absolute value", abs),
    ("labs", "absolute value", labs),
    ("llabs", "absolute value", labs),
    ("div", "quotient and remainder", div),
    ("ldiv", "quotient and remainder", ldiv),
    ("lldiv", "quotient and remainder", ldiv),
    ("atoi", "a number from a string", atoi),
    ("atol", "a number from a string", atol),
    ("atoll", "a number from a string", atol),
    ("atof", "a floating-point number from a string", atof),
    ("strtol", "a number from a string", strtol),
    ("strtoll", "a number from a string", strtol),
    ("strtoul", "an unsigned number from a string", strtoul),
    ("strtoull", "an unsigned number from a string", strtoul),
    ("__isoc23_strtol", "a number from a string", strtol),
    ("__isoc23_strtoll", "a number from a string", strtol),
    ("__isoc23_strtoul", "an unsigned number from a string", strtoul),
    ("__isoc23_strtoull", "an unsigned number from a string", strtoul),
    ("strtod", "a floating-point number from a string", strtod),
    ("rand", "a pseudo-random number, the same in every execution", rand),
    ("random", "a pseudo-random number, the same in every execution", rand),
    ("rand_r", "a pseudo-random number from a seed in memory", rand_r),
    ("srand", "sets the seed of this thread's pseudo-random numbers", srand),
    ("srandom", "sets the seed of this thread's pseudo-random numbers", srand),
];

/// Those that access no memory of the program.
pub(super) const APART: &[&str] =
    &["abs", "labs", "llabs", "div", "ldiv", "lldiv", "rand", "random", "srand", "srandom"];

const ERANGE: i32 = 34;

fn abs(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    int((cx.arg(0) as i32).wrapping_abs())
}

fn labs(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    Ok(((cx.arg(0) as i64).wrapping_abs() as u64).into())
}

/// Two ints in one cell.
fn div(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (a, b) = (cx.arg(0) as i32, cx.arg(1) as i32);
    match (a.checked_div(b), a.checked_rem(b)) {
        (Some(quotient), Some(rest)) => {
            Ok(u128::from(rest as u32) << 32 | u128::from(quotient as u32))
        }
        _ => Err(cx.fault(if b == 0 { Division::ByZero } else { Division::Overflow })),
    }
}

/// Two longs in two cells.
fn ldiv(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (a, b) = (cx.arg(0) as i64, cx.arg(1) as i64);
    match (a.checked_div(b), a.checked_rem(b)) {
        (Some(quotient), Some(rest)) => {
            Ok(u128::from(rest as u64) << 64 | u128::from(quotient as u64))
        }
        _ => Err(cx.fault(if b == 0 { Division::ByZero } else { Division::Overflow })),
    }
}

/// An integer at the start of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parsed {
    pub negative: bool,
    /// Saturated.
    pub magnitude: u64,
    pub overflow: bool,
    /// Bytes used; zero if there is no number.
    pub length: usize,
}

/// Reads a number as `strtol` does; base 0 takes the prefix's.
pub(crate) fn parse_integer(text: &[u8], mut base: u64) -> Parsed {
    let mut i = text.iter().take_while(|&&byte| space(byte)).count();
    let sign = text.get(i).copied();
    let negative = sign == Some(b'-');
    if negative || sign == Some(b'+') {
        i += 1;
    }
    let hex = text.get(i) == Some(&b'0')
        && matches!(text.get(i + 1), Some(b'x' | b'X'))
        && text.get(i + 2).is_some_and(u8::is_ascii_hexdigit);
    if hex && (base == 0 || base == 16) {
        i += 2;
        base = 16;
    } else if base == 0 {
        base = if text.get(i) == Some(&b'0') { 8 } else { 10 };
    }
    let mut parsed = Parsed { negative, magnitude: 0, overflow: false, length: 0 };
    while let Some(digit) = text.get(i).and_then(|&byte| char::from(byte).to_digit(36)) {
        if u64::from(digit) >= base {
            break;
        }
        let next = parsed.magnitude.checked_mul(base).and_then(|n| n.checked_add(digit.into()));
        parsed.overflow |= next.is_none();
        parsed.magnitude = next.unwrap_or(u64::MAX);
        i += 1;
        parsed.length = i;
    }
    parsed
}

impl Parsed {
    /// As a signed number, saturated; whether it fits.
    pub(crate) fn signed(self) -> (i64, bool) {
        let value = i128::from(self.magnitude) * if self.negative { -1 } else { 1 };
        let fits = i64::try_from(value).is_ok() && !self.overflow;
        (value.clamp(i64::MIN.into(), i64::MAX.into()) as i64, fits)
    }
}

/// The length of the floating-point number at the start of a text, and its value.
pub(crate) fn parse_float(text: &[u8]) -> (f64, usize) {
    let start = text.iter().take_while(|&&byte| space(byte)).count();
    let number = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
    let most = text[start..].iter().take_while(|byte| number(byte)).count();
    for length in (1..=most).rev() {
        let part = std::str::from_utf8(&text[start..start + length]).unwrap_or("");
        if let Ok(value) = part.parse() {
            return (value, start + length);
        }
    }
    (0.0, 0)
}

fn atoi(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let text = cx.string(cx.arg(0))?;
    int(parse_integer(&text, 10).signed().0 as i32)
}

fn atol(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let text = cx.string(cx.arg(0))?;
    Ok((parse_integer(&text, 10).signed().0 as u64).into())
}

fn atof(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let text = cx.string(cx.arg(0))?;
    Ok(parse_float(&text).0.to_bits().into())
}

/// Stores where a number ended.
fn store_end(cx: &mut Cx<'_>, length: usize) -> Result<(), Stop> {
    let (text, end) = (cx.arg(0), cx.arg(1));
    if end != 0 {
        cx.store(end, 8, Mode::Plain, text + length as u64)?;
    }
    Ok(())
}

fn strtol(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let text = cx.string(cx.arg(0))?;
    let parsed = parse_integer(&text, cx.arg(2) & 0xffff_ffff);
    store_end(cx, parsed.length)?;
    let (value, fits) = parsed.signed();
    if !fits {
        cx.set_errno(ERANGE)?;
    }
    Ok((value as u64).into())
}

fn strtoul(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let text = cx.string(cx.arg(0))?;
    let parsed = parse_integer(&text, cx.arg(2) & 0xffff_ffff);
    store_end(cx, parsed.length)?;
    if parsed.overflow {
        cx.set_errno(ERANGE)?;
        return Ok(u64::MAX.into());
    }
    let value = parsed.magnitude;
    Ok(if parsed.negative { value.wrapping_neg() } else { value }.into())
}

fn strtod(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let text = cx.string(cx.arg(0))?;
    let (value, length) = parse_float(&text);
    store_end(cx, length)?;
    Ok(value.to_bits().into())
}

/// The next state of the generator and a number of 31 bits.
fn next_random(state: u64) -> (u64, u32) {
    let state =
        state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (state, (state >> 33) as u32)
}

fn rand(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    cx.once(|t| {
        let (state, number) = next_random(t.rest.random);
        t.rest_mut().random = state;
        t.effects += 1;
        number.into()
    })
}

fn rand_r(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let address = cx.arg(0);
    let seed = cx.load(address, 4, Mode::Plain)?;
    let (state, number) = next_random(seed);
    cx.store(address, 4, Mode::Plain, state & 0xffff_ffff)?;
    Ok(number.into())
}

fn srand(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let seed = cx.arg(0);
    cx.once(|t| {
        t.rest_mut().random = seed;
        t.effects += 1;
        0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_read_as_strtol_does() {
        let signed = |text: &str, base| {
            let parsed = parse_integer(text.as_bytes(), base);
            (parsed.signed().0, parsed.length)
        };
        assert_eq!(signed("  -42x", 10), (-42, 5));
        assert_eq!(signed("0x1fg", 0), (31, 4));
        assert_eq!(signed("017", 0), (15, 3));
        assert_eq!(signed("0xz", 16), (0, 1));
        assert_eq!(signed("z", 10), (0, 0));
        assert_eq!(signed("99999999999999999999", 10).0, i64::MAX);
        assert_eq!(signed("-9223372036854775808", 10).0, i64::MIN);
    }

    #[test]
    fn floats_take_the_longest_number() {
        assert_eq!(parse_float(b" 1.5e3abc"), (1500.0, 6));
        assert_eq!(parse_float(b"-.5"), (-0.5, 3));
        assert_eq!(parse_float(b"x"), (0.0, 0));
    }
}
