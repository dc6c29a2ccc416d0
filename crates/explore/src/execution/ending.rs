//! What a graph that nobody can extend is: an execution, a deadlock, or of no interest.

use super::{Calls, Execution, Pool};
use norn_action::{
    Access, Action, Address, Fault, Machine, NO_STATE, Place, Rmw, StateId, Stuck, ThreadId, Wait,
};
use norn_graph::{Event, EventId, Flags, Graph, LocationId, Locations};
use norn_models::Model;
use serde::{Deserialize, Serialize};

/// A graph that the search has reached the end of, with the threads in their last states.
pub struct Visit<'s, M: Machine> {
    /// The graph.
    pub graph: &'s Graph,
    /// The locations that its events name.
    pub locations: &'s Locations,
    /// Whether it needs more preemptions than the search was bounded to.
    pub beyond_bound: bool,
    pub(crate) machine: &'s M,
    pub(crate) current: &'s [StateId],
    pub(crate) pool: &'s Pool<M>,
}

impl<'s, M: Machine> Visit<'s, M> {
    /// A thread's last state and the action it is paused at; none if it was never started.
    pub fn thread(&self, thread: ThreadId) -> Option<(&'s M::Thread, &'s Action)> {
        let state = *self.current.get(thread.index())?;
        (state != NO_STATE)
            .then(|| (self.pool.thread(self.machine, thread, state), &self.pool.get(state).action))
    }

    /// Which calls the threads were in, by running the program again.
    pub fn calls(&self) -> Calls {
        Calls::along(self.machine, self.graph)
    }

    /// All threads that were started, with their last states.
    pub fn threads(&self) -> impl Iterator<Item = (ThreadId, &'s M::Thread, &'s Action)> + '_ {
        (0..self.current.len() as u32).map(ThreadId).filter_map(|id| {
            let (thread, action) = self.thread(id)?;
            Some((id, thread, action))
        })
    }
}

/// How an execution ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// All threads finished.
    Complete,
    /// A failed assumption or a wait that another execution continues: of no interest.
    Blocked,
    /// A loop reached the unrolling bound, here.
    Cut(Place),
    /// Threads wait for each other or for something that cannot happen.
    Stuck,
    /// A read waits although a newer write is there: another execution continues this.
    Stale,
}

/// A thread that waits for ever.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    /// Who.
    pub thread: ThreadId,
    /// For what; none for a join or a barrier.
    pub wait: Option<Wait>,
    /// The threads it waits for, as far as they are known: who holds the lock, runs the call, or is joined.
    pub holders: Vec<ThreadId>,
    /// The lock or variable that it waits for, if it is paused at an access.
    pub address: Option<Address>,
    /// Where.
    pub place: Place,
}

