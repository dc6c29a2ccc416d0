//! Which orders to try, and which of those that verify to take.
//!
//! What is asked for each set of orders is a full search, so few are asked. A set that leaves something wrong
//! leaves it wrong if its orders are weaker, too: stronger orders forbid executions and allow none. (The models
//! here are made so; if one were not, a weaker fix might be missed. What is suggested was verified in any case.)
//! So each set is asked at its strongest first.

use norn_action::Mode;

/// One access: its order, and those that are stronger, the weakest first.
#[derive(Clone, Debug)]
pub(super) struct Ladder {
    pub(super) old: Mode,
    pub(super) stronger: Vec<Mode>,
}

/// What a search says of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Verified,
    Wrong,
    Unknown,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// The order of each access.
    pub(super) orders: Vec<Mode>,
    /// Whether all smaller sets are known to fail.
    pub(super) is_smallest: bool,
    /// Whether no change can be left out.
    pub(super) is_irreducible: bool,
}

/// Whether `a` allows all that `b` allows: it is the same or weaker.
pub(super) fn at_most(a: Mode, b: Mode) -> bool {
    match b {
        Mode::SeqCst => true,
        Mode::AcqRel => a != Mode::SeqCst,
        _ => a == b || a <= Mode::Relaxed,
    }
}

fn cost(mode: Mode) -> u32 {
    match mode {
        Mode::SeqCst => 3,
        Mode::AcqRel => 2,
        _ => 1,
    }
}

/// A search for orders that verify.
pub(super) struct Fixes<'l, F> {
    ladders: &'l [Ladder],
    ask: F,
    failed: Vec<Vec<Mode>>,
    /// Whether some answer was not known since this was last reset.
    unsure: bool,
}

impl<'l, F: FnMut(&[Mode]) -> Answer> Fixes<'l, F> {
    pub(super) fn new(ladders: &'l [Ladder], ask: F) -> Self {
        Fixes { ladders, ask, failed: Vec::new(), unsure: false }
    }

    /// The smallest set that verifies, with the weakest orders among those of its size; one access alone, then
    /// two, then what is left of all when each that can be left out is. `all` is the answer for all of them at
    /// their strongest.
    pub(super) fn find(&mut self, all: Answer) -> Option<Found> {
        let count = self.ladders.len();
        let singles = (0..count).map(|one| vec![one]).collect::<Vec<_>>();
        if let Some(orders) = self.cheapest(&singles) {
            return Some(Found { orders, is_smallest: true, is_irreducible: true });
        }
        let mut is_smallest = !self.unsure;
        let rest = (all == Answer::Verified).then(|| self.reduced());
        let pairs = (0..count).flat_map(|one| (one + 1..count).map(move |two| vec![one, two]));
        self.unsure = false;
        if let Some(orders) = self.cheapest(&pairs.collect::<Vec<_>>()) {
            return Some(Found { orders, is_smallest, is_irreducible: is_smallest });
        }
        is_smallest &= !self.unsure;
        let (set, is_irreducible) = rest?;
        // Where all pairs fail, three are few enough.
        is_smallest &= set.len() <= 3;
        let orders = self.weakened(&set);
        Some(Found { orders, is_smallest, is_irreducible })
    }

    /// The orders of the program with those of a set at their strongest.
    fn strongest(&self, set: &[usize]) -> Vec<Mode> {
        let mut orders: Vec<Mode> = self.ladders.iter().map(|ladder| ladder.old).collect();
        for &one in set {
            orders[one] = *self.ladders[one].stronger.last().expect("it can be stronger");
        }
        orders
    }

    fn ask(&mut self, orders: &[Mode]) -> Answer {
        let is_weaker =
            |failed: &Vec<Mode>| failed.iter().zip(orders).all(|(&bad, &new)| at_most(new, bad));
        if self.failed.iter().any(is_weaker) {
            return Answer::Wrong;
        }
        let answer = (self.ask)(orders);
        match answer {
            Answer::Verified => {}
            Answer::Wrong => self.failed.push(orders.to_vec()),
            Answer::Unknown => self.unsure = true,
        }
        answer
    }

    fn cost(&self, orders: &[Mode]) -> u32 {
        let changed = self.ladders.iter().zip(orders).filter(|(ladder, new)| ladder.old != **new);
        changed.map(|(_, &new)| cost(new)).sum()
    }

    /// Of some sets of the same size, the one that verifies with the weakest orders.
    fn cheapest(&mut self, sets: &[Vec<usize>]) -> Option<Vec<Mode>> {
        let mut best: Option<Vec<Mode>> = None;
        for set in sets {
            let least = set.len() as u32;
            let limit = best.as_ref().map_or(u32::MAX, |best| self.cost(best));
            if limit <= least {
                break;
            }
            let strongest = self.strongest(set);
            if self.ask(&strongest) != Answer::Verified {
                continue;
            }
            if self.cost(&strongest) < limit {
                best = Some(strongest.clone());
            }
            for orders in self.assignments(set) {
                let limit = best.as_ref().map_or(u32::MAX, |best| self.cost(best));
                if self.cost(&orders) >= limit {
                    break;
                }
                if self.ask(&orders) == Answer::Verified {
                    best = Some(orders);
                    break;
                }
            }
        }
        best
    }

