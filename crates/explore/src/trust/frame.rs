//! One level of the search: a graph, and the choices that are left in it.

use crate::execution::{Aside, Floors};
use norn_action::{StateId, ThreadId};
use norn_graph::{EventId, Graph};
use serde::{Deserialize, Serialize};

/// Something to come back to: cut the graph to `length` events, then go on as `kind` says.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Choice {
    pub length: u32,
    pub kind: ChoiceKind,
}

/// How to go on.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) enum ChoiceKind {
    /// The pending read of `thread` reads from the write at coherence index `next` or below.
    Read { thread: ThreadId, next: u32, floors: Floors, last_resort: bool },
    /// The pending write of `thread` is placed after the write at coherence index `next` or below.
    Write { thread: ThreadId, next: u32, floor: u32 },
    /// The pending write of `thread` revisits the candidates from `start` on.
    Revisit { thread: ThreadId, start: u32 },
    /// The pending choice of `thread` is answered with `next`.
    Answer { thread: ThreadId, next: u64 },
}

impl ChoiceKind {
    /// The thread that goes on.
    pub(crate) fn thread_mut(&mut self) -> &mut ThreadId {
        match self {
            ChoiceKind::Read { thread, .. }
            | ChoiceKind::Write { thread, .. }
            | ChoiceKind::Revisit { thread, .. }
            | ChoiceKind::Answer { thread, .. } => thread,
        }
    }
}

/// How a frame came to be: a write that revisited a read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Revisit {
    /// The thread whose pending write revisits.
    pub writer: ThreadId,
    /// The read.
    pub id: EventId,
    /// Where in insertion order it is inserted again.
    pub stamp: u32,
    /// The state that its thread takes it from.
    pub saved: StateId,
    /// The coherence index that the write stands after now; `u32::MAX` before the first place.
    pub next: u32,
    /// The least one.
    pub floor: u32,
    /// The read is not there: it waits for a lock or a semaphore, and became a ghost.
    pub displaced: bool,
}

/// A waiting read that a revisit displaced: it read `displacer`, which fails its test, so it is not
/// kept as an event. Its thread is paused at it again, and only writes that came after it may
/// satisfy it. See item 6 of `trust`.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Ghost {
    /// What the read would be called.
    pub read: EventId,
    /// Where it stood in insertion order: before the event that now has this stamp.
    pub stamp: u32,
    /// The write that displaced it.
    pub displacer: EventId,
}

/// One level of the search.
pub(crate) struct Frame {
    /// The graph, while another frame is at the top.
    pub aside: Aside,
    pub choices: Vec<Choice>,
    /// Reads that pending writes may revisit; a stack shared by the choices.
    pub candidates: Vec<EventId>,
    /// Set in every frame but the first.
    pub revisit: Option<Revisit>,
    /// Waiting reads that were displaced on the way to this frame.
    pub ghosts: Vec<Ghost>,
    /// Events below this are never taken back: they came with the copy or with the revisit.
    pub base: u32,
    /// Scratch: how many events of each thread a revisit keeps.
    pub kept: Vec<u32>,
}

impl Frame {
    pub(crate) fn new(lanes: usize) -> Frame {
        Frame {
            aside: Aside::new(lanes),
            choices: Vec::new(),
            candidates: Vec::new(),
            revisit: None,
            ghosts: Vec::new(),
            base: 0,
            kept: Vec::new(),
        }
    }

    /// Writes older than this were there when the pending read of `thread` was first added, and are
    /// dealt with elsewhere; 0 if it was not displaced.
    #[inline]
    pub(crate) fn oldest_source(&self, graph: &Graph, thread: ThreadId) -> u32 {
        if self.ghosts.is_empty() {
            return 0;
        }
        let next = EventId::new(thread, graph.thread_len(thread));
        let stamps = self.ghosts.iter().filter(|ghost| ghost.read == next).map(|ghost| ghost.stamp);
        stamps.max().map_or(0, |stamp| stamp + 1)
    }
}
