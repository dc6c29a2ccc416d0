//! `--suggest`: the weakest fix. Stronger orders are tried on the atomic accesses of a violation, each by a full
//! search of the program that has them, until it is known which are enough.
//!
//! Nothing is suggested that was not verified by the same search as a check with these orders in the source would
//! make: with the same model, algorithm, bounds and limits. A search that is cut short is no proof.
//!
//! The first violation need not show all accesses that matter. So all of them are made as strong as they can be,
//! and as long as something is still wrong, the accesses of that execution are added. Where there are none to
//! add, no order can mend the program.

mod fixes;
mod slots;

use crate::check::{CheckOptions, Job};
use crate::program::{self, Searched};
use fixes::{Answer, Fixes, Found, Ladder};
use norn_action::Mode;
use norn_explore::Violation;
use norn_machine::Config;
use norn_program::Program;
use norn_report::{Fix, Suggestion, Verdict};
use slots::Slot;
use std::sync::Arc;
use std::time::Instant;

/// Looks for orders that mend a program.
pub(crate) fn suggest(
    job: &Job<'_>,
    program: &Program,
    config: &Config,
    searched: &Searched,
) -> Suggestion {
    let started = Instant::now();
    let mut trials = Trials::new(job, program, config, started);
    for violation in &searched.summary.violations {
        trials.add(violation, searched);
    }
    let all = trials.grow();
    let found = match all {
        Answer::Wrong => None,
        Answer::Verified | Answer::Unknown => trials.find(all),
    };
    let is_over = trials.out_of_time;
    Suggestion {
        found: match &found {
            Some(Found { is_smallest: true, .. }) => Fix::Smallest,
            Some(Found { is_irreducible: true, .. }) => Fix::Irreducible,
            Some(_) => Fix::Verified,
            None if all == Answer::Wrong => Fix::None,
            None => Fix::Unknown,
        },
        changes: found.map_or(Vec::new(), |found| {
            let orders = trials.slots.iter().zip(&trials.ladders).zip(found.orders);
            let changed = orders.filter(|((_, ladder), new)| ladder.old != *new);
            changed.map(|((slot, _), new)| slot.change(new)).collect()
        }),
        accesses: trials.slots.len(),
        tried: trials.tried,
        undecided: trials.undecided,
        out_of_time: is_over,
        seconds: started.elapsed().as_secs_f64(),
    }
}

/// Searches of a program with other orders.
struct Trials<'t, 'j> {
    job: &'t Job<'j>,
    program: &'t Program,
    config: &'t Config,
    deadline: Option<Instant>,
    slots: Vec<Slot>,
    ladders: Vec<Ladder>,
    tried: u64,
    undecided: u64,
    out_of_time: bool,
}

impl<'t, 'j> Trials<'t, 'j> {
    fn new(
        job: &'t Job<'j>,
        program: &'t Program,
        config: &'t Config,
        started: Instant,
    ) -> Trials<'t, 'j> {
        Trials {
            job,
            program,
            config,
            deadline: started.checked_add(job.options.effort),
            slots: Vec::new(),
            ladders: Vec::new(),
            tried: 0,
            undecided: 0,
            out_of_time: false,
        }
    }

    /// Adds the orders of a violation; whether there were new ones.
    fn add(&mut self, violation: &Violation, searched: &Searched) -> bool {
        let calls = norn_explore::calls(&searched.vm, violation);
        // The places are the same in every variant, the orders may not be.
        let found = slots::of(self.program, violation, &calls);
        let mut grows = false;
        for slot in found {
            grows |= slot.add_to(&mut self.slots);
        }
        self.ladders = self.slots.iter().map(Slot::ladder).collect();
        grows
    }

    /// Makes all orders as strong as they can be, and adds those that turn out to matter.
    fn grow(&mut self) -> Answer {
        loop {
            if self.slots.is_empty() {
                return Answer::Wrong;
            }
            let strongest = self.ladders.iter().map(|ladder| ladder.stronger.last().copied());
            let orders: Option<Vec<Mode>> = strongest.collect();
            let (answer, searched) = self.search(&orders.expect("each can be stronger"));
            let mut grows = false;
            if let Some(searched) = searched.filter(|_| answer == Answer::Wrong) {
                for wrong in &searched.summary.violations {
                    grows |= self.add(wrong, &searched);
                }
            }
            if !grows {
                return answer;
            }
        }
    }

    fn find(&mut self, all: Answer) -> Option<Found> {
        let ladders = self.ladders.clone();
        Fixes::new(&ladders, |orders: &[Mode]| self.search(orders).0).find(all)
    }

    /// Searches the program with these orders.
    fn search(&mut self, orders: &[Mode]) -> (Answer, Option<Searched>) {
        let left = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let over = left.is_some_and(|left| left.is_zero()) || self.job.is_over().is_some();
        if over {
            self.out_of_time = true;
            return (Answer::Unknown, None);
        }
        self.tried += 1;
        let options = CheckOptions {
            keep_going: false,
            checkpoint: None,
            board: None,
            trace: None,
            timeout: self.job.time_left(left),
            ..self.job.options.clone()
        };
        let variant = Arc::new(slots::changed(self.program, &self.slots, orders));
        let job = self.job.alike(&options);
        let Ok(searched) = program::search(&job, &variant, self.config, String::new(), &mut |_| {})
        else {
            self.undecided += 1;
            return (Answer::Unknown, None);
        };
        let answer = match job.decide(&searched.summary).0 {
            Verdict::Verified => Answer::Verified,
            Verdict::Violation => Answer::Wrong,
            Verdict::Inconclusive => {
                self.undecided += 1;
                Answer::Unknown
            }
        };
        (answer, Some(searched))
    }
}
