//! Plots as SVG, without a library: panels side by side, and one legend below them.

mod figure;
mod scale;
mod svg;

#[cfg(test)]
pub(crate) use figure::tests;
pub use figure::{Figure, Guide, Panel, Series};
pub use scale::{Scale, Unit};
