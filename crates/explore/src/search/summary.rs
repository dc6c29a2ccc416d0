//! What a search found.

use super::Stop;
use super::position::Position;
use crate::execution::follow as along;
use crate::execution::{Calls, FaultFound, Mismatch, Visit, Waiting, leads_to};
use norn_action::{Fault, FaultKind, Lesson, Machine, Place, ThreadId, Unsupported, Wrong};
use norn_graph::{EventId, Graph, Locations};
use norn_models::Named;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Something wrong with the checked program, and the graph that shows it.
#[derive(Clone, Debug)]
pub struct Violation {
    /// What is wrong.
    pub fault: Fault,
    /// In which thread.
    pub thread: ThreadId,
    /// The event that completes it, if it is an event.
    pub event: Option<EventId>,
    /// The other event of a pair (a race, an access and a free).
    pub other: Option<EventId>,
    /// The threads that wait, for a deadlock.
    pub waiting: Vec<Waiting>,
    /// The graph.
    pub graph: Graph,
    /// The locations that its events name.
    pub locations: Arc<Locations>,
    /// How many complete executions were found before it.
    pub after: u64,
    /// Whether the graph needs more preemptions than the search was bounded to.
    pub beyond_bound: bool,
    /// Where the task in which it was found stands in the order of one worker alone.
    pub at: Position,
}

impl Violation {
    /// What is wrong, or asked for, at the end of an execution as a whole.
    pub fn at_end<M: Machine>(execution: &Visit<'_, M>, what: impl Into<Wrong>) -> Violation {
        Violation {
            fault: Fault::new(what, Place::NONE),
            thread: ThreadId::MAIN,
            event: None,
            other: None,
            waiting: Vec::new(),
            graph: execution.graph.clone(),
            locations: Arc::new(execution.locations.clone()),
            after: 0,
            beyond_bound: execution.beyond_bound,
            at: Position::default(),
        }
    }

    /// What makes two violations the same one: the kind and the two places.
    pub fn key(&self) -> ViolationKey {
        violation_key(&self.graph, &self.fault, self.other)
    }
}

/// Which calls the threads of `violation` were in, by running the program again with its decisions.
pub fn calls<M: Machine>(machine: &M, violation: &Violation) -> Calls {
    Calls::along(machine, &violation.graph)
}

/// Runs the program again with the decisions of `violation`, and shows each thread before each of its events, and
/// where it is at the end. What does not run again is not shown.
pub fn follow<M: Machine>(
    machine: &M,
    violation: &Violation,
    look: impl FnMut(ThreadId, Option<EventId>, &M::Thread),
) {
    along(machine, &violation.graph, look);
}

/// Whether running the program with the decisions of `violation` leads to the same violation again.
pub fn replays<M: Machine, Mo: Named>(
    machine: &M,
    violation: &Violation,
) -> Result<bool, Mismatch> {
    let same = |graph: &Graph, found: &FaultFound| {
        violation_key(graph, &found.fault, found.other) == violation.key()
    };
    leads_to::<M, Mo>(
        machine,
        &violation.graph,
        violation.event,
        !violation.waiting.is_empty(),
        same,
    )
}

/// What makes two violations the same one: the kind and the two places.
pub type ViolationKey = (FaultKind, Place, Place);

pub(crate) fn violation_key(graph: &Graph, fault: &Fault, other: Option<EventId>) -> ViolationKey {
    let other = other.map_or(Place::NONE, |id| graph.event(id).place);
    (fault.kind(), fault.place.min(other), fault.place.max(other))
}

/// The numbers of a search, and what it found.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Complete executions.
    pub executions: u64,
    /// Executions that could not end: failed assumptions, unrolling bounds.
    pub blocked: u64,
    /// Events added in all.
    pub events: u64,
    /// The largest number of events in a graph.
    pub largest_graph: usize,
    /// Whether a loop reached the unrolling bound.
    pub cut: Option<Place>,
    /// What only some algorithms count.
    pub figures: Figures,
    /// What was reached and cannot be run, each once.
    pub unsupported: Vec<Unsupported>,
    /// What is wrong, each kind and place once.
    pub violations: Vec<Violation>,
    /// What the machine has to know from the start, if the search was stopped for that.
    pub lessons: Vec<Lesson>,
    /// Why the search ended early.
    pub stopped: Option<Stop>,
}

/// What only some algorithms count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Figures {
    /// Of `trust`, and of `rf` with reads that wait: explorations that ended in a read that another execution
    /// continues; of `rvf`: in reads that nothing may be read by. They are no executions.
    pub stale: u64,
    /// Of `trust`: where there are threads that are alike.
    #[serde(default)]
    pub alike: AlikeFigures,
    /// Of `rf`.
    pub rf: Option<RfFigures>,
    /// Of a search with a bound on preemptions.
    pub bound: Option<BoundFigures>,
}

