//! What a thread can do that others may notice.

use crate::{
    Address, Fault, Image, Mode, ObjectKind, Place, RmwOp, SmallTest, Test, ThreadId, Unsupported,
    Value,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A memory access: where, how wide, how ordered, and where in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// First byte.
    pub address: Address,
    /// Width in bytes: 1, 2, 4, 8 or 16.
    pub size: u8,
    /// Annotation.
    pub mode: Mode,
    /// What it is to the object that it is of.
    pub role: Role,
    /// Of a write: which of the first eight bytes of the value were never written themselves (bit `i` for
    /// byte `i`).
    pub undefined: u8,
    /// Source place.
    pub place: Place,
}

/// What an access is to the object that it is of. A model or a report may have to know that a cell is
/// part of a lock; nobody has to guess it from values. The numbers are the bits that events of graphs have
/// for it: the upper four for what the object is, and 8 for giving back what was taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Role {
    /// An access of the program's own data, or of an object whose role does not matter.
    #[default]
    Data = 0,
    /// Waits for a mutex and takes it.
    Lock = 0x10,
    /// Gives a mutex back.
    Unlock = 0x18,
    /// The reader's side of a reader-writer lock. Leaving orders nothing for later readers, only for
    /// later writers.
    ReadLock = 0x20,
    /// Leaves a reader-writer lock as a reader.
    ReadUnlock = 0x28,
    /// Enters the section in which no other thread moves; otherwise a mutex.
    EnterSection = 0x30,
    /// Leaves it.
    LeaveSection = 0x38,
    /// The writer's side of a reader-writer lock.
    WriteLock = 0x40,
    /// Leaves a reader-writer lock as a writer.
    WriteUnlock = 0x48,
    /// Reads or changes the set of those who wait for a condition variable.
    Condition = 0x60,
    /// Takes one from a semaphore.
    SemaphoreWait = 0x80,
    /// Adds one to a semaphore.
    SemaphorePost = 0x88,
    /// Takes a mutex if it is free. No [`Role::Lock`]: models may take who waits for a mutex to be ordered
    /// with whoever had it, and a try may fail early.
    TryLock = 0xa0,
    /// Makes a lock, semaphore or the like.
    Initialise = 0xc0,
    /// Ends one.
    Destroy = 0xc8,
    /// A part of an access that is made in several parts, after the first one.
    Part = 0xe0,
    /// The first of them. What the thread does up to the next access that is no [`Role::Part`] is one access.
    FirstPart = 0xe8,
}

impl Role {
    /// All of them.
    pub const ALL: [Role; 17] = [
        Role::Data,
        Role::Lock,
        Role::Unlock,
        Role::ReadLock,
        Role::ReadUnlock,
        Role::EnterSection,
        Role::LeaveSection,
        Role::WriteLock,
        Role::WriteUnlock,
        Role::Condition,
        Role::SemaphoreWait,
        Role::SemaphorePost,
        Role::TryLock,
        Role::Initialise,
        Role::Destroy,
        Role::Part,
        Role::FirstPart,
    ];
}

/// Where accesses of one instruction are made in parts: at the addresses that leave the remainder `at` when
/// they are divided by 16. It means the same in every execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Cut {
    /// The instruction.
    pub place: Place,
    /// The remainder, below 16.
    pub at: u8,
}

/// What a search has found out about a program that the machine has to know from the start: then it begins again. It
/// means the same in every execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lesson {
    /// Accesses are made in parts.
    Cut(Cut),
    /// The iterations of the loop with this head are not all tries that may fail alike, so that each one counts.
    Counts(Place),
    /// No threads are alike: what the program does with those that looked so tells them apart.
    ToldApart,
    /// Threads go round loops whose effects cancel out ([`Action::Round`]), with an algorithm that counts each round, or
    /// under a model in which somebody may see such an effect late. It is looked out for who does.
    Rounds,
    /// Somebody may see such an effect late: each round counts.
    RoundsCount,
    /// Critical sections that begin at this site depend on others: they take their locks.
    SectionMatters(u64),
    /// Who holds this lock may wait: it is always taken.
    LockMatters(u64),
    /// All locks are taken: something was found where some were not.
    LocksMatter,
    /// Somebody may see tries that fail and are taken back ([`Wait::Attempt`]): each is made.
    AttemptsShow,
}

impl Lesson {
    /// Where accesses are made in parts, if it says so.
    pub fn cut(self) -> Option<Cut> {
        match self {
            Lesson::Cut(cut) => Some(cut),
            _ => None,
        }
    }
}

