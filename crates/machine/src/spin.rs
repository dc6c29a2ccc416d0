//! What happens at the head of a loop: spin detection, unrolling bound, step limit.
//!
//! **Spin.** A thread that went once round a loop, reading visible memory at least once, without any
//! effect and back to the same live registers, will do so again until a value it reads changes. An
//! effect is whatever another iteration could notice: a visible write, a read-modify-write that
//! changes the value, a spawn, a free, a choice, output, an allocation, or a private
//! write that changed a value and outlives the iteration.
//!
//! A private write where nothing was written before is no effect (the output parameter of a function that tries
//! again, the link of a node that is not in the list yet). Take the iteration out of an execution: the thread
//! then goes on with that memory undefined. If it never uses what the iteration wrote, it does the same as before. If
//! it does, what is left is an execution in which it uses an undefined value, which is a violation, and that one
//! is looked at. Neither is a private write of a value that was just read, if the next iteration makes it again
//! before it looks there; only [`crate::watch`] knows that.
//!
//! That memory becomes visible is no effect by itself: it does so before its address may reach another thread, also
//! where it then does not, as in a compare-exchange that fails.
//!
//! A read-modify-write that writes the value it has read is no effect. Take it out of an execution and let
//! those who read from it read from the write before it, which has the same value and stands next to it in
//! coherence order: what is left is an execution of the program, in which fewer events are ordered. So
//! whatever is wrong with the first is wrong with the second, and that one is looked at.
//!
//! **Rounds.** An iteration that is back in the same state, and whose only effects are stores and read-modify-writes of the
//! program, may have taken back what it did: added and subtracted again, say. Then it is as if it had not been, unless
//! somebody has noticed. Or it writes the same things for ever. The machine cannot know that, so the thread says that it
//! has gone round
//! ([`Action::Round`]), and whoever has the graph decides. That is not done where accesses are made in parts or sections
//! are atomic, since what an iteration consists of is then not so plain.
//!
//! A wait for a condition variable that ended without a signal counts as no effect: the thread gave its
//! mutex up and took it again. An iteration of nothing else, back in the same state, is a spin if the wait
//! timed out. If it woke up for no reason, the execution is abandoned: it is that in which the thread
//! did not wake up (see `runtime::condition` for why nothing is missed).
//!
//! Loops under way form a stack. When a header is reached that is already on it, the loops above
//! it are inner ones that ended and are dropped; so an inner loop starts afresh whenever the
//! outer one goes round. Loops of a frame are dropped with it.
//!
//! A loop that reads nothing visible and comes back to the same state goes round for ever, whatever others do.
//! That is looked for only when a thread has gone round loops for long without a visible action.
//!
//! The live registers are kept at the first visit, and from then on only after iterations that
//! read something. A loop whose last iteration read nothing is *quiet*: until something is read, or
//! another loop is met, its header costs one comparison.

use crate::Vm;
use crate::thread::{Back, LoopState, NO_LOOP, Stop, Thread};
use norn_action::{Action, Obstacle, Place};
use norn_program::{Counter, LoopId};
use std::sync::atomic::Ordering;

/// A thread looks up from its computation after so many iterations.
const SLICE: u64 = 1 << 16;

/// A loop of a frame: how many frames there are, and the loop's id.
#[inline(always)]
pub(crate) fn loop_key(depth: usize, id: LoopId) -> u64 {
    (depth as u64) << 32 | u64::from(id.0)
}

impl Vm {
    /// Gives a thread that goes on from an action fuel: loop iterations that need no closer look; none
    /// if they have to be counted.
    #[inline]
    pub(crate) fn refuel(&self, t: &mut Thread) {
        let all = self.config.step_limit;
        t.fuel = if self.config.unroll.is_some() { 0 } else { all.min(SLICE) };
        t.reserve = all - t.fuel;
    }

    /// Stops the thread if the machine was told to stop.
    pub(crate) fn check_halt(&self, t: &mut Thread) -> Result<(), Stop> {
        if self.config.halt.as_ref().is_some_and(|halt| halt.load(Ordering::Relaxed)) {
            return Err(t.ask(Action::Interrupted));
        }
        Ok(())
    }

