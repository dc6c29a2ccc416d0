//! Reports: from what a search found to text and JSON, as pure functions.
//!
//! This crate knows graphs and violations. It knows no machine (what a place or an address is called
//! comes through [`Names`]), opens no file (source text comes through [`Sources`]) and asks no clock.
//!
//! Invariants:
//!
//! 1. The verdict is decided in one function, [`Verdict::decide`]; *verified* means that the search
//!    was complete and found nothing.
//! 2. A [`ViolationReport`] is a complete value: every rendering is a function of it and of the
//!    source text, and it survives serialisation.
//! 3. The steps of a trace are a linear extension of `po ∪ rf`; a step that could not stand there in
//!    an interleaving carries a note that says so.

mod describe;
mod messages;
mod names;
mod order;
mod relevant;
mod report;
mod snippet;
mod text;
mod trace;
mod verdict;
mod violation;
mod wrap;

pub use messages::{fault_sentence, obstacle_sentence};
pub use names::{Names, Sources, Spot, number};
pub use report::{Estimate, Question, Report, Warning, about};
pub use snippet::underline;
pub use text::{TextStyle, render, render_violation};
pub use trace::{Origin, Step};
pub use verdict::{Coverage, Limit, Reason, Verdict};
pub use violation::{Involved, ViolationReport};
