//! `norn explain --unordered`: whether accesses of two lines may be unordered.
//!
//! Two accesses are ordered if one happens before the other as the race detector of the model has it, which is the lane
//! of happens-before in the clocks of a graph. Every execution is looked at, also those in which a thread waits for
//! ever: what the threads did before that, they did. That all pairs are ordered in all executions is proved by a complete
//! search, as an impossible outcome is.

use super::lines::{Line, Marked, Marks};
use super::{Doubt, Question, explanation};
use crate::check::CheckOptions;
use crate::control::Control;
use crate::error::InputError;
use crate::model::PlannedModel;
use crate::program::{self, Prepared};
use crate::seek::Seek;
use crate::tally::Listener;
use norn_action::{Action, Claim, FaultKind, Place};
use norn_explore::{Calls, Violation, Visit};
use norn_graph::{Event, EventId, EventKind, Graph, What};
use norn_machine::Vm;
use norn_program::Program;
use norn_report::{Answer, Chain, Explanation, Ordering, Pair};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Why nothing is proved of a line.
const FAILS: &str = "a wait for a condition variable or a weak compare-exchange there may end for no reason, which is left \
                     out where it leads back to the loop that it came from; with --no-spurious-wakeups it does not";

/// Looks for an execution in which accesses of two lines, each written as `FILE:LINE`, are not ordered by
/// happens-before.
pub fn explain_unordered(
    options: &CheckOptions,
    lines: [&str; 2],
    control: &Control,
    progress: &mut Listener<'_>,
) -> Result<Explanation, InputError> {
    let question = Question::new(options, "--unordered", &lines, control)?;
    let job = question.job()?;
    if matches!(job.plan.model(), PlannedModel::Loaded(_)) {
        return Err(InputError::Refused(
            "--unordered needs a model that is built in: a file does not say what happens-before is".into(),
        ));
    }
    let Some(Prepared { program, config, .. }) = program::prepare(&job)? else {
        let lines = lines.map(str::to_owned);
        let unknown = Pair { lines, ordering: Ordering::Unknown, chains: Vec::new() };
        let nothing = explanation(&job, Answer::Inconclusive);
        return Ok(Explanation { unordered: Some(unknown), ..nothing });
    };
    let lines = [Line::read(&program, lines[0])?, Line::read(&program, lines[1])?];
    let Marked { program, marks, through_calls, fails } = Marked::new(program, &lines)?;
    let doubt = (fails && config.spurious).then_some(Doubt(Some(FAILS)));
    let program = Arc::new(program);
    let hb = job.plan.model().facts().hb;
    let seek = || Pairs {
        marks: &marks,
        program: &program,
        lines: &lines,
        through_calls,
        hb,
        seen: Seen::default(),
    };
    let (Pairs { seen, .. }, mut searched) =
        question.search(&job, &program, config, progress, seek)?;
    // Who waits for ever does nothing else.
    searched.summary.violations.retain(|violation| {
        !matches!(violation.fault.kind(), FaultKind::Deadlock | FaultKind::Livelock)
    });
    let told = searched.explain(&job, seen.found.as_ref(), doubt.as_slice());
    let ordering = match told.answer {
        Answer::Possible => Ordering::Unordered,
        Answer::Impossible => seen.ordering(),
        Answer::Inconclusive => Ordering::Unknown,
    };
    let samples = seen.samples.iter().flatten().filter(|_| told.answer == Answer::Impossible);
    let chains = samples.map(|(violation, from, to)| {
        Chain::of(&searched.report(violation), (*from).into(), (*to).into())
    });
    let chains = chains.collect();
    let lines = lines.each_ref().map(|line| line.name.clone());
    Ok(Explanation { unordered: Some(Pair { lines, ordering, chains }), ..told })
}

/// What was seen of the pairs of accesses.
#[derive(Default)]
struct Seen {
    /// An execution in which two are not ordered.
    found: Option<Violation>,
    /// Whether there was an access of each line.
    lines: [bool; 2],
    /// Whether two were of the same thread, the one of the first line first, and the other way round.
    same_thread: [bool; 2],
    /// The first execution in which one of the first line comes before one of the second, and the other way round.
    samples: [Option<(Violation, EventId, EventId)>; 2],
}

impl Seen {
    /// What is so in all executions, if none was found.
    fn ordering(&self) -> Ordering {
        let [forth, back] = [0, 1].map(|i| self.samples[i].is_some() || self.same_thread[i]);
        match self.lines {
            [false, false] => Ordering::NeitherReached,
            [false, true] => Ordering::FirstNotReached,
            [true, false] => Ordering::SecondNotReached,
            _ if !(forth || back) => Ordering::NeverBoth,
            _ if self.samples.iter().all(Option::is_none) => Ordering::SameThread,
            _ if forth && back => Ordering::EitherWay,
            _ if forth => Ordering::FirstBeforeSecond,
            _ => Ordering::SecondBeforeFirst,
        }
    }
}

/// Looks at all pairs of accesses.
struct Pairs<'s> {
    marks: &'s Marks,
    program: &'s Program,
    lines: &'s [Line; 2],
    through_calls: bool,
    /// The lane of happens-before.
    hb: usize,
    seen: Seen,
}