    /// Whether a thread with this reserve has gone round loops for long without a visible action.
    fn has_gone_on(&self, reserve: u64) -> bool {
        reserve + SLICE < self.config.step_limit
    }

    /// The fuel is used up: takes some of the reserve, unless the thread is to stop.
    fn take_reserve(&self, t: &mut Thread) -> Result<(), Stop> {
        self.check_halt(t)?;
        t.quiet = NO_LOOP;
        if t.reserve == 0 {
            return Err(t.unsupported(Obstacle::SilentLoop(self.config.step_limit)));
        }
        if self.config.unroll.is_some() {
            t.reserve -= 1;
            return Ok(());
        }
        t.fuel = t.reserve.min(SLICE);
        t.reserve -= t.fuel;
        Ok(())
    }

    /// Counts an iteration, or a call: a recursion can be as long as a loop.
    #[inline]
    pub(crate) fn count_step(&self, t: &mut Thread) -> Result<(), Stop> {
        match t.fuel.checked_sub(1) {
            Some(fuel) => {
                t.fuel = fuel;
                Ok(())
            }
            None => self.take_reserve(t),
        }
    }

    #[inline(never)]
    pub(crate) fn loop_header(&self, t: &mut Thread, id: LoopId, base: usize) -> Result<(), Stop> {
        let key = loop_key(t.frames.len(), id);
        self.count_step(t)?;
        match t.loops.iter().rposition(|state| state.key == key) {
            None => self.loop_enter(t, id, base, key),
            Some(index) => {
                self.drop_loops_above(t, index + 1);
                self.loop_again(t, id, base, index)?;
            }
        }
        if self.is_bounded_at_head(id) { self.check_bound(t, id) } else { Ok(()) }
    }

    /// Whether an iteration of a loop starts at its head.
    fn is_bounded_at_head(&self, id: LoopId) -> bool {
        let item = &self.program.loops[id.index()];
        !item.tested && item.turn.is_none()
    }

    /// The head of the loop that goes round at the header of `id`.
    fn head(&self, id: LoopId) -> Place {
        Place(self.program.loops[self.program.whole_loop(id).index()].header)
    }

    /// An iteration of loop `id` starts: stops the thread if it is one too many.
    pub(crate) fn check_bound(&self, t: &mut Thread, id: LoopId) -> Result<(), Stop> {
        let Some(bound) = self.config.unroll else { return Ok(()) };
        let key = loop_key(t.frames.len(), self.counted[id.index()]);
        let state = t.loops.iter().rfind(|state| state.key == key);
        if state.is_some_and(|state| state.iterations > bound) {
            let place = t.place();
            return Err(t.ask(Action::Cut(place)));
        }
        Ok(())
    }

    fn loop_enter(&self, t: &mut Thread, id: LoopId, base: usize, key: u64) {
        let live = &self.program.loops[id.index()].live;
        let cells = t.loop_cells.len() as u32;
        t.loop_cells.extend(live.iter().map(|register| t.registers[base + register.0 as usize]));
        let (reads, effects, updates, stores) = (t.reads, t.effects, t.updates, t.stores);
        let marks = t.memory.marks();
        t.quiet = NO_LOOP;
        t.loops.push(LoopState {
            key,
            iterations: 1,
            cells,
            valid: true,
            reads,
            effects,
            updates,
            stores,
            since: reads,
            timed: false,
            woken: false,
            wakeups: 0,
            failures: 0,
            marks,
        });
    }

