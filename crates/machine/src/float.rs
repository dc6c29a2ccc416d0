//! Floating-point functions on cells. Single precision is computed in single precision.

use norn_program::{FloatBinaryOp, FloatCompare, FloatConvert, FloatUnaryOp};

/// The number in a cell, as a double (exact for both widths).
pub(crate) fn read(cell: u64, width: u8) -> f64 {
    if width == 32 { f64::from(f32::from_bits(cell as u32)) } else { f64::from_bits(cell) }
}

/// A number as a cell of a width.
pub(crate) fn write(value: f64, width: u8) -> u64 {
    if width == 32 { u64::from((value as f32).to_bits()) } else { value.to_bits() }
}

pub(crate) fn binary(op: FloatBinaryOp, width: u8, a: u64, b: u64) -> u64 {
    // Each width rounds in its own way, so neither can be computed by the other.
    macro_rules! apply {
        ($a:expr, $b:expr) => {{
            let (a, b) = ($a, $b);
            match op {
                FloatBinaryOp::Add => a + b,
                FloatBinaryOp::Sub => a - b,
                FloatBinaryOp::Mul => a * b,
                FloatBinaryOp::Div => a / b,
                FloatBinaryOp::Rem => a % b,
                FloatBinaryOp::Min => a.min(b),
                FloatBinaryOp::Max => a.max(b),
                FloatBinaryOp::CopySign => a.copysign(b),
                FloatBinaryOp::Pow => a.powf(b),
            }
        }};
    }
    if width == 32 {
        u64::from(apply!(f32::from_bits(a as u32), f32::from_bits(b as u32)).to_bits())
    } else {
        apply!(f64::from_bits(a), f64::from_bits(b)).to_bits()
    }
}

pub(crate) fn unary(op: FloatUnaryOp, width: u8, a: u64) -> u64 {
    let sign = 1 << (width - 1);
    match op {
        // On the bits, so that payloads of NaNs survive.
        FloatUnaryOp::Neg => a ^ sign,
        FloatUnaryOp::Abs => a & !sign,
        // The roundings and the square root of a single are exact in double precision.
        FloatUnaryOp::Sqrt => write(read(a, width).sqrt(), width),
        FloatUnaryOp::Floor => write(read(a, width).floor(), width),
        FloatUnaryOp::Ceil => write(read(a, width).ceil(), width),
        FloatUnaryOp::Trunc => write(read(a, width).trunc(), width),
        FloatUnaryOp::Round => write(read(a, width).round(), width),
        FloatUnaryOp::RoundEven => write(read(a, width).round_ties_even(), width),
    }
}

pub(crate) fn compare(compare: FloatCompare, width: u8, a: u64, b: u64) -> bool {
    let (a, b) = (read(a, width), read(b, width));
    let unordered = a.is_nan() || b.is_nan();
    match compare {
        FloatCompare::False => false,
        FloatCompare::True => true,
        FloatCompare::Oeq => a == b,
        FloatCompare::Ogt => a > b,
        FloatCompare::Oge => a >= b,
        FloatCompare::Olt => a < b,
        FloatCompare::Ole => a <= b,
        FloatCompare::One => a != b && !unordered,
        FloatCompare::Ord => !unordered,
        FloatCompare::Ueq => a == b || unordered,
        FloatCompare::Ugt => a > b || unordered,
        FloatCompare::Uge => a >= b || unordered,
        FloatCompare::Ult => a < b || unordered,
        FloatCompare::Ule => a <= b || unordered,
        FloatCompare::Une => a != b,
        FloatCompare::Uno => unordered,
    }
}

/// A conversion; integers above 64 bits use both halves.
pub(crate) fn convert(convert: FloatConvert, from: u8, to: u8, src: u128) -> u128 {
    let mask = if to >= 128 { u128::MAX } else { (1 << to) - 1 };
    let signed = |width: u8| {
        let shift = 128 - u32::from(width);
        ((src << shift) as i128) >> shift
    };
    match convert {
        FloatConvert::ToSigned => {
            let limit = i128::MAX >> (128 - u32::from(to));
            (read(src as u64, from) as i128).clamp(!limit, limit) as u128 & mask
        }
        FloatConvert::ToUnsigned => (read(src as u64, from) as u128).min(mask),
        FloatConvert::FromSigned if to == 32 => u128::from((signed(from) as f32).to_bits()),
        FloatConvert::FromSigned => u128::from((signed(from) as f64).to_bits()),
        FloatConvert::FromUnsigned if to == 32 => u128::from((src as f32).to_bits()),
        FloatConvert::FromUnsigned => u128::from((src as f64).to_bits()),
        FloatConvert::Resize => u128::from(write(read(src as u64, from), to)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_saturate_and_round() {
        let bits = |value: f64| u128::from(value.to_bits());
        assert_eq!(convert(FloatConvert::ToSigned, 64, 8, bits(-300.0)), 0x80);
        assert_eq!(convert(FloatConvert::ToSigned, 64, 32, bits(-1.9)), 0xffff_ffff);
        assert_eq!(convert(FloatConvert::ToUnsigned, 64, 8, bits(300.0)), 255);
        assert_eq!(convert(FloatConvert::FromSigned, 8, 64, 0xff), bits(-1.0));
        assert_eq!(convert(FloatConvert::Resize, 64, 32, bits(0.5)), 0x3f00_0000);
        assert_eq!(convert(FloatConvert::FromUnsigned, 128, 64, 1 << 100), bits(2f64.powi(100)));
    }

    #[test]
    fn nan_is_unordered() {
        let nan = f64::NAN.to_bits();
        assert!(compare(FloatCompare::Une, 64, nan, nan));
        assert!(!compare(FloatCompare::One, 64, nan, nan));
        assert!(compare(FloatCompare::Ult, 64, nan, 0));
    }
}
