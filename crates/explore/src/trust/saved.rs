//! Tasks of `trust` as they are written to a file. A graph is saved as the decisions behind it
//! ([`PortableGraph`]); everything else a task says is a number.

use super::frame::{Choice, ChoiceKind, Ghost, Revisit};
use super::prune::Prune;
use super::task::{Task, TaskOf, Work};
use super::{Trust, TrustDescent};
use crate::execution::{Execution, Mismatch, PortableGraph, Rename, Renaming, detach, id, name};
use crate::search::{Explorer, Observer, Parts, Placed, Position, Probe};
use norn_action::{Action, Machine, NO_STATE, ThreadId};
use norn_graph::{EventId, Graph};
use norn_models::Model;
use serde::{Deserialize, Serialize};

/// A [`Task`], as a value that means the same elsewhere.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedTask<R> {
    /// The spawns that the ids of its threads stand for.
    threads: Vec<(u32, u32)>,
    position: Position,
    graph: PortableGraph,
    half: Option<ThreadId>,
    work: SavedWork,
    candidates: Vec<EventId>,
    ghosts: Vec<Ghost>,
    part: R,
    unconfirmed: bool,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
enum SavedWork {
    Continue,
    Choice(Choice),
    Revisit { writer: ThreadId, read: (u32, u32), stamp: u32, next: u32, floor: u32 },
}

impl SavedWork {
    fn of(work: &Work) -> SavedWork {
        match *work {
            Work::Continue => SavedWork::Continue,
            Work::Choice(choice) => SavedWork::Choice(choice),
            Work::Revisit(Revisit { writer, id, stamp, next, floor, .. }) => {
                SavedWork::Revisit { writer, read: name(id), stamp, next, floor }
            }
        }
    }

    fn work(self) -> Work {
        match self {
            SavedWork::Continue => Work::Continue,
            SavedWork::Choice(choice) => Work::Choice(choice),
            SavedWork::Revisit { writer, read, stamp, next, floor } => Work::Revisit(Revisit {
                writer,
                id: id(read),
                stamp,
                saved: NO_STATE,
                next,
                floor,
                displaced: false,
            }),
        }
    }
}

impl<R: Rename> Rename for SavedTask<R> {
    fn rename(&mut self, to: &Renaming) {
        let SavedTask {
            threads: _, position: _, graph, half, work, candidates, ghosts, part, ..
        } = self;
        graph.rename(to);
        half.rename(to);
        work.rename(to);
        candidates.rename(to);
        ghosts.rename(to);
        part.rename(to);
    }
}

impl Rename for SavedWork {
    fn rename(&mut self, to: &Renaming) {
        match self {
            SavedWork::Continue => {}
            SavedWork::Choice(choice) => choice.kind.thread_mut().rename(to),
            SavedWork::Revisit { writer, read, .. } => {
                writer.rename(to);
                read.rename(to);
            }
        }
    }
}

impl Rename for Ghost {
    fn rename(&mut self, to: &Renaming) {
        self.read.rename(to);
        self.displacer.rename(to);
    }
}

impl<M: Machine, Mo: Model, P: Prune> Trust<'_, M, Mo, P> {
    fn save_task(&self, position: &Position, task: &TaskOf<M, P>) -> SavedTask<P::Part> {
        SavedTask {
            threads: self.execution.names.list(),
            position: position.clone(),
            graph: PortableGraph::of(&task.start.graph),
            half: task.half,
            work: SavedWork::of(&task.work),
            candidates: task.candidates.clone(),
            ghosts: task.ghosts.clone(),
            part: task.part.clone(),
            unconfirmed: task.unconfirmed,
        }
    }

    fn load_task(
        &mut self,
        mut saved: SavedTask<P::Part>,
    ) -> Result<Placed<TaskOf<M, P>>, Mismatch> {
        saved.rename(&self.execution.names.take_up(&saved.threads).in_order()?);
        self.forget();
        self.execution.rebuild(&saved.graph)?;
        self.execution.found.clear();
        self.check_task(&saved)?;
        self.set_floors(&mut saved.work);
        let Execution { graph, current, pool, .. } = &self.execution;
        let task = Task {
            start: detach(graph, current, graph.len() as u32, Mo::LANES, pool),
            half: saved.half,
            work: saved.work.work(),
            candidates: saved.candidates,
            ghosts: saved.ghosts,
            part: saved.part,
            unconfirmed: saved.unconfirmed,
        };
        Ok((saved.position, task))
    }
}

