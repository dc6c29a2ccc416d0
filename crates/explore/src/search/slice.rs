//! A slice of a search: one process of several goes on with a part of it for a while, and says what it did and
//! what it left.
//!
//! All processes must give threads the same ids, since explorers take threads in that order, and programs see the
//! ids and the addresses that follow from them. A thread that nobody has met gets the next id wherever it is met
//! first, which may be two threads in two places. So a slice says whether it met one ([`Sliced::is_void`]); what it
//! did then counts only where nobody else can have met another, and is to be done again otherwise, with the names
//! that all agree on.

use super::frontier::Frontier;
use super::options::{Observer, Options, Stop};
use super::position::Position;
use super::queue::Queue;
use super::workers::{Explorer, TICK, Team, Worker, beside};
use crate::execution::Mismatch;
use norn_action::{Lesson, Machine};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long at least is worked before somebody else is given a part.
const LEAST: Duration = Duration::from_millis(20);

/// What to go on with, and for how long.
pub struct Slice<S> {
    /// The number of workers.
    pub jobs: usize,
    /// The part; none: the whole search, from its beginning.
    pub part: Option<Frontier<S>>,
    /// The names of threads that all agree on.
    pub threads: Vec<(u32, u32)>,
    /// How long.
    pub time: Duration,
    /// Ends the slice early, but not before it was worth something.
    pub hurry: Arc<AtomicBool>,
}

/// What came of it.
pub struct Sliced<S, O> {
    /// What was counted and found, and what is left.
    pub left: Frontier<S>,
    /// Where each task that is left stands, in their order.
    pub positions: Vec<Position>,
    /// The names of all threads, if some were met that are not agreed on.
    pub met: Option<Vec<(u32, u32)>>,
    /// What the machine has to know from the start: what was done does not count.
    pub lessons: Vec<Lesson>,
    /// Those who looked on.
    pub observers: Vec<O>,
}

impl<S, O> Sliced<S, O> {
    /// Whether it does not count, unless it was the whole search.
    pub fn is_void(&self) -> bool {
        self.met.is_some() || !self.lessons.is_empty()
    }
}

/// Goes on with a part of a search. Fails if the part does not fit the program.
pub fn slice<M, E, O>(
    options: &Options,
    explorer: impl Fn() -> E,
    observer: impl Fn() -> O,
    setup: Slice<E::Saved>,
) -> Result<Sliced<E::Saved, O>, Mismatch>
where
    M: Machine,
    E: Explorer<M>,
    O: Observer<M> + Send,
{
    let Slice { jobs, part, threads, time, hurry } = setup;
    let began = Instant::now();
    let new_worker = |_| Worker { explorer: explorer(), observer: observer() };
    let workers = (0..jobs.max(1)).map(new_worker).collect();
    let mut team = Team::new(workers, true, options.keep_going);
    team.link.names.take_up(&threads);
    let fresh = part.is_none();
    if let Some(part) = part {
        team.take_up(&mut explorer(), part)?;
    }
    let known = team.link.names.count();
    let least = Instant::now() + LEAST.max(2 * began.elapsed());
    beside(options, None, || {
        let may_hurry = || Instant::now() >= least && hurry.load(Ordering::Relaxed);
        team.stage(fresh, |queue| watch(options, queue, Instant::now() + time, may_hurry));
    });
    let is_new = team.link.names.count() > known;
    let positions = team.link.queue.tasks(|position, _| position.clone());
    let left = team.frontier();
    Ok(Sliced {
        met: is_new.then(|| left.threads.clone()),
        left,
        positions,
        lessons: team.summary().lessons,
        observers: team.observers(),
    })
}

/// Waits for the workers, and calls them when the slice is over.
fn watch<K>(options: &Options, queue: &Queue<K>, end: Instant, may_hurry: impl Fn() -> bool) {
    loop {
        if options.is_interrupted() {
            queue.signals.stop(Stop::Interrupt);
            options.set_halt(true);
        } else if Instant::now() >= end || may_hurry() {
            queue.signals.pause();
        }
        if queue.signals.leave().is_some() {
            queue.wake_all();
        }
        if queue.wait_idle(TICK) {
            return;
        }
    }
}
