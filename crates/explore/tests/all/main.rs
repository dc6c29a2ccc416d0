//! All tests of the explorers, in one binary: each of them would otherwise compile every explorer for
//! every model again.

mod awaits_counts;
mod awaits_oracle;
mod awaits_search;
mod axiomatic;
mod barriers;
mod bound;
mod bound_barriers;
mod checkpoints;
mod corpus;
mod counts;
mod estimates;
mod forgetful;
mod interrupts;
mod parallel;
mod parts;
mod preemptions;
mod psc;
mod rvf_counts;
mod rvf_litmus;
mod rvf_oracle;
mod rvf_search;
mod support;
mod symmetry;
mod waiting;
mod witness;
