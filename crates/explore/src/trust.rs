//! `trust`: every execution graph (po, rf, co) once, in memory that grows with one execution only.
//!
//! Marmanis, Kokologiannakis, Vafeiadis, "Reconciling Preemption Bounding with DPOR", TACAS 2023,
//! Algorithm 1 without line 5, which is TruSt (Kokologiannakis, Marmanis, Gladstein, Vafeiadis, POPL
//! 2022). Where this differs from the text, and why the result stays the same:
//!
//! 1. The recursion is a stack. Choices within a graph (which write to read, where in coherence order
//!    to stand) are entries of [`Frame::choices`], taken back by popping events. A backward revisit
//!    copies the part of the graph that it keeps into a new [`Frame`].
//! 2. Alternatives are not tried and rejected: the sources of a read and the places of a write are the
//!    coherence indices from the model's floor upwards ([`norn_models::Model::floor`]).
//! 3. Threads are not run again. A thread's state is saved before each of its events; a graph that is
//!    cut or restricted takes the saved states as they are. States saved in a frame outlive all frames
//!    above it, so they need no reference counts.
//! 4. A read-modify-write is an exclusive read and an exclusive write right after it. The read may take
//!    a source that another read-modify-write already took: its write then has no place, but may
//!    revisit the other's read, which is how the opposite order is reached.
//! 5. Waiting (locks, awaits) is an assumption on the value read. A read that fails it stays as
//!    *blocked* and its thread does not go on. It is only tried where it is a stepping stone to
//!    something: where it reads the coherence-last write. Any other would not be maximally added for
//!    any write, so neither it nor a read before it could ever be revisited, and nobody waits for
//!    ever with an older value. If the read is the next to be added, that is left until nobody else
//!    can move (see [`crate::enabled`]); which thread is next still is a function of the graph. The other
//!    case is a revisit by a write that fails the test. If a write comes after the one that a blocked
//!    read reads, the graph ends as `Stale` and is not an execution: a revisit has continued it.
//! 6. Where all writes to an object are ordered by `porf` (locks, semaphores: see
//!    [`crate::reads::PendingRead::waits_for_chain`]), a read that was revisited by a write that fails its
//!    test is not kept, which saves the stale graphs: its thread is paused at it again, as if it had
//!    not come that far, and can move when a write passes. A [`Ghost`] remembers what the read's place
//!    in insertion order would have forbidden: older writes are not read again, and later revisits
//!    treat the ghost as an event. That the writes are a chain matters: a blocked read may only be
//!    revisited by a write `porf`-after the one that it reads, and a ghost takes whatever comes later.
//! 7. Line 5, the bound on preemptions, is a [`Prune`] that the search is made with; the default,
//!    [`Everything`], is no code at all. See [`crate::bound`].
//! 8. A failed thread stays where it is and the others go on, so that `keep_going` counts all graphs.

use crate::bound::{Everything, Prune};
use crate::enabled::{self, Next};
#[cfg(doc)]
use crate::frame::Ghost;
use crate::frame::{Choice, ChoiceKind, Frame};
use crate::pool::{NO_STATE, Pool, SavedId};
use crate::queue::Queue;
use crate::sections;
use crate::signals::{Call, Signals};
use crate::summary::{ViolationKey, violation_key};
use crate::task::{Position, TaskOf};
use crate::{Observer, Options, Stop, Summary, ThreadNames, Violation, Waiting};
use norn_action::{Action, Fault, Machine, Place, ThreadId, Unsupported, Value};
use norn_graph::{EventId, Locations};
use norn_models::Model;
use rustc_hash::FxHashSet;
use std::sync::Arc;
use std::time::Instant;

/// A thread with more events than this is taken to go on for ever.
pub const MAX_THREAD_EVENTS: u32 = 20_000;

/// One action is at most two events, so that every event has a name.
const _: () = assert!(MAX_THREAD_EVENTS < EventId::MAX_POSITION);

/// How many steps pass between two looks at the clock.
const STEPS_BETWEEN_CHECKS: u64 = 1 << 12;

