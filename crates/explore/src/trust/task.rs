//! A part of the search as a value of its own: a choice that is left, with the graph and the thread
//! states that it starts from. Another worker can take it up.

use super::Trust;
use super::frame::{Choice, ChoiceKind, Frame, Ghost, Revisit};
use super::prune::Prune;
use crate::execution::{Detached, Execution, detach};
use crate::search::Placed;
use norn_action::{Machine, ThreadId};
use norn_graph::EventId;
use norn_models::Model;

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
pub struct Task<M: Machine, R> {
    pub(crate) start: Detached<M>,
    pub(crate) half: Option<ThreadId>,
    pub(crate) work: Work,
    pub(crate) candidates: Vec<EventId>,
    pub(crate) ghosts: Vec<Ghost>,
    pub(crate) part: R,
    /// Whether something found on the way is to be confirmed.
    pub(crate) unconfirmed: bool,
}

pub(crate) type TaskOf<M, P> = Task<M, <P as Prune>::Part>;

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
        let position = self.session.position.handed_over(self.handed_over);
        self.handed_over += 1;
        Some((position, task))
    }

    /// Takes everything apart that is left to do, in order.
    pub(crate) fn unload(&mut self) -> Vec<Placed<TaskOf<M, P>>> {
        let mut tasks = Vec::new();
        if std::mem::take(&mut self.at_hand) {
            let (depth, length) = (self.below.len(), self.execution.graph.len() as u32);
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
                if revisit.next != revisit.floor && self.execution.half != Some(revisit.writer) {
                    let length = self.execution.graph.len() as u32;
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
        let place =
            |(index, task)| (self.session.position.handed_over(last - 1 - index as u32), task);
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
        let Execution { graph, current, half, pool, .. } = &self.execution;
        let (frame, graph, current, half) = match self.below.get(depth) {
            Some(frame) => (frame, &frame.aside.graph, &frame.aside.current, &frame.aside.half),
            None => (&self.top, graph, current, half),
        };
        Task {
            start: detach(graph, current, length, Mo::LANES, pool),
            half: if matches!(work, Work::Choice(_)) { None } else { *half },
            work,
            candidates,
            ghosts: frame.ghosts.clone(),
            part,
            unconfirmed: self.session.unconfirmed,
        }
    }

    /// Forgets all work and takes up a task. False if there turns out to be nothing in it.
    pub(crate) fn take_over(&mut self, (position, task): Placed<TaskOf<M, P>>) -> bool {
        let Task { start, half, work, candidates, ghosts, part, unconfirmed } = task;
        self.forget();
        self.execution.attach(start);
        self.top.base = self.execution.graph.len() as u32;
        self.prune.take_part(part, &self.execution.graph);
        self.session.unconfirmed |= unconfirmed;
        self.session.position = position;
        self.handed_over = 0;
        self.execution.half = half;
        self.top.candidates = candidates;
        self.top.ghosts = ghosts;
        match work {
            Work::Continue => true,
            Work::Choice(choice) => {
                self.top.choices.push(choice);
                self.backtrack()
            }
            Work::Revisit(mut revisit) => {
                revisit.saved = self.execution.state(revisit.id.thread());
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
        self.execution.pool.release_all();
        self.top.choices.clear();
        self.top.revisit = None;
        self.session.reset();
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
