//! Total store order: only a write followed by a read of another location may be reordered, unless
//! a full barrier, a read-modify-write or the barrier of a `seq_cst` store keeps them apart.

use crate::backward::{Between, End, Preserved};
use crate::hardware::{Hardware, HardwareModel};
use crate::{About, Delay};

/// The program order that `tso` preserves.
#[derive(Clone, Debug, Default)]
pub struct AllButStoreLoad;

impl Preserved for AllButStoreLoad {
    #[inline]
    fn holds(earlier: End, later: End, between: Between) -> bool {
        let ppo = !earlier.write || later.write;
        let implied = (earlier.write && later.locked && !later.write)
            || (earlier.locked && !later.write)
            || (earlier.write && earlier.mode.is_seq_cst() && !later.write);
        ppo || implied || between.full
    }
}

impl HardwareModel for AllButStoreLoad {
    const ABOUT: About = About {
        name: "tso",
        summary: "total store order (x86): a store may be delayed past later loads",
        delay: Delay::StoreBuffer,
        races: false,
        publishes_in_order: true,
    };
}

/// The model `tso`.
pub type Tso = Hardware<AllButStoreLoad>;
