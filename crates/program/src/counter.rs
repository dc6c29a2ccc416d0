//! Registers that only say how often a loop goes round.

use crate::{Operand, Register};

/// When a loop is left, by how its counter compares with the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaves {
    /// As soon as it is at least that.
    AtLeast,
    /// As soon as it is more.
    Above,
    /// As soon as it is at most that.
    AtMost,
    /// As soon as it is less.
    Below,
    /// As soon as it is that.
    Equal,
}

/// A register that is the same number further at each head of a loop, and nothing else than one test uses it, by
/// which the loop is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counter {
    /// The register.
    pub register: Register,
    /// How many bits it has.
    pub width: u8,
    /// What is added to it each time round.
    pub step: i64,
    /// What is added to it on the way from the head of the loop to the test.
    pub ahead: i64,
    /// What the test says.
    pub leaves: Leaves,
    /// Whether it compares signed numbers.
    pub signed: bool,
    /// What it compares with: a constant, or a register that the loop does not write.
    pub limit: Operand,
}

impl Counter {
    /// The value at the head with which the loop is left at last, if it counts from `now` on: `now` itself, if it is
    /// left at once. Nothing if it is not left, or not before the numbers come to their end.
    pub fn last(&self, now: u64, limit: u64) -> Option<u64> {
        let (now_number, limit) = (self.number(now), self.number(limit));
        let tested = now_number + i128::from(self.ahead);
        let step = i128::from(self.step);
        let times = match self.leaves {
            Leaves::AtLeast => until(tested, limit, step)?,
            Leaves::Above => until(tested, limit + 1, step)?,
            Leaves::AtMost => until(-tested, -limit, -step)?,
            Leaves::Below => until(-tested, -limit + 1, -step)?,
            Leaves::Equal => {
                let times = (limit - tested).checked_div(step)?;
                if times < 0 || tested + times * step != limit {
                    return None;
                }
                times
            }
        };
        let (first, last) = (tested, tested + times * step);
        let fits = |number: i128| self.number(number as u64) == number;
        (fits(first) && fits(last)).then(|| self.cell(now_number + times * step))
    }

    fn number(&self, cell: u64) -> i128 {
        let unused = 64 - u32::from(self.width);
        if self.signed {
            i128::from((cell << unused) as i64 >> unused)
        } else {
            i128::from(cell << unused >> unused)
        }
    }

    fn cell(&self, number: i128) -> u64 {
        let unused = 64 - u32::from(self.width);
        (number as u64) << unused >> unused
    }
}

/// How many steps it takes until `number` is at least `limit`.
fn until(number: i128, limit: i128, step: i128) -> Option<i128> {
    match limit - number {
        distance if distance <= 0 => Some(0),
        _ if step <= 0 => None,
        distance => Some((distance + step - 1) / step),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts step by step, as long as numbers of 5 bits last.
    fn slowly(counter: &Counter, now: u64, limit: u64) -> Option<u64> {
        let limit = counter.number(limit);
        let mut head = counter.number(now);
        loop {
            let tested = head + i128::from(counter.ahead);
            if counter.number(tested as u64) != tested {
                return None;
            }
            let leaves = match counter.leaves {
                Leaves::AtLeast => tested >= limit,
                Leaves::Above => tested > limit,
                Leaves::AtMost => tested <= limit,
                Leaves::Below => tested < limit,
                Leaves::Equal => tested == limit,
            };
            if leaves {
                return Some(counter.cell(head));
            }
            head += i128::from(counter.step);
        }
    }

    #[test]
    fn it_ends_where_counting_ends() {
        use Leaves::{Above, AtLeast, AtMost, Below, Equal};
        let (register, width, limit) = (Register(0), 5, Operand::constant(0));
        let mut ended = 0;
        for leaves in [AtLeast, Above, AtMost, Below, Equal] {
            for signed in [false, true] {
                for (step, ahead) in [(1, 0), (1, 1), (-1, 0), (-1, -1), (3, 0), (-2, 1), (7, 0)] {
                    let counter = Counter { register, width, step, ahead, leaves, signed, limit };
                    for (now, limit) in (0..32).flat_map(|now| (0..32).map(move |l| (now, l))) {
                        let slow = slowly(&counter, now, limit);
                        assert_eq!(counter.last(now, limit), slow, "{counter:?} {now} {limit}");
                        ended += u32::from(slow.is_some());
                    }
                }
            }
        }
        assert!(ended > 10_000, "{ended}");
    }
}
