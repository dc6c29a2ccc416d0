//! Several workers on one search, and a search in several stages.
//!
//! A worker without work waits; the others notice and hand over their oldest choice, which tends to be
//! the largest part of what they have left. Each part of the search belongs to one worker at any time,
//! so every count is the sum of the workers' counts and nothing is visited twice.
//!
//! A violation found by one worker does not end the search at once, unless any violation will do:
//! what comes before it in the order of one worker alone is searched first, so that the same
//! violation is reported however many workers there are. An explorer whose order depends on what the
//! others find ([`Explorer::ORDERED`]) is run again by one worker, up to its first violation. Neither goes
//! on for ever: what comes before may be endless, and after as long as it took to find the violation
//! ([`PATIENCE`] at least) the one at hand is reported.
//!
//! To save a search, everybody puts what is left of the work at hand back into the queue and leaves;
//! the queue and the sums then are the whole state of the search. The next stage takes it from there,
//! in this process or in another.

use super::frontier::{Frontier, SavedSummary};
use super::options::{Observer, Options, Stop};
use super::position::Position;
use super::probe::Probe;
use super::queue::{Busy, Placed, Queue};
use super::session::Session;
use super::signals::Signals;
use super::summary::Summary;
use crate::execution::{AnyExecution, Mismatch, ThreadNames};
use norn_action::Machine;
use norn_graph::Locations;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often the one who waits for the workers looks around.
pub(super) const TICK: Duration = Duration::from_millis(5);

/// How long it takes at least until it looks again: workers that were called need some time.
const SHORT: Duration = Duration::from_micros(50);

/// How long at least a violation that comes before the one at hand is looked for.
const PATIENCE: Duration = Duration::from_secs(2);

/// What the workers of a search share.
pub struct Link<K> {
    pub(crate) queue: Arc<Queue<K>>,
    pub(crate) names: ThreadNames,
    pub(crate) locations: Locations,
}

impl<K> Clone for Link<K> {
    fn clone(&self) -> Link<K> {
        let Link { queue, names, locations } = self;
        Link { queue: Arc::clone(queue), names: names.clone(), locations: locations.clone() }
    }
}

/// The parts that every explorer has, whatever its algorithm.
pub struct Parts<'e, K> {
    pub(crate) execution: &'e mut dyn AnyExecution,
    pub(crate) session: &'e mut Session,
    /// Where work is handed over to, if there are others.
    pub(crate) queue: &'e mut Option<Arc<Queue<K>>>,
}

/// A search that can be split into tasks and saved. The explorers of this crate are all there are.
pub trait Explorer<M: Machine>: Send {
    /// A part of the search.
    type Task: Send;

    /// A task as a value of its own, which can be written to a file and means the same elsewhere.
    type Saved: Serialize + DeserializeOwned;

    /// Whether positions tell the order in which one worker alone would visit everything.
    const ORDERED: bool;

    /// What it has in common with all others.
    fn parts(&mut self) -> Parts<'_, Self::Task>;

    /// Becomes one of several workers.
    fn connect(&mut self, link: Link<Self::Task>) {
        let Parts { execution, session, queue } = self.parts();
        execution.connect(&link.names, &link.locations);
        session.signals = Arc::clone(&link.queue.signals);
        session.options.any |= !Self::ORDERED;
        *queue = Some(link.queue);
    }

    /// Starts the main thread.
    fn begin(&mut self) {
        self.parts().execution.begin();
    }

    /// Forgets all work and takes up a task. False if there turns out to be nothing in it.
    fn take_over(&mut self, task: Placed<Self::Task>) -> bool;

    /// Guesses how many executions there are, for a search that has not begun.
    fn into_probe<'e>(self, seed: u64) -> Probe<'e>
    where
        Self: Sized + 'e;

    /// Visits all that can be reached from here, until something stops it.
    fn visit_all(&mut self, observer: &mut impl Observer<M>);

    /// Visits everything, alone.
    fn run(mut self, observer: &mut impl Observer<M>) -> Summary
    where
        Self: Sized,
    {
        self.begin();
        self.visit_all(observer);
        std::mem::take(&mut self.parts().session.summary)
    }