/// The explorer. `P` decides which graphs it does not go on from.
pub struct Trust<'m, M: Machine, Mo: Model, P: Prune = Everything> {
    pub(crate) machine: &'m M,
    pub(crate) model: Mo,
    pub(crate) options: Options,
    pub(crate) names: ThreadNames,
    pub(crate) locations: Locations,
    pub(crate) pool: Pool<M::Thread>,
    pub(crate) top: Frame,
    pub(crate) below: Vec<Frame>,
    pub(crate) spare: Vec<Frame>,
    pub(crate) summary: Summary,
    pub(crate) pending: Vec<Violation>,
    pub(crate) prune: P,
    /// Where the task at hand stands among all, and how many parts of it were handed over.
    pub(crate) position: Position,
    pub(crate) handed_over: u32,
    /// The position at which the first violation was found.
    pub(crate) violation_at: Option<Position>,
    pub(crate) signals: Arc<Signals>,
    /// Where work is handed over to, if there are others.
    pub(crate) queue: Option<Arc<Queue<TaskOf<M, P>>>>,
    /// Whether the graph at the top is still to be visited.
    pub(crate) at_hand: bool,
    /// Whether the work is to be left for a while.
    pub(crate) leaving: bool,
    /// Whether the execution at hand was not counted because there were enough.
    surplus: bool,
    /// What was reported, and whether that was in a graph beyond the bound.
    seen: FxHashSet<(ViolationKey, bool)>,
    /// Whether something was found beyond the bound, or while an atomic section was under way, and may
    /// also be found within it, or when the section has ended.
    pub(crate) doubtful: bool,
    /// Whether the graph has ended and is being looked at.
    pub(crate) ended: bool,
    steps: u64,
    /// How many steps had been taken when the task at hand was taken up.
    began: u64,
}

impl<'m, M: Machine, Mo: Model> Trust<'m, M, Mo> {
    /// A search of the program that `machine` runs, for everything that it can do.
    pub fn new(machine: &'m M, options: Options) -> Self {
        Trust::pruned(machine, options, Everything)
    }
}

impl<'m, M: Machine, Mo: Model, P: Prune> Trust<'m, M, Mo, P> {
    /// A search that does not go on from the graphs that `prune` discards.
    pub fn pruned(machine: &'m M, options: Options, prune: P) -> Self {
        let mut model = Mo::new();
        if options.ignore_races {
            model.races_are_ignored();
        }
        Trust {
            machine,
            model,
            options,
            names: ThreadNames::default(),
            locations: Locations::default(),
            pool: Pool::new(),
            top: Frame::new(Mo::LANES),
            below: Vec::new(),
            spare: Vec::new(),
            summary: Summary::default(),
            pending: Vec::new(),
            prune,
            position: Position::default(),
            handed_over: 0,
            violation_at: None,
            signals: Arc::default(),
            queue: None,
            at_hand: false,
            leaving: false,
            surplus: false,
            seen: FxHashSet::default(),
            doubtful: false,
            ended: false,
            steps: 0,
            began: 0,
        }
    }

    /// Visits everything.
    pub fn run(mut self, observer: &mut impl Observer<M>) -> Summary {
        self.begin();
        self.visit_all(observer);
        self.summary
    }

    /// Starts the main thread.
    pub(crate) fn begin(&mut self) {
        let main = self.pool.insert(self.machine.start(), &mut self.locations);
        self.top.current.push(main);
        self.arrived(ThreadId::MAIN);
    }

    /// Visits all that can be reached from here, until something stops it.
    pub(crate) fn visit_all(&mut self, observer: &mut impl Observer<M>) {
        self.at_hand = true;
        self.starts();
        loop {
            if self.should_stop(observer) {
                break;
            }
            let half = self.top.half.is_some();
            let alive = self.prune.keeps(&self.top.graph, half, &self.pool) && self.step(observer);
            self.check_graph();
            if !alive && !self.go_back() {
                break;
            }
        }
        self.report_pending(observer);
        self.prune.finish(&mut self.summary);
    }

    /// The graph has ended: goes to the next one. False if there is none, or the search was stopped.
    #[inline]
    fn go_back(&mut self) -> bool {
        if self.summary.stopped.is_none() {
            self.at_hand = self.backtrack();
            return self.at_hand;
        }
        self.at_hand = self.is_surplus();
        false
    }

    /// Whether the execution that was just reached came after the last one that was wanted: it has not
    /// been visited.
    pub(crate) fn is_surplus(&mut self) -> bool {
        std::mem::take(&mut self.surplus)
    }

    /// A task is taken up.
    pub(crate) fn starts(&mut self) {
        self.began = self.steps;
    }

    /// Goes on from the graph. False if it has ended.
    #[inline]
    pub(crate) fn step(&mut self, observer: &mut impl Observer<M>) -> bool {
        match enabled::next(&self.top, &self.pool, &self.locations) {
            Next::Thread(thread) => self.extend(thread, false),
            Next::Parked(thread) => self.extend(thread, true),
            Next::Nobody => {
                self.end(observer);
                false
            }
        }
    }

    #[inline]
    pub(crate) fn should_stop(&mut self, observer: &mut impl Observer<M>) -> bool {
        if !self.pending.is_empty() {
            self.report_pending(observer);
        }
        self.steps += 1;
        if self.steps.is_multiple_of(STEPS_BETWEEN_CHECKS) {
            self.look_around(observer);
        }
        if self.signals.call() {
            self.attend();
        }
        self.summary.stopped.is_some() || self.leaving
    }

