//! RC11 with the release sequences of C++20 (P0982): after its head, a sequence consists of
//! read-modify-writes only, `rs = [W & A]; (rf; rmw)*`. Fewer writes synchronise than in `rc11`, so every
//! execution of `rc11` is one of `c20`.

use crate::c11::{C11, Sequences};

/// The release sequences of C++20.
#[derive(Clone, Debug, Default)]
pub struct WithoutLaterStores;

impl Sequences for WithoutLaterStores {
    const NAME: &'static str = "c20";
    const SUMMARY: &'static str =
        "as rc11, with the release sequences of C++20: read-modify-writes only";
    const LATER_STORES: bool = false;
}

/// The model `c20`.
pub type C20 = C11<WithoutLaterStores>;