    /// All that is left to do, in order.
    fn unload(&mut self) -> Vec<Placed<Self::Task>>;

    /// Makes a task fit to travel.
    fn save(&mut self, position: &Position, task: &Self::Task) -> Self::Saved;

    /// The way back.
    fn load(&mut self, saved: Self::Saved) -> Result<Placed<Self::Task>, Mismatch>;
}

/// Takes what is needed to go on with a search later, and the observers with what they saw. The flag
/// tells whether the search goes on now.
pub type Keeper<'s, S, O> = dyn FnMut(&Frontier<S>, &[&O], bool) + 's;

/// How a search is carried out.
pub struct Setup<'s, S, O> {
    /// The number of workers.
    pub jobs: usize,
    /// Goes on from here instead of from the beginning.
    pub resume: Option<Frontier<S>>,
    /// Is given the search when it is stopped early and each time that the duration has passed.
    pub keeper: Option<(Duration, &'s mut Keeper<'s, S, O>)>,
    /// Is called now and then while the workers work, by a thread of its own.
    pub tick: Option<&'s mut (dyn FnMut() + Send + 's)>,
    /// The keeper is also given a search that is over.
    pub to_the_end: bool,
}

impl<S, O> Setup<'_, S, O> {
    /// That many workers, and nothing saved.
    pub fn of(jobs: usize) -> Self {
        Setup { jobs, resume: None, keeper: None, tick: None, to_the_end: false }
    }
}

/// A worker. Each has cache lines of its own.
#[repr(align(128))]
pub(super) struct Worker<E, O> {
    pub(super) explorer: E,
    pub(super) observer: O,
}

/// All workers of a search, and what was found before they began.
pub(super) struct Team<M: Machine, E: Explorer<M>, O> {
    pub(super) link: Link<E::Task>,
    workers: Vec<Worker<E, O>>,
    carried: Summary,
    keep_going: bool,
}

/// Visits everything with that many workers and saves nothing; see [`search`].
pub fn search_with<M: Machine, E: Explorer<M>, O: Observer<M> + Send>(
    jobs: usize,
    options: &Options,
    explorer: impl Fn() -> E,
    observer: impl Fn() -> O,
) -> (Summary, Vec<O>) {
    match search(options, explorer, observer, Setup::of(jobs)) {
        Ok(found) => found,
        Err(_) => unreachable!("there is nothing that might not fit"),
    }
}

/// Visits everything. Each worker has an explorer and an observer of its own; the observers come back
/// with the summary. Fails if the search to go on from does not fit the program.
pub fn search<M, E, O>(
    options: &Options,
    explorer: impl Fn() -> E,
    observer: impl Fn() -> O,
    setup: Setup<'_, E::Saved, O>,
) -> Result<(Summary, Vec<O>), Mismatch>
where
    M: Machine,
    E: Explorer<M>,
    O: Observer<M> + Send,
{
    let Setup { jobs, resume, mut keeper, tick, to_the_end } = setup;
    let resumed = resume.is_some();
    let began = Instant::now();
    let new_worker = || Worker { explorer: explorer(), observer: observer() };
    let workers = (0..jobs.max(1)).map(|_| new_worker()).collect();
    let mut team = Team::new(workers, keeper.is_some(), options.keep_going);
    if let Some(frontier) = resume {
        team.take_up(&mut explorer(), frontier)?;
    }
    let interval = keeper.as_ref().map(|(interval, _)| *interval);
    beside(options, tick, || {
        let mut fresh = !resumed;
        loop {
            let fresh = std::mem::take(&mut fresh);
            team.stage(fresh, |queue| supervise(options, queue, began, interval));
            let goes_on = team.goes_on();
            let is_kept = team.is_unfinished() || to_the_end && !goes_on && !team.has_learnt();
            if is_kept && let Some((_, keep)) = &mut keeper {
                let frontier = team.frontier();
                let observers = team.workers.iter().map(|worker| &worker.observer);
                keep(&frontier, &observers.collect::<Vec<_>>(), goes_on);
            }
            if !goes_on {
                break;
            }
        }
    });
    let summary = team.summary();
    let found = summary.stopped == Some(Stop::Violation);
    if found && !(E::ORDERED || options.any || jobs <= 1 || resumed) {
        // The violation that one worker alone finds first.
        let limits = options.with_deadline(PATIENCE.max(began.elapsed()));
        let mut alone = Team::new(vec![new_worker()], false, options.keep_going);
        beside(options, None, || {
            alone.stage(true, |queue| supervise(&limits, queue, began, None));
        });
        let again = alone.summary();
        if again.stopped == Some(Stop::Violation) {
            return Ok((again, alone.observers()));
        }
    }
    Ok((summary, team.observers()))
}

