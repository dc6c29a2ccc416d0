//! One execution that grows and shrinks: a graph, where its threads stand, and what is wrong with it.
//!
//! This is what every explorer has in common, and it knows none of them: which events to add in which
//! order, and when to take them back, is decided elsewhere. What it finds while events are added
//! ([`Finding`]) waits in a list until the explorer looks at it, which must be before the graph loses
//! the events that a finding is about.
//!
//! Invariants: `current[t]` is the state of thread `t`, paused at the action after its last event, or at
//! a read that blocks, which is its last event; `half` is the thread whose exclusive read is the last
//! event of all and whose exclusive write comes next. Each event names the state that its thread took it
//! from.

mod any;
mod attempts;
mod calls;
mod checks;
mod detached;
mod ending;
mod locks;
mod names;
mod other;
mod pending;
mod pool;
mod portable;
mod rounds;
mod sections;
mod stance;
mod steps;

pub(crate) use any::AnyExecution;
pub use calls::Calls;
pub(crate) use calls::follow;
pub(crate) use detached::{Detached, detach, states_of_part};
pub use ending::{Ended, Visit, Waiting};
pub(crate) use names::Order;
pub use names::ThreadNames;
pub(crate) use names::{Rename, Renaming};
pub(crate) use pending::{Becomes, Floors, PendingRead, PendingWrite};
pub(crate) use pool::Pool;
pub use portable::{Mismatch, PortableGraph};
pub(crate) use portable::{id, leads_to, name};
pub(crate) use stance::{Stance, WaitsFor};
pub(crate) use steps::Steps;

use crate::search::Options;
use norn_action::{
    Action, Address, Answer, Fault, Lesson, Machine, NO_STATE, Obstacle, Place, StateId, ThreadId,
    Unsupported, Value,
};
use norn_graph::{Event, EventId, EventKind, Graph, Locations};
use norn_models::{Model, Named};

/// A thread with more events than this is taken to go on for ever.
pub const MAX_THREAD_EVENTS: u32 = 20_000;

/// One action is at most two events, so that every event has a name.
const _: () = assert!(MAX_THREAD_EVENTS < EventId::MAX_POSITION);

/// What was met while an execution grew.
#[derive(Clone, Debug)]
pub(crate) enum Finding {
    /// Something is wrong with the program.
    Fault(FaultFound),
    /// The machine cannot run what comes next.
    Unsupported(Unsupported),
    /// The machine has to know something from the start.
    Lessons(Vec<Lesson>),
    /// The machine was told to stop.
    Interrupted,
}

/// Something wrong with the program.
#[derive(Clone, Debug)]
pub(crate) struct FaultFound {
    pub fault: Fault,
    pub thread: ThreadId,
    /// The event that completes it, if it is an event.
    pub event: Option<EventId>,
    /// The other event of a pair.
    pub other: Option<EventId>,
    pub waiting: Vec<Waiting>,
}

/// An execution. See the head of this file.
pub(crate) struct Execution<'m, M: Machine, Mo: Model> {
    pub machine: &'m M,
    pub model: Mo,
    ignores_races: bool,
    ignores_livelocks: bool,
    pub names: ThreadNames,
    /// In which order threads are taken by those who do not go by their ids.
    pub order: Order,
    pub locations: Locations,
    pub pool: Pool<M>,
    pub graph: Graph,
    pub current: Vec<StateId>,
    pub half: Option<ThreadId>,
    /// Whether threads stand that have gone round a loop in vain, until somebody notices; see [`rounds`].
    pub lets_rounds_stand: bool,
    /// Whether it is noted which threads are alike.
    pub symmetry: bool,
    /// Whether any were noted so far.
    pub has_twins: bool,
    pub found: Vec<Finding>,
    /// How many events were added in all.
    pub events: u64,
    /// The largest number of events that the graph has had.
    pub largest_graph: usize,
}

