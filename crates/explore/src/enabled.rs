//! Which thread moves next.
//!
//! The left-most thread that can move does, except that an exclusive write follows its read at
//! once. A thread that waits (for a lock, for a value) can move when the newest write to the
//! location passes its test; until then it is *parked*, without an event. Only when nobody else can
//! move, a parked thread is looked at again (`desperate`): it may still read an older write that
//! passes, or is given a read that blocks.

use crate::frame::Frame;
use crate::pool::{NO_STATE, Pool, Saved, Stance};
use norn_action::{Action, Barrier, Test, ThreadId};
use norn_graph::{EventKind, Graph, LocationId, Locations};

/// What can be done next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// This thread moves.
    Thread(ThreadId),
    /// Nobody can move; this thread is parked.
    Parked(ThreadId),
    /// Nobody can move and nobody is parked.
    Nobody,
}

pub(crate) fn next<T: Clone>(frame: &Frame, pool: &Pool<T>, locations: &Locations) -> Next {
    if let Some(thread) = frame.half {
        return Next::Thread(thread);
    }
    let mut parked = Next::Nobody;
    for (t, &state) in frame.current.iter().enumerate() {
        let thread = ThreadId(t as u32);
        if state == NO_STATE {
            continue;
        }
        let saved = pool.get(state);
        let standing = match saved.stance {
            Stance::Moves => Standing::CanMove,
            Stance::Stands => continue,
            Stance::Depends => standing(frame, pool, locations, thread, saved),
        };
        match standing {
            Standing::CanMove if is_blocked(&frame.graph, thread) => {}
            Standing::CanMove => return Next::Thread(thread),
            Standing::Parked if parked == Next::Nobody && !is_blocked(&frame.graph, thread) => {
                parked = Next::Parked(thread);
            }
            _ => {}
        }
    }
    parked
}

/// Whether the thread's last event is a read that blocks.
pub(crate) fn is_blocked(graph: &Graph, thread: ThreadId) -> bool {
    graph.threads_last(thread).is_some_and(|event| event.is_blocked())
}

enum Standing {
    CanMove,
    Parked,
    Waits,
}

/// Whether a thread can move, if that depends on the graph.
fn standing<T: Clone>(
    frame: &Frame,
    pool: &Pool<T>,
    locations: &Locations,
    thread: ThreadId,
    saved: &Saved<T>,
) -> Standing {
    let waits_for = |test: &Test, size: u8| {
        if newest_passes(&frame.graph, locations, saved, test, size) {
            Standing::CanMove
        } else {
            Standing::Parked
        }
    };
    match &saved.action {
        Action::Load(access, Some((test, _))) => waits_for(test, access.size),
        Action::Rmw(rmw) => match &rmw.test {
            Some(test) => waits_for(test, rmw.access.size),
            None => Standing::CanMove,
        },
        Action::Join { thread, .. } => match frame.state(*thread) {
            // A join of a thread that never was is a fault, found when it is taken.
            NO_STATE => Standing::CanMove,
            state if pool.get(state).action.result().is_some() => Standing::CanMove,
            _ => Standing::Waits,
        },
        Action::BarrierLeave(barrier) => {
            if arrived(&frame.graph, barrier) >= barrier.count as usize {
                Standing::CanMove
            } else {
                Standing::Waits
            }
        }
        Action::Last { .. } => {
            if all_others_ended(frame, pool, thread) {
                Standing::CanMove
            } else {
                Standing::Waits
            }
        }
        other => unreachable!("{other:?} does not depend on the graph"),
    }
}

/// Whether all threads but `thread` have ended.
pub(crate) fn all_others_ended<T: Clone>(frame: &Frame, pool: &Pool<T>, thread: ThreadId) -> bool {
    frame.current.iter().enumerate().all(|(t, &state)| {
        t == thread.index()
            || state == NO_STATE
            || matches!(pool.get(state).action, Action::Finish(_))
    })
}

/// Whether the coherence-last write to the location passes the test. A location in no object does, and
/// so does one whose bytes are accessed in other units too: what is wrong is found when the access is
/// taken.
fn newest_passes<T>(
    graph: &Graph,
    locations: &Locations,
    saved: &Saved<T>,
    test: &Test,
    size: u8,
) -> bool {
    let access = match &saved.action {
        Action::Load(access, _) => access,
        Action::Rmw(rmw) => &rmw.access,
        _ => unreachable!("only accesses wait"),
    };
    let value = match graph.location_if_any(saved.location) {
        Some(state) => match state.co.last() {
            Some(&write) => graph.event(write).value,
            None => state.resolved.initial,
        },
        None if overlap(graph, locations, saved.location).is_some() => return true,
        None => match graph.objects().resolve(access.address, access.size) {
            Some(resolved) => resolved.initial,
            None => return true,
        },
    };
    test.holds(value, size)
}

/// A location that is accessed in the graph and shares bytes with `id`.
#[inline]
pub(crate) fn overlap(graph: &Graph, locations: &Locations, id: LocationId) -> Option<LocationId> {
    let overlaps = &locations.info(id).overlaps;
    overlaps.iter().copied().find(|&other| graph.location_if_any(other).is_some())
}

/// How many threads have arrived in this round of the barrier.
pub(crate) fn arrived(graph: &Graph, barrier: &Barrier) -> usize {
    (0..graph.thread_count())
        .filter(|&t| {
            graph.thread_events(ThreadId(t as u32)).iter().any(|event| {
                event.kind == EventKind::Arrive
                    && event.value.low() == barrier.address.0
                    && event.other == barrier.round
            })
        })
        .count()
}