/// Runs a search, and beside it somebody who is called now and then. The machine may run before and after.
pub(super) fn beside(
    options: &Options,
    tick: Option<&mut (dyn FnMut() + Send + '_)>,
    search: impl FnOnce(),
) {
    options.set_halt(false);
    match tick {
        Some(tick) => watched(options, tick, search),
        None => search(),
    }
    options.set_halt(false);
}

fn watched(options: &Options, tick: &mut (dyn FnMut() + Send + '_), search: impl FnOnce()) {
    /// Ends the other one's work, also when the search panics.
    struct Done<'d>(&'d AtomicBool, &'d Options);
    impl Drop for Done<'_> {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
            self.1.set_halt(true);
        }
    }
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let is_done = || done.load(Ordering::Relaxed);
        let other = scope.spawn(move || {
            while !is_done() {
                tick();
                std::thread::park_timeout(TICK);
            }
        });
        let end = Done(&done, options);
        search();
        drop(end);
        other.thread().unpark();
    });
}

impl<M: Machine, E: Explorer<M>, O: Observer<M> + Send> Team<M, E, O> {
    /// Makes the workers know each other. What is left when they leave is wanted if `keeps`.
    pub(super) fn new(mut workers: Vec<Worker<E, O>>, keeps: bool, keep_going: bool) -> Self {
        let link = Link {
            queue: Arc::new(Queue::new(Arc::new(Signals::default()), keeps)),
            names: ThreadNames::default(),
            locations: Locations::shared(),
        };
        workers.iter_mut().for_each(|worker| worker.explorer.connect(link.clone()));
        Team { link, workers, carried: Summary::default(), keep_going }
    }

    /// Rebuilds the tasks and the numbers of a frontier.
    pub(super) fn take_up(
        &mut self,
        scratch: &mut E,
        frontier: Frontier<E::Saved>,
    ) -> Result<(), Mismatch> {
        let link = &self.link;
        link.names.take_up(&frontier.threads);
        scratch.connect(link.clone());
        for task in frontier.tasks {
            link.queue.give(scratch.load(task)?);
        }
        self.carried = frontier.summary.rebuild(scratch.parts().execution)?;
        link.queue.signals.counted_before(self.carried.executions);
        if !self.keep_going {
            // What comes before it may still be open, and what comes after it is not looked at.
            let found = self.carried.violations.iter();
            found.for_each(|violation| link.queue.signals.violation(&violation.at));
        }
        Ok(())
    }

    /// Lets everybody work, under supervision, until the search is over or they are called. What is left
    /// is then in the queue.
    pub(super) fn stage(&mut self, fresh: bool, supervise: impl FnOnce(&Queue<E::Task>)) {
        let queue = &*self.link.queue;
        queue.starts();
        std::thread::scope(|scope| {
            let start = |(index, worker)| {
                let begins = (fresh && index == 0).then(|| queue.begin());
                scope.spawn(move || work(worker, queue, begins))
            };
            let handles: Vec<_> = self.workers.iter_mut().enumerate().map(start).collect();
            supervise(queue);
            for handle in handles {
                if let Err(panic) = handle.join() {
                    std::panic::resume_unwind(panic);
                }
            }
        });
    }