/// What an explorer puts aside when it goes on from another graph.
pub(crate) struct Aside {
    pub graph: Graph,
    pub current: Vec<StateId>,
    pub half: Option<ThreadId>,
}

impl Aside {
    pub(crate) fn new(lanes: usize) -> Aside {
        Aside { graph: Graph::new(lanes), current: Vec::new(), half: None }
    }
}

impl<'m, M: Machine, Mo: Named> Execution<'m, M, Mo> {
    pub(crate) fn new(machine: &'m M, options: &Options) -> Self {
        Execution::under(Mo::new(), machine, options)
    }
}

impl<'m, M: Machine, Mo: Model> Execution<'m, M, Mo> {
    /// An execution under this instance of a model.
    pub(crate) fn under(mut model: Mo, machine: &'m M, options: &Options) -> Self {
        if options.ignore_races {
            model.races_are_ignored();
        }
        Execution {
            machine,
            model,
            ignores_races: options.ignore_races,
            ignores_livelocks: options.ignore_livelocks,
            names: ThreadNames::default(),
            order: Order::default(),
            locations: Locations::default(),
            pool: Pool::default(),
            graph: Graph::new(Mo::LANES),
            current: Vec::new(),
            half: None,
            lets_rounds_stand: false,
            symmetry: false,
            has_twins: false,
            found: Vec::new(),
            events: 0,
            largest_graph: 0,
        }
    }

    /// Forgets all events and all states.
    pub(crate) fn clear(&mut self) {
        self.pool.release_all();
        self.graph = Graph::new(Mo::LANES);
        self.current.clear();
        self.half = None;
    }

    /// Exchanges the graph and the places of its threads for others.
    #[inline]
    pub(crate) fn exchange(&mut self, aside: &mut Aside) {
        std::mem::swap(&mut self.graph, &mut aside.graph);
        std::mem::swap(&mut self.current, &mut aside.current);
        std::mem::swap(&mut self.half, &mut aside.half);
    }

    /// The state that `thread` is in.
    #[inline]
    pub(crate) fn state(&self, thread: ThreadId) -> StateId {
        self.current.get(thread.index()).copied().unwrap_or(NO_STATE)
    }

    /// The action that `thread`, which was started, is paused at.
    #[inline]
    pub(crate) fn action(&self, thread: ThreadId) -> &Action {
        &self.pool.get(self.state(thread)).action
    }

