//! What can be wrong with a program apart from memory and threads.

use super::FaultKind;
use crate::Address;
use serde::{Deserialize, Serialize};

/// Something that the program says of itself does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Claim {
    /// `assert` of this expression.
    Assert(String),
    /// An assertion whose expression is not known.
    Condition,
    /// A check that the C++ library makes of its callers, of this expression.
    LibraryCheck(String),
    /// What an operation of a library requires of its clients. Boxed: faults are to stay small.
    Requirement(Box<Requirement>),
    /// What a litmus test says of its final states.
    FinalState {
        /// The final state.
        outcome: String,
        /// Whether it satisfies the condition, which none must; if not, all must.
        satisfies: bool,
    },
    /// A program ends as its library allows: not in this way.
    NotAllowed(String),
    /// `reach_error` is never called.
    NoError,
}

/// What a library requires of its clients, and does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Requirement {
    /// The operation, with its library.
    pub operation: String,
    /// What is wrong, in the words of the library.
    pub violated: String,
}

impl Claim {
    pub(super) fn kind(&self) -> FaultKind {
        match self {
            Claim::NoError => FaultKind::ReachError,
            Claim::Assert(_)
            | Claim::Condition
            | Claim::LibraryCheck(_)
            | Claim::Requirement(_)
            | Claim::NotAllowed(_)
            | Claim::FinalState { .. } => FaultKind::Assertion,
        }
    }
}

/// A division without a quotient.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Division {
    /// By zero.
    ByZero,
    /// Of the least number by -1.
    Overflow,
}

/// A call of what cannot be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BadCall {
    /// Through a null pointer.
    Null,
    /// Of an address where no function is.
    NoFunction(Address),
    /// The destructor of a key of thread-specific values is no function.
    NoDestructor,
}

impl BadCall {
    pub(super) fn kind(self) -> FaultKind {
        match self {
            BadCall::Null => FaultKind::NullPointer,
            BadCall::NoFunction(_) | BadCall::NoDestructor => FaultKind::WildPointer,
        }
    }
}

/// The program ends itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ending {
    /// By `abort`.
    Abort,
    /// By `std::terminate`.
    Terminate,
    /// By an exception that nobody catches.
    Uncaught(Exception),
}

impl Ending {
    pub(super) fn kind(&self) -> FaultKind {
        match self {
            Ending::Abort | Ending::Terminate => FaultKind::Abort,
            Ending::Uncaught(_) => FaultKind::UncaughtException,
        }
    }
}

/// What is known of an exception.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Exception {
    /// There is no memory.
    BadAlloc,
    /// `std::thread::join` was called for no thread.
    JoinsNothing,
    /// `std::thread::detach` was called for no thread.
    DetachesNothing,
    /// The library throws it, and says this.
    Said(String),
    /// Nothing.
    Unknown,
}

/// Undefined behaviour that has no kind of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Undefined {
    /// Code is reached of which the compiler was told that it never is.
    Unreachable,
    /// `__builtin_trap` is reached.
    Trap,
    /// A computed goto leads to no label.
    NoLabel,
    /// The function at this address is called with a type that is not its own.
    WrongType(Address),
    /// The function at this address is called with too few arguments.
    TooFewArguments(Address),
    /// A pure virtual function is called.
    PureVirtual,
    /// Calls are nested deeper than this.
    TooDeep(u64),
    /// A local variable finds no room on the stack.
    StackOverflow,
    /// A thread-local variable finds no room.
    NoRoom,
    /// An atomic access to an address that is no multiple of its size.
    Misaligned(Address),
    /// `memcpy` between ranges that overlap.
    Overlap {
        /// How many bytes are copied.
        length: u64,
        /// How far the ranges are apart.
        apart: u64,
    },
    /// The result of a shift by the width of the number or more is used.
    Shift,
    /// `norn_choose` of an empty range.
    NothingToChoose {
        /// Its least number.
        low: i64,
        /// Its greatest number.
        high: i64,
    },
}
