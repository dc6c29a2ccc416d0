//! A part of the search as a value of its own: the oldest choice of a search, with the graph and the
//! thread states that it starts from. Another worker can take it up.
//!
//! In the order in which one worker alone would visit everything, a task that is handed over comes
//! after all that its giver keeps, and before whatever came after the giver. [`Position`] makes that
//! order explicit, so that the first violation is the same however the work was split.

use crate::bound::Prune;
use crate::frame::{Choice, ChoiceKind, Frame, Ghost};
use crate::pool::{NO_STATE, Saved, SavedId};
use crate::trust::Trust;
use norn_action::{Machine, ThreadId};
use norn_graph::{EventId, Graph};
use norn_models::Model;
use rustc_hash::FxHashMap;

/// Where a task stands in the order of one worker alone: lexicographic.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position(Vec<u32>);

impl Position {
    /// The position of the `count`-th task (from 0) handed over by the task at this position.
    fn handed_over(&self, count: u32) -> Position {
        let mut position = self.0.clone();
        position.push(u32::MAX - count);
        Position(position)
    }
}

/// A part of the search.
pub(crate) struct Task<T> {
    graph: Graph,
    states: Vec<Saved<T>>,
    current: Vec<SavedId>,
    choice: Choice,
    candidates: Vec<EventId>,
    ghosts: Vec<Ghost>,
    pub(crate) position: Position,
}

impl<M: Machine, Mo: Model, P: Prune> Trust<'_, M, Mo, P> {
    /// Gives the oldest choice away, if there is one besides the work at hand.
    pub(crate) fn hand_over(&mut self) -> Option<Task<M::Thread>> {
        let frame = self.below.iter_mut().chain([&mut self.top]).find(|f| !f.choices.is_empty())?;
        let choice = frame.choices.remove(0);
        let candidates = take_candidates(frame, &choice);
        let graph = &frame.graph;
        let kept: Vec<u32> = (0..graph.thread_count() as u32)
            .map(|t| {
                let events = graph.thread_events(ThreadId(t));
                events.partition_point(|event| event.stamp < choice.length) as u32
            })
            .collect();
        let mut part = Graph::new(Mo::LANES);
        part.copy_restricted(graph, &kept);
        let current = kept.iter().enumerate().map(|(t, &count)| {
            let id = ThreadId(t as u32);
            match graph.thread_events(id).get(count as usize) {
                _ if t > 0 && !part.spawned_by(id).is_real() => NO_STATE,
                Some(cut) => cut.saved,
                None => frame.current[t],
            }
        });
        let current: Vec<SavedId> = current.collect();
        let ghosts = frame.ghosts.clone();
        let position = self.position.handed_over(self.handed_over);
        self.handed_over += 1;
        let mut task =
            Task { graph: part, states: Vec::new(), current, choice, candidates, ghosts, position };
        self.export_states(&mut task);
        Some(task)
    }

    /// Copies the states that the task names into it, and renames them there.
    fn export_states(&self, task: &mut Task<M::Thread>) {
        let mut names: FxHashMap<SavedId, SavedId> = FxHashMap::default();
        let states = &mut task.states;
        let mut rename = |state: SavedId| {
            if state == NO_STATE {
                return state;
            }
            *names.entry(state).or_insert_with(|| {
                states.push(self.pool.get(state).clone());
                states.len() as SavedId - 1
            })
        };
        for state in &mut task.current {
            *state = rename(*state);
        }
        for index in 0..task.graph.len() {
            let id = task.graph.order()[index];
            let saved = rename(task.graph.event(id).saved);
            task.graph.set_saved(id, saved);
        }
    }

    /// Forgets all work and takes up `task`.
    pub(crate) fn take_over(&mut self, task: Task<M::Thread>) {
        self.pool.release_all();
        self.locations.catch_up();
        let ids: Vec<SavedId> =
            task.states.into_iter().map(|saved| self.pool.insert_saved(saved)).collect();
        let rename = |state: SavedId| if state == NO_STATE { state } else { ids[state as usize] };
        while !self.below.is_empty() {
            self.leave_frame();
        }
        let frame = &mut self.top;
        frame.graph = task.graph;
        for index in 0..frame.graph.len() {
            let id = frame.graph.order()[index];
            let saved = rename(frame.graph.event(id).saved);
            frame.graph.set_saved(id, saved);
        }
        frame.current.clear();
        frame.current.extend(task.current.into_iter().map(rename));
        frame.half = None;
        frame.base = frame.graph.len() as u32;
        frame.candidates = task.candidates;
        frame.ghosts = task.ghosts;
        frame.revisit = None;
        frame.choices.clear();
        frame.choices.push(task.choice);
        self.position = task.position;
        self.handed_over = 0;
        self.summary.stopped = None;
    }
}

/// The candidates of the frame's oldest choice, which are the lowest on the stack; the choice is
/// changed to name them from 0. What stays on the frame's stack is never looked at again.
fn take_candidates(frame: &Frame, choice: &Choice) -> Vec<EventId> {
    let ChoiceKind::Revisit { start, .. } = choice.kind else { return Vec::new() };
    let next = frame.choices.iter().find_map(|other| match other.kind {
        ChoiceKind::Revisit { start, .. } => Some(start as usize),
        _ => None,
    });
    let mut candidates = vec![EventId::NONE; start as usize];
    candidates.extend(&frame.candidates[start as usize..next.unwrap_or(frame.candidates.len())]);
    candidates
}
