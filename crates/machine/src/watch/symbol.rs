//! What registers hold of a value that is not known yet, and what comparisons with it say of it.
//!
//! Of the value of a read, of at most eight bytes, a register may hold some bits, shifted to the right or
//! extended by its sign, or the outcome of a comparison. Everything else is given up.

use crate::arithmetic::{low, signed};
use norn_action::{Compare, Test, Value};

/// The content of a register, as a function of the value read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Symbol {
    /// `(value & mask) >> shift`; the mask has no bit below the shift.
    Bits { mask: u64, shift: u8 },
    /// The whole value, extended by its sign to so many bits.
    Extended { to: u8 },
    /// 1 if the test holds, else 0.
    Truth(Test),
}

/// What a comparison comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Known(bool),
    If(Test),
}

impl Outcome {
    pub(super) fn negated(self) -> Outcome {
        match self {
            Outcome::Known(holds) => Outcome::Known(!holds),
            Outcome::If(test) => Outcome::If(test.negated()),
        }
    }
}

impl Symbol {
    /// The whole value of a cell of `size` bytes.
    pub(super) fn whole(size: u8) -> Symbol {
        Symbol::Bits { mask: low(u64::MAX, size * 8), shift: 0 }
    }

    /// The low `width` bits.
    pub(super) fn truncated(self, width: u8, size: u8) -> Option<Symbol> {
        match self {
            Symbol::Bits { mask, shift } => {
                let kept = low(u64::MAX, width).checked_shl(shift.into()).unwrap_or(0);
                Some(Symbol::Bits { mask: mask & kept, shift })
            }
            Symbol::Extended { .. } if width <= size * 8 => {
                Symbol::whole(size).truncated(width, size)
            }
            Symbol::Extended { to } => (width >= to).then_some(self),
            Symbol::Truth(_) => Some(self),
        }
    }

    /// Extended by the sign of its `from` bits to `to` bits.
    pub(super) fn extended(self, from: u8, to: u8, size: u8) -> Option<Symbol> {
        match self {
            Symbol::Bits { mask, shift } if (mask >> shift) >> (from - 1) == 0 => Some(self),
            Symbol::Bits { .. } if self == Symbol::whole(size) && from == size * 8 => {
                Some(Symbol::Extended { to })
            }
            Symbol::Truth(_) if from > 1 => Some(self),
            _ => None,
        }
    }

    /// And-ed with a number.
    pub(super) fn masked(self, number: u64) -> Option<Symbol> {
        match self {
            Symbol::Bits { mask, shift } => {
                let kept = number.checked_shl(shift.into()).unwrap_or(0);
                Some(Symbol::Bits { mask: mask & kept, shift })
            }
            Symbol::Truth(_) if number & 1 == 1 => Some(self),
            _ => None,
        }
    }

    /// Shifted to the right, zeros from the left.
    pub(super) fn shifted(self, by: u64) -> Option<Symbol> {
        let Symbol::Bits { mask, shift } = self else { return None };
        let shift = u8::try_from(u64::from(shift) + by).ok().filter(|&shift| shift < 64)?;
        Some(Symbol::Bits { mask: mask >> shift << shift, shift })
    }

    /// Xor-ed with a number.
    pub(super) fn flipped(self, number: u64) -> Option<Symbol> {
        match (self, number) {
            (_, 0) => Some(self),
            (Symbol::Truth(test), 1) => Some(Symbol::Truth(test.negated())),
            _ => None,
        }
    }

    /// Whether it equals a number.
    pub(super) fn equals(self, number: u64, size: u8) -> Outcome {
        match self {
            Symbol::Bits { mask, shift } => {
                let operand = u128::from(number) << shift;
                if operand & !u128::from(mask) != 0 {
                    return Outcome::Known(false);
                }
                Outcome::If(Test { mask: mask.into(), compare: Compare::Eq, operand }.simplified())
            }
            Symbol::Extended { to } => {
                let cell = low(number, size * 8);
                if low(signed(cell, size * 8) as u64, to) != number {
                    return Outcome::Known(false);
                }
                Symbol::whole(size).equals(cell, size)
            }
            Symbol::Truth(test) => match number {
                0 => Outcome::If(test.negated()),
                1 => Outcome::If(test),
                _ => Outcome::Known(false),
            },
        }
    }

    /// Whether it is below a number (`below`), or above it, unsigned; with `equal` also if it equals it.
    pub(super) fn compared(self, below: bool, equal: bool, number: u64) -> Option<Outcome> {
        let Symbol::Bits { mask, shift } = self else { return None };
        // x >> s < n and x >> s <= n are x < n << s and x < (n + 1) << s, since x has no bit below s.
        let limit = |plus: u128| (u128::from(number) + plus) << shift;
        let (compare, operand) = match (below, equal) {
            (true, false) => (Compare::Ult, limit(0)),
            (true, true) => (Compare::Ult, limit(1)),
            (false, false) => (Compare::Uge, limit(1)),
            (false, true) => (Compare::Uge, limit(0)),
        };
        Some(Outcome::If(Test { mask: mask.into(), compare, operand }.simplified()))
    }

