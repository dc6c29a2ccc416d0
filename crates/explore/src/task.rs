//! A part of the search as a value of its own: a choice that is left, with the graph and the thread
//! states that it starts from. Another worker can take it up.
//!
//! In the order in which one worker alone would visit everything, a task that is handed over comes
//! after all that its giver keeps, and before whatever came after the giver. [`Position`] makes that
//! order explicit, so that the first violation is the same however the work was split.

use crate::bound::Prune;
use crate::frame::{Choice, ChoiceKind, Frame, Ghost, Revisit};
use crate::pool::{NO_STATE, Pool, Saved, SavedId};
use crate::queue::Placed;
use crate::trust::Trust;
use norn_action::{Machine, ThreadId};
use norn_graph::{EventId, Graph};
use norn_models::Model;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// Where a task stands in the order of one worker alone: lexicographic.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Position(Vec<u32>);

impl Position {
    /// The position of the `count`-th task (from 0) handed over by the task at this position.
    fn handed_over(&self, count: u32) -> Position {
        let mut position = self.0.clone();
        position.push(u32::MAX - count);
        Position(position)
    }
}

/// A graph with the states of its threads, outside of any pool.
pub(crate) struct Detached<T> {
    pub graph: Graph,
    pub states: Vec<Saved<T>>,
    pub current: Vec<SavedId>,
}

/// What is to be done from the graph of a task.
#[derive(Clone, Copy)]
pub(crate) enum Work {
    /// The graph itself is to be visited.
    Continue,
    /// A choice is left in it.
    Choice(Choice),
    /// A revisit is to be placed, at the next place.
    Revisit(Revisit),
}

/// A part of the search. `R` is what the pruning of the search remembers of the graph.
pub struct Task<T, R> {
    pub(crate) start: Detached<T>,
    pub(crate) half: Option<ThreadId>,
    pub(crate) work: Work,
    pub(crate) candidates: Vec<EventId>,
    pub(crate) ghosts: Vec<Ghost>,
    pub(crate) part: R,
    /// See [`Trust::doubtful`].
    pub(crate) doubtful: bool,
}

pub(crate) type TaskOf<M, P> = Task<<M as Machine>::Thread, <P as Prune>::Part>;

impl<M: Machine, Mo: Model, P: Prune> Trust<'_, M, Mo, P> {
    /// Gives the oldest choice away, if there is one besides the work at hand.
    pub(crate) fn hand_over(&mut self) -> Option<Placed<TaskOf<M, P>>> {
        let frames = self.below.iter().chain([&self.top]);
        let (depth, choice) = frames.enumerate().find_map(|(depth, frame)| {
            let choice = *frame.choices.first()?;
            self.prune.may_part(depth, choice.length).then_some((depth, choice))
        })?;
        let frame = self.below.get_mut(depth).unwrap_or(&mut self.top);
        frame.choices.remove(0);
        let candidates = lowest_candidates(frame, &choice);
        let task = self.task(depth, choice.length, Work::Choice(choice), candidates);
        let position = self.position.handed_over(self.handed_over);
        self.handed_over += 1;
        Some((position, task))
    }

    /// Takes everything apart that is left to do, in order.
    pub(crate) fn unload(&mut self) -> Vec<Placed<TaskOf<M, P>>> {
        let mut tasks = Vec::new();
        if std::mem::take(&mut self.at_hand) {
            let (depth, length) = (self.below.len(), self.top.graph.len() as u32);
            tasks.push(self.task(depth, length, Work::Continue, Vec::new()));
        }
        loop {
            let depth = self.below.len();
            while let Some(choice) = self.top.choices.pop() {
                let candidates = highest_candidates(&mut self.top, &choice);
                tasks.push(self.task(depth, choice.length, Work::Choice(choice), candidates));
            }
            if let Some(revisit) = self.top.revisit {
                self.undo_revisit();
                if revisit.next != revisit.floor && self.top.half != Some(revisit.writer) {
                    let length = self.top.graph.len() as u32;
                    tasks.push(self.task(depth, length, Work::Revisit(revisit), Vec::new()));
                }
            }
            if depth == 0 {
                break;
            }
            self.leave_frame();
        }
        self.top.revisit = None;
        let last = self.handed_over + tasks.len() as u32;
        let place = |(index, task)| (self.position.handed_over(last - 1 - index as u32), task);
        tasks.into_iter().enumerate().map(place).collect()
    }

    /// The task to do `work` in the first `length` events of the graph of a frame.
    fn task(
        &mut self,
        depth: usize,
        length: u32,
        work: Work,
        candidates: Vec<EventId>,
    ) -> TaskOf<M, P> {
        let part = self.prune.part(depth);
        let frame = self.below.get(depth).unwrap_or(&self.top);
        Task {
            start: detach(frame, length, Mo::LANES, &self.pool),
            half: if matches!(work, Work::Choice(_)) { None } else { frame.half },
            work,
            candidates,
            ghosts: frame.ghosts.clone(),
            part,
            doubtful: self.doubtful,
        }
    }

    /// Forgets all work and takes up a task. False if there turns out to be nothing in it.
    pub(crate) fn take_over(&mut self, (position, task): Placed<TaskOf<M, P>>) -> bool {
        let Task { start, half, work, candidates, ghosts, part, doubtful } = task;
        self.forget();
        self.attach(start);
        self.prune.take_part(part, &self.top.graph);
        self.doubtful |= doubtful;
        self.position = position;
        self.handed_over = 0;
        self.top.half = half;
        self.top.candidates = candidates;
        self.top.ghosts = ghosts;
        match work {
            Work::Continue => true,
            Work::Choice(choice) => {
                self.top.choices.push(choice);
                self.backtrack()
            }
            Work::Revisit(mut revisit) => {
                revisit.saved = self.top.state(revisit.id.thread());
                self.top.revisit = Some(revisit);
                self.place_revisit()
            }
        }
    }

    /// Forgets all work.
    pub(crate) fn forget(&mut self) {
        while !self.below.is_empty() {
            self.leave_frame();
        }
        self.pool.release_all();
        self.top.choices.clear();
        self.top.revisit = None;
        self.summary.stopped = None;
        self.leaving = false;
    }

    /// Makes a detached graph the one at hand.
    pub(crate) fn attach(&mut self, mut start: Detached<M::Thread>) {
        self.locations.catch_up();
        // Copied, so that no two workers write to memory that lies side by side.
        self.machine.separate(start.states.iter_mut().map(|saved| &mut saved.thread));
        let ids: Vec<SavedId> =
            start.states.iter().map(|saved| self.pool.insert_copy(saved)).collect();
        let rename = |state: SavedId| if state == NO_STATE { state } else { ids[state as usize] };
        let frame = &mut self.top;
        let threads = (0..start.graph.thread_count() as u32).map(ThreadId);
        let all: Vec<u32> = threads.map(|thread| start.graph.thread_len(thread)).collect();
        frame.graph.copy_restricted(&start.graph, &all);
        for index in 0..frame.graph.len() {
            let id = frame.graph.order()[index];
            let saved = rename(frame.graph.event(id).saved);
            frame.graph.set_saved(id, saved);
        }
        frame.current.clear();
        frame.current.extend(start.current.into_iter().map(rename));
        frame.base = frame.graph.len() as u32;
    }
}