    /// Whether there is something left that could be wanted.
    fn is_unfinished(&self) -> bool {
        let queue = &self.link.queue;
        let wanted = !matches!(queue.signals.stopped(), Some(Stop::Violation | Stop::Lesson));
        wanted && !queue.is_empty()
    }

    /// Whether the search was stopped to begin again.
    fn has_learnt(&self) -> bool {
        self.link.queue.signals.stopped() == Some(Stop::Lesson)
    }

    /// Whether there is another stage; makes it possible.
    fn goes_on(&self) -> bool {
        self.is_unfinished() && self.link.queue.signals.go_on()
    }

    /// All that is left to do and all that was found.
    pub(super) fn frontier(&mut self) -> Frontier<E::Saved> {
        let summary = SavedSummary::of(&self.total());
        let explorer = &mut self.workers[0].explorer;
        let tasks = self.link.queue.tasks(|position, task| explorer.save(position, task));
        Frontier { threads: self.link.names.list(), tasks, summary }
    }

    /// The observers, with what they saw.
    pub(super) fn observers(self) -> Vec<O> {
        self.workers.into_iter().map(|worker| worker.observer).collect()
    }

    /// Adds everything up, at the end.
    pub(super) fn summary(&mut self) -> Summary {
        let mut summary = self.total();
        summary.stopped = self.link.queue.signals.stopped();
        if !self.keep_going && !summary.violations.is_empty() {
            summary.stopped = Some(Stop::Violation);
        }
        summary
    }

    /// Adds the workers' summaries up, and what was found before. Of several first violations, the one at the
    /// first position counts.
    fn total(&mut self) -> Summary {
        let mut total = self.carried.clone();
        for worker in &mut self.workers {
            total.add(worker.explorer.parts().session.summary.clone());
        }
        if !self.keep_going {
            total.keep_first();
        }
        total
    }
}

/// Waits for the workers, and calls them when time is over or something interrupts the search.
fn supervise<K>(options: &Options, queue: &Queue<K>, began: Instant, interval: Option<Duration>) {
    let pause_at = interval.and_then(|interval| Instant::now().checked_add(interval));
    let call = |at: Option<Instant>| at.is_some_and(|at| Instant::now() >= at);
    loop {
        if options.is_interrupted() {
            queue.signals.stop(Stop::Interrupt);
        } else if call(options.deadline) {
            queue.signals.stop(Stop::Deadline);
        } else if call(queue.signals.violated().map(|at| at + PATIENCE.max(at - began))) {
            queue.signals.stop(Stop::Violation);
        } else if call(pause_at) {
            queue.signals.pause();
        }
        if queue.signals.leave().is_some() {
            queue.wake_all();
        }
        if queue.signals.stopped().is_some() {
            options.set_halt(true);
        }
        let wake_at = [pause_at, options.deadline].into_iter().flatten().min();
        let left = wake_at.map_or(TICK, |at| at.saturating_duration_since(Instant::now()));
        if queue.wait_idle(left.clamp(SHORT, TICK)) {
            return;
        }
    }
}

/// The life of one worker in a stage.
fn work<M: Machine, E: Explorer<M>, O: Observer<M>>(
    worker: &mut Worker<E, O>,
    queue: &Queue<E::Task>,
    begins: Option<Busy<'_, E::Task>>,
) {
    let Worker { explorer, observer } = worker;
    if let Some(busy) = begins {
        explorer.begin();
        finish(explorer, observer, queue);
        drop(busy);
    }
    while let Some((task, busy)) = queue.next() {
        if explorer.take_over(task) {
            finish(explorer, observer, queue);
        }
        drop(busy);
    }
}

/// Visits all that the explorer has, and puts back what is left if it is called away.
fn finish<M: Machine, E: Explorer<M>>(
    explorer: &mut E,
    observer: &mut impl Observer<M>,
    queue: &Queue<E::Task>,
) {
    observer.task_begins();
    explorer.visit_all(observer);
    observer.task_ends();
    if queue.keeps && queue.signals.leave().is_some() {
        explorer.unload().into_iter().for_each(|task| queue.give(task));
    }
}
