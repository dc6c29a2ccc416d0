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
//!    can move (see [`Trust::next`]); which thread is next still is a function of the graph. The other
//!    case is a revisit by a write that fails the test. If a write comes after the one that a blocked
//!    read reads, the graph ends as `Stale` and is not an execution: a revisit has continued it.
//! 6. Where all writes to an object are ordered by `porf` (locks, semaphores: see
//!    [`WaitsFor::Turn`]), a read that was revisited by a write that fails its
//!    test is not kept, which saves the stale graphs: its thread is paused at it again, as if it had
//!    not come that far, and can move when a write passes. A [`Ghost`] remembers what the read's place
//!    in insertion order would have forbidden: older writes are not read again, and later revisits
//!    treat the ghost as an event. That the writes are a chain matters: a blocked read may only be
//!    revisited by a write `porf`-after the one that it reads, and a ghost takes whatever comes later.
//! 7. Line 5, the bound on preemptions, is a [`Prune`] that the search is made with; the default,
//!    [`Everything`], is no code at all. See [`crate::Bounded`].
//! 8. A failed thread stays where it is and the others go on, so that `keep_going` counts all graphs.

mod descent;
mod frame;
mod maximal;
mod prune;
mod reads;
mod revisit;
mod saved;
mod symmetry;
mod task;
mod writes;

pub(crate) use descent::TrustDescent;
pub use prune::{Everything, Prune, Waits};

#[cfg(doc)]
use crate::execution::Order;
use crate::execution::{AnyExecution, Execution, Finding, Stance, Steps, WaitsFor};
use crate::search::{Observer, Options, Queue, Scope, Session, tell_branch};
#[cfg(doc)]
use frame::Ghost;
use frame::{Choice, ChoiceKind, Frame};
use norn_action::{Action, Lesson, Machine, StateId, ThreadId};
use norn_models::{Model, Named};
use std::sync::Arc;
use symmetry::Causes;
use task::TaskOf;

/// The explorer. `P` decides which graphs it does not go on from.
pub struct Trust<'m, M: Machine, Mo: Model, P: Prune = Everything> {
    execution: Execution<'m, M, Mo>,
    session: Session,
    prune: P,
    top: Frame,
    below: Vec<Frame>,
    spare: Vec<Frame>,
    /// How many parts of the task at hand were handed over.
    handed_over: u32,
    /// Where work is handed over to, if there are others.
    queue: Option<Arc<Queue<TaskOf<M, P>>>>,
    /// Whether the graph at hand is still to be visited.
    at_hand: bool,
    /// Scratch: what a pending write depends on.
    causes: Causes,
}

/// What can be done next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// This thread moves.
    Thread(ThreadId),
    /// Nobody can move; this thread is parked.
    Parked(ThreadId),
    /// Nobody can move and nobody is parked.
    Nobody,
}

/// A search is for what its pruning keeps.
struct Pruned<'p, P>(&'p mut P);

impl<M: Machine, Mo: Model, P: Prune> Scope<M, Mo> for Pruned<'_, P> {
    fn is_beyond(&mut self, execution: &Execution<'_, M, Mo>) -> bool {
        self.0.is_beyond(&execution.graph, &execution.pool)
    }

    fn is_strict(&self) -> bool {
        self.0.is_strict()
    }
}

impl<'m, M: Machine, Mo: Named> Trust<'m, M, Mo> {
    /// A search of the program that `machine` runs, for everything that it can do.
    pub fn new(machine: &'m M, options: Options) -> Self {
        Trust::pruned(machine, options, Everything)
    }
}

impl<'m, M: Machine, Mo: Model> Trust<'m, M, Mo> {
    /// The same under this instance of a model.
    pub fn under(model: Mo, machine: &'m M, options: Options) -> Self {
        Trust::pruned_under(model, machine, options, Everything)
    }
}

