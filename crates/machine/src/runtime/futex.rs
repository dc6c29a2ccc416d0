//! Futexes: threads that wait for as long as a word has a value.
//!
//! The kernel keeps a queue for each word that somebody waits at. Here a queue is one 16-byte cell of a table: bits 0 to
//! 39 are set while a thread waits, bits 40 to 63 count the operations, and the upper half is the address of the word, or
//! zero in a cell that is free. The cell of a word is the first from a place of its own that is free or has its address.
//!
//! In the kernel, a wait looks at the word and enters the queue in one step, and a wake-up is one step, too. Here each
//! operation reads its cell and changes it, by a read-modify-write under the condition that it is still the one that was
//! read. If it is not, another operation came in between, and the execution is abandoned: the same operation is explored
//! in the execution where it reads later. A wait reads the word between the two, so that a wake-up comes before that read
//! or after the wait has entered: a wake-up that came before is lost, and none else. This needs no condition on the memory
//! model but that what happens before the wake-up is seen by who reads the cell after it. A wait is also a full barrier, and
//! a wake-up is one by its read-modify-write: as in the kernel, so that who counts the threads that wait need not wake up
//! where there are none.
//!
//! Whom a wake-up wakes if it may wake some only, the manual leaves open: any of them. A *timeout* is a choice of a wait
//! that finds the value that it waits at, and does not enter the queue: who is woken does not time out. A timed wait for a
//! wake-up that does not come is continued by the execution in which it times out. A *spurious* wake-up is one more choice,
//! as in [`super::condition`].
//!
//! So does who is moved to another queue before it times out, but that others can tell: it is a choice of its own in
//! programs that may move threads.
//!
//! *Requeueing* enters threads into the other queue before it takes them out of theirs. Each of them has a word that says
//! where to it was moved, which it reads when it is in its queue no more. The set of bits that a wait gave is kept there,
//! too.

use super::context::int;
use super::{Cx, time};
use crate::access::{Modify, Target};
use crate::thread::{Stop, Thread};
use crate::vm::{FUTEXES, WAITERS};
use norn_action::{Action, Compare, Mode, Obstacle, RmwOp, Role, Test, Value, Wait};
use norn_program::{Instruction, Program};

const WAIT: u32 = 0;
const WAKE: u32 = 1;
const REQUEUE: u32 = 3;
const CMP_REQUEUE: u32 = 4;
const WAIT_BITSET: u32 = 9;
const WAKE_BITSET: u32 = 10;
/// Without the flags for words of one process, and for the clock that timeouts are of.
const OPERATION: u32 = !(128 | 256);
const ANY: u32 = u32::MAX;

const EAGAIN: i32 = 11;

const CELLS: u64 = 512;
/// Bytes of all cells.
pub(crate) const FUTEXES_SIZE: u64 = 16 * CELLS;
/// Bytes of what each thread that can wait says.
pub(crate) const WAITERS_SIZE: u64 = 8 * RmwOp::MEMBERS as u64;

const MEMBERS: u64 = (1 << RmwOp::MEMBERS) - 1;
const OPERATIONS: u128 = ((1 << 64) - 1) ^ MEMBERS as u128;
/// In a loop that does more than test its word and wait.
const MOST_WAKEUPS: u8 = 3;
/// How often a run of one execution looks for a wake-up before a wait times out.
const LOOKS: u32 = 1000;

/// A queue as it was read.
#[derive(Clone, Copy)]
struct Queue {
    cell: u64,
    word: u64,
    value: u128,
}

/// Where the words are that are waited at.
fn target(cell: u64, mode: Mode) -> Target {
    Target::new(cell, 16, mode).of(Role::Condition)
}

