//! Tests of the tool as a whole: from files to verdicts, text and JSON.

mod board;
mod browse;
mod checkpoints;
mod command;
mod damage;
mod damaged_checkpoints;
mod differential;
mod drawings;
mod examples;
mod explain;
mod faults;
mod formats;
mod libraries;
mod limits;
mod loops;
mod minimise;
mod models;
mod profile;
mod projects;
mod replay;
mod suggest;
mod suite;
mod support;
mod text;
mod traces;
mod unordered;