impl<'m, M: Machine, Mo: Named, P: Prune> Trust<'m, M, Mo, P> {
    /// A search that does not go on from the graphs that `prune` discards.
    pub fn pruned(machine: &'m M, options: Options, prune: P) -> Self {
        Trust::pruned_under(Mo::new(), machine, options, prune)
    }
}

impl<'m, M: Machine, Mo: Model, P: Prune> Trust<'m, M, Mo, P> {
    fn pruned_under(model: Mo, machine: &'m M, options: Options, prune: P) -> Self {
        let mut execution = Execution::under(model, machine, &options);
        execution.lets_rounds_stand = !machine.knows(Lesson::RoundsCount);
        execution.symmetry = options.symmetry && P::KEEPS_SYMMETRY;
        Trust {
            execution,
            session: Session::new(options),
            prune,
            top: Frame::new(Mo::LANES),
            below: Vec::new(),
            spare: Vec::new(),
            handed_over: 0,
            queue: None,
            at_hand: false,
            causes: Causes::default(),
        }
    }

    /// Visits all that can be reached from here, until something stops it.
    fn visit_all(&mut self, observer: &mut impl Observer<M>) {
        self.at_hand = true;
        self.session.starts();
        // A task that was handed over begins with a branch.
        tell_branch(&self.execution.graph, observer);
        while !self.should_stop(observer) {
            let alive = self.keeps() && self.step(observer);
            self.execution.check_graph();
            if !alive {
                self.judge(false);
                if !self.go_back() {
                    break;
                }
                tell_branch(&self.execution.graph, observer);
            }
        }
        self.judge(false);
        self.session.summary.figures.alike.any |= self.execution.has_twins;
        self.session.finish(&self.execution, observer);
        self.prune.finish(&mut self.session.summary);
    }

    /// Looks at what was found in the graph at hand.
    #[inline]
    fn judge(&mut self, ended: bool) {
        self.session.judge(&mut self.execution, &mut Pruned(&mut self.prune), ended);
    }

    /// Whether the search goes on from the graph at hand.
    #[inline]
    fn keeps(&mut self) -> bool {
        let Execution { graph, half, pool, .. } = &self.execution;
        self.prune.keeps(graph, half.is_some(), pool)
    }

    #[inline]
    fn should_stop(&mut self, observer: &mut impl Observer<M>) -> bool {
        self.judge(false);
        let (stops, asked) = self.session.should_stop(observer, self.prune.may_pause());
        if asked
            && let Some(queue) = self.queue.clone()
            && let Some(task) = self.hand_over()
        {
            queue.give(task);
        }
        stops
    }

    /// The graph has ended: goes to the next one. False if there is none, or the search was stopped.
    #[inline]
    fn go_back(&mut self) -> bool {
        if self.session.summary.stopped.is_none() {
            self.at_hand = self.backtrack();
            return self.at_hand;
        }
        self.at_hand = self.session.is_surplus();
        false
    }

    /// Goes on from the graph. False if it has ended.
    #[inline]
    fn step(&mut self, observer: &mut impl Observer<M>) -> bool {
        match self.next() {
            Next::Thread(thread) => self.extend(thread, false),
            Next::Parked(thread) => self.extend(thread, true),
            Next::Nobody => {
                self.end(observer);
                false
            }
        }
    }

    /// Which thread moves next.
    ///
    /// The first thread that can move does, in the order of [`Order`], except that an exclusive write follows its read at
    /// once. A thread that waits (for a lock, for a value) can move when the newest write to the
    /// location passes its test; until then it is *parked*, without an event. Only when nobody else can
    /// move, a parked thread is looked at again (as a last resort): it may still read an older write that
    /// passes, or is given a read that blocks.
    #[inline]
    fn next(&self) -> Next {
        let execution = &self.execution;
        if let Some(thread) = execution.half {
            return Next::Thread(thread);
        }
        match execution.order.threads() {
            None => {
                let states = execution.current.iter().enumerate();
                self.first_of(states.map(|(t, &state)| (ThreadId(t as u32), state)))
            }
            Some(threads) => {
                let started =
                    threads.iter().filter(|thread| thread.index() < execution.current.len());
                self.first_of(started.map(|&thread| (thread, execution.state(thread))))
            }
        }
    }

