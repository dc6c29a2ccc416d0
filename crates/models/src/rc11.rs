//! RC11 as published, which is C11, C++11, C++14 and C++17: a release sequence goes on with the later
//! stores of the thread that heads it, `rs = [W]; (po & loc)?; [W & A]; (rf; rmw)*`.

use crate::c11::{C11, Sequences};

/// The release sequences of C++11.
#[derive(Clone, Debug, Default)]
pub struct WithLaterStores;

impl Sequences for WithLaterStores {
    const NAME: &'static str = "rc11";
    const SUMMARY: &'static str = "C/C++11 as repaired in 2017: all access modes and fences";
    const LATER_STORES: bool = true;
}

/// The model `rc11`.
pub type Rc11 = C11<WithLaterStores>;