    #[cold]
    fn look_around(&mut self, observer: &mut impl Observer<M>) {
        observer.progress(self.summary.executions, self.summary.blocked);
        if self.options.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.signals.stop(Stop::Deadline);
        }
        if self.options.is_interrupted() {
            self.signals.stop(Stop::Interrupt);
        }
        if self.signals.is_over(&self.position) {
            self.summary.stopped = Some(Stop::Violation);
        }
    }

    /// Somebody wants something: that this worker leaves, or that it hands work over.
    #[cold]
    fn attend(&mut self) {
        match self.signals.leave() {
            Some(_) if !self.prune.may_pause() => {}
            Some(Call::Stop(why)) => self.summary.stopped = Some(why),
            // Whoever is called all the time must come forward too.
            Some(Call::Pause) => self.leaving = self.steps > self.began + 1,
            None => {
                if let Some(queue) = self.queue.clone()
                    && let Some(task) = self.hand_over()
                {
                    queue.give(task);
                }
            }
        }
    }

    /// Ends the search, for all workers.
    pub(crate) fn stop(&mut self, why: Stop) {
        self.summary.stopped = Some(why);
        self.signals.stop(why);
    }

    /// Counts a complete execution. False if there were enough already.
    pub(crate) fn count_execution(&mut self) -> bool {
        let Some(limit) = self.options.max_executions else {
            self.summary.executions += 1;
            return true;
        };
        let (counts, reached) = self.signals.count(limit);
        self.surplus = !counts;
        if reached {
            self.stop(Stop::MaxExecutions);
        }
        self.summary.executions += u64::from(counts);
        counts
    }

    pub(crate) fn report_pending(&mut self, observer: &mut impl Observer<M>) {
        for violation in self.pending.drain(..) {
            observer.violation(&violation);
            self.summary.violations.push(violation);
        }
    }

    /// In debug builds: the graph keeps its invariants.
    pub(crate) fn check_graph(&self) {
        if cfg!(debug_assertions)
            && let Err(broken) = self.top.graph.verify()
        {
            panic!("the graph is broken: {broken}");
        }
    }

    /// Takes the pending action of `thread`. False if there is no way to do so.
    fn extend(&mut self, thread: ThreadId, desperate: bool) -> bool {
        let state = self.top.state(thread);
        if self.gives_up(thread) {
            return false;
        }
        match &self.pool.get(state).action {
            Action::Load(..) => self.extend_read(thread, desperate),
            Action::Rmw(_) if self.top.half == Some(thread) => self.extend_write(thread),
            Action::Rmw(_) => self.extend_read(thread, desperate),
            Action::Store(..) => self.extend_write(thread),
            _ => self.extend_other(thread),
        }
    }

    /// Whether the thread goes on and on; then nothing can be promised any more.
    #[inline]
    pub(crate) fn gives_up(&mut self, thread: ThreadId) -> bool {
        let endless = self.top.graph.thread_len(thread) >= MAX_THREAD_EVENTS;
        if endless {
            self.give_up(thread);
        }
        endless
    }

    #[cold]
    fn give_up(&mut self, thread: ThreadId) {
        let last = self.top.graph.threads_last(thread).map_or(Place::NONE, |event| event.place);
        self.unsupported(Unsupported {
            message: format!(
                "a thread took {MAX_THREAD_EVENTS} steps and is still going on: a loop that does not \
                 end? --unroll N looks at its first N iterations"
            ),
            place: last,
            other: None,
        });
    }

    /// Lets `thread` go on from `state` with `answer`.
    #[inline]
    pub(crate) fn advance(&mut self, thread: ThreadId, state: SavedId, answer: Value) {
        self.advance_partly(thread, state, answer, 0);
    }

    /// Likewise, where some bytes of the answer were never written.
    #[inline]
    pub(crate) fn advance_partly(
        &mut self,
        thread: ThreadId,
        state: SavedId,
        answer: Value,
        undefined: u8,
    ) {
        self.top.current[thread.index()] =
            self.pool.resume(self.machine, state, answer, undefined, &mut self.locations);
        self.arrived(thread);
    }

    /// Looks at the action that `thread` has just arrived at.
    #[inline]
    pub(crate) fn arrived(&mut self, thread: ThreadId) {
        let state = self.top.state(thread);
        match &self.pool.get(state).action {
            Action::Fail(fault) => {
                let fault = Fault::clone(fault);
                self.violate(fault, thread, None, None, Vec::new());
            }
            Action::Unsupported(what) => {
                let what = Unsupported::clone(what);
                self.unsupported(what);
            }
            Action::Interrupted => self.stop(Stop::Interrupt),
            _ => {}
        }
    }

    #[cold]
    pub(crate) fn unsupported(&mut self, what: Unsupported) {
        if !self.summary.unsupported.contains(&what) {
            self.summary.unsupported.push(what);
        }
    }

    /// Records a violation, once for each kind and pair of places.
    #[cold]
    pub(crate) fn violate(
        &mut self,
        fault: Fault,
        thread: ThreadId,
        event: Option<EventId>,
        other: Option<EventId>,
        waiting: Vec<Waiting>,
    ) {
        let key = violation_key(&self.top.graph, &fault, other);
        if self.options.keep_going && self.seen.contains(&(key, false)) {
            return;
        }
        if self.machine.has_sections() && !sections::are_atomic(&self.top.graph, self.ended) {
            self.doubtful = true;
            return;
        }
        let beyond_bound = self.prune.is_beyond(&self.top.graph, &self.pool);
        self.doubtful |= beyond_bound;
        let known = if self.options.keep_going {
            !self.seen.insert((key, beyond_bound))
        } else {
            self.violation_at.as_ref().is_some_and(|at| *at <= self.position)
        };
        let ignored = beyond_bound && self.prune.is_strict();
        self.summary.ignored |= ignored;
        if known || ignored {
            return;
        }
        let locations = Arc::new(self.locations.clone());
        let after = self.summary.executions;
        let graph = self.top.graph.clone();
        self.pending.push(Violation {
            fault,
            thread,
            event,
            other,
            waiting,
            graph,
            locations,
            after,
            beyond_bound,
        });
        if !self.options.keep_going {
            self.stop_at_violation();
        }
    }

    /// A violation was found and is wanted: nothing after it matters any more.
    fn stop_at_violation(&mut self) {
        self.summary.violations.clear();
        self.violation_at = Some(self.position.clone());
        if self.options.any {
            self.stop(Stop::Violation);
        } else {
            self.summary.stopped = Some(Stop::Violation);
            self.signals.violation(&self.position);
        }
    }

    // ---- going back --------------------------------------------------------------------------

    /// Goes back to the latest choice that has something left. False when there is none.
    pub(crate) fn backtrack(&mut self) -> bool {
        loop {
            if let Some(choice) = self.top.choices.pop() {
                if self.take_up(choice) {
                    return true;
                }
            } else if self.top.revisit.is_some() {
                self.undo_revisit();
                if self.place_revisit() {
                    return true;
                }
                if self.below.is_empty() {
                    // The frame came with a task.
                    self.top.revisit = None;
                    return false;
                }
                self.leave_frame();
            } else {
                return false;
            }
        }
    }

    pub(crate) fn take_up(&mut self, choice: Choice) -> bool {
        self.cut(choice.length);
        self.top.half = None;
        match choice.kind {
            ChoiceKind::Read { thread, next, floors, desperate } => {
                self.read_from(thread, next, floors, desperate)
            }
            ChoiceKind::Write { thread, next, floor } => {
                self.resume_half(thread);
                self.place(thread, next, floor)
            }
            ChoiceKind::Revisit { thread, start } => {
                self.resume_half(thread);
                self.revisit_next(choice.length, thread, start)
            }
            ChoiceKind::Answer { thread, next } => self.answer(thread, next),
        }
    }

    /// After a cut right before an exclusive write, that write comes next again.
    pub(crate) fn resume_half(&mut self, thread: ThreadId) {
        let last = self.top.graph.threads_last(thread);
        if last.is_some_and(|event| event.is_read() && event.is_exclusive()) {
            self.top.half = Some(thread);
        }
    }

    /// Takes back all events from `length` on.
    #[inline]
    pub(crate) fn cut(&mut self, length: u32) {
        self.prune.cut(length);
        while self.top.graph.len() > length as usize {
            let id = *self.top.graph.order().last().expect("more events than `length`");
            let event = self.top.graph.pop();
            if event.kind == norn_graph::EventKind::Spawn {
                let child = &mut self.top.current[event.other as usize];
                self.pool.release(std::mem::replace(child, NO_STATE));
            }
            self.restore(id.thread(), event.saved);
        }
    }

    /// Puts `thread` back into `saved`.
    #[inline]
    pub(crate) fn restore(&mut self, thread: ThreadId, saved: SavedId) {
        let current = &mut self.top.current[thread.index()];
        if *current != saved {
            self.pool.release(std::mem::replace(current, saved));
        }
    }

    /// Counts an event that was added.
    #[inline]
    pub(crate) fn count_event(&mut self) {
        self.summary.events += 1;
        self.summary.largest_graph = self.summary.largest_graph.max(self.top.graph.len());
    }
}