    /// Which of these threads moves next.
    #[inline]
    fn first_of(&self, threads: impl Iterator<Item = (ThreadId, StateId)>) -> Next {
        let execution = &self.execution;
        let mut parked = Next::Nobody;
        for (thread, state) in threads {
            match execution.stance_in(thread, state) {
                Stance::Step => return Next::Thread(thread),
                Stance::Read(_) if execution.is_blocked(thread) => {}
                Stance::Read(waits) => {
                    if waits == WaitsFor::Nothing || execution.newest_passes(thread) {
                        return Next::Thread(thread);
                    }
                    if parked == Next::Nobody {
                        parked = Next::Parked(thread);
                    }
                }
                Stance::Stands | Stance::Joins(_) | Stance::Depends => {}
            }
        }
        parked
    }

    /// Takes the pending action of `thread`. False if there is no way to do so.
    fn extend(&mut self, thread: ThreadId, last_resort: bool) -> bool {
        if self.execution.gives_up(thread) {
            return false;
        }
        match self.execution.action(thread) {
            Action::Load(..) => self.extend_read(thread, last_resort),
            Action::Rmw(_) if self.execution.half == Some(thread) => self.extend_write(thread),
            Action::Rmw(_) => self.extend_read(thread, last_resort),
            Action::Store(..) => self.extend_write(thread),
            Action::Choose { .. } => self.answer(thread, 0),
            _ => self.execution.take_other(thread),
        }
    }

    /// Answers the pending choice of `thread` with `next`, and leaves the larger ones for later.
    fn answer(&mut self, thread: ThreadId, next: u64) -> bool {
        let Action::Choose { count, .. } = *self.execution.action(thread) else {
            unreachable!("the thread is paused at a choice")
        };
        if next + 1 < count && self.allows_answer(thread, next + 1) {
            let length = self.execution.graph.len() as u32;
            let kind = ChoiceKind::Answer { thread, next: next + 1 };
            self.top.choices.push(Choice { length, kind });
        }
        self.execution.answer(thread, next)
    }

    /// Nobody can move: classifies the graph, counts it and reports it.
    fn end(&mut self, observer: &mut impl Observer<M>) {
        let execution = &mut self.execution;
        if execution.steps(true) == Steps::Torn {
            return;
        }
        let beyond = self.prune.ended(&execution.graph, &execution.pool);
        // What was wrong with a graph that did not count may still be wrong with this one. It would not be
        // found again: it is looked for when its events are added.
        let again = self.session.unconfirmed || self.session.options.again;
        if execution.has_twins && symmetry::are_told_apart(execution) {
            execution.found.push(Finding::Lessons(vec![Lesson::ToldApart]));
        }
        let ended = execution.conclude(again && !beyond);
        let counts = self.session.count(ended, beyond, execution, observer);
        if counts && execution.has_twins {
            self.session.summary.figures.alike.add(symmetry::stands_for(execution));
        }
        self.judge(true);
    }

    // ---- going back --------------------------------------------------------------------------

    /// Goes back to the latest choice that has something left. False when there is none.
    fn backtrack(&mut self) -> bool {
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

    fn take_up(&mut self, choice: Choice) -> bool {
        self.cut(choice.length);
        self.execution.half = None;
        match choice.kind {
            ChoiceKind::Read { thread, next, floors, last_resort } => {
                self.read_from(thread, next, floors, last_resort)
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
    fn resume_half(&mut self, thread: ThreadId) {
        let last = self.execution.graph.threads_last(thread);
        if last.is_some_and(|event| event.is_read() && event.is_exclusive()) {
            self.execution.half = Some(thread);
        }
    }

    /// Takes back all events from `length` on.
    #[inline]
    fn cut(&mut self, length: u32) {
        self.prune.cut(length);
        self.execution.cut(length);
    }
}
