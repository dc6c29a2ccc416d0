//! Landing pads: where control goes when a call is left by an exception.
//!
//! They are a table beside the code and not instructions, so that a call that returns costs what it would without
//! them. Whoever looks at how control passes ([`Program::for_each_successor`]) sees the way to the landing pad as one
//! more way on from the call. On that way the call has written no result.

use crate::Program;

/// What a landing pad does with an exception.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clause {
    /// Takes those of the type that is described at this address, or of any if that is zero.
    Catch {
        /// Address of the description.
        description: u64,
        /// What the code behind the landing pad knows the clause by.
        selector: u32,
    },
    /// Takes those of all types but these.
    Filter {
        /// Addresses of the descriptions.
        allowed: Vec<u64>,
        /// As above; a negative number of 32 bits.
        selector: u32,
    },
}

/// Where a call that an exception leaves goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pad {
    /// Program counter of the call.
    pub call: u32,
    /// Where control goes, in the same function.
    pub target: u32,
    /// Whether there is something to do for every exception, which then goes on.
    pub cleanup: bool,
    /// Whether all that is done is to end the program.
    pub terminates: bool,
    /// What is done for some; the first that fits counts.
    pub clauses: Vec<Clause>,
}

impl Program {
    /// The landing pad of the call at a program counter, if it has one.
    #[inline]
    pub fn pad_at(&self, pc: u32) -> Option<&Pad> {
        if self.pads.is_empty() {
            return None;
        }
        let index = self.pads.binary_search_by_key(&pc, |pad| pad.call).ok()?;
        self.pads.get(index)
    }
}
