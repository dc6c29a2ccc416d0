//! What the tool cannot run.

use crate::Place;
use serde::{Deserialize, Serialize};

/// Something the tool cannot run: it was reached, so nothing can be promised any more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unsupported {
    /// What was found.
    pub what: Obstacle,
    /// Where.
    pub place: Place,
    /// A second place that matters (the other access of a mixed-size pair).
    pub other: Option<Place>,
}

impl Unsupported {
    /// Something that cannot be run at a place.
    pub fn new(what: Obstacle, place: Place) -> Unsupported {
        Unsupported { what, place, other: None }
    }
}

/// What the tool cannot get past.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Obstacle {
    /// An instruction that could not be lowered, in the words of the front end or of a pass. It stays
    /// text: it is about the compiler's code, which nobody after them knows, and is made once, there.
    Instruction(String),
    /// A call of this function, which has no body and is not provided.
    UnknownFunction(String),
    /// The program has no `main`.
    NoMain,
    /// Accesses of these two sizes overlap, of which the larger one cannot be made in parts.
    MixedSizes(u8, u8),
    /// Something is wrong with an execution in which an access that is made in parts is perhaps not one step.
    TornAccess,
    /// Accesses of several sizes under an algorithm that cannot tell whether the larger ones are one step.
    PartsUnderRf,
    /// An address of another thread's object that nobody saw being handed over.
    Disguised,
    /// An atomic access of so many bytes.
    AtomicSize(u64),
    /// More threads than there can be.
    TooManyThreads,
    /// A thread that nobody started, or one too many.
    NoSuchThread,
    /// More threads than this meet at a barrier that was made for so many.
    CrowdedBarrier(u32),
    /// A thread with a greater number than condition variables can remember waits for one.
    LateWaiter,
    /// A system call, by its number.
    SystemCall(u64),
    /// An operation on a futex, by its number.
    Futex(u32),
    /// More words at which threads wait than this.
    TooManyFutexes(u64),
    /// A reader-writer lock that prefers writers.
    WritersFirst,
    /// More functions to be called at exit than this.
    ExitHandlers(u64),
    /// More keys of thread-specific values, or destructors of theirs, than there can be.
    TooManyKeys,
    /// An exception whose handler is behind a function of the library that it would have to leave.
    LeavesLibrary,
    /// An exception, or a type of one, that is not known.
    UnknownException,
    /// `std::call_once` in a program without the library's variable for it.
    OnceWithoutVariable,
    /// A conversion in a format that is not known, by its letter.
    Conversion(Conversion, u8),
    /// Output to something else than the standard streams.
    OutputToFile,
    /// `va_start` of a list that other threads can reach.
    SharedArguments,
    /// A choice among more numbers than can be tried.
    LargeChoice,
    /// A choice among all numbers of a type.
    UnboundedChoice,
    /// Loops and calls took so many steps without a visible action.
    SilentLoop(u64),
    /// A loop waits for time to pass.
    TimedLoop,
    /// A thread took so many steps and goes on.
    EndlessThread(u64),
    /// Atomic sections under an algorithm that cannot tell whether they are atomic.
    SectionsUnderRf,
    /// The search was stopped while it looked at an execution that was counted already.
    StoppedInExecution,
    /// A part of a saved search that does not fit the program.
    DamagedCheckpoint,
    /// The machine has lost a call of its runtime: a fault of the tool.
    LostCall,
}

/// A function of C with a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Conversion {
    /// `printf` and its family.
    Printf,
    /// `sscanf`.
    Sscanf,
}
