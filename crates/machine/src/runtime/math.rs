//! `math.h`: functions of doubles, and of floats under the names that end in `f`.

use super::{Cx, Entry};
use crate::float::{read, write};
use crate::thread::Stop;
use norn_action::Mode;

/// Entries for a function of doubles and its sibling for floats.
macro_rules! entries {
    ($($kind:ident ($double:literal, $single:literal, $text:literal, $function:expr)),* $(,)?) => {
        &[
            $(
                ($double, $text, |cx| $kind(cx, 64, $function)),
                ($single, $text, |cx| $kind(cx, 32, $function)),
            )*
            ("ldexp", "multiplies by a power of two", ldexp),
        ]
    };
}

pub(crate) const FUNCTIONS: &[Entry] = entries![
    unary("sqrt", "sqrtf", "square root", f64::sqrt),
    unary("cbrt", "cbrtf", "cube root", f64::cbrt),
    unary("sin", "sinf", "sine", f64::sin),
    unary("cos", "cosf", "cosine", f64::cos),
    unary("tan", "tanf", "tangent", f64::tan),
    unary("asin", "asinf", "arc sine", f64::asin),
    unary("acos", "acosf", "arc cosine", f64::acos),
    unary("atan", "atanf", "arc tangent", f64::atan),
    unary("sinh", "sinhf", "hyperbolic sine", f64::sinh),
    unary("cosh", "coshf", "hyperbolic cosine", f64::cosh),
    unary("tanh", "tanhf", "hyperbolic tangent", f64::tanh),
    unary("exp", "expf", "e to the power", f64::exp),
    unary("exp2", "exp2f", "2 to the power", f64::exp2),
    unary("log", "logf", "natural logarithm", f64::ln),
    unary("log2", "log2f", "logarithm to base 2", f64::log2),
    unary("log10", "log10f", "logarithm to base 10", f64::log10),
    unary("fabs", "fabsf", "absolute value", f64::abs),
    unary("floor", "floorf", "rounds down", f64::floor),
    unary("ceil", "ceilf", "rounds up", f64::ceil),
    unary("trunc", "truncf", "rounds towards zero", f64::trunc),
    unary("round", "roundf", "rounds to nearest, halves away from zero", f64::round),
    unary("rint", "rintf", "rounds to nearest, halves to even", f64::round_ties_even),
    unary("nearbyint", "nearbyintf", "rounds to nearest, halves to even", f64::round_ties_even),
    binary("pow", "powf", "a power", f64::powf),
    binary("fmod", "fmodf", "remainder of a division", |a, b| a % b),
    binary("fmin", "fminf", "the smaller one", f64::min),
    binary("fmax", "fmaxf", "the larger one", f64::max),
    binary("atan2", "atan2f", "angle of a point", f64::atan2),
    binary("hypot", "hypotf", "distance of a point", f64::hypot),
    binary("copysign", "copysignf", "one number with the sign of another", f64::copysign),
    binary("fdim", "fdimf", "positive difference", |a, b| if a > b { a - b } else { 0.0 }),
    ternary("fma", "fmaf", "product and sum, rounded once", f64::mul_add),
    rounded("lround", "lroundf", "rounds to an integer", f64::round),
    rounded("llround", "llroundf", "rounds to an integer", f64::round),
    rounded("lrint", "lrintf", "rounds to an integer, halves to even", f64::round_ties_even),
];

/// Those that write a part of what they compute to memory.
pub(crate) const SPLITTING: &[Entry] = &[
    ("frexp", "splits into fraction and exponent", frexp),
    ("modf", "splits into whole part and fraction", modf),
];

fn unary(cx: &mut Cx<'_>, width: u8, function: fn(f64) -> f64) -> Result<u128, Stop> {
    Ok(write(function(read(cx.arg(0), width)), width).into())
}

fn binary(cx: &mut Cx<'_>, width: u8, function: fn(f64, f64) -> f64) -> Result<u128, Stop> {
    let (a, b) = (read(cx.arg(0), width), read(cx.arg(1), width));
    Ok(write(function(a, b), width).into())
}

fn ternary(cx: &mut Cx<'_>, width: u8, function: fn(f64, f64, f64) -> f64) -> Result<u128, Stop> {
    let (a, b, c) = (read(cx.arg(0), width), read(cx.arg(1), width), read(cx.arg(2), width));
    Ok(write(function(a, b, c), width).into())
}

fn rounded(cx: &mut Cx<'_>, width: u8, function: fn(f64) -> f64) -> Result<u128, Stop> {
    Ok((function(read(cx.arg(0), width)) as i64 as u64).into())
}

fn frexp(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (value, out) = (f64::from_bits(cx.arg(0)), cx.arg(1));
    if value == 0.0 || !value.is_finite() {
        cx.store(out, 4, Mode::Plain, 0)?;
        return Ok(value.to_bits().into());
    }
    // Scaling first makes subnormal numbers normal.
    let (scaled, shift) =
        if value.abs() < f64::MIN_POSITIVE { (value * 2f64.powi(64), 64) } else { (value, 0) };
    let field = (scaled.to_bits() >> 52 & 0x7ff) as i32;
    let fraction = f64::from_bits(scaled.to_bits() & !(0x7ff << 52) | 1022 << 52);
    cx.store(out, 4, Mode::Plain, u64::from((field - 1022 - shift) as u32))?;
    Ok(fraction.to_bits().into())
}

fn ldexp(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (mut value, mut exponent) = (f64::from_bits(cx.arg(0)), cx.arg(1) as i32);
    // In steps that cannot overflow by themselves.
    while exponent != 0 && value != 0.0 && value.is_finite() {
        let part = exponent.clamp(-1000, 1000);
        value *= 2f64.powi(part);
        exponent -= part;
    }
    Ok(value.to_bits().into())
}

fn modf(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (value, out) = (f64::from_bits(cx.arg(0)), cx.arg(1));
    cx.store(out, 8, Mode::Plain, value.trunc().to_bits())?;
    let fraction = if value.is_infinite() { 0.0 } else { value - value.trunc() };
    Ok(fraction.copysign(value).to_bits().into())
}
