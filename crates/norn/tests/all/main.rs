//! Tests of the tool as a whole: from files to verdicts, text and JSON.

mod board;
#[cfg(feature = "nats")]
mod board_nats;
mod book;
mod browse;
mod checkpoints;
mod command;
mod cxx;
mod damage;
mod damaged_checkpoints;
mod differential;
mod drawings;
mod examples;
mod explain;
mod faults;
mod formats;
mod futex;
mod libraries;
mod limits;
mod loops;
mod minimise;
mod models;
#[cfg(feature = "nats")]
#[path = "../../../board/tests/all/server.rs"]
mod nats_server;
mod profile;
mod projects;
mod replay;
mod suggest;
mod suite;
mod support;
mod symmetry;
mod text;
mod traces;
mod unordered;
