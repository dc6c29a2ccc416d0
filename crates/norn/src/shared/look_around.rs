//! What a coordinator does now and then: it looks whether all that is open is offered, and says how far it is.

use super::coordinate::Coordinator;
use super::{Delta, Done, Orders, Status, bytes, job_file};
use norn_board::DEATHS;
use std::collections::BTreeSet;
use std::io;

impl Coordinator<'_> {
    /// An error if somebody has ended this search and posted another one.
    pub(super) fn still_wanted(&self) -> io::Result<()> {
        let orders = self.board.read("orders")?;
        let orders = orders.and_then(|text| serde_json::from_slice::<Orders>(&text).ok());
        if orders.is_some_and(|orders| orders.search != self.posted.search) {
            return Err(io::Error::other("somebody has ended this search and posted another one"));
        }
        Ok(())
    }

    /// Posts everything again on a board that was lost: what was folded is known here.
    pub(super) fn restore(&mut self) -> io::Result<()> {
        self.board.restore()?;
        for generation in 0..=self.posted.generation {
            self.board.create(&job_file(generation), &bytes(&self.posted))?;
        }
        self.keep()?;
        self.orders = Orders::default();
        self.tell(false)
    }

    /// Offers again what got lost, sets aside what nobody survives, and says how far the search is.
    pub(super) fn look_around(&mut self) -> std::io::Result<()> {
        let offers = self.board.offers()?;
        for offer in &offers {
            let is_dead = offer.attempts >= DEATHS && offer.is_free(self.posted.lease);
            if is_dead && self.fold.is_open(&offer.id) {
                let set_aside = BTreeSet::from([offer.id.clone()]);
                let sum = Delta { set_aside, ..Delta::default() };
                let record = Done { worker: self.name.clone(), sum, left: Vec::new() };
                self.board.commit(&offer.id, &bytes(&record))?;
            }
            if !self.fold.is_open(&offer.id) {
                self.board.withdraw(&offer.id)?;
            }
        }
        let offered: BTreeSet<&str> = offers.iter().map(|offer| offer.id.as_str()).collect();
        for left in self.fold.open().filter(|left| !offered.contains(left.id.as_str())) {
            self.board.put(&left.id, &bytes(left))?;
        }
        let (executions, blocked) = self.fold.sum.summary.counts();
        let status = Status {
            executions,
            blocked,
            open: self.fold.open().count(),
            records: self.fold.records,
            seconds: self.began.elapsed().as_secs_f64(),
            workers: self.fold.sum.workers.clone(),
        };
        self.board.replace("status", &bytes(&status))?;
        self.board.replace("coordinator", self.name.as_bytes())
    }
}
