//! The invariants of a graph, executed in debug builds and tests.
//!
//! 1. Insertion order lists every event once; an event's stamp is its index there; stamps grow along
//!    program order.
//! 2. A read's source is a write to the same location with the value read; it is listed among
//!    that write's readers exactly once.
//! 3. The coherence order of a location lists its writes once, each at its own index.
//! 4. Lane 0 of a clock is the set of `po ∪ rf ∪ spawn ∪ join` predecessors.
//! 5. Locations count their accesses; those without any are not known.
//! 6. A thread that has events was started by a spawn in the graph, unless it is the main thread.

use crate::{Event, EventId, EventKind, Graph};

impl Graph {
    /// Checks all invariants; says which one fails.
    pub fn verify(&self) -> Result<(), String> {
        self.verify_order()?;
        for &id in &self.order {
            match self.event(id).kind {
                EventKind::Read => self.verify_read(id)?,
                EventKind::Write => self.verify_write(id)?,
                _ => {}
            }
            self.verify_clock(id)?;
        }
        self.verify_locations()
    }

    fn verify_order(&self) -> Result<(), String> {
        let total: usize = self.threads.iter().map(|thread| thread.events.len()).sum();
        check(total == self.order.len(), || {
            format!("{total} events, {} ordered", self.order.len())
        })?;
        for (stamp, &id) in self.order.iter().enumerate() {
            check(self.event(id).stamp as usize == stamp, || format!("stamp of {id}"))?;
        }
        for (t, thread) in self.threads.iter().enumerate() {
            let sorted = thread.events.windows(2).all(|pair| pair[0].stamp < pair[1].stamp);
            check(sorted, || format!("stamps of thread {t} do not grow"))?;
            let started = t == 0 || thread.events.is_empty() || thread.spawned_by.is_real();
            check(started, || format!("thread {t} has events but was never started"))?;
        }
        Ok(())
    }

    fn verify_read(&self, id: EventId) -> Result<(), String> {
        let Event { rf, location, value, .. } = *self.event(id);
        if rf.is_real() {
            let source = self.event(rf);
            let fits = source.is_write() && source.location == location;
            check(fits, || format!("{id} reads from {rf}"))?;
        }
        check(self.value_of(rf, location) == value, || format!("value read by {id}"))?;
        let listed = self.readers(rf, location).filter(|&reader| reader == id).count();
        check(listed == 1, || format!("{id} is listed {listed} times among the readers of {rf}"))
    }

    fn verify_write(&self, id: EventId) -> Result<(), String> {
        let event = self.event(id);
        let listed = self.location(event.location).co.get(event.co_index() as usize) == Some(&id);
        check(listed, || format!("{id} is not at its index in coherence order"))
    }

    fn verify_clock(&self, id: EventId) -> Result<(), String> {
        let event = self.event(id);
        let mut expected = self.clock_before(0, id).to_vec();
        expected[id.thread().index()] = id.position() + 1;
        let mut join = |other: EventId| {
            for (a, b) in expected.iter_mut().zip(self.clock(0, other)) {
                *a = (*a).max(*b);
            }
        };
        match event.kind {
            EventKind::Read if event.rf.is_real() => join(event.rf),
            EventKind::Join => {
                let target = event.target();
                match self.last_of(target) {
                    EventId::NONE => join(self.spawned_by(target)),
                    last => join(last),
                }
            }
            EventKind::Leave => return Ok(()),
            _ => {}
        }
        check(self.clock(0, id) == expected, || {
            format!("clock of {id} is {:?}, not {expected:?}", self.clock(0, id))
        })
    }

    fn verify_locations(&self) -> Result<(), String> {
        for &id in &self.touched {
            let state = self.location(id);
            let accesses = self
                .order
                .iter()
                .map(|&id| self.event(id))
                .filter(|event| event.location == id)
                .count();
            check(accesses == state.accesses as usize, || format!("accesses of {id:?}"))?;
            let writes = self
                .order
                .iter()
                .filter(|&&event| self.event(event).location == id && self.event(event).is_write())
                .count();
            check(writes == state.co.len(), || format!("writes of {id:?}"))?;
        }
        Ok(())
    }
}

fn check(holds: bool, message: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(message()) }
}