    /// All ways to make the accesses of a set stronger, the weakest first.
    fn assignments(&self, set: &[usize]) -> Vec<Vec<Mode>> {
        let old: Vec<Mode> = self.ladders.iter().map(|ladder| ladder.old).collect();
        let mut all = vec![old];
        for &one in set {
            let with = |orders: Vec<Mode>| {
                let stronger = self.ladders[one].stronger.iter();
                stronger.map(move |&mode| {
                    let mut orders = orders.clone();
                    orders[one] = mode;
                    orders
                })
            };
            all = all.into_iter().flat_map(with).collect();
        }
        all.sort_by_key(|orders| self.cost(orders));
        all
    }

    /// What is left of all accesses at their strongest when those are left out that can be, and whether it is
    /// known that no other can.
    fn reduced(&mut self) -> (Vec<usize>, bool) {
        self.unsure = false;
        let mut set: Vec<usize> = (0..self.ladders.len()).collect();
        for one in (0..self.ladders.len()).rev() {
            let without: Vec<usize> = set.iter().copied().filter(|&other| other != one).collect();
            let orders = self.strongest(&without);
            if !without.is_empty() && self.ask(&orders) == Answer::Verified {
                set = without;
            }
        }
        (set, !self.unsure)
    }

    /// A set at its strongest verifies: each access in turn as weak as it can be.
    fn weakened(&mut self, set: &[usize]) -> Vec<Mode> {
        let mut orders = self.strongest(set);
        for &one in set {
            for &mode in &self.ladders[one].stronger {
                let mut weaker = orders.clone();
                weaker[one] = mode;
                if weaker == orders || self.ask(&weaker) == Answer::Verified {
                    orders = weaker;
                    break;
                }
            }
        }
        orders
    }
}

#[cfg(test)]
mod tests {
    use super::Mode::{AcqRel, Acquire, Relaxed, Release, SeqCst};
    use super::*;

    fn find(ladders: &[Ladder], enough: impl Fn(&[Mode]) -> bool) -> Option<Found> {
        let ask = |orders: &[Mode]| if enough(orders) { Answer::Verified } else { Answer::Wrong };
        let strongest: Vec<Mode> =
            ladders.iter().map(|ladder| *ladder.stronger.last().expect("one")).collect();
        let all = ask(&strongest);
        Fixes::new(ladders, ask).find(all)
    }

    fn ladders(count: usize) -> Vec<Ladder> {
        let stronger = vec![Acquire, Release, AcqRel, SeqCst];
        vec![Ladder { old: Relaxed, stronger }; count]
    }

    /// Every upward closed set with one least element is found, with exactly that element.
    #[test]
    fn the_least_orders_are_found() {
        let modes = [Relaxed, Acquire, Release, AcqRel, SeqCst];
        for code in 1..modes.len().pow(4) {
            let least: Vec<Mode> =
                (0..4).map(|one| modes[code / modes.len().pow(one) % modes.len()]).collect();
            let enough = |orders: &[Mode]| {
                least.iter().zip(orders).all(|(&least, &new)| at_most(least, new))
            };
            let found = find(&ladders(4), enough).expect("there is one");
            assert_eq!(found.orders, least);
            let size = least.iter().filter(|&&mode| mode != Relaxed).count();
            assert_eq!(found.is_smallest, size <= 3, "{least:?}");
            assert!(found.is_irreducible);
        }
    }

    #[test]
    fn smaller_comes_before_weaker_and_weaker_before_earlier() {
        let enough = |orders: &[Mode]| {
            orders[0] == SeqCst || orders[1] == AcqRel || orders[1] == SeqCst || {
                orders[2] >= Acquire && orders[3] >= Acquire
            }
        };
        let found = find(&ladders(4), enough).expect("there is one");
        assert_eq!(found.orders, [Relaxed, AcqRel, Relaxed, Relaxed]);
        assert_eq!(find(&ladders(3), |_| false), None);
    }

    #[test]
    fn what_is_not_known_is_no_fix_and_makes_nothing_smallest() {
        let ask = |orders: &[Mode]| match orders.iter().filter(|&&mode| mode != Relaxed).count() {
            1 => Answer::Unknown,
            _ => Answer::Verified,
        };
        let ladders = ladders(3);
        let found = Fixes::new(&ladders, ask).find(Answer::Verified).expect("pairs do");
        assert_eq!(found.orders.iter().filter(|&&mode| mode != Relaxed).count(), 2);
        assert!(!found.is_smallest && !found.is_irreducible);
    }
}
