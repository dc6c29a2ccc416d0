//! Reports: from what a search found to text, JSON and the formats of other tools, as pure functions.
//!
//! This crate knows graphs and violations. It knows no machine (what a place or an address is called
//! comes through [`Names`]), opens no file (source text comes through [`Sources`]) and asks no clock.
//!
//! Invariants:
//!
//! 1. The verdict is decided in one function, [`Verdict::decide`]; *verified* means that the search
//!    was complete and found nothing.
//! 2. A [`ViolationReport`] is a complete value: the whole execution, what of it a reader needs, in which
//!    order and why. Every rendering is a function of it and of the source text, and it survives
//!    serialisation.
//! 3. The steps of a trace are a linear extension of `po ∪ rf`; a step that could not stand there in
//!    an interleaving carries a note that says so.

mod assumption;
mod branches;
mod browsed;
mod describe;
mod drawing;
pub mod execution;
mod explanation;
mod format;
mod formats;
mod log;
pub mod loops;
mod messages;
mod minimised;
mod names;
mod order;
mod ordering;
mod page;
mod relevant;
mod report;
#[cfg(test)]
mod samples;
#[cfg(test)]
mod schema;
mod snippet;
mod standing;
mod step;
mod suggestion;
mod text;
mod trace;
mod verdict;
mod violation;
mod walk;
mod words;
mod wrap;
mod xml;

pub use assumption::Assumption;
pub use branches::{BranchKind, Branches};
pub use browsed::{Browsable, Browsed};
pub use drawing::{dot, svg};
pub use execution::Execution;
pub use explanation::{Answer, Explanation, FinalValue};
pub use format::Format;
pub use formats::{Case, Ending, annotation, annotations, junit, sarif};
pub use log::{LogEntry, Part, chrome_trace, log_text};
pub use messages::{fault_sentence, obstacle_sentence};
pub use minimised::{Length, Minimised};
pub use names::{Names, Sources, Spot, distinct_file, number};
pub use ordering::{By, Chain, Link, Ordering, Pair};
pub use page::{browse_page, page};
pub use report::{Asked, Estimate, Question, Report, Warning, WarningKind, about};
pub use snippet::underline;
pub use standing::{After, Allowed, Because, Choice, Despite, Standing};
pub use step::{Awaited, Blocked, Changing, Origin, Reading, Step, Stuck, Target, Wait, Writing};
pub use suggestion::{AccessKind, Fix, OrderChange, Suggestion};
pub use text::{TextStyle, render, render_violation};
pub use trace::TraceStep;
pub use verdict::{Coverage, Limit, Reason, Verdict};
pub use violation::{Involved, ViolationReport};
pub use walk::Walk;