/// Copies the first `length` events of a frame's graph and the states that they name.
pub(crate) fn detach<T: Clone>(
    frame: &Frame,
    length: u32,
    lanes: usize,
    pool: &Pool<T>,
) -> Detached<T> {
    let graph = &frame.graph;
    let kept: Vec<u32> = (0..graph.thread_count() as u32)
        .map(|t| {
            let events = graph.thread_events(ThreadId(t));
            events.partition_point(|event| event.stamp < length) as u32
        })
        .collect();
    let mut part = Graph::new(lanes);
    part.copy_restricted(graph, &kept);
    let current = kept.iter().enumerate().map(|(t, &count)| {
        let id = ThreadId(t as u32);
        match graph.thread_events(id).get(count as usize) {
            _ if t > 0 && !part.spawned_by(id).is_real() => NO_STATE,
            Some(cut) => cut.saved,
            None => frame.current[t],
        }
    });
    let mut current: Vec<SavedId> = current.collect();
    if current.is_empty() {
        // Not even the main thread has an event.
        current.extend(frame.current.first());
    }
    let mut detached = Detached { graph: part, states: Vec::new(), current };
    export_states(&mut detached, pool);
    detached
}

/// Copies the states that the graph names, and renames them there.
fn export_states<T: Clone>(detached: &mut Detached<T>, pool: &Pool<T>) {
    let Detached { graph, states, current } = detached;
    let mut names: FxHashMap<SavedId, SavedId> = FxHashMap::default();
    let mut rename = |state: SavedId| {
        if state == NO_STATE {
            return state;
        }
        *names.entry(state).or_insert_with(|| {
            states.push(pool.get(state).clone());
            states.len() as SavedId - 1
        })
    };
    for state in current {
        *state = rename(*state);
    }
    for index in 0..graph.len() {
        let id = graph.order()[index];
        let saved = rename(graph.event(id).saved);
        graph.set_saved(id, saved);
    }
}

/// The candidates of the frame's oldest choice, which was just taken out: they are the lowest on the
/// stack. What stays on the frame's stack is never looked at again.
fn lowest_candidates(frame: &Frame, choice: &Choice) -> Vec<EventId> {
    let ChoiceKind::Revisit { start, .. } = choice.kind else { return Vec::new() };
    let next = frame.choices.iter().find_map(|other| match other.kind {
        ChoiceKind::Revisit { start, .. } => Some(start as usize),
        _ => None,
    });
    let mut candidates = vec![EventId::NONE; start as usize];
    candidates.extend(&frame.candidates[start as usize..next.unwrap_or(frame.candidates.len())]);
    candidates
}

/// The candidates of the frame's latest choice, which was just taken out: they are the highest on the
/// stack.
fn highest_candidates(frame: &mut Frame, choice: &Choice) -> Vec<EventId> {
    let ChoiceKind::Revisit { start, .. } = choice.kind else { return Vec::new() };
    let mut candidates = vec![EventId::NONE; start as usize];
    candidates.extend(frame.candidates.drain(start as usize..));
    candidates
}
