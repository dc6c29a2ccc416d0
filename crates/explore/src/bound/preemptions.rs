//! Whether a graph can be run with at most `k` preemptions.
//!
//! A *preemption* is a switch away from a thread that could go on and has further events (section
//! 3.1 of Marmanis, Kokologiannakis, Vafeiadis, TACAS 2023). A thread that is paused at an operation
//! that waits cannot go on until what it waits for is there. The runs of a graph are the linear
//! extensions of `po ∪ rf ∪ co ∪ rb`; finding the one with the fewest preemptions is NP-complete
//! (Musuvathi and Qadeer, 2007), so this is a search. What keeps it small:
//!
//! 1. It asks for at most `k`, and works on *segments*: what one thread does between two switches.
//! 2. A segment goes on for as long as it can. Let the order allow the next step of the running
//!    thread: taking it now instead of later moves the preemption, and never adds one, unless the
//!    step wakes others, which then no longer switch for free. Before such a step both ways are
//!    tried. The last step of a thread is no such step: it wakes at most the thread that joins it,
//!    and saves a preemption.
//! 3. A segment that wakes nobody and ends for free (at the end of its thread, or in front of an
//!    operation that waits) is taken at once where a switch is due: nothing else can be lost by it.
//! 4. States from which `b` preemptions do not suffice are remembered for the length of one check.
//!
//! 5. Where nobody waits, all that matters of a thread is how far it can go on now, and that only grows
//!    as others go on. So it is kept from state to state, and the thread that gets furthest comes first:
//!    the run that is found then has few preemptions, and serves for longer ([`super::segments`]).
//!
//! So every branch of the search costs a preemption or is one of few that wait, and its size is about
//! (threads)^k, whatever the number of threads that can simply run to their end.
//!
//! A state is the number of events that each thread has done, at a moment when a switch is due.

use super::steps::{Known, Steps};
use crate::trust::Waits;
use norn_action::ThreadId;
use norn_graph::Graph;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// The search, with its buffers.
#[derive(Default)]
pub(crate) struct Fewest {
    known: Known,
    limit: Vec<u32>,
    work: Work,
}

#[derive(Default)]
struct Work {
    /// How many events of each thread are done.
    done: Vec<u32>,
    /// States to come back to.
    saved: Vec<u32>,
    /// How far each thread can go on as it is, where nobody waits.
    reach: Vec<u32>,
    /// Where segments may stop; a stack.
    stops: Vec<u32>,
    /// States and a number of preemptions that does not suffice from there.
    failed: FxHashMap<Box<[u32]>, u32>,
    /// Where the segments begin that continue their thread.
    cuts: Vec<(ThreadId, u32)>,
}

impl Fewest {
    /// Whether the first `counts[t]` events of each thread `t` can be run with at most `bound`
    /// preemptions. If not, then every execution that begins with these events needs more.
    pub(crate) fn part_at_most(
        &mut self,
        graph: &Graph,
        counts: &[u32],
        bound: u32,
        waits: &dyn Waits,
    ) -> bool {
        self.limit.clear();
        self.limit.extend_from_slice(counts);
        self.at_most(graph, bound, waits, false)
    }

    /// Whether the graph as it is needs no more than `bound` preemptions.
    pub(crate) fn all_at_most(&mut self, graph: &Graph, bound: u32, waits: &dyn Waits) -> bool {
        let threads = 0..graph.thread_count() as u32;
        self.limit.clear();
        self.limit.extend(threads.map(|t| graph.thread_len(ThreadId(t))));
        self.at_most(graph, bound, waits, true)
    }

    /// How many events of each thread the last search was for.
    pub(crate) fn limit(&self) -> &[u32] {
        &self.limit
    }

    /// Where the segments begin that continue their thread, in the run that was found last.
    pub(crate) fn cuts(&self) -> &[(ThreadId, u32)] {
        &self.work.cuts
    }

    fn at_most(&mut self, graph: &Graph, bound: u32, waits: &dyn Waits, exact: bool) -> bool {
        for (t, limit) in self.limit.iter_mut().enumerate() {
            // A read that blocks is not taken: its thread waits in front of it.
            let events = graph.thread_events(ThreadId(t as u32));
            *limit -= u32::from(*limit > 0 && events[*limit as usize - 1].is_blocked());
        }
        self.work.clear(self.limit.len());
        self.known.learn(graph, &self.limit);
        let Fewest { known, limit, work } = self;
        let steps = Steps { graph, waits, exact, limit, known };
        let mut search = Search { steps, work };
        match search.steps.known.anyone_waits() {
            true => search.can_end(bound),
            false => search.can_end_unhindered(bound),
        }
    }
}

impl Work {
    /// A segment of thread `t` begins.
    #[inline]
    fn begin(&mut self, t: usize, position: u32) {
        if position > 0 {
            self.cuts.push((ThreadId(t as u32), position));
        }
    }

    fn clear(&mut self, threads: usize) {
        self.done.clear();
        self.done.resize(threads, 0);
        self.reach.clear();
        self.reach.resize(threads, 0);
        self.saved.clear();
        self.stops.clear();
        self.cuts.clear();
        if !self.failed.is_empty() {
            self.failed.clear();
        }
    }
}

struct Search<'a> {
    steps: Steps<'a>,
    work: &'a mut Work,
}

