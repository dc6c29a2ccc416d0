//! The two kinds of trouble: faults of the checked program, and what the tool cannot do.
//!
//! Both are data: what happened, with the addresses, sizes, threads and values that it happened with.
//! Nothing here is a sentence. `norn-report` makes every one of them, where the program's own names are
//! known. What stands in a `String` here is text of the checked program.

mod kind;
mod memory;
mod obstacle;
mod program;
mod sync;

pub use kind::FaultKind;
pub use memory::{BadAccess, BadFree, ConstantWrite, End, Inside, Miss, Near, Unwritten};
pub use obstacle::{Conversion, Obstacle, Unsupported};
pub use program::{BadCall, Claim, Division, Ending, Exception, Requirement, Undefined};
pub use sync::{BadJoin, BadSync, Misuse, Stuck, SyncObject, SyncState};

use crate::{Address, Place};
use serde::{Deserialize, Serialize};

/// A fault of the checked program: a result, not an error of the tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// What is wrong.
    pub what: Wrong,
    /// Where.
    pub place: Place,
    /// What lies at the address that it is about, if no other thread knows that object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inside: Option<Box<Inside>>,
}

impl Fault {
    /// A fault at a place.
    pub fn new(what: impl Into<Wrong>, place: Place) -> Fault {
        Fault { what: what.into(), place, inside: None }
    }

    /// What kind of fault.
    pub fn kind(&self) -> FaultKind {
        self.what.kind()
    }
}

/// What is wrong with the checked program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Wrong {
    /// Something that the program says of itself does not hold.
    Claim(Claim),
    /// An access to bytes that are no part of a live object. Boxed: it is the largest by far.
    Access(Box<BadAccess>),
    /// An access to an object whose life may have ended when it is made.
    Outlived(End),
    /// Memory is given back that must not be.
    Free(BadFree),
    /// The use of a value that was never written.
    Unwritten(Unwritten),
    /// A write to memory that must not be written.
    Constant(ConstantWrite),
    /// Two accesses, one of them plain, that nothing orders.
    Race,
    /// A wrong use of a mutex, a barrier, a key and the like.
    Sync(BadSync),
    /// A join or a detach of what is no thread, or none that can be joined any more.
    Join(BadJoin),
    /// Somebody waits for ever.
    Stuck(Stuck),
    /// A division without a quotient.
    Division(Division),
    /// A call of what cannot be called.
    Call(BadCall),
    /// The program ends itself.
    Ending(Ending),
    /// Any other undefined behaviour.
    Undefined(Undefined),
}

impl Wrong {
    /// The address that it is about, if there is one whose object has to be named.
    pub fn address(&self) -> Option<Address> {
        match self {
            Wrong::Free(free) => Some(free.address()),
            Wrong::Sync(sync) => sync.address(),
            Wrong::Stuck(stuck) => stuck.address(),
            Wrong::Constant(ConstantWrite::Store(address))
            | Wrong::Undefined(Undefined::Misaligned(address)) => Some(*address),
            _ => None,
        }
    }

    /// What kind of fault it is.
    pub fn kind(&self) -> FaultKind {
        match self {
            Wrong::Claim(claim) => claim.kind(),
            Wrong::Access(access) => access.kind(),
            Wrong::Outlived(end) => end.kind(),
            Wrong::Free(free) => free.kind(),
            Wrong::Unwritten(_) => FaultKind::UninitialisedRead,
            Wrong::Constant(_) => FaultKind::ReadOnlyWrite,
            Wrong::Race => FaultKind::DataRace,
            Wrong::Sync(sync) => sync.kind(),
            Wrong::Join(_) => FaultKind::InvalidJoin,
            Wrong::Stuck(stuck) => stuck.kind(),
            Wrong::Division(_) => FaultKind::DivisionByZero,
            Wrong::Call(call) => call.kind(),
            Wrong::Ending(ending) => ending.kind(),
            Wrong::Undefined(_) => FaultKind::UndefinedBehaviour,
        }
    }
}

impl From<BadAccess> for Wrong {
    fn from(access: BadAccess) -> Wrong {
        Wrong::Access(Box::new(access))
    }
}

/// The variants that hold what they are named after.
macro_rules! from {
    ($($variant:ident($held:ty),)*) => {
        $(impl From<$held> for Wrong {
            fn from(held: $held) -> Wrong {
                Wrong::$variant(held)
            }
        })*
    };
}

from! {
    Claim(Claim),
    Access(Box<BadAccess>),
    Outlived(End),
    Free(BadFree),
    Unwritten(Unwritten),
    Constant(ConstantWrite),
    Sync(BadSync),
    Join(BadJoin),
    Stuck(Stuck),
    Division(Division),
    Call(BadCall),
    Ending(Ending),
    Undefined(Undefined),
}

/// A search clones the faults that it finds; they are to stay small.
const _: () = assert!(size_of::<Fault>() <= 56);