impl Queue {
    /// The one of a word. If nobody waits there and the caller has nothing to do then but to be counted, that is done
    /// and there is none.
    fn find(cx: &mut Cx<'_>, word: u64, count_if_empty: bool) -> Result<Option<Queue>, Stop> {
        let first = (word >> 2 ^ word >> 11 ^ word >> 20 ^ word >> 36).wrapping_mul(0x9e37) % CELLS;
        for index in (first..first + CELLS).map(|index| index % CELLS) {
            let cell = FUTEXES + 16 * index;
            let own = u128::from(word) << 64;
            let value = if count_if_empty {
                let empty = Test { mask: !OPERATIONS, compare: Compare::Eq, operand: own };
                let value = modify(cx, cell, RmwOp::Add, 1 << RmwOp::MEMBERS, empty)?;
                if empty.holds(Value(value), 16) {
                    return Ok(None);
                }
                value
            } else {
                cx.step(|vm, t| vm.load(t, target(cell, Mode::Acquire)))?
            };
            if value == 0 || value >> 64 == u128::from(word) {
                return Ok(Some(Queue { cell, word, value }));
            }
        }
        Err(cx.unsupported(Obstacle::TooManyFutexes(CELLS)))
    }

    fn members(self) -> u64 {
        self.value as u64 & MEMBERS
    }

    /// Replaces its members, if it is still as it was read. If not, this execution is of no interest; a run of one
    /// execution is told so.
    fn replace(self, cx: &mut Cx<'_>, members: u64) -> Result<bool, Stop> {
        let count = self.value.wrapping_add(1 << RmwOp::MEMBERS) & OPERATIONS;
        let new = u128::from(self.word) << 64 | count | u128::from(members);
        let unchanged = Test { mask: u128::MAX, compare: Compare::Eq, operand: self.value };
        let old = modify(cx, self.cell, RmwOp::Exchange, new, unchanged)?;
        let done = old == self.value;
        if !done && !cx.vm.config.retry_lost_wakeups {
            let place = cx.t.place();
            cx.act(Action::Abandon(place))?;
        }
        Ok(done)
    }
}

fn modify(cx: &mut Cx<'_>, cell: u64, op: RmwOp, operand: u128, test: Test) -> Result<u128, Stop> {
    let (target, failure) = (target(cell, Mode::AcqRel), Mode::Acquire);
    let modify = Modify { target, failure, op, operand, test: Some(test), wait: None };
    cx.step(|vm, t| vm.modify(t, modify))
}

/// What a thread that waits says: the bits that it waits for, and above them the number of the cell where to it was moved.
fn said_by(member: u32) -> Target {
    Target::new(WAITERS + 8 * u64::from(member), 8, Mode::Relaxed)
}

/// Whether a program may move threads from one queue to another.
pub(crate) fn requeues(program: &Program) -> bool {
    program.code.iter().any(|instruction| {
        let Instruction::CallExternal { external, args, count, .. } = *instruction else {
            return false;
        };
        if program.externals[external.index()].name != super::SYSCALL {
            return false;
        }
        let arguments = program.arguments.get(args as usize..).and_then(|a| a.get(..count.into()));
        let operation = arguments.and_then(|arguments| arguments.get(2)?.constant_index());
        let operation = operation.and_then(|index| program.constants.get(index as usize));
        operation.is_none_or(|&found| matches!(found as u32 & OPERATION, REQUEUE | CMP_REQUEUE))
    })
}

/// The system call, with its number before its arguments.
pub(crate) fn call(cx: &mut Cx<'_>) -> Result<u128, Stop> {
    let (word, operation, value) = (cx.arg(1), cx.arg(2) as u32, cx.arg(3) as u32);
    let (fourth, other, last) = (cx.arg(4), cx.arg(5), cx.arg(6) as u32);
    if !word.is_multiple_of(4) {
        return failed(cx, time::EINVAL);
    }
    match operation & OPERATION {
        WAIT => wait(cx, word, value, Limit { address: fourth, lasts: true }, ANY),
        WAIT_BITSET => wait(cx, word, value, Limit { address: fourth, lasts: false }, last),
        WAKE => wake(cx, word, value as i32, ANY),
        WAKE_BITSET => wake(cx, word, value as i32, last),
        REQUEUE => requeue(cx, (word, other), (value as i32, fourth as i32), None),
        CMP_REQUEUE => requeue(cx, (word, other), (value as i32, fourth as i32), Some(last)),
        other => Err(cx.unsupported(Obstacle::Futex(other))),
    }
}

