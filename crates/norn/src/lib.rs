//! Norn as a library: give [`check`] a program and get a [`norn_report::Report`].
//!
//! ```no_run
//! let options = norn::CheckOptions { files: vec!["queue.c".into()], ..Default::default() };
//! let outcome = norn::check(&options, &norn::Control::default(), &mut |_| {})?;
//! assert_eq!(outcome.report.verdict, norn::Verdict::Verified);
//! # Ok::<(), norn::InputError>(())
//! ```
//!
//! This crate is the only one that sees all others: it chooses the front end by the kind of file,
//! the model and the algorithm by their names, and it is the only one that reads files, looks at the
//! clock or at the environment.
//!
//! Invariant: what cannot be checked is refused as an [`InputError`] before a search starts, or makes
//! the verdict inconclusive; it is never left out in silence.

mod against;
mod browse;
mod check;
mod control;
mod entry;
mod error;
mod estimator;
mod expect;
mod explain;
mod files;
mod library;
mod litmus;
mod log;
mod lookers;
mod loops;
mod memory;
mod minimise;
mod model;
mod parts;
mod plan;
mod printed;
mod program;
mod program_names;
mod quantity;
mod replay;
mod resume;
mod search;
mod seek;
mod sha256;
mod shared;
mod store;
mod suggest;
mod suite;
mod tally;

pub use check::{CheckOptions, EFFORT, Outcome, check};
pub use control::Control;
pub use error::InputError;
pub use expect::{BadExpectation, Expectation, expectations};
pub use explain::{explain, explain_unordered};
pub use files::{check_distinct, check_output, write_output};
pub use library::LibraryChoice;
pub use log::Log;
pub use loops::transform;
pub use model::{ModelChoice, PlannedModel, define};
pub use norn_cat::{Definition, Limits, conditions, difference};
pub use norn_explore::Estimate;
pub use norn_library::{SHIPPED as LIBRARIES, summary as library_summary};
pub use norn_litmus::print as print_litmus;
pub use norn_machine::runtime_functions as supported_functions;
pub use norn_models::ModelName;
pub use norn_report::{
    Answer, Browsed, By, Case, Chain, Ending, Explanation, Link, Ordering, Pair, Report, Sources,
    TextStyle, Verdict, ViolationReport, Walk, about, annotation, annotations, browse_page,
    chrome_trace, dot, junit, log_text, obstacle_sentence, page, render, sarif, svg,
};
pub use parts::{merge, split};
pub use plan::{Algorithm, AlgorithmName, BoundName, Plan};
pub use program::{load, run};
pub use program_names::fault_sentence;
pub use quantity::{parse_duration, parse_size};
pub use replay::replay;
pub use resume::{ResumeOptions, resume};
pub use shared::{BoardOptions, WorkOptions, cancel, status, work};
pub use suite::{Runner, Test, Tested, tests};
pub use tally::{Listener, Progress};