    /// The same for signed numbers of `width` bits.
    pub(super) fn compared_signed(
        self,
        (below, equal): (bool, bool),
        number: u64,
        width: u8,
        size: u8,
    ) -> Option<Outcome> {
        let number = signed(number, width);
        let cell = size * 8;
        match self {
            Symbol::Bits { mask, shift } if (mask >> shift) >> (width - 1) == 0 => {
                // It is not negative.
                match u64::try_from(number) {
                    Ok(number) => self.compared(below, equal, number),
                    Err(_) => Some(Outcome::Known(!below)),
                }
            }
            Symbol::Bits { .. } if !(self == Symbol::whole(size) && width == cell) => None,
            Symbol::Extended { to } if to != width => None,
            Symbol::Truth(_) => None,
            Symbol::Bits { .. } | Symbol::Extended { .. } => {
                let (least, most) = (-1i128 << (cell - 1), (1i128 << (cell - 1)) - 1);
                if !(least..=most).contains(&i128::from(number)) {
                    // No value reaches it.
                    return Some(Outcome::Known(below == (i128::from(number) > most)));
                }
                let compare = match (below, equal) {
                    (true, false) => Compare::Slt,
                    (true, true) => Compare::Sle,
                    (false, false) => Compare::Sgt,
                    (false, true) => Compare::Sge,
                };
                let operand = u128::from(low(number as u64, cell));
                Some(Outcome::If(Test { mask: u128::MAX, compare, operand }))
            }
        }
    }
}

/// Tests that hold together, as one test, if there is one. Nothing if they never hold together, or if one
/// test cannot say it.
pub(super) fn together(tests: &[Test], size: u8) -> Option<Test> {
    let all = u128::from(low(u64::MAX, size * 8));
    let exact = |test: &&Test| test.compare == Compare::Eq && test.mask & all == all;
    if let Some(exact) = tests.iter().find(exact) {
        let value = Value(exact.operand);
        return tests.iter().all(|test| test.holds(value, size)).then_some(*exact);
    }
    let (first, rest) = tests.split_first()?;
    rest.iter().all(|test| test == first).then_some(*first)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a register holds for a value, computed directly.
    fn content(symbol: Symbol, value: u64, size: u8) -> u64 {
        match symbol {
            Symbol::Bits { mask, shift } => (value & mask) >> shift,
            Symbol::Extended { to } => low(signed(value, size * 8) as u64, to),
            Symbol::Truth(test) => test.holds(Value(value.into()), size).into(),
        }
    }

    fn symbols(size: u8) -> Vec<Symbol> {
        let whole = Symbol::whole(size);
        let truth = Test { mask: 2, compare: Compare::Eq, operand: 2 };
        let mut all = vec![whole, Symbol::Truth(truth), Symbol::Extended { to: 32 }];
        all.extend(
            [whole.shifted(1), whole.masked(0x83), whole.truncated(3, size)].into_iter().flatten(),
        );
        all
    }

    const NUMBERS: [u64; 9] = [0, 1, 2, 3, 0x7f, 0x80, 0xff, 0xffff_ff80, 0xffff_ffff];

    fn agrees(outcome: Outcome, expected: bool, value: u64) -> bool {
        match outcome {
            Outcome::Known(known) => known == expected,
            Outcome::If(test) => test.holds(Value(value.into()), 1) == expected,
        }
    }

    #[test]
    fn comparisons_say_what_they_say_of_every_value() {
        for symbol in symbols(1) {
            for (value, number) in (0..256).flat_map(|v| NUMBERS.map(|n| (v, n))) {
                let held = content(symbol, value, 1);
                assert!(
                    agrees(symbol.equals(number, 1), held == number, value),
                    "{symbol:?} {number}"
                );
                for (below, equal) in [(true, true), (true, false), (false, true), (false, false)] {
                    let order =
                        |a: i128, b: i128| if below { a < b } else { a > b } || equal && a == b;
                    if let Some(outcome) = symbol.compared(below, equal, number) {
                        let expected = order(held.into(), number.into());
                        assert!(agrees(outcome, expected, value), "{symbol:?} {number} {value}");
                    }
                    if let Some(outcome) = symbol.compared_signed((below, equal), number, 32, 1) {
                        let expected = order(signed(held, 32).into(), signed(number, 32).into());
                        assert!(agrees(outcome, expected, value), "{symbol:?} {number} {value}");
                    }
                }
            }
        }
    }

    #[test]
    fn instructions_keep_what_a_register_holds() {
        for symbol in symbols(1) {
            for value in 0..256 {
                let held = content(symbol, value, 1);
                let is = |after: Option<Symbol>, expected: u64| {
                    after.is_none_or(|after| content(after, value, 1) == expected)
                };
                assert!(is(symbol.truncated(4, 1), held & 15), "{symbol:?}");
                assert!(is(symbol.masked(0x41), held & 0x41), "{symbol:?}");
                assert!(is(symbol.shifted(2), held >> 2), "{symbol:?}");
                assert!(is(symbol.flipped(1), held ^ 1), "{symbol:?}");
                assert!(
                    is(symbol.extended(8, 32, 1), low(signed(held, 8) as u64, 32)),
                    "{symbol:?}"
                );
            }
        }
    }

    #[test]
    fn an_exact_test_says_the_others() {
        let bit = Test { mask: 1, compare: Compare::Ne, operand: 0 };
        let one = Test::equals(Value(1));
        assert_eq!(together(&[bit, one], 4), Some(one));
        assert_eq!(together(&[Test::equals(Value(2)), bit], 4), None);
        assert_eq!(together(&[bit, bit], 4), Some(bit));
        assert_eq!(together(&[bit, Test { mask: 2, ..bit }], 4), None);
    }
}