/// When a wait ends: where the time is, and whether that says how long or until when.
#[derive(Clone, Copy)]
struct Limit {
    address: u64,
    lasts: bool,
}

impl Limit {
    /// The time; none if it is no time.
    fn read(self, cx: &mut Cx<'_>) -> Result<Option<u64>, Stop> {
        let time = time::at(cx, self.address)?;
        let now = if self.lasts { cx.t.rest.clock } else { 0 };
        Ok(time.map(|time| time.saturating_add(now)))
    }
}

/// The result of a call that did not do what it should.
fn failed(cx: &mut Cx<'_>, code: i32) -> Result<u128, Stop> {
    cx.set_errno(code)?;
    Ok(u128::from(u64::MAX))
}

fn number(count: u32) -> Result<u128, Stop> {
    int(count as i32)
}

/// The value of the word, read as the kernel does.
fn look(cx: &mut Cx<'_>, word: u64) -> Result<u32, Stop> {
    Ok(cx.load(word, 4, Mode::Relaxed)? as u32)
}

/// What ends a wait.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    WakeUp,
    Timeout,
    /// After it was moved to another queue.
    TimeoutElsewhere,
    Nothing,
}

fn wait(cx: &mut Cx<'_>, word: u64, expected: u32, limit: Limit, bits: u32) -> Result<u128, Stop> {
    let timed = limit.address != 0;
    let deadline = if timed { limit.read(cx)? } else { None };
    if bits == 0 || timed && deadline.is_none() {
        return failed(cx, time::EINVAL);
    }
    let effects = cx.step(|_, t| Ok(t.effects.into()))? as u64;
    fence(cx)?;
    loop {
        let queue = Queue::find(cx, word, false)?.expect("there is one if it is not counted");
        if look(cx, word)? != expected {
            return failed(cx, EAGAIN);
        }
        let end = how_it_ends(cx, deadline)?;
        let woke_up = |cx: &mut Cx<'_>, for_no_reason| {
            cx.step(|_, t| {
                t.woke_up(effects, (0, (0, 0)), for_no_reason);
                Ok(0)
            })
        };
        match end {
            Ends::Nothing => {
                woke_up(cx, true)?;
                return int(0);
            }
            Ends::Timeout => {
                woke_up(cx, false)?;
                time::pass(cx, deadline.unwrap_or(0))?;
                return failed(cx, time::ETIMEDOUT);
            }
            Ends::WakeUp | Ends::TimeoutElsewhere => {}
        }
        if cx.t.id.0 >= RmwOp::MEMBERS {
            return Err(cx.unsupported(Obstacle::LateWaiter));
        }
        let bit = 1 << cx.t.id.0;
        if bits != ANY {
            cx.put(said_by(cx.t.id.0), bits.into())?;
        }
        if !queue.replace(cx, queue.members() | bit)? {
            continue;
        }
        if deadline.is_some() && cx.vm.config.retry_lost_wakeups && !comes_soon(cx, queue, bit)? {
            time::pass(cx, deadline.unwrap_or(0))?;
            return failed(cx, time::ETIMEDOUT);
        }
        wait_in(cx, queue.cell, bit, deadline.is_some())?;
        let said = cx.get(said_by(cx.t.id.0))?;
        if said != 0 {
            cx.put(said_by(cx.t.id.0), 0)?;
        }
        let moved_to = (said >> 32).checked_sub(1).map(|index| FUTEXES + 16 * index);
        if end == Ends::TimeoutElsewhere {
            leave(cx, moved_to, bit)?;
            time::pass(cx, deadline.unwrap_or(0))?;
            return failed(cx, time::ETIMEDOUT);
        }
        if let Some(cell) = moved_to {
            wait_in(cx, cell, bit, deadline.is_some())?;
        }
        return int(0);
    }
}