/// Why a thread waits, for reports of deadlocks and livelocks.
///
/// Explorers rely on what the library objects promise: all writes to a mutex, reader-writer lock or
/// semaphore that is in use are read-modify-writes, or stores by the thread that holds it. What is
/// written in any other way is waited for as a [`Wait::Value`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Wait {
    /// For a mutex. Only the thread that holds it can release it.
    Mutex,
    /// For a reader-writer lock.
    RwLock,
    /// For a semaphore.
    Semaphore,
    /// For what an operation of a library waits for. Nothing is promised of who else writes it.
    Operation,
    /// For a signal on a condition variable.
    Condition,
    /// For a signal on a condition variable, but not for ever: an execution in which it does not come is
    /// continued by the one in which the wait times out.
    TimedCondition,
    /// For a wake-up at a futex.
    Futex,
    /// For a function that another thread runs once for all.
    Once,
    /// For a value: `norn_await`, or a spin loop whose iterations have no effect.
    Value,
    /// For a value that a read-modify-write would rather find: with any other it takes back what it did and tries again.
    Attempt,
    /// For a value, in a loop: any other would send the thread round it once more, without an effect.
    Loop {
        /// How many visible reads the iteration has made before: the last ones of the thread. The next
        /// iteration would make them again, and perhaps see something else.
        reads: u32,
    },
}

/// A read-modify-write: an exclusive read and, if `test` holds of the value read, an exclusive
/// write of `op(value, operand)` right after it. If the test fails, it is a read only (a failed
/// compare-exchange), or, when `wait` is set, the thread waits until the test holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rmw {
    /// Where; the mode is that of a successful operation.
    pub access: Access,
    /// Mode of the read if the test fails.
    pub failure_mode: Mode,
    /// What is written.
    pub op: RmwOp,
    /// The other operand.
    pub operand: Value,
    /// When it is written; `None`: always.
    pub test: Option<Test>,
    /// Set if the operation waits for its test.
    pub wait: Option<Wait>,
    /// Whether the thread certainly does the same whatever the answer is.
    pub unused: bool,
    /// Answers that are alike to the thread, as far as that is known.
    pub alike: Option<Alike>,
}

/// Answers to a read-modify-write after which a thread does the same: all that pass a test. They lead to the end of a round
/// ([`Action::Round`]), by nothing but read-modify-writes that are the same whatever they read; or whether it is passed is all
/// that the thread asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alike {
    /// The test.
    pub test: SmallTest,
    /// Whether those that fail it are alike as well.
    pub both: bool,
}

impl Rmw {
    /// Whether it always writes, and nobody looks at the answer.
    #[inline]
    pub fn is_blind(&self) -> bool {
        self.unused && self.test.is_none()
    }

    /// The number that it adds, if it adds one to whatever there is.
    pub fn adds(&self) -> Option<i128> {
        let operand = self.operand.signed(self.access.size);
        match self.op {
            RmwOp::Add => Some(operand),
            RmwOp::Sub => Some(-operand),
            _ => None,
        }
    }

    /// Whether the thread does the same with either of two answers: it ignores them, or they are alike to it.
    pub fn answers_alike(&self, one: Value, other: Value) -> bool {
        let size = self.access.size;
        self.is_blind()
            || self.alike.is_some_and(|Alike { test, both }| {
                let (one, other) = (test.holds(one, size), test.holds(other, size));
                one == other && (one || both)
            })
    }
}

/// One side of a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Barrier {
    /// The barrier object.
    pub address: Address,
    /// How many threads meet there.
    pub count: u32,
    /// How often this thread has arrived at this barrier before (0 the first time).
    pub round: u32,
    /// Source place.
    pub place: Place,
}

