//! Reports in the formats of other tools: SARIF for code scanning, JUnit for test reports, and the
//! annotations of GitHub's workflows. Each is a function of the report alone.

mod github;
mod junit;
mod sarif;

pub use github::{annotation, annotations};
pub use junit::{Case, Ending, junit};
pub use sarif::sarif;
