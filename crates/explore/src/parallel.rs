//! Several workers on one search.
//!
//! A worker without work waits; the others notice and hand over their oldest choice, which tends to be
//! the largest part of what they have left. Each part of the search belongs to one worker at any time,
//! so every count is the sum of the workers' counts and nothing is visited twice.
//!
//! A violation found by one worker does not end the search at once, unless any violation will do:
//! what comes before it in the order of one worker alone is searched first, so that the same
//! violation is reported however many workers there are.

use crate::task::{Position, Task};
use crate::trust::Trust;
use crate::{Observer, Options, Stop, Summary, ThreadNames};
use norn_action::Machine;
use norn_graph::Locations;
use norn_models::Model;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

/// What the workers share.
pub(crate) struct Shared<T> {
    state: Mutex<State<T>>,
    wake: Condvar,
    /// Workers that wait and for which no task is queued yet.
    hungry: AtomicUsize,
    /// Complete executions, counted here only when there is a limit.
    executions: AtomicU64,
    /// Whether some violation bounds what is still to be searched.
    bounded: AtomicBool,
}

struct State<T> {
    /// Tasks by position: the first is taken first.
    tasks: BTreeMap<Position, Task<T>>,
    /// Workers that have a task.
    busy: usize,
    /// Set when everybody is to end.
    stopped: Option<Stop>,
    /// The first violation so far.
    first: Option<Position>,
}

impl<T> Shared<T> {
    fn new() -> Shared<T> {
        Shared {
            state: Mutex::new(State {
                tasks: BTreeMap::new(),
                busy: 0,
                stopped: None,
                first: None,
            }),
            wake: Condvar::new(),
            hungry: AtomicUsize::new(0),
            executions: AtomicU64::new(0),
            bounded: AtomicBool::new(false),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().expect("no worker panics while it holds the lock")
    }

    /// Whether a worker waits for a task.
    #[inline]
    pub(crate) fn wants_work(&self) -> bool {
        self.hungry.load(Ordering::Relaxed) > 0
    }

    /// Takes a task for a worker that waits.
    pub(crate) fn give(&self, task: Task<T>) {
        let mut state = self.lock();
        state.tasks.insert(task.position.clone(), task);
        let _ =
            self.hungry.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1));
        drop(state);
        self.wake.notify_one();
    }

    /// Counts an execution: whether it is within the limit, and whether the limit is reached.
    pub(crate) fn count(&self, limit: u64) -> (bool, bool) {
        let before = self.executions.fetch_add(1, Ordering::Relaxed);
        (before < limit, before + 1 >= limit)
    }

    /// Ends the search for everybody.
    pub(crate) fn stop(&self, why: Stop) {
        let mut state = self.lock();
        state.stopped.get_or_insert(why);
        drop(state);
        self.wake.notify_all();
    }

    /// Records a violation at `position`.
    pub(crate) fn violation(&self, position: &Position) {
        let mut state = self.lock();
        if state.first.as_ref().is_none_or(|first| position < first) {
            state.first = Some(position.clone());
        }
        self.bounded.store(true, Ordering::Relaxed);
    }

    /// Whether what comes at `position` need not be searched any more.
    #[inline]
    pub(crate) fn is_over(&self, position: &Position) -> bool {
        self.bounded.load(Ordering::Relaxed)
            && self.lock().first.as_ref().is_some_and(|first| position > first)
    }

    /// Why the search has ended, if it has.
    pub(crate) fn stopped(&self) -> Option<Stop> {
        self.lock().stopped
    }

    /// The next task, when there is one; none when the search is over.
    fn next(&self) -> Option<Task<T>> {
        let mut state = self.lock();
        let mut waits = false;
        loop {
            if state.stopped.is_some() {
                return None;
            }
            if let Some((position, task)) = state.tasks.pop_first() {
                if state.first.as_ref().is_some_and(|first| position > *first) {
                    continue;
                }
                state.busy += 1;
                return Some(task);
            }
            if state.busy == 0 {
                self.wake.notify_all();
                return None;
            }
            if !waits {
                waits = true;
                self.hungry.fetch_add(1, Ordering::Relaxed);
            }
            state = self.wake.wait(state).expect("no worker panics while it holds the lock");
        }
    }

    fn done(&self) {
        let mut state = self.lock();
        state.busy -= 1;
        if state.busy == 0 {
            self.wake.notify_all();
        }
    }
}

/// Visits everything with `jobs` workers. Each has an observer of its own, made by `observer`; they
/// come back with the summary.
pub fn search<M, Mo, O>(
    machine: &M,
    options: &Options,
    jobs: usize,
    observer: impl Fn() -> O + Sync,
) -> (Summary, Vec<O>)
where
    M: Machine,
    Mo: Model,
    O: Observer<M> + Send,
{
    if jobs <= 1 {
        let mut observer = observer();
        let summary = Trust::<M, Mo>::new(machine, options.clone()).run(&mut observer);
        return (summary, vec![observer]);
    }
    let shared = Arc::new(Shared::new());
    let names = ThreadNames::default();
    let locations = Locations::shared();
    let workers = std::thread::scope(|scope| {
        let start = |first: bool| {
            let worker = Trust::<M, Mo>::new(machine, options.clone()).sharing(
                Arc::clone(&shared),
                names.clone(),
                locations.clone(),
            );
            let observer = observer();
            let shared = Arc::clone(&shared);
            if first {
                shared.lock().busy += 1;
            }
            scope.spawn(move || work(worker, observer, &shared, first))
        };
        let handles: Vec<_> = (0..jobs).map(|job| start(job == 0)).collect();
        handles
            .into_iter()
            .map(|handle| match handle.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            })
            .collect::<Vec<_>>()
    });
    let (summaries, observers): (Vec<_>, Vec<_>) = workers.into_iter().unzip();
    let mut summary = merge(summaries, options.keep_going);
    summary.stopped = shared.stopped();
    if !options.keep_going && !summary.violations.is_empty() {
        summary.stopped = Some(Stop::Violation);
    }
    (summary, observers)
}

/// The life of one worker.
fn work<M: Machine, Mo: Model, O: Observer<M>>(
    mut worker: Trust<'_, M, Mo>,
    mut observer: O,
    shared: &Shared<M::Thread>,
    first: bool,
) -> ((Position, Summary), O) {
    if first {
        worker.begin();
        worker.visit_all(&mut observer);
        shared.done();
    }
    while let Some(task) = shared.next() {
        worker.take_over(task);
        if worker.backtrack() {
            worker.visit_all(&mut observer);
        }
        shared.done();
    }
    let position = worker.violation_at.take().unwrap_or_default();
    ((position, worker.summary), observer)
}

/// Adds the workers' summaries up. Of several first violations, the one at the first position counts.
fn merge(mut summaries: Vec<(Position, Summary)>, keep_going: bool) -> Summary {
    if !keep_going {
        let first = summaries
            .iter()
            .filter(|(_, summary)| !summary.violations.is_empty())
            .map(|(position, _)| position.clone())
            .min();
        for (position, summary) in &mut summaries {
            if first.as_ref().is_some_and(|first| position != first) {
                summary.violations.clear();
            }
        }
    }
    let mut total = Summary::default();
    for (_, summary) in summaries {
        total.add(summary);
    }
    total
}
