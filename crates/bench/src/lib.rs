//! Benchmarks: programs with known numbers of executions, and what it costs to count them.

mod count;
mod expectation;
mod figures;
mod fit;
mod growth;
mod harness;
mod instructions;
mod machine;
mod measurement;
mod peer;
mod plot;
mod process;
mod record;
mod selection;
pub mod table;

pub use count::{Algorithm, Counted, Search, count};
pub use expectation::{Expectation, Mark, Reference, expectations, size_flags};
pub use figures::figures;
pub use growth::{Fit, Growth, growths};
pub use harness::{Harness, Instructions};
pub use machine::Machine;
pub use measurement::Measurement;
pub use peer::{Peer, PeerRun};
pub use process::end_with_us;
pub use record::{Outcome, Record, Row, save};
pub use selection::{Program, Task, Wanted, programs};