impl<M: Machine, Mo: Model, P: Prune> Trust<'_, M, Mo, P> {
    /// Whether what a task says fits its graph, which was built again: it may come from a damaged file.
    fn check_task(&self, saved: &SavedTask<P::Part>) -> Result<(), Mismatch> {
        let graph = &self.execution.graph;
        let there = |id: EventId| id.is_real() && graph.thread_len(id.thread()) > id.position();
        let known = |id: EventId| id.is_real() && id.thread().index() < graph.thread_count();
        let started = |thread: ThreadId| self.execution.state(thread) != NO_STATE;
        let fits = saved.half.is_none_or(started)
            && self.candidates_fit(saved)
            && P::fits(&saved.part, graph, matches!(saved.work, SavedWork::Revisit { .. }))
            && saved.ghosts.iter().all(|ghost| known(ghost.read) && there(ghost.displacer))
            && match saved.work {
                SavedWork::Continue => true,
                SavedWork::Choice(mut choice) => {
                    choice.length as usize == graph.len()
                        && started(*choice.kind.thread_mut())
                        && self.fits_choice(&choice.kind)
                }
                SavedWork::Revisit { writer, read: (reader, position), stamp, next, .. } => {
                    started(writer)
                        && started(ThreadId(reader))
                        && position == graph.thread_len(ThreadId(reader))
                        && stamp as usize <= graph.len()
                        && self.writes(writer)
                        && (next == u32::MAX || next <= self.writes_there(writer))
                }
            };
        if fits { Ok(()) } else { Err(Mismatch { message: "a task of another graph".to_owned() }) }
    }

    /// Whether the candidates are reads that the write may revisit; those below the first place that is left
    /// belong to nobody.
    fn candidates_fit(&self, saved: &SavedTask<P::Part>) -> bool {
        let graph = &self.execution.graph;
        let SavedWork::Choice(Choice { kind: ChoiceKind::Revisit { thread, start }, .. }) =
            saved.work
        else {
            return saved.candidates.is_empty();
        };
        if self.execution.state(thread) == NO_STATE {
            return false;
        }
        let location = self.execution.pool.get(self.execution.state(thread)).location;
        let prefix = graph.clock_before_next(0, thread);
        let there = |id: EventId| id.is_real() && graph.thread_len(id.thread()) > id.position();
        let is_read =
            |id: EventId| graph.event(id).is_read() && graph.event(id).location == location;
        let is_candidate = |&id: &EventId| there(id) && is_read(id) && !Graph::within(prefix, id);
        saved.candidates.get(start as usize..).is_some_and(|left| left.iter().all(is_candidate))
    }

    /// Whether the thread of a choice is paused at what the choice is about.
    fn fits_choice(&self, kind: &ChoiceKind) -> bool {
        match *kind {
            ChoiceKind::Read { thread, next, .. } => {
                matches!(self.execution.action(thread), Action::Load(..) | Action::Rmw(_))
                    && !self.is_half(thread)
                    && next <= self.writes_there(thread)
            }
            ChoiceKind::Write { thread, next, .. } => {
                self.writes(thread) && next <= self.writes_there(thread)
            }
            ChoiceKind::Revisit { thread, .. } => self.writes(thread),
            ChoiceKind::Answer { thread, next } => {
                matches!(self.execution.action(thread), Action::Choose { count, .. } if next < *count)
            }
        }
    }

    /// How many writes there are at the location that the thread is about to access.
    fn writes_there(&self, thread: ThreadId) -> u32 {
        let location = self.execution.pool.get(self.execution.state(thread)).location;
        let state = self.execution.graph.location_if_any(location);
        state.map_or(0, |state| state.co.len() as u32)
    }

    fn writes(&self, thread: ThreadId) -> bool {
        match self.execution.action(thread) {
            Action::Store(..) => true,
            Action::Rmw(_) => self.is_half(thread),
            _ => false,
        }
    }

    /// Whether the last event of the thread is the first half of a read-modify-write.
    fn is_half(&self, thread: ThreadId) -> bool {
        let last = self.execution.graph.threads_last(thread);
        last.is_some_and(|event| event.is_read() && event.is_exclusive())
    }

    /// Floors follow from the graph; those of a damaged file would lead to graphs that are not consistent.
    fn set_floors(&mut self, work: &mut SavedWork) {
        match work {
            SavedWork::Choice(Choice { kind: ChoiceKind::Read { thread, floors, .. }, .. }) => {
                let read = self.execution.pending_read(*thread);
                self.execution.touch(read.location);
                let newest = self.writes_there(*thread);
                *floors = self.execution.read_floors(*thread, &read, newest);
                self.execution.graph.untouch(read.location);
            }
            SavedWork::Choice(Choice { kind: ChoiceKind::Write { thread, floor, .. }, .. })
            | SavedWork::Revisit { writer: thread, floor, .. } => {
                let write = self.execution.pending_write(*thread);
                self.execution.touch(write.location);
                *floor = match self.writes_there(*thread) {
                    0 => 0,
                    _ => self.write_floor(*thread, &write),
                };
                self.execution.graph.untouch(write.location);
            }
            SavedWork::Choice(_) | SavedWork::Continue => {}
        }
    }
}

impl<M: Machine, Mo: Model, P: Prune> Explorer<M> for Trust<'_, M, Mo, P> {
    type Task = TaskOf<M, P>;
    type Saved = SavedTask<P::Part>;
    const ORDERED: bool = true;

    #[inline]
    fn parts(&mut self) -> Parts<'_, Self::Task> {
        let Trust { execution, session, queue, .. } = self;
        Parts { execution, session, queue }
    }

    fn take_over(&mut self, task: Placed<Self::Task>) -> bool {
        Trust::take_over(self, task)
    }

    fn into_probe<'e>(self, seed: u64) -> Probe<'e>
    where
        Self: 'e,
    {
        Probe::new(TrustDescent::new(self), seed, false)
    }

    fn visit_all(&mut self, observer: &mut impl Observer<M>) {
        Trust::visit_all(self, observer);
    }

    fn unload(&mut self) -> Vec<Placed<Self::Task>> {
        Trust::unload(self)
    }

    fn save(&mut self, position: &Position, task: &Self::Task) -> Self::Saved {
        self.save_task(position, task)
    }

    fn load(&mut self, saved: Self::Saved) -> Result<Placed<Self::Task>, Mismatch> {
        self.load_task(saved)
    }
}
