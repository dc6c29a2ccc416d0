//! All tests of models that are read from files, in one binary.

mod equal;
mod errors;
mod models;
mod support;