impl Search<'_> {
    /// A switch is due: whether `budget` preemptions suffice from here.
    fn can_end(&mut self, budget: u32) -> bool {
        self.run_free_segments();
        if self.work.done == self.steps.limit {
            return true;
        }
        if self.work.failed.get(&self.work.done[..]).is_some_and(|&failed| failed >= budget) {
            return false;
        }
        let base = self.work.saved.len();
        let Work { done, saved, .. } = &mut *self.work;
        saved.extend_from_slice(done);
        for t in 0..self.steps.limit.len() {
            if self.work.done[t] < self.steps.limit[t] && self.can_end_after(t, base, budget) {
                return true;
            }
        }
        self.work.failed.insert(self.work.done[..].into(), budget);
        self.work.saved.truncate(base);
        false
    }

    /// Takes all segments that end for free and wake nobody.
    fn run_free_segments(&mut self) {
        let Search { steps, work } = self;
        let mut moved = true;
        while moved {
            moved = false;
            for t in 0..work.done.len() {
                let done = &mut work.done;
                let start = done[t];
                while done[t] < steps.limit[t] {
                    let Some(width) = steps.next(done, t) else { break };
                    if steps.wakes(t, done[t], width) || steps.wakes_joiner(t, done[t], width) {
                        break;
                    }
                    done[t] += width;
                }
                if done[t] == start {
                    continue;
                }
                if steps.costs(done, t) {
                    done[t] = start;
                } else {
                    moved = true;
                    work.begin(t, start);
                }
            }
        }
    }

    /// The same if thread `t` has the next segment. The state is the one saved at `base`, and is so
    /// again if the budget does not suffice.
    fn can_end_after(&mut self, t: usize, base: usize, budget: u32) -> bool {
        let first_stop = self.work.stops.len();
        let Work { done, stops, .. } = &mut *self.work;
        let start = done[t];
        while done[t] < self.steps.limit[t] {
            let Some(width) = self.steps.next(done, t) else { break };
            if done[t] > start && self.steps.wakes(t, done[t], width) {
                stops.push(done[t]);
            }
            done[t] += width;
        }
        if done[t] == start {
            return false;
        }
        stops.push(done[t]);
        while self.work.stops.len() > first_stop {
            let done = &mut self.work.done;
            done[t] = self.work.stops.pop().expect("a stop");
            let cost = u32::from(self.steps.costs(done, t));
            let cuts = self.work.cuts.len();
            self.work.begin(t, start);
            if cost <= budget && self.can_end(budget - cost) {
                return true;
            }
            self.work.cuts.truncate(cuts);
            let Work { done, saved, .. } = &mut *self.work;
            let threads = done.len();
            done.copy_from_slice(&saved[base..base + threads]);
        }
        false
    }

    /// [`Search::can_end`] where nobody waits.
    fn can_end_unhindered(&mut self, budget: u32) -> bool {
        self.run_to_ends();
        if self.work.done == self.steps.limit {
            return true;
        }
        let failed = |failed: &u32| *failed >= budget;
        if budget == 0 || self.work.failed.get(&self.work.done[..]).is_some_and(failed) {
            return false;
        }
        let base = self.work.saved.len();
        let Work { done, saved, reach, .. } = &mut *self.work;
        let threads = done.len();
        saved.extend_from_slice(done);
        saved.extend_from_slice(reach);
        let mut tried = None;
        while let Some((gain, Reverse(t))) = self.furthest(tried) {
            let cuts = self.work.cuts.len();
            self.work.begin(t, self.work.done[t]);
            self.work.done[t] = self.work.reach[t];
            if self.can_end_unhindered(budget - 1) {
                return true;
            }
            self.work.cuts.truncate(cuts);
            let Work { done, saved, reach, .. } = &mut *self.work;
            done.copy_from_slice(&saved[base..base + threads]);
            reach.copy_from_slice(&saved[base + threads..base + 2 * threads]);
            tried = Some((gain, Reverse(t)));
        }
        self.work.failed.insert(self.work.done[..].into(), budget);
        self.work.saved.truncate(base);
        false
    }

    /// Finds how far each thread can go on; those that come to their end do so.
    fn run_to_ends(&mut self) {
        let Search { steps, work } = self;
        let mut moved = true;
        while moved {
            moved = false;
            for t in 0..work.done.len() {
                let Work { done, reach, .. } = &mut **work;
                let start = done[t];
                if start == steps.limit[t] {
                    continue;
                }
                done[t] = reach[t].max(start);
                while done[t] < steps.limit[t] {
                    let Some(width) = steps.next(done, t) else { break };
                    done[t] += width;
                }
                reach[t] = done[t];
                if done[t] == steps.limit[t] {
                    moved = true;
                    work.begin(t, start);
                } else {
                    done[t] = start;
                }
            }
        }
    }

    /// By how much which thread can go on; the one that gets furthest of those that come after `tried`.
    fn furthest(&self, tried: Option<(u32, Reverse<usize>)>) -> Option<(u32, Reverse<usize>)> {
        let Work { done, reach, .. } = &*self.work;
        let gains = reach.iter().zip(done).map(|(reach, done)| reach.saturating_sub(*done));
        let keys = gains.enumerate().map(|(t, gain)| (gain, Reverse(t)));
        keys.filter(|key| key.0 > 0 && tried.is_none_or(|tried| *key < tried)).max()
    }
}