/// A wait begins with a full barrier, which is no effect: the next iteration of a loop around it makes it again.
fn fence(cx: &mut Cx<'_>) -> Result<(), Stop> {
    cx.step(|_, t| {
        if !t.memory.shared {
            return Ok(0);
        }
        let place = t.place();
        Err(t.ask(Action::Fence(Mode::SeqCst, place)))
    })
    .map(drop)
}

/// Waits until the thread is in a queue no more.
fn wait_in(cx: &mut Cx<'_>, cell: u64, bit: u64, timed: bool) -> Result<(), Stop> {
    let gone = Test { mask: bit.into(), compare: Compare::Eq, operand: 0 };
    let wait = if timed { Wait::TimedCondition } else { Wait::Futex };
    cx.step(|vm, t| vm.load_when(t, target(cell, Mode::Acquire), gone, wait)).map(drop)
}

/// Leaves the queue that the thread was moved to. In an execution in which it was not, or was woken there, it does not time
/// out there.
fn leave(cx: &mut Cx<'_>, cell: Option<u64>, bit: u64) -> Result<(), Stop> {
    let is_there = Test { mask: bit.into(), compare: Compare::Ne, operand: 0 };
    let left = match cell {
        Some(cell) => modify(cx, cell, RmwOp::And, !u128::from(bit), is_there)? as u64 & bit != 0,
        None => false,
    };
    if !left {
        let place = cx.t.place();
        cx.act(Action::Abandon(place))?;
    }
    Ok(())
}

/// Chooses how a wait ends that has found the value that it waits at.
fn how_it_ends(cx: &mut Cx<'_>, deadline: Option<u64>) -> Result<Ends, Stop> {
    let mut ends = vec![Ends::WakeUp];
    let mut spins = None;
    if let Some(time) = deadline {
        spins = cx.comes_back_failing(time::ETIMEDOUT, time)?;
        ends.push(Ends::Timeout);
        if cx.vm.requeues {
            ends.push(Ends::TimeoutElsewhere);
        }
    }
    if cx.vm.config.spurious && cx.comes_back(0, 0)?.is_none() && !woke_enough(cx)? {
        ends.push(Ends::Nothing);
    }
    // A run that tries one execution only looks for the wake-up for a while.
    if deadline.is_some() && cx.vm.config.retry_lost_wakeups {
        return Ok(Ends::WakeUp);
    }
    let end = ends[cx.choose(ends.len() as u64)? as usize];
    if let (Ends::Timeout, Some(before)) = (end, spins) {
        cx.spin(before)?;
    }
    Ok(end)
}

/// See [`super::condition`].
fn woke_enough(cx: &mut Cx<'_>) -> Result<bool, Stop> {
    let enough = |t: &Thread| t.loops.iter().any(|state| state.wakeups >= MOST_WAKEUPS);
    Ok(cx.step(|_, t| Ok(enough(t).into()))? == 1)
}

/// Whether a wake-up comes within so many looks. If not, the thread leaves its queue; where to it may have been moved,
/// nobody wakes it any more.
fn comes_soon(cx: &mut Cx<'_>, queue: Queue, bit: u64) -> Result<bool, Stop> {
    for _ in 0..LOOKS {
        let value = cx.step(|vm, t| vm.load(t, target(queue.cell, Mode::Acquire)))?;
        if value as u64 & bit == 0 {
            return Ok(true);
        }
    }
    let always = Test { mask: 0, compare: Compare::Eq, operand: 0 };
    let old = modify(cx, queue.cell, RmwOp::And, !u128::from(bit), always)?;
    Ok(old as u64 & bit == 0)
}

