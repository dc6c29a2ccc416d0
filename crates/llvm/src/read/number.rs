//! Numbers: small counts, integers of any width, and floating-point literals.

use super::{Reader, Result};
use crate::constant::ConstantKind;
use crate::lexer::Token;
use crate::types::FloatKind;

/// Longest integer literal; longer ones would take quadratic time to decode.
const MAX_LITERAL: usize = 20_000;

impl Reader<'_> {
    pub(super) fn number_u64(&mut self) -> Result<u64> {
        if let Token::Number(text) = self.token
            && let Some(value) = std::str::from_utf8(text).ok().and_then(|t| t.parse().ok())
        {
            self.bump()?;
            return Ok(value);
        }
        self.expected("a number")
    }

    pub(super) fn number_u32(&mut self) -> Result<u32> {
        let start = self.start;
        match u32::try_from(self.number_u64()?) {
            Ok(value) => Ok(value),
            Err(_) => self.error_at(start, "this number is too large"),
        }
    }
}

/// An integer literal of a type with `bits` bits; `None`: malformed or too large for it.
pub(super) fn integer(text: &[u8], bits: u32) -> Option<ConstantKind> {
    if text.len() > MAX_LITERAL {
        return None;
    }
    let (negative, radix, digits) = match text {
        [b'u' | b's', b'0', b'x', rest @ ..] => (false, 16, rest),
        [b'-', rest @ ..] => (true, 10, rest),
        _ => (false, 10, text),
    };
    if digits.is_empty() {
        return None;
    }
    let words = words_of(digits, radix)?;
    let fits = significant_bits(&words) <= bits;
    if bits <= 128 {
        let low = u128::from(words.first().copied().unwrap_or(0));
        let high = u128::from(words.get(1).copied().unwrap_or(0));
        let value = low | high << 64;
        let value = if negative { value.wrapping_neg() } else { value };
        let mask = if bits == 128 { u128::MAX } else { (1u128 << bits) - 1 };
        return fits.then_some(ConstantKind::Int(value & mask));
    }
    // Only as many words as the literal needs: a wide type must not cost memory by itself.
    let mut wide = words;
    wide.push(0);
    if negative {
        negate(&mut wide);
    }
    fits.then(|| ConstantKind::WideInt(wide.into()))
}

fn words_of(digits: &[u8], radix: u32) -> Option<Vec<u64>> {
    let mut words: Vec<u64> = Vec::new();
    for &digit in digits {
        let mut carry = u128::from((digit as char).to_digit(radix)?);
        for word in &mut words {
            let value = u128::from(*word) * u128::from(radix) + carry;
            *word = value as u64;
            carry = value >> 64;
        }
        if carry != 0 {
            words.push(carry as u64);
        }
    }
    Some(words)
}

fn significant_bits(words: &[u64]) -> u32 {
    match words.last() {
        Some(top) => words.len() as u32 * 64 - top.leading_zeros(),
        None => 0,
    }
}

fn negate(words: &mut [u64]) {
    let mut carry = true;
    for word in words {
        let (value, overflow) = (!*word).overflowing_add(u64::from(carry));
        *word = value;
        carry = overflow;
    }
}

/// The bits of a floating-point literal in the format `kind`; `None`: malformed or not exact.
pub(super) fn float(text: &[u8], kind: FloatKind) -> Option<u128> {
    let text = std::str::from_utf8(text).ok()?;
    let hex = |digits: &str| u128::from_str_radix(digits, 16).ok();
    if let Some(digits) = text.strip_prefix("f0x") {
        return hex(digits).filter(|bits| kind.bits() == 128 || bits >> kind.bits() == 0);
    }
    if let Some(digits) = text.strip_prefix("0x") {
        let tagged = |tag: char, digits: &str| {
            let value = hex(digits.strip_prefix(tag)?)?;
            (kind.bits() == 128 || value >> kind.bits() == 0).then_some(value)
        };
        return match kind {
            FloatKind::Half => tagged('H', digits),
            FloatKind::Bfloat => tagged('R', digits),
            FloatKind::X86Fp80 => tagged('K', digits),
            // The two halves of a 128-bit literal are written low half first.
            FloatKind::Fp128 => tagged('L', digits).map(|v| v.rotate_left(64)),
            FloatKind::PpcFp128 => tagged('M', digits).map(|v| v.rotate_left(64)),
            FloatKind::Double => u64::from_str_radix(digits, 16).ok().map(u128::from),
            FloatKind::Float => single(f64::from_bits(u64::from_str_radix(digits, 16).ok()?)),
        };
    }
    if !text.bytes().any(|b| b == b'.') {
        return None;
    }
    let value: f64 = text.parse().ok()?;
    match kind {
        FloatKind::Double => Some(u128::from(value.to_bits())),
        FloatKind::Float => single(value),
        _ => None,
    }
}

/// The bits of a single that is written as a double. The conversion is done on the bits, for it
/// must keep the payload and the signalling bit of a NaN.
fn single(value: f64) -> Option<u128> {
    if value.is_nan() {
        let bits = value.to_bits();
        let sign = (bits >> 63) << 31;
        let payload = (bits >> 29) & 0x7f_ffff;
        return (bits & 0x1fff_ffff == 0 && payload != 0)
            .then_some(u128::from(sign | 0x7f80_0000 | payload));
    }
    let narrow = value as f32;
    (f64::from(narrow).to_bits() == value.to_bits()).then_some(u128::from(narrow.to_bits()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_of_any_width() {
        assert_eq!(integer(b"-1", 8), Some(ConstantKind::Int(255)));
        assert_eq!(integer(b"255", 8), Some(ConstantKind::Int(255)));
        assert_eq!(integer(b"256", 8), None);
        assert_eq!(integer(b"u0xFF", 16), Some(ConstantKind::Int(255)));
        let max = integer(b"340282366920938463463374607431768211455", 128);
        assert_eq!(max, Some(ConstantKind::Int(u128::MAX)));
        let wide = integer(b"-2", 192);
        assert_eq!(wide, Some(ConstantKind::WideInt([u64::MAX - 1, u64::MAX].into())));
        assert_eq!(integer(b"1x", 8), None);
        assert_eq!(integer(b"-", 8), None);
    }

    #[test]
    fn floats_in_all_spellings() {
        assert_eq!(float(b"1.5", FloatKind::Double), Some(u128::from(1.5f64.to_bits())));
        assert_eq!(float(b"1.5", FloatKind::Float), Some(u128::from(1.5f32.to_bits())));
        let third = f64::from(1.0f32 / 3.0).to_bits();
        let text = format!("0x{third:X}");
        let expected = Some(u128::from((1.0f32 / 3.0).to_bits()));
        assert_eq!(float(text.as_bytes(), FloatKind::Float), expected);
        assert_eq!(float(b"0x7FF8000000000000", FloatKind::Float), Some(0x7fc0_0000));
        assert_eq!(float(b"0x3FD5555555555555", FloatKind::Float), None);
        assert_eq!(
            float(b"0xK3FFF8000000000000000", FloatKind::X86Fp80),
            Some(0x3fff << 64 | 1 << 63)
        );
        assert_eq!(float(b"0xH3C00", FloatKind::Half), Some(0x3c00));
        assert_eq!(
            float(b"0xL00000000000000003FFF000000000000", FloatKind::Fp128),
            Some(0x3fff << 112)
        );
        assert_eq!(float(b"1", FloatKind::Double), None);
    }
}
