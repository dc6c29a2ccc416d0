//! Passes: programs to programs, between the lowering and the machine.
//!
//! A pass looks at a program by the analyses of [`norn_program::flow`] and changes it by an
//! [`norn_program::Edit`]. What holds of each:
//!
//! 1. The verifier accepts what it makes of a program that the verifier accepts.
//! 2. Whatever a checker would find in the program before, it finds in the program after, and nothing
//!    else. Where that rests on something that cannot be proved from the bytecode, code that would
//!    show the opposite is turned into [`norn_program::Instruction::Unsupported`], so that the verdict is
//!    inconclusive and never wrong.
//! 3. Run a second time it changes nothing.
//!
//! Analyses that passes share are modules of their own: [`purity`]. What they tell of the loops of a program, for
//! people, is in [`loops`].
//!
//! A pass is a file with a type that implements [`Pass`], and a line in [`standard`].

mod asked;
mod body;
mod counters;
pub mod loops;
mod operations;
pub mod purity;
mod recursion;
mod turns;
mod unreachable;
mod unused;
mod watch;

pub use asked::MarkAsked;
pub use counters::MarkCounters;
pub use operations::{SubstituteError, substitute};
pub use recursion::LoopRecursion;
pub use turns::MarkTurns;
pub use unreachable::{DropUnreachable, dropped};
pub use unused::MarkUnused;
pub use watch::MarkWatched;

use norn_program::{Program, VerifyError};
use thiserror::Error;

/// Whether a pass changed anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changed {
    /// It did.
    Yes,
    /// The program is as it was.
    No,
}

/// A change to programs that keeps what they mean.
pub trait Pass {
    /// What it does, in a few words joined by hyphens.
    const NAME: &'static str;

    /// Changes a program that the verifier accepts.
    fn run(&self, program: &mut Program) -> Changed;
}

/// A pass made a program that the verifier refuses: a mistake of the pass.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the pass {pass} made a malformed program: {cause}")]
pub struct PassError {
    /// Its name.
    pub pass: &'static str,
    /// What the verifier says.
    pub cause: VerifyError,
}

/// The passes that every program goes through, in order.
pub fn standard(program: &mut Program) -> Result<(), PassError> {
    apply(&DropUnreachable, program)?;
    apply(&LoopRecursion, program)?;
    apply(&MarkTurns, program)?;
    apply(&MarkCounters, program)?;
    apply(&MarkUnused, program)?;
    apply(&MarkAsked, program)?;
    apply(&MarkWatched, program)?;
    Ok(())
}

/// Runs one pass and verifies what it made.
pub fn apply<P: Pass>(pass: &P, program: &mut Program) -> Result<Changed, PassError> {
    let changed = pass.run(program);
    if changed == Changed::Yes {
        let verified = program.verify().and_then(|()| program.verify_cycles());
        verified.map_err(|cause| PassError { pass: P::NAME, cause })?;
    }
    Ok(changed)
}