impl Pairs<'_> {
    fn look(&mut self, execution: &Visit<'_, Vm>) -> ControlFlow<()> {
        if self.seen.found.is_some() {
            return ControlFlow::Break(());
        }
        let graph = execution.graph;
        let calls = if self.through_calls { execution.calls() } else { Calls::default() };
        let accesses = graph.order().iter().copied().filter(|&id| self.is_access(execution, id));
        let accesses: Vec<EventId> = accesses.collect();
        let of = |line: &Line| -> Vec<EventId> {
            let is_at =
                |id: &EventId| line.is_at(self.program, graph.event(*id).place, calls.at(*id));
            accesses.iter().copied().filter(is_at).collect()
        };
        let [first, second] = self.lines.each_ref().map(of);
        self.seen.lines[0] |= !first.is_empty();
        self.seen.lines[1] |= !second.is_empty();
        let pairs = first.iter().flat_map(|&a| second.iter().map(move |&b| (a, b)));
        let unordered = pairs.filter(|&(a, b)| self.is_unordered(execution, a, b));
        let best = unordered.min_by_key(|&(a, b)| interest(graph, a, b));
        match best {
            Some((a, b)) => {
                self.seen.found = Some(up_to(execution, a, b));
                ControlFlow::Break(())
            }
            None => ControlFlow::Continue(()),
        }
    }

    /// Whether nothing orders two accesses, of the first line and of the second; remembers what does.
    fn is_unordered(&mut self, execution: &Visit<'_, Vm>, a: EventId, b: EventId) -> bool {
        if a.thread() == b.thread() {
            // An access is not ordered with itself.
            self.seen.same_thread[0] |= a.position() < b.position();
            self.seen.same_thread[1] |= a.position() > b.position();
            return false;
        }
        let clock = |id| execution.graph.clock(self.hb, id);
        let [forth, back] = &mut self.seen.samples;
        if Graph::within(clock(b), a) {
            forth.get_or_insert_with(|| (shown(execution, Place::NONE), a, b));
        } else if Graph::within(clock(a), b) {
            back.get_or_insert_with(|| (shown(execution, Place::NONE), b, a));
        } else {
            return true;
        }
        false
    }

    /// Whether an event is an access, or the mark of one that is no event.
    fn is_access(&self, execution: &Visit<'_, Vm>, id: EventId) -> bool {
        let event = execution.graph.event(id);
        match event.what() {
            What::Read(..) => !event.is_blocked(),
            What::Write(_) => true,
            What::Free { scope, .. } => !scope,
            What::Choose { .. } => self.marks.has(event.place) && stands_alone(execution, id),
            _ => false,
        }
    }
}

/// How little two accesses say, so that those are shown that conflict, and no marks if there are others.
fn interest(graph: &Graph, a: EventId, b: EventId) -> u32 {
    let (one, other) = (graph.event(a), graph.event(b));
    let is_mark = |event: &Event| event.kind == EventKind::Choose;
    let conflict = one.location == other.location && (one.is_write() || other.is_write());
    if is_mark(one) || is_mark(other) { 2 } else { u32::from(!conflict) }
}

/// An execution that says nothing of itself, at a place or as a whole.
fn shown(execution: &Visit<'_, Vm>, place: Place) -> Violation {
    let claim = Claim::FinalState { outcome: String::new(), satisfies: true };
    let mut shown = Violation::at_end(execution, claim);
    shown.fault.place = place;
    shown
}

/// What two accesses of an execution depend on.
fn up_to(execution: &Visit<'_, Vm>, a: EventId, b: EventId) -> Violation {
    let whole = execution.graph;
    let mut kept = vec![0; whole.thread_count()];
    for id in [a, b] {
        for (kept, &clock) in kept.iter_mut().zip(whole.clock(0, id)) {
            *kept = clock.max(*kept);
        }
        // Both halves of a read-modify-write.
        let is_half = whole.event(id).is_read() && whole.has_exclusive_write(id);
        let own = &mut kept[id.thread().index()];
        *own = (id.position() + 1 + u32::from(is_half)).max(*own);
    }
    let mut graph = Graph::new(1);
    graph.copy_restricted(whole, &kept);
    let (thread, event, other) = (b.thread(), Some(b), Some(a));
    let shown = shown(execution, whole.event(b).place);
    Violation { thread, event, other, graph, ..shown }
}

/// Whether the access behind a mark was made and is no event.
fn stands_alone(execution: &Visit<'_, Vm>, mark: EventId) -> bool {
    let graph = execution.graph;
    let access = Place(graph.event(mark).place.0 + 1);
    let events = &graph.thread_events(mark.thread())[mark.position() as usize + 1..];
    // These may come before the access itself.
    let comes_before = |kind: EventKind| matches!(kind, EventKind::Publish | EventKind::Choose);
    let next = events.iter().find(|event| event.place != access || !comes_before(event.kind));
    match next {
        Some(next) => next.place != access,
        // It may be what the thread waits for, or fails at.
        None => execution
            .thread(mark.thread())
            .is_none_or(|(_, action)| place_of(action) != Some(access)),
    }
}

/// Where a thread is that is about to take an action, as far as that matters to accesses.
fn place_of(action: &Action) -> Option<Place> {
    match action {
        Action::Load(access, _) | Action::Store(access, _) => Some(access.place),
        Action::Rmw(rmw) => Some(rmw.access.place),
        Action::Free { place, .. } | Action::Measure { place, .. } => Some(*place),
        Action::Fail(fault) => Some(fault.place),
        Action::Unsupported(what) => Some(what.place),
        _ => None,
    }
}

impl Seek for Pairs<'_> {
    fn execution(&mut self, execution: &Visit<'_, Vm>) -> ControlFlow<()> {
        self.look(execution)
    }

    fn blocked(&mut self, execution: &Visit<'_, Vm>) -> ControlFlow<()> {
        self.look(execution)
    }
}