    fn loop_again(
        &self,
        t: &mut Thread,
        id: LoopId,
        base: usize,
        index: usize,
    ) -> Result<(), Stop> {
        let live = &self.program.loops[id.index()].live;
        let Thread {
            registers,
            loops,
            loop_cells,
            reads,
            effects,
            updates,
            stores,
            quiet,
            memory,
            reserve,
            ..
        } = t;
        let state = &mut loops[index];
        let cells = &mut loop_cells[state.cells as usize..][..live.len()];
        let reads_made = (*reads - state.reads) as u32;
        // Of a loop that has gone on for long, every iteration is looked at.
        let looks = reads_made != 0 || self.has_gone_on(*reserve);
        let idle = *effects == state.effects;
        // Updates and stores are effects, too: as many of both are nothing else.
        let (updated, stored) = (*updates - state.updates, *stores - state.stores);
        let writes =
            !idle && self.has_rounds && updated + stored == effects.wrapping_sub(state.effects);
        let now = live.iter().map(|register| registers[base + register.0 as usize]);
        let ahead = index < t.looks_ahead;
        let equal =
            state.valid && (idle || writes || ahead) && now.clone().eq(cells.iter().copied());
        let same = idle && equal;
        if ahead {
            return Err(Stop::CameBack(Box::new(Back { same, moved: !equal, reads: state.reads })));
        }
        let spins = looks && same;
        let rounds = writes && equal;
        if !(rounds || same) {
            state.since = *reads;
        }
        let since = (*reads - state.since) as u32;
        let timed = std::mem::take(&mut state.timed);
        let woken = std::mem::take(&mut state.woken);
        let counter = self.counters[id.index()].as_ref();
        let fails = counter.is_some_and(|counter| {
            let others = live.iter().zip(now.clone().zip(cells.iter().copied()));
            let mut others = others.filter(|(register, _)| **register != counter.register);
            let alike = others.all(|(_, (value, before))| value == before);
            state.valid && idle && alike && reads_made == 1 && !timed && !woken
        });
        if looks {
            cells.iter_mut().zip(now).for_each(|(cell, value)| *cell = value);
        }
        state.valid = looks;
        state.reads = *reads;
        state.effects = *effects;
        state.updates = *updates;
        state.stores = *stores;
        state.marks = memory.marks();
        state.iterations = state.iterations.saturating_add(1);
        *quiet = if looks { NO_LOOP } else { state.key };
        if let Some(counter) = counter {
            return self.count_tries(t, id, base, counter, fails);
        }
        if rounds && !(timed || woken) {
            if self.is_bounded_at_head(id) {
                self.check_bound(t, id)?;
            }
            let place = self.head(id);
            let stores = stored != 0;
            return Err(t.ask(Action::Round { reads: reads_made, since, stores, place }));
        }
        if spins && self.config.detect_spin {
            let place = self.head(id);
            if woken {
                return Err(t.ask(Action::Abandon(place)));
            }
            if timed {
                return Err(t.unsupported(Obstacle::TimedLoop));
            }
            return Err(t.ask(Action::Spin { reads: reads_made, place }));
        }
        Ok(())
    }

    /// The head of a loop that tries a number of times, after one more try. If it failed like all that fail, it stands for
    /// all that are left (see `norn_transform`'s pass for why).
    #[cold]
    fn count_tries(
        &self,
        t: &mut Thread,
        id: LoopId,
        base: usize,
        counter: &Counter,
        fails: bool,
    ) -> Result<(), Stop> {
        if !fails {
            return Err(t.ask(Action::Counts(Place(self.program.loops[id.index()].header))));
        }
        let limit = self.get(t, counter.limit);
        let cell = &mut t.registers[base + counter.register.0 as usize];
        if let Some(last) = counter.last(*cell, limit) {
            *cell = last;
        }
        Ok(())
    }

    /// Looks ahead with a copy of a thread: does it come back to the head of a loop, without any action or
    /// effect, in the state in which it was there last? Then how many visible reads it had made when it
    /// was.
    pub(crate) fn comes_back(&self, mut ahead: Thread) -> Option<u64> {
        if ahead.loops.is_empty() {
            return None;
        }
        ahead.looks_ahead = usize::MAX;
        ahead.quiet = NO_LOOP;
        match self.run_until_stop(&mut ahead) {
            Stop::CameBack(back) => back.same.then_some(back.reads),
            _ => None,
        }
    }

    pub(crate) fn drop_loops_above(&self, t: &mut Thread, length: usize) {
        if let Some(state) = t.loops.get(length) {
            t.quiet = NO_LOOP;
            t.loop_cells.truncate(state.cells as usize);
            t.loops.truncate(length);
        }
    }

    /// Drops the loops of frames deeper than `depth`.
    pub(crate) fn drop_loops_below(&self, t: &mut Thread, depth: usize) {
        let kept = t.loops.iter().rposition(|state| state.key >> 32 <= depth as u64);
        self.drop_loops_above(t, kept.map_or(0, |index| index + 1));
    }
}
