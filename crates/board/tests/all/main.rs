//! The boards and the fold.

mod boards;
mod fold;
#[cfg(feature = "nats")]
mod nats;
#[cfg(feature = "nats")]
mod server;