impl<M: Machine, Mo: Model> Execution<'_, M, Mo> {
    /// Nobody can move: what became of the execution. That threads wait for ever is a finding. All that was
    /// found before is found again if `again`.
    pub(crate) fn conclude(&mut self, again: bool) -> Ended {
        let (mut waiting, mut rounds) = (Vec::new(), false);
        let ended = self.classify(&mut waiting, &mut rounds);
        // Of a stale one not all threads were looked at.
        self.learn_of_rounds(rounds || ended == Ended::Stale);
        if self.machine.makes_attempts() {
            self.learn_of_attempts();
        }
        self.learn_of_locks();
        if again && ended != Ended::Stale {
            self.check_again();
        }
        if ended != Ended::Stale && self.graph.objects().any_freed() {
            self.check_waiting();
        }
        if ended == Ended::Stuck {
            self.report_stuck(waiting);
        }
        ended
    }

    /// The execution, to be looked at.
    pub(crate) fn visit(&mut self, beyond_bound: bool) -> Visit<'_, M> {
        self.pool.bring(self.machine, &self.current);
        Visit {
            graph: &self.graph,
            locations: &self.locations,
            beyond_bound,
            machine: self.machine,
            current: &self.current,
            pool: &self.pool,
        }
    }

    /// Looks once more for all that is wrong, at every event and in every thread.
    fn check_again(&mut self) {
        for t in 0..self.current.len() as u32 {
            if self.state(ThreadId(t)) != NO_STATE {
                self.arrived(ThreadId(t));
            }
        }
        for index in 0..self.graph.len() {
            self.check_event(self.graph.order()[index]);
        }
    }

    /// What became of it, which threads wait for ever, and whether any stands at the end of a round.
    fn classify(&self, waiting: &mut Vec<Waiting>, rounds: &mut bool) -> Ended {
        let (mut cut, mut blocked, mut failed, mut exited) = (None, false, false, false);
        for thread in self.started() {
            match self.action(thread) {
                // One that would end the process when all others have ended waits for nobody's good.
                Action::Finish(_) | Action::Last { .. } => continue,
                Action::Exit(_) => exited = true,
                Action::Fail(_) => failed = true,
                Action::Unsupported(_)
                | Action::Abandon(_)
                | Action::Interrupted
                | Action::Counts(_)
                | Action::LockMatters(_) => {
                    blocked = true;
                }
                Action::Cut(place) => cut = Some(*place),
                Action::Spin { place, .. } => {
                    if self.spins_for_ever(thread) {
                        waiting.push(self.waiting(thread, Some(Wait::Value), *place));
                    } else {
                        blocked = true;
                    }
                }
                Action::Round { place, .. } => {
                    *rounds = true;
                    if self.goes_on_for_ever(thread) || self.goes_round_for_ever(thread) {
                        waiting.push(self.waiting(thread, Some(Wait::Value), *place));
                    } else {
                        blocked = true;
                    }
                }
                Action::Join { thread: target, place } => {
                    let holders = vec![*target];
                    waiting.push(Waiting { holders, ..self.waiting(thread, None, *place) });
                }
                Action::BarrierLeave(barrier) => {
                    waiting.push(self.waiting(thread, None, barrier.place));
                }
                Action::Load(_, Some((_, Wait::TimedCondition))) => blocked = true,
                Action::Load(Access { place, .. }, Some((_, Wait::Loop { .. })))
                | Action::Rmw(Rmw {
                    access: Access { place, .. },
                    wait: Some(Wait::Attempt | Wait::Loop { .. }),
                    ..
                }) => {
                    if self.spins_for_ever(thread) {
                        waiting.push(self.waiting(thread, Some(Wait::Value), *place));
                    } else {
                        blocked = true;
                    }
                }
                Action::Load(access, wait) => {
                    let wait = wait.map(|(_, wait)| wait);
                    waiting.push(self.waiting(thread, wait, access.place));
                }
                Action::Rmw(rmw) => {
                    waiting.push(self.waiting(thread, rmw.wait, rmw.access.place));
                }
                other => unreachable!("{other:?} can be taken"),
            }
            if self.is_blocked(thread) && self.is_stale(thread) {
                return Ended::Stale;
            }
        }
        if let Some(place) = cut {
            return Ended::Cut(place);
        }
        // When the process has ended, it does not matter who still waits.
        match (failed, blocked, waiting.is_empty() || exited) {
            (true, ..) => Ended::Complete,
            (false, true, _) => Ended::Blocked,
            (false, false, true) => Ended::Complete,
            (false, false, false) => Ended::Stuck,
        }
    }

    /// Whether the blocked read of `thread` does not read the newest write. Either that one passes
    /// its test, or another graph differs in this read only.
    fn is_stale(&self, thread: ThreadId) -> bool {
        let graph = &self.graph;
        let read = graph.event(graph.last_of(thread));
        read.rf != graph.location(read.location).co.last().copied().unwrap_or(EventId::INIT)
    }

    /// Whether all that a spinning thread looks at is as new as it will ever be. If a read saw an older
    /// write, the next iteration may go another way.
    fn spins_for_ever(&self, thread: ThreadId) -> bool {
        self.looks(thread).all(|id| {
            let read = self.graph.event(id);
            let newest = self.graph.location(read.location).co.last().copied();
            self.sees_the_same(read, newest.unwrap_or(EventId::INIT))
        })
    }

    /// What a thread that spins, or that waits in a loop, looks at: the reads of its last iteration but for
    /// the one that blocks. Read-modify-writes of objects that the runtime keeps do not count; what the
    /// thread does does not depend on them. Nothing for any other thread.
    pub(crate) fn looks(&self, thread: ThreadId) -> impl Iterator<Item = EventId> {
        let reads = match self.action(thread) {
            Action::Spin { reads, .. }
            | Action::Round { reads, .. }
            | Action::Load(_, Some((_, Wait::Loop { reads })))
            | Action::Rmw(Rmw { wait: Some(Wait::Loop { reads }), .. }) => *reads,
            _ => 0,
        };
        let events = self.graph.thread_events(thread).iter().enumerate().rev();
        let looks = events.filter(|(_, event)| event.is_read() && !event.is_blocked());
        let counts = |event: &Event| {
            let role = event.flags.without(Flags::EXCLUSIVE.with(Flags::WAITS));
            !event.is_exclusive() || role == Flags::NONE
        };
        let counted = looks.take(reads as usize).filter(move |(_, event)| counts(event));
        counted.map(move |(position, _)| EventId::new(thread, position as u32))
    }

    /// Whether a spinning thread that looks again, at `write`, goes round once more. A read-modify-write has
    /// written the value that it read, and others may have done so since: what counts is the value.
    pub(crate) fn sees_the_same(&self, read: &Event, write: EventId) -> bool {
        if read.is_exclusive() {
            self.graph.value_of(write, read.location) == read.value
        } else {
            read.rf == write
        }
    }

    /// A thread that waits; for whom is looked up once it is clear that this is a finding.
    fn waiting(&self, thread: ThreadId, wait: Option<Wait>, place: Place) -> Waiting {
        let location = self.pool.get(self.state(thread)).location;
        let address = (location != LocationId::NONE).then(|| self.locations.info(location).address);
        Waiting { thread, wait, holders: Vec::new(), address, place }
    }

    /// Who could let a thread go on that waits for a lock, or for a call that is made once. The threads
    /// know which locks they hold, also those that they took when nobody else knew of them. What a thread
    /// takes without remembering it (a once flag, the guard of a static variable) is held by who wrote last.
    fn holders(&self, waiting: &Waiting) -> Vec<ThreadId> {
        let (Some(Wait::Mutex | Wait::RwLock | Wait::Once), Some(address)) =
            (waiting.wait, waiting.address)
        else {
            return Vec::new();
        };
        let holds = |&thread: &ThreadId| {
            let state = self.pool.thread(self.machine, thread, self.state(thread));
            self.machine.holds(state, address)
        };
        let found: Vec<ThreadId> = self.started().filter(holds).collect();
        if !found.is_empty() || waiting.wait == Some(Wait::RwLock) {
            return found;
        }
        let location = self.pool.get(self.state(waiting.thread)).location;
        let newest = self.graph.location_if_any(location).and_then(|state| state.co.last());
        newest.map(|write| write.thread()).into_iter().collect()
    }

    fn report_stuck(&mut self, mut waiting: Vec<Waiting>) {
        self.pool.bring(self.machine, &self.current);
        for one in waiting.iter_mut().filter(|one| one.wait.is_some()) {
            one.holders = self.holders(one);
        }
        let spins = |one: &Waiting| one.wait == Some(Wait::Value);
        let joins = |one: &Waiting| one.wait.is_none() && !one.holders.is_empty();
        let only_spin =
            waiting.iter().any(spins) && waiting.iter().all(|one| spins(one) || joins(one));
        if only_spin && self.ignores_livelocks {
            return;
        }
        let what = if only_spin { Stuck::Spinning } else { Stuck::Threads };
        let first = waiting.iter().find(|one| one.wait.is_some()).unwrap_or(&waiting[0]);
        let (thread, place) = (first.thread, first.place);
        self.violate(Fault::new(what, place), thread, None, None, waiting);
    }
}