    /// All threads that were started.
    pub(crate) fn started(&self) -> impl Iterator<Item = ThreadId> + '_ {
        let states = self.current.iter().enumerate();
        states.filter(|(_, state)| **state != NO_STATE).map(|(t, _)| ThreadId(t as u32))
    }

    // ---- going on ----------------------------------------------------------------------------

    /// Lets `thread` go on from `state` with `answer`.
    #[inline]
    pub(crate) fn advance(&mut self, thread: ThreadId, state: StateId, answer: Value) {
        self.advance_with(thread, state, answer.into());
    }

    /// Likewise after a read or a read-modify-write, where some bytes of the value were never written.
    #[inline]
    pub(crate) fn advance_partly(
        &mut self,
        thread: ThreadId,
        state: StateId,
        value: Value,
        undefined: u8,
    ) {
        let address = match &self.pool.get(state).action {
            _ if undefined == 0 => Address(0),
            Action::Load(access, _) => access.address,
            Action::Rmw(rmw) => rmw.access.address,
            // What a write is told is not what it wrote.
            _ => return self.advance(thread, state, value),
        };
        self.advance_with(thread, state, Answer { value, undefined, address });
    }

    #[inline]
    fn advance_with(&mut self, thread: ThreadId, from: StateId, answer: Answer) {
        let Execution { pool, machine, locations, current, .. } = self;
        let into = pool.resume(machine, thread, from, current, answer, locations);
        self.current[thread.index()] = into;
        self.arrived(thread);
    }

    /// Looks at the action that `thread` has just arrived at.
    #[inline]
    pub(crate) fn arrived(&mut self, thread: ThreadId) {
        if self.pool.get(self.current[thread.index()]).stance == Stance::Stands {
            self.stopped(thread);
        }
    }

    /// Looks at the action that `thread` does not go on from.
    fn stopped(&mut self, thread: ThreadId) {
        match &self.pool.get(self.current[thread.index()]).action {
            Action::Fail(fault) => {
                let fault = Fault::clone(fault);
                self.violate(fault, thread, None, None, Vec::new());
            }
            Action::Unsupported(what) => {
                let what = Unsupported::clone(what);
                self.unsupported(what);
            }
            Action::Interrupted => self.found.push(Finding::Interrupted),
            Action::Counts(head) => {
                self.found.push(Finding::Lessons(vec![Lesson::Counts(*head)]));
            }
            Action::LockMatters(lock) => {
                self.found.push(Finding::Lessons(vec![Lesson::LockMatters(*lock)]));
            }
            _ => {}
        }
    }

    #[cold]
    pub(crate) fn unsupported(&mut self, what: Unsupported) {
        if self.doubt(&[]) {
            return;
        }
        self.found.push(Finding::Unsupported(what));
    }

    #[cold]
    pub(crate) fn violate(
        &mut self,
        fault: Fault,
        thread: ThreadId,
        event: Option<EventId>,
        other: Option<EventId>,
        waiting: Vec<Waiting>,
    ) {
        let involved = [event, other];
        if self.doubt(involved.as_slice()) {
            return;
        }
        self.found.push(Finding::Fault(FaultFound { fault, thread, event, other, waiting }));
    }

    /// Whether the thread goes on and on; then nothing can be promised any more.
    #[inline]
    pub(crate) fn gives_up(&mut self, thread: ThreadId) -> bool {
        let endless = self.graph.thread_len(thread) >= MAX_THREAD_EVENTS;
        if endless {
            self.give_up(thread);
        }
        endless
    }

    #[cold]
    fn give_up(&mut self, thread: ThreadId) {
        let last = self.graph.threads_last(thread).map_or(Place::NONE, |event| event.place);
        let endless = Obstacle::EndlessThread(MAX_THREAD_EVENTS as u64);
        self.unsupported(Unsupported::new(endless, last));
    }

    /// Lets `thread` end at `place` with a final action instead of the one it is paused at.
    pub(crate) fn end_thread(&mut self, thread: ThreadId, place: Place, action: Action) -> bool {
        let from = self.state(thread);
        let mut event = Event::new(EventKind::Fault, norn_action::Mode::Plain, place);
        event.saved = from;
        self.graph.add_other(thread, event);
        let Execution { pool, locations, current, .. } = self;
        let into = pool.end(thread, from, current, action, locations);
        self.current[thread.index()] = into;
        self.half = None;
        self.arrived(thread);
        true
    }

    /// Counts an event that was added.
    #[inline]
    pub(crate) fn count_event(&mut self) {
        self.events += 1;
        self.largest_graph = self.largest_graph.max(self.graph.len());
    }

    /// Takes an event that was just added into the model's account.
    #[inline]
    pub(crate) fn added(&mut self, id: EventId) {
        self.model.added(&mut self.graph, id);
    }

    // ---- going back --------------------------------------------------------------------------

    /// Takes back all events from `length` on.
    #[inline]
    pub(crate) fn cut(&mut self, length: u32) {
        while self.graph.len() > length as usize {
            let id = *self.graph.order().last().expect("more events than `length`");
            let event = self.graph.pop();
            if event.kind == EventKind::Spawn {
                let child = &mut self.current[event.target().index()];
                self.pool.release(std::mem::replace(child, NO_STATE));
            }
            self.restore(id.thread(), event.saved);
        }
    }

    /// Puts `thread` back into `saved`.
    #[inline]
    pub(crate) fn restore(&mut self, thread: ThreadId, saved: StateId) {
        let current = &mut self.current[thread.index()];
        if *current != saved {
            self.pool.release(std::mem::replace(current, saved));
        }
    }
}
