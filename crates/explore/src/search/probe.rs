//! How many executions there are, guessed before they are all visited.
//!
//! A *probe* is one way down the search tree: at each branch it goes on with one of the branches, all
//! equally likely, and it multiplies their numbers. If it ends in an execution, the product is its guess,
//! otherwise 0. The expected value is the number of executions (Knuth, "Estimating the efficiency of
//! backtrack programs", 1975), whatever the shape of the tree; how far single guesses are from each other
//! tells how far their mean may be off. How to go down is the explorer's own affair ([`Descent`]).

/// A way down a search tree.
pub(crate) trait Descent: Send {
    /// Goes down once and returns the guess; none if it was given up.
    fn descend(&mut self, random: &mut Random) -> Option<f64>;

    /// Whether the search was stopped.
    fn is_halted(&self) -> bool;
}

/// Random numbers (xorshift64*).
pub(crate) struct Random(u64);

impl Random {
    /// One below `count`.
    pub(crate) fn below(&mut self, count: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let mixed = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d);
        ((u128::from(mixed) * u128::from(count)) >> 64) as u64
    }
}

/// Guesses the number of executions that a search will visit.
pub struct Probe<'e> {
    descent: Box<dyn Descent + 'e>,
    at_most: bool,
    random: Random,
    guesses: u64,
    given_up: u64,
    mean: f64,
    /// The sum of the squares of the differences from the mean.
    spread: f64,
}

/// A number of executions that is not known exactly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// How many there are, about.
    pub executions: f64,
    /// The standard error of that number.
    pub error: f64,
    /// Whether the search visits less than what is counted here.
    pub at_most: bool,
}

impl<'e> Probe<'e> {
    /// The same seed gives the same guesses. `at_most`: the search visits less than the tree that is
    /// probed has.
    pub(crate) fn new(descent: impl Descent + 'e, seed: u64, at_most: bool) -> Probe<'e> {
        Probe {
            descent: Box::new(descent),
            at_most,
            random: Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1),
            guesses: 0,
            given_up: 0,
            mean: 0.0,
            spread: 0.0,
        }
    }

    /// Goes down once more.
    pub fn probe(&mut self) {
        let Some(guess) = self.descent.descend(&mut self.random) else {
            self.given_up += 1;
            return;
        };
        self.guesses += 1;
        let off = guess - self.mean;
        self.mean += off / self.guesses as f64;
        self.spread += off * (guess - self.mean);
    }

    /// Whether more probes would help: the search was not stopped, and not all of them were given up.
    pub fn is_useful(&self) -> bool {
        !self.descent.is_halted() && (self.guesses > 0 || self.given_up < 3)
    }

    /// What is known so far; none before there are two guesses, and while all of them are 0.
    pub fn estimate(&self) -> Option<Estimate> {
        let count = self.guesses as f64;
        (self.guesses > 1 && self.mean > 0.0).then(|| Estimate {
            executions: self.mean,
            error: (self.spread / (count - 1.0) / count).sqrt(),
            at_most: self.at_most,
        })
    }
}