/// The next visible action of a thread, and the answer that it takes to go on.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Reads; the answer is the value. With `wait`, only a value that passes the test is an answer.
    Load(Access, Option<(Test, Wait)>),
    /// Writes a value; no answer.
    Store(Access, Value),
    /// Reads and perhaps writes at once; the answer is the value read.
    Rmw(Rmw),
    /// A fence; no answer.
    Fence(Mode, Place),
    /// Starts a thread, the `index`-th (from 0) that this thread starts; the answer is the new
    /// thread's id. The explorer then calls [`crate::Machine::spawn`].
    Spawn {
        /// How many threads this one started before.
        index: u32,
        /// The latest of those that is *alike*, by its index: it begins like the new one, and nothing that the program
        /// does can tell which of the two is which, apart from what they read, write and wait for.
        like: Option<u32>,
        /// Source place.
        place: Place,
    },
    /// Waits for a thread to finish; the answer is the value of its [`Action::Finish`].
    Join {
        /// Which.
        thread: ThreadId,
        /// Source place.
        place: Place,
    },
    /// Makes objects reachable for other threads from here on. Always taken before the action that
    /// hands out their address; no answer.
    Publish(Arc<[Image]>, Place),
    /// Ends the life of a published object: `free`, or the end of a local variable's scope; no
    /// answer.
    Free {
        /// First byte of the object.
        address: Address,
        /// The kind of memory that the call is made for (`free`, `delete`, `delete[]`); none if it is a
        /// local variable that goes out of scope.
        by: Option<ObjectKind>,
        /// Source place.
        place: Place,
    },
    /// Asks for the size of a published heap object that is about to be freed or moved; the answer is
    /// the size. What could not be freed cannot be measured.
    Measure {
        /// First byte of the object.
        address: Address,
        /// The kind of memory that the call is made for.
        by: ObjectKind,
        /// Whether the allocator then keeps the object, to hand it out again as a new one.
        keeps: bool,
        /// Source place.
        place: Place,
    },
    /// A non-deterministic choice; the answer is a number below `count` (at least 1).
    Choose {
        /// How many answers there are.
        count: u64,
        /// Whether the program asks for a choice; otherwise it is one of the runtime, such as whom a
        /// signal wakes.
        asked: bool,
        /// Source place.
        place: Place,
    },
    /// Arrives at a barrier; no answer.
    BarrierArrive(Barrier),
    /// Leaves a barrier once all have arrived; the answer is the number of this thread among those
    /// that met, 0 for the one that is told it is the serial thread.
    BarrierLeave(Barrier),
    /// The thread has ended; the value goes to whoever joins it. Nothing follows.
    Finish(Value),
    /// The thread has ended, as by [`Action::Finish`], but the process has not: once all other threads
    /// have ended too, this one ends the process. The answer is how many threads are still to be
    /// waited for; the action is taken again until that is zero.
    Last {
        /// What whoever joins the thread gets.
        value: Value,
        /// Source place.
        place: Place,
    },
    /// The process ends here with this code, whatever the other threads do. Nothing follows.
    Exit(i32),
    /// The thread cannot go on and this execution is of no interest: a failed assumption. Nothing
    /// follows.
    Abandon(Place),
    /// The thread went once round a loop without any effect and would do so again until some value
    /// it reads changes. Nothing follows in this execution; if no other thread can change the
    /// values, it spins forever.
    Spin {
        /// How many visible reads that iteration made: the last ones of the thread.
        reads: u32,
        /// Source place.
        place: Place,
    },
    /// The thread went once round a loop and is in the same state again. All that it did meanwhile that others could
    /// notice are stores and read-modify-writes. If it has taken back what it did and nobody has noticed, it is as if nothing
    /// had happened; whether that is so, the graph says. No answer; the next round begins.
    Round {
        /// How many visible reads that iteration made: the last ones of the thread.
        reads: u32,
        /// How many it has made since it has been in this state whenever it came to the head of the loop.
        since: u32,
        /// Whether the iteration made stores, too.
        stores: bool,
        /// Source place.
        place: Place,
    },
    /// The thread would exceed the unrolling bound. Nothing follows.
    Cut(Place),
    /// The program did something wrong. Nothing follows.
    Fail(Arc<Fault>),
    /// The machine cannot run what comes next. Nothing follows.
    Unsupported(Arc<Unsupported>),
    /// The machine was told to stop in the midst of a computation, so it is not known what comes next. A
    /// search that meets this is being stopped.
    Interrupted,
    /// The thread went round the loop with this head in a way that the machine took to be impossible. Nothing
    /// follows: the search has to begin again ([`Lesson::Counts`]).
    Counts(Place),
    /// The thread waits or ends while it holds this lock, which may have been left out to be taken, here or elsewhere. Nothing
    /// follows: the search has to begin again ([`Lesson::LockMatters`]).
    LockMatters(u64),
}

impl Action {
    /// Whether the thread can never take another step.
    pub fn is_final(&self) -> bool {
        matches!(
            self,
            Action::Finish(_)
                | Action::Exit(_)
                | Action::Abandon(_)
                | Action::Spin { .. }
                | Action::Cut(_)
                | Action::Fail(_)
                | Action::Unsupported(_)
                | Action::Interrupted
                | Action::Counts(_)
                | Action::LockMatters(_)
        )
    }

    /// What whoever joins the thread gets, if it has ended.
    pub fn result(&self) -> Option<Value> {
        match self {
            Action::Finish(value) | Action::Last { value, .. } => Some(*value),
            _ => None,
        }
    }
}