/// The figures of a search in which threads that are alike count once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AlikeFigures {
    /// Whether there are any.
    pub any: bool,
    /// How many executions there are beside those that were visited, since these can be exchanged for them.
    pub others: u128,
    /// Whether that is not known.
    pub unknown: bool,
}

impl AlikeFigures {
    /// An execution stands for so many, if that is known.
    pub(crate) fn add(&mut self, all: Option<u128>) {
        let sum = all.and_then(|all| self.others.checked_add(all - 1));
        self.unknown |= sum.is_none();
        self.others = sum.unwrap_or_default();
    }

    /// How many executions there are beside those that were visited, if that is known.
    pub fn others(&self) -> Option<u128> {
        (!self.unknown).then_some(self.others)
    }
}

/// The figures of `rf`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RfFigures {
    /// Schedules that turned out to be inconsistent when they were replayed.
    pub dead: u64,
}

/// The figures of a search with a bound on preemptions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoundFigures {
    /// The bound.
    pub preemptions: u32,
    /// Complete executions that need more preemptions than that.
    pub beyond: u64,
    /// Graphs within the bound that no execution visited came from: all that could follow was
    /// discarded. If the search was stopped in the midst of what a thread computed and taken up again, a graph may
    /// be missing, or be counted twice.
    pub blocked: u64,
    /// Graphs that were discarded because of the bound. If there is none, the search was complete.
    pub discarded: u64,
    /// Whether something was wrong in a graph beyond the bound, and was ignored as asked.
    pub ignored: bool,
}

impl Figures {
    pub(super) fn add(&mut self, other: Figures) {
        self.stale += other.stale;
        self.alike.any |= other.alike.any;
        self.alike.add(other.alike.others().and_then(|others| others.checked_add(1)));
        if let Some(RfFigures { dead }) = other.rf {
            self.rf.get_or_insert_default().dead += dead;
        }
        if let Some(BoundFigures { preemptions, beyond, blocked, discarded, ignored }) = other.bound
        {
            let own = self.bound.get_or_insert_default();
            own.preemptions = preemptions;
            own.beyond += beyond;
            own.blocked += blocked;
            own.discarded += discarded;
            own.ignored |= ignored;
        }
    }
}

impl Summary {
    /// The bound on preemptions, if there was one.
    pub fn bound(&self) -> Option<u32> {
        self.figures.bound.map(|figures| figures.preemptions)
    }

    /// Whether the bound on preemptions left something out, so that nothing is said beyond it.
    pub fn is_bounded(&self) -> bool {
        self.figures.bound.is_some_and(|figures| figures.discarded > 0 || figures.ignored)
    }

    /// Something was met that cannot be run.
    pub(crate) fn add_unsupported(&mut self, what: Unsupported) {
        if !self.unsupported.contains(&what) {
            self.unsupported.push(what);
        }
    }

    /// A loop was cut there. Of several places the first in the program is kept, whichever was met first.
    pub(crate) fn add_cut(&mut self, place: Place) {
        self.cut = least(self.cut, Some(place));
    }

    /// Something is wrong. Of one kind and place, what counts is within the bound rather than beyond it, and then
    /// what one worker alone would have found first.
    pub(crate) fn add_violation(&mut self, violation: Violation) {
        let key = violation.key();
        match self.violations.iter_mut().find(|known| known.key() == key) {
            None => self.violations.push(violation),
            Some(known) => {
                let rank = |one: &Violation| (one.beyond_bound, one.at.clone());
                if rank(&violation) < rank(known) {
                    *known = violation;
                }
            }
        }
    }

    /// Forgets all violations but the first in the order of one worker alone.
    pub(crate) fn keep_first(&mut self) {
        let first = self.violations.iter().map(|violation| violation.at.clone()).min();
        self.violations.retain(|violation| first.as_ref() == Some(&violation.at));
    }

    /// Adds what another part of the same search found. The order in which parts are added does not matter.
    pub(crate) fn add(&mut self, other: Summary) {
        self.executions += other.executions;
        self.blocked += other.blocked;
        self.events += other.events;
        self.largest_graph = self.largest_graph.max(other.largest_graph);
        self.cut = least(self.cut, other.cut);
        self.figures.add(other.figures);
        other.unsupported.into_iter().for_each(|what| self.add_unsupported(what));
        sort_unsupported(&mut self.unsupported);
        other.violations.into_iter().for_each(|violation| self.add_violation(violation));
        self.violations.sort_by_key(Violation::key);
        self.lessons.extend(other.lessons);
        self.stopped = self.stopped.or(other.stopped);
    }
}

/// The lesser of two, where there are two.
pub(super) fn least<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
    one.into_iter().chain(other).min()
}

/// Puts them in the order of the program, whatever order they were met in.
pub(super) fn sort_unsupported(all: &mut [Unsupported]) {
    all.sort_by_cached_key(|one| (one.place, one.other, format!("{:?}", one.what)));
}
