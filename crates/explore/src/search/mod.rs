//! A search, whatever its algorithm: options and limits, what is counted and found, workers that share
//! it, and its state as data.

mod depth_first;
mod frontier;
mod options;
mod position;
mod probe;
mod queue;
mod session;
mod shared;
mod signals;
mod slice;
mod summary;
mod trace;
mod workers;

pub(crate) use depth_first::{DepthFirst, Moved, Progress, visit_all};
pub use frontier::{Frontier, SavedSummary};
pub(crate) use options::tell_branch;
pub use options::{Observer, Options, Stop};
pub use position::Position;
pub(crate) use probe::{Descent, Random};
pub use probe::{Estimate, Probe};
pub(crate) use queue::Placed;
pub use queue::Queue;
pub(crate) use session::{Scope, Session};
pub(crate) use shared::{Branching, Loaded, Shared, worth_sharing};
pub use slice::{Slice, Sliced, slice};
pub use summary::{
    AlikeFigures, BoundFigures, Figures, RfFigures, Summary, Violation, calls, follow, replays,
};
pub use trace::Trace;
pub use workers::{Explorer, Keeper, Parts, Setup, search, search_with};