fn wake(cx: &mut Cx<'_>, word: u64, most: i32, bits: u32) -> Result<u128, Stop> {
    if bits == 0 {
        return failed(cx, time::EINVAL);
    }
    loop {
        let Some(queue) = Queue::find(cx, word, true)? else { return number(0) };
        let mut waiting = queue.members();
        if bits != ANY {
            for member in members(waiting) {
                let said = cx.get(said_by(member))? as u32;
                if said != 0 && said & bits == 0 {
                    waiting &= !(1 << member);
                }
            }
        }
        let woken = some_of(cx, waiting, most.max(1))?;
        if queue.replace(cx, queue.members() & !woken)? {
            return number(woken.count_ones());
        }
    }
}

/// Wakes some and moves some of the others to the queue of another word, if the word has the expected value.
fn requeue(
    cx: &mut Cx<'_>,
    (word, other): (u64, u64),
    (most_woken, most_moved): (i32, i32),
    expected: Option<u32>,
) -> Result<u128, Stop> {
    if !other.is_multiple_of(4) || most_woken < 0 || most_moved < 0 {
        return failed(cx, time::EINVAL);
    }
    loop {
        let queue = Queue::find(cx, word, false)?.expect("there is one if it is not counted");
        if expected.is_some() && Some(look(cx, word)?) != expected {
            return failed(cx, EAGAIN);
        }
        let waiting = queue.members();
        let woken = some_of(cx, waiting, most_woken)?;
        let moved = some_of(cx, waiting & !woken, most_moved)?;
        let stay = if word == other { waiting & !woken } else { waiting & !woken & !moved };
        if word != other && moved != 0 && !enter(cx, other, moved)? {
            continue;
        }
        if queue.replace(cx, stay)? {
            return number((woken | moved).count_ones());
        }
        // Only a run of one execution gets here: they were not there to be moved.
        if word != other && moved != 0 {
            let to = Queue::find(cx, other, false)?.expect("there is one if it is not counted");
            to.replace(cx, to.members() & !moved)?;
        }
    }
}

/// Moves threads to the queue of a word, and tells them.
fn enter(cx: &mut Cx<'_>, word: u64, moved: u64) -> Result<bool, Stop> {
    let to = Queue::find(cx, word, false)?.expect("there is one if it is not counted");
    let number = (to.cell - FUTEXES) / 16 + 1;
    for member in members(moved) {
        let bits = cx.get(said_by(member))? & u64::from(ANY);
        cx.put(said_by(member), number << 32 | bits)?;
    }
    to.replace(cx, to.members() | moved)
}

/// The numbers of the threads in a set.
fn members(set: u64) -> impl Iterator<Item = u32> {
    (0..RmwOp::MEMBERS).filter(move |member| set >> member & 1 == 1)
}

/// So many members of a set, any of them; all if there are not more.
fn some_of(cx: &mut Cx<'_>, set: u64, most: i32) -> Result<u64, Stop> {
    let (count, most) = (set.count_ones(), most.max(0) as u32);
    if count <= most {
        return Ok(set);
    }
    let mut rank = cx.choose(subsets(count, most))?;
    let (mut chosen, mut open) = (0, most);
    for (index, member) in members(set).enumerate() {
        let without = subsets(count - 1 - index as u32, open);
        if rank >= without {
            rank -= without;
            chosen |= 1 << member;
            open -= 1;
        }
    }
    Ok(chosen)
}

/// How many subsets of `size` members a set of `count` has.
fn subsets(count: u32, size: u32) -> u64 {
    if size > count {
        return 0;
    }
    (0..u64::from(size)).fold(1, |product, i| product * (u64::from(count) - i) / (i + 1))
}

#[cfg(test)]
mod tests {
    use super::subsets;

    #[test]
    fn subsets_are_counted() {
        let of_four: Vec<u64> = (0..6).map(|size| subsets(4, size)).collect();
        assert_eq!(of_four, [1, 4, 6, 4, 1, 0]);
        assert_eq!(subsets(39, 19), 68_923_264_410);
    }
}
